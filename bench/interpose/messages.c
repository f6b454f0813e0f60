/* SPDX-License-Identifier: BSD-3-Clause */
/* What messages cost: the median time in microseconds of one way of a ping-pong of BYTES (two ranks), or of a reduction
 * over all ranks: messages pingpong BYTES | messages allreduce. Prints the number and nothing else. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 401 };

static int rank;

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void ping(char *buffer, int bytes, int times)
{
    for (int k = 0; k < times; k++) {
        if (rank == 0)
            MPI_Send(buffer, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(buffer, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1)
            MPI_Send(buffer, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
}

static void reduce(int times)
{
    double in = rank, out;
    for (int k = 0; k < times; k++)
        MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    static double sample[SAMPLES];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int pingpong = argc > 2 && strcmp(argv[1], "pingpong") == 0;
    int bytes = pingpong ? atoi(argv[2]) : 0, times = pingpong ? (bytes > 4096 ? 4 : 200) : 20;
    char *buffer = calloc((size_t)bytes + 1, 1);
    for (int n = 0; n < SAMPLES; n++) {
        double begun = MPI_Wtime();
        if (pingpong)
            ping(buffer, bytes, times);
        else
            reduce(times);
        sample[n] = (MPI_Wtime() - begun) / times / (pingpong ? 2 : 1) * 1e6;
    }
    qsort(sample, SAMPLES, sizeof *sample, ascending);
    if (rank == 0)
        printf("%.4f\n", sample[SAMPLES / 2]);
    free(buffer);
    MPI_Finalize();
    return 0;
}
