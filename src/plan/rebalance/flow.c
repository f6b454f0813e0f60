/* SPDX-License-Identifier: BSD-3-Clause */
/* The cheapest row migrations and slides for any price of a migration (the paper's 4.3 and 4.6), no segment giving more
 * rows than it has, as a minimum cost flow. The paper leaves section 4.6's costs to a greedy that is not optimal.
 *
 * Let x_AB rows migrate from segment A to segment B at price m_AB each, and z_k rows thus cross cut k downwards. Send
 * those rows back along the cuts, z_k upwards through cut k at the convex cost f_k(z_k) = sum_t w_t |b_t + z_k|: then
 * what leaves a segment equals what enters it, every circulation is a plan and every plan a circulation of the same
 * cost. All slopes of f_k change at integers, so some optimum is integer. A segment's migrations leave it through a
 * gate of capacity `rows of the segment`.
 *
 * Successive shortest paths with potentials: every z_k starts where its f_k is least, which leaves segments with too
 * much or too little; the excess flows along the cheapest residual paths, a path at a time, until none is left. */
#include "plan/rebalance/rebalance.h"

#include "util/assert.h"
#include "util/pool.h"
#include <math.h>
#include <string.h>

typedef struct task {
    const hs__borders *borders;
    int segments, nodes; /* nodes: the segments, then their gates */
    double *price;       /* price[a * segments + b] of a migration */
    int64_t *rows;       /* x[a * segments + b] */
    int64_t *through;    /* rows through the gate of a segment */
    int64_t *received;   /* rows that migrate to a segment */
    int64_t *z, *excess;
    double *potential, *distance;
    int *before; /* the node a shortest path comes from */
    char *done;
} task;

/* ---- The convex cost of a cut. ---- */

/* The slope of f_k just above (side 1) or below (side -1) z, and how far it lasts. */
static double slope(const task *t, int k, int64_t z, int side, int64_t *lasts)
{
    double sum = 0;
    *lasts = INT64_MAX;
    for (int s = t->borders->first[k]; s < t->borders->first[k + 1]; s++) {
        const hs__border *border = &t->borders->border[s];
        int64_t away = (-border->b - z) * side;
        if (away > 0 && away < *lasts)
            *lasts = away;
        sum += away > 0 ? -border->width : border->width;
    }
    return sum;
}

/* Starts cut k where f_k is least: the weighted median of -b, the one nearest 0 among equals. */
static int64_t least_crossing(const task *t, int k)
{
    int64_t best = 0, lasts;
    double least = INFINITY;
    for (int s = t->borders->first[k] - 1; s < t->borders->first[k + 1]; s++) {
        int64_t z = s < t->borders->first[k] ? 0 : -t->borders->border[s].b;
        double up = slope(t, k, z, 1, &lasts), down = slope(t, k, z, -1, &lasts);
        double distance = fabs((double)z);
        if (up >= 0 && down >= 0 && distance < least) {
            least = distance;
            best = z;
        }
    }
    return best;
}

/* ---- Shortest paths. Gate a of segment a is node segments + a. ---- */

static size_t pair_of(const task *t, int from, int to)
{
    return (size_t)from * (size_t)t->segments + (size_t)to;
}

static void relax(const task *t, int u, int v, double cost)
{
    double reduced = cost + t->potential[u] - t->potential[v], distance = t->distance[u] + (reduced > 0 ? reduced : 0);
    if (distance < t->distance[v]) {
        t->distance[v] = distance;
        t->before[v] = u;
    }
}

/* All residual arcs that leave a segment: a row more upwards or downwards through its cuts, into its gate, or back to
 * the gates whose rows it received. */
static void relax_segment(const task *t, int u)
{
    int64_t lasts;
    if (u > 0)
        relax(t, u, u - 1, slope(t, u - 1, t->z[u - 1], 1, &lasts));
    if (u + 1 < t->segments)
        relax(t, u, u + 1, slope(t, u, t->z[u], -1, &lasts));
    if (t->through[u] < t->borders->length[u])
        relax(t, u, t->segments + u, 0);
    for (int a = 0; t->received[u] > 0 && a < t->segments; a++)
        if (t->rows[pair_of(t, a, u)] > 0)
            relax(t, u, t->segments + a, -t->price[pair_of(t, a, u)]);
}

static void relax_gate(const task *t, int u)
{
    int a = u - t->segments;
    if (t->through[a] > 0)
        relax(t, u, a, 0);
    for (int b = 0; b < t->segments; b++)
        if (b != a)
            relax(t, u, b, t->price[pair_of(t, a, b)]);
}

static int nearest_node(const task *t)
{
    int best = -1;
    for (int v = 0; v < t->nodes; v++)
        if (!t->done[v] && t->distance[v] < INFINITY && (best < 0 || t->distance[v] < t->distance[best]))
            best = v;
    return best;
}

/* Distances from all excess; returns the nearest segment that lacks rows, -1 when none does. */
static int shortest_path(const task *t)
{
    for (int v = 0; v < t->nodes; v++) {
        t->distance[v] = v < t->segments && t->excess[v] > 0 ? 0 : INFINITY;
        t->before[v] = -1;
        t->done[v] = 0;
    }
    for (int u; (u = nearest_node(t)) >= 0;) {
        t->done[u] = 1;
        if (u < t->segments && t->excess[u] < 0)
            return u;
        if (u < t->segments)
            relax_segment(t, u);
        else
            relax_gate(t, u);
    }
    return -1;
}

static int64_t room_of(const task *t, int u, int v)
{
    int n = t->segments;
    int64_t lasts;
    if (u < n && v < n) {
        slope(t, u < v ? u : v, t->z[u < v ? u : v], u > v ? 1 : -1, &lasts);
        return lasts;
    }
    if (u < n && v == n + u)
        return t->borders->length[u] - t->through[u];
    if (u >= n && v == u - n)
        return t->through[v];
    return u >= n ? INT64_MAX : t->rows[pair_of(t, v - n, u)];
}

static void push(const task *t, int u, int v, int64_t rows)
{
    int n = t->segments;
    if (u < n && v < n) {
        t->z[u < v ? u : v] += u > v ? rows : -rows;
    } else if (u < n && v == n + u) {
        t->through[u] += rows;
    } else if (u >= n && v == u - n) {
        t->through[v] -= rows;
    } else if (u >= n) {
        t->rows[pair_of(t, u - n, v)] += rows;
        t->received[v] += rows;
    } else {
        t->rows[pair_of(t, v - n, u)] -= rows;
        t->received[u] -= rows;
    }
}

/* Sends as much as can go along the path to `target`. */
static void augment(const task *t, int target)
{
    int64_t rows = -t->excess[target];
    int source = target;
    for (; t->before[source] >= 0; source = t->before[source]) {
        int64_t room = room_of(t, t->before[source], source);
        rows = room < rows ? room : rows;
    }
    rows = t->excess[source] < rows ? t->excess[source] : rows;
    HS_ASSERT(rows > 0); /* else the search would not end */
    for (int v = target; t->before[v] >= 0; v = t->before[v])
        push(t, t->before[v], v, rows);
    t->excess[source] -= rows;
    t->excess[target] += rows;
}

/* Whether no segment has too many rows or too few, none gives more than it has, and its gate counts what it gives. */
static int is_balanced(const task *t)
{
    for (int a = 0; a < t->segments; a++) {
        int64_t given = 0, received = 0;
        for (int b = 0; b < t->segments; b++) {
            given += t->rows[pair_of(t, a, b)];
            received += t->rows[pair_of(t, b, a)];
        }
        if (t->excess[a] != 0 || given != t->through[a] || given > t->borders->length[a] || received != t->received[a])
            return 0;
    }
    return 1;
}

static void solve(const task *t)
{
    for (int k = 0; k < t->borders->cuts; k++) {
        t->z[k] = least_crossing(t, k);
        t->excess[k] += t->z[k];
        t->excess[k + 1] -= t->z[k];
    }
    for (int target; (target = shortest_path(t)) >= 0;) {
        for (int v = 0; v < t->nodes; v++)
            t->potential[v] += fmin(t->distance[v], t->distance[target]);
        augment(t, target);
    }
    HS_ASSERT(is_balanced(t));
}

/* ---- Setting up. ---- */

static void fill_prices(const task *t, const hs__row_price *price, char *seen)
{
    for (int a = 0; a < t->segments; a++) {
        double sum = 0;
        memset(seen, 0, (size_t)t->borders->columns);
        for (int b = a + 1; b < t->segments; b++) {
            for (int s = t->borders->first[b - 1]; s < t->borders->first[b]; s++) {
                const hs__border *border = &t->borders->border[s];
                sum += seen[border->column] ? 0 : border->width;
                seen[border->column] = 1;
            }
            /* Slightly dearer, so that slides win ties. */
            double cost = price->model == HS_REBALANCE_CONSTANT ? price->constant : sum;
            t->price[pair_of(t, a, b)] = t->price[pair_of(t, b, a)] = cost * (1 + 1e-12) + 1e-9;
        }
    }
}

static hs_status task_create(task *t, const hs__borders *borders, hs__pool *pool)
{
    size_t n = (size_t)borders->cuts + 1;
    *t = (task){.borders = borders, .segments = (int)n, .nodes = 2 * (int)n};
    t->price = hs__pool_new(pool, n * n, sizeof *t->price);
    t->rows = hs__pool_new(pool, n * n, sizeof *t->rows);
    t->through = hs__pool_new(pool, n, sizeof *t->through);
    t->received = hs__pool_new(pool, n, sizeof *t->received);
    t->z = hs__pool_new(pool, n, sizeof *t->z);
    t->excess = hs__pool_new(pool, n, sizeof *t->excess);
    t->potential = hs__pool_new(pool, 2 * n, sizeof *t->potential);
    t->distance = hs__pool_new(pool, 2 * n, sizeof *t->distance);
    t->before = hs__pool_new(pool, 2 * n, sizeof *t->before);
    t->done = hs__pool_new(pool, 2 * n, sizeof *t->done);
    return hs__pool_status(pool);
}

hs_status hs__rebalance_flow(const hs__borders *borders, const hs__row_price *price, hs__row_moves *moves)
{
    task t;
    hs__pool pool = {0};
    char *seen = hs__pool_new(&pool, (size_t)borders->columns, sizeof *seen);
    hs_status status = task_create(&t, borders, &pool);
    if (status == HS_OK) {
        fill_prices(&t, price, seen);
        solve(&t);
        for (int a = 0; a < t.segments; a++)
            for (int b = 0; b < t.segments && status == HS_OK; b++)
                if (t.rows[pair_of(&t, a, b)] > 0)
                    status = hs__row_moves_add(moves, a, b, t.rows[pair_of(&t, a, b)]);
    }
    hs__pool_free(&pool);
    return status;
}
