# SPDX-License-Identifier: BSD-3-Clause
# configure takes the Fortran and C++ wrappers of the MPI library that it is given, and not those of another one in PATH; and what is
# compiled with the folders of the installation is compiled anew where configure names others.
set -u
unset MPIFC MPICXX # those of this build, which configure would take
[ -x "$HS_TEST_SRCDIR/configure" ] || { echo "skipped: no configure in the sources"; exit 77; }
[ ! -e "$HS_TEST_SRCDIR/config.status" ] || { echo "skipped: built in the sources, where configure runs nowhere else"; exit 77; }
mpicc=$(command -v mpicc) || { echo "skipped: no mpicc"; exit 77; }
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
mkdir "$work/mpi" "$work/other" "$work/build"
ln -s "$mpicc" "$work/mpi/mpicc"
for wrapper in mpifort mpicxx; do
    printf '#!/bin/sh\necho "$0 $*" >>"%s/called"\n' "$work" >"$work/other/$wrapper"
    chmod +x "$work/other/$wrapper"
done
cd "$work/build" || exit 99
PATH=$work/other:$PATH sh "$HS_TEST_SRCDIR/configure" --with-mpi="$work/mpi/mpicc" --with-uplot=no --with-cmocka=no --with-simgrid=no \
    >"$work/said" 2>&1 || { tail -5 "$work/said"; exit 1; }
failed=0
for variable in MPIFC MPICXX; do
    taken=$(sed -n "s/^$variable = //p" Makefile)
    [ -z "$taken" ] || { echo "$variable is another MPI library's: $taken"; failed=1; }
done
[ ! -e "$work/called" ] || { echo "called: $(cat "$work/called")"; failed=1; }
for part in cli help; do
    make -n -C "$HS_TEST_BUILDDIR" -W Makefile "src/cli/base/libbase_la-$part.lo" 2>&1 | grep -q "src/cli/base/$part\.c" ||
        { echo "another --prefix leaves $part.c as it was compiled"; failed=1; }
done
exit $failed
