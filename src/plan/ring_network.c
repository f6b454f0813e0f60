/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/ring_network.h"
#include "util/array.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void fill_links(hs__network *n, const hs_ring_params *params)
{
    for (int e = 0; e < n->links; e++) {
        double bandwidth = hs_platform_link_bandwidth(n->platform, e);
        int fatpipe = hs_platform_link_sharing(n->platform, e) == HS_FATPIPE;
        n->capacity[e] = fatpipe ? INFINITY : bandwidth;
        n->fatpipe[e] = fatpipe ? bandwidth : INFINITY;
        n->latency[e] = params->latency == HS_RING_LATENCY_ADDED ? hs_platform_link_latency(n->platform, e) : 0.0;
    }
}

hs_status hs__network_init(hs__network *network, const hs_platform *platform, const hs_ring_params *params,
                           hs_error *error)
{
    hs__network n = {.platform = platform,
                     .hosts = hs_platform_hosts(platform),
                     .links = hs_platform_links(platform),
                     .none = {.count = -1}};
    size_t hosts = (size_t)n.hosts, links = (size_t)n.links;
    n.speed = hs__array_new(hosts, sizeof *n.speed);
    n.capacity = hs__array_new(links, sizeof *n.capacity);
    n.fatpipe = hs__array_new(links, sizeof *n.fatpipe);
    n.latency = hs__array_new(links, sizeof *n.latency);
    n.fixed = hs__array_new(hosts * hosts, sizeof *n.fixed);
    if (!n.speed || !n.capacity || !n.fatpipe || !n.latency || !n.fixed) {
        hs__network_free(&n);
        return hs_error_set(error, HS_ERR_NOMEM, 0, "out of memory for a platform of %d hosts", n.hosts);
    }
    for (int i = 0; i < n.hosts; i++)
        n.speed[i] = params->speed ? params->speed[i]
                                   : hs_platform_host_speed(platform, i) * hs_platform_host_cores(platform, i);
    fill_links(&n, params);
    *network = n;
    return HS_OK;
}

void hs__network_free(hs__network *network)
{
    for (size_t i = 0; i < network->paths; i++) {
        free(network->owned[i]->links);
        free(network->owned[i]);
    }
    free(network->owned);
    hs_route_free(&network->scratch);
    free(network->fixed);
    free(network->latency);
    free(network->fatpipe);
    free(network->capacity);
    free(network->speed);
}

static hs__path *new_path(const int *links, size_t count)
{
    hs__path *path = malloc(sizeof *path);
    int *copy = hs__array_new(count, sizeof *copy);
    if (!path || !copy) {
        free(path);
        free(copy);
        return NULL;
    }
    if (count)
        memcpy(copy, links, count * sizeof *copy);
    *path = (hs__path){copy, (int)count, INFINITY, 0.0};
    return path;
}

hs_status hs__network_path(hs__network *network, const int *links, size_t count, const hs__path **path)
{
    if (hs__array_reserve(&network->owned, &network->path_capacity, network->paths + 1, sizeof *network->owned) != 0)
        return HS_ERR_NOMEM;
    hs__path *made = new_path(links, count);
    if (!made)
        return HS_ERR_NOMEM;
    for (size_t m = 0; m < count; m++) {
        made->cap = fmin(made->cap, network->fatpipe[links[m]]);
        made->latency += network->latency[links[m]];
    }
    network->owned[network->paths++] = made;
    *path = made;
    return HS_OK;
}

hs_status hs__network_route(hs__network *network, int from, int to, const hs__path **path)
{
    const hs__path **slot = &network->fixed[(size_t)from * (size_t)network->hosts + (size_t)to];
    if (!*slot) {
        hs_status status = hs_platform_route(network->platform, from, to, &network->scratch);
        const hs__path *made = &network->none;
        if (status == HS_OK)
            status = hs__network_path(network, network->scratch.links, network->scratch.count, &made);
        else if (status == HS_ERR_UNREACHABLE)
            status = HS_OK;
        if (status != HS_OK)
            return status;
        *slot = made;
    }
    *path = *slot == &network->none ? NULL : *slot;
    return HS_OK;
}
