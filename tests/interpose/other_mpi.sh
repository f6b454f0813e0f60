# SPDX-License-Identifier: BSD-3-Clause
# The second preload library, where a machine has both Open MPI and MPICH: the programs of same.sh, collectives.sh,
# reorder.sh and edges.sh, compiled here in all languages.
set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
skip() {
    echo "skipped: $*"
    exit 77
}
case $("$MPICC" -show 2>/dev/null) in
*openmpi*) other=mpich ;;
*) other=openmpi ;;
esac
MPIEXEC=$(command -v mpiexec.$other) || skip "no mpiexec.$other"
command -v mpicc.$other >/dev/null || skip "no mpicc.$other"

preload=$HS_TEST_BUILDDIR/.libs/libheteroslice-preload-$other.so
[ -e "$preload" ] || skip "not built for $other"
tests=$HS_TEST_SRCDIR/tests/interpose

# build PROGRAM COMPILER... in a directory of its own, since Fortran leaves module files where it stands
build() {
    program=$1
    shift
    mkdir -p "$work/modules" && (cd "$work/modules" && "$@" -w -o "$work/$program") >"$work/log" 2>&1 ||
        { cat "$work/log"; echo "$program does not compile"; exit 1; }
}
build calls mpicc.$other "$tests"/calls*.c
build mpi4 mpicc.$other "$tests/mpi4.c" "$tests/calls_sum.c"
[ "$("$LAUNCH" -n 2 "$work/mpi4" 2>/dev/null | grep -c ' of 1: ')" = 2 ] && skip "$MPIEXEC starts two worlds of one rank, as Ubuntu 24.04's"
for program in account edges ordered watched world; do
    build $program mpicc.$other -pthread "$tests/$program.c"
done
if command -v mpicxx.$other >/dev/null; then
    build calls_cxx mpicxx.$other -x c++ "$tests"/calls*.c
    build edges_cxx mpicxx.$other -pthread -x c++ "$tests/edges.c"
    build exceptions mpicxx.$other "$tests/exceptions.cc"
fi
if command -v mpifort.$other >/dev/null; then
    printf 'use mpi_f08\ninteger :: e\ncall MPI_Pcontrol(2, e)\nend\n' >"$work/pcontrol.f90"
    mpifort.$other -fsyntax-only "$work/pcontrol.f90" 2>"$work/log" && pcontrol=-DPCONTROL_CODE || pcontrol=
    standard=$(printf '#include <mpi.h>\nMPI_VERSION\n' | mpicc.$other -E - | tail -n 1)
    for kind in include module 2008; do
        case $kind in include) define=-DMPIFH ;; module) define=-DMODULE_MPI ;; 2008) define="-DMODULE_F08 $pcontrol" ;; esac
        for program in fortran_calls fortran_collectives ordered edges; do
            build ${program%_calls}_$kind mpifort.$other -fopenmp -fallow-argument-mismatch $define "-DMPI_STANDARD=$standard" \
                "$tests/$program.F90"
        done
    done
fi
export HS_TEST_PRELOAD="$preload" HS_TEST_PROGRAMS="$work" MPIEXEC
sh "$tests/symbols.sh" && sh "$tests/mpi4.sh" && sh "$tests/same.sh" && sh "$tests/account.sh" && sh "$tests/call_sites.sh" && sh "$tests/collectives.sh" && HS_TEST_RANKS=4 sh "$tests/reorder.sh" && sh "$tests/edges.sh"
