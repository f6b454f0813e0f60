/* SPDX-License-Identifier: BSD-3-Clause */
/* The cheapest row migrations and slides when every row migration costs R, by threshold decomposition (errata to
 * matmul-redistribution-2000). With z_k rows crossing cut k downwards (0 at the matrix's edges) the fewest migrations
 * are half the total variation of z, so the cost is
 *
 *     (R / 2) sum_k |z_{k+1} - z_k| + sum_k f_k(z_k),      f_k(z) = sum over the borders t at cut k of w_t |b_t + z|.
 *
 * With u_k = [z_k >= h] for every level h this separates into one problem per level: choose u_k in {0, 1} to minimise
 * (R / 2) sum |u_{k+1} - u_k| + sum_k u_k (f_k(h) - f_k(h - 1)), with u = [0 >= h] outside, a scan along the cuts with
 * two states. The best u of higher levels lie inside those of lower ones when ties are broken alike, so they add up to
 * z. The differences of f_k change only at h = 1 - b_t, so that all levels between two such values are solved at once:
 * O(p^2).
 *
 * A z that grows from one cut to the next takes rows from the segment between; when there are not enough of them the
 * answer cannot be carried out, and hs__rebalance_flow() is to be asked. */
#include "plan/rebalance/rebalance.h"

#include "util/assert.h"
#include "util/pool.h"
#include "util/sort.h"
#include <math.h>
#include <stdlib.h>

typedef struct task {
    const hs__borders *borders;
    double half;           /* R / 2 */
    double *cost;          /* cost[2 k + u]: the cheapest labels of the cuts up to k, cut k having u */
    unsigned char *before; /* before[2 k + u]: the label of cut k - 1 there */
    int64_t *z;
} task;

/* f_k(h) - f_k(h - 1). */
static double difference(const task *t, int k, int64_t h)
{
    double sum = 0;
    for (int s = t->borders->first[k]; s < t->borders->first[k + 1]; s++)
        sum += t->borders->border[s].b + h >= 1 ? t->borders->border[s].width : -t->borders->border[s].width;
    return sum;
}

/* Adds `levels` to z wherever level h belongs to it, with as few migrations as cost the same: ties go to the label of
 * the edges. */
static void solve_level(const task *t, int64_t h, int64_t levels)
{
    int cuts = t->borders->cuts, edge = h <= 0;
    for (int k = 0; k < cuts; k++) {
        double up = difference(t, k, h);
        for (int u = 0; u < 2; u++) {
            double same = k ? t->cost[2 * k - 2 + edge] + t->half * (u != edge) : t->half * (u != edge);
            double other = k ? t->cost[2 * k - 2 + !edge] + t->half * (u == edge) : INFINITY;
            t->before[2 * k + u] = (unsigned char)(same <= other ? edge : !edge);
            t->cost[2 * k + u] = fmin(same, other) + (u ? up : 0);
        }
    }
    int last = 2 * (cuts - 1), u = t->cost[last + edge] <= t->cost[last + !edge] + t->half ? edge : !edge;
    for (int k = cuts - 1; k >= 0; k--) {
        t->z[k] += u ? levels : 0;
        u = t->before[2 * k + u];
    }
}

/* Solve every level between the lowest and the highest z that an optimum can have: 0, or where a border's share of the
 * cost is least. change: scratch, count + 1 entries. */
static void solve_levels(const task *t, int64_t *change)
{
    int n = t->borders->count;
    for (int s = 0; s < n; s++)
        change[s] = 1 - t->borders->border[s].b;
    change[n] = 1;
    hs__sort_int64s(change, (size_t)n + 1);
    for (int k = 0; k < t->borders->cuts; k++)
        t->z[k] = change[0] - 1;
    for (int i = 0; i < n; i++)
        if (change[i] < change[i + 1])
            solve_level(t, change[i], change[i + 1] - change[i]);
}

/* Rows that cross cut k in the direction of the scan. */
static int64_t crossing(const task *t, int k, int down)
{
    if (k < 0 || k >= t->borders->cuts)
        return 0;
    int64_t z = down ? t->z[k] : -t->z[k];
    return z > 0 ? z : 0;
}

/* Whether no segment gives more rows than it has. */
static int can_be_done(const task *t)
{
    for (int s = 0; s <= t->borders->cuts; s++) {
        int64_t above = s > 0 ? t->z[s - 1] : 0, below = s < t->borders->cuts ? t->z[s] : 0;
        if (below - above > t->borders->length[s])
            return 0;
    }
    return 1;
}

/* Pairs the segments that give rows with those that receive them, the last to give with the first to receive. stack is
 * scratch of cuts + 1 entries. */
static hs_status pair_up(const task *t, int down, hs__row_move *stack, hs__row_moves *moves)
{
    int cuts = t->borders->cuts, n = 0;
    hs_status status = HS_OK;
    for (int i = 0; i <= cuts; i++) {
        int segment = down ? i : cuts - i;
        int64_t in = crossing(t, down ? segment - 1 : segment, down),
                out = crossing(t, down ? segment : segment - 1, down);
        if (out > in)
            stack[n++] = (hs__row_move){segment, segment, out - in};
        for (int64_t left = in - out; left > 0 && status == HS_OK;) {
            HS_ASSERT(n > 0);
            hs__row_move *giver = &stack[n - 1];
            int64_t count = giver->count < left ? giver->count : left;
            status = hs__row_moves_add(moves, giver->from, segment, count);
            left -= count;
            giver->count -= count;
            n -= giver->count == 0;
        }
    }
    HS_ASSERT(status != HS_OK || n == 0);
    return status;
}

hs_status hs__rebalance_levels(const hs__borders *borders, double row_cost, hs__row_moves *moves)
{
    hs__pool pool = {0};
    size_t cuts = (size_t)borders->cuts;
    task t = {borders, row_cost / 2, hs__pool_new(&pool, 2 * cuts, sizeof *t.cost),
              hs__pool_new(&pool, 2 * cuts, sizeof *t.before), hs__pool_new(&pool, cuts, sizeof *t.z)};
    int64_t *change = hs__pool_new(&pool, (size_t)borders->count + 1, sizeof *change);
    hs__row_move *stack = hs__pool_new(&pool, cuts + 1, sizeof *stack);
    hs_status status = hs__pool_status(&pool);
    if (status != HS_OK)
        goto out;
    if (cuts == 0)
        goto out;
    solve_levels(&t, change);
    status = can_be_done(&t) ? pair_up(&t, 1, stack, moves) : HS_UNCHANGED;
    if (status == HS_OK)
        status = pair_up(&t, 0, stack, moves);
out:
    hs__pool_free(&pool);
    return status;
}
