/* SPDX-License-Identifier: BSD-3-Clause */
/* hs probe --check: a few readings against an earlier measurement. */
#include "cli/platform/probe_check.h"
#include "runtime/probe/result.h"
#include "util/array.h"
#include "util/pool.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double tolerance = 2; /* a factor: what differs by more no longer holds */

static int differs(double now, double before)
{
    return before > 0 && (now > tolerance * before || before > tolerance * now);
}

/* "hs probe: a1: 1.2Gf now, 8Gf in FILE: measuring anew" */
static void tell_difference(const cli_verb *verb, const char *file, const char *what, hs_unit unit, double now,
                            double before)
{
    char is[32], was[32];
    fprintf(stderr, "hs %s: %s: %s now, %s in %s: measuring anew\n", verb->name, what,
            hs_quantity_format(now, unit, is, sizeof is), hs_quantity_format(before, unit, was, sizeof was), file);
}

/* A host that is off in the file is not looked at. */
static int host_holds(const cli_verb *verb, const char *file, const hs_platform *platform, const hs_probe_host *host,
                      double now)
{
    int node = hs_platform_find_node(platform, host->name);
    double before = node >= 0 && node < hs_platform_hosts(platform) ? hs_platform_host_speed(platform, node) : -1;
    if (before < 0)
        fprintf(stderr, "hs %s: %s is not in %s: measuring anew\n", verb->name, host->name, file);
    else if (differs(now, before))
        tell_difference(verb, file, host->name, HS_UNIT_SPEED, now, before);
    return before >= 0 && !differs(now, before);
}

/* Of pairs that had the network to themselves; the hosts are in the platform. */
static int link_holds(const cli_verb *verb, const char *file, const hs_platform *platform,
                      const hs_probe_result *result, int i, int j)
{
    const hs_probe_link *link = hs_probe_link_between(result, i, j);
    const char *from = hs_probe_host_at(result, i)->name, *to = hs_probe_host_at(result, j)->name;
    char what[600];
    hs_route route = {0};
    if (link->source != HS_PROBE_ALONE)
        return 1;
    hs_status status =
        hs_platform_route(platform, hs_platform_find_node(platform, from), hs_platform_find_node(platform, to), &route);
    int holds = status == HS_OK && !differs(link->bandwidth, route.bandwidth);
    snprintf(what, sizeof what, "%s to %s", from, to);
    if (!holds)
        tell_difference(verb, file, what, HS_UNIT_BANDWIDTH, link->bandwidth, route.bandwidth);
    hs_route_free(&route);
    return holds;
}

/* What the file says that the n flows of a round get at the same time; 0 where it knows no route. */
static hs_status predict(const hs_platform *platform, const hs_probe_result *result, const hs__probe_flow *flow, int n,
                         double *rate)
{
    hs__pool pool = {0};
    hs_route *route = hs__pool_new(&pool, (size_t)n, sizeof *route);
    const int **links = hs__pool_new(&pool, (size_t)n, sizeof *links);
    size_t *counts = hs__pool_new(&pool, (size_t)n, sizeof *counts);
    hs_status status = hs__pool_status(&pool);
    int known = 0;
    for (; known < n && status == HS_OK; known += status == HS_OK) {
        int from = hs_platform_find_node(platform, hs_probe_host_at(result, flow[known].from)->name);
        int to = hs_platform_find_node(platform, hs_probe_host_at(result, flow[known].to)->name);
        status = hs_platform_route(platform, from, to, &route[known]);
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

/* Of flows at the same time a few may be disturbed: the file holds unless a third of them differs. */
static int rounds_hold(const cli_verb *verb, const char *file, const hs_platform *platform,
                       const hs_probe_result *result)
{
    int flows = 0, unlike = 0, rounds = hs__discovery_rounds(result->readings);
    double worst = 0, now = 0, before = 0;
    char what[600] = "";
    double *rate = hs__array_new((size_t)hs_probe_hosts(result), sizeof *rate);
    hs_status status = rate ? HS_OK : HS_ERR_NOMEM;
    for (int r = 0; r < rounds && status == HS_OK; r++) {
        const hs__probe_flow *flow;
        int n = hs__discovery_round(result->readings, r, &flow);
        status = predict(platform, result, flow, n, rate);
        for (int k = 0; k < n && status == HS_OK; k++, flows++) {
            double off = fabs(log(flow[k].rate / rate[k]));
            unlike += differs(flow[k].rate, rate[k]);
            if (off <= worst)
                continue;
            worst = off;
            now = flow[k].rate;
            before = rate[k];
            snprintf(what, sizeof what, "%s to %s", hs_probe_host_at(result, flow[k].from)->name,
                     hs_probe_host_at(result, flow[k].to)->name);
        }
    }
    free(rate);
    if (status == HS_OK && 3 * unlike > flows)
        tell_difference(verb, file, what, HS_UNIT_BANDWIDTH, now, before);
    else if (status != HS_OK)
        fprintf(stderr, "hs %s: not all hosts are connected in %s: measuring anew\n", verb->name, file);
    return status == HS_OK && 3 * unlike <= flows;
}

int cli_probe_holds(const cli_verb *verb, const char *file, const hs_probe_result *result)
{
    hs_platform *platform = NULL;
    int n = hs_probe_hosts(result), holds = hs_platform_read(file, &platform, NULL) == HS_OK;
    for (int i = 0; i < n && holds; i++) {
        const hs_probe_host *host = hs_probe_host_at(result, i);
        holds = host_holds(verb, file, platform, host, host->speed[hs_probe_kernel_used(result)]);
    }
    for (int i = 0; i < n && holds; i++)
        for (int j = i + 1; j < n && holds; j++)
            holds = link_holds(verb, file, platform, result, i, j);
    if (holds && hs_probe_links_found(result))
        holds = rounds_hold(verb, file, platform, result);
    hs_platform_free(platform);
    return holds;
}
