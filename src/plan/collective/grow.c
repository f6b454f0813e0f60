/* SPDX-License-Identifier: BSD-3-Clause */
/* Trees, grown from the root as a broadcast: the host that can be reached first joins next. A link is busy with one
 * piece after the other, so a sender's second message waits for its first; with a rate, a link also takes only as many
 * flows as it can carry at that rate, which makes chains and narrow trees for long vectors. A reduction is the same
 * read backwards, over the routes towards the root. */
#include "plan/collective/collective.h"
#include "util/assert.h"
#include "util/pool.h"
#include <math.h>

typedef struct growth {
    const hs__routes *network;
    double *ready; /* [hosts], INFINITY: not yet reached */
    double *busy;  /* [links], until when */
    double *port;  /* [hosts], until when the host is occupied by starting messages */
    int *flows;    /* [links] */
    double piece, rate;
    int up, down;
} growth;

/* Visit the links between parent and child that this operation uses; a link used both ways counts twice. */
static int fits(const growth *g, int pair)
{
    const hs__routes *x = g->network;
    for (int k = x->first[pair]; k < x->first[pair + 1]; k++)
        if ((g->flows[x->link[k]] + 1) * g->rate > x->capacity[x->link[k]] * (1.0 + 1e-9))
            return 0;
    return 1;
}

static double arrival(const growth *g, int from, int to, double *start)
{
    const hs__routes *x = g->network;
    int there = from * x->hosts + to, back = to * x->hosts + from;
    if (g->rate > 0.0 && ((g->down && !fits(g, there)) || (g->up && !fits(g, back))))
        return INFINITY;
    int pair = g->down ? there : back;
    *start = fmax(g->ready[from], g->port[from]);
    for (int k = x->first[pair]; k < x->first[pair + 1]; k++)
        *start = fmax(*start, g->busy[x->link[k]]);
    return *start + x->overhead + x->latency[pair] + g->piece * (1.0 / x->bandwidth[pair] + g->up * x->combine);
}

static void occupy(growth *g, int pair, double start, int timed)
{
    const hs__routes *x = g->network;
    for (int k = x->first[pair]; k < x->first[pair + 1]; k++) {
        int l = x->link[k];
        g->flows[l]++;
        if (timed)
            g->busy[l] = start + g->piece / x->capacity[l];
    }
}

/* Take the edge that completes first; ties: the parent that joined first, then the lowest child. */
static int join_next(growth *g, hs__collective_tree *tree, int count)
{
    const hs__routes *x = g->network;
    double best = INFINITY, best_start = 0.0, start = 0.0;
    int from = -1, to = -1;
    for (int k = 0; k < count; k++)
        for (int j = 0; j < x->hosts; j++) {
            if (g->ready[j] < INFINITY)
                continue;
            double end = arrival(g, tree->order[k], j, &start);
            if (end < best * (1.0 - 1e-12)) {
                best = end;
                best_start = start;
                from = tree->order[k];
                to = j;
            }
        }
    if (from < 0)
        return 0;
    HS_ASSERT(best >= g->ready[from] && g->ready[to] == INFINITY);
    g->ready[to] = best;
    g->port[from] = best_start + x->overhead + g->up * g->piece * x->combine;
    tree->parent[to] = from;
    tree->order[count] = to;
    if (g->down)
        occupy(g, from * x->hosts + to, best_start, 1);
    if (g->up)
        occupy(g, to * x->hosts + from, best_start, !g->down);
    return 1;
}

hs_status hs__collective_tree_grow(const hs__routes *x, hs_collective_kind kind, int root, double piece, double rate,
                                   hs__collective_tree *tree)
{
    size_t n = (size_t)x->hosts, links = (size_t)x->links;
    hs__pool pool = {0};
    growth g = {.network = x,
                .ready = hs__pool_new(&pool, n, sizeof *g.ready),
                .busy = hs__pool_new(&pool, links, sizeof *g.busy),
                .port = hs__pool_new(&pool, n, sizeof *g.port),
                .flows = hs__pool_new(&pool, links, sizeof *g.flows),
                .piece = piece,
                .rate = rate,
                .up = kind != HS_COLLECTIVE_BROADCAST,
                .down = kind != HS_COLLECTIVE_REDUCE};
    hs_status status = hs__pool_status(&pool);
    if (status == HS_OK) {
        for (int i = 0; i < x->hosts; i++)
            g.ready[i] = INFINITY;
        g.ready[root] = 0.0;
        tree->parent[root] = -1;
        tree->order[0] = root;
        for (int count = 1; count < x->hosts && status == HS_OK; count++)
            status = join_next(&g, tree, count) ? HS_OK : HS_ERR_INFEASIBLE;
    }
    hs__pool_free(&pool);
    return status;
}
