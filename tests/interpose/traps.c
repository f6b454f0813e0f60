/* SPDX-License-Identifier: BSD-3-Clause */
/* Traps exceptions of floating-point arithmetic, where the C library can. Knows nothing of the library. */
#define _GNU_SOURCE
#include <fenv.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int size, sum, one = 1, dimensions[2] = {0, 0}, periodic[2] = {1, 0};
    MPI_Comm grid;
#ifdef __GLIBC__
    feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW); /* as gfortran -ffpe-trap=invalid,zero,overflow */
#endif
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, dimensions);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dimensions, periodic, 1, &grid);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, grid);
    printf("%d ranks\n", sum);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
