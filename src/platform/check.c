/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether what a platform says of its nodes, links and arcs fits together. */
#include "platform/platform.h"
#include "util/status.h"
#include <math.h>

static hs_status check_nodes(const hs_platform *p, hs_error *error)
{
    for (int v = 0; v < (int)p->node_count; v++) {
        const hs__node *node = &p->nodes[v];
        if (hs_platform_find_node(p, node->id) != v || (node->cores > 0) != (v < p->hosts) || !(node->speed >= 0))
            return hs_error_set(error, HS_ERR_INTERNAL, 0, "node %d, '%.*s', has %d cores of speed %g, or another's id",
                                v, HS__MAX_TEXT, node->id, node->cores, node->speed);
        hs_status status = hs_speed_check(&node->by_size, error);
        if (status != HS_OK)
            return HS_ERR_INTERNAL;
        const hs__zone *zone = &p->zones[node->zone];
        if (node->vertex < 0 || (size_t)node->vertex >= zone->count || zone->vertices[node->vertex] != v)
            return hs_error_set(error, HS_ERR_INTERNAL, 0, "node %d, '%.*s', is not in its place of zone '%.*s'", v,
                                HS__MAX_TEXT, node->id, HS__MAX_TEXT, zone->id);
    }
    return HS_OK;
}

static hs_status check_links(const hs_platform *p, hs_error *error)
{
    for (int l = 0; l < (int)p->link_count; l++) {
        const hs__link *link = &p->links[l];
        if (hs_platform_find_link(p, link->id) != l || !(link->bandwidth > 0) || !isfinite(link->bandwidth) ||
            !(link->latency >= 0))
            return hs_error_set(error, HS_ERR_INTERNAL, 0, "link %d, '%.*s', has %g bytes/s and %g s, or another's id",
                                l, HS__MAX_TEXT, link->id, link->bandwidth, link->latency);
        if (link->twin >= 0 && (link->twin >= (int)p->link_count || p->links[link->twin].twin != l))
            return hs_error_set(error, HS_ERR_INTERNAL, 0, "link %d, '%.*s', is no twin of link %d", l, HS__MAX_TEXT,
                                link->id, link->twin);
    }
    return HS_OK;
}

static hs_status check_arcs(const hs_platform *p, hs_error *error)
{
    const hs_arc *arc;
    size_t arcs;
    hs_status status = hs_platform_arcs(p, &arc, &arcs);
    if (status != HS_OK)
        return status == HS_ERR_UNSUPPORTED ? HS_OK : hs__error_status(error, status);
    for (size_t a = 0; a < arcs; a++) {
        int fits =
            arc[a].from >= 0 && arc[a].from < (int)p->node_count && arc[a].to >= 0 && arc[a].to < (int)p->node_count;
        for (size_t m = 0; m < arc[a].count; m++)
            fits &= arc[a].links[m] >= 0 && arc[a].links[m] < (int)p->link_count;
        if (!fits)
            return hs_error_set(error, HS_ERR_INTERNAL, 0, "an arc from node %d to node %d of %zu", arc[a].from,
                                arc[a].to, p->node_count);
    }
    return HS_OK;
}

hs_status hs_platform_check(const hs_platform *platform, hs_error *error)
{
    HS__RETURN_ERROR_IF_NULL(platform, error);
    hs_status status = check_nodes(platform, error);
    if (status == HS_OK)
        status = check_links(platform, error);
    return status == HS_OK ? check_arcs(platform, error) : status;
}
