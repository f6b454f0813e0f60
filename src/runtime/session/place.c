/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/place.h"
#include "platform/platform.h"
#include "runtime/base/environment.h"
#include "runtime/base/host_names.h"
#include "runtime/base/named_platform.h"
#include "runtime/base/parked_buffer.h"
#include "runtime/session/kept.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/status.h"
#include <stdlib.h>
#include <string.h>

void hs__place_tell_bounds(const hs__bounds *bounds, const char *planner)
{
    if (bounds->count > 0)
        hs__environment_log(
            HS__LOG_INFO,
            "%s: links in use whose bandwidth is only a lower bound: %d (first: %s); another plan may be "
            "better",
            planner, bounds->count, hs_platform_link_id(bounds->platform, bounds->first));
}

/* The ring's hosts send to both neighbours. */
static hs_status tell_ring_bounds(const hs_platform *platform, const int *ring, int hosts)
{
    hs__bounds bounds;
    hs_route route = {0};
    hs_status status = hs__bounds_begin(platform, &bounds);
    for (int k = 0; k < 2 * hosts && status == HS_OK; k++) {
        int at = ring[k / 2], next = ring[(k / 2 + 1) % hosts];
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

/* old: NULL the first time */
static hs_status plan(hs__rank_order *order, const hs_platform *platform, const int *host, int most,
                      const hs__rank_order *old, hs_error *error)
{
    hs_error reason = {0};
    hs_status status = hs__rank_order_plan(order, platform, host, most, old, &reason);
    if (status == HS_OK && (status = tell_ring_bounds(platform, order->ring, order->ring_hosts)) != HS_OK)
        hs__error_status(&reason, status);
    return status == HS_OK ? HS_OK : hs_error_set(error, status, 0, "%s", reason.text);
}

/* The file of HS_PLATFORM was read in MPI_Init. Where that failed it is read again, for the reason. */
static hs_status read_platform(const char *path, hs_platform **platform, hs_error *error)
{
    hs_error reason = {0};
    const hs_platform *named = path == hs__environment_platform() ? hs__named_platform() : NULL;
    if (named)
        return (*platform = hs__platform_view(named)) ? HS_OK : HS_ERR_NOMEM;
    hs_status status = hs_platform_read(path, platform, &reason);
    if (status == HS_OK)
        return HS_OK;
    if (reason.line > 0)
        return hs_error_set(error, status, 0, "%.100s:%d: %.140s", path, reason.line, reason.text);
    return hs_error_set(error, status, 0, "%.100s: %.140s", path, reason.text);
}

/* Take the functions that rank 0 has. */
static hs_status share_curves(hs__peers *peers, int rank, int ranks, hs__curves *c)
{
    struct {
        int known, points;
    } extent = {c->function != NULL, 0};
    for (int r = 0; c->function && r < ranks; r++)
        extent.points += c->function[r].points;
    hs_status status = hs__peers_share(peers, 0, &extent, sizeof extent);
    if (status != HS_OK || !extent.known)
        return status;
    status = hs__peers_agree(peers, rank == 0 ? HS_OK : hs__curves_create(ranks, extent.points, c), NULL);
    if (status == HS_OK)
        status = hs__peers_share(peers, 0, c->function, (size_t)ranks * sizeof *c->function);
    hs_speed_point *point = c->point;
    for (int r = 0; status == HS_OK && r < ranks; r++) { /* pointers are each rank's own */
        c->function[r].point = point;
        point += c->function[r].points;
    }
    return status == HS_OK ? hs__peers_share(peers, 0, c->point, (size_t)extent.points * sizeof *c->point) : status;
}

/* Take the planner's order, without its hosts. */
static hs_status share_order(hs__peers *peers, int root, int rank, hs__rank_order *order)
{
    int memberships = order->memberships;
    size_t ranks = (size_t)order->ranks;
    hs_status status = hs__peers_share(peers, root, &memberships, sizeof memberships);
    if (status == HS_OK)
        status = hs__peers_agree(peers, rank == root ? HS_OK : hs__rank_order_reserve(order, memberships), NULL);
    size_t times = HS__RING_ENDS * (size_t)memberships;
    if (status == HS_OK)
        status = hs__peers_share(peers, root, order->position, ranks * sizeof *order->position);
    if (status == HS_OK)
        status = hs__peers_share(peers, root, order->speed, ranks * sizeof *order->speed);
    if (status == HS_OK)
        status = hs__peers_share(peers, root, order->byte_s, times * ranks * sizeof *order->byte_s);
    return status == HS_OK ? hs__peers_share(peers, root, order->traffic, times * sizeof *order->traffic) : status;
}

/* The platform, and who runs where. */
typedef struct findings {
    hs_platform *platform; /* on rank 0, and elsewhere perhaps */
    int *host;             /* [ranks] on rank 0 */
    char *names;           /* [ranks * HS__HOST_NAME_SIZE] */
} findings;

/* Measure or read the platform. @return this rank's status */
static hs_status find(hs__peers *peers, const hs_params *params, findings *f, hs_error *error)
{
    int rank, size;
    PMPI_Comm_rank(peers->comm, &rank);
    PMPI_Comm_size(peers->comm, &size);
    hs_status status = hs__host_names_gather(peers, params->host, &f->names);
    if (status == HS_OK && !params->platform)
        status = hs__kept_find(peers, params, f->names, &f->platform, error);
    if (status == HS_OK && rank == 0) {
        if (params->platform)
            status = read_platform(params->platform, &f->platform, error);
        if (status == HS_OK)
            status = hs__host_names_find(f->platform, f->names, size, f->host, error);
    }
    return status;
}

hs_status hs__place_find(hs__peers *peers, const hs_params *params, hs_platform **platform, int *host, double *speed,
                         hs_error *error)
{
    int rank, size;
    findings f = {.host = host};
    PMPI_Comm_rank(peers->comm, &rank);
    PMPI_Comm_size(peers->comm, &size);
    hs_status status = find(peers, params, &f, error);
    for (int r = 0; rank == 0 && status == HS_OK && r < size; r++)
        speed[r] = hs__rank_speed(f.platform, host, size, host[r]);
    hs__park_buffer(f.names, peers->broken);
    *platform = f.platform;
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

/* On rank 0: the order of the ranks, on the platform found. */
static hs_status plan_first(hs__peers *peers, const hs_params *params, int most, hs__rank_order *order, findings *f,
                            hs_error *error)
{
    int rank;
    PMPI_Comm_rank(peers->comm, &rank);
    hs_status status = hs__peers_agree(peers, f->host && order->position ? HS_OK : HS_ERR_NOMEM, NULL);
    if (status == HS_ERR_NOMEM)
        hs_error_set(error, status, 0, "out of memory on some rank");
    if (status == HS_OK)
        status = find(peers, params, f, error);
    if (rank == 0 && status == HS_OK)
        status = plan(order, f->platform, f->host, most, NULL, error);
    return hs__peers_agree(peers, status, error);
}

/* The names of hosts in the order of the ranks; NULL without memory: then logs go without. */
static char *order_names(const char *names, const hs__rank_order *order)
{
    char *ordered = hs__array_new((size_t)order->ranks, HS__HOST_NAME_SIZE);
    for (int r = 0; ordered && r < order->ranks; r++)
        memcpy(ordered + (size_t)order->position[r] * HS__HOST_NAME_SIZE, names + (size_t)r * HS__HOST_NAME_SIZE,
               HS__HOST_NAME_SIZE);
    return ordered;
}

hs_status hs__place(hs__peers *peers, const hs_params *params, hs__rank_order *placed, hs__planner *planner,
                    hs_error *error)
{
    int rank, size, most = params->mode == HS_BALANCE_ON ? HS__MAX_MEMBERSHIPS : 1;
    hs__rank_order order;
    PMPI_Comm_rank(peers->comm, &rank);
    PMPI_Comm_size(peers->comm, &size);
    findings f = {.host = hs__array_new((size_t)size, sizeof *f.host)};
    (void)hs__rank_order_create(size, &order); /* without memory all ranks agree to fail */
    hs_status status = plan_first(peers, params, most, &order, &f, error);
    if (status == HS_OK)
        status = share_order(peers, 0, rank, &order);
    if (status == HS_OK)
        status = share_curves(peers, rank, size, &order.curves);
    HS_ASSERT(status != HS_OK || hs__rank_order_check(&order, NULL) == HS_OK);
    if (status == HS_OK) {
        *planner = (hs__planner){.rank = order.position[0],
                                 .platform = rank == 0 ? f.platform : NULL,
                                 .names = order.position[rank] == 0 ? order_names(f.names, &order) : NULL};
        f.platform = rank == 0 ? NULL : f.platform;
        *placed = order;
    } else {
        hs__rank_order_free(&order);
    }
    free(f.host);
    hs__park_buffer(f.names, peers->broken);
    hs_platform_free(f.platform);
    return status;
}

/* ---- Planning again ---- */

/* Take the memberships of one from the other. */
static void swap_memberships(hs__rank_order *a, hs__rank_order *b)
{
    const hs__rank_order old = *a;
    a->memberships = b->memberships;
    a->byte_s = b->byte_s;
    a->traffic = b->traffic;
    b->memberships = old.memberships;
    b->byte_s = old.byte_s;
    b->traffic = old.traffic;
}

hs_status hs__place_again(hs_context *context)
{
    hs__rank_order order;
    int planner = context->planner.rank;
    hs_status status = hs__rank_order_create(context->size, &order);
    if (status == HS_OK && context->rank == planner)
        status =
            plan(&order, context->planner.platform, context->order.host, HS__MAX_MEMBERSHIPS, &context->order, NULL);
    status = hs__peers_agree(&context->peers, status, NULL);
    if (status == HS_OK)
        status = share_order(&context->peers, planner, context->rank, &order);
    if (status == HS_OK) {
        HS_ASSERT(order.position[context->rank] == context->rank); /* the order stays */
        HS_ASSERT(hs__rank_order_check(&order, NULL) == HS_OK && order.memberships >= context->order.memberships);
        swap_memberships(&context->order, &order);
        context->planner.plans++;
    }
    hs__rank_order_free(&order);
    return status;
}
