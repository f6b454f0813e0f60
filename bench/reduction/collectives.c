/* SPDX-License-Identifier: BSD-3-Clause */
/* How long MPI_Reduce, MPI_Bcast and MPI_Allreduce take. Run it bare, with the library preloaded, in a simulation:
 * bench/reduction/smpi.sh and lab.py do.
 *
 *     collectives LABEL REPEATS WARM_UP CALLS [--only OPERATION:ROOT] [BYTES...]      default 8 8192 1048576 16777216
 *
 * prints CSV: label,operation,root,bytes,seconds. A time is the median of REPEATS samples, each the mean of CALLS calls
 * on the rank where they took longest, after WARM_UP calls, in which connections are made and the library decides
 * (within 12 calls, within 20 below 64 KiB). The label "turns" stands for two: samples by the library's second names,
 * "bare", and by the first ones, "ours", take turns. Doubles are added up; roots are ranks 0 and 1: where hosts
 * alternate, one of each kind.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_REPEATS = 1000 };

static const char *const turn_label[] = {"ours", "bare"};
static const char *const operation_names[] = {"reduce", "broadcast", "allreduce"};

enum { FIRST_NAMES, SECOND_NAMES }; /* MPI_X, which may be wrapped, and PMPI_X, which is the library's */

static void call(int names, int operation, int root, double *from, double *to, int n)
{
    switch (2 * operation + names) {
    case 0:
        MPI_Reduce(from, to, n, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD);
        break;
    case 1:
        PMPI_Reduce(from, to, n, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD);
        break;
    case 2:
        MPI_Bcast(to, n, MPI_DOUBLE, root, MPI_COMM_WORLD);
        break;
    case 3:
        PMPI_Bcast(to, n, MPI_DOUBLE, root, MPI_COMM_WORLD);
        break;
    case 4:
        MPI_Allreduce(from, to, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        break;
    default:
        PMPI_Allreduce(from, to, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
}

/* What is in `to` must be what the operation gives: 1 + 2 + ... + ranks, or the root's 1. */
static void verify(int operation, int root, const double *to, int n, int rank, int size)
{
    double expected = operation == 1 ? 1.0 : size * (size + 1) / 2.0;
    if (operation == 0 && rank != root)
        return;
    for (int i = 0; i < n; i++)
        if (to[i] != expected) {
            fprintf(stderr, "collectives: rank %d: %s: element %d is %g, expected %g\n", rank,
                    operation_names[operation], i, to[i], expected);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The mean time of some calls here. */
static double sample(int names, int operation, int root, double *from, double *to, int n, int calls)
{
    double sum = 0.0;
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int c = 0; c < calls; c++) {
        for (int i = 0; i < n; i++)
            to[i] = rank == root ? 1.0 : -1.0;
        PMPI_Barrier(MPI_COMM_WORLD);
        double begin = MPI_Wtime();
        call(names, operation, root, from, to, n);
        sum += MPI_Wtime() - begin;
        verify(operation, root, to, n, rank, size);
    }
    return sum / calls;
}

typedef struct plan {
    int by_turns, warm_up, repeats, calls;
} plan;

/* The times of one sample a repeat, or of two, first and second names by turns. seconds: the medians; rank 0 has them.
 */
static void measure(int operation, int root, double *from, double *to, int n, const plan *p, double seconds[2])
{
    static double taken[2][MOST_REPEATS], slowest[MOST_REPEATS];
    int kinds = p->by_turns ? 2 : 1;
    for (int k = -p->warm_up; k < p->repeats; k++)
        for (int turn = 0; turn < kinds; turn++) {
            int names = p->by_turns ? (k + turn) & 1 : FIRST_NAMES;
            double mean = sample(names, operation, root, from, to, n, k < 0 ? 1 : p->calls);
            if (k >= 0)
                taken[names][k] = mean;
        }
    for (int names = 0; names < kinds; names++) {
        PMPI_Reduce(taken[names], slowest, p->repeats, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        qsort(slowest, (size_t)p->repeats, sizeof *slowest, ascending);
        seconds[names] = slowest[p->repeats / 2];
    }
}

/* Whether the operation and root were asked for. */
static int is_wanted(const char *only, int operation, int root)
{
    char name[32];
    snprintf(name, sizeof name, "%s:%d", operation_names[operation], root);
    return !only || strcmp(only, name) == 0;
}

static void measure_size(const char *label, int n, const plan *p, const char *only)
{
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *from = malloc((size_t)n * sizeof *from), *to = malloc((size_t)n * sizeof *to);
    if (n < 1 || !from || !to)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < n; i++)
        from[i] = rank + 1.0;
    for (int k = 0; k < 5; k++) {
        int operation = k / 2, root = k % 2;
        if (root >= size || !is_wanted(only, operation, root))
            continue;
        double seconds[2];
        measure(operation, root, from, to, n, p, seconds);
        for (int names = 0; rank == 0 && names < (p->by_turns ? 2 : 1); names++)
            printf("%s,%s,%d,%d,%.6f\n", p->by_turns ? turn_label[names] : label, operation_names[operation], root,
                   8 * n, seconds[names]);
        fflush(stdout);
    }
    free(to);
    free(from);
}

int main(int argc, char **argv)
{
    static const char *const sizes[] = {"8", "8192", "1048576", "16777216"};
    MPI_Init(&argc, &argv);
    plan p = {0};
    int next = 5;
    if (argc >= next)
        p = (plan){strcmp(argv[1], "turns") == 0, atoi(argv[3]), atoi(argv[2]), atoi(argv[4])};
    if (p.repeats < 1 || p.repeats > MOST_REPEATS || p.warm_up < 0 || p.calls < 1) {
        fprintf(stderr, "usage: collectives LABEL REPEATS WARM_UP CALLS [--only OPERATION:ROOT] [BYTES...]\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const char *only = NULL;
    if (argc > next + 1 && strcmp(argv[next], "--only") == 0) {
        only = argv[next + 1];
        next += 2;
    }
    int given = argc > next ? argc - next : 4;
    for (int s = 0; s < given; s++)
        measure_size(argv[1], atoi(argc > next ? argv[next + s] : sizes[s]) / 8, &p, only);
    MPI_Finalize();
    return 0;
}
