/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/only_edges.h"
#include "platform/platform.h"
#include "util/assert.h"

static void note(int *only, int edge)
{
    *only = *only == HS__NO_EDGE ? edge : HS__NO_ONLY_EDGE;
}

void hs__only_edges_find(const hs_platform *platform, int *from, int *to)
{
    for (size_t v = 0; v < platform->node_count; v++)
        from[v] = to[v] = HS__NO_EDGE;
    for (size_t e = 0; e < platform->edge_count; e++) {
        const hs__edge *edge = &platform->edges[e];
        const int *vertices = platform->zones[edge->zone].vertices;
        if (edge->gw_from < 0) {
            HS_ASSERT(edge->gw_to < 0); /* of two nodes, or of two zones */
            note(&from[vertices[edge->from]], (int)e);
            note(&to[vertices[edge->to]], (int)e);
        }
    }
    for (size_t e = 0; e < platform->edge_count; e++) {
        const int gateway[] = {platform->edges[e].gw_from, platform->edges[e].gw_to};
        for (int i = 0; i < 2; i++)
            if (gateway[i] >= 0)
                from[gateway[i]] = to[gateway[i]] = HS__NO_ONLY_EDGE;
    }
}
