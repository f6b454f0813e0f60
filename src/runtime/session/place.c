/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/place.h"
#include "plan/ring/subrings.h"
#include "runtime/base/environment.h"
#include "runtime/base/host_names.h"
#include "runtime/base/parked_buffer.h"
#include "runtime/session/curves.h"
#include "runtime/session/kept.h"
#include "util/array.h"
#include "util/assert.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What rank 0 finds out for each rank; the plan is broadcast as these arrays. */
typedef struct placement {
    int ranks;
    int *host;     /* platform host of every rank of comm */
    int *position; /* in the ring order */
    double *speed; /* in ring order */
    hs__curves curves;
    hs__memberships memberships;
} placement;

void hs__memberships_free(hs__memberships *m)
{
    free(m->byte_s);
    free(m->traffic);
    free(m->host);
    hs_platform_free(m->platform);
    *m = (hs__memberships){0};
}

static size_t times_of(const placement *place)
{
    return HS__RING_ENDS * (size_t)place->memberships.count;
}

static hs_status memberships_create(placement *place, int count)
{
    hs__memberships *m = &place->memberships;
    m->count = count;
    m->byte_s = hs__array_new(times_of(place) * (size_t)place->ranks, sizeof *m->byte_s);
    m->traffic = hs__array_new(times_of(place), sizeof *m->traffic);
    return m->byte_s && m->traffic ? HS_OK : HS_ERR_NOMEM;
}

static void placement_free(placement *place)
{
    free(place->host);
    free(place->position);
    free(place->speed);
    hs__curves_free(&place->curves);
    hs__memberships_free(&place->memberships);
}

static hs_status placement_create(placement *place, int ranks)
{
    size_t p = (size_t)ranks;
    *place = (placement){
        ranks, hs__array_new(p, sizeof(int)), hs__array_new(p, sizeof(int)), hs__array_new(p, sizeof(double)), {0},
        {0}};
    if (place->host && place->position && place->speed)
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

/* Hosts without ranks get speed 0, which leaves them out of the ring. */
static hs_status plan_rings(const placement *place, const hs_platform *platform, int most, const hs__subrings *known,
                            const char *member, hs__subrings **rings, hs_error *error)
{
    int hosts = hs_platform_hosts(platform);
    double *speed = hs__array_new((size_t)hosts, sizeof *speed);
    if (!speed)
        return hs_error_set(error, HS_ERR_NOMEM, 0, "hs_init: out of memory");
    for (int h = 0; h < hosts; h++) {
        int n = ranks_on(place, h);
        speed[h] = n > 0 ? n * rank_speed(place, platform, h) : 0;
    }
    hs_status status = known ? hs__subrings_again(platform, speed, most, known, member, rings, error)
                             : hs__subrings_create(platform, speed, most, rings, error);
    free(speed);
    return status;
}

/* The first rank of a host sends to the previous host of the ring, the last rank to the next one. */
static void set_times(placement *place, const hs__subrings *rings, int k, int position, int first, int last)
{
    hs__memberships *m = &place->memberships;
    for (hs__ring_ends ends = HS__RING_OPEN; ends < HS__RING_ENDS; ends++)
        for (int i = 0; i < m->count; i++) {
            hs__byte_time time = {INFINITY, INFINITY};
            if (k < rings->size)
                time = hs__subrings_at(rings, ends, i)[k];
            int member = isfinite(time.prev);
            size_t at = ((size_t)ends * (size_t)m->count + (size_t)i) * (size_t)place->ranks + (size_t)position;
            m->byte_s[at] = member ? fmax(first ? time.prev : 0, last ? time.next : 0) : INFINITY;
        }
}

/* Gives the ranks of host, at place k of the ring, the next positions. */
static int assign_host(placement *place, const hs_platform *platform, const hs__subrings *rings, int host, int k,
                       int position)
{
    int assigned = 0, n = ranks_on(place, host);
    for (int r = 0; r < place->ranks; r++) {
        if (place->host[r] != host)
            continue;
        place->position[r] = position;
        place->speed[position] = rank_speed(place, platform, host);
        place->memberships.host[position] = host;
        set_times(place, rings, k, position, assigned == 0, assigned == n - 1);
        position++;
        assigned++;
    }
    return position;
}

/* Hosts of the ring first, in ring order; hosts that cannot compute or be reached last, too far away to take units. */
static hs_status assign_positions(placement *place, const hs_platform *platform, const hs__subrings *rings)
{
    int hosts = hs_platform_hosts(platform), position = 0;
    char *member = hs__array_new((size_t)hosts, 1);
    place->memberships.host = hs__array_new((size_t)place->ranks, sizeof *place->memberships.host);
    if (!member || !place->memberships.host || memberships_create(place, rings->count) != HS_OK) {
        free(member);
        return HS_ERR_NOMEM;
    }
    memcpy(place->memberships.traffic, rings->traffic, times_of(place) * sizeof *rings->traffic);
    for (int k = 0; k < rings->size; k++) {
        member[rings->host[k]] = 1;
        position = assign_host(place, platform, rings, rings->host[k], k, position);
    }
    for (int h = 0; h < hosts; h++)
        if (!member[h])
            position = assign_host(place, platform, rings, h, rings->size, position);
    free(member);
    return HS_OK;
}

void hs__place_tell_bounds(const hs__bounds *bounds, const char *planner)
{
    if (bounds->count > 0)
        hs__environment_log(
            HS__LOG_INFO,
            "%s: links in use whose bandwidth is only a lower bound: %d (first: %s); another plan may be "
            "better",
            planner, bounds->count, hs_platform_link_id(bounds->platform, bounds->first));
}

/* Of the ring's hosts, which send to both neighbours. */
static hs_status tell_ring_bounds(const hs_platform *platform, const hs__subrings *rings)
{
    hs__bounds bounds;
    hs_route route = {0};
    hs_status status = hs__bounds_begin(platform, &bounds);
    for (int k = 0; k < 2 * rings->size && status == HS_OK; k++) {
        int at = rings->host[k / 2], next = rings->host[(k / 2 + 1) % rings->size];
        status = hs_platform_route(platform, k % 2 ? next : at, k % 2 ? at : next, &route);
        if (status == HS_OK)
            hs__bounds_add(&bounds, route.links, route.count);
    }
    if (status == HS_OK)
        hs__place_tell_bounds(&bounds, "hs_init");
    hs_route_free(&route);
    hs__bounds_end(&bounds);
    return status;
}

/* known: NULL the first time */
static hs_status plan(placement *place, const hs_platform *platform, int most, const hs__subrings *known,
                      const char *member, hs_error *error)
{
    hs__subrings *rings = NULL;
    hs_status status = plan_rings(place, platform, most, known, member, &rings, error);
    if (status == HS_OK && (assign_positions(place, platform, rings) != HS_OK ||
                            hs__curves_of(platform, place->memberships.host, place->ranks, &place->curves) != HS_OK))
        status = hs_error_set(error, HS_ERR_NOMEM, 0, "hs_init: out of memory");
    if (status == HS_OK && (status = tell_ring_bounds(platform, rings)) != HS_OK)
        hs_error_set(error, status, 0, "hs_init: %s", hs_status_text(status));
    hs__subrings_free(rings);
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

/* Whether each position is taken once, and no speed and no time is negative. */
static hs_status placement_check(const placement *place, hs_error *error)
{
    const hs__memberships *m = &place->memberships;
    for (int r = 0; r < place->ranks; r++) {
        int taken = 0;
        for (int q = 0; q < place->ranks; q++)
            taken += place->position[q] == r;
        if (taken != 1 || !(place->speed[r] >= 0))
            return hs_error_set(error, HS_ERR_INTERNAL, 0, "position %d of speed %g is taken %d times", r,
                                place->speed[r], taken);
        for (size_t k = 0; k < times_of(place); k++)
            if (!(m->byte_s[k * (size_t)place->ranks + (size_t)r] >= 0))
                return hs_error_set(error, HS_ERR_INTERNAL, 0, "a byte to position %d takes less than no time", r);
    }
    return HS_OK;
}

static hs_status share_placement(hs__peers *peers, int root, int rank, placement *place)
{
    hs__memberships *m = &place->memberships;
    int count = m->count;
    size_t ranks = (size_t)place->ranks;
    hs_status status = hs__peers_share(peers, root, &count, sizeof count);
    if (status == HS_OK)
        status = hs__peers_agree(peers, rank == root ? HS_OK : memberships_create(place, count), NULL);
    if (status == HS_OK)
        status = hs__peers_share(peers, root, place->position, ranks * sizeof *place->position);
    if (status == HS_OK)
        status = hs__peers_share(peers, root, place->speed, ranks * sizeof *place->speed);
    if (status == HS_OK)
        status = hs__peers_share(peers, root, m->byte_s, times_of(place) * ranks * sizeof *m->byte_s);
    return status == HS_OK ? hs__peers_share(peers, root, m->traffic, times_of(place) * sizeof *m->traffic) : status;
}

/* Measure or read the platform; on rank 0 also the host of every rank. @return this rank's status */
static hs_status find(hs__peers *peers, const hs_params *params, hs_platform **platform, int *host, hs_error *error)
{
    int rank, size;
    char *names = NULL;
    PMPI_Comm_rank(peers->comm, &rank);
    PMPI_Comm_size(peers->comm, &size);
    hs_status status = hs__host_names_gather(peers, params->host, &names);
    if (status == HS_OK && !params->platform)
        status = hs__kept_find(peers, params, names, platform, error);
    if (status == HS_OK && rank == 0) {
        if (params->platform)
            status = read_platform(params->platform, platform, error);
        if (status == HS_OK)
            status = hs__host_names_find(*platform, names, size, "hs_init: ", host, error);
    }
    hs__park_buffer(names, peers->broken);
    return status;
}

hs_status hs__place_find(hs__peers *peers, const hs_params *params, hs_platform **platform, int *host, double *speed,
                         hs_error *error)
{
    placement place = {.host = host};
    int rank;
    PMPI_Comm_rank(peers->comm, &rank);
    PMPI_Comm_size(peers->comm, &place.ranks);
    *platform = NULL;
    hs_status status = find(peers, params, platform, host, error);
    for (int r = 0; rank == 0 && status == HS_OK && r < place.ranks; r++)
        speed[r] = rank_speed(&place, *platform, host[r]);
    return status;
}

hs_status hs__place_measure(MPI_Comm comm, const hs_params *params, hs_platform **platform, int *host, double *speed,
                            hs_error *error)
{
    hs__peers peers;
    (void)hs__peers_open(&peers, comm, params->timeout, 0); /* without memory all ranks agree to fail */
    hs_status status = hs__place_find(&peers, params, platform, host, speed, error);
    hs__peers_close(&peers);
    return status;
}

hs_status hs__place(hs__peers *peers, const hs_params *params, int *position, double **speed, hs__curves *curves,
                    hs__memberships *memberships, hs_error *error)
{
    int rank, size, most = memberships && params->mode == HS_BALANCE_ON ? HS__MAX_MEMBERSHIPS : 1;
    placement place;
    hs_platform *platform = NULL;
    PMPI_Comm_rank(peers->comm, &rank);
    PMPI_Comm_size(peers->comm, &size);
    hs_status status = hs__peers_agree(peers, placement_create(&place, size), NULL);
    if (status == HS_ERR_NOMEM)
        hs_error_set(error, status, 0, "hs_init: out of memory on some rank");
    if (status == HS_OK)
        status = find(peers, params, &platform, place.host, error);
    if (rank == 0 && status == HS_OK)
        status = plan(&place, platform, most, NULL, NULL, error);
    status = hs__peers_agree(peers, status, error);
    if (status == HS_OK)
        status = share_placement(peers, 0, rank, &place);
    if (status == HS_OK)
        status = hs__curves_share(peers, rank, size, &place.curves);
    HS_ASSERT(status != HS_OK || placement_check(&place, NULL) == HS_OK);
    if (status == HS_OK) {
        *position = place.position[rank];
        *speed = place.speed;
        place.speed = NULL;
        if (curves) {
            *curves = place.curves;
            place.curves = (hs__curves){0};
        }
        if (memberships) {
            *memberships = place.memberships;
            memberships->planner = place.position[0];
            memberships->platform = rank == 0 ? platform : NULL;
            platform = rank == 0 ? NULL : platform;
            place.memberships = (hs__memberships){0};
        }
    }
    placement_free(&place);
    hs_platform_free(platform);
    return status;
}

/* ---- Planning again ---- */

/* The hosts of the ring in its order, and who took part in each membership: both are known by rank. member: [membership][host],
 * at most as many hosts as ranks. */
static void recall(const hs_context *context, hs__subrings *known, char *member)
{
    const hs__memberships *m = &context->memberships;
    size_t ranks = (size_t)context->size;
    *known = (hs__subrings){.host = known->host, .count = m->count};
    for (size_t r = 0; r < ranks; r++) /* those that take part in no membership stand last */
        if (isfinite(m->byte_s[r]) && (known->size == 0 || known->host[known->size - 1] != m->host[r]))
            known->host[known->size++] = m->host[r];
    for (int k = 0; k < m->count; k++)
        for (size_t r = 0, h = 0; r < ranks && isfinite(m->byte_s[r]); r++) {
            h += r > 0 && m->host[r] != m->host[r - 1];
            member[(size_t)k * (size_t)known->size + h] = (char)isfinite(m->byte_s[(size_t)k * ranks + r]);
        }
}

static hs_status plan_again(const hs_context *context, placement *place)
{
    const hs__memberships *m = &context->memberships;
    size_t ranks = (size_t)context->size;
    hs__subrings known = {.host = hs__array_new(ranks, sizeof *known.host)};
    char *member = hs__array_new((size_t)m->count * ranks, 1);
    hs_status status = HS_ERR_NOMEM;
    if (known.host && member) {
        recall(context, &known, member);
        memcpy(place->host, m->host, ranks * sizeof *m->host);
        status = plan(place, m->platform, HS__MAX_MEMBERSHIPS, &known, member, NULL);
    }
    free(known.host);
    free(member);
    return status;
}

hs_status hs__place_again(hs_context *context)
{
    hs__memberships *m = &context->memberships;
    placement place;
    hs_status status = placement_create(&place, context->size);
    if (status == HS_OK && context->rank == m->planner)
        status = plan_again(context, &place);
    status = hs__peers_agree(&context->peers, status, NULL);
    if (status == HS_OK)
        status = share_placement(&context->peers, m->planner, context->rank, &place);
    if (status == HS_OK) {
        HS_ASSERT(place.position[context->rank] == context->rank); /* the order stays */
        HS_ASSERT(placement_check(&place, NULL) == HS_OK && place.memberships.count >= m->count);
        place.memberships.planner = m->planner;
        place.memberships.platform = m->platform;
        place.memberships.plans = m->plans + 1;
        m->platform = NULL;
        hs__memberships_free(m);
        *m = place.memberships;
        place.memberships = (hs__memberships){0};
    }
    placement_free(&place);
    return status;
}
