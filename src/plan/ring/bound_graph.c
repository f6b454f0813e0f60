/* SPDX-License-Identifier: BSD-3-Clause */
/* What the graph forces on every ring, whatever its routes. The hosts on two sides of a cut exchange at least two
 * messages each way, so four messages share its links. The cut tree of the hosts (Gusfield, "Very simple methods for
 * all pairs network flow analysis", SIAM J. Computing 1990) has for every pair a smallest cut among its edges; removing
 * the edges below a value leaves together exactly the hosts that no smaller cut parts. Links are taken as undirected, a
 * link with separate directions with the sum of both. */
#include "plan/ring/bound.h"
#include "util/array.h"
#include "util/assert.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct flow_network {
    const hs__graph *graph;
    int *to, *next, *first;  /* arcs of node v: first[v], next[...]; -1 ends */
    double *capacity, *left; /* [arc] bytes/s */
    int arcs;
    int *via, *queue; /* [node] search for augmenting paths */
} flow_network;

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

/* One undirected edge for an arc and its way back over the same links, one for every arc without. */
static void build(flow_network *n, const hs__network *network)
{
    const hs__graph *g = n->graph;
    for (int v = 0; v < g->nodes; v++)
        n->first[v] = -1;
    for (int a = 0; a < g->arcs; a++) {
        if (g->reverse[a] >= 0 && g->reverse[a] < a)
            continue;
        double capacity = arc_capacity(network, &g->arc[a]);
        add_arc(n, g->arc[a].from, g->arc[a].to, capacity);
        add_arc(n, g->arc[a].to, g->arc[a].from, capacity);
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

/* Gusfield's tree over the hosts: tree[i] < i is i's parent, value[i] the smallest cut between them. */
static void grow_cut_tree(flow_network *n, int hosts, int *tree, double *value)
{
    for (int i = 1; i < hosts; i++) {
        HS_ASSERT(tree[i] < i);
        value[i] = maximum_flow(n, i, tree[i]);
        if (isinf(value[i]))
            continue;
        for (int j = i + 1; j < hosts; j++)
            if (n->via[j] != -2 && tree[j] == tree[i])
                tree[j] = i;
    }
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
    int *memory = hs__array_new(2 * arcs + 3 * nodes, sizeof *memory);
    double *capacities = hs__array_new(2 * arcs, sizeof *capacities);
    hs_status status = HS_ERR_NOMEM;
    cuts->tree = hs__array_new(hosts, sizeof *cuts->tree);
    cuts->value = hs__array_new(hosts, sizeof *cuts->value);
    if (memory && capacities && cuts->tree && cuts->value) {
        flow_network n = {.graph = graph,
                          .to = memory,
                          .next = memory + arcs,
                          .first = memory + 2 * arcs,
                          .via = memory + 2 * arcs + nodes,
                          .queue = memory + 2 * arcs + 2 * nodes,
                          .capacity = capacities,
                          .left = capacities + arcs};
        limit_hosts(network, graph, limits);
        build(&n, network);
        grow_cut_tree(&n, network->hosts, cuts->tree, cuts->value);
        status = HS_OK;
    }
    free(capacities);
    free(memory);
    return status;
}
