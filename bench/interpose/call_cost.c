/* SPDX-License-Identifier: BSD-3-Clause */
/* What a call of MPI costs: call_cost [LABEL]. One CSV row: the median nanoseconds over many short samples of
 * MPI_Iprobe that finds nothing, MPI_Allreduce over one rank, MPI_Irecv from nobody, MPI_Isend to nobody, MPI_Comm_rank,
 * and of MPI_Irecv, MPI_Isend and MPI_Waitall of a message to oneself, per call. */
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

static void receive(void)
{
    MPI_Request request;
    MPI_Irecv(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
}

static void send(void)
{
    MPI_Request request;
    MPI_Isend(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
}

static void exchange(void)
{
    int in, out = 1;
    MPI_Request request[2];
    MPI_Irecv(&in, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request[0]);
    MPI_Isend(&out, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
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
    printf("%s,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f\n", argc > 1 ? argv[1] : "", measure(probe), measure(reduce),
           measure(receive), measure(send), measure(rank), measure(exchange) / 3);
    MPI_Finalize();
    return 0;
}
