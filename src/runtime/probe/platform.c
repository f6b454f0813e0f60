/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/probe/result.h"
#include "runtime/probe/stats.h"
#include "util/array.h"
#include "util/status.h"
#include <heteroslice/hs_probe.h>
#include <stdio.h>
#include <stdlib.h>

static hs_status add_clique(const hs_probe_result *result, hs_platform *platform, hs_error *error)
{
    hs_status status = HS_OK;
    for (int j = 1; j < hs_probe_hosts(result) && status == HS_OK; j++)
        for (int i = 0; i < j && status == HS_OK; i++) {
            char id[48];
            int link;
            const hs_probe_link *measured = hs_probe_link_between(result, i, j);
            snprintf(id, sizeof id, "link_%d_%d", i, j);
            status =
                hs_platform_add_link(platform, id, measured->bandwidth, measured->latency, HS_SHARED, &link, error);
            if (status == HS_OK && measured->source >= HS_PROBE_CONTENDED)
                hs_platform_set_link_at_least(platform, link);
            if (status == HS_OK)
                status = hs_platform_add_route(platform, i, j, &link, 1, 1, error);
        }
    return status;
}

/* Two readings of one host can differ by this part: hosts within it count as equally fast. */
#define ALIKE 0.05

/* What was measured by size, at the pace of the speed that the host gets. */
static hs_status set_function(hs_platform *platform, const hs_probe_result *result, int i, double speed,
                              hs_error *error)
{
    hs_speed_function function = *hs_probe_speed_by_size(result, i);
    hs_speed_point point[HS__PROBE_SIZES];
    double measured = hs_probe_host_at(result, i)->speed[hs_probe_kernel_used(result)];
    for (int k = 0; k < function.points; k++)
        point[k] = (hs_speed_point){function.point[k].size, function.point[k].speed * (speed / measured)};
    function.point = point;
    return hs_platform_set_host_speed_function(platform, i, &function, error);
}

static hs_status add_hosts(const hs_probe_result *result, hs_platform *platform, hs_error *error)
{
    int n = hs_probe_hosts(result);
    double *speed = hs__array_new((size_t)n, sizeof *speed);
    if (!speed)
        return hs__error_status(error, HS_ERR_NOMEM);
    for (int i = 0; i < n; i++)
        speed[i] = hs_probe_host_at(result, i)->speed[hs_probe_kernel_used(result)];
    hs_status status = hs__join_alike(speed, n, ALIKE);
    for (int i = 0; i < n && status == HS_OK; i++) {
        const hs_probe_host *host = hs_probe_host_at(result, i);
        status = hs_platform_add_host(platform, host->name, speed[i], host->ranks, NULL, error);
        if (status == HS_OK)
            status = set_function(platform, result, i, speed[i], error);
    }
    free(speed);
    return status;
}

hs_status hs_probe_platform(const hs_probe_result *result, hs_platform **platform, hs_error *error)
{
    HS__RETURN_ERROR_IF_NULL(result, error);
    HS__RETURN_ERROR_IF_NULL(platform, error);
    hs_platform *made = NULL;
    hs_status status = hs_platform_create(result->cuts ? HS_ROUTING_GRAPH : HS_ROUTING_FULL, &made);
    if (status != HS_OK)
        return hs__error_status(error, status);
    status = add_hosts(result, made, error);
    if (status == HS_OK)
        status =
            result->cuts ? hs__cuts_build(result->cut, result->cuts, made, error) : add_clique(result, made, error);
    if (status == HS_OK && (status = hs__probe_comment(result, made)) != HS_OK)
        hs__error_status(error, status);
    if (status == HS_OK)
        *platform = made;
    else
        hs_platform_free(made);
    return status;
}
