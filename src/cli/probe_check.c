/* SPDX-License-Identifier: BSD-3-Clause */
/* hs probe --check: a few readings against an earlier measurement. */
#include "cli/probe_check.h"
#include <stdio.h>

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
    hs_platform_free(platform);
    return holds;
}
