/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the milliseconds of MPI_Init on the rank where it takes longest. */
#include <mpi.h>
#include <stdio.h>
#include <time.h>

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

int main(int argc, char **argv)
{
    int rank;
    double begun = now_ms(), longest;
    MPI_Init(&argc, &argv);
    double mine = now_ms() - begun;
    MPI_Reduce(&mine, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        printf("%.3f\n", longest);
    MPI_Finalize();
    return 0;
}
