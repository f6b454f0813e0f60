# SPDX-License-Identifier: BSD-3-Clause
# The preload library for the ABI of MPI-5: the same library and the same programs with each MPI library of the machine that
# has this ABI. It has no Fortran.
. "$HS_TEST_SRCDIR/tests/interpose/other.sh"
preload=$HS_TEST_BUILDDIR/.libs/libheteroslice-preload-mpiabi.so compiler=${MPIABI_CC:-}
[ "$HS_TEST_FLAVOUR" != mpiabi ] || preload=$HS_TEST_BUILDDIR/.libs/libheteroslice-preload.so compiler=$MPICC
[ -e "$preload" ] || skip "not built for the ABI of MPI-5: no mpicc_abi, which MPICH 5 and Open MPI 6 have"
unset HS_TEST_TALLY # its rows are MPI libraries
first=${MPIEXEC:-}
build mpi4 "$compiler" "$tests/mpi4.c" "$tests/calls_sum.c"
build_programs "$compiler" "$(echo "$compiler" | sed 's/mpicc/mpicxx/')" ""

# find_launcher: the first that starts one world with the library of LD_LIBRARY_PATH
find_launcher() {
    for MPIEXEC in "$first" mpiexec.openmpi mpiexec.mpich mpiexec; do
        command -v "$MPIEXEC" >/dev/null && starts_one_world && return
    done
    return 1
}

# Programs name the library that the dynamic linker finds; Debian has others beside it.
found=$(ldd "$work/mpi4" | sed -n 's/.*libmpi_abi[^ ]* => \([^ ]*\) .*/\1/p')
[ -n "$found" ] || { ldd "$work/mpi4"; echo "FAILED: $compiler makes no program of the ABI"; exit 1; }
tried=
for library in "$found" "${found%/*}"/libmpi_abi_*.so.*; do
    file=$(readlink -e "$library") || continue
    case " $tried " in *" $file "*) continue ;; esac
    tried="$tried $file" folder=$work/${file##*/}
    mkdir "$folder.d" && ln -s "$file" "$folder.d/${found##*/}" || exit 1
    export LD_LIBRARY_PATH="$folder.d"
    find_launcher || { echo "FAILED: no launcher for $file"; exit 1; }
    echo "== $file, $MPIEXEC"
    run_tests "$preload" || exit 1
    unset HS_TEST_PRELOAD HS_TEST_PROGRAMS
    HS_TEST_SECOND=mpiabi HS_TEST_SECOND_CC=$compiler HS_TEST_SECOND_MPIEXEC=$MPIEXEC MPIEXEC=$first sh "$tests/two_mpis.sh"
    case $? in 0 | 77) ;; *) exit 1 ;; esac
done
