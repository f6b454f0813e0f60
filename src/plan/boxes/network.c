/* SPDX-License-Identifier: BSD-3-Clause */
/* From a platform to routes as numbers: those that the mapping planner works on. */
#include "plan/boxes/network.h"

#include "plan/hierarchy/hierarchy.h"
#include "plan/mapping/problem.h"
#include "util/array.h"
#include <stdlib.h>
#include <string.h>

hs_status hs__boxes_network_new(int hosts, int nodes, int links, int crossings, hs__boxes_network *network)
{
    size_t pairs = (size_t)nodes * (size_t)nodes;
    hs__boxes_network n = {.hosts = hosts, .nodes = nodes, .links = links, .crossings = crossings};
    n.node = hs__pool_new(&n.pool, (size_t)hosts, sizeof *n.node);
    n.nested = hs__pool_new(&n.pool, (size_t)hosts, sizeof *n.nested);
    n.route = hs__pool_new(&n.pool, pairs + 1, sizeof *n.route);
    n.link = hs__pool_new(&n.pool, (size_t)crossings, sizeof *n.link);
    n.per_byte = hs__pool_new(&n.pool, (size_t)links, sizeof *n.per_byte);
    n.slowest = hs__pool_new(&n.pool, pairs, sizeof *n.slowest);
    hs_status status = hs__pool_complete(&n.pool);
    if (status == HS_OK)
        *network = n;
    return status;
}

void hs__boxes_network_free(hs__boxes_network *network)
{
    hs__pool_free(&network->pool);
    *network = (hs__boxes_network){0};
}

/* All hosts are one group where links are equal, or there are too many hosts for distances. */
static hs_status find_groups(const hs_platform *platform, const hs__mapping *m, hs__boxes_network *network)
{
    hs__pool pool = {0};
    size_t nodes = (size_t)m->hosts;
    unsigned char *distance = hs__pool_new(&pool, nodes * nodes, 1);
    double *weight = hs__pool_new(&pool, (size_t)m->vertices, sizeof *weight);
    hs_status status = hs__pool_status(&pool);
    for (int i = 0; i < m->vertices && status == HS_OK; i++) {
        network->nested[i] = 1;
        weight[i] = 1;
    }
    if (status == HS_OK)
        status = hs__distances_find(platform, m->node, m->hosts, distance);
    if (status == HS_OK) {
        hs__domain_parts parts = {m->vertices, weight, m->home, m->hosts, distance};
        status = hs__domains_find(&parts, network->nested);
    }
    hs__pool_free(&pool);
    return status == HS_UNCHANGED || status == HS_ERR_UNSUPPORTED ? HS_OK : status;
}

hs_status hs__boxes_network_create(const hs_platform *platform, const int *host, int hosts, hs__boxes_network *network,
                                   hs_error *error)
{
    static const int64_t none = 0;
    hs_mapping_params params = {.ranks = hosts, .host = host};
    hs_mapping_graph graph = {.vertices = 0, .first = &none};
    hs__mapping m;
    hs__boxes_network n = {0};
    hs_status status = hs__mapping_init(&m, platform, &params, &graph, error);
    if (status == HS_OK) {
        size_t pairs = (size_t)m.hosts * (size_t)m.hosts;
        status = hs__boxes_network_new(hosts, m.hosts, m.links, m.route[pairs], &n);
        if (status == HS_OK) {
            memcpy(n.node, m.home, (size_t)hosts * sizeof *n.node);
            memcpy(n.route, m.route, (pairs + 1) * sizeof *n.route);
            if (n.crossings > 0)
                memcpy(n.link, m.link, (size_t)n.crossings * sizeof *n.link);
            memcpy(n.per_byte, m.per_byte, (size_t)n.links * sizeof *n.per_byte);
            memcpy(n.slowest, m.slowest, pairs * sizeof *n.slowest);
            status = find_groups(platform, &m, &n);
        }
    }
    hs__mapping_free(&m);
    if (status == HS_OK)
        *network = n;
    else
        hs__boxes_network_free(&n);
    return status;
}
