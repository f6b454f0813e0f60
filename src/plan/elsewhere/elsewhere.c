/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/elsewhere/elsewhere.h"
#include "plan/placement/rank_order.h"
#include "platform/platform.h"
#include "util/array.h"
#include "util/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void hs__elsewhere_free(hs__replay_place *there)
{
    free(there->rank);
    hs__pool_free(&there->start.pool);
    free(there->start.pace); /* what the order had made is not of the pool */
    free(there->start.point);
    free(there->start.site.speed);
    *there = (hs__replay_place){0};
}

static hs_status find_hosts(const hs__trace *trace, const hs_platform *platform, int *host, hs_error *error)
{
    for (int r = 0; r < trace->ranks; r++) {
        host[r] = hs__platform_find_host(platform, trace->site.host[r]);
        if (host[r] < 0)
            return hs_error_set(error, HS_ERR_UNREACHABLE, 0,
                                "layout %d: rank %d ran on '%s', which is no host of the platform", trace->layout, r,
                                trace->site.host[r]);
    }
    return HS_OK;
}

static hs_status set_messages(const hs__trace *trace, const hs__rank_order *order, hs__trace *start)
{
    size_t n = (size_t)order->memberships;
    hs__ring_ends ends = trace->site.periodic ? HS__RING_CLOSED : HS__RING_OPEN;
    start->memberships = start->slices.most_memberships = order->memberships;
    start->comm = hs__pool_new(&start->pool, n * (size_t)order->ranks, sizeof *start->comm);
    start->traffic = hs__pool_new(&start->pool, n, sizeof *start->traffic);
    if (hs__pool_status(&start->pool) != HS_OK)
        return HS_ERR_NOMEM;
    hs__rank_order_messages(order, ends, trace->site.halo, start->comm);
    memcpy(start->traffic, hs__rank_order_traffic(order, ends), n * sizeof *start->traffic);
    return HS_OK;
}

/* Cycle times there over those of the run. A host that could not compute, here or there, or is out of reach takes no part. */
static hs_status set_speeds(const hs__trace *trace, const hs__rank_order *order, hs__replay_place *there)
{
    size_t ranks = (size_t)trace->ranks;
    there->ratio = hs__pool_new(&there->start.pool, ranks, sizeof *there->ratio);
    there->start.first = hs__pool_new(&there->start.pool, ranks, sizeof *there->start.first);
    if (hs__pool_status(&there->start.pool) != HS_OK)
        return HS_ERR_NOMEM;
    for (size_t r = 0; r < ranks; r++) {
        int at = order->position[r];
        double here = trace->site.speed[r], other = order->speed[at];
        int computes = isfinite(trace->first[r]) && here > 0 && other > 0 && isfinite(there->start.comm[at]);
        there->ratio[r] = computes ? here / other : INFINITY;
        there->start.first[at] = computes ? trace->first[r] * there->ratio[r] : INFINITY;
    }
    return HS_OK;
}

/* The start of the run in this order. */
static hs_status begin(const hs__trace *trace, hs__rank_order *order, hs__replay_place *there)
{
    hs_status status = set_messages(trace, order, &there->start);
    if (status == HS_OK)
        status = set_speeds(trace, order, there);
    if (status != HS_OK)
        return status;
    double here = hs__rank_order_slowest(trace->comm, trace->ranks),
           other = hs__rank_order_slowest(there->start.comm, trace->ranks);
    there->move = here > 0 && other > 0 ? other / here : 1;
    there->rank = order->position;
    there->start.site.speed = order->speed;
    there->start.pace = order->curves.function;
    there->start.point = order->curves.point;
    there->start.said_bytes = trace->said_bytes;
    order->position = NULL;
    order->speed = NULL;
    order->curves = (hs__curves){0};
    return HS_OK;
}

hs_status hs__elsewhere_create(const hs__trace *trace, const hs_platform *platform, hs__replay_place *there,
                               hs_error *error)
{
    hs__rank_order order = {0};
    *there = (hs__replay_place){.start = {.layout = trace->layout,
                                          .ranks = trace->ranks,
                                          .has_slices = 1,
                                          .slices = trace->slices,
                                          .weighing = trace->weighing,
                                          .weighings = trace->weighings}};
    if (!trace->has_slices || !trace->site.host)
        return hs_error_set(error, HS_ERR_UNSUPPORTED, 0, "layout %d: the log does not say where its ranks ran",
                            trace->layout);
    int *host = hs__array_new((size_t)trace->ranks, sizeof *host);
    hs_status status = host ? hs__rank_order_create(trace->ranks, &order) : HS_ERR_NOMEM;
    if (status == HS_OK)
        status = find_hosts(trace, platform, host, error);
    if (status == HS_OK)
        status = hs__rank_order_plan(&order, platform, host, HS__MAX_MEMBERSHIPS, NULL, error);
    if (status == HS_OK)
        status = begin(trace, &order, there);
    if (status == HS_ERR_NOMEM)
        hs__error_status(error, status);
    if (status != HS_OK)
        hs__elsewhere_free(there);
    hs__rank_order_free(&order);
    free(host);
    return status;
}
