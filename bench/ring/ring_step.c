/* SPDX-License-Identifier: BSD-3-Clause */
/* A step of a planned ring as the paper models it: receives are posted, each rank computes its share, sends to the next
 * rank, then to the previous one. Works with a real MPI and with SimGrid's smpirun, where the work is simulated. Ranks
 * are in ring order. Usage: ring_step ITERATIONS HALO-BYTES FLOP-OF-RANK-0 FLOP-OF-RANK-1 ...
 * Prints the seconds of a step. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 1024, SWEEPS = 64, FLOP_PER_POINT = 4 };

extern void smpi_execute_flops(double flops) __attribute__((weak));

/* Jacobi sweeps over a row that fits in the cache. */
static void compute(double flop, double *row)
{
    if (smpi_execute_flops) {
        smpi_execute_flops(flop);
        return;
    }
    double *from = row, *to = row + POINTS + 2;
    for (double left = flop / FLOP_PER_POINT; left > 0; left -= POINTS) {
        int points = left < POINTS ? (int)left : POINTS;
        for (int i = 1; i <= points; i++)
            to[i] = 0.25 * (from[i - 1] + 2 * from[i] + from[i + 1]);
        double *swap = from;
        from = to;
        to = swap;
    }
}

static void step(double flop, double *row, char *halo[4], int bytes, int before, int behind)
{
    MPI_Request requests[2];
    MPI_Irecv(halo[0], bytes, MPI_BYTE, before, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(halo[1], bytes, MPI_BYTE, behind, 1, MPI_COMM_WORLD, &requests[1]);
    compute(flop, row);
    MPI_Send(halo[2], bytes, MPI_BYTE, behind, 0, MPI_COMM_WORLD);
    MPI_Send(halo[3], bytes, MPI_BYTE, before, 1, MPI_COMM_WORLD);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc != 3 + size) {
        fprintf(stderr, "usage: ring_step ITERATIONS HALO-BYTES FLOP-OF-RANK-0 ...\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    int iterations = atoi(argv[1]), bytes = atoi(argv[2]);
    double flop = atof(argv[3 + rank]);
    char *halo[4];
    double *row = calloc(2 * (POINTS + 2), sizeof *row);
    for (int i = 0; i < 4; i++)
        halo[i] = calloc((size_t)bytes + 1, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    double begun = MPI_Wtime();
    for (int k = 0; k < iterations; k++)
        step(flop, row, halo, bytes, (rank + size - 1) % size, (rank + 1) % size);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("step %.9g\n", (MPI_Wtime() - begun) / iterations);
    for (int i = 0; i < 4; i++)
        free(halo[i]);
    free(row);
    MPI_Finalize();
    return 0;
}
