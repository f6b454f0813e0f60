/* SPDX-License-Identifier: BSD-3-Clause */
#include "cg.h"
#include <stdlib.h>

/* What the five vector operations of a row take, in multiplications. */
enum { VECTORS = 12 };

/* Nodes of the summation tree that one rank's rows make up: two for each of up to 40 levels. */
enum { MAX_NODES = 80 };

double cg_weight(const cg_options *o, int64_t elements)
{
    return (double)(VECTORS + elements * o->run.intensity);
}

void cg_multiply(const cg_options *o, const cg_state *s, int64_t rows, const double *all, double *q)
{
    int64_t first = s->layout ? hs_layout_slice(s->layout).first : 0;
    for (int64_t i = 0; i < rows; i++) {
        double sum = 0;
        if (s->layout)
            app_require(hs_unit_begin(s->layout, first + i, 1));
        for (int64_t k = s->row[i]; k < s->row[i + 1]; k++)
            sum += app_settle(s->value[k] * all[s->column[k]], o->run.intensity);
        q[i] = sum;
        if (s->layout)
            app_require(hs_unit_end(s->layout));
    }
}

static void layout_of(MPI_Comm comm, const int64_t *count, int *counts, int *first)
{
    int size, next = 0;
    MPI_Comm_size(comm, &size);
    for (int r = 0; r < size; next += counts[r++]) {
        counts[r] = (int)count[r];
        first[r] = next;
    }
}

void cg_gather(MPI_Comm comm, const int64_t *count, const double *part, double *all)
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int *counts = app_allocate(2 * size, sizeof *counts);
    layout_of(comm, count, counts, counts + size);
    MPI_Allgatherv(part, counts[rank], MPI_DOUBLE, all, counts, counts + size, MPI_DOUBLE, comm);
    free(counts);
}

/* ---- Sums with the same bits for every partition ----
 * The terms are the leaves of a binary tree over all rows, which does not depend on who has them. A rank adds up the
 * largest nodes that it has all the leaves of; the nodes of all ranks are merged alike on every rank. */

/* The sum of 2^k products. */
static double add_up(const double *a, const double *b, int64_t n)
{
    if (n == 1)
        return a[0] * b[0];
    if (n == 4)
        return (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]);
    return add_up(a, b, n / 2) + add_up(a + n / 2, b + n / 2, n / 2);
}

/* The largest node that begins at a row and ends by `end`: its number of leaves. */
static int64_t node_at(int64_t row, int64_t end)
{
    int64_t leaves = 1;
    while (row % (2 * leaves) == 0 && row + 2 * leaves <= end)
        leaves *= 2;
    return leaves;
}

/* The roots of the trees merged so far. */
typedef struct roots {
    double sum[MAX_NODES];
    int64_t leaves[MAX_NODES], end;
    int count;
} roots;

/* Puts a node behind the others, and merges it with its sibling as long as that is there. */
static void append(roots *all, double sum, int64_t leaves)
{
    all->end += leaves;
    while (all->count > 0 && all->leaves[all->count - 1] == leaves && all->end % (2 * leaves) == 0) {
        sum = all->sum[--all->count] + sum;
        leaves *= 2;
    }
    all->sum[all->count] = sum;
    all->leaves[all->count++] = leaves;
}

double cg_dot(MPI_Comm comm, const int64_t *count, const double *a, const double *b)
{
    int rank, size, n = 0;
    int64_t first = 0;
    double mine[MAX_NODES], sum = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (int r = 0; r < rank; r++)
        first += count[r];
    for (int64_t row = first, end = first + count[rank]; row < end;) {
        int64_t leaves = node_at(row, end);
        mine[n++] = add_up(a + (row - first), b + (row - first), leaves);
        row += leaves;
    }
    double *nodes = app_allocate((int64_t)size * MAX_NODES, sizeof *nodes);
    MPI_Allgather(mine, MAX_NODES, MPI_DOUBLE, nodes, MAX_NODES, MPI_DOUBLE, comm);
    roots all = {.count = 0};
    for (int r = 0; r < size; r++)
        for (int64_t k = 0, end = all.end + count[r]; all.end < end; k++)
            append(&all, nodes[r * MAX_NODES + k], node_at(all.end, end));
    free(nodes);
    for (int k = all.count - 1; k >= 0; k--)
        sum = all.sum[k] + sum;
    return sum;
}
