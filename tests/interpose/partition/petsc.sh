# SPDX-License-Identifier: BSD-3-Clause
# PETSc's own cuts of vectors and regular grids.
. "$HS_TEST_SRCDIR/tests/interpose/partition/common.sh"
pkg-config --exists petsc 2>/dev/null || skip "no PETSc (petsc-dev)"
[ "$HS_TEST_FLAVOUR" = openmpi ] || skip "Debian's PETSc is Open MPI's"
grep -qs '^ID=ubuntu' /etc/os-release && skip "Ubuntu's PETSc calls its own functions directly (-Bsymbolic-functions)"
# shellcheck disable=SC2046
"$MPICC" -w -o "$work/petsc" "$here/petsc.c" $(pkg-config --cflags --libs petsc) || skip "PETSc does not compile"

cut 6 off "$work/petsc"
sized vector 0.01 1 "$equal"
sized three 0.05 1 "$equal"
cut 6 on "$work/petsc"
sized vector 0.001 1 "$by_speed"
sized block 0.01 1 "$by_speed"
sized given 0 1 "$equal"
sized few 0 1 "1 1 0 0 0 0"
sized sub 0.001 1 "2 3 4" # ranks 5, 4, 3 by themselves
for way in line plane space; do
    sized $way 0.01 1 "$by_speed"
done
sized rows 0 1 "$equal"
grep -q "three ranks: 3 2 1" "$work/out" || fail "the program's grid of ranks is another one"
told PetscSplitOwnership 6 'e["times"] >= 1' 'e["given"] is not None'
told PetscSplitOwnership 3 'sum(e["reached"]) == 900' 'e["first"] == 5'
told DMSetUp 6 'e["reached"] is not None'
# Loaded late, for the program's library alone.
# shellcheck disable=SC2046
"$MPICC" -Dmain=part -shared -fPIC -w -o "$work/liblate.so" "$here/petsc.c" $(pkg-config --cflags --libs petsc)
load_late "$work/liblate.so"
sized vector 0.001 1 "$by_speed"
sized plane 0.01 1 "$by_speed"
HOSTS=$work/off.xml cut 6 on "$work/petsc"
sized vector 0.001 1 "8 6 4 4 3 0"
sized block 0.03 1 "8 6 4 4 3 0"
for way in line plane space; do
    sized $way 0.05 1 "8 6 4 4 3 0" # but for what the borders of its neighbours need
done
HOSTS=$work/equal.xml cut 6 on "$work/petsc"
sized vector 0.01 1 "$equal"
exit $failed
