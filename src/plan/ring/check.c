/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a ring plan is right. Everything is derived again from the platform and the parameters through the public
 * functions alone, without code of the planner. */
#include <heteroslice/hs_ring.h>

#include "util/array.h"
#include "util/pool.h"
#include "util/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double rounding = 1e-9; /* relative */

static int is_close(double a, double b)
{
    return a == b || fabs(a - b) <= rounding * fmax(fabs(a), fabs(b));
}

static hs_status check_members(const hs_platform *p, const hs_ring_params *params, const hs_ring *ring, hs_error *error)
{
    int hosts = hs_platform_hosts(p), q = hs_ring_size(ring);
    char *seen = hs__array_new((size_t)hosts, 1);
    hs_status status = seen ? HS_OK : HS_ERR_NOMEM;
    for (int k = 0; k < q && status == HS_OK; k++) {
        int host = hs_ring_host(ring, k);
        int64_t units = hs_ring_units(ring, k);
        if (host < 0 || host >= hosts || seen[host])
            status = hs_error_set(error, HS_ERR_INTERNAL, 0, "position %d of the ring holds host %d, %s", k, host,
                                  host < 0 || host >= hosts ? "out of range" : "as another one does");
        else if (units != 0 && units < params->minimum)
            status = hs_error_set(error, HS_ERR_INTERNAL, 0, "position %d of the ring has %lld units, fewer than %lld",
                                  k, (long long)units, (long long)params->minimum);
        else
            seen[host] = 1;
    }
    free(seen);
    return status;
}

/* Marks in reach[m * nodes + v] whether the first m links of the path lead to node v. */
static void follow(const hs_ring_path *path, const hs_arc *arc, size_t arcs, size_t nodes, char *reach)
{
    reach[path->from] = 1;
    for (size_t m = 0, again = 0; m <= path->count; m += !again) {
        again = 0;
        for (size_t a = 0; a < arcs; a++) {
            const hs_arc *x = &arc[a];
            if (!reach[m * nodes + (size_t)x->from] || x->count > path->count - m ||
                memcmp(x->links, path->links + m, x->count * sizeof *x->links) != 0)
                continue;
            char *there = &reach[(m + x->count) * nodes + (size_t)x->to];
            again |= x->count == 0 && !*there;
            *there = 1;
        }
    }
}

/* The links lead from one end to the other along arcs of the graph. */
static hs_status check_walk(const hs_platform *p, const hs_ring_path *path, hs_error *error)
{
    const hs_arc *arc;
    size_t arcs, nodes = (size_t)hs_platform_hosts(p) + (size_t)hs_platform_routers(p);
    hs_status status = hs_platform_arcs(p, &arc, &arcs);
    char *reach = status == HS_OK ? hs__array_new((path->count + 1) * nodes, 1) : NULL;
    if (status == HS_OK && !reach)
        status = HS_ERR_NOMEM;
    if (status == HS_OK) {
        follow(path, arc, arcs, nodes, reach);
        if (!reach[path->count * nodes + (size_t)path->to])
            status = hs_error_set(error, HS_ERR_INTERNAL, 0, "the links of the path from '%s' do not lead to '%s'",
                                  hs_platform_node_id(p, path->from), hs_platform_node_id(p, path->to));
    }
    free(reach);
    return status;
}

static hs_status check_route(const hs_platform *p, const hs_ring_path *path, hs_error *error)
{
    hs_route route = {0};
    hs_status status = hs_platform_route(p, path->from, path->to, &route);
    if (status == HS_OK && (route.count != path->count || !is_close(route.latency, path->latency) ||
                            memcmp(route.links, path->links, route.count * sizeof *route.links) != 0))
        status = hs_error_set(error, HS_ERR_INTERNAL, 0, "the path from '%s' to '%s' is not the platform's route",
                              hs_platform_node_id(p, path->from), hs_platform_node_id(p, path->to));
    hs_route_free(&route);
    return status;
}

static hs_status check_paths(const hs_platform *p, const hs_ring_params *params, const hs_ring *ring, hs_error *error)
{
    int q = hs_ring_size(ring), paths = q > 1 ? 2 * q : 0;
    hs_status status = HS_OK;
    if (hs_ring_paths(ring) != paths)
        return hs_error_set(error, HS_ERR_INTERNAL, 0, "%d paths in a ring of %d", hs_ring_paths(ring), q);
    for (int f = 0; f < paths && status == HS_OK; f++) {
        const hs_ring_path *path = hs_ring_path_at(ring, f);
        int near = hs_ring_host(ring, f / 2), far = hs_ring_host(ring, (f / 2 + 1) % q);
        if (path->from != (f % 2 ? far : near) || path->to != (f % 2 ? near : far))
            return hs_error_set(error, HS_ERR_INTERNAL, 0, "path %d does not join neighbours of the ring", f);
        status = params->routes == HS_RING_ROUTES_FREE ? check_walk(p, path, error) : check_route(p, path, error);
    }
    return status;
}

/* No link carries more than it can. */
static hs_status check_capacities(const hs_platform *p, const hs_ring *ring, hs_error *error)
{
    hs_status status = HS_OK;
    double *used = hs__array_new((size_t)hs_platform_links(p), sizeof *used);
    if (!used)
        return HS_ERR_NOMEM;
    for (int f = 0; f < hs_ring_paths(ring) && status == HS_OK; f++) {
        const hs_ring_path *path = hs_ring_path_at(ring, f);
        if (!(path->bandwidth > 0))
            status = hs_error_set(error, HS_ERR_INTERNAL, 0, "path %d has a bandwidth of %g", f, path->bandwidth);
        for (size_t m = 0; m < path->count; m++) {
            double *load = &used[path->links[m]];
            int is_shared = hs_platform_link_sharing(p, path->links[m]) == HS_SHARED;
            *load = is_shared ? *load + path->bandwidth : fmax(*load, path->bandwidth);
        }
    }
    for (int l = 0; l < hs_platform_links(p) && status == HS_OK; l++)
        if (used[l] > hs_platform_link_bandwidth(p, l) * (1 + rounding))
            status = hs_error_set(error, HS_ERR_INTERNAL, 0, "link '%s' of %g bytes/s carries %g",
                                  hs_platform_link_id(p, l), hs_platform_link_bandwidth(p, l), used[l]);
    free(used);
    return status;
}

/* The bandwidths of a max-min plan are those of the platform's own max-min sharing. */
static hs_status check_maxmin(const hs_platform *p, const hs_ring *ring, hs_error *error)
{
    hs__pool pool = {0};
    size_t n = (size_t)hs_ring_paths(ring);
    const int **links = hs__pool_new(&pool, n, sizeof *links);
    size_t *counts = hs__pool_new(&pool, n, sizeof *counts);
    double *rate = hs__pool_new(&pool, n, sizeof *rate);
    hs_status status = hs__pool_status(&pool);
    for (size_t f = 0; f < n && status == HS_OK; f++) {
        links[f] = hs_ring_path_at(ring, (int)f)->links;
        counts[f] = hs_ring_path_at(ring, (int)f)->count;
    }
    if (status == HS_OK)
        status = hs_platform_maxmin(p, links, counts, n, rate);
    for (size_t f = 0; f < n && status == HS_OK; f++)
        if (!is_close(hs_ring_path_at(ring, (int)f)->bandwidth, rate[f]))
            status = hs_error_set(error, HS_ERR_INTERNAL, 0, "path %zu has %g bytes/s, its max-min rate is %g", f,
                                  hs_ring_path_at(ring, (int)f)->bandwidth, rate[f]);
    hs__pool_free(&pool);
    return status;
}

static double message_seconds(const hs_ring_params *params, const hs_ring_path *path)
{
    double seconds = params->latency == HS_RING_LATENCY_ADDED ? path->latency : 0;
    return params->halo > 0 ? seconds + params->halo / path->bandwidth : seconds;
}

/* What all members have, added up. */
typedef struct sums {
    double share, largest_comm, longest, speed, weighted;
    int64_t units;
} sums;

/* The speed of a host with its share. */
static double speed_of(const hs_platform *p, const hs_ring_params *params, int host, double share)
{
    const hs_speed_function *function = hs_platform_host_speed_function(p, host);
    double speed = hs_platform_host_speed(p, host);
    if (params->data > 0 && speed > 0 && function->points > 0)
        speed = hs_speed_at(function, share * params->data);
    return params->speed && params->data == 0 ? params->speed[host] : speed * hs_platform_host_cores(p, host);
}

static hs_status check_member_times(const hs_platform *p, const hs_ring_params *params, const hs_ring *ring, int k,
                                    sums *sum, hs_error *error)
{
    int q = hs_ring_size(ring), host = hs_ring_host(ring, k);
    double share = hs_ring_share_of(ring, k), comm = 0;
    double speed = speed_of(p, params, host, share), largest = hs_platform_host_speed_function(p, host)->max_size;
    if (!(share >= 0) || (speed == 0 && share > 0))
        return hs_error_set(error, HS_ERR_INTERNAL, 0, "position %d has a share of %g at speed %g", k, share, speed);
    if (q > 1)
        comm = message_seconds(params, hs_ring_path_at(ring, 2 * k)) +
               message_seconds(params, hs_ring_path_at(ring, 2 * ((k + q - 1) % q) + 1));
    double compute = speed > 0 ? share * params->work / speed : 0;
    if (share * params->data > largest * (1 + rounding))
        return hs_error_set(error, HS_ERR_INTERNAL, 0, "position %d has %g bytes, more than its largest slice", k,
                            share * params->data);
    if (!is_close(hs_ring_comm_time(ring, k), comm) || !is_close(hs_ring_compute_time(ring, k), compute))
        return hs_error_set(error, HS_ERR_INTERNAL, 0, "position %d computes %g s and communicates %g s, not %g and %g",
                            k, compute, comm, hs_ring_compute_time(ring, k), hs_ring_comm_time(ring, k));
    sum->share += share;
    sum->units += hs_ring_units(ring, k);
    sum->speed += speed;
    sum->weighted += speed * comm;
    sum->largest_comm = fmax(sum->largest_comm, comm);
    sum->longest = fmax(sum->longest, params->model == HS_STEP_OVERLAP ? fmax(compute, comm) : compute + comm);
    return HS_OK;
}

/* Real shares by functions take equal time, but for members at their largest slice, and those whose messages alone take
 * as long. The step is at least that time. */
static hs_status check_level(const hs_platform *p, const hs_ring_params *params, const hs_ring *ring,
                             double largest_comm, hs_error *error)
{
    double level = 0;
    int serial = params->model == HS_STEP_SERIAL;
    for (int k = 0; k < hs_ring_size(ring); k++)
        if (hs_ring_share_of(ring, k) > 0)
            level = fmax(level, hs_ring_compute_time(ring, k) + serial * hs_ring_comm_time(ring, k));
    for (int k = 0; k < hs_ring_size(ring); k++) {
        double share = hs_ring_share_of(ring, k), comm = serial * hs_ring_comm_time(ring, k);
        int host = hs_ring_host(ring, k);
        int fits = share > 0 ? is_close(hs_ring_compute_time(ring, k) + comm, level) ||
                                   is_close(share * params->data, hs_platform_host_speed_function(p, host)->max_size)
                             : hs_platform_host_speed(p, host) == 0 || comm >= level * (1 - rounding);
        if (!fits)
            return hs_error_set(error, HS_ERR_INTERNAL, 0, "position %d does not take the %g s of the others", k,
                                level);
    }
    double step = hs_ring_step_time(ring);
    if (!is_close(step, fmax(level, largest_comm)))
        return hs_error_set(error, HS_ERR_INTERNAL, 0, "the step takes %g s, not %g", fmax(level, largest_comm), step);
    return HS_OK;
}

/* The step time is that of the slowest member, and with real shares the larger of Eq. 4 and the largest D. */
static hs_status check_times(const hs_platform *p, const hs_ring_params *params, const hs_ring *ring, hs_error *error)
{
    sums sum = {0};
    double step = hs_ring_step_time(ring);
    for (int k = 0; k < hs_ring_size(ring); k++) {
        hs_status status = check_member_times(p, params, ring, k, &sum, error);
        if (status != HS_OK)
            return status;
    }
    if (!is_close(sum.share, 1) || sum.units != params->units)
        return hs_error_set(error, HS_ERR_INTERNAL, 0, "the shares add up to %.17g, the units to %lld of %lld",
                            sum.share, (long long)sum.units, (long long)params->units);
    double level = (params->work + (params->model == HS_STEP_OVERLAP ? 0 : sum.weighted)) / sum.speed;
    if (params->data > 0 && params->units == 0) {
        hs_status status = check_level(p, params, ring, sum.largest_comm, error);
        if (status != HS_OK)
            return status;
        level = step;
    }
    if (!is_close(step, sum.longest) || (params->units == 0 && !is_close(step, fmax(level, sum.largest_comm))))
        return hs_error_set(error, HS_ERR_INTERNAL, 0, "the step takes %g s, not %g; Eq. 4 says %g", sum.longest, step,
                            level);
    if (!(hs_ring_lower_bound(ring) <= step * (1 + rounding)))
        return hs_error_set(error, HS_ERR_INTERNAL, 0, "the lower bound %g is above the step time %g",
                            hs_ring_lower_bound(ring), step);
    if (params->units == 0 && !(hs_ring_by_size(ring, hs_ring_size(ring)) <= step * (1 + rounding)))
        return hs_error_set(error, HS_ERR_INTERNAL, 0, "the best ring of this size is slower than this one");
    return HS_OK;
}

hs_status hs_ring_check(const hs_platform *platform, const hs_ring_params *params, const hs_ring *ring, hs_error *error)
{
    HS__RETURN_ERROR_IF_NULL(platform, error);
    HS__RETURN_ERROR_IF_NULL(params, error);
    HS__RETURN_ERROR_IF_NULL(ring, error);
    hs_status status = check_members(platform, params, ring, error);
    if (status == HS_OK)
        status = check_paths(platform, params, ring, error);
    if (status == HS_OK)
        status = check_capacities(platform, ring, error);
    if (status == HS_OK && params->share == HS_RING_SHARE_MAXMIN)
        status = check_maxmin(platform, ring, error);
    if (status == HS_OK)
        status = check_times(platform, params, ring, error);
    return status;
}
