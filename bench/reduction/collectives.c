/* SPDX-License-Identifier: BSD-3-Clause */
/* Times of MPI_Reduce, MPI_Bcast and MPI_Allreduce: bare, with the library preloaded, or in a simulation
 * (bench/reduction/smpi.sh and lab.py).
 *
 *     collectives LABEL REPEATS WARM_UP CALLS [--only OPERATION:ROOT] [BYTES...]      default 8 8192 1048576 16777216
 *
 * prints CSV: label,operation,root,bytes,seconds. A row is one of REPEATS samples, the mean of CALLS calls, each on the
 * rank where it took longest, after WARM_UP calls, in which connections are made and the library decides (within 12
 * calls, within 20 below 64 KiB). With the label "turns", samples of PMPI_X ("bare") and of MPI_X ("ours") alternate.
 * The operation adds doubles. Roots are ranks 0 and 1: where hosts alternate, one of each kind. Root "all", if requested:
 * each rank in turn, CALLS times.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const turn_label[] = {"ours", "bare"};
static const char *const operation_names[] = {"reduce", "broadcast", "allreduce"};
static const char *const root_names[] = {"all", "0", "1"};

enum { ALL = -1 };                  /* each rank in turn is the root */
enum { FIRST_NAMES, SECOND_NAMES }; /* MPI_X, which may be wrapped, and PMPI_X, the MPI library's */

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

/* Check the result in `to`: the sum of news + rank, or the root's news. */
static void verify(int operation, int root, double news, const double *to, int n, int rank, int size)
{
    double expected = operation == 1 ? news : size * (news + (size - 1) / 2.0);
    if (operation == 0 && rank != root)
        return;
    for (int i = 0; i < n; i++)
        if (to[i] != expected) {
            fprintf(stderr, "collectives: rank %d: %s: element %d is %g, expected %g\n", rank,
                    operation_names[operation], i, to[i], expected);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
}

/* The times of some calls on this rank. Each call has new data, because one algorithm of SMPI sends the data of the
 * previous call. */
static void sample(int names, int operation, int root, double *from, double *to, int n, int calls, double *taken)
{
    static double news;
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int c = 0; c < calls; c++) {
        int root_now = root == ALL ? c % size : root;
        news += 1.0;
        for (int i = 0; i < n; i++) {
            from[i] = news + rank;
            to[i] = rank == root_now ? news : -1.0;
        }
        PMPI_Barrier(MPI_COMM_WORLD);
        double begin = MPI_Wtime();
        call(names, operation, root_now, from, to, n);
        taken[c] = MPI_Wtime() - begin;
        verify(operation, root_now, news, to, n, rank, size);
    }
}

typedef struct plan {
    const char *label;
    int by_turns, warm_up, repeats, calls;
} plan;

/* Rank 0 prints the means of samples. */
static void print_samples(const char *what, const plan *p, int calls, const double *slowest)
{
    for (int k = 0; k < p->repeats; k++)
        for (int names = 0; names <= p->by_turns; names++) {
            double sum = 0.0;
            for (int c = 0; c < calls; c++)
                sum += *slowest++;
            printf("%s,%s,%.7f\n", p->by_turns ? turn_label[names] : p->label, what, sum / calls);
        }
    fflush(stdout);
}

/* One sample per repetition, or two, one by each name. */
static void measure(int operation, int root, double *from, double *to, int n, const plan *p)
{
    int rank, size, kinds = p->by_turns + 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int once = root == ALL ? size : 1, calls = p->calls * once, all = kinds * p->repeats * calls;
    double *taken = malloc((size_t)all * sizeof *taken), *slowest = malloc((size_t)all * sizeof *slowest);
    if (!taken || !slowest)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int k = 0; k < p->warm_up; k++)
        sample(FIRST_NAMES, operation, root, from, to, n, once, taken);
    for (int k = 0; k < p->repeats; k++)
        for (int turn = 0; turn < kinds; turn++) {
            int names = p->by_turns ? (k + turn) % 2 : FIRST_NAMES;
            sample(names, operation, root, from, to, n, calls, taken + (k * kinds + names) * calls);
        }
    PMPI_Barrier(MPI_COMM_WORLD); /* other ranks may still be in the last call */
    PMPI_Reduce(taken, slowest, all, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    char what[64];
    snprintf(what, sizeof what, "%s,%s,%d", operation_names[operation], root_names[root - ALL], 8 * n);
    if (rank == 0)
        print_samples(what, p, calls, slowest);
    free(slowest);
    free(taken);
}

/* Whether the operation and root were requested. */
static int is_wanted(const char *only, int operation, int root)
{
    char name[32];
    snprintf(name, sizeof name, "%s:%s", operation_names[operation], root_names[root - ALL]);
    return only ? strcmp(only, name) == 0 : operation == 2 ? root == 0 : root != ALL;
}

static void measure_size(int n, const plan *p, const char *only)
{
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *from = malloc((size_t)n * sizeof *from), *to = malloc((size_t)n * sizeof *to);
    if (n < 1 || !from || !to)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int operation = 0; operation < 3; operation++)
        for (int root = ALL; root < 2 && root < size; root++)
            if (is_wanted(only, operation, root))
                measure(operation, root, from, to, n, p);
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
        p = (plan){argv[1], strcmp(argv[1], "turns") == 0, atoi(argv[3]), atoi(argv[2]), atoi(argv[4])};
    if (p.repeats < 1 || p.warm_up < 0 || p.calls < 1) {
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
        measure_size(atoi(argc > next ? argv[next + s] : sizes[s]) / 8, &p, only);
    MPI_Finalize();
    return 0;
}
