/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a mapping is one, and what it costs by the definition: every message over its route, link by link. */
#include "plan/mapping/mapping.h"
#include "util/array.h"
#include "util/pool.h"
#include "util/status.h"
#include <math.h>
#include <stdlib.h>

static const double rounding = 1e-9; /* relative */

/* Adds a message to the cost and to the time its links are busy. */
static void carry(const hs_platform *platform, const hs_route *route, double bytes, double *busy, hs_mapping_cost *cost)
{
    for (size_t i = 0; i < route->count; i++) {
        double seconds = bytes / hs_platform_link_bandwidth(platform, route->links[i]);
        cost->total += seconds;
        cost->busiest = fmax(cost->busiest, seconds);
        if (hs_platform_link_sharing(platform, route->links[i]) == HS_SHARED)
            cost->busiest = fmax(cost->busiest, busy[route->links[i]] += seconds);
    }
}

/* All messages of vertex v; repeated edges are one message. sent: scratch of zeroes by vertex, left so. */
static hs_status send_all(const hs_platform *platform, const hs_mapping_params *params, const hs_mapping_graph *graph,
                          const int *rank, int v, double *sent, hs_route *route, double *busy, hs_mapping_cost *cost)
{
    hs_status status = HS_OK;
    for (int64_t k = graph->first[v]; k < graph->first[v + 1]; k++)
        sent[graph->to[k]] += graph->bytes ? graph->bytes[k] : 1;
    for (int64_t k = graph->first[v]; k < graph->first[v + 1]; k++) {
        int from = params->host[rank[v]], to = params->host[rank[graph->to[k]]];
        double bytes = sent[graph->to[k]];
        sent[graph->to[k]] = 0;
        if (from == to || bytes == 0 || status != HS_OK)
            continue;
        status = hs_platform_route(platform, from, to, route);
        if (status == HS_OK)
            carry(platform, route, bytes, busy, cost);
    }
    return status;
}

hs_status hs__mapping_measure(const hs_platform *platform, const hs_mapping_params *params,
                              const hs_mapping_graph *graph, const int *rank, hs_mapping_cost *cost)
{
    hs__pool pool = {0};
    hs_mapping_cost sum = {0, 0};
    hs_route route = {0};
    double *busy = hs__pool_new(&pool, (size_t)hs_platform_links(platform), sizeof *busy);
    double *sent = hs__pool_new(&pool, (size_t)graph->vertices, sizeof *sent);
    hs_status status = hs__pool_status(&pool);
    for (int v = 0; v < graph->vertices && status == HS_OK; v++)
        status = send_all(platform, params, graph, rank, v, sent, &route, busy, &sum);
    hs_route_free(&route);
    hs__pool_free(&pool);
    if (status == HS_OK)
        *cost = sum;
    return status;
}

static hs_status check_ranks(const hs_mapping_params *params, const hs_mapping_graph *graph, const int *rank,
                             hs_error *error)
{
    char *seen = hs__array_new((size_t)params->ranks, 1);
    hs_status status = seen ? HS_OK : HS_ERR_NOMEM;
    for (int v = 0; v < graph->vertices && status == HS_OK; v++) {
        if (rank[v] < 0 || rank[v] >= params->ranks || seen[rank[v]])
            status = hs_error_set(error, HS_ERR_INTERNAL, 0, "vertex %d is mapped to rank %d, out of range or taken", v,
                                  rank[v]);
        else
            seen[rank[v]] = 1;
    }
    free(seen);
    if (status == HS_OK && params->keep_first && graph->vertices > 0 && rank[0] != 0)
        status = hs_error_set(error, HS_ERR_INTERNAL, 0, "vertex 0 is mapped to rank %d, not to rank 0", rank[0]);
    return status;
}

hs_status hs_mapping_check(const hs_platform *platform, const hs_mapping_params *params, const hs_mapping_graph *graph,
                           const int *rank, hs_mapping_cost cost, hs_error *error)
{
    hs_mapping_cost real = {0, 0};
    hs_status status = check_ranks(params, graph, rank, error);
    if (status == HS_OK)
        status = hs__mapping_measure(platform, params, graph, rank, &real);
    if (status == HS_ERR_NOMEM)
        return hs__error_status(error, status);
    if (status == HS_OK && (!(fabs(real.busiest - cost.busiest) <= rounding * real.busiest) ||
                            !(fabs(real.total - cost.total) <= rounding * real.total)))
        status = hs_error_set(error, HS_ERR_INTERNAL, 0,
                              "the busiest link is busy for %g s, all links for %g s, not for %g and %g", real.busiest,
                              real.total, cost.busiest, cost.total);
    return status;
}
