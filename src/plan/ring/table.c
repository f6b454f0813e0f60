/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/ring/table.h"
#include <stdlib.h>
#include <string.h>

hs_status hs__table_init(hs__table *table, hs__network *network, hs__graph *graph)
{
    hs__table made = {.network = network, .graph = graph};
    if (graph) {
        size_t hosts = (size_t)network->hosts;
        made.source_epoch = hs__pool_new(&made.pool, hosts, sizeof *made.source_epoch);
        made.via = hs__pool_new(&made.pool, hosts, sizeof *made.via);
        made.path = hs__pool_new(&made.pool, hosts * hosts, sizeof *made.path);
        made.path_epoch = hs__pool_new(&made.pool, hosts * hosts, sizeof *made.path_epoch);
        made.width = hs__pool_new(&made.pool, (size_t)graph->arcs, sizeof *made.width);
        if (hs__pool_status(&made.pool) != HS_OK || hs__path_tree_init(&made.tree, graph) != HS_OK) {
            hs__table_free(&made);
            return HS_ERR_NOMEM;
        }
    }
    *table = made;
    hs__table_refresh(table, network->capacity);
    return HS_OK;
}

void hs__table_free(hs__table *table)
{
    free(table->links);
    hs__path_tree_free(&table->tree);
    hs__pool_free(&table->pool);
}

void hs__table_refresh(hs__table *table, const double *width)
{
    if (!table->graph)
        return;
    table->epoch++;
    hs__graph_widths(table->graph, table->network, width);
}

/* The tree of widest paths from a host, at the current widths. */
static hs_status grow_tree(hs__table *t, int from)
{
    if (t->source_epoch[from] == t->epoch)
        return HS_OK;
    size_t nodes = (size_t)t->graph->nodes;
    if (!t->via[from]) {
        t->via[from] = hs__pool_new(&t->pool, nodes, sizeof **t->via);
        if (!t->via[from])
            return HS_ERR_NOMEM;
    }
    hs_status status = hs__graph_widest(t->graph, from, 0, &t->tree);
    if (status != HS_OK)
        return status;
    memcpy(t->via[from], t->tree.via, nodes * sizeof **t->via);
    t->source_epoch[from] = t->epoch;
    return HS_OK;
}

hs_status hs__table_path(hs__table *table, int from, int to, const hs__path **path)
{
    if (!table->graph)
        return hs__network_route(table->network, from, to, path);
    size_t slot = (size_t)from * (size_t)table->network->hosts + (size_t)to, count;
    if (table->path_epoch[slot] != table->epoch) {
        hs_status status = grow_tree(table, from);
        if (status != HS_OK)
            return status;
        hs__path_tree view = {.source = from, .via = table->via[from]};
        table->path[slot] = NULL;
        if (view.via[to] >= 0) {
            status = hs__graph_path(table->graph, &view, to, 0, 0, &table->links, &table->links_room, &count);
            if (status == HS_OK)
                status = hs__network_path(table->network, table->links, count, &table->path[slot]);
        }
        if (status != HS_OK)
            return status;
        table->path_epoch[slot] = table->epoch;
    }
    *path = table->path[slot];
    return HS_OK;
}

static int crosses(const hs_arc *arc, const int closed[2])
{
    for (size_t m = 0; m < arc->count; m++)
        if (arc->links[m] == closed[0] || arc->links[m] == closed[1])
            return 1;
    return 0;
}

hs_status hs__table_detour(hs__table *table, int from, int to, const int closed[2], const hs__path **path)
{
    hs__graph *graph = table->graph;
    size_t count;
    for (int a = 0; a < graph->arcs; a++)
        table->width[a] = crosses(&graph->arc[a], closed) ? 0.0 : graph->arc_width[a];
    double *open = graph->arc_width;
    graph->arc_width = table->width;
    hs_status status = hs__graph_widest(graph, from, 0, &table->tree);
    graph->arc_width = open;
    if (status != HS_OK)
        return status;
    *path = NULL;
    if (table->tree.via[to] < 0)
        return HS_OK;
    status = hs__graph_path(graph, &table->tree, to, 0, 0, &table->links, &table->links_room, &count);
    return status == HS_OK ? hs__network_path(table->network, table->links, count, path) : status;
}
