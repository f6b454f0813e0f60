/* SPDX-License-Identifier: BSD-3-Clause */
/* Local search for COL-PERI-MAX: while the worst column can move an area to another column, take one from it, or swap
 * two with it, so that both end below the largest half perimeter, the change that leaves the smaller of the two largest
 * is made. The number of columns at the largest half perimeter falls with each step, so it ends. */
#include "plan/columns/columns.h"

#include "util/assert.h"
#include "util/pool.h"
#include <math.h>

enum { MAX_EVALUATIONS = 20000000 };

/* Columns as lists of ranks in ascending order; one column more than needed may be empty. */
typedef struct state {
    const double *area;
    int n, columns;
    int *head, *next;
    int *column; /* of each rank */
    double *width, *cost;
    int *size;
} state;

typedef struct change {
    int out, in; /* ranks that leave and enter the worst column; -1: none */
    int partner; /* the other column */
    double cost; /* the larger of the two columns' costs afterwards */
} change;

/* The half perimeter of column c after rank `out` left and `in` entered (-1: none). */
static double cost_after(const state *s, int c, int out, int in)
{
    int head = s->head[c];
    if (head == out && head >= 0)
        head = s->next[head];
    if (head < 0 || (in >= 0 && in < head))
        head = in;
    if (head < 0)
        return 0;
    double width = s->width[c] - (out >= 0 ? s->area[out] : 0) + (in >= 0 ? s->area[in] : 0);
    return width + s->area[head] / width;
}

static void consider(const state *s, int worst, int out, int in, int partner, change *best)
{
    double cost = fmax(cost_after(s, worst, out, in), cost_after(s, partner, in, out));
    if (cost < best->cost)
        *best = (change){out, in, partner, cost};
}

/* The best change of the worst column; its cost is not below `limit` when there is none. */
static change best_change(const state *s, int worst, double limit)
{
    change best = {-1, -1, -1, limit};
    int empty = -1;
    for (int c = 0; c < s->columns; c++)
        if (s->size[c] == 0)
            empty = c;
    for (int out = s->head[worst]; out >= 0; out = s->next[out]) {
        for (int c = 0; c < s->columns; c++)
            if (c != worst && (s->size[c] > 0 || c == empty))
                consider(s, worst, out, -1, c, &best);
        for (int in = 0; in < s->n; in++)
            if (s->column[in] != worst && s->area[in] != s->area[out])
                consider(s, worst, out, in, s->column[in], &best);
    }
    for (int in = 0; in < s->n; in++)
        if (s->column[in] != worst)
            consider(s, worst, -1, in, s->column[in], &best);
    return best;
}

static void detach(state *s, int rank)
{
    int c = s->column[rank], *link = &s->head[c];
    while (*link != rank)
        link = &s->next[*link];
    *link = s->next[rank];
    s->size[c]--;
}

static void attach(state *s, int rank, int c)
{
    int *link = &s->head[c];
    while (*link >= 0 && *link < rank)
        link = &s->next[*link];
    s->next[rank] = *link;
    *link = rank;
    s->column[rank] = c;
    s->size[c]++;
}

/* Width from scratch, so that rounding does not pile up. */
static void refresh(state *s, int c)
{
    s->width[c] = 0;
    for (int k = s->head[c]; k >= 0; k = s->next[k])
        s->width[c] += s->area[k];
    s->cost[c] = cost_after(s, c, -1, -1);
}

static void apply(state *s, int worst, const change *chosen)
{
    if (chosen->out >= 0) {
        detach(s, chosen->out);
        attach(s, chosen->out, chosen->partner);
    }
    if (chosen->in >= 0) {
        detach(s, chosen->in);
        attach(s, chosen->in, worst);
    }
    refresh(s, worst);
    refresh(s, chosen->partner);
    HS_ASSERT(fmax(s->cost[worst], s->cost[chosen->partner]) <= chosen->cost * (1 + 1e-9));
}

static void search(state *s)
{
    for (int64_t left = MAX_EVALUATIONS; left > 0;) {
        int worst = 0;
        for (int c = 1; c < s->columns; c++)
            if (s->cost[c] > s->cost[worst])
                worst = c;
        left -= ((int64_t)s->n + s->columns) * (s->size[worst] + 1);
        if (left < 0)
            return;
        change chosen = best_change(s, worst, s->cost[worst] * (1 - 1e-14));
        if (chosen.partner < 0)
            return;
        apply(s, worst, &chosen);
    }
}

static void load(state *s, const hs__column_sets *sets)
{
    for (int c = 0; c < s->columns; c++)
        s->head[c] = -1;
    for (int c = 0; c < sets->columns; c++)
        for (int k = sets->first[c + 1] - 1; k >= sets->first[c]; k--)
            attach(s, sets->rank[k], c);
    for (int c = 0; c < s->columns; c++)
        refresh(s, c);
}

static void store(const state *s, hs__column_sets *sets)
{
    int placed = 0;
    sets->columns = 0;
    for (int c = 0; c < s->columns; c++) {
        if (s->size[c] == 0)
            continue;
        sets->first[sets->columns++] = placed;
        for (int k = s->head[c]; k >= 0; k = s->next[k])
            sets->rank[placed++] = k;
    }
    sets->first[sets->columns] = placed;
    HS_ASSERT(placed == s->n);
}

hs_status hs__columns_max_search(const hs__areas *areas, hs__column_sets *sets)
{
    hs__pool pool = {0};
    size_t n = (size_t)areas->n, columns = (size_t)sets->columns + 1 < n ? (size_t)sets->columns + 1 : n;
    state s = {areas->area,
               areas->n,
               (int)columns,
               hs__pool_new(&pool, columns, sizeof *s.head),
               hs__pool_new(&pool, n, sizeof *s.next),
               hs__pool_new(&pool, n, sizeof *s.column),
               hs__pool_new(&pool, columns, sizeof *s.width),
               hs__pool_new(&pool, columns, sizeof *s.cost),
               hs__pool_new(&pool, columns, sizeof *s.size)};
    hs_status status = hs__pool_status(&pool);
    if (status != HS_OK)
        goto out;
    load(&s, sets);
    search(&s);
    store(&s, sets);
out:
    hs__pool_free(&pool);
    return status;
}
