# SPDX-License-Identifier: BSD-3-Clause
# Sourced by the tests of further preload libraries: the programs of same.sh, collectives.sh, reorder.sh and edges.sh, compiled
# by another MPI library's compilers, and those tests with them.
set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
tests=$HS_TEST_SRCDIR/tests/interpose

skip() {
    echo "skipped: $*"
    exit 77
}

# build PROGRAM COMPILER... in a directory of its own, since Fortran leaves module files where it stands
build() {
    program=$1
    shift
    mkdir -p "$work/modules" && (cd "$work/modules" && "$@" -w -o "$work/$program") >"$work/log" 2>&1 ||
        { cat "$work/log"; echo "$program does not compile"; exit 1; }
}

# starts_one_world: not as Ubuntu 24.04's MPICH, nor a launcher of another MPI library
starts_one_world() {
    "$LAUNCH" -n 2 "$work/mpi4" 2>/dev/null | grep -q ' of 2: '
}

# build_programs C-COMPILER C++-COMPILER FORTRAN-COMPILER: languages without a compiler are left out
build_programs() {
    build calls "$1" "$tests"/calls*.c
    for program in account barriers direct edges ordered watched world; do
        build $program "$1" -pthread "$tests/$program.c"
    done
    if command -v "$2" >/dev/null; then
        build calls_cxx "$2" -x c++ "$tests"/calls*.c
        build edges_cxx "$2" -pthread -x c++ "$tests/edges.c"
        build exceptions "$2" "$tests/exceptions.cc"
    fi
    command -v "$3" >/dev/null || return 0
    printf 'use mpi_f08\ninteger :: e\ncall MPI_Pcontrol(2, e)\nend\n' >"$work/pcontrol.f90"
    "$3" -fsyntax-only "$work/pcontrol.f90" 2>"$work/log" && pcontrol=-DPCONTROL_CODE || pcontrol=
    standard=$(printf '#include <mpi.h>\nMPI_VERSION\n' | "$1" -E - | tail -n 1)
    for kind in include module 2008; do
        case $kind in include) define=-DMPIFH ;; module) define=-DMODULE_MPI ;; 2008) define="-DMODULE_F08 $pcontrol" ;; esac
        for program in fortran_calls fortran_collectives ordered edges; do
            build ${program%_calls}_$kind "$3" -fopenmp -fallow-argument-mismatch $define "-DMPI_STANDARD=$standard" \
                "$tests/$program.F90"
        done
    done
}

# run_tests PRELOAD: of these programs, started by MPIEXEC. Some tests skip what the library or the languages lack.
run_tests() {
    export HS_TEST_PRELOAD="$1" HS_TEST_PROGRAMS="$work" MPIEXEC
    for name in symbols mpi4 same account call_sites collectives reorder edges; do
        case $name in reorder) ranks=4 ;; *) ranks=${HS_TEST_RANKS:-} ;; esac
        HS_TEST_RANKS=$ranks sh "$tests/$name.sh"
        case $? in 0) ;; 77) echo "$name.sh: skipped" ;; *) echo "FAILED: $name.sh"; return 1 ;; esac
    done
}
