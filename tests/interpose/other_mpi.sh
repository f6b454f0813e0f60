# SPDX-License-Identifier: BSD-3-Clause
# The second preload library, where a machine has both Open MPI and MPICH.
. "$HS_TEST_SRCDIR/tests/interpose/other.sh"
case $("$MPICC" -show 2>/dev/null) in
*openmpi*) other=mpich ;;
*) other=openmpi ;;
esac
MPIEXEC=$(command -v mpiexec.$other) || skip "no mpiexec.$other"
command -v mpicc.$other >/dev/null || skip "no mpicc.$other"

preload=$HS_TEST_BUILDDIR/.libs/libheteroslice-preload-$other.so
[ -e "$preload" ] || skip "not built for $other"
build mpi4 mpicc.$other "$tests/mpi4.c" "$tests/calls_sum.c"
starts_one_world || skip "$MPIEXEC starts two worlds of one rank, as Ubuntu 24.04's"
build_programs mpicc.$other mpicxx.$other mpifort.$other
MPICC=mpicc.$other run_tests "$preload"
