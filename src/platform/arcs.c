/* SPDX-License-Identifier: BSD-3-Clause */
/* The graph for free routes: each edge of a Floyd or Dijkstra zone is an arc between its nodes or gateways, each spoke
 * of a cluster an arc between its host and its router. */
#include "platform/platform.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/status.h"
#include <stdlib.h>

void hs__arcs_free(hs__arcs *arcs)
{
    if (!arcs)
        return;
    free(arcs->links);
    free(arcs->arcs);
    free(arcs);
}

/* The router in the middle of a cluster; -1 without a router, or with several. Also -1 with a backbone: every path
 * crosses it, which a graph of hosts and one router cannot express. */
static int hub_of(const hs_platform *platform, const hs__zone *zone)
{
    const int *hub = NULL;
    for (size_t i = 0; i < zone->count; i++) {
        if (platform->nodes[zone->vertices[i]].cores)
            continue;
        if (hub)
            return -1;
        hub = &zone->vertices[i];
    }
    return hub && zone->backbone < 0 ? *hub : -1;
}

/* Whether the zone says which vertices are neighbours; the edges of a Full zone do not. */
static int is_graph(const hs_platform *platform, const hs__zone *zone)
{
    if (zone->count < 2)
        return 1;
    if (zone->routing == HS__ROUTING_CLUSTER)
        return hub_of(platform, zone) >= 0;
    return zone->routing != HS__ROUTING_FULL;
}

/* Add an arc over up to two links; the caller has made room. */
static void add_spoke(hs__arcs *arcs, size_t *used, int from, int to, int first, int second)
{
    size_t begin = *used;
    if (first >= 0)
        arcs->links[(*used)++] = first;
    if (second >= 0)
        arcs->links[(*used)++] = second;
    arcs->arcs[arcs->count++] = (hs_arc){.from = from, .to = to, .links = arcs->links + begin, .count = *used - begin};
}

static void add_spokes(const hs_platform *platform, const hs__zone *zone, hs__arcs *arcs, size_t *used)
{
    int hub = hub_of(platform, zone);
    for (size_t i = 0; i < zone->count && hub >= 0; i++) {
        const hs__spoke *spoke = &zone->spokes[i];
        if (zone->vertices[i] == hub)
            continue;
        add_spoke(arcs, used, zone->vertices[i], hub, spoke->limiter, spoke->up);
        add_spoke(arcs, used, hub, zone->vertices[i], spoke->down, spoke->limiter);
    }
}

static int by_ends(const void *left, const void *right)
{
    const hs_arc *a = left, *b = right;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    for (size_t i = 0; i < a->count && i < b->count; i++)
        if (a->links[i] != b->links[i])
            return a->links[i] < b->links[i] ? -1 : 1;
    return a->count < b->count ? -1 : a->count > b->count;
}

static hs__arcs *arcs_make(const hs_platform *platform)
{
    hs__arcs *made = hs__array_new(1, sizeof *made);
    size_t spokes = 0;
    if (!made)
        return NULL;
    for (size_t z = 0; z < platform->zone_count; z++) {
        if (!is_graph(platform, &platform->zones[z])) {
            made->status = HS_ERR_UNSUPPORTED;
            return made;
        }
        spokes += platform->zones[z].spokes ? platform->zones[z].count : 0;
    }
    made->arcs = hs__array_new(platform->edge_count + 2 * spokes, sizeof *made->arcs);
    made->links = hs__array_new(4 * spokes, sizeof *made->links);
    if (!made->arcs || !made->links) {
        hs__arcs_free(made);
        return NULL;
    }
    for (size_t e = 0; e < platform->edge_count; e++) {
        const hs__edge *edge = &platform->edges[e];
        int inner = edge->gw_from >= 0;
        const int *vertices = platform->zones[edge->zone].vertices;
        made->arcs[made->count++] = (hs_arc){.from = inner ? edge->gw_from : vertices[edge->from],
                                             .to = inner ? edge->gw_to : vertices[edge->to],
                                             .links = platform->crossed + edge->first,
                                             .count = (size_t)edge->count};
    }
    size_t used = 0;
    for (size_t z = 0; z < platform->zone_count; z++)
        if (platform->zones[z].spokes)
            add_spokes(platform, &platform->zones[z], made, &used);
    HS_ASSERT(used <= 4 * spokes && made->count <= platform->edge_count + 2 * spokes);
    qsort(made->arcs, made->count, sizeof *made->arcs, by_ends);
    for (size_t a = 1; a < made->count; a++)
        HS_ASSERT(by_ends(&made->arcs[a - 1], &made->arcs[a]) <= 0);
    return made;
}

hs_status hs_platform_arcs(const hs_platform *platform, const hs_arc **arcs, size_t *count)
{
    HS__RETURN_ERROR_IF_NULL(platform, NULL);
    hs_platform *owner = (hs_platform *)platform; /* the cache is not part of what the caller may see change */
    hs__arcs *known = atomic_load(&owner->arcs);
    if (!known) {
        hs__arcs *made = arcs_make(platform);
        if (!made)
            return HS_ERR_NOMEM;
        if (atomic_compare_exchange_strong(&owner->arcs, &known, made))
            known = made;
        else
            hs__arcs_free(made);
    }
    if (known->status == HS_OK) {
        *arcs = known->arcs;
        *count = known->count;
    }
    return known->status;
}
