/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/place.h"
#include "runtime/base/host_names.h"
#include "util/array.h"
#include <heteroslice/hs_probe.h>
#include <heteroslice/hs_ring.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How much longer than its messages the work of a step takes, for a ring that leaves nobody out. */
#define NEUTRAL 1e6

/* What rank 0 finds out for each rank; the plan is broadcast as these arrays. */
typedef struct placement {
    int ranks;
    int *host;      /* platform host of every rank of comm */
    int *position;  /* in the ring order */
    double *speed;  /* in ring order */
    double *comm_s; /* in ring order */
} placement;

static void placement_free(placement *place)
{
    free(place->host);
    free(place->position);
    free(place->speed);
    free(place->comm_s);
}

static hs_status placement_create(placement *place, int ranks)
{
    size_t p = (size_t)ranks;
    *place = (placement){ranks, hs__array_new(p, sizeof(int)), hs__array_new(p, sizeof(int)),
                         hs__array_new(p, sizeof(double)), hs__array_new(p, sizeof(double))};
    if (place->host && place->position && place->speed && place->comm_s)
        return HS_OK;
    placement_free(place);
    *place = (placement){0};
    return HS_ERR_NOMEM;
}

static int ranks_on(const placement *place, int host)
{
    int n = 0;
    for (int r = 0; r < place->ranks; r++)
        n += place->host[r] == host;
    return n;
}

/* A host's cores shared among its ranks: what one rank gets. */
static double rank_speed(const placement *place, const hs_platform *platform, int host)
{
    int cores = hs_platform_host_cores(platform, host), n = ranks_on(place, host);
    return hs_platform_host_speed(platform, host) * (n > cores ? (double)cores / n : 1);
}

/* Work that takes so much longer than the messages that no host is left out to save some: what a program needs for a
 * unit of work is not known before it has run, neither from a file's speeds nor from kernels. The serial model then
 * asks for the order in which the messages take least time, weighted by the speeds of those who wait for them. */
static double neutral_work(const hs_platform *platform, const double *speed)
{
    double together = 0, slowest = INFINITY;
    for (int h = 0; h < hs_platform_hosts(platform); h++)
        together += speed[h];
    for (int l = 0; l < hs_platform_links(platform); l++)
        slowest = fmin(slowest, hs_platform_link_bandwidth(platform, l));
    return isfinite(slowest) ? NEUTRAL * together / slowest : together;
}

/* Hosts without ranks get speed 0, which leaves them out of the ring. */
static hs_status plan_ring(const placement *place, const hs_platform *platform, hs_ring **ring, hs_error *error)
{
    int hosts = hs_platform_hosts(platform);
    double *speed = hs__array_new((size_t)hosts, sizeof *speed);
    if (!speed)
        return hs_error_set(error, HS_ERR_NOMEM, 0, "hs_init: out of memory");
    for (int h = 0; h < hosts; h++) {
        int n = ranks_on(place, h);
        speed[h] = n > 0 ? n * rank_speed(place, platform, h) : 0;
    }
    hs_ring_params ring_params;
    hs_ring_params_init(&ring_params);
    ring_params.work = neutral_work(platform, speed);
    ring_params.halo = 1;
    ring_params.speed = speed;
    hs_status status = hs_ring_create(platform, &ring_params, ring, error);
    free(speed);
    return status;
}

/* Halo seconds from ring member k to its neighbour in direction step, 0 without one. */
static double halo_time(const hs_ring *ring, const hs_params *params, int k, int step)
{
    int q = hs_ring_size(ring), from = hs_ring_host(ring, k), to = hs_ring_host(ring, (k + q + step) % q);
    for (int i = 0; i < hs_ring_paths(ring); i++) {
        const hs_ring_path *path = hs_ring_path_at(ring, i);
        if (path->from == from && path->to == to)
            return params->halo / path->bandwidth;
    }
    return 0;
}

/* Gives the ranks of host the next positions. The first of them sends to the host before in the ring, the last to the
 * one behind. */
static int seat_host(placement *place, const hs_platform *platform, int host, int position, double before,
                     double behind)
{
    int seated = 0, n = ranks_on(place, host);
    for (int r = 0; r < place->ranks; r++) {
        if (place->host[r] != host)
            continue;
        place->position[r] = position;
        place->speed[position] = rank_speed(place, platform, host);
        place->comm_s[position] = (seated == 0 ? before : 0) + (seated == n - 1 ? behind : 0);
        position++;
        seated++;
    }
    return position;
}

/* Ring members first, in ring order; hosts that cannot compute or be reached last, too far away to take units. */
static hs_status seat_ranks(placement *place, const hs_platform *platform, const hs_ring *ring, const hs_params *params)
{
    int hosts = hs_platform_hosts(platform), position = 0;
    char *member = hs__array_new((size_t)hosts, 1);
    if (!member)
        return HS_ERR_NOMEM;
    for (int k = 0; k < hs_ring_size(ring); k++) {
        int host = hs_ring_host(ring, k);
        member[host] = 1;
        position =
            seat_host(place, platform, host, position, halo_time(ring, params, k, -1), halo_time(ring, params, k, 1));
    }
    for (int h = 0; h < hosts; h++)
        if (!member[h])
            position = seat_host(place, platform, h, position, INFINITY, INFINITY);
    free(member);
    return HS_OK;
}

static hs_status plan(placement *place, const hs_platform *platform, const hs_params *params, hs_error *error)
{
    hs_ring *ring = NULL;
    hs_status status = plan_ring(place, platform, &ring, error);
    if (status == HS_OK && seat_ranks(place, platform, ring, params) != HS_OK)
        status = hs_error_set(error, HS_ERR_NOMEM, 0, "hs_init: out of memory");
    hs_ring_free(ring);
    return status;
}

static hs_status read_platform(const char *path, hs_platform **platform, hs_error *error)
{
    hs_error reason = {0};
    hs_status status = hs_platform_read(path, platform, &reason);
    if (status == HS_OK)
        return HS_OK;
    if (reason.line > 0)
        return hs_error_set(error, status, 0, "hs_init: %.100s:%d: %.140s", path, reason.line, reason.text);
    return hs_error_set(error, status, 0, "hs_init: %.100s: %.140s", path, reason.text);
}

static hs_status measure(MPI_Comm comm, const hs_params *params, hs_platform **platform, hs_error *error)
{
    hs_probe_params probe_params;
    hs_probe_result *result = NULL;
    hs_probe_params_init(&probe_params);
    probe_params.every_kernel = 0;
    probe_params.budget = params->probe_budget;
    probe_params.host_name = params->host;
    hs_status status = hs_probe_run(comm, &probe_params, &result, error);
    if (status == HS_OK)
        status = hs_probe_platform(result, platform, error);
    hs_probe_result_free(result);
    return status;
}

/* Collects the host names of all ranks on rank 0; NULL elsewhere or when memory is out. */
static char *gather_names(MPI_Comm comm, const hs_params *params, int rank, int size)
{
    char mine[HS__HOST_NAME_SIZE], *all = rank == 0 ? hs__array_new((size_t)size, sizeof mine) : NULL;
    hs__host_name(params->host, mine);
    PMPI_Gather(mine, sizeof mine, MPI_CHAR, all, sizeof mine, MPI_CHAR, 0, comm);
    return all;
}

/* Rank 0's status and text become everybody's. */
static hs_status share_status(MPI_Comm comm, hs_status status, hs_error *error)
{
    int code = status;
    hs_error shared = *error;
    if (PMPI_Bcast(&code, 1, MPI_INT, 0, comm) != MPI_SUCCESS ||
        PMPI_Bcast(&shared, sizeof shared, MPI_BYTE, 0, comm) != MPI_SUCCESS)
        return hs_error_set(error, HS_ERR_MPI, 0, "hs_init: MPI_Bcast failed");
    *error = shared;
    return (hs_status)code;
}

static hs_status share_placement(MPI_Comm comm, const placement *place)
{
    int failed = PMPI_Bcast(place->position, place->ranks, MPI_INT, 0, comm) != MPI_SUCCESS;
    failed |= PMPI_Bcast(place->speed, place->ranks, MPI_DOUBLE, 0, comm) != MPI_SUCCESS;
    failed |= PMPI_Bcast(place->comm_s, place->ranks, MPI_DOUBLE, 0, comm) != MPI_SUCCESS;
    return failed ? HS_ERR_MPI : HS_OK;
}

/* Measure or read the platform; on rank 0 also the host of every rank. @return this rank's status */
static hs_status find(MPI_Comm comm, const hs_params *params, hs_platform **platform, int *host, hs_error *error)
{
    int rank, size;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    hs_status status = params->platform ? HS_OK : measure(comm, params, platform, error);
    char *names = gather_names(comm, params, rank, size);
    if (status == HS_OK && rank == 0) {
        if (!names)
            status = hs_error_set(error, HS_ERR_NOMEM, 0, "hs_init: out of memory");
        else if (params->platform)
            status = read_platform(params->platform, platform, error);
        if (status == HS_OK)
            status = hs__host_names_find(*platform, names, size, "hs_init: ", host, error);
    }
    free(names);
    return status;
}

hs_status hs__place_find(MPI_Comm comm, const hs_params *params, hs_platform **platform, int *host, double *speed,
                         hs_error *error)
{
    placement place = {.host = host};
    int rank;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &place.ranks);
    *platform = NULL;
    hs_status status = find(comm, params, platform, host, error);
    for (int r = 0; rank == 0 && status == HS_OK && r < place.ranks; r++)
        speed[r] = rank_speed(&place, *platform, host[r]);
    return status;
}

hs_status hs__place(MPI_Comm comm, const hs_params *params, int *position, double **speed, double **comm_s,
                    hs_error *error)
{
    int rank, size;
    placement place;
    hs_platform *platform = NULL;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    int full = placement_create(&place, size) != HS_OK, anywhere_full = 1;
    PMPI_Allreduce(&full, &anywhere_full, 1, MPI_INT, MPI_MAX, comm);
    hs_status status = anywhere_full ? hs_error_set(error, HS_ERR_NOMEM, 0, "hs_init: out of memory on some rank")
                                     : find(comm, params, &platform, place.host, error);
    if (rank == 0 && status == HS_OK)
        status = plan(&place, platform, params, error);
    status = share_status(comm, status, error);
    if (status == HS_OK)
        status = share_placement(comm, &place);
    if (status == HS_OK) {
        *position = place.position[rank];
        *speed = place.speed;
        *comm_s = place.comm_s;
        place.speed = place.comm_s = NULL;
    }
    placement_free(&place);
    hs_platform_free(platform);
    return status;
}
