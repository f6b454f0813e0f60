/* SPDX-License-Identifier: BSD-3-Clause */
/* Algorithm 1 of matmul-redistribution-2000 (section 4.5): while some row migration costs less than the slides it
 * saves, do one. Theorem 4 holds only when each step takes the *best* improving migration (errata), so that is what is
 * taken; ties: downwards before upwards, then the first segments.
 *
 * A row that crosses a cut downwards adds 1 to the b of its borders, upwards -1: it saves w for each border with b < 0
 * (b > 0) and costs w for each other. For a constant price the best migration is the contiguous run of cuts with the
 * largest saving, found in one scan; for the owners' price all pairs of segments are tried. Savings stay as they are
 * until some border on the way reaches or leaves 0, so that many rows go at once with the very same result. */
#include "plan/rebalance/rebalance.h"

#include "util/assert.h"
#include "util/pool.h"
#include <math.h>

typedef struct task {
    const hs__borders *borders;
    const hs__row_price *price;
    int64_t *b;      /* of each border, now */
    int64_t *length; /* rows of each segment, now */
    double *saving;  /* of each cut, for the direction looked at */
    int *seen;       /* the last starting segment (plus 1) that met each column */
} task;

typedef struct choice {
    double gain;
    int from, to;
} choice;

static void find_savings(const task *t, int down)
{
    for (int k = 0; k < t->borders->cuts; k++) {
        t->saving[k] = 0;
        for (int s = t->borders->first[k]; s < t->borders->first[k + 1]; s++) {
            int64_t towards = down ? -t->b[s] : t->b[s];
            t->saving[k] += towards > 0 ? t->borders->border[s].width : -t->borders->border[s].width;
        }
    }
}

static void offer(choice *best, double gain, int from, int to)
{
    if (gain > best->gain)
        *best = (choice){gain, from, to};
}

/* Constant price: the run of cuts with the largest saving whose ends have rows. */
static void scan_runs(const task *t, int down, choice *best)
{
    int cuts = t->borders->cuts, from = -1;
    double run = -INFINITY;
    for (int i = 0; i < cuts; i++) {
        int cut = down ? i : cuts - 1 - i, source = down ? cut : cut + 1, target = down ? cut + 1 : cut;
        if (t->length[source] > 0 && !(run > 0)) {
            run = 0;
            from = source;
        }
        run += t->saving[cut];
        if (t->length[target] > 0 && from >= 0)
            offer(best, run - t->price->constant, from, target);
    }
}

/* Owners' price: every pair of segments. */
static void scan_pairs(const task *t, int down, choice *best)
{
    int cuts = t->borders->cuts;
    for (int c = 0; c < t->borders->columns; c++)
        t->seen[c] = -1;
    for (int source = 0; source <= cuts; source++) {
        double gain = 0;
        if (t->length[source] == 0)
            continue;
        for (int cut = down ? source : source - 1; cut >= 0 && cut < cuts; cut += down ? 1 : -1) {
            gain += t->saving[cut];
            for (int s = t->borders->first[cut]; s < t->borders->first[cut + 1]; s++) {
                const hs__border *border = &t->borders->border[s];
                gain -= t->seen[border->column] == source ? 0 : border->width;
                t->seen[border->column] = source;
            }
            if (t->length[down ? cut + 1 : cut] > 0)
                offer(best, gain, source, down ? cut + 1 : cut);
        }
    }
}

static choice best_migration(const task *t)
{
    choice best = {1e-9, -1, -1};
    for (int down = 1; down >= 0; down--) {
        find_savings(t, down);
        if (t->price->model == HS_REBALANCE_CONSTANT)
            scan_runs(t, down, &best);
        else
            scan_pairs(t, down, &best);
    }
    return best;
}

/* Moves as many rows as keep every saving, in both directions, what it was. */
static int64_t migrate(const task *t, const choice *chosen)
{
    int begin = chosen->from < chosen->to ? chosen->from : chosen->to;
    int end = chosen->from < chosen->to ? chosen->to : chosen->from, step = chosen->from < chosen->to ? 1 : -1;
    int64_t count = t->length[chosen->from];
    for (int s = t->borders->first[begin]; s < t->borders->first[end]; s++) {
        int64_t towards = -step * t->b[s];
        if (towards >= 0 && count > towards)
            count = towards > 0 ? towards : 1;
    }
    for (int s = t->borders->first[begin]; s < t->borders->first[end]; s++)
        t->b[s] += step * count;
    t->length[chosen->from] -= count;
    t->length[chosen->to] += count;
    HS_ASSERT(count >= 1 && t->length[chosen->from] >= 0);
    return count;
}

hs_status hs__rebalance_greedy(const hs__borders *borders, const hs__row_price *price, hs__row_moves *moves)
{
    hs__pool pool = {0};
    size_t cuts = (size_t)borders->cuts;
    task t = {borders,
              price,
              hs__pool_new(&pool, (size_t)borders->count, sizeof *t.b),
              hs__pool_new(&pool, cuts + 1, sizeof *t.length),
              hs__pool_new(&pool, cuts, sizeof *t.saving),
              hs__pool_new(&pool, (size_t)borders->columns, sizeof *t.seen)};
    hs_status status = hs__pool_status(&pool);
    if (status != HS_OK)
        goto out;
    for (int s = 0; s < borders->count; s++)
        t.b[s] = borders->border[s].b;
    for (size_t k = 0; k <= cuts; k++)
        t.length[k] = borders->length[k];
    for (choice chosen = best_migration(&t); chosen.from >= 0 && status == HS_OK; chosen = best_migration(&t))
        status = hs__row_moves_add(moves, chosen.from, chosen.to, migrate(&t, &chosen));
out:
    hs__pool_free(&pool);
    return status;
}
