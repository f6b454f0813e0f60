/* SPDX-License-Identifier: BSD-3-Clause */
/* What a short look saw against an earlier measurement. No MPI. */
#include "platform/platform.h"
#include "runtime/probe/result.h"
#include "runtime/probe/spot.h"
#include "util/pool.h"
#include <heteroslice/hs_units.h>
#include <math.h>
#include <stdio.h>

static int differs(double now, double before, double factor)
{
    return before > 0 && !(now <= factor * before && before <= factor * now);
}

static void tell_difference(const char *file, const char *what, hs_unit unit, double now, double before, char *why,
                            size_t size)
{
    char is[32], was[32];
    snprintf(why, size, "%.120s: %s now, %s in %.100s", what, hs_quantity_format(now, unit, is, sizeof is),
             hs_quantity_format(before, unit, was, sizeof was), file);
}

/* A host's cores shared among its ranks. */
static double rank_speed(const hs_platform *platform, int node, int ranks)
{
    int cores = hs_platform_host_cores(platform, node);
    return hs_platform_host_speed(platform, node) * (ranks > cores ? (double)cores / ranks : 1);
}

static int speeds_agree(const hs__spot *spot, const hs_platform *platform, const char *file, char *why, size_t size)
{
    for (int i = 0; i < spot->hosts; i++) {
        int node = hs__platform_find_host(platform, spot->name[i]);
        double before = node < 0 ? 0 : rank_speed(platform, node, spot->ranks[i]);
        if (node < 0)
            snprintf(why, size, "%.120s is not in %.100s", spot->name[i], file);
        else if (differs(spot->speed[i], before, HS__SPOT_SPEED))
            tell_difference(file, spot->name[i], HS_UNIT_SPEED, spot->speed[i], before, why, size);
        else
            continue;
        return 0;
    }
    return 1;
}

/* @param[out] slowest  the flow that is furthest below what is expected */
static int flows_agree(const hs__spot *spot, int *slowest)
{
    int slow = 0;
    double least = INFINITY;
    *slowest = 0;
    for (int k = 0; k < spot->flows; k++) {
        double part = spot->flow[k].rate / spot->expected[k];
        slow += part * HS__SPOT_RATE < 1;
        *slowest = part < least ? k : *slowest;
        least = fmin(part, least);
    }
    return 3 * slow <= spot->flows;
}

static void tell_flow(const hs__spot *spot, int k, const char *file, char *why, size_t size)
{
    const hs__probe_flow *flow = &spot->flow[k];
    char what[128];
    snprintf(what, sizeof what, "%.60s to %.60s", spot->name[flow->from], spot->name[flow->to]);
    tell_difference(file, what, HS_UNIT_BANDWIDTH, flow->rate, spot->expected[k], why, size);
}

int hs__spot_agrees(const hs__spot *spot, const hs_platform *platform, const char *file, char *why, size_t size)
{
    int slowest;
    if (!speeds_agree(spot, platform, file, why, size))
        return 0;
    if (flows_agree(spot, &slowest))
        return 1;
    tell_flow(spot, slowest, file, why, size);
    return 0;
}

int hs__spot_refresh(const hs__spot *spot, hs_platform *platform)
{
    int slowest;
    for (int i = 0; i < spot->hosts; i++) {
        int node = hs__platform_find_host(platform, spot->name[i]);
        if (node < 0 || differs(spot->speed[i], rank_speed(platform, node, spot->ranks[i]), HS__SPOT_REFRESH) ||
            hs__platform_in_cluster(platform, node))
            return 0;
    }
    if (!flows_agree(spot, &slowest) || hs__probe_comment_refreshed(platform, time(NULL)) != HS_OK)
        return 0;
    for (int i = 0; i < spot->hosts; i++) {
        int node = hs__platform_find_host(platform, spot->name[i]);
        double before = rank_speed(platform, node, spot->ranks[i]);
        if (differs(spot->speed[i], before, HS__SPOT_SPEED))
            hs__platform_scale_speed(platform, node, spot->speed[i] / before);
    }
    return 1;
}

hs_status hs__spot_expect(const hs_platform *platform, const char *const *name, const hs__probe_flow *flow, int n,
                          double *rate)
{
    hs__pool pool = {0};
    hs_route *route = hs__pool_new(&pool, (size_t)n, sizeof *route);
    const int **links = hs__pool_new(&pool, (size_t)n, sizeof *links);
    size_t *counts = hs__pool_new(&pool, (size_t)n, sizeof *counts);
    hs_status status = hs__pool_status(&pool);
    int known = 0;
    for (; known < n && status == HS_OK; known += status == HS_OK) {
        int from = hs__platform_find_host(platform, name[flow[known].from]);
        int to = hs__platform_find_host(platform, name[flow[known].to]);
        status = from < 0 || to < 0 ? HS_ERR_UNREACHABLE : hs_platform_route(platform, from, to, &route[known]);
        links[known] = route[known].links;
        counts[known] = route[known].count;
    }
    if (status == HS_OK)
        status = hs_platform_maxmin(platform, links, counts, (size_t)n, rate);
    for (int k = 0; k < known; k++)
        hs_route_free(&route[k]);
    hs__pool_free(&pool);
    return status;
}
