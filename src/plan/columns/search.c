/* SPDX-License-Identifier: BSD-3-Clause */
/* Which hosts share a column when the square is N x N blocks. Each candidate's least largest load is exact
 * (blocks.c); the candidates are
 *   - up to HS_COLUMNS_RECURSIVE_EXACT hosts: all partitions of the hosts into columns;
 *   - beyond: columns of consecutive ranks, optimal for the sum at several prices of a column, so with several numbers
 * of columns, and the optimum found for the largest half perimeter. Where blocks are fine beside the rectangles (N >=
 * 20 sqrt(p)) loads differ by little and perimeters by much, so only candidates whose objective on the unit square is
 * within 5 % of the best are kept. The first pass finds the least load, the second takes, among the candidates that can
 * keep it (times 1 + tolerance), the best value. */
#include "plan/columns/blocks.h"

#include "util/pool.h"
#include <math.h>
#include <string.h>

enum { MAX_PRICES = 64 };

typedef struct task {
    const hs__areas *areas;
    const hs_columns_params *params;
    hs__column_scratch *scratch;
    int n;                /* ranks that can have an area: at most N x N */
    const double *speed;  /* by host */
    double *placed;       /* speeds in the order of the candidate's places */
    double max_objective; /* candidates above it are not looked at */
    hs__column_sets candidate, swapped, *best;
    int pass;
    double load; /* first pass: the least so far; second: the load to keep */
    hs__column_blocks_value value;
    int64_t *width, *height, *best_width, *best_height;
    hs_status status;
} task;

int hs__column_blocks_are_fine(int hosts, int64_t blocks)
{
    return (double)blocks >= 20 * sqrt(hosts);
}

static int better(const task *t, const hs__column_blocks_value *value)
{
    if (value->idle != t->value.idle)
        return value->idle < t->value.idle;
    if (value->objective != t->value.objective)
        return value->objective < t->value.objective;
    return value->load < t->value.load;
}

/* Looks at one candidate. */
static void consider(task *t, const hs__column_sets *sets)
{
    hs_columns_objective objective = t->params->objective;
    if (t->status != HS_OK || hs__column_sets_cost(t->areas, sets, objective) > t->max_objective)
        return;
    hs__column_blocks b = hs__column_blocks_of(sets, t->areas, t->speed, t->params->blocks, t->placed);
    if (t->pass == 0) {
        double load = hs__column_blocks_least_load(&b, t->load);
        if (load < t->load) {
            t->load = load;
            hs__column_sets_copy(sets, &t->swapped);
        }
        return;
    }
    if (!hs__column_blocks_fit(&b, t->load))
        return;
    t->status = hs__column_blocks_assign(&b, t->load, objective, t->width, t->height);
    if (t->status != HS_OK)
        return;
    hs__column_blocks_value value = hs__column_blocks_value_of(&b, t->width, t->height, objective);
    if (!better(t, &value))
        return;
    t->value = value;
    hs__column_sets_copy(sets, t->best);
    memcpy(t->best_width, t->width, (size_t)sets->columns * sizeof *t->width);
    memcpy(t->best_height, t->height, (size_t)t->n * sizeof *t->height);
}

/* ---- All partitions. ---- */

static void partitions(task *t, int *column, int rank, int columns)
{
    hs__column_sets *sets = &t->candidate;
    if (rank < t->n) {
        for (int c = 0; c <= columns; c++) {
            column[rank] = c;
            partitions(t, column, rank + 1, columns + (c == columns));
        }
        return;
    }
    int placed = 0;
    sets->columns = columns;
    for (int c = 0; c < columns; c++) {
        sets->first[c] = placed;
        for (int k = 0; k < t->n; k++)
            if (column[k] == c)
                sets->rank[placed++] = k;
    }
    sets->first[columns] = placed;
    consider(t, sets);
}

/* ---- Columns of consecutive ranks. ---- */

static void consecutive(task *t, const hs__column_sets *optimum)
{
    int64_t prices = 4000000 / ((int64_t)t->n * 40), last = -1;
    prices = prices < 2 ? 2 : (prices > MAX_PRICES ? MAX_PRICES : prices);
    consider(t, optimum);
    for (int64_t k = 0; k < prices; k++) {
        /* From a third to three times the columns of the optimum: a column's price is about p / C^2. */
        double factor = pow(3, 2 * (double)k / (double)(prices - 1) - 1);
        hs__columns_sum(t->areas, 0, t->n, 1, 1 / (factor * factor) - 1, t->scratch);
        hs__column_sets_from(t->scratch, t->n, &t->candidate);
        if (t->candidate.columns != last && t->candidate.columns <= t->params->blocks)
            consider(t, &t->candidate);
        last = t->candidate.columns;
    }
}

static void look_at_all(task *t, const hs__column_sets *optimum)
{
    int column[HS_COLUMNS_RECURSIVE_EXACT];
    if (t->n <= HS_COLUMNS_RECURSIVE_EXACT) {
        partitions(t, column, 0, 0);
        return;
    }
    consecutive(t, optimum);
    if (t->pass == 0 && t->status == HS_OK)
        t->status = hs__columns_swap(t->areas, t->speed, t->params, t->max_objective, &t->swapped);
    consider(t, &t->swapped);
}

static hs_status search(task *t, const hs__column_sets *optimum)
{
    t->max_objective = INFINITY;
    if (hs__column_blocks_are_fine(t->n, t->params->blocks))
        t->max_objective = HS__NEAR_BEST * hs__column_sets_cost(t->areas, optimum, t->params->objective);
    t->load = INFINITY;
    look_at_all(t, optimum);
    t->pass = 1;
    t->load *= 1 + t->params->tolerance;
    t->value = (hs__column_blocks_value){INFINITY, t->n + 1, INFINITY};
    look_at_all(t, optimum);
    return t->status;
}

hs_status hs__columns_blocks(const hs__areas *areas, const double *speed, const hs_columns_params *params,
                             hs__column_scratch *scratch, hs__column_sets *sets, int64_t *width, int64_t *height)
{
    hs__pool pool = {0};
    hs_status status = HS_ERR_NOMEM;
    double blocks = (double)params->blocks;
    int n = areas->n;
    task t = {.areas = areas, .params = params, .scratch = scratch, .speed = speed, .best = sets};
    hs__column_sets optimum = {0};
    t.n = (double)n > blocks * blocks ? (int)(blocks * blocks) : n;
    t.placed = hs__pool_new(&pool, (size_t)n, sizeof *t.placed);
    t.width = hs__pool_new(&pool, (size_t)n, sizeof *t.width);
    t.height = hs__pool_new(&pool, (size_t)n, sizeof *t.height);
    t.best_width = width;
    t.best_height = height;
    if (hs__pool_status(&pool) != HS_OK || hs__column_sets_create(n, &t.candidate) != HS_OK ||
        hs__column_sets_create(n, &t.swapped) != HS_OK || hs__column_sets_create(n, &optimum) != HS_OK)
        goto out;
    hs__column_sets_copy(sets, &optimum);
    if (t.n < n) {
        hs__columns_sum(areas, 0, t.n, 1, 0, scratch);
        hs__column_sets_from(scratch, t.n, &optimum);
    }
    status = search(&t, &optimum);
out:
    hs__column_sets_free(&optimum);
    hs__column_sets_free(&t.swapped);
    hs__column_sets_free(&t.candidate);
    hs__pool_free(&pool);
    return status;
}
