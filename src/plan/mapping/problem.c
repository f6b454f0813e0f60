/* SPDX-License-Identifier: BSD-3-Clause */
/* From a platform and a graph to the numbers that the search works on. */
#include "plan/mapping/problem.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/reserved.h"
#include "util/status.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* So many times everything is looked at in a small problem, unless the caller says otherwise. */
enum { PASSES = 200 };

static hs_status check(const hs_platform *platform, const hs_mapping_params *params, const hs_mapping_graph *graph,
                       hs_error *error)
{
    if (!platform || !params || !graph || (!params->host && params->ranks > 0) ||
        (!graph->first && graph->vertices > 0))
        return hs_error_set(error, HS_ERR_ARG, 0, "no platform, parameters, hosts of the ranks, graph or first edges");
    if (params->ranks < 0 || graph->vertices < 0 || params->effort < 0)
        return hs_error_set(error, HS_ERR_ARG, 0, "the number of ranks, vertices or the effort is below 0");
    if (graph->vertices > params->ranks)
        return hs_error_set(error, HS_ERR_ARG, 0, "%d vertices are more than %d ranks", graph->vertices, params->ranks);
    if (hs__reserved_check(params->reserved, HS__RESERVED, error) != HS_OK)
        return HS_ERR_ARG;
    for (int r = 0; r < params->ranks; r++)
        if (params->host[r] < 0 || params->host[r] >= hs_platform_hosts(platform))
            return hs_error_set(error, HS_ERR_ARG, 0, "rank %d is on host %d, which the platform has not", r,
                                params->host[r]);
    if (graph->vertices > 0 && (graph->first[0] != 0 || graph->first[graph->vertices] > INT_MAX / 4))
        return hs_error_set(error, HS_ERR_ARG, 0, "the edges do not begin at 0, or are too many");
    for (int v = 0; v < graph->vertices; v++) /* all of them before any edge is looked at */
        if (graph->first[v + 1] < graph->first[v])
            return hs_error_set(error, HS_ERR_ARG, 0, "vertex %d has fewer than no edges", v);
    if (graph->vertices > 0 && graph->first[graph->vertices] > 0 && !graph->to)
        return hs_error_set(error, HS_ERR_ARG, 0, "the edges lead nowhere: to is NULL");
    for (int v = 0; v < graph->vertices; v++)
        for (int64_t k = graph->first[v]; k < graph->first[v + 1]; k++) {
            double bytes = graph->bytes ? graph->bytes[k] : 1;
            if (graph->to[k] < 0 || graph->to[k] >= graph->vertices)
                return hs_error_set(error, HS_ERR_ARG, 0, "vertex %d sends to %d, which is no vertex", v, graph->to[k]);
            if (!(bytes >= 0) || !isfinite(bytes))
                return hs_error_set(error, HS_ERR_ARG, 0, "vertex %d sends %g bytes to %d", v, bytes, graph->to[k]);
        }
    return HS_OK;
}

/* Numbers the hosts that have ranks, by their first ranks. */
static hs_status find_hosts(hs__mapping *m, const hs_platform *platform, const int *host, hs_error *error)
{
    int *number = hs__array_new((size_t)hs_platform_hosts(platform), sizeof *number);
    m->home = hs__pool_new(&m->pool, (size_t)m->vertices, sizeof *m->home);
    m->room = hs__pool_new(&m->pool, (size_t)m->vertices, sizeof *m->room);
    m->node = hs__pool_new(&m->pool, (size_t)m->vertices, sizeof *m->node);
    if (!number || hs__pool_status(&m->pool) != HS_OK) {
        free(number);
        return HS_ERR_NOMEM;
    }
    for (int r = 0; r < m->vertices; r++) {
        if (number[host[r]] == 0) {
            m->node[m->hosts++] = host[r];
            number[host[r]] = m->hosts;
        }
        m->home[r] = number[host[r]] - 1;
        m->room[m->home[r]]++;
    }
    free(number);
    if (m->hosts > HS_MAPPING_HOSTS_MAX)
        return hs_error_set(error, HS_ERR_UNSUPPORTED, 0, "%d hosts are more than %d", m->hosts, HS_MAPPING_HOSTS_MAX);
    return HS_OK;
}

static hs_status add_route(hs__mapping *m, const hs_platform *platform, int pair, const hs_route *route, size_t *room)
{
    int used = m->route[pair];
    if (hs__array_reserve(&m->link, room, (size_t)used + route->count, sizeof *m->link) != 0 ||
        route->count > (size_t)(INT_MAX - used))
        return HS_ERR_NOMEM;
    for (size_t i = 0; i < route->count; i++) {
        double per_byte = 1 / hs_platform_link_bandwidth(platform, route->links[i]);
        m->all[pair] += per_byte;
        m->slowest[pair] = fmax(m->slowest[pair], per_byte);
        if (hs_platform_link_sharing(platform, route->links[i]) == HS_SHARED)
            m->link[used++] = route->links[i];
    }
    m->route[pair + 1] = used;
    return HS_OK;
}

static hs_status find_routes(hs__mapping *m, const hs_platform *platform, hs_error *error)
{
    size_t pairs = (size_t)m->hosts * (size_t)m->hosts, room = 0;
    hs_route route = {0};
    hs_status status = HS_OK;
    m->links = hs_platform_links(platform);
    m->route = hs__pool_new(&m->pool, pairs + 1, sizeof *m->route);
    m->slowest = hs__pool_new(&m->pool, pairs, sizeof *m->slowest);
    m->all = hs__pool_new(&m->pool, pairs, sizeof *m->all);
    m->per_byte = hs__pool_new(&m->pool, (size_t)m->links, sizeof *m->per_byte);
    if (hs__pool_status(&m->pool) != HS_OK)
        return HS_ERR_NOMEM;
    for (int l = 0; l < m->links; l++)
        m->per_byte[l] = 1 / hs_platform_link_bandwidth(platform, l);
    for (int a = 0; a < m->hosts && status == HS_OK; a++)
        for (int b = 0; b < m->hosts && status == HS_OK; b++) {
            int pair = a * m->hosts + b;
            m->route[pair + 1] = m->route[pair];
            if (a == b)
                continue;
            status = hs_platform_route(platform, m->node[a], m->node[b], &route);
            if (status == HS_OK)
                status = add_route(m, platform, pair, &route, &room);
            else if (status == HS_ERR_UNREACHABLE)
                hs_error_set(error, status, 0, "no route from '%s' to '%s'", hs_platform_node_id(platform, m->node[a]),
                             hs_platform_node_id(platform, m->node[b]));
        }
    hs_route_free(&route);
    return status;
}

static int by_vertex(const void *a, const void *b)
{
    const hs__partner *x = a, *y = b;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

/* Makes one of several partners of the same name. @return how many are left */
static int merge(hs__partner *partner, int n)
{
    int kept = 0;
    qsort(partner, (size_t)n, sizeof *partner, by_vertex);
    for (int k = 0; k < n; k++) {
        if (kept > 0 && partner[kept - 1].vertex == partner[k].vertex) {
            partner[kept - 1].out += partner[k].out;
            partner[kept - 1].in += partner[k].in;
        } else {
            partner[kept++] = partner[k];
        }
    }
    return kept;
}

/* Every edge stands with both of its ends; edges of a vertex with itself and those that carry nothing with none. */
static hs_status find_partners(hs__mapping *m, const hs_mapping_graph *graph)
{
    size_t n = (size_t)m->vertices, edges = graph->vertices > 0 ? (size_t)graph->first[graph->vertices] : 0;
    int *filled = hs__array_new(n + 1, sizeof *filled), kept = 0;
    m->first = hs__pool_new(&m->pool, n + 1, sizeof *m->first);
    m->partner = hs__pool_new(&m->pool, 2 * edges, sizeof *m->partner);
    if (!filled || hs__pool_status(&m->pool) != HS_OK) {
        free(filled);
        return HS_ERR_NOMEM;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int v = 0; v < graph->vertices; v++)
            for (int64_t k = graph->first[v]; k < graph->first[v + 1]; k++) {
                int to = graph->to[k];
                double bytes = graph->bytes ? graph->bytes[k] : 1;
                if (to == v || bytes == 0)
                    continue;
                if (pass == 1) {
                    m->partner[filled[v]] = (hs__partner){to, bytes, 0};
                    m->partner[filled[to]] = (hs__partner){v, 0, bytes};
                }
                filled[v]++;
                filled[to]++;
            }
        for (int v = 0, sum = 0; v < m->vertices && pass == 0; v++) {
            int count = filled[v];
            filled[v] = m->first[v] = sum;
            sum += count;
        }
    }
    for (int v = 0; v < m->vertices; v++) {
        HS_ASSERT(kept <= m->first[v]);
        int begin = m->first[v], count = merge(m->partner + begin, filled[v] - begin);
        m->first[v] = kept;
        for (int k = 0; k < count; k++)
            m->partner[kept++] = m->partner[begin + k];
    }
    m->first[m->vertices] = kept;
    free(filled);
    return HS_OK;
}

hs_status hs__mapping_init(hs__mapping *m, const hs_platform *platform, const hs_mapping_params *params,
                           const hs_mapping_graph *graph, hs_error *error)
{
    *m = (hs__mapping){.pinned = -1};
    hs_status status = check(platform, params, graph, error);
    if (status != HS_OK)
        return status;
    m->vertices = params->ranks;
    if (params->keep_first && graph->vertices > 0)
        m->pinned = 0;
    status = find_hosts(m, platform, params->host, error);
    if (status == HS_OK)
        status = find_routes(m, platform, error);
    if (status == HS_OK)
        status = find_partners(m, graph);
    if (status != HS_OK)
        return status == HS_ERR_NOMEM ? hs__error_status(error, status) : status;
    int64_t n = m->vertices, enough = PASSES * n * (n + m->first[n]);
    m->effort = params->effort > 0 ? params->effort : enough < HS_MAPPING_EFFORT ? enough : HS_MAPPING_EFFORT;
    return HS_OK;
}

void hs__mapping_free(hs__mapping *m)
{
    free(m->link);
    hs__pool_free(&m->pool);
}
