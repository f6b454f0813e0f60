/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/transfer_times.h"
#include "platform/alike.h"
#include "util/assert.h"
#include "util/pool.h"
#include "util/status.h"

static hs_status time_between(const hs_platform *platform, int from, int to, double bytes, double *latency,
                              double *transfer, hs__bounds *bounds, hs_error *error)
{
    hs_route route = {0};
    hs_status status = hs_platform_route(platform, from, to, &route);
    if (status == HS_OK) {
        *latency = route.latency;
        *transfer = bytes / route.bandwidth;
        HS_ASSERT(*latency >= 0 && *transfer >= 0);
        if (bounds)
            hs__bounds_add_alone(bounds, &route);
    } else
        hs_error_set(error, status, 0, "'%.80s' to '%.80s': %s", hs_platform_node_id(platform, from),
                     hs_platform_node_id(platform, to), hs_status_text(status));
    hs_route_free(&route);
    return status;
}

hs_status cli_times_from(const hs_platform *platform, int host, double bytes, double *latency, double *transfer,
                         hs__bounds *bounds, hs_error *error)
{
    hs_status status = HS_OK;
    latency[host] = transfer[host] = 0;
    for (int v = 0; v < hs_platform_hosts(platform) && status == HS_OK; v++)
        if (v != host)
            status = time_between(platform, host, v, bytes, &latency[v], &transfer[v], bounds, error);
    return status;
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

typedef struct send_task {
    const hs_platform *platform;
    double bytes;
    double *latency, *transfer; /* [hosts] scratch: from the first of hosts that are alike */
    int *next;                  /* [hosts] as hs__platform_find_alike() has them */
    char *is_first;
    hs__pool pool;
} send_task;

/* The time of a host that is like the first one: all routes but that to the first one take as long as from there. */
static hs_status send_time(const send_task *t, int first, int host, double *time, hs__bounds *bounds, hs_error *error)
{
    HS_ASSERT(first <= host && t->is_first[first]);
    const double latency = t->latency[host], transfer = t->transfer[host];
    hs_status status = HS_OK;
    if (host != first)
        status = time_between(t->platform, host, first, t->bytes, &t->latency[first], &t->transfer[first], NULL, error);
    if (status != HS_OK)
        return status;
    t->latency[host] = t->transfer[host] = 0;
    int other = nearest(hs_platform_hosts(t->platform), host, t->latency, t->transfer);
    *time = t->latency[other] + t->transfer[other];
    t->latency[host] = latency;
    t->transfer[host] = transfer;
    return add_bounds(t->platform, host, other, bounds, error);
}

hs_status cli_send_times(const hs_platform *platform, double bytes, double *time, hs__bounds *bounds, hs_error *error)
{
    size_t hosts = (size_t)hs_platform_hosts(platform);
    send_task t = {.platform = platform, .bytes = bytes};
    t.latency = hs__pool_new(&t.pool, hosts, sizeof *t.latency);
    t.transfer = hs__pool_new(&t.pool, hosts, sizeof *t.transfer);
    t.next = hs__pool_new(&t.pool, hosts, sizeof *t.next);
    t.is_first = hs__pool_new(&t.pool, hosts, sizeof *t.is_first);
    hs_status status = hs__pool_status(&t.pool);
    if (status == HS_OK)
        status = hs__platform_find_alike(platform, t.next, t.is_first);
    if (status != HS_OK)
        hs__error_status(error, status);
    for (int first = 0; status == HS_OK && first < (int)hosts; first++) {
        if (!t.is_first[first])
            continue;
        status = cli_times_from(platform, first, bytes, t.latency, t.transfer, NULL, error);
        for (int v = first; v >= 0 && status == HS_OK; v = t.next[v])
            status = send_time(&t, first, v, &time[v], bounds, error);
    }
    hs__pool_free(&t.pool);
    return status;
}
