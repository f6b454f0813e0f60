/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/ring_network.h"
#include "util/array.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void fill_links(hs__network *n, const hs_ring_params *params)
{
    for (int e = 0; e < n->links; e++) {
        int link = n->order.link[e], fatpipe = hs_platform_link_sharing(n->platform, link) == HS_FATPIPE;
        double bandwidth = hs_platform_link_bandwidth(n->platform, link);
        n->capacity[e] = fatpipe ? INFINITY : bandwidth;
        n->fatpipe[e] = fatpipe ? bandwidth : INFINITY;
        n->latency[e] = params->latency == HS_RING_LATENCY_ADDED ? hs_platform_link_latency(n->platform, link) : 0.0;
    }
}

/* Fills speed and order. */
static hs_status order_hosts(hs__network *n, const hs_ring_params *params)
{
    double *speed = hs__array_new((size_t)n->hosts, sizeof *speed);
    if (!speed)
        return HS_ERR_NOMEM;
    for (int i = 0; i < n->hosts; i++)
        speed[i] = params->speed ? params->speed[i]
                                 : hs_platform_host_speed(n->platform, i) * hs_platform_host_cores(n->platform, i);
    hs_status status = hs__order_init(&n->order, n->platform, speed);
    for (int i = 0; i < n->hosts && status == HS_OK; i++)
        n->speed[i] = speed[n->order.node[i]];
    free(speed);
    return status;
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
    if (!n.speed || !n.capacity || !n.fatpipe || !n.latency || !n.fixed || order_hosts(&n, params) != HS_OK) {
        hs__network_free(&n);
        return hs_error_set(error, HS_ERR_NOMEM, 0, "out of memory for a platform of %d hosts", n.hosts);
    }
    fill_links(&n, params);
    *network = n;
    return HS_OK;
}

void hs__network_free(hs__network *network)
{
    for (size_t i = 0; i < network->table_size; i++)
        if (network->table[i]) {
            free(network->table[i]->links);
            free(network->table[i]);
        }
    free(network->table);
    hs_route_free(&network->scratch);
    free(network->fixed);
    free(network->latency);
    free(network->fatpipe);
    free(network->capacity);
    free(network->speed);
    hs__order_free(&network->order);
}

void hs__network_measure(const hs__network *network, const int *links, size_t count, hs__path *path)
{
    path->count = (int)count;
    path->cap = INFINITY;
    path->latency = 0.0;
    for (size_t m = 0; m < count; m++) {
        path->cap = hs__smaller(path->cap, network->fatpipe[links[m]]);
        path->latency += network->latency[links[m]];
    }
}

/* The slot of these links in a table with room: their path, or NULL where it belongs. */
static hs__path **find_slot(hs__path **table, size_t size, const int *links, size_t count)
{
    uint64_t hash = 1469598103934665603u;
    for (size_t m = 0; m < count; m++)
        hash = (hash ^ (uint64_t)links[m]) * 1099511628211u;
    for (size_t at = (size_t)(hash ^ (hash >> 32)) & (size - 1);; at = (at + 1) & (size - 1)) {
        hs__path *path = table[at];
        if (!path ||
            ((size_t)path->count == count && (count == 0 || memcmp(path->links, links, count * sizeof *links) == 0)))
            return &table[at];
    }
}

static hs_status grow_table(hs__network *network)
{
    size_t size = network->table_size ? 2 * network->table_size : 64;
    hs__path **table = hs__array_new(size, sizeof(hs__path *));
    if (!table)
        return HS_ERR_NOMEM;
    for (size_t i = 0; i < network->table_size; i++)
        if (network->table[i])
            *find_slot(table, size, network->table[i]->links, (size_t)network->table[i]->count) = network->table[i];
    free(network->table);
    network->table = table;
    network->table_size = size;
    return HS_OK;
}

hs_status hs__network_path(hs__network *network, const int *links, size_t count, const hs__path **path)
{
    if (2 * (network->paths + 1) > network->table_size && grow_table(network) != HS_OK)
        return HS_ERR_NOMEM;
    hs__path **slot = find_slot(network->table, network->table_size, links, count);
    if (!*slot) {
        hs__path *made = malloc(sizeof *made);
        int *copy = hs__array_new(count, sizeof *copy);
        if (!made || !copy) {
            free(made);
            free(copy);
            return HS_ERR_NOMEM;
        }
        if (count)
            memcpy(copy, links, count * sizeof *copy);
        made->links = copy;
        hs__network_measure(network, links, count, made);
        *slot = made;
        network->paths++;
    }
    *path = *slot;
    return HS_OK;
}

hs_status hs__network_route(hs__network *network, int from, int to, const hs__path **path)
{
    const hs__path **slot = &network->fixed[(size_t)from * (size_t)network->hosts + (size_t)to];
    if (!*slot) {
        const hs__order *order = &network->order;
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
