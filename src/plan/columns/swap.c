/* SPDX-License-Identifier: BSD-3-Clause */
/* Local search on which hosts share a column, for integer layouts. Just below the least load T of the present columns
 * the widest widths add up to less than the matrix; any swap of two hosts, or move of one to another column, after
 * which they reach it lowers T. Only the two columns concerned are looked at. Changes that raise the objective on the
 * unit square above what the caller allows are not made. */
#include "plan/columns/blocks.h"

#include "util/assert.h"
#include "util/pool.h"
#include "util/sort.h"
#include <math.h>
#include <string.h>

enum { MAX_HOSTS_LOOKED_AT = 10000000, MAX_SWAPPED = 20000 };

typedef struct task {
    const hs__areas *areas;
    const double *speed; /* by host */
    const hs_columns_params *params;
    double max_objective;
    hs__column_sets *sets, *saved;
    double *placed;           /* speeds in the order of the places */
    int64_t *widest, missing; /* of the columns just below the load; what they lack to reach the matrix */
    double load, *pair;       /* pair: speeds of two changed columns */
    int64_t left;             /* hosts that may still be looked at */
} task;

/* Finds the least load of the present columns and what lacks just below it. */
static void measure(task *t, double limit)
{
    hs__column_blocks b = hs__column_blocks_of(t->sets, t->areas, t->speed, t->params->blocks, t->placed);
    t->load = hs__column_blocks_least_load(&b, limit);
    t->missing = b.wide;
    for (int c = 0; c < b.columns; c++)
        t->missing -= t->widest[c] = hs__column_blocks_widest(&b, c, nextafter(t->load, 0));
    t->left -= 60 * (int64_t)t->sets->first[t->sets->columns];
}

/* Copies the speeds of column c but for place `without`, then place `with`; -1: none. */
static int copy_column(const task *t, int c, int without, int with, double *to)
{
    int n = 0;
    for (int k = t->sets->first[c]; k < t->sets->first[c + 1]; k++)
        if (k != without)
            to[n++] = t->placed[k];
    if (with >= 0)
        to[n++] = t->placed[with];
    return n;
}

/* Whether the load falls when place k of column c and place l of column d change columns (l == -1: only k moves). */
static int improves(task *t, int c, int k, int d, int l)
{
    int first[3] = {0, 0, 0};
    first[1] = copy_column(t, c, k, l, t->pair);
    first[2] = first[1] + copy_column(t, d, l, k, t->pair + first[1]);
    t->left -= first[2];
    hs__column_blocks b = {2, first, t->pair, t->params->blocks, t->params->blocks};
    double load = nextafter(t->load, 0);
    int64_t before = t->widest[c] + t->widest[d];
    int64_t first_wide = first[1] ? hs__column_blocks_widest(&b, 0, load) : 0;
    return first_wide + hs__column_blocks_widest(&b, 1, load) >= before + t->missing;
}

static void move_place(hs__column_sets *sets, int c, int k, int d)
{
    int rank = sets->rank[k], to = d > c ? sets->first[d + 1] - 1 : sets->first[d + 1];
    if (d > c) {
        memmove(sets->rank + k, sets->rank + k + 1, (size_t)(to - k) * sizeof rank);
        for (int e = c + 1; e <= d; e++)
            sets->first[e]--;
    } else {
        memmove(sets->rank + to + 1, sets->rank + to, (size_t)(k - to) * sizeof rank);
        for (int e = d + 1; e <= c; e++)
            sets->first[e]++;
    }
    sets->rank[to] = rank;
}

/* Makes the change unless it breaks the limit on the objective. */
static int change(task *t, int c, int k, int d, int l)
{
    hs__column_sets *s = t->sets;
    if (l < 0 && s->first[c + 1] - s->first[c] == 1)
        return 0;
    hs__column_sets_copy(s, t->saved);
    if (l < 0) {
        move_place(s, c, k, d);
    } else {
        int rank = s->rank[k];
        s->rank[k] = s->rank[l];
        s->rank[l] = rank;
    }
    if (hs__column_sets_cost(t->areas, s, t->params->objective) > t->max_objective) {
        hs__column_sets_copy(t->saved, s);
        return 0;
    }
    measure(t, t->load);
    HS_ASSERT(s->first[0] == 0 && s->first[s->columns] == t->saved->first[s->columns]);
    HS_ASSERT(t->load < INFINITY); /* below what it was, as improves() promised */
    return 1;
}

/* Tries all partners of place k of column c; 1 when one was found. */
static int try_place(task *t, int c, int k)
{
    for (int d = 0; d < t->sets->columns && t->left > 0; d++) {
        if (d == c)
            continue;
        if (improves(t, c, k, d, -1) && change(t, c, k, d, -1))
            return 1;
        for (int l = t->sets->first[d]; d > c && l < t->sets->first[d + 1]; l++)
            if (t->placed[k] != t->placed[l] && improves(t, c, k, d, l) && change(t, c, k, d, l))
                return 1;
    }
    return 0;
}

static void search(task *t)
{
    int places = t->sets->first[t->sets->columns], idle = 0;
    for (int k = 0; idle < places && t->left > 0; k = (k + 1) % places) {
        int c = 0;
        while (t->sets->first[c + 1] <= k)
            c++;
        idle = try_place(t, c, k) ? 0 : idle + 1;
    }
}

hs_status hs__columns_swap(const hs__areas *areas, const double *speed, const hs_columns_params *params,
                           double max_objective, hs__column_sets *sets)
{
    hs__pool pool = {0};
    hs_status status = HS_ERR_NOMEM;
    size_t n = (size_t)sets->first[sets->columns];
    hs__column_sets saved = {0};
    task t = {.areas = areas, .speed = speed, .params = params, .max_objective = max_objective, .sets = sets};
    t.left = MAX_HOSTS_LOOKED_AT;
    t.saved = &saved;
    t.placed = hs__pool_new(&pool, n, sizeof *t.placed);
    t.widest = hs__pool_new(&pool, n, sizeof *t.widest);
    t.pair = hs__pool_new(&pool, n, sizeof *t.pair);
    if (hs__pool_status(&pool) != HS_OK || hs__column_sets_create((int)n, &saved) != HS_OK)
        goto out;
    if (n <= MAX_SWAPPED) {
        measure(&t, INFINITY);
        search(&t);
    }
    for (int c = 0; c < sets->columns; c++)
        hs__sort_ints(sets->rank + sets->first[c], (size_t)(sets->first[c + 1] - sets->first[c]));
    status = HS_OK;
out:
    hs__column_sets_free(&saved);
    hs__pool_free(&pool);
    return status;
}
