/* SPDX-License-Identifier: BSD-3-Clause */
/* Fixed routes: where two nodes' zones meet, that zone's routing gives the edges between its vertices; each edge begins
 * and ends at a gateway, and the way between a node and a gateway is a route of its own, further down the tree. This is
 * SimGrid 3.32's get_global_route().
 *
 * SimGrid builds the list of links while it goes, and its Dijkstra zones put theirs at the front of the list, edge by
 * edge, each edge's links last one first. So a route that ends in a Dijkstra zone, or crosses an edge of several links
 * there, is listed in another order than it is crossed; listed_as_simgrid repeats that. */
#include "platform/platform.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/status.h"
#include <math.h>
#include <stdlib.h>

typedef struct walk {
    const hs_platform *platform;
    hs_route *route;
    int listed_as_simgrid;
    int *edges; /* a stack: the edges still to cross, the next one on top */
    size_t edge_count, edge_room;
} walk;

void hs_route_free(hs_route *route)
{
    if (!route)
        return;
    free(route->links);
    *route = (hs_route){0};
}

static hs_status cross(walk *w, int link)
{
    hs_route *route = w->route;
    if (link < 0)
        return HS_OK;
    if (hs__array_reserve(&route->links, &route->capacity, route->count + 1, sizeof *route->links) != 0)
        return HS_ERR_NOMEM;
    route->links[route->count++] = link;
    route->latency += w->platform->links[link].latency;
    route->bandwidth = fmin(route->bandwidth, w->platform->links[link].bandwidth);
    return HS_OK;
}

static int is_dijkstra(const hs_platform *platform, int zone)
{
    hs__routing routing = platform->zones[zone].routing;
    return routing == HS__ROUTING_DIJKSTRA || routing == HS__ROUTING_DIJKSTRA_CACHE;
}

static void turn(int *links, size_t count)
{
    for (size_t i = 0, j = count; i + 1 < j; i++) {
        int link = links[--j];
        links[j] = links[i];
        links[i] = link;
    }
}

static hs_status cross_edge(walk *w, const hs__edge *edge)
{
    const int *links = w->platform->crossed + edge->first;
    size_t begin = w->route->count;
    for (int i = 0; i < edge->count; i++) {
        hs_status status = cross(w, links[i]);
        if (status != HS_OK)
            return status;
    }
    if (w->listed_as_simgrid && is_dijkstra(w->platform, edge->zone))
        turn(w->route->links + begin, w->route->count - begin);
    return HS_OK;
}

/* Up the spokes of one vertex, over the backbone, down those of the other; no link twice. */
static hs_status cross_star(walk *w, const hs__zone *zone, int from, int to)
{
    const hs__spoke *a = &zone->spokes[from], *b = &zone->spokes[to];
    const int way[] = {a->limiter, a->up, (a->up >= 0 || b->down >= 0) ? zone->backbone : -1, b->down, b->limiter};
    hs_status status = HS_OK;
    for (size_t i = 0; i < sizeof way / sizeof *way && status == HS_OK; i++) {
        int seen = 0;
        for (size_t j = 0; j < i; j++)
            seen |= way[j] == way[i];
        if (!seen)
            status = cross(w, way[i]);
    }
    return status;
}

/* The zone where both nodes' ways up the tree meet, and the vertices of it that hold them. */
static int meeting_zone(const hs_platform *platform, int from, int to, int *from_vertex, int *to_vertex)
{
    const hs__zone *zones = platform->zones;
    int a = platform->nodes[from].zone, b = platform->nodes[to].zone;
    *from_vertex = platform->nodes[from].vertex;
    *to_vertex = platform->nodes[to].vertex;
    while (a != b) {
        int deeper = zones[a].depth - zones[b].depth;
        if (deeper >= 0) {
            *from_vertex = zones[a].vertex;
            a = zones[a].parent;
        }
        if (deeper <= 0) {
            *to_vertex = zones[b].vertex;
            b = zones[b].parent;
        }
    }
    HS_ASSERT(hs__zone_holds(platform, a, from) && hs__zone_holds(platform, a, to));
    return a;
}

/* Appends the way between two nodes. `base` is where the list begins that SimGrid would be building. */
static hs_status walk_to(walk *w, int from, int to, size_t base)
{
    if (from == to)
        return HS_OK;
    const hs_platform *platform = w->platform;
    int from_vertex, to_vertex;
    int z = meeting_zone(platform, from, to, &from_vertex, &to_vertex);
    if (platform->zones[z].routing == HS__ROUTING_CLUSTER)
        return cross_star(w, &platform->zones[z], from_vertex, to_vertex);
    size_t bottom = w->edge_count, begin = w->route->count;
    hs_status status = hs__zone_path(platform, z, from_vertex, to_vertex, &w->edges, &w->edge_count, &w->edge_room);
    for (int at = from, is_first = 1; status == HS_OK && w->edge_count > bottom; is_first = 0) {
        const hs__edge *edge = &platform->edges[w->edges[--w->edge_count]];
        if (edge->gw_from >= 0)
            status = walk_to(w, at, edge->gw_from, is_first ? base : begin);
        if (is_first)
            begin = w->route->count;
        if (status == HS_OK)
            status = cross_edge(w, edge);
        at = edge->gw_to;
        if (status == HS_OK && at >= 0 && w->edge_count == bottom)
            status = walk_to(w, at, to, base);
    }
    if (status == HS_OK && w->listed_as_simgrid && is_dijkstra(platform, z) && platform->zones[z].vertices[0] >= 0) {
        turn(w->route->links + base, begin - base);
        turn(w->route->links + begin, w->route->count - begin);
        turn(w->route->links + base, w->route->count - base);
    }
    return status;
}

/* A node to itself: the loopback of its cluster, or a route that the file gives. */
static hs_status walk_home(walk *w, int node)
{
    const hs__node *n = &w->platform->nodes[node];
    const hs__zone *zone = &w->platform->zones[n->zone];
    if (zone->spokes)
        return cross(w, zone->spokes[n->vertex].loopback);
    int edge = hs__platform_find_edge(w->platform, n->zone, n->vertex, n->vertex);
    return edge >= 0 ? cross_edge(w, &w->platform->edges[edge]) : HS_OK;
}

/* Whether latency and bandwidth are those of the links. */
static int is_of_its_links(const hs_platform *platform, const hs_route *route)
{
    double latency = 0, bandwidth = INFINITY;
    for (size_t i = 0; i < route->count; i++) {
        latency += platform->links[route->links[i]].latency;
        bandwidth = fmin(bandwidth, platform->links[route->links[i]].bandwidth);
    }
    return bandwidth == route->bandwidth && fabs(latency - route->latency) <= 1e-9 * latency;
}

static void make_empty(hs_route *route)
{
    route->count = 0;
    route->latency = 0;
    route->bandwidth = INFINITY;
}

static hs_status find_route(const hs_platform *platform, int from, int to, int listed_as_simgrid, hs_route *route)
{
    int nodes = (int)platform->node_count;
    walk w = {.platform = platform, .route = route, .listed_as_simgrid = listed_as_simgrid};
    make_empty(route);
    if (from < 0 || from >= nodes || to < 0 || to >= nodes)
        return HS_ERR_ARG;
    hs_status status = from == to ? walk_home(&w, from) : walk_to(&w, from, to, 0);
    HS_ASSERT(status != HS_OK || is_of_its_links(platform, route));
    if (status != HS_OK)
        make_empty(route);
    free(w.edges);
    return status;
}

hs_status hs_platform_route(const hs_platform *platform, int from, int to, hs_route *route)
{
    HS__RETURN_ERROR_IF_NULL(platform, NULL);
    HS__RETURN_ERROR_IF_NULL(route, NULL);
    return find_route(platform, from, to, 0, route);
}

hs_status hs_platform_route_listed(const hs_platform *platform, int from, int to, hs_route *route)
{
    HS__RETURN_ERROR_IF_NULL(platform, NULL);
    HS__RETURN_ERROR_IF_NULL(route, NULL);
    return find_route(platform, from, to, 1, route);
}
