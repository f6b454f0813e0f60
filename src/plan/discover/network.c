/* SPDX-License-Identifier: BSD-3-Clause */
/* The tree of cuts as routers, links and edges of a platform. */
#include "plan/discover/discover.h"
#include "platform/platform.h"
#include "util/array.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double alike = 0.15; /* directions that differ by less are one duplex link of their mean */

typedef struct builder {
    const hs__cut *cut;
    int cuts, hosts;
    int *node; /* of each switch, by cut; owned */
    int root;
    hs_platform *platform;
    hs_error *error;
} builder;

/* One way from node a to node b. */
static hs_status add_way(builder *b, int from, int to, const char *id, double bandwidth, double latency)
{
    int link;
    hs_status status = hs_platform_add_link(b->platform, id, bandwidth, latency, HS_SHARED, &link, b->error);
    if (status != HS_OK)
        return status;
    hs__edge edge = {.from = b->platform->nodes[from].vertex,
                     .to = b->platform->nodes[to].vertex,
                     .gw_from = -1,
                     .gw_to = -1,
                     .count = 1};
    return hs__platform_add_edge(b->platform, edge, &link, b->error);
}

static hs_status add_asymmetric(builder *b, int below, int above, const char *name, const hs__cut *cut, double latency)
{
    char id[64];
    snprintf(id, sizeof id, "%s_out", name);
    hs_status status = add_way(b, below, above, id, cut->capacity[0], latency);
    snprintf(id, sizeof id, "%s_in", name);
    return status == HS_OK ? add_way(b, above, below, id, cut->capacity[1], latency) : status;
}

static hs_status add_link(builder *b, int c, double latency)
{
    const hs__cut *cut = &b->cut[c];
    char name[48];
    int link, below = cut->host >= 0 ? cut->host : b->node[c], above = cut->parent < 0 ? b->root : b->node[cut->parent];
    double out = cut->capacity[0], in = cut->capacity[1];
    hs__cut known = *cut;
    known.capacity[0] = out > 0 ? out : in;
    known.capacity[1] = in > 0 ? in : out;
    double mean = 0.5 * (known.capacity[0] + known.capacity[1]);
    if (cut->host >= 0)
        snprintf(name, sizeof name, "host_%d", cut->host);
    else
        snprintf(name, sizeof name, "trunk_%d", c - b->hosts);
    if (cut->policy == HS__CUT_DUPLEX && fabs(known.capacity[0] - known.capacity[1]) > alike * mean)
        return add_asymmetric(b, below, above, name, &known, latency);
    hs_status status =
        cut->policy == HS__CUT_DUPLEX
            ? hs_platform_add_duplex(b->platform, name, mean, latency, &link, b->error)
            : hs_platform_add_link(b->platform, name, mean, latency,
                                   cut->policy == HS__CUT_SHARED ? HS_SHARED : HS_FATPIPE, &link, b->error);
    return status == HS_OK ? hs_platform_add_edge(b->platform, below, above, link, b->error) : status;
}

static hs_status add_routers(builder *b)
{
    hs_status status = hs_platform_add_router(b->platform, "switch", &b->root, b->error);
    for (int c = b->hosts; c < b->cuts && status == HS_OK; c++) {
        char id[32];
        snprintf(id, sizeof id, "switch_%d", c - b->hosts);
        status = hs_platform_add_router(b->platform, id, &b->node[c], b->error);
    }
    return status;
}

hs_status hs__discovery_build(const hs__discovery *discovery, const double *latency, hs_platform *platform,
                              hs_error *error)
{
    builder b = {.hosts = hs_platform_hosts(platform), .platform = platform, .error = error};
    b.cut = hs__discovery_cuts(discovery, &b.cuts);
    if (b.hosts < 2)
        return HS_OK;
    b.node = hs__array_new((size_t)b.cuts, sizeof *b.node);
    if (!b.node)
        return hs_error_set(error, HS_ERR_NOMEM, 0, "%s", hs_status_text(HS_ERR_NOMEM));
    hs_status status = add_routers(&b);
    for (int c = 0; c < b.cuts && status == HS_OK; c++)
        status = add_link(&b, c, latency ? latency[c] : 0);
    free(b.node);
    return status;
}
