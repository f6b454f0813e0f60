/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/transfer_times.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/status.h"
#include <stdlib.h>

hs_status cli_times_from(const hs_platform *platform, int host, double bytes, double *latency, double *transfer,
                         hs__bounds *bounds, hs_error *error)
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
        if (bounds)
            hs__bounds_add_alone(bounds, &route);
        hs_route_free(&route);
        HS_ASSERT(latency[v] >= 0 && transfer[v] >= 0);
    }
    return HS_OK;
}

/* The host that a message reaches first, over a route that takes any time; the host itself when there is none. */
static int nearest(int hosts, int host, const double *latency, const double *transfer)
{
    int best = host;
    for (int v = 0; v < hosts; v++) {
        double time = latency[v] + transfer[v], least = latency[best] + transfer[best];
        if (v != host && (least == 0 || time < least))
            best = v;
    }
    return best;
}

static hs_status add_bounds(const hs_platform *platform, int host, int other, hs__bounds *bounds, hs_error *error)
{
    hs_route route = {0};
    if (host == other)
        return HS_OK;
    hs_status status = hs_platform_route(platform, host, other, &route);
    if (status == HS_OK)
        hs__bounds_add_alone(bounds, &route);
    else
        hs__error_status(error, status);
    hs_route_free(&route);
    return status;
}

hs_status cli_send_times(const hs_platform *platform, double bytes, double *time, hs__bounds *bounds, hs_error *error)
{
    int hosts = hs_platform_hosts(platform);
    double *latency = hs__array_new((size_t)hosts, sizeof *latency);
    double *transfer = hs__array_new((size_t)hosts, sizeof *transfer);
    hs_status status = HS_OK;
    if (!latency || !transfer)
        status = hs__error_status(error, HS_ERR_NOMEM);
    for (int v = 0; status == HS_OK && v < hosts; v++) {
        status = cli_times_from(platform, v, bytes, latency, transfer, NULL, error);
        if (status == HS_OK) {
            int other = nearest(hosts, v, latency, transfer);
            time[v] = latency[other] + transfer[other];
            status = add_bounds(platform, v, other, bounds, error);
        }
    }
    free(transfer);
    free(latency);
    return status;
}
