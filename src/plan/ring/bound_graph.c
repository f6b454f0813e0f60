/* SPDX-License-Identifier: BSD-3-Clause */
/* What the graph forces on every ring, whatever its routes. The hosts on two sides of a cut exchange at least two
 * messages each way, so four messages share its links. The cut tree of the hosts (Gusfield, "Very simple methods for
 * all pairs network flow analysis", SIAM J. Computing 1990) has for every pair a smallest cut among its edges; removing
 * the edges below a value leaves together exactly the hosts that no smaller cut parts. Links are taken as undirected, a
 * link with separate directions with the sum of both.
 *
 * Of the hosts that are joined to one neighbour only, that with the widest cable is taken along. Nothing but its own cable parts
 * another one from it, since any other cut would have to cut the wider cable, or both off from the rest. */
#include "plan/ring/bound.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/pool.h"
#include <math.h>
#include <string.h>

typedef struct flow_network {
    const hs__graph *graph;
    int *to, *next, *first;  /* arcs of node v: first[v], next[...]; -1 ends */
    double *capacity, *left; /* [arc] bytes/s */
    int arcs;
    int *via, *queue; /* [node] search for augmenting paths */
    int *neighbour;   /* [node] the only one, NONE or SEVERAL */
    int *widest;      /* [node] of the hosts that have only this neighbour, the one with the widest cable; NONE */
    double *cable;    /* [node] sum of its arcs' capacities */
} flow_network;

enum { NONE = -1, SEVERAL = -2 };

static void add_arc(flow_network *n, int from, int to, double capacity)
{
    n->to[n->arcs] = to;
    n->capacity[n->arcs] = capacity;
    n->next[n->arcs] = n->first[from];
    n->first[from] = n->arcs++;
}

static double arc_capacity(const hs__network *network, const hs_arc *arc)
{
    double width = INFINITY;
    for (size_t m = 0; m < arc->count; m++)
        width = fmin(width, network->capacity[arc->links[m]]);
    return width;
}

/* The host that stands for another one, which has only one neighbour, as that one; or the node itself. */
static int stand_in(const flow_network *n, int hosts, int node)
{
    return node < hosts && n->neighbour[node] >= 0 ? n->widest[n->neighbour[node]] : node;
}

/* Whether an arc is the way back of an earlier one, over the same links. */
static int is_way_back(const hs__graph *graph, int a)
{
    return graph->reverse[a] >= 0 && graph->reverse[a] < a;
}

static void meet(flow_network *n, int node, int other)
{
    n->neighbour[node] = n->neighbour[node] == NONE || n->neighbour[node] == other ? other : SEVERAL;
}

static void find_neighbours(flow_network *n, const hs__network *network)
{
    const hs__graph *g = n->graph;
    for (int v = 0; v < g->nodes; v++)
        n->neighbour[v] = n->widest[v] = NONE;
    for (int a = 0; a < g->arcs; a++) {
        double capacity = is_way_back(g, a) ? 0.0 : arc_capacity(network, &g->arc[a]);
        meet(n, g->arc[a].from, g->arc[a].to);
        meet(n, g->arc[a].to, g->arc[a].from);
        n->cable[g->arc[a].from] += capacity;
        n->cable[g->arc[a].to] += capacity;
    }
    for (int i = 0; i < network->hosts; i++) {
        int *widest = n->neighbour[i] >= 0 ? &n->widest[n->neighbour[i]] : NULL;
        if (widest && (*widest == NONE || n->cable[i] > n->cable[*widest]))
            *widest = i;
    }
}

/* One undirected edge for an arc and its way back over the same links, one for every arc without. */
static void build(flow_network *n, const hs__network *network)
{
    const hs__graph *g = n->graph;
    for (int v = 0; v < g->nodes; v++)
        n->first[v] = -1;
    for (int a = 0; a < g->arcs; a++) {
        int from = g->arc[a].from, to = g->arc[a].to;
        if (is_way_back(g, a) || stand_in(n, network->hosts, from) != from || stand_in(n, network->hosts, to) != to)
            continue;
        double capacity = arc_capacity(network, &g->arc[a]);
        add_arc(n, from, to, capacity);
        add_arc(n, to, from, capacity);
    }
}

/* Finds a shortest augmenting path; afterwards via[v] != -2 marks what the source still reaches. */
static int reaches(flow_network *n, int source, int sink)
{
    int head = 0, tail = 0;
    for (int v = 0; v < n->graph->nodes; v++)
        n->via[v] = -2;
    n->via[source] = -1;
    n->queue[tail++] = source;
    while (head < tail && n->via[sink] == -2) {
        int v = n->queue[head++];
        for (int a = n->first[v]; a >= 0; a = n->next[a])
            if (n->left[a] > 0 && n->via[n->to[a]] == -2) {
                n->via[n->to[a]] = a;
                n->queue[tail++] = n->to[a];
            }
    }
    return n->via[sink] != -2;
}

/* What the links can carry from the nodes that the source still reaches to the others: the cut that proves the flow. */
static double cut_of(const flow_network *n)
{
    double cut = 0.0;
    for (int v = 0; v < n->graph->nodes; v++)
        for (int a = n->first[v]; a >= 0 && n->via[v] != -2; a = n->next[a])
            cut += n->via[n->to[a]] == -2 ? n->capacity[a] : 0.0;
    return cut;
}

/* The value of a maximum flow, by shortest augmenting paths. INFINITY when some path has no limit. */
static double maximum_flow(flow_network *n, int source, int sink)
{
    double total = 0.0;
    memcpy(n->left, n->capacity, (size_t)n->arcs * sizeof *n->left);
    while (reaches(n, source, sink)) {
        double amount = INFINITY;
        for (int v = sink; v != source; v = n->to[n->via[v] ^ 1])
            amount = fmin(amount, n->left[n->via[v]]);
        if (isinf(amount))
            return INFINITY;
        for (int v = sink; v != source; v = n->to[n->via[v] ^ 1]) {
            n->left[n->via[v]] = n->left[n->via[v]] > amount ? n->left[n->via[v]] - amount : 0.0;
            n->left[n->via[v] ^ 1] += amount;
        }
        total += amount;
    }
    HS_ASSERT(fabs(cut_of(n) - total) <= 1e-9 * total);
    return total;
}

/* Gusfield's tree over the hosts that stand for all, then the others: value[i] is the smallest cut between i and its parent. */
static void grow_cut_tree(flow_network *n, int hosts, hs__ring_cuts *cuts)
{
    int *order = cuts->order, *tree = cuts->tree, count = 0, all = 0;
    for (int i = 0; i < hosts; i++)
        if (stand_in(n, hosts, i) == i)
            order[count++] = i;
    for (int i = 0; i < hosts; i++) {
        tree[i] = stand_in(n, hosts, i) == i ? order[0] : stand_in(n, hosts, i);
        cuts->value[i] = n->cable[i];
        if (stand_in(n, hosts, i) != i)
            order[count + all++] = i;
    }
    for (int k = 1; k < count; k++) {
        int i = order[k];
        HS_ASSERT(tree[i] < i);
        cuts->value[i] = maximum_flow(n, i, tree[i]);
        HS_ASSERT(cuts->value[i] >= 0);
        for (int m = k + 1; m < count && !isinf(cuts->value[i]); m++)
            if (n->via[order[m]] != -2 && tree[order[m]] == tree[i])
                tree[order[m]] = i;
    }
    HS_ASSERT(count + all == hosts);
}

/* What leaves each host: the widest arc, and the sum of all; where every arc has its way back, messages to it share. */
static void limit_hosts(const hs__network *network, const hs__graph *graph, hs__limits *limits)
{
    for (int i = 0; i < network->hosts; i++) {
        double widest = 0.0, sum = 0.0;
        int shared = 1;
        for (int k = graph->first_out[i]; k < graph->first_out[i + 1]; k++) {
            const hs_arc *arc = &graph->arc[graph->out[k]];
            double cap = INFINITY, capacity = arc_capacity(network, arc);
            for (size_t m = 0; m < arc->count; m++)
                cap = fmin(cap, network->fatpipe[arc->links[m]]);
            widest = fmax(widest, fmin(cap, capacity));
            sum += capacity;
            shared = shared && graph->reverse[graph->out[k]] >= 0;
        }
        shared = shared && graph->first_in[i + 1] - graph->first_in[i] == graph->first_out[i + 1] - graph->first_out[i];
        limits->widest[i] = fmin(limits->widest[i], widest);
        limits->out[i] = fmin(limits->out[i], sum);
        if (shared)
            limits->both[i] = fmin(limits->both[i], sum);
    }
}

hs_status hs__bound_graph(const hs__network *network, const hs__graph *graph, hs__limits *limits, hs__ring_cuts *cuts)
{
    size_t arcs = 2 * (size_t)graph->arcs, nodes = (size_t)graph->nodes, hosts = (size_t)network->hosts;
    hs__pool pool = {0};
    flow_network n = {.graph = graph,
                      .to = hs__pool_new(&pool, arcs, sizeof *n.to),
                      .next = hs__pool_new(&pool, arcs, sizeof *n.next),
                      .first = hs__pool_new(&pool, nodes, sizeof *n.first),
                      .capacity = hs__pool_new(&pool, arcs, sizeof *n.capacity),
                      .left = hs__pool_new(&pool, arcs, sizeof *n.left),
                      .via = hs__pool_new(&pool, nodes, sizeof *n.via),
                      .queue = hs__pool_new(&pool, nodes, sizeof *n.queue),
                      .neighbour = hs__pool_new(&pool, nodes, sizeof *n.neighbour),
                      .widest = hs__pool_new(&pool, nodes, sizeof *n.widest),
                      .cable = hs__pool_new(&pool, nodes, sizeof *n.cable)};
    cuts->order = hs__array_new(hosts, sizeof *cuts->order);
    cuts->tree = hs__array_new(hosts, sizeof *cuts->tree);
    cuts->value = hs__array_new(hosts, sizeof *cuts->value);
    hs_status status = cuts->order && cuts->tree && cuts->value ? hs__pool_status(&pool) : HS_ERR_NOMEM;
    if (status == HS_OK) {
        limit_hosts(network, graph, limits);
        find_neighbours(&n, network);
        build(&n, network);
        grow_cut_tree(&n, network->hosts, cuts);
    }
    hs__pool_free(&pool);
    return status;
}
