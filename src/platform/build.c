/* SPDX-License-Identifier: BSD-3-Clause */
/* Adding zones, nodes, links and edges, for the reader and for platforms built in memory. */
#include "platform/platform.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/status.h"
#include "util/units.h"
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static hs_status no_memory(hs_error *error)
{
    return hs__error_status(error, HS_ERR_NOMEM);
}

/* Drop what was computed from the edges; it is computed again on demand. */
static void forget_paths(hs_platform *platform, int zone)
{
    hs__tables_free(atomic_exchange(&platform->zones[zone].tables, NULL));
    hs__arcs_free(atomic_exchange(&platform->arcs, NULL));
}

/* Whether a text is UTF-8, which XML and JSON are. */
static int is_utf8(const char *text)
{
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000}; /* by the bytes that follow the first */
    for (const unsigned char *c = (const unsigned char *)text; *c;) {
        int more = *c < 0x80 ? 0 : *c < 0xc0 ? -1 : *c < 0xe0 ? 1 : *c < 0xf0 ? 2 : *c < 0xf8 ? 3 : -1;
        uint32_t letter = more > 0 ? *c & (0x3fU >> more) : *c;
        c++;
        for (int k = 0; k < more; k++, c++) {
            if ((*c & 0xc0) != 0x80)
                return 0;
            letter = letter << 6 | (*c & 0x3fU);
        }
        HS_ASSERT(letter < 1U << 21); /* bits of four bytes */
        if (more < 0 || letter < least[more] || letter > 0x10ffff || (letter >= 0xd800 && letter < 0xe000))
            return 0;
    }
    return 1;
}

/* An id is a text that an XML attribute can hold. */
static hs_status check_id(const char *id, const char *what, hs_error *error)
{
    if (!id || !*id)
        return hs_error_set(error, HS_ERR_ARG, 0, "a %s without id", what);
    for (const char *c = id; *c; c++)
        if ((unsigned char)*c < ' ')
            return hs_error_set(error, HS_ERR_ARG, 0, "the id of a %s holds a control character", what);
    if (!is_utf8(id))
        return hs_error_set(error, HS_ERR_ARG, 0, "the id of a %s is not UTF-8", what);
    return HS_OK;
}

/* Hosts, routers and zones share one name space, as in SimGrid. */
static hs_status check_new_place(const hs_platform *platform, const char *id, const char *what, hs_error *error)
{
    hs_status status = check_id(id, what, error);
    if (status != HS_OK)
        return status;
    if (platform->node_count + platform->zone_count >= HS__MAX_NODES)
        return hs_error_set(error, HS_ERR_UNSUPPORTED, 0, "more than %d hosts, routers and zones", HS__MAX_NODES);
    const char *holder = NULL;
    int node = hs_platform_find_node(platform, id);
    if (node >= 0)
        holder = platform->nodes[node].cores ? "host" : "router";
    else if (hs__platform_find_zone(platform, id) >= 0)
        holder = "zone";
    if (holder)
        return hs_error_set(error, HS_ERR_ARG, 0, "%s '%.*s': a %s of this id is there already", what, HS__MAX_TEXT, id,
                            holder);
    return HS_OK;
}

/* Makes room for one more vertex of a zone; 0, or -1 without memory. */
static int reserve_vertex(hs__zone *zone)
{
    if (hs__array_reserve(&zone->vertices, &zone->room, zone->count + 1, sizeof *zone->vertices) != 0)
        return -1;
    return zone->routing == HS__ROUTING_CLUSTER
               ? hs__array_reserve(&zone->spokes, &zone->spoke_room, zone->count + 1, sizeof *zone->spokes)
               : 0;
}

static int add_vertex(hs__zone *zone, int vertex)
{
    if (zone->spokes)
        zone->spokes[zone->count] = (hs__spoke){-1, -1, -1, -1};
    zone->vertices[zone->count] = vertex;
    return (int)zone->count++;
}

hs_status hs__platform_add_zone(hs_platform *platform, int parent, const char *id, hs__routing routing, int *zone,
                                hs_error *error)
{
    hs_status status = check_new_place(platform, id, "zone", error);
    if (status != HS_OK)
        return status;
    int depth = parent < 0 ? 0 : platform->zones[parent].depth + 1;
    if (depth > HS__MAX_DEPTH)
        return hs_error_set(error, HS_ERR_UNSUPPORTED, 0, "zones inside each other more than %d deep", HS__MAX_DEPTH);
    if (hs__array_reserve(&platform->zones, &platform->zone_room, platform->zone_count + 1, sizeof *platform->zones) !=
            0 ||
        hs__index_reserve(&platform->zone_ids, 1) != 0 ||
        (parent >= 0 && reserve_vertex(&platform->zones[parent]) != 0))
        return no_memory(error);
    char *copy = hs__text_copy(id);
    if (!copy)
        return no_memory(error);
    int z = (int)platform->zone_count++;
    platform->zones[z] = (hs__zone){.id = copy,
                                    .parent = parent,
                                    .depth = depth,
                                    .routing = routing,
                                    .backbone = -1,
                                    .first_edge = -1,
                                    .last_edge = -1,
                                    .first_link = (int)platform->link_count};
    hs__index_add(&platform->zone_ids, hs__hash_text(id), z);
    if (parent >= 0) {
        platform->zones[z].vertex = add_vertex(&platform->zones[parent], ~z);
        forget_paths(platform, parent);
    }
    HS_ASSERT(hs__platform_find_zone(platform, id) == z);
    *zone = z;
    return HS_OK;
}

hs_status hs__platform_add_node(hs_platform *platform, int zone, const char *id, double speed, int cores, int *node,
                                hs_error *error)
{
    const char *what = cores ? "host" : "router";
    hs_status status = check_new_place(platform, id, what, error);
    if (status != HS_OK)
        return status;
    if (speed != 0 && !hs__quantity_in_range(speed))
        return hs_error_set(error, HS_ERR_ARG, 0, "host '%.*s': its speed is out of range", HS__MAX_TEXT, id);
    if (hs__array_reserve(&platform->nodes, &platform->node_room, platform->node_count + 1, sizeof *platform->nodes) !=
            0 ||
        hs__index_reserve(&platform->node_ids, 1) != 0 || reserve_vertex(&platform->zones[zone]) != 0)
        return no_memory(error);
    char *copy = hs__text_copy(id);
    if (!copy)
        return no_memory(error);
    int v = (int)platform->node_count++;
    platform->nodes[v] =
        (hs__node){.id = copy, .zone = zone, .cores = cores, .speed = speed, .by_size.max_size = INFINITY};
    platform->nodes[v].vertex = add_vertex(&platform->zones[zone], v);
    hs__index_add(&platform->node_ids, hs__hash_text(id), v);
    *(cores ? &platform->hosts : &platform->routers) += 1;
    HS_ASSERT(hs_platform_find_node(platform, id) == v);
    HS_ASSERT((size_t)platform->hosts + (size_t)platform->routers == platform->node_count);
    forget_paths(platform, zone);
    if (node)
        *node = v;
    return HS_OK;
}

hs_status hs_platform_set_host_speed_function(hs_platform *platform, int host, const hs_speed_function *function,
                                              hs_error *error)
{
    HS__RETURN_ERROR_IF_NULL(platform, error);
    if (host < 0 || (size_t)host >= platform->node_count || platform->nodes[host].cores == 0)
        return hs_error_set(error, HS_ERR_ARG, 0, "node %d is not a host", host);
    hs__node *node = &platform->nodes[host];
    hs_status status = hs_speed_check(function, error);
    if (status != HS_OK)
        return status;
    if (hs__platform_in_cluster(platform, host))
        return hs_error_set(error, HS_ERR_UNSUPPORTED, 0, "host '%.*s' is one of a <cluster>, whose hosts are equal",
                            HS__MAX_TEXT, node->id);
    hs_speed_point *copy = hs__array_new((size_t)function->points, sizeof *copy);
    if (!copy)
        return no_memory(error);
    if (function->points > 0)
        memcpy(copy, function->point, (size_t)function->points * sizeof *copy);
    free((void *)node->by_size.point);
    node->by_size = (hs_speed_function){copy, function->points, function->max_size};
    return HS_OK;
}

/* Checks that n more links fit, makes room for them and refuses an id that is there. */
static hs_status reserve_links(hs_platform *platform, size_t n, const char *const *ids, hs_error *error)
{
    for (size_t i = 0; i < n; i++)
        if (hs_platform_find_link(platform, ids[i]) >= 0)
            return hs_error_set(error, HS_ERR_ARG, 0, "link '%.*s': a link of this id is there already", HS__MAX_TEXT,
                                ids[i]);
    size_t needed = platform->link_count + n;
    if (needed > HS__MAX_LINKS)
        return hs_error_set(error, HS_ERR_UNSUPPORTED, 0, "more than %d links", HS__MAX_LINKS);
    if (hs__array_reserve(&platform->links, &platform->link_room, needed, sizeof *platform->links) != 0 ||
        hs__index_reserve(&platform->link_ids, n) != 0)
        return no_memory(error);
    return HS_OK;
}

/* Adds a link in the room made; its id is taken over. */
static int put_link(hs_platform *platform, hs__link link)
{
    int index = (int)platform->link_count++;
    platform->links[index] = link;
    hs__index_add(&platform->link_ids, hs__hash_text(link.id), index);
    HS_ASSERT(hs_platform_find_link(platform, link.id) == index);
    return index;
}

static hs_status check_link(const char *id, double bandwidth, double latency, hs_error *error)
{
    hs_status status = check_id(id, "link", error);
    if (status != HS_OK)
        return status;
    if (!hs__quantity_in_range(bandwidth))
        return hs_error_set(error, HS_ERR_ARG, 0, "link '%.*s': its bandwidth is out of range", HS__MAX_TEXT, id);
    if (latency != 0 && !hs__quantity_in_range(latency))
        return hs_error_set(error, HS_ERR_ARG, 0, "link '%.*s': its latency is out of range", HS__MAX_TEXT, id);
    return HS_OK;
}

hs_status hs__platform_add_link(hs_platform *platform, int zone, const char *id, double bandwidth, double latency,
                                hs_sharing sharing, int *link, hs_error *error)
{
    hs_status status = check_link(id, bandwidth, latency, error);
    if (status != HS_OK)
        return status;
    if ((status = reserve_links(platform, 1, &id, error)) != HS_OK)
        return status;
    char *copy = hs__text_copy(id);
    if (!copy)
        return no_memory(error);
    int index = put_link(platform, (hs__link){copy, bandwidth, latency, sharing, -1, zone, 0});
    if (link)
        *link = index;
    return HS_OK;
}

hs_status hs__platform_add_duplex(hs_platform *platform, int zone, const char *id, double bandwidth, double latency,
                                  int *up, hs_error *error)
{
    hs_status status = check_link(id, bandwidth, latency, error);
    if (status != HS_OK)
        return status;
    size_t size = strlen(id) + sizeof "_DOWN";
    char *halves[2] = {malloc(size), malloc(size)};
    if (!halves[0] || !halves[1]) {
        status = no_memory(error);
        goto out;
    }
    snprintf(halves[0], size, "%s_UP", id);
    snprintf(halves[1], size, "%s_DOWN", id);
    if ((status = reserve_links(platform, 2, (const char *const *)halves, error)) != HS_OK)
        goto out;
    int first = (int)platform->link_count;
    put_link(platform, (hs__link){halves[0], bandwidth, latency, HS_SHARED, first + 1, zone, 0});
    put_link(platform, (hs__link){halves[1], bandwidth, latency, HS_SHARED, first, zone, 0});
    halves[0] = halves[1] = NULL;
    HS_ASSERT(platform->links[platform->links[first].twin].twin == first);
    if (up)
        *up = first;
out:
    free(halves[1]);
    free(halves[0]);
    return status;
}

/* Makes room for n edges over `links` links in all. */
static hs_status reserve_edges(hs_platform *platform, size_t n, size_t links, hs_error *error)
{
    if (platform->edge_count + n > HS__MAX_LINKS)
        return hs_error_set(error, HS_ERR_UNSUPPORTED, 0, "more than %d routes", HS__MAX_LINKS);
    if (hs__array_reserve(&platform->edges, &platform->edge_room, platform->edge_count + n, sizeof *platform->edges) !=
            0 ||
        hs__array_reserve(&platform->crossed, &platform->crossed_room, platform->crossed_count + links,
                          sizeof *platform->crossed) != 0 ||
        hs__index_reserve(&platform->edge_ends, n) != 0)
        return no_memory(error);
    return HS_OK;
}

hs_status hs__platform_add_edge(hs_platform *platform, hs__edge edge, const int *links, hs_error *error)
{
    const char *from = hs__vertex_id(platform, edge.zone, edge.from), *to = hs__vertex_id(platform, edge.zone, edge.to);
    if (edge.count < 1)
        return hs_error_set(error, HS_ERR_ARG, 0, "the route from '%.*s' to '%.*s' crosses no link", HS__MAX_TEXT, from,
                            HS__MAX_TEXT, to);
    if (hs__platform_find_edge(platform, edge.zone, edge.from, edge.to) >= 0)
        return hs_error_set(error, HS_ERR_ARG, 0, "the route from '%.*s' to '%.*s' is there already%s", HS__MAX_TEXT,
                            from, HS__MAX_TEXT, to, edge.mirror ? " (routes are symmetrical by default)" : "");
    hs_status status = reserve_edges(platform, 1, (size_t)edge.count, error);
    if (status != HS_OK)
        return status;
    edge.first = platform->crossed_count;
    memcpy(platform->crossed + edge.first, links, (size_t)edge.count * sizeof *links);
    platform->crossed_count += (size_t)edge.count;
    edge.next = -1;
    hs__zone *zone = &platform->zones[edge.zone];
    int e = (int)platform->edge_count++;
    *(zone->last_edge >= 0 ? &platform->edges[zone->last_edge].next : &zone->first_edge) = e;
    zone->last_edge = e;
    platform->edges[e] = edge;
    hs__index_add(&platform->edge_ends, hs__hash_triple(edge.zone, edge.from, edge.to), e);
    HS_ASSERT(hs__platform_find_edge(platform, edge.zone, edge.from, edge.to) == e);
    forget_paths(platform, edge.zone);
    return HS_OK;
}

hs_status hs__platform_settle(hs_platform *platform)
{
    size_t n = platform->node_count;
    int *moved = hs__array_new(n, sizeof *moved);
    hs__node *nodes = hs__array_new(n, sizeof *nodes);
    if (!moved || !nodes) {
        free(nodes);
        free(moved);
        return HS_ERR_NOMEM;
    }
    int host = 0, router = platform->hosts;
    for (size_t v = 0; v < n; v++) {
        moved[v] = platform->nodes[v].cores ? host++ : router++;
        nodes[moved[v]] = platform->nodes[v];
    }
    HS_ASSERT(host == platform->hosts && (size_t)router == n);
    free(platform->nodes);
    platform->nodes = nodes;
    platform->node_room = n ? n : 1;
    for (size_t z = 0; z < platform->zone_count; z++)
        for (size_t i = 0; i < platform->zones[z].count; i++)
            if (platform->zones[z].vertices[i] >= 0)
                platform->zones[z].vertices[i] = moved[platform->zones[z].vertices[i]];
    for (size_t e = 0; e < platform->edge_count; e++)
        if (platform->edges[e].gw_from >= 0) {
            platform->edges[e].gw_from = moved[platform->edges[e].gw_from];
            platform->edges[e].gw_to = moved[platform->edges[e].gw_to];
        }
    for (size_t i = 0; i < platform->node_ids.room; i++)
        if (platform->node_ids.slots[i].value >= 0)
            platform->node_ids.slots[i].value = moved[platform->node_ids.slots[i].value];
    free(moved);
    return HS_OK;
}

/* ---- Platforms built in memory: one zone ---- */

hs_status hs_platform_create(hs_routing routing, hs_platform **platform)
{
    HS__RETURN_ERROR_IF_NULL(platform, NULL);
    hs_platform *made = hs__platform_new();
    int zone;
    if (!made)
        return HS_ERR_NOMEM;
    hs__routing inside = routing == HS_ROUTING_FULL ? HS__ROUTING_FULL : HS__ROUTING_FLOYD;
    hs_status status = hs__platform_add_zone(made, -1, "platform", inside, &zone, NULL);
    if (status == HS_OK)
        *platform = made;
    else
        hs_platform_free(made);
    return status;
}

hs_status hs_platform_add_host(hs_platform *platform, const char *id, double speed, int cores, int *host,
                               hs_error *error)
{
    HS__RETURN_ERROR_IF_NULL(platform, error);
    if (platform->routers)
        return hs_error_set(error, HS_ERR_STATE, 0, "hosts are added before the first router");
    if (cores < 1)
        return hs_error_set(error, HS_ERR_ARG, 0, "host '%.*s': %d cores", HS__MAX_TEXT, id ? id : "", cores);
    return hs__platform_add_node(platform, 0, id, speed, cores, host, error);
}

hs_status hs_platform_add_router(hs_platform *platform, const char *id, int *router, hs_error *error)
{
    HS__RETURN_ERROR_IF_NULL(platform, error);
    return hs__platform_add_node(platform, 0, id, 0, 0, router, error);
}

hs_status hs_platform_add_link(hs_platform *platform, const char *id, double bandwidth, double latency,
                               hs_sharing sharing, int *link, hs_error *error)
{
    HS__RETURN_ERROR_IF_NULL(platform, error);
    return hs__platform_add_link(platform, 0, id, bandwidth, latency, sharing, link, error);
}

void hs_platform_set_link_at_least(hs_platform *platform, int link)
{
    HS_ASSERT(link >= 0 && (size_t)link < platform->link_count);
    hs__link *l = &platform->links[link];
    l->at_least = 1;
    if (l->twin >= 0)
        platform->links[l->twin].at_least = 1;
}

hs_status hs_platform_add_duplex(hs_platform *platform, const char *id, double bandwidth, double latency, int *up,
                                 hs_error *error)
{
    HS__RETURN_ERROR_IF_NULL(platform, error);
    return hs__platform_add_duplex(platform, 0, id, bandwidth, latency, up, error);
}

/* Adds a route and its way back: the links in reverse order, halves of duplex pairs swapped. */
static hs_status add_both_ways(hs_platform *platform, int from, int to, const int *links, size_t count, int symmetrical,
                               hs_error *error)
{
    int nodes = (int)platform->node_count;
    if (from < 0 || from >= nodes || to < 0 || to >= nodes || from == to || count > INT_MAX)
        return hs_error_set(error, HS_ERR_ARG, 0, "a route from node %d to node %d of %d", from, to, nodes);
    for (size_t i = 0; i < count; i++)
        if (links[i] < 0 || (size_t)links[i] >= platform->link_count)
            return hs_error_set(error, HS_ERR_ARG, 0, "a route over link %d of %zu", links[i], platform->link_count);
    hs__edge there = {.from = platform->nodes[from].vertex,
                      .to = platform->nodes[to].vertex,
                      .gw_from = -1,
                      .gw_to = -1,
                      .count = (int)count};
    hs__edge back = {.from = there.to, .to = there.from, .gw_from = -1, .gw_to = -1, .count = there.count, .mirror = 1};
    if (symmetrical && hs__platform_find_edge(platform, 0, back.from, back.to) >= 0)
        return hs__platform_add_edge(platform, back, links, error);
    int *reversed = hs__array_new(count, sizeof *reversed);
    if (!reversed)
        return no_memory(error);
    for (size_t i = 0; i < count; i++) {
        int link = links[count - 1 - i], twin = platform->links[link].twin;
        reversed[i] = twin >= 0 ? twin : link;
    }
    hs_status status = reserve_edges(platform, 2, 2 * count, error);
    if (status == HS_OK)
        status = hs__platform_add_edge(platform, there, links, error);
    if (status == HS_OK && symmetrical)
        status = hs__platform_add_edge(platform, back, reversed, error);
    free(reversed);
    return status;
}

hs_status hs_platform_add_edge(hs_platform *platform, int from, int to, int link, hs_error *error)
{
    HS__RETURN_ERROR_IF_NULL(platform, error);
    if (platform->zones[0].routing == HS__ROUTING_FULL)
        return hs_error_set(error, HS_ERR_STATE, 0, "this platform takes routes, not edges");
    return add_both_ways(platform, from, to, &link, 1, 1, error);
}

hs_status hs_platform_add_route(hs_platform *platform, int from, int to, const int *links, size_t count,
                                int symmetrical, hs_error *error)
{
    HS__RETURN_ERROR_IF_NULL(platform, error);
    if (platform->zones[0].routing != HS__ROUTING_FULL)
        return hs_error_set(error, HS_ERR_STATE, 0, "this platform takes edges, not routes");
    return add_both_ways(platform, from, to, links, count, symmetrical, error);
}
