/* SPDX-License-Identifier: BSD-3-Clause */
/* What a wrapper adds to a message, in one process: messages pingpong BYTES | messages allreduce.
 *
 * Blocks of calls by two ways take turns, so that memory, cores and other programs are the same for both: `bare` calls
 * PMPI_X, which is the function that a program without preload calls as MPI_X; `own` calls MPI_X, which is the
 * library's wrapper when it is preloaded and the same as `bare` when not. Prints a CSV row: microseconds of `bare` (one
 * way of a ping-pong of two ranks, or a reduction over all), then the ratio of `own` to `bare`: the median over the
 * turns and the 95 % confidence range of that median. */
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

enum { BARE, OWN, WAYS, TURNS = 1001 };

static int rank;

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void ping(const way *w, char *buffer, int bytes, int times)
{
    for (int k = 0; k < times; k++) {
        if (rank == 0)
            w->send(buffer, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
        w->receive(buffer, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1)
            w->send(buffer, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
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
    static const way ways[WAYS] = {{PMPI_Send, PMPI_Recv, PMPI_Allreduce}, {MPI_Send, MPI_Recv, MPI_Allreduce}};
    static double seconds[WAYS][TURNS], ratio[TURNS];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int pingpong = argc > 2, bytes = pingpong ? atoi(argv[2]) : 0;
    char *buffer = pingpong ? calloc((size_t)bytes, 1) : NULL;
    int times = enough(&ways[BARE], buffer, bytes), before = (int)fmin(50, times);
    for (int turn = 0; turn < TURNS; turn++) {
        for (int k = 0; k < WAYS; k++) {
            int which = (turn + k) % WAYS;
            double begun = 0;
            MPI_Pcontrol(which == OWN);               /* the library accounts for its own blocks alone */
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
        for (int turn = 0; turn < TURNS; turn++)
            ratio[turn] = seconds[OWN][turn] / seconds[BARE][turn];
        print_median(ratio);
        printf("\n");
    }
    free(buffer);
    MPI_Finalize();
    return 0;
}
