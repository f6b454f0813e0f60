/* SPDX-License-Identifier: BSD-3-Clause */
/* What a call of MPI costs: call_cost [LABEL]. One CSV row: the median nanoseconds over many short samples of a call
 * that finds nothing, of a reduction over one rank and of one that answers from memory. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { CALLS = 2000, SAMPLES = 301 };

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void probe(void)
{
    int flag;
    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}

static void reduce(void)
{
    double in = 1, out;
    MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF);
}

static void rank(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
}

/* Median nanoseconds a call. */
static double measure(void (*call)(void))
{
    static double sample[SAMPLES];
    for (int n = 0; n < SAMPLES; n++) {
        double begun = MPI_Wtime();
        for (int k = 0; k < CALLS; k++)
            call();
        sample[n] = (MPI_Wtime() - begun) / CALLS * 1e9;
    }
    qsort(sample, SAMPLES, sizeof *sample, ascending);
    return sample[SAMPLES / 2];
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    measure(probe);
    printf("%s,%.2f,%.2f,%.2f\n", argc > 1 ? argv[1] : "", measure(probe), measure(reduce), measure(rank));
    MPI_Finalize();
    return 0;
}
