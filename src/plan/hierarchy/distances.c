/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/hierarchy/hierarchy.h"
#include "util/array.h"
#include "util/pool.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A flow for every ordered pair of hosts: from a to b is flow a * hosts + b. Those from a host to itself have no links. */
typedef struct flows {
    const hs_platform *platform;
    const int *node;
    int hosts;
    int *link; /* of all flows, one after another; owned */
    size_t links, room;
    size_t *first, *count; /* [hosts * hosts] in link[] */
    double *rate;          /* [hosts * hosts] bytes/s */
    hs__pool pool;
} flows;

static hs_status add_route(flows *f, size_t flow, hs_route *route)
{
    int a = (int)(flow / (size_t)f->hosts), b = (int)(flow % (size_t)f->hosts);
    f->first[flow] = f->links;
    if (a == b)
        return HS_OK;
    hs_status status = hs_platform_route(f->platform, f->node[a], f->node[b], route);
    if (status != HS_OK)
        return status;
    if (hs__array_reserve(&f->link, &f->room, f->links + route->count, sizeof *f->link) != 0)
        return HS_ERR_NOMEM;
    if (route->count > 0)
        memcpy(f->link + f->links, route->links, route->count * sizeof *f->link);
    f->links += route->count;
    f->count[flow] = route->count;
    return HS_OK;
}

static hs_status find_routes(flows *f, size_t n)
{
    hs_route route = {0};
    hs_status status = HS_OK;
    for (size_t flow = 0; flow < n && status == HS_OK; flow++)
        status = add_route(f, flow, &route);
    hs_route_free(&route);
    return status;
}

static hs_status find_rates(flows *f)
{
    size_t n = (size_t)f->hosts * (size_t)f->hosts;
    f->first = hs__pool_new(&f->pool, n, sizeof *f->first);
    f->count = hs__pool_new(&f->pool, n, sizeof *f->count);
    f->rate = hs__pool_new(&f->pool, n, sizeof *f->rate);
    const int **links = hs__pool_new(&f->pool, n, sizeof *links);
    hs_status status = hs__pool_status(&f->pool);
    if (status == HS_OK)
        status = find_routes(f, n);
    if (status != HS_OK)
        return status;
    for (size_t flow = 0; flow < n; flow++)
        links[flow] = f->link + f->first[flow];
    return hs_platform_maxmin(f->platform, links, f->count, n, f->rate);
}

/* Of the slower direction. */
static double rate_between(const flows *f, int a, int b)
{
    return fmin(f->rate[a * f->hosts + b], f->rate[b * f->hosts + a]);
}

static double find_fastest(const flows *f)
{
    double fastest = 0;
    for (int a = 0; a < f->hosts; a++)
        for (int b = 0; b < a; b++)
            fastest = fmax(fastest, rate_between(f, a, b));
    return fastest;
}

static unsigned char round_distance(double ratio)
{
    double power = fmin(log2(HS__DISTANCE_MAX), fmax(0, round(log2(ratio))));
    return (unsigned char)(1 << (int)power);
}

hs_status hs__distances_find(const hs_platform *platform, const int *node, int hosts, unsigned char *distance)
{
    flows f = {.platform = platform, .node = node, .hosts = hosts};
    int farthest = 1;
    if (hosts < 2 || hosts > HS__DISTANCE_HOSTS_MAX)
        return hosts < 2 ? HS_UNCHANGED : HS_ERR_UNSUPPORTED;
    hs_status status = find_rates(&f);
    unsigned char *found = hs__pool_new(&f.pool, (size_t)hosts * (size_t)hosts, 1);
    if (status == HS_OK)
        status = hs__pool_status(&f.pool);
    double fastest = status == HS_OK ? find_fastest(&f) : 0;
    for (int a = 0; status == HS_OK && a < hosts; a++)
        for (int b = 0; b < hosts; b++) {
            found[a * hosts + b] = a == b ? 1 : round_distance(fastest / rate_between(&f, a, b));
            farthest = farthest > found[a * hosts + b] ? farthest : found[a * hosts + b];
        }
    if (status == HS_OK && farthest == 1)
        status = HS_UNCHANGED;
    if (status == HS_OK)
        memcpy(distance, found, (size_t)hosts * (size_t)hosts);
    free(f.link);
    hs__pool_free(&f.pool);
    return status;
}
