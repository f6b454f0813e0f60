/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/ring/network.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/hash.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Few enough that numbers in other units seldom round to others, and so many that times keep twelve digits. */
enum { ROUNDED_BITS = 40 };

static double speed_of(const hs_platform *platform, const hs_ring_params *params, int host)
{
    return params->speed ? params->speed[host]
                         : hs_platform_host_speed(platform, host) * hs_platform_host_cores(platform, host);
}

/* The numbers of the platform. */
static void fill(hs__network *n, const hs_ring_params *params)
{
    n->unit = (hs__units){1.0, 1.0, 1.0};
    for (int i = 0; i < n->hosts; i++) {
        n->speed[i] = speed_of(n->platform, params, n->order.node[i]);
        HS_ASSERT(i == 0 || n->speed[i] <= n->speed[i - 1]);
    }
    for (int e = 0; e < n->links; e++) {
        int link = n->order.link[e], fatpipe = hs_platform_link_sharing(n->platform, link) == HS_FATPIPE;
        double bandwidth = hs_platform_link_bandwidth(n->platform, link);
        n->capacity[e] = fatpipe ? INFINITY : bandwidth;
        n->fatpipe[e] = fatpipe ? bandwidth : INFINITY;
        n->latency[e] = params->latency == HS_RING_LATENCY_ADDED ? hs_platform_link_latency(n->platform, link) : 0.0;
    }
}

static hs_status find_order(hs__network *n, const hs_ring_params *params)
{
    for (int i = 0; i < n->hosts; i++)
        n->speed[i] = speed_of(n->platform, params, i);
    return hs__ring_order_init(&n->order, n->platform, n->speed);
}

hs_status hs__network_init(hs__network *network, const hs_platform *platform, const hs_ring_params *params,
                           hs_error *error)
{
    hs__network n = {.platform = platform,
                     .hosts = hs_platform_hosts(platform),
                     .links = hs_platform_links(platform),
                     .none = {.count = -1}};
    size_t hosts = (size_t)n.hosts, links = (size_t)n.links;
    n.speed = hs__pool_new(&n.pool, hosts, sizeof *n.speed);
    n.capacity = hs__pool_new(&n.pool, links, sizeof *n.capacity);
    n.fatpipe = hs__pool_new(&n.pool, links, sizeof *n.fatpipe);
    n.latency = hs__pool_new(&n.pool, links, sizeof *n.latency);
    n.fixed = hs__pool_new(&n.pool, hosts * hosts, sizeof *n.fixed);
    n.busy = hs__pool_new(&n.pool, hosts, sizeof *n.busy);
    n.finish = hs__pool_new(&n.pool, hosts, sizeof *n.finish);
    if (hs__pool_status(&n.pool) != HS_OK || find_order(&n, params) != HS_OK) {
        hs__network_free(&n);
        return hs_error_set(error, HS_ERR_NOMEM, 0, "out of memory for a platform of %d hosts", n.hosts);
    }
    fill(&n, params);
    *network = n;
    return HS_OK;
}

hs_status hs__network_use_functions(hs__network *network, const hs_ring_params *params, const hs__by_size *sizes)
{
    size_t hosts = (size_t)network->hosts;
    hs_speed_function *function = hs__pool_new(&network->pool, hosts, sizeof *function);
    if (hs__pool_status(&network->pool) != HS_OK)
        return HS_ERR_NOMEM;
    for (size_t i = 0; i < hosts; i++)
        function[i] = sizes->function[network->order.node[i]];
    network->function = function;
    network->work = params->work;
    network->data = params->data;
    return HS_OK;
}

void hs__network_free(hs__network *network)
{
    free(network->path);
    hs__index_free(&network->by_links);
    hs_route_free(&network->scratch);
    hs__ring_order_free(&network->order);
    hs__pool_free(&network->pool);
}

void hs__network_measure(const hs__network *network, hs__path *path)
{
    path->cap = INFINITY;
    path->latency = 0.0;
    for (int m = 0; m < path->count; m++) {
        path->cap = hs__smaller(path->cap, network->fatpipe[path->links[m]]);
        path->latency += network->latency[path->links[m]];
    }
}

/* x as a multiple of a unit, with few bits. */
static double rounded(double x, double unit)
{
    int exponent;
    double fraction = frexp(x / unit, &exponent),
           near = ldexp(rint(ldexp(fraction, ROUNDED_BITS)), exponent - ROUNDED_BITS);
    HS_ASSERT(isinf(x) || fabs(near - x / unit) <= 1e-12 * fabs(x / unit));
    return near;
}

/* The time unit is the longest of computing all on the fastest host, a message alone on the widest link, and a link's
 * latency. */
static hs__units largest(const hs__network *n, const hs_ring_params *params)
{
    double bandwidth = 0.0, latency = 0.0;
    for (int e = 0; e < n->links; e++) {
        bandwidth = fmax(bandwidth, fmin(n->capacity[e], n->fatpipe[e]));
        latency = fmax(latency, n->latency[e]);
    }
    hs__units unit = {.speed = n->speed[0], .bandwidth = bandwidth > 0 ? bandwidth : 1.0};
    unit.time = fmax(fmax(params->work / unit.speed, params->halo / unit.bandwidth), latency);
    unit.time = unit.time > 0 ? unit.time : 1.0;
    return unit;
}

void hs__network_round(hs__network *network, hs_ring_params *params)
{
    const hs__units unit = network->unit = largest(network, params);
    params->work = rounded(params->work / unit.speed, unit.time);
    params->halo = rounded(params->halo / unit.bandwidth, unit.time);
    for (int i = 0; i < network->hosts; i++)
        network->speed[i] = rounded(network->speed[i], unit.speed);
    for (int e = 0; e < network->links; e++) {
        network->capacity[e] = rounded(network->capacity[e], unit.bandwidth);
        network->fatpipe[e] = rounded(network->fatpipe[e], unit.bandwidth);
        network->latency[e] = rounded(network->latency[e], unit.time);
    }
}

void hs__network_restore(hs__network *network, const hs_ring_params *params)
{
    int differ = 0; /* paths know the numbers of their links */
    fill(network, params);
    for (int e = 0; e < network->links && !differ; e++)
        differ = !isinf(network->fatpipe[e]) || network->latency[e] > 0;
    for (size_t i = 0; i < network->by_links.used && differ; i++)
        hs__network_measure(network, network->path[i]);
}

/* Links that a path is looked for by. */
typedef struct crossed_links {
    const int *links;
    size_t count;
} crossed_links;

static int has_links(const void *owner, int path, const void *key)
{
    const hs__path *known = ((hs__path *const *)owner)[path];
    const crossed_links *wanted = key;
    return (size_t)known->count == wanted->count &&
           (wanted->count == 0 || memcmp(known->links, wanted->links, wanted->count * sizeof *wanted->links) == 0);
}

static uint64_t hash_of(const int *links, size_t count)
{
    uint64_t hash = HS__HASH_START;
    for (size_t m = 0; m < count; m++)
        hash = hs__hash_add(hash, (uint64_t)links[m]);
    return hs__hash_spread(hash);
}

hs_status hs__network_path(hs__network *network, const int *links, size_t count, const hs__path **path)
{
    uint64_t hash = hash_of(links, count);
    int known = hs__index_find(&network->by_links, hash, has_links, network->path, &(crossed_links){links, count});
    if (known >= 0) {
        *path = network->path[known];
        return HS_OK;
    }
    hs__path *made = hs__pool_new(&network->pool, 1, sizeof *made + count * sizeof *links); /* its links follow it */
    if (!made || hs__index_reserve(&network->by_links, 1) != 0 ||
        hs__array_reserve(&network->path, &network->path_room, network->by_links.used + 1, sizeof(hs__path *)) != 0)
        return HS_ERR_NOMEM;
    *made = (hs__path){.links = (int *)(made + 1), .count = (int)count};
    if (count)
        memcpy(made->links, links, count * sizeof *links);
    hs__network_measure(network, made);
    network->path[network->by_links.used] = made;
    hs__index_add(&network->by_links, hash, (int)network->by_links.used);
    *path = made;
    return HS_OK;
}

hs_status hs__network_route(hs__network *network, int from, int to, const hs__path **path)
{
    const hs__path **slot = &network->fixed[(size_t)from * (size_t)network->hosts + (size_t)to];
    if (!*slot) {
        const hs__ring_order *order = &network->order;
        hs_route *route = &network->scratch;
        hs_status status = hs_platform_route(network->platform, order->node[from], order->node[to], route);
        const hs__path *made = &network->none;
        for (size_t m = 0; m < route->count && status == HS_OK; m++)
            route->links[m] = order->link_place[route->links[m]];
        if (status == HS_OK)
            status = hs__network_path(network, route->links, route->count, &made);
        else if (status == HS_ERR_UNREACHABLE)
            status = HS_OK;
        if (status != HS_OK)
            return status;
        *slot = made;
    }
    *path = *slot == &network->none ? NULL : *slot;
    return HS_OK;
}
