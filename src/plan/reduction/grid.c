/* SPDX-License-Identifier: BSD-3-Clause */
/* The grid of path sums: all sum_k c_k t_k with c_k <= m_k, up to a limit. Sums closer than rounding are one. */
#include "plan/reduction/exact.h"
#include "util/assert.h"
#include <string.h>

static const double same = 1e-11; /* of the limit: sums of at most a few dozen terms differ by less */

/* Merge two increasing lists into one without duplicates. @return its length, -1 when it would exceed room */
static int merge(const double *a, int na, const double *b, int nb, double slack, double *out, int room)
{
    int n = 0;
    for (int i = 0, j = 0; i < na || j < nb;) {
        double next = j >= nb || (i < na && a[i] <= b[j]) ? a[i++] : b[j++];
        if (n > 0 && next - out[n - 1] <= slack)
            continue;
        if (n == room)
            return -1;
        HS_ASSERT(n == 0 || next > out[n - 1]);
        out[n++] = next;
    }
    return n;
}

typedef struct lists {
    double *sum, *shifted, *merged; /* [HS__SUMS_MAX] */
    int count;
    hs__pool pool;
} lists;

/* Add up to `copies` messages of `time` to every sum. */
static int add_class(lists *x, double time, int copies, double limit, double slack)
{
    int shifted = x->count;
    memcpy(x->shifted, x->sum, (size_t)x->count * sizeof *x->sum);
    for (int c = 0; c < copies && shifted > 0; c++) {
        int kept = 0;
        for (; kept < shifted && x->shifted[kept] + time <= limit + slack; kept++)
            x->shifted[kept] += time;
        shifted = kept;
        int n = merge(x->sum, x->count, x->shifted, shifted, slack, x->merged, HS__SUMS_MAX);
        if (n < 0)
            return 0;
        double *swap = x->sum;
        x->sum = x->merged;
        x->merged = swap;
        x->count = n;
    }
    return 1;
}

static void fill_after(hs__sums *grid, double slack)
{
    for (int k = 0; k < grid->classes; k++) {
        int *after = grid->after + (size_t)k * (size_t)grid->count;
        for (int i = 0, j = -1; i < grid->count; i++) {
            while (grid->value[j + 1] <= grid->value[i] - grid->time[k] + slack)
                j++;
            HS_ASSERT(j < i);
            after[i] = j;
        }
    }
}

hs_status hs__sums_init(hs__sums *grid, const hs__classes *classes, double limit, int *fits)
{
    double slack = limit * same;
    lists x = {.count = 1};
    x.sum = hs__pool_new(&x.pool, HS__SUMS_MAX, sizeof *x.sum);
    x.shifted = hs__pool_new(&x.pool, HS__SUMS_MAX, sizeof *x.shifted);
    x.merged = hs__pool_new(&x.pool, HS__SUMS_MAX, sizeof *x.merged);
    *grid = (hs__sums){.classes = classes->count, .time = classes->time, .size = classes->size};
    *fits = classes->time[0] > slack; /* else messages of the fastest class would lead from a sum to itself */
    hs_status status = hs__pool_status(&x.pool);
    for (int k = 0; k < classes->count && *fits && status == HS_OK; k++)
        *fits = add_class(&x, classes->time[k], classes->size[k], limit, slack);
    *fits = *fits && x.count <= HS__VALUES_MAX / classes->count;
    if (!*fits || status != HS_OK)
        goto out;
    grid->count = x.count;
    grid->value = hs__pool_new(&grid->pool, (size_t)x.count, sizeof *grid->value);
    grid->after = hs__pool_new(&grid->pool, (size_t)x.count * (size_t)grid->classes, sizeof *grid->after);
    status = hs__pool_status(&grid->pool);
    if (status != HS_OK)
        goto out;
    memcpy(grid->value, x.sum, (size_t)x.count * sizeof *grid->value);
    fill_after(grid, slack);
out:
    hs__pool_free(&x.pool);
    return status;
}

void hs__sums_free(hs__sums *grid)
{
    hs__pool_free(&grid->pool);
}
