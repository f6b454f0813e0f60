/* SPDX-License-Identifier: BSD-3-Clause */
/* What a wrapper adds to a message, in one process: messages pingpong BYTES | messages varied BYTES | messages
 * allreduce.
 *
 * Blocks of calls by three ways take turns, so that memory, cores and whoever else runs are the same for all: `bare`
 * calls PMPI_X, which is the function that a program without preload calls as MPI_X; `jump` a wrapper that is a jump to
 * it and nothing else; `own` MPI_X, which is the library's wrapper when it is preloaded and the same as `bare` when
 * not. Prints a CSV row: microseconds of `bare` (one way of a ping-pong of two ranks, or a reduction over all), then
 * the ratio to `bare` of `jump` and of `own`, each the median over the turns and the 95 % confidence range of that
 * median. */
#include "util/random.h"
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct way {
    int (*send)(const void *, int, MPI_Datatype, int, int, MPI_Comm);
    int (*receive)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *);
    int (*reduce)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
} way;

enum { BARE, JUMP, OWN, WAYS, TURNS = 1001 };

static way behind = {PMPI_Send, PMPI_Recv, PMPI_Allreduce}; /* not constant, or the compiler would call it at once */
static int rank, varied;

static int jump_send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    return behind.send(buffer, count, type, to, tag, comm);
}

static int jump_receive(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                        MPI_Status *status)
{
    return behind.receive(buffer, count, type, from, tag, comm, status);
}

static int jump_reduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    return behind.reduce(in, out, count, type, op, comm);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void ping(const way *w, char *buffer, int bytes, int times)
{
    static hs__random random;
    for (int k = 0; k < times; k++) {
        int more = varied ? (int)hs__random_below(&random, 2) : 0;
        if (rank == 0)
            w->send(buffer, bytes + more, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
        w->receive(buffer, bytes + more, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1)
            w->send(buffer, bytes + more, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
}

static void reduce(const way *w, int times)
{
    double in = rank, out;
    for (int k = 0; k < times; k++)
        w->reduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void exchange(const way *w, char *buffer, int bytes, int times)
{
    if (buffer)
        ping(w, buffer, bytes, times);
    else
        reduce(w, times);
}

/* How many calls take half a millisecond. */
static int enough(const way *w, char *buffer, int bytes)
{
    exchange(w, buffer, bytes, 50);
    double begun = PMPI_Wtime();
    exchange(w, buffer, bytes, 50);
    int times = (int)fmax(4, 50 * 500e-6 / (PMPI_Wtime() - begun));
    PMPI_Bcast(&times, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return times;
}

/* The median and the confidence range that the order of the samples gives. */
static void print_median(double *sample)
{
    int half = (int)ceil(0.98 * sqrt(TURNS));
    qsort(sample, TURNS, sizeof *sample, ascending);
    printf(",%.5f,%.5f,%.5f", sample[TURNS / 2], sample[TURNS / 2 - half], sample[TURNS / 2 + half]);
}

int main(int argc, char **argv)
{
    static const way ways[WAYS] = {{PMPI_Send, PMPI_Recv, PMPI_Allreduce},
                                   {jump_send, jump_receive, jump_reduce},
                                   {MPI_Send, MPI_Recv, MPI_Allreduce}};
    static double seconds[WAYS][TURNS], ratio[TURNS];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int pingpong = argc > 2, bytes = pingpong ? atoi(argv[2]) : 0;
    varied = pingpong && strcmp(argv[1], "varied") == 0;
    char *buffer = pingpong ? calloc((size_t)bytes + 1, 1) : NULL;
    int times = enough(&ways[BARE], buffer, bytes), before = (int)fmin(200, 4.0 * times);
    for (int turn = 0; turn < TURNS; turn++) {
        for (int k = 0; k < WAYS; k++) {
            int which = (turn + k) % WAYS;
            double begun = 0;
            MPI_Pcontrol(which == OWN); /* what the library does not see is no part of what it accounts for */
            for (int timed = 0; timed < 2; timed++) { /* what comes first after another way is not timed */
                begun = PMPI_Wtime();
                exchange(&ways[which], buffer, bytes, timed ? times : before);
            }
            seconds[which][turn] = PMPI_Wtime() - begun;
        }
    }
    if (rank == 0) {
        qsort(memcpy(ratio, seconds[BARE], sizeof ratio), TURNS, sizeof *ratio, ascending);
        printf("%.4f", ratio[TURNS / 2] / times / (pingpong ? 2 : 1) * 1e6);
        for (int which = JUMP; which < WAYS; which++) {
            for (int turn = 0; turn < TURNS; turn++)
                ratio[turn] = seconds[which][turn] / seconds[BARE][turn];
            print_median(ratio);
        }
        printf("\n");
    }
    free(buffer);
    MPI_Finalize();
    return 0;
}
