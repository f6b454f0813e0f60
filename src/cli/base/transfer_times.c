/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/transfer_times.h"
#include "util/array.h"
#include "util/assert.h"
#include <stdlib.h>

hs_status cli_times_from(const hs_platform *platform, int host, double bytes, double *latency, double *transfer,
                         hs_error *error)
{
    for (int v = 0; v < hs_platform_hosts(platform); v++) {
        hs_route route = {0};
        latency[v] = transfer[v] = 0;
        if (v == host)
            continue;
        hs_status status = hs_platform_route(platform, host, v, &route);
        if (status != HS_OK)
            return hs_error_set(error, status, 0, "'%.80s' to '%.80s': %s", hs_platform_node_id(platform, host),
                                hs_platform_node_id(platform, v), hs_status_text(status));
        latency[v] = route.latency;
        transfer[v] = bytes / route.bandwidth;
        hs_route_free(&route);
        HS_ASSERT(latency[v] >= 0 && transfer[v] >= 0);
    }
    return HS_OK;
}

static double least_time(int hosts, int host, const double *latency, const double *transfer)
{
    double least = 0;
    for (int v = 0; v < hosts; v++)
        if (v != host && (least == 0 || latency[v] + transfer[v] < least))
            least = latency[v] + transfer[v];
    return least;
}

hs_status cli_send_times(const hs_platform *platform, double bytes, double *time, hs_error *error)
{
    int hosts = hs_platform_hosts(platform);
    double *latency = hs__array_new((size_t)hosts, sizeof *latency);
    double *transfer = hs__array_new((size_t)hosts, sizeof *transfer);
    hs_status status = HS_OK;
    if (!latency || !transfer)
        status = hs_error_set(error, HS_ERR_NOMEM, 0, "%s", hs_status_text(HS_ERR_NOMEM));
    for (int v = 0; status == HS_OK && v < hosts; v++) {
        status = cli_times_from(platform, v, bytes, latency, transfer, error);
        if (status == HS_OK)
            time[v] = least_time(hosts, v, latency, transfer);
    }
    free(transfer);
    free(latency);
    return status;
}
