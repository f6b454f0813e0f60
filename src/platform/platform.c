/* SPDX-License-Identifier: BSD-3-Clause */
/* Creating and freeing a platform, and its accessors. Building is in build.c, routes are in route.c. */
#include "platform/platform.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/speed.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

hs_platform *hs__platform_new(void)
{
    return hs__array_new(1, sizeof(hs_platform));
}

static void zone_free(hs__zone *zone)
{
    if (zone->cluster) {
        free(zone->cluster->prefix);
        free(zone->cluster->suffix);
        free(zone->cluster->radical);
        free(zone->cluster);
    }
    hs__tables_free(atomic_load(&zone->tables));
    free(zone->spokes);
    free(zone->vertices);
    free(zone->id);
}

static void node_free(hs__node *node)
{
    free((void *)node->by_size.point);
    free(node->id);
}

/* All but what a view has of its own. */
static void release_own(hs_platform *platform)
{
    hs__index_free(&platform->edge_ends);
    hs__index_free(&platform->zone_ids);
    hs__index_free(&platform->link_ids);
    hs__index_free(&platform->node_ids);
    for (size_t z = 0; z < platform->zone_count; z++)
        zone_free(&platform->zones[z]);
    for (size_t l = 0; l < platform->link_count; l++)
        free(platform->links[l].id);
    for (size_t v = 0; v < platform->node_count; v++)
        node_free(&platform->nodes[v]);
    free(platform->comment);
    free(platform->crossed);
    free(platform->edges);
    free(platform->zones);
    free(platform->nodes);
}

void hs_platform_free(hs_platform *platform)
{
    if (!platform)
        return;
    hs__arcs_free(atomic_load(&platform->arcs));
    if (!platform->is_view)
        release_own(platform);
    free(platform->links);
    free(platform);
}

hs_platform *hs__platform_view(const hs_platform *of)
{
    hs_platform *view = hs__array_new(1, sizeof *view);
    hs__link *links = hs__array_new(of->link_count, sizeof *links);
    if (!view || !links) {
        free(view);
        free(links);
        return NULL;
    }
    memcpy(view, of, offsetof(hs_platform, arcs)); /* another thread may be making those */
    if (of->link_count > 0)
        memcpy(links, of->links, of->link_count * sizeof *links);
    view->links = links;
    view->is_view = 1;
    return view;
}

int hs_platform_hosts(const hs_platform *platform)
{
    return platform->hosts;
}

int hs_platform_routers(const hs_platform *platform)
{
    return platform->routers;
}

int hs_platform_links(const hs_platform *platform)
{
    return (int)platform->link_count;
}

const char *hs_platform_node_id(const hs_platform *platform, int node)
{
    return platform->nodes[node].id;
}

const char *hs_platform_link_id(const hs_platform *platform, int link)
{
    return platform->links[link].id;
}

static int same_node(const void *owner, int value, const void *key)
{
    return strcmp(((const hs_platform *)owner)->nodes[value].id, key) == 0;
}

static int same_link(const void *owner, int value, const void *key)
{
    return strcmp(((const hs_platform *)owner)->links[value].id, key) == 0;
}

static int same_zone(const void *owner, int value, const void *key)
{
    return strcmp(((const hs_platform *)owner)->zones[value].id, key) == 0;
}

static int same_ends(const void *owner, int value, const void *key)
{
    const hs__edge *a = &((const hs_platform *)owner)->edges[value], *b = key;
    return a->zone == b->zone && a->from == b->from && a->to == b->to;
}

int hs_platform_find_node(const hs_platform *platform, const char *id)
{
    return hs__index_find(&platform->node_ids, hs__hash_text(id), same_node, platform, id);
}

static int find_with_domain(const hs_platform *platform, const char *name, size_t length)
{
    int found = -1;
    for (int h = 0; h < platform->hosts; h++) {
        const char *id = platform->nodes[h].id;
        if (strncmp(id, name, length) != 0 || id[length] != '.')
            continue;
        if (found >= 0)
            return -1;
        found = h;
    }
    return found;
}

int hs__platform_find_host(const hs_platform *platform, const char *name)
{
    char plain[256];
    size_t length = strcspn(name, ".");
    int node = hs_platform_find_node(platform, name);
    if (node < 0 && !name[length])
        node = find_with_domain(platform, name, length);
    if (node < 0 && name[length] && length < sizeof plain) {
        memcpy(plain, name, length);
        plain[length] = '\0';
        node = hs_platform_find_node(platform, plain);
    }
    return node < platform->hosts ? node : -1;
}

int hs_platform_find_link(const hs_platform *platform, const char *id)
{
    return hs__index_find(&platform->link_ids, hs__hash_text(id), same_link, platform, id);
}

int hs__platform_find_zone(const hs_platform *platform, const char *id)
{
    return hs__index_find(&platform->zone_ids, hs__hash_text(id), same_zone, platform, id);
}

int hs__platform_find_edge(const hs_platform *platform, int zone, int from, int to)
{
    hs__edge key = {.zone = zone, .from = from, .to = to};
    return hs__index_find(&platform->edge_ends, hs__hash_triple(zone, from, to), same_ends, platform, &key);
}

double hs_platform_host_speed(const hs_platform *platform, int host)
{
    return platform->nodes[host].speed;
}

int hs_platform_host_cores(const hs_platform *platform, int host)
{
    return platform->nodes[host].cores;
}

const hs_speed_function *hs_platform_host_speed_function(const hs_platform *platform, int host)
{
    return &platform->nodes[host].by_size;
}

double hs_platform_link_bandwidth(const hs_platform *platform, int link)
{
    return platform->links[link].bandwidth;
}

double hs_platform_link_latency(const hs_platform *platform, int link)
{
    return platform->links[link].latency;
}

hs_sharing hs_platform_link_sharing(const hs_platform *platform, int link)
{
    return platform->links[link].sharing;
}

int hs_platform_link_at_least(const hs_platform *platform, int link)
{
    return platform->links[link].at_least;
}

int hs_platform_link_twin(const hs_platform *platform, int link)
{
    return platform->links[link].twin;
}

const char *hs__vertex_id(const hs_platform *platform, int zone, int vertex)
{
    int v = platform->zones[zone].vertices[vertex];
    return v >= 0 ? platform->nodes[v].id : platform->zones[~v].id;
}

int hs__zone_holds(const hs_platform *platform, int zone, int node)
{
    for (int z = platform->nodes[node].zone; z >= 0; z = platform->zones[z].parent)
        if (z == zone)
            return 1;
    return 0;
}

void hs__platform_set_bandwidth(hs_platform *platform, int link, double bandwidth)
{
    platform->links[link].bandwidth = bandwidth;
    platform->links[link].at_least = 0;
}

int hs__platform_in_cluster(const hs_platform *platform, int host)
{
    return platform->zones[platform->nodes[host].zone].cluster != NULL;
}

void hs__platform_scale_speed(hs_platform *platform, int host, double factor)
{
    hs__node *node = &platform->nodes[host];
    hs_speed_point *point = (hs_speed_point *)node->by_size.point; /* the node's own */
    HS_ASSERT(factor > 0 && !hs__platform_in_cluster(platform, host) && !platform->is_view);
    node->speed *= factor;
    node->by_size = hs__speed_scaled(&node->by_size, 1, factor, point); /* in place */
}
