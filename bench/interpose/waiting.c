/* SPDX-License-Identifier: BSD-3-Clause */
/* waiting STEPS MILLISECONDS: one rank works while the others wait. In each step the ranks compute one after another for
 * the given cpu time, then all reduce and shift a message around the ring. Rank 0 prints seconds a step and the sum. */
#include "tests/interpose/burn.h"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size;
    double sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc < 3)
        MPI_Abort(MPI_COMM_WORLD, 2);
    int steps = atoi(argv[1]);
    double seconds = 1e-3 * atof(argv[2]);
    MPI_Barrier(MPI_COMM_WORLD);
    double begun = MPI_Wtime();
    for (int k = 0; k < steps; k++) {
        double mine = rank + k, all, left;
        if (k % size == rank)
            compute(seconds);
        MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Sendrecv(&all, 1, MPI_DOUBLE, (rank + 1) % size, 0, &left, 1, MPI_DOUBLE, (rank + size - 1) % size, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += left;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.6f,%.0f\n", (MPI_Wtime() - begun) / steps, sum);
    MPI_Finalize();
    return 0;
}
