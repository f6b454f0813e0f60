/* SPDX-License-Identifier: BSD-3-Clause */
/* From a platform's routes to namespaces, cables and routing tables.
 *
 * A link that only one edge of the graph uses is a cable between the edge's ends. Any other link is a hub through which
 * all routes over the link pass, so that they share it in every kind of zone. */
#include "config.h"

#include "lab/lab.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/status.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_CABLES = 4000 };

typedef struct lab_graph {
    const hs_arc *arcs; /* sorted by from */
    size_t count;
    size_t *first; /* first[n]: index of node n's first arc; count at the end */
} lab_graph;

/* One route: stations[0], cables[0], stations[1], ... */
typedef struct lab_path {
    int *stations, *cables;
    size_t length; /* number of cables */
    size_t station_room, cable_room;
} lab_path;

void lab_topology_free(lab_topology *topology)
{
    if (!topology)
        return;
    free(topology->hub_of_link);
    free(topology->link_of_hub);
    free(topology->cables);
    free(topology->hops);
    free(topology->crossings);
    free(topology);
}

static hs_status graph_create(const hs_platform *platform, lab_graph *out)
{
    int nodes = hs_platform_hosts(platform) + hs_platform_routers(platform);
    hs_status status = hs_platform_arcs(platform, &out->arcs, &out->count);
    if (status != HS_OK)
        return status;
    out->first = hs__array_new((size_t)nodes + 1, sizeof *out->first);
    if (!out->first)
        return HS_ERR_NOMEM;
    size_t arc = 0;
    for (int node = 0; node <= nodes; node++) {
        while (arc < out->count && out->arcs[arc].from < node)
            arc++;
        out->first[node] = arc;
    }
    return HS_OK;
}

/* Station of the link's hub, created on first use; -1 without memory. */
static int hub_of(lab_topology *topology, int link)
{
    if (topology->hub_of_link[link] < 0) {
        int hub = topology->stations - topology->hosts - topology->routers;
        if (hs__array_reserve(&topology->link_of_hub, &topology->hub_room, (size_t)hub + 1, sizeof(int)) != 0)
            return -1;
        topology->link_of_hub[hub] = link;
        topology->hub_of_link[link] = topology->stations++;
    }
    return topology->hub_of_link[link];
}

/* Index of the cable between two stations, created on first use; -1 without memory. link shapes the direction from a to
 * b; -1: that direction is unshaped. */
static int cable_of(lab_topology *topology, int a, int b, int link)
{
    int twin = link < 0 ? -1 : hs_platform_link_twin(topology->platform, link);
    for (int i = 0; i < topology->cable_count; i++) {
        lab_cable *cable = &topology->cables[i];
        int side = cable->end[0] == a && cable->end[1] == b ? 0 : cable->end[0] == b && cable->end[1] == a ? 1 : -1;
        if (side < 0)
            continue;
        if (cable->link[side] == link)
            return i;
        int back = cable->link[1 - side];
        if (link >= 0 && cable->link[side] < 0 && back >= 0 && (back == link || back == twin)) {
            cable->link[side] = link;
            return i;
        }
    }
    if (hs__array_reserve(&topology->cables, &topology->cable_room, (size_t)topology->cable_count + 1,
                          sizeof(lab_cable)) != 0)
        return -1;
    topology->cables[topology->cable_count] = (lab_cable){{a, b}, {link, -1}};
    return topology->cable_count++;
}

/* Continue the path to a station. @return 0; -1 without memory */
static int step(lab_topology *topology, lab_path *path, int station, int link)
{
    if (hs__array_reserve(&path->stations, &path->station_room, path->length + 2, sizeof(int)) != 0 ||
        hs__array_reserve(&path->cables, &path->cable_room, path->length + 1, sizeof(int)) != 0)
        return -1;
    int cable = cable_of(topology, path->stations[path->length], station, link);
    if (cable < 0)
        return -1;
    path->cables[path->length++] = cable;
    path->stations[path->length] = station;
    return 0;
}

static int step_over_hubs(lab_topology *topology, lab_path *path, const int *links, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int hub = hub_of(topology, links[i]);
        if (hub < 0 || step(topology, path, hub, -1) != 0)
            return -1;
    }
    return 0;
}

/* Make hubs of all links that more than one edge uses, or that share an edge with other links. */
static hs_status mark_shared(lab_topology *topology, const lab_graph *graph)
{
    int links = hs_platform_links(topology->platform);
    int *edge = hs__array_new((size_t)links * 2, sizeof *edge);
    if (!edge)
        return HS_ERR_NOMEM;
    for (int i = 0; i < 2 * links; i++)
        edge[i] = -1;
    hs_status status = HS_OK;
    for (size_t i = 0; i < graph->count && status == HS_OK; i++) {
        const hs_arc *arc = &graph->arcs[i];
        int low = arc->from < arc->to ? arc->from : arc->to, high = arc->from < arc->to ? arc->to : arc->from;
        for (size_t k = 0; k < arc->count && status == HS_OK; k++) {
            int *seen = &edge[2 * arc->links[k]];
            int other = seen[0] >= 0 && (seen[0] != low || seen[1] != high);
            if ((other || arc->count > 1) && hub_of(topology, arc->links[k]) < 0)
                status = HS_ERR_NOMEM;
            seen[0] = low;
            seen[1] = high;
        }
    }
    free(edge);
    return status;
}

/* Whether links[0 .. count) lead from node to goal in the graph; the arcs go to `taken`. Several arcs can begin with
 * the same link, so this backtracks. */
static int find_arcs(const lab_graph *graph, int node, int goal, const int *links, size_t count, const hs_arc **taken,
                     size_t *steps)
{
    if (count == 0)
        return node == goal;
    size_t here = *steps;
    for (size_t i = graph->first[node]; i < graph->first[node + 1]; i++) {
        const hs_arc *arc = &graph->arcs[i];
        if (arc->count == 0 || arc->count > count || memcmp(arc->links, links, arc->count * sizeof *links) != 0)
            continue;
        taken[here] = arc;
        *steps = here + 1;
        if (find_arcs(graph, arc->to, goal, links + arc->count, count - arc->count, taken, steps))
            return 1;
        *steps = here;
    }
    return 0;
}

/* Lay one route: over the graph's arcs, or hub by hub when there is no graph.
 * @return HS_OK; HS_ERR_NOMEM; HS_ERR_INFEASIBLE when the route does not follow the graph */
static hs_status lay_route(lab_topology *topology, const lab_graph *graph, int from, int to, const hs_route *route,
                           lab_path *path)
{
    path->length = 0;
    if (hs__array_reserve(&path->stations, &path->station_room, 1, sizeof(int)) != 0)
        return HS_ERR_NOMEM;
    path->stations[0] = from;
    if (!graph) {
        int failed =
            step_over_hubs(topology, path, route->links, route->count) != 0 || step(topology, path, to, -1) != 0;
        return failed ? HS_ERR_NOMEM : HS_OK;
    }
    const hs_arc **taken = hs__array_new(route->count, sizeof *taken);
    size_t steps = 0;
    if (!taken)
        return HS_ERR_NOMEM;
    hs_status status =
        find_arcs(graph, from, to, route->links, route->count, taken, &steps) ? HS_OK : HS_ERR_INFEASIBLE;
    for (size_t i = 0; i < steps && status == HS_OK; i++) {
        const hs_arc *arc = taken[i];
        int plain = topology->hub_of_link[arc->links[0]] < 0, failed;
        if (plain)
            failed = step(topology, path, arc->to, arc->links[0]);
        else
            failed = step_over_hubs(topology, path, arc->links, arc->count) || step(topology, path, arc->to, -1);
        status = failed ? HS_ERR_NOMEM : HS_OK;
    }
    free(taken);
    return status;
}

static int meets_twice(const lab_path *path)
{
    for (size_t i = 0; i <= path->length; i++)
        for (size_t k = i + 1; k <= path->length; k++)
            if (path->stations[i] == path->stations[k])
                return 1;
    return 0;
}

static hs_status record_route(lab_topology *topology, int from, int to, const hs_route *route, const lab_path *path)
{
    if (hs__array_reserve(&topology->hops, &topology->hop_room, topology->hop_count + path->length, sizeof(lab_hop)) !=
            0 ||
        hs__array_reserve(&topology->crossings, &topology->crossing_room, topology->crossing_count + route->count,
                          sizeof(lab_crossing)) != 0)
        return HS_ERR_NOMEM;
    for (size_t i = 0; i < path->length; i++)
        topology->hops[topology->hop_count++] = (lab_hop){path->stations[i], from, to, path->cables[i]};
    for (size_t i = 0; i < route->count; i++)
        topology->crossings[topology->crossing_count++] = (lab_crossing){route->links[i], from, to};
    return HS_OK;
}

static hs_status lay_pair(lab_topology *topology, const lab_graph *graph, int from, int to, hs_route *route,
                          lab_path *path, hs_error *error)
{
    const char *a = hs_platform_node_id(topology->platform, from), *b = hs_platform_node_id(topology->platform, to);
    hs_status status = hs_platform_route(topology->platform, from, to, route);
    if (status != HS_OK)
        return hs_error_set(error, status, 0, "no route from '%s' to '%s': %s", a, b, hs_status_text(status));
    if (route->count == 0)
        return hs_error_set(error, HS_ERR_UNSUPPORTED, 0, "the route from '%s' to '%s' has no link", a, b);
    status = lay_route(topology, graph, from, to, route, path);
    if (status == HS_OK && meets_twice(path))
        return hs_error_set(error, HS_ERR_UNSUPPORTED, 0,
                            "the route from '%s' to '%s' meets a node or shared link twice, which a lab cannot build",
                            a, b);
    if (status == HS_OK && topology->cable_count > MAX_CABLES) /* the other routes would not make them fewer */
        return hs_error_set(error, HS_ERR_UNSUPPORTED, 0, "the platform needs more cables than the %d that a lab has",
                            MAX_CABLES);
    if (status == HS_OK)
        status = record_route(topology, from, to, route, path);
    return status;
}

static int compare_hops(const void *left, const void *right)
{
    const lab_hop *a = left, *b = right;
    if (a->station != b->station)
        return a->station < b->station ? -1 : 1;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    return (a->from > b->from) - (a->from < b->from);
}

static int compare_crossings(const void *left, const void *right)
{
    const lab_crossing *a = left, *b = right;
    if (a->link != b->link)
        return a->link < b->link ? -1 : 1;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return (a->to > b->to) - (a->to < b->to);
}

static int hubs_are_inverse(const lab_topology *t)
{
    int first = t->hosts + t->routers, hubs = 0;
    for (int link = 0; link < hs_platform_links(t->platform); link++) {
        int hub = t->hub_of_link[link];
        if (hub >= 0 && (hub < first || hub >= t->stations || t->link_of_hub[hub - first] != link))
            return 0;
        hubs += hub >= 0;
    }
    return hubs == t->stations - first;
}

/* Whether every cable has two ends, and no link with a hub is a cable, too. */
static int cables_are_sound(const lab_topology *t)
{
    for (int i = 0; i < t->cable_count; i++) {
        const lab_cable *cable = &t->cables[i];
        if (cable->end[0] == cable->end[1] || cable->end[0] >= t->stations || cable->end[1] >= t->stations)
            return 0;
        for (int side = 0; side < 2; side++)
            if (cable->link[side] >= 0 && t->hub_of_link[cable->link[side]] >= 0)
                return 0;
    }
    return 1;
}

/* The cable by which traffic leaves a station; NULL where it never comes. */
static const lab_cable *next_cable(const lab_topology *t, int station, int from, int to)
{
    lab_hop key = {station, from, to, 0};
    const lab_hop *hop = bsearch(&key, t->hops, t->hop_count, sizeof key, compare_hops);
    return hop ? &t->cables[hop->cable] : NULL;
}

/* Whether the hops lead from every host to every other one. */
static int routes_arrive(const lab_topology *t)
{
    for (int from = 0; from < t->hosts; from++)
        for (int to = 0; to < t->hosts; to++) {
            int station = from;
            for (int hops = 0; station != to; hops++) {
                const lab_cable *cable = next_cable(t, station, from, to);
                if (!cable || hops >= t->stations || (cable->end[0] != station && cable->end[1] != station))
                    return 0;
                station = cable->end[cable->end[0] == station];
            }
        }
    return 1;
}

/* Build the topology along a graph, or from routes alone when graph is NULL. */
static hs_status build(const hs_platform *platform, const lab_graph *graph, lab_topology **out, hs_error *error)
{
    int links = hs_platform_links(platform);
    hs_status status = HS_ERR_NOMEM;
    hs_route route = {0};
    lab_path path = {0};
    lab_topology *topology = hs__array_new(1, sizeof *topology);
    if (!topology || !(topology->hub_of_link = hs__array_new((size_t)links, sizeof(int))))
        goto out;
    topology->platform = platform;
    topology->hosts = hs_platform_hosts(platform);
    topology->routers = hs_platform_routers(platform);
    topology->stations = topology->hosts + topology->routers;
    for (int i = 0; i < links; i++)
        topology->hub_of_link[i] = -1;
    status = graph ? mark_shared(topology, graph) : HS_OK;
    for (int from = 0; from < topology->hosts; from++)
        for (int to = 0; to < topology->hosts && status == HS_OK; to++)
            if (from != to)
                status = lay_pair(topology, graph, from, to, &route, &path, error);
    if (status != HS_OK)
        goto out;
    qsort(topology->hops, topology->hop_count, sizeof *topology->hops, compare_hops);
    qsort(topology->crossings, topology->crossing_count, sizeof *topology->crossings, compare_crossings);
    HS_ASSERT(hubs_are_inverse(topology));
    HS_ASSERT(cables_are_sound(topology));
    HS_ASSERT(routes_arrive(topology));
    *out = topology;
    topology = NULL;
out:
    lab_topology_free(topology);
    hs_route_free(&route);
    free(path.stations);
    free(path.cables);
    return status;
}

hs_status lab_topology_create(const hs_platform *platform, lab_topology **out, hs_error *error)
{
    lab_graph graph = {0};
    hs_status status = graph_create(platform, &graph);
    if (status == HS_OK)
        status = build(platform, &graph, out, error);
    else if (status == HS_ERR_UNSUPPORTED)
        status = HS_ERR_INFEASIBLE;
    /* Routes that do not follow the graph (nested zones can have some) are built link by link. */
    if (status == HS_ERR_INFEASIBLE)
        status = build(platform, NULL, out, error);
    free(graph.first);
    return status == HS_ERR_NOMEM ? hs__error_status(error, status) : status;
}
