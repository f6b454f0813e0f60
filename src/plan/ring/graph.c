/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/ring/graph.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/heap.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct hs__reached {
    double width;
    int hops, node;
};

typedef struct hs__reached reached;

/* Sorts arcs by one of their ends into first[] and list[]; their order is kept within a node. */
static void sort_by_end(const hs__graph *g, int by_from, int *first, int *list, int *other)
{
    for (int a = 0; a < g->arcs; a++)
        first[(by_from ? g->arc[a].from : g->arc[a].to) + 1]++;
    for (int v = 0; v < g->nodes; v++)
        first[v + 1] += first[v];
    for (int a = 0; a < g->arcs; a++)
        list[first[by_from ? g->arc[a].from : g->arc[a].to]++] = a;
    HS_ASSERT(g->nodes == 0 || first[g->nodes - 1] == g->arcs);
    for (int v = g->nodes; v > 0; v--)
        first[v] = first[v - 1];
    first[0] = 0;
    for (int i = 0; i < g->arcs; i++)
        other[i] = by_from ? g->arc[list[i]].to : g->arc[list[i]].from;
}

static int same_links_back(const hs_arc *a, const hs_arc *b)
{
    if (a->count != b->count)
        return 0;
    for (size_t m = 0; m < a->count; m++)
        if (a->links[m] != b->links[a->count - 1 - m])
            return 0;
    return 1;
}

/* The first of the arcs out of a node, which are listed by the node they lead to, that leads to `to` or a later one. */
static int first_arc_to(const hs__graph *g, int from, int to)
{
    int low = g->first_out[from], high = g->first_out[from + 1];
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (g->out_to[middle] < to)
            low = middle + 1;
        else
            high = middle;
    }
    HS_ASSERT(low == g->first_out[from + 1] || g->out_to[low] >= to);
    return low;
}

static void find_reverse_arcs(hs__graph *g)
{
    g->symmetric = 1;
    for (int a = 0; a < g->arcs; a++) {
        int from = g->arc[a].from, to = g->arc[a].to, end = g->first_out[to + 1];
        g->reverse[a] = -1;
        for (int i = first_arc_to(g, to, from); i < end && g->out_to[i] == from && g->reverse[a] < 0; i++)
            if (same_links_back(&g->arc[a], &g->arc[g->out[i]]))
                g->reverse[a] = g->out[i];
        g->symmetric = g->symmetric && g->reverse[a] >= 0;
    }
}

static int by_ends(const void *left, const void *right)
{
    const hs_arc *a = left, *b = right;
    if (a->from != b->from)
        return a->from - b->from;
    if (a->to != b->to)
        return a->to - b->to;
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    return memcmp(a->links, b->links, a->count * sizeof *a->links);
}

/* The platform's arcs by the network's numbers. */
static hs_status copy_arcs(hs__graph *g, const hs__ring_order *order, const hs_arc *arc)
{
    size_t links = 0;
    for (int a = 0; a < g->arcs; a++)
        links += arc[a].count;
    g->arc = hs__pool_new(&g->pool, (size_t)g->arcs, sizeof *g->arc);
    int *next = g->links = hs__pool_new(&g->pool, links, sizeof *g->links);
    if (hs__pool_status(&g->pool) != HS_OK)
        return HS_ERR_NOMEM;
    for (int a = 0; a < g->arcs; a++) {
        g->arc[a] = (hs_arc){order->node_place[arc[a].from], order->node_place[arc[a].to], next, arc[a].count};
        for (size_t m = 0; m < arc[a].count; m++)
            *next++ = order->link_place[arc[a].links[m]];
    }
    qsort(g->arc, (size_t)g->arcs, sizeof *g->arc, by_ends);
    return HS_OK;
}

hs_status hs__graph_init(hs__graph *graph, const hs__network *network)
{
    const hs_arc *arc;
    size_t arcs;
    hs_status status = hs_platform_arcs(network->platform, &arc, &arcs);
    if (status != HS_OK)
        return status;
    hs__graph g = {.nodes = network->hosts + hs_platform_routers(network->platform), .arcs = (int)arcs};
    size_t nodes = (size_t)g.nodes;
    g.out = hs__pool_new(&g.pool, arcs, sizeof *g.out);
    g.in = hs__pool_new(&g.pool, arcs, sizeof *g.in);
    g.out_to = hs__pool_new(&g.pool, arcs, sizeof *g.out_to);
    g.in_from = hs__pool_new(&g.pool, arcs, sizeof *g.in_from);
    g.reverse = hs__pool_new(&g.pool, arcs, sizeof *g.reverse);
    g.first_out = hs__pool_new(&g.pool, nodes + 1, sizeof *g.first_out);
    g.first_in = hs__pool_new(&g.pool, nodes + 1, sizeof *g.first_in);
    g.arc_width = hs__pool_new(&g.pool, arcs, sizeof *g.arc_width);
    if (copy_arcs(&g, &network->order, arc) != HS_OK) {
        hs__graph_free(&g);
        return HS_ERR_NOMEM;
    }
    sort_by_end(&g, 1, g.first_out, g.out, g.out_to);
    sort_by_end(&g, 0, g.first_in, g.in, g.in_from);
    find_reverse_arcs(&g);
    *graph = g;
    return HS_OK;
}

void hs__graph_free(hs__graph *graph)
{
    free(graph->heap);
    hs__pool_free(&graph->pool);
}

hs_status hs__path_tree_init(hs__path_tree *tree, const hs__graph *graph)
{
    size_t nodes = (size_t)graph->nodes;
    *tree = (hs__path_tree){.source = -1};
    tree->width = hs__pool_new(&tree->pool, nodes, sizeof *tree->width);
    tree->via = hs__pool_new(&tree->pool, nodes, sizeof *tree->via);
    tree->hops = hs__pool_new(&tree->pool, nodes, sizeof *tree->hops);
    return hs__pool_complete(&tree->pool);
}

void hs__path_tree_free(hs__path_tree *tree)
{
    hs__pool_free(&tree->pool);
}

void hs__graph_widths(hs__graph *graph, const hs__network *network, const double *residual)
{
    for (int a = 0; a < graph->arcs; a++) {
        double width = INFINITY;
        for (size_t m = 0; m < graph->arc[a].count; m++) {
            int e = graph->arc[a].links[m];
            width = hs__smaller(width, hs__smaller(residual[e], network->fatpipe[e]));
        }
        graph->arc_width[a] = width;
    }
}

static int before(const reached *a, const reached *b)
{
    if (a->width != b->width)
        return a->width > b->width;
    return a->hops != b->hops ? a->hops < b->hops : a->node < b->node;
}

HS__HEAP(heap, reached, before)

/* Whether each node is reached over an arc that is as wide as the node says, from a node at least as wide. */
static int is_tree(const hs__graph *graph, const hs__path_tree *tree, int backward)
{
    for (int v = 0; v < graph->nodes; v++) {
        int a = tree->via[v];
        if (a < 0)
            continue;
        int from = backward ? graph->arc[a].to : graph->arc[a].from;
        if (tree->width[v] != hs__smaller(tree->width[from], graph->arc_width[a]))
            return 0;
    }
    return 1;
}

hs_status hs__graph_widest(hs__graph *graph, int source, int backward, hs__path_tree *tree)
{
    const int *list = backward ? graph->in : graph->out, *first = backward ? graph->first_in : graph->first_out;
    const int *end = backward ? graph->in_from : graph->out_to;
    size_t size = 0;
    if (hs__array_reserve(&graph->heap, &graph->heap_room, (size_t)graph->arcs + 1, sizeof *graph->heap) != 0)
        return HS_ERR_NOMEM;
    for (int v = 0; v < graph->nodes; v++) {
        tree->width[v] = 0.0;
        tree->via[v] = -1;
        tree->hops[v] = 0;
    }
    tree->source = source;
    tree->width[source] = INFINITY;
    heap_push(graph->heap, &size, (reached){INFINITY, 0, source});
    while (size > 0) {
        reached r = heap_pop(graph->heap, &size);
        if (r.width != tree->width[r.node] || r.hops != tree->hops[r.node])
            continue;
        for (int i = first[r.node]; i < first[r.node + 1]; i++) {
            int a = list[i], next = end[i];
            double width = hs__smaller(r.width, graph->arc_width[a]);
            if (width > tree->width[next] ||
                (width > 0 && width == tree->width[next] && next != source && r.hops + 1 < tree->hops[next])) {
                tree->width[next] = width;
                tree->hops[next] = r.hops + 1;
                tree->via[next] = a;
                if (first[next + 1] - first[next] > 1) /* else it is a leaf, and leads only back */
                    heap_push(graph->heap, &size, (reached){width, r.hops + 1, next});
            }
        }
    }
    HS_ASSERT(is_tree(graph, tree, backward));
    return HS_OK;
}

hs_status hs__graph_path(const hs__graph *graph, const hs__path_tree *tree, int node, int backward, int reversed,
                         int **links, size_t *room, size_t *count)
{
    size_t total = 0;
    for (int v = node; v != tree->source; v = backward ? graph->arc[tree->via[v]].to : graph->arc[tree->via[v]].from)
        total += graph->arc[tree->via[v]].count;
    if (hs__array_reserve(links, room, total, sizeof **links) != 0)
        return HS_ERR_NOMEM;
    /* Walking from the node to the source meets the arcs in travel order when the path leads to the source. */
    size_t ahead = 0, behind = total;
    for (int v = node; v != tree->source;) {
        const hs_arc *crossed = &graph->arc[tree->via[v]];
        const hs_arc *arc = reversed ? &graph->arc[graph->reverse[tree->via[v]]] : crossed;
        if (backward || reversed) {
            memcpy(*links + ahead, arc->links, arc->count * sizeof **links);
            ahead += arc->count;
        } else {
            behind -= arc->count;
            memcpy(*links + behind, arc->links, arc->count * sizeof **links);
        }
        v = backward ? crossed->to : crossed->from;
    }
    HS_ASSERT(backward || reversed ? ahead == total : behind == 0);
    *count = total;
    return HS_OK;
}
