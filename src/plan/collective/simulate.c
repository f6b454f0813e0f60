/* SPDX-License-Identifier: BSD-3-Clause */
/* How long a tree takes. Each edge passes the pieces on one after the other, upwards, downwards or both; a piece starts
 * when it is there, its edge is free and so are all links of the route; a link is busy for bytes / capacity, so fast
 * links interleave what comes from slow ones. Events are handled by time, then piece, then edge. After the first pieces
 * the flow is steady, and the rest is extrapolated, but no link or edge carries more than it can. */
#include "plan/collective/collective.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/heap.h"
#include "util/pool.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIMULATED = 32, HALF = SIMULATED / 2 };

typedef struct event {
    double time;
    int piece; /* edges that wait for the same link take turns */
    int edge;  /* child: upwards; hosts + child: downwards */
} event;

typedef struct simulation {
    const hs__routes *network;
    const hs__collective_tree *tree;
    int up, down, pieces, root;
    double piece;
    double *busy;      /* [links] */
    double *edge_free; /* [2 hosts] */
    int *passed;       /* [2 hosts], pieces that started */
    int *waiting;      /* [2 hosts], 1: in the heap */
    int *children;     /* [hosts] */
    double *combined;  /* [hosts], when the host has combined what it has got so far */
    int *got;          /* [hosts * pieces], messages of this piece that came from children */
    double *have_up;   /* [hosts * pieces], when the partial result is there; INFINITY: not yet */
    double *have_down; /* [hosts * pieces], when the result is there */
    event *heap;
    size_t count;
    double end;
} simulation;

static int is_before(const event *a, const event *b)
{
    if (a->time != b->time)
        return a->time < b->time;
    return a->piece < b->piece || (a->piece == b->piece && a->edge < b->edge);
}

HS__HEAP(heap, event, is_before)

/* Put the edge's next piece into the heap when it is there. */
static void offer(simulation *s, int edge)
{
    int n = s->network->hosts, down = edge >= n, child = down ? edge - n : edge;
    if (s->waiting[edge] || s->passed[edge] == s->pieces || s->tree->parent[child] < 0)
        return;
    const double *have = down ? s->have_down + (size_t)s->tree->parent[child] * (size_t)s->pieces
                              : s->have_up + (size_t)child * (size_t)s->pieces;
    double ready = have[s->passed[edge]];
    if (ready == INFINITY)
        return;
    s->waiting[edge] = 1;
    heap_push(s->heap, &s->count, (event){fmax(ready, s->edge_free[edge]), s->passed[edge], edge});
}

static void offer_down(simulation *s, int host)
{
    for (int j = 0; s->down && j < s->network->hosts; j++)
        if (s->tree->parent[j] == host)
            offer(s, s->network->hosts + j);
}

/* A partial result is complete at the host. */
static void complete(simulation *s, int host, int m, double time)
{
    size_t at = (size_t)host * (size_t)s->pieces + (size_t)m;
    s->have_up[at] = time;
    s->end = fmax(s->end, time);
    if (s->tree->parent[host] >= 0)
        offer(s, host);
    else if (s->down) {
        s->have_down[at] = time;
        offer_down(s, host);
    }
}

static void arrive(simulation *s, int edge, int m, double time)
{
    int n = s->network->hosts;
    if (edge >= n) {
        s->have_down[(size_t)(edge - n) * (size_t)s->pieces + (size_t)m] = time;
        s->end = fmax(s->end, time);
        offer_down(s, edge - n);
        return;
    }
    int host = s->tree->parent[edge];
    s->combined[host] = fmax(s->combined[host], time) + s->piece * s->network->combine;
    if (++s->got[(size_t)host * (size_t)s->pieces + (size_t)m] == s->children[host])
        complete(s, host, m, s->combined[host]);
}

static void run(simulation *s)
{
    const hs__routes *x = s->network;
    while (s->count > 0) {
        event e = heap_pop(s->heap, &s->count);
        int down = e.edge >= x->hosts, child = down ? e.edge - x->hosts : e.edge, parent = s->tree->parent[child];
        int pair = down ? parent * x->hosts + child : child * x->hosts + parent;
        double start = e.time;
        for (int k = x->first[pair]; k < x->first[pair + 1]; k++)
            start = fmax(start, s->busy[x->link[k]]);
        if (start > e.time) {
            heap_push(s->heap, &s->count, (event){start, e.piece, e.edge});
            continue;
        }
        double crossing = s->piece / x->bandwidth[pair];
        for (int k = x->first[pair]; k < x->first[pair + 1]; k++)
            s->busy[x->link[k]] = start + s->piece / x->capacity[x->link[k]];
        s->edge_free[e.edge] = start + x->overhead + crossing;
        s->waiting[e.edge] = 0;
        int m = s->passed[e.edge]++;
        arrive(s, e.edge, m, start + x->overhead + x->latency[pair] + crossing);
        offer(s, e.edge);
    }
}

static void begin(simulation *s)
{
    int n = s->network->hosts;
    for (size_t i = 0; i < (size_t)n * (size_t)s->pieces; i++)
        s->have_up[i] = s->have_down[i] = INFINITY;
    for (int i = 0; i < n; i++)
        if (s->tree->parent[i] >= 0)
            s->children[s->tree->parent[i]]++;
    for (int m = 0; m < s->pieces; m++) {
        if (!s->up)
            s->have_down[(size_t)s->root * (size_t)s->pieces + (size_t)m] = 0.0;
        for (int i = 0; s->up && i < n; i++)
            if (s->children[i] == 0)
                complete(s, i, m, 0.0);
    }
    if (!s->up)
        offer_down(s, s->root);
}

/* Whether every piece has crossed every edge of the tree. */
static int is_over(const simulation *s)
{
    int n = s->network->hosts;
    for (int child = 0; child < n; child++)
        if (s->tree->parent[child] >= 0 &&
            ((s->up && s->passed[child] != s->pieces) || (s->down && s->passed[n + child] != s->pieces)))
            return 0;
    return 1;
}

/* Seconds for this many pieces. */
static hs_status simulate(const hs__routes *x, hs_collective_kind kind, const hs__collective_tree *tree, double piece,
                          int pieces, double *end)
{
    size_t n = (size_t)x->hosts, cells = n * (size_t)pieces;
    hs__pool pool = {0};
    simulation s = {.network = x,
                    .tree = tree,
                    .up = kind != HS_COLLECTIVE_BROADCAST,
                    .down = kind != HS_COLLECTIVE_REDUCE,
                    .pieces = pieces,
                    .root = tree->order[0],
                    .piece = piece,
                    .busy = hs__pool_new(&pool, (size_t)x->links, sizeof *s.busy),
                    .edge_free = hs__pool_new(&pool, 2 * n, sizeof *s.edge_free),
                    .combined = hs__pool_new(&pool, n, sizeof *s.combined),
                    .passed = hs__pool_new(&pool, 2 * n, sizeof *s.passed),
                    .waiting = hs__pool_new(&pool, 2 * n, sizeof *s.waiting),
                    .children = hs__pool_new(&pool, n, sizeof *s.children),
                    .got = hs__pool_new(&pool, cells, sizeof *s.got),
                    .have_up = hs__pool_new(&pool, cells, sizeof *s.have_up),
                    .have_down = hs__pool_new(&pool, cells, sizeof *s.have_down),
                    .heap = hs__pool_new(&pool, 2 * n, sizeof *s.heap)};
    hs_status status = hs__pool_status(&pool);
    if (status == HS_OK) {
        begin(&s);
        run(&s);
        HS_ASSERT(is_over(&s));
        *end = s.end;
    }
    hs__pool_free(&pool);
    return status;
}

/* Seconds that a piece keeps the busiest link, or the slowest edge; load is scratch by link. */
static double slowest_stage(const hs__routes *x, hs_collective_kind kind, const hs__collective_tree *tree, double piece,
                            double *load)
{
    double most = 0.0;
    memset(load, 0, (size_t)x->links * sizeof *load);
    for (int child = 0; child < x->hosts; child++) {
        int parent = tree->parent[child];
        for (int down = 0; down < 2 && parent >= 0; down++) {
            int pair = down ? parent * x->hosts + child : child * x->hosts + parent;
            if (kind == (down ? HS_COLLECTIVE_REDUCE : HS_COLLECTIVE_BROADCAST))
                continue;
            most = fmax(most, x->overhead + piece / x->bandwidth[pair]);
            for (int k = x->first[pair]; k < x->first[pair + 1]; k++) {
                load[x->link[k]] += piece / x->capacity[x->link[k]];
                most = fmax(most, load[x->link[k]]);
            }
        }
    }
    return most;
}

hs_status hs__collective_tree_time(const hs__routes *x, hs_collective_kind kind, const hs__collective_tree *tree,
                                   double bytes, double piece, double *time)
{
    double pieces = bytes > piece ? ceil(bytes / piece) : 1.0, size = bytes / pieces, half, all;
    if (pieces <= SIMULATED)
        return simulate(x, kind, tree, size, (int)pieces, time);
    double *load = hs__array_new((size_t)x->links, sizeof *load);
    hs_status status = load ? simulate(x, kind, tree, size, HALF, &half) : HS_ERR_NOMEM;
    if (status == HS_OK)
        status = simulate(x, kind, tree, size, SIMULATED, &all);
    if (status == HS_OK) {
        HS_ASSERT(half <= all * (1 + 1e-12)); /* more pieces take longer */
        double stage = fmax((all - half) / (SIMULATED - HALF), slowest_stage(x, kind, tree, size, load));
        *time = all + (pieces - SIMULATED) * stage;
    }
    free(load);
    return status;
}
