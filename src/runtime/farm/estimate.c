/* SPDX-License-Identifier: BSD-3-Clause */
/* What the ranks of a farm can do: given by the program, or from the platform. */
#include "runtime/farm/farm.h"
#include "runtime/session/place.h"
#include "util/array.h"
#include "util/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Between ranks of one host, where a platform says nothing: what a memory copy by two processes reaches. */
static const double SAME_HOST_BANDWIDTH = 4e9;

/* On rank 0: bytes a second and seconds from the root's host to every rank's. */
static hs_status measure_routes(const hs_farm *farm, const hs_platform *platform, const int *host, double *bandwidth,
                                double *latency, hs_error *error)
{
    hs_route route = {0};
    hs__bounds bounds;
    hs_status status = hs__bounds_begin(platform, &bounds);
    if (status != HS_OK)
        return hs__error_status(error, status);
    for (int r = 0; r < farm->size && status == HS_OK; r++) {
        bandwidth[r] = SAME_HOST_BANDWIDTH;
        latency[r] = 0.0;
        if (host[r] == host[farm->root])
            continue;
        status = hs_platform_route(platform, host[farm->root], host[r], &route);
        if (status != HS_OK) {
            hs_error_set(error, status, 0, "rank %d has no link: no route from host '%s' to '%s'", r,
                         hs_platform_node_id(platform, host[farm->root]), hs_platform_node_id(platform, host[r]));
            break;
        }
        hs__bounds_add_alone(&bounds, &route);
        if (isfinite(route.bandwidth))
            bandwidth[r] = route.bandwidth;
        latency[r] = route.latency;
    }
    if (status == HS_OK)
        hs__place_tell_bounds(&bounds, hs__operation_name(farm->made_by));
    hs__bounds_end(&bounds);
    hs_route_free(&route);
    return status;
}

/* Fills cycle_time with 1 / speed, which is INFINITY on a host that is off, comm_time with seconds per item, and latency. */
static hs_status from_platform(hs_farm *farm, const hs_farm_params *params, hs_error *error)
{
    hs__peers *peers = &farm->context->peers;
    hs_platform *platform = NULL;
    hs_params where = farm->context->params;
    int size = farm->size, *host = hs__array_new((size_t)size, sizeof *host);
    size_t bytes = (size_t)size * sizeof(double);
    where.host = params->host ? params->host : where.host;
    hs_status status = hs__peers_agree(peers, host ? HS_OK : HS_ERR_NOMEM, NULL);
    if (status == HS_OK) {
        status = hs__place_find(peers, &where, &platform, host, farm->cycle_time, error);
        if (farm->rank == 0 && status == HS_OK)
            status = measure_routes(farm, platform, host, farm->comm_time, farm->latency, error);
        status = hs__peers_agree(peers, status, error);
    }
    hs_platform_free(platform);
    free(host);
    if (status == HS_OK)
        status = hs__peers_share(peers, 0, farm->cycle_time, bytes);
    if (status == HS_OK)
        status = hs__peers_share(peers, 0, farm->comm_time, bytes);
    if (status == HS_OK)
        status = hs__peers_share(peers, 0, farm->latency, bytes);
    for (int r = 0; r < size && status == HS_OK; r++) {
        farm->cycle_time[r] = 1.0 / farm->cycle_time[r];
        farm->comm_time[r] = (double)farm->facts.item_bytes / farm->comm_time[r];
        if (farm->facts.item_work > 0)
            farm->cycle_time[r] *= farm->facts.item_work;
    }
    return status;
}

/* All ranks take what the root was given. */
static hs_status take(hs_farm *farm, double *time, const double *given)
{
    size_t bytes = (size_t)farm->size * sizeof *time;
    if (farm->rank == farm->root)
        memcpy(time, given, bytes);
    return hs__farm_share(farm, time, bytes);
}

hs_status hs__farm_estimate(hs_farm *farm, const hs_farm_params *params, hs_error *error)
{
    const hs__farm_facts *facts = &farm->facts;
    hs_status status = HS_OK;
    farm->timed = facts->has_cycle_time || facts->item_work > 0;
    if (!facts->has_cycle_time || !facts->has_comm_time)
        status = from_platform(farm, params, error);
    if (status == HS_OK && facts->has_cycle_time)
        status = take(farm, farm->cycle_time, params->cycle_time);
    if (status == HS_OK && facts->has_comm_time) {
        status = take(farm, farm->comm_time, params->comm_time);
        memset(farm->latency, 0, (size_t)farm->size * sizeof *farm->latency);
    }
    farm->comm_time[farm->root] = farm->latency[farm->root] = 0.0;
    int computing = 0;
    for (int r = 0; r < farm->size && status == HS_OK; r++)
        computing += hs__farm_computes(farm, r);
    if (status == HS_OK && computing == 0)
        status = hs_error_set(error, HS_ERR_INFEASIBLE, 0, "no rank computes: the speeds of their hosts are 0");
    return status;
}
