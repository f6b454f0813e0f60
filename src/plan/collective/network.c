/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of a platform that a collective operation uses, and the bounds that follow from it. */
#include "plan/collective/collective.h"
#include "util/array.h"
#include "util/status.h"
#include <math.h>
#include <stdlib.h>

static hs_status add_route(hs__routes *x, const hs_platform *platform, int pair, const hs_route *route, size_t *room)
{
    int used = x->first[pair];
    if (hs__array_reserve(&x->link, room, (size_t)used + route->count, sizeof *x->link) != 0)
        return HS_ERR_NOMEM;
    x->latency[pair] = route->latency;
    x->bandwidth[pair] = route->bandwidth;
    for (size_t i = 0; i < route->count; i++)
        if (hs_platform_link_sharing(platform, route->links[i]) == HS_SHARED)
            x->link[used++] = route->links[i];
    x->first[pair + 1] = used;
    return HS_OK;
}

static hs_status add_routes(hs__routes *x, const hs_platform *platform, const int *host, hs_error *error)
{
    hs_route route = {0};
    hs_status status = HS_OK;
    size_t room = 0;
    for (int i = 0; i < x->hosts && status == HS_OK; i++)
        for (int j = 0; j < x->hosts && status == HS_OK; j++) {
            int pair = i * x->hosts + j;
            if (i == j) {
                x->first[pair + 1] = x->first[pair];
                continue;
            }
            status = hs_platform_route(platform, host[i], host[j], &route);
            if (status != HS_OK) {
                hs_error_set(error, status, 0, "no route from '%s' to '%s'", hs_platform_node_id(platform, host[i]),
                             hs_platform_node_id(platform, host[j]));
                break;
            }
            status = add_route(x, platform, pair, &route, &room);
        }
    hs_route_free(&route);
    return status;
}

hs_status hs__routes_init(hs__routes *x, const hs_platform *platform, const int *host, int hosts,
                          const hs_collective_params *params, hs_error *error)
{
    size_t pairs = (size_t)hosts * (size_t)hosts;
    *x = (hs__routes){
        .hosts = hosts, .links = hs_platform_links(platform), .overhead = params->overhead, .combine = params->combine};
    x->capacity = hs__pool_new(&x->pool, (size_t)x->links, sizeof *x->capacity);
    x->latency = hs__pool_new(&x->pool, pairs, sizeof *x->latency);
    x->bandwidth = hs__pool_new(&x->pool, pairs, sizeof *x->bandwidth);
    x->first = hs__pool_new(&x->pool, pairs + 1, sizeof *x->first);
    hs_status status = hs__pool_status(&x->pool);
    for (int l = 0; l < x->links && status == HS_OK; l++)
        x->capacity[l] = hs_platform_link_bandwidth(platform, l);
    if (status == HS_OK)
        status = add_routes(x, platform, host, error);
    if (status == HS_ERR_NOMEM)
        hs__error_status(error, status);
    if (status != HS_OK)
        hs__routes_free(x);
    return status;
}

void hs__routes_free(hs__routes *x)
{
    free(x->link);
    hs__pool_free(&x->pool);
}

/* The least time for `bytes` to leave host i (or to reach it). */
static double least(const hs__routes *x, int i, int leaves, double bytes)
{
    double best = INFINITY;
    for (int j = 0; j < x->hosts; j++) {
        int pair = leaves ? i * x->hosts + j : j * x->hosts + i;
        if (j != i)
            best = fmin(best, x->overhead + x->latency[pair] + bytes / x->bandwidth[pair]);
    }
    return best;
}

static int crosses(const hs__routes *x, int pair, int link)
{
    for (int k = x->first[pair]; k < x->first[pair + 1]; k++)
        if (x->link[k] == link)
            return 1;
    return 0;
}

/* An all-reduce sends from each host and to it: twice over a link that all its routes share in both directions. */
static double least_both(const hs__routes *x, int i, double bytes)
{
    double bound = 0.0;
    int next = i == 0, pair = i * x->hosts + next;
    for (int k = x->first[pair]; k < x->first[pair + 1]; k++) {
        int everywhere = 1;
        for (int j = 0; j < x->hosts && everywhere; j++)
            everywhere =
                j == i || (crosses(x, i * x->hosts + j, x->link[k]) && crosses(x, j * x->hosts + i, x->link[k]));
        if (everywhere)
            bound = fmax(bound, 2.0 * bytes / x->capacity[x->link[k]]);
    }
    return bound;
}

/* With this root, on several hosts; an all-reduce has none. */
static double bound_of(const hs__routes *x, hs_collective_kind kind, int root, double bytes)
{
    double bound = 0.0;
    int up = kind != HS_COLLECTIVE_BROADCAST, down = kind != HS_COLLECTIVE_REDUCE;
    for (int i = 0; i < x->hosts; i++) {
        if (i == root ? down : up)
            bound = fmax(bound, least(x, i, 1, bytes));
        if (i == root ? up : down)
            bound = fmax(bound, least(x, i, 0, bytes));
        if (up && down)
            bound = fmax(bound, least_both(x, i, bytes));
    }
    return bound;
}

double hs__collective_bound(const hs__routes *x, hs_collective_kind kind, int root, double bytes)
{
    int is_rooted = kind == HS_COLLECTIVE_BROADCAST || kind == HS_COLLECTIVE_REDUCE;
    if (x->hosts == 1)
        return 0.0;
    if (!is_rooted || root >= 0)
        return bound_of(x, kind, root, bytes);
    double bound = INFINITY;
    for (int i = 0; i < x->hosts; i++)
        bound = fmin(bound, bound_of(x, kind, i, bytes));
    return bound;
}
