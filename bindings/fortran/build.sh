# SPDX-License-Identifier: BSD-3-Clause
# Compiles the module with an MPI library's compilers: build.sh SOURCES FOLDER CC FC FLAGS... leaves heteroslice.mod and an
# archive in FOLDER. With FC "find" it is mpicc's sister, and where that compiles nothing, nothing is left.
set -e
sources=$(cd "$1" && pwd) folder=$2 cc=$3 fc=$4
shift 4
mkdir -p "$folder"
cd "$folder"
if [ "$fc" = find ]; then
    fc=$(echo "$cc" | sed 's/\(.*\)mpicc/\1mpifort/')
    printf 'use mpi_f08\nend\n' >try.f90
    if "$fc" -c try.f90 >/dev/null 2>&1; then set -- -DHS_MPI_F08 "$@"; fi
    printf "include 'mpif.h'\nend\n" >try.f90
    "$fc" -c try.f90 >/dev/null 2>&1 || { rm -f try.f90; exit 0; }
    rm -f try.f90 try.o
fi
"$fc" "$@" -O2 -fPIC -c "$sources/heteroslice.F90"
"$cc" -O2 -fPIC -I"$sources/../../include" -c "$sources/handles.c"
rm -f libheteroslice-fortran.a
ar cr libheteroslice-fortran.a heteroslice.o handles.o
rm -f heteroslice.o handles.o
