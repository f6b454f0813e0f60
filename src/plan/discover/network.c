/* SPDX-License-Identifier: BSD-3-Clause */
/* The tree of cuts as routers, links and edges of a platform. */
#include "plan/discover/discover.h"
#include "platform/platform.h"
#include "util/array.h"
#include "util/status.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 300 };

typedef struct builder {
    const hs__cut *cut;
    int cuts, hosts;
    int *node; /* of each switch, by cut; owned */
    int root;
    hs_platform *platform;
    hs_error *error;
} builder;

/* Nothing filled the cut this way. */
static int is_bound(const hs__cut *cut, int way)
{
    return !isfinite(cut->high[way]);
}

/* One way of a cut, from node a to node b. */
static hs_status add_way(builder *b, int from, int to, const char *id, const hs__cut *cut, int way)
{
    int link;
    hs_status status =
        hs_platform_add_link(b->platform, id, cut->capacity[way], cut->latency, HS_SHARED, &link, b->error);
    if (status != HS_OK)
        return status;
    if (is_bound(cut, way))
        hs_platform_set_link_at_least(b->platform, link);
    hs__edge edge = {.from = b->platform->nodes[from].vertex,
                     .to = b->platform->nodes[to].vertex,
                     .gw_from = -1,
                     .gw_to = -1,
                     .count = 1};
    return hs__platform_add_edge(b->platform, edge, &link, b->error);
}

static hs_status add_asymmetric(builder *b, int below, int above, const char *name, const hs__cut *cut)
{
    char id[NAME_SIZE + 8];
    snprintf(id, sizeof id, "%s_out", name);
    hs_status status = add_way(b, below, above, id, cut, 0);
    snprintf(id, sizeof id, "%s_in", name);
    return status == HS_OK ? add_way(b, above, below, id, cut, 1) : status;
}

void hs__cut_name(const hs__cut *cut, int index, const hs_platform *platform, char *name, size_t size)
{
    if (cut->host >= 0)
        snprintf(name, size, "host_%s", hs_platform_node_id(platform, cut->host));
    else
        snprintf(name, size, "trunk_%d", index - hs_platform_hosts(platform));
}

static hs_status add_link(builder *b, int c)
{
    const hs__cut *cut = &b->cut[c];
    char name[NAME_SIZE];
    int link, below = cut->host >= 0 ? cut->host : b->node[c], above = cut->parent < 0 ? b->root : b->node[cut->parent];
    double mean = 0.5 * (cut->capacity[0] + cut->capacity[1]), latency = cut->latency;
    hs__cut_name(cut, c, b->platform, name, sizeof name);
    if (cut->policy == HS__CUT_DUPLEX && cut->capacity[0] != cut->capacity[1])
        return add_asymmetric(b, below, above, name, cut);
    hs_status status =
        cut->policy == HS__CUT_DUPLEX
            ? hs_platform_add_duplex(b->platform, name, mean, latency, &link, b->error)
            : hs_platform_add_link(b->platform, name, mean, latency,
                                   cut->policy == HS__CUT_SHARED ? HS_SHARED : HS_FATPIPE, &link, b->error);
    if (status != HS_OK)
        return status;
    if (is_bound(cut, 0) || is_bound(cut, 1))
        hs_platform_set_link_at_least(b->platform, link);
    return hs_platform_add_edge(b->platform, below, above, link, b->error);
}

/* A router whose id no host has. */
static hs_status add_router(builder *b, int number, int *router)
{
    char id[NAME_SIZE];
    snprintf(id, sizeof id, "switch_%d", number);
    while (hs_platform_find_node(b->platform, id) >= 0 && strlen(id) + 1 < sizeof id)
        snprintf(id + strlen(id), 2, "_");
    return hs_platform_add_router(b->platform, id, router, b->error);
}

static hs_status add_routers(builder *b)
{
    hs_status status = add_router(b, 0, &b->root);
    for (int c = b->hosts; c < b->cuts && status == HS_OK; c++)
        status = add_router(b, c - b->hosts + 1, &b->node[c]);
    return status;
}

hs_status hs__cuts_build(const hs__cut *cut, int count, hs_platform *platform, hs_error *error)
{
    builder b = {.cut = cut, .cuts = count, .hosts = hs_platform_hosts(platform), .platform = platform, .error = error};
    if (b.hosts < 2)
        return HS_OK;
    b.node = hs__array_new((size_t)b.cuts, sizeof *b.node);
    if (!b.node)
        return hs__error_status(error, HS_ERR_NOMEM);
    hs_status status = add_routers(&b);
    for (int c = 0; c < b.cuts && status == HS_OK; c++)
        status = add_link(&b, c);
    free(b.node);
    return status;
}

double hs__cuts_bandwidth(const hs__cut *cut, int count, int from, int to, int *least)
{
    double bandwidth = INFINITY;
    for (int c = 0; c < count; c++) {
        int way = cut[c].side[to];
        if (cut[c].side[from] == way || cut[c].capacity[way] >= bandwidth)
            continue;
        bandwidth = cut[c].capacity[way];
        if (least)
            *least = c;
    }
    return bandwidth;
}
