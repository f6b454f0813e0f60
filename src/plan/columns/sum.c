/* SPDX-License-Identifier: BSD-3-Clause */
/* COL-PERI-SUM (matmul-redistribution-2000, section 2.3, theorem 3) in O(p log p).
 *
 * In a square of side 1 a column of k rectangles whose areas add up to w has width w, so its half perimeters add up to
 * k w + 1, and C = number of columns + sum_i s_i k_col(i). For fixed column sizes the sum is least when the larger
 * areas stand in the columns with fewer rectangles (rearrangement), so with s_1 >= ... >= s_p some optimum has columns
 * of consecutive ranks:
 *
 *     f(0) = 0,    f(q) = min over r < q of f(r) + h + (q - r)(s_{r+1} + ... + s_q) / h        (h = 1 for the square).
 *
 * The transition is a product of two lengths that add up over adjacent intervals, hence Monge: a later beginning that
 * once wins stays ahead. So each candidate is the best on one interval of ends, and a queue of candidates with binary
 * search for the changes finds all of them. */
#include "plan/columns/columns.h"

#include "util/assert.h"

typedef struct task {
    const hs__areas *areas;
    hs__column_scratch *scratch;
    int offset, n;
    double height, price;
} task;

/* f(q) when the last column holds ranks r+1 .. q. */
static double value(const task *t, int r, int q)
{
    double area = hs__areas_sum(t->areas, t->offset + r, t->offset + q);
    return t->scratch->cost[r] + t->price + t->height + (double)(q - r) * area / t->height;
}

/* The first end in (low, n] for which `later` beats `earlier`; n + 1 when there is none. */
static int overtakes(const task *t, int earlier, int later, int low)
{
    int high = t->n + 1;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        *(value(t, later, middle) < value(t, earlier, middle) ? &high : &low) = middle;
    }
    return high;
}

double hs__columns_sum(const hs__areas *areas, int i, int j, double height, double price, hs__column_scratch *scratch)
{
    task t = {areas, scratch, i, j - i, height, price};
    int *queue = scratch->queue, *start = scratch->start, head = 0, end = 1;
    scratch->cost[0] = 0;
    queue[0] = 0;
    start[0] = 1;
    for (int q = 1; q <= t.n; q++) {
        while (head + 1 < end && start[head + 1] <= q)
            head++;
        scratch->from[q] = queue[head];
        scratch->cost[q] = value(&t, queue[head], q);
        if (q == t.n)
            break;
        while (end - 1 > head && value(&t, q, start[end - 1]) < value(&t, queue[end - 1], start[end - 1]))
            end--;
        int change = overtakes(&t, queue[end - 1], q, start[end - 1] > q ? start[end - 1] - 1 : q);
        if (change <= t.n) {
            queue[end] = q;
            start[end++] = change;
            HS_ASSERT(start[end - 2] < start[end - 1] && queue[end - 2] < q);
        }
    }
    return scratch->cost[t.n];
}

int hs__columns_first(const int *from, int n, int *first)
{
    int columns = 0, c;
    for (int end = n; end > 0; end = from[end])
        columns++;
    first[c = columns] = n;
    for (int end = n; end > 0; end = from[end])
        first[--c] = from[end];
    HS_ASSERT(c == 0);
    return columns;
}

void hs__column_sets_from(const hs__column_scratch *scratch, int n, hs__column_sets *sets)
{
    sets->columns = hs__columns_first(scratch->from, n, sets->first);
    for (int k = 0; k < n; k++)
        sets->rank[k] = k;
}

hs_status hs__column_scratch_create(int n, hs__column_scratch *scratch)
{
    size_t size = (size_t)n + 1;
    *scratch = (hs__column_scratch){0};
    scratch->cost = hs__pool_new(&scratch->pool, size, sizeof *scratch->cost);
    scratch->from = hs__pool_new(&scratch->pool, size, sizeof *scratch->from);
    scratch->queue = hs__pool_new(&scratch->pool, size, sizeof *scratch->queue);
    scratch->start = hs__pool_new(&scratch->pool, size, sizeof *scratch->start);
    return hs__pool_complete(&scratch->pool);
}

void hs__column_scratch_free(hs__column_scratch *scratch)
{
    hs__pool_free(&scratch->pool);
}
