/* SPDX-License-Identifier: BSD-3-Clause */
/* What the ranks of a farm can do: given by the program, or from the platform. */
#include "runtime/farm.h"
#include "runtime/place.h"
#include "util/array.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Between ranks of one host, where a platform says nothing: what a memory copy by two processes reaches. */
static const double SAME_HOST_BANDWIDTH = 4e9;

static double least_of(const double *value, int n)
{
    double least = value[0];
    for (int i = 1; i < n; i++)
        least = fmin(least, value[i]);
    return least;
}

/* On rank 0: bytes a second and seconds from the root's host to every rank's. */
static hs_status measure_routes(const hs_farm *farm, const hs_platform *platform, const int *host, double *bandwidth,
                                double *latency, hs_error *error)
{
    hs_route route = {0};
    hs_status status = HS_OK;
    for (int r = 0; r < farm->size && status == HS_OK; r++) {
        bandwidth[r] = SAME_HOST_BANDWIDTH;
        latency[r] = 0.0;
        if (host[r] == host[farm->root])
            continue;
        status = hs_platform_route(platform, host[farm->root], host[r], &route);
        if (status != HS_OK)
            return hs_error_set(error, status, 0, "rank %d has no link: no route from host '%s' to '%s'", r,
                                hs_platform_node_id(platform, host[farm->root]),
                                hs_platform_node_id(platform, host[r]));
        if (isfinite(route.bandwidth))
            bandwidth[r] = route.bandwidth;
        latency[r] = route.latency;
    }
    hs_route_free(&route);
    return status;
}

/* Rank 0's status and text become everybody's. */
static hs_status share_status(MPI_Comm comm, hs_status status, hs_error *error)
{
    int code = status;
    PMPI_Bcast(&code, 1, MPI_INT, 0, comm);
    if (code != HS_OK)
        PMPI_Bcast(error, sizeof *error, MPI_BYTE, 0, comm);
    return (hs_status)code;
}

/* Fills cycle_time with 1 / speed, comm_time with seconds per item, and latency. */
static hs_status from_platform(hs_farm *farm, const hs_farm_params *params, hs_error *error)
{
    MPI_Comm comm = farm->context->internal;
    hs_platform *platform = NULL;
    hs_params where = farm->context->params;
    int size = farm->size, *host = hs__array_new((size_t)size, sizeof *host);
    hs_error problem = {0};
    where.host = params->host ? params->host : where.host;
    hs_status status = host ? hs__place_find(comm, &where, &platform, host, farm->cycle_time, &problem) : HS_ERR_NOMEM;
    if (farm->rank == 0 && status == HS_OK)
        status = measure_routes(farm, platform, host, farm->comm_time, farm->latency, &problem);
    hs_platform_free(platform);
    free(host);
    status = share_status(comm, status, &problem);
    if (status != HS_OK)
        return hs_error_set(error, status, 0, "%s", problem.text[0] ? problem.text : hs_status_text(status));
    PMPI_Bcast(farm->cycle_time, size, MPI_DOUBLE, 0, comm);
    PMPI_Bcast(farm->comm_time, size, MPI_DOUBLE, 0, comm);
    PMPI_Bcast(farm->latency, size, MPI_DOUBLE, 0, comm);
    for (int r = 0; r < size; r++) {
        farm->cycle_time[r] = 1.0 / farm->cycle_time[r];
        farm->comm_time[r] = (double)farm->facts.item_bytes / farm->comm_time[r];
    }
    return HS_OK;
}

hs_status hs__farm_estimate(hs_farm *farm, const hs_farm_params *params, hs_error *error)
{
    const hs__farm_facts *facts = &farm->facts;
    MPI_Comm comm = farm->context->internal;
    farm->timed = facts->has_cycle_time || facts->item_work > 0;
    if (!facts->has_cycle_time || !facts->has_comm_time) {
        hs_status status = from_platform(farm, params, error);
        if (status != HS_OK)
            return status;
    }
    if (farm->rank == farm->root && params->cycle_time)
        memcpy(farm->cycle_time, params->cycle_time, (size_t)farm->size * sizeof(double));
    if (farm->rank == farm->root && params->comm_time) {
        memcpy(farm->comm_time, params->comm_time, (size_t)farm->size * sizeof(double));
        memset(farm->latency, 0, (size_t)farm->size * sizeof(double));
    }
    for (int r = 0; !facts->has_cycle_time && facts->item_work > 0 && r < farm->size; r++)
        farm->cycle_time[r] *= facts->item_work;
    farm->comm_time[farm->root] = farm->latency[farm->root] = 0.0;
    if (PMPI_Bcast(farm->cycle_time, farm->size, MPI_DOUBLE, farm->root, comm) != MPI_SUCCESS ||
        PMPI_Bcast(farm->comm_time, farm->size, MPI_DOUBLE, farm->root, comm) != MPI_SUCCESS ||
        PMPI_Bcast(farm->latency, farm->size, MPI_DOUBLE, farm->root, comm) != MPI_SUCCESS)
        return hs_error_set(error, HS_ERR_MPI, 0, "MPI_Bcast failed");
    if (!(least_of(farm->cycle_time, farm->size) > 0))
        return hs_error_set(error, HS_ERR_ARG, 0, "a rank's speed is not known");
    return HS_OK;
}
