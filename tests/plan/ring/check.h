/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_TESTS_PLAN_RING_CHECK_H
#define HS_TESTS_PLAN_RING_CHECK_H

/* Random platforms, and a checker of ring plans that shares no code with the planner. */

#include "tests/unit.h"
#include "util/random.h"
#include <heteroslice/hs_ring.h>

enum { CHECK_MOST = 4096 };

/** A connected graph of hosts and routers: a random tree over the routers, hosts on random routers, `extra` more links
 * between random nodes. Links are shared, duplex or FATPIPE; speeds and bandwidths spread over e^spread. */
static inline hs_platform *random_graph(hs__random *random, int hosts, int routers, int extra, double spread)
{
    hs_platform *p;
    char id[16];
    assert_int_equal(hs_platform_create(HS_ROUTING_GRAPH, &p), HS_OK);
    for (int i = 0; i < hosts; i++) {
        snprintf(id, sizeof id, "h%d", i);
        assert_int_equal(hs_platform_add_host(p, id, exp(spread * hs__random_unit(random)), 1, NULL, NULL), HS_OK);
    }
    for (int i = 0; i < routers; i++) {
        snprintf(id, sizeof id, "r%d", i);
        assert_int_equal(hs_platform_add_router(p, id, NULL, NULL), HS_OK);
    }
    for (int n = 0; n < hosts + routers - 1 + extra; n++) {
        int link, from, to, kind = (int)hs__random_below(random, 8);
        if (n < routers - 1) {
            from = hosts + n + 1;
            to = hosts + (int)hs__random_below(random, n + 1);
        } else if (n < hosts + routers - 1) {
            from = n - (routers - 1);
            to = hosts + (int)hs__random_below(random, routers);
        } else {
            from = (int)hs__random_below(random, hosts + routers);
            to = (int)hs__random_below(random, hosts + routers);
            if (from == to)
                continue;
        }
        double bandwidth = exp(spread * hs__random_unit(random)), latency = 0.01 * hs__random_unit(random);
        snprintf(id, sizeof id, "l%d", n);
        if (kind < 3)
            assert_int_equal(hs_platform_add_duplex(p, id, bandwidth, latency, &link, NULL), HS_OK);
        else
            assert_int_equal(
                hs_platform_add_link(p, id, bandwidth, latency, kind == 3 ? HS_FATPIPE : HS_SHARED, &link, NULL),
                HS_OK);
        hs_status status = hs_platform_add_edge(p, from, to, link, NULL);
        assert_true(status == HS_OK || (status == HS_ERR_ARG && n >= hosts + routers - 1)); /* neighbours already */
    }
    return p;
}

static inline double host_speed(const hs_platform *p, const hs_ring_params *params, int host)
{
    return params->speed ? params->speed[host] : hs_platform_host_speed(p, host) * hs_platform_host_cores(p, host);
}

/* The links lead from one end to the other along arcs of the graph. */
static inline void check_walk(const hs_platform *p, const hs_ring_path *path)
{
    const hs_arc *arc;
    size_t arcs;
    int nodes = hs_platform_hosts(p) + hs_platform_routers(p);
    assert_true(nodes <= CHECK_MOST);
    char at[CHECK_MOST] = {0};
    assert_int_equal(hs_platform_arcs(p, &arc, &arcs), HS_OK);
    at[path->from] = 1;
    for (size_t m = 0; m < path->count; m++) {
        char next[CHECK_MOST] = {0};
        for (size_t a = 0; a < arcs; a++)
            if (at[arc[a].from] && arc[a].count == 1 && arc[a].links[0] == path->links[m])
                next[arc[a].to] = 1;
        memcpy(at, next, sizeof at);
    }
    assert_true(at[path->to]);
}

static inline void check_paths(const hs_platform *p, const hs_ring_params *params, const hs_ring *ring)
{
    int q = hs_ring_size(ring);
    assert_int_equal(hs_ring_paths(ring), q > 1 ? 2 * q : 0);
    for (int f = 0; f < hs_ring_paths(ring); f++) {
        const hs_ring_path *path = hs_ring_path_at(ring, f);
        int near = hs_ring_host(ring, f / 2), far = hs_ring_host(ring, (f / 2 + 1) % q);
        assert_int_equal(path->from, f % 2 ? far : near);
        assert_int_equal(path->to, f % 2 ? near : far);
        if (params->routes == HS_RING_ROUTES_FREE) {
            check_walk(p, path);
            continue;
        }
        hs_route route = {0};
        assert_int_equal(hs_platform_route(p, path->from, path->to, &route), HS_OK);
        assert_int_equal(route.count, path->count);
        for (size_t m = 0; m < path->count; m++)
            assert_int_equal(route.links[m], path->links[m]);
        CHECK_CLOSE(path->latency, route.latency, 1e-12);
        hs_route_free(&route);
    }
}

static inline void check_capacities(const hs_platform *p, const hs_ring *ring)
{
    double *used = calloc((size_t)hs_platform_links(p) + 1, sizeof *used);
    assert_non_null(used);
    for (int f = 0; f < hs_ring_paths(ring); f++) {
        const hs_ring_path *path = hs_ring_path_at(ring, f);
        assert_true(path->bandwidth > 0);
        for (size_t m = 0; m < path->count; m++) {
            used[path->links[m]] += path->bandwidth;
            if (hs_platform_link_sharing(p, path->links[m]) == HS_FATPIPE)
                assert_true(path->bandwidth <= hs_platform_link_bandwidth(p, path->links[m]) * (1 + 1e-9));
        }
    }
    for (int l = 0; l < hs_platform_links(p); l++)
        if (hs_platform_link_sharing(p, l) == HS_SHARED)
            assert_true(used[l] <= hs_platform_link_bandwidth(p, l) * (1 + 1e-9));
    free(used);
}

/* Max-min plans carry the rates of the platform's own max-min sharing. */
static inline void check_maxmin(const hs_platform *p, const hs_ring *ring)
{
    const int *links[2 * CHECK_MOST];
    size_t counts[2 * CHECK_MOST], n = (size_t)hs_ring_paths(ring);
    double *rate = calloc(n + 1, sizeof *rate);
    assert_non_null(rate);
    for (size_t f = 0; f < n; f++) {
        links[f] = hs_ring_path_at(ring, (int)f)->links;
        counts[f] = hs_ring_path_at(ring, (int)f)->count;
    }
    assert_int_equal(hs_platform_maxmin(p, links, counts, n, rate), HS_OK);
    for (size_t f = 0; f < n; f++)
        CHECK_CLOSE(hs_ring_path_at(ring, (int)f)->bandwidth / rate[f], 1, 1e-9);
    free(rate);
}

static inline double message_seconds(const hs_ring_params *params, const hs_ring_path *path)
{
    double seconds = params->latency == HS_RING_LATENCY_ADDED ? path->latency : 0;
    return params->halo > 0 ? seconds + params->halo / path->bandwidth : seconds;
}

/* T, from shares and bandwidths, and as max(Eq. 4, max D). */
static inline void check_times(const hs_platform *p, const hs_ring_params *params, const hs_ring *ring)
{
    int q = hs_ring_size(ring), overlap = params->model == HS_STEP_OVERLAP;
    double shares = 0, largest = 0, busiest = 0, speed = 0, weighted = 0;
    int64_t units = 0;
    for (int k = 0; k < q; k++) {
        double s = host_speed(p, params, hs_ring_host(ring, k)), comm = 0;
        if (q > 1)
            comm = message_seconds(params, hs_ring_path_at(ring, 2 * k)) +
                   message_seconds(params, hs_ring_path_at(ring, 2 * ((k + q - 1) % q) + 1));
        double compute = s > 0 ? hs_ring_share_of(ring, k) * params->work / s : 0;
        assert_true(s > 0 || hs_ring_share_of(ring, k) == 0);
        assert_true(hs_ring_share_of(ring, k) >= 0);
        CHECK_CLOSE(hs_ring_comm_time(ring, k), comm, 1e-12);
        CHECK_CLOSE(hs_ring_compute_time(ring, k), compute, 1e-12);
        shares += hs_ring_share_of(ring, k);
        units += hs_ring_units(ring, k);
        largest = fmax(largest, comm);
        busiest = fmax(busiest, overlap ? fmax(compute, comm) : compute + comm);
        speed += s;
        weighted += s * comm;
    }
    CHECK_CLOSE(shares, 1, 1e-9);
    CHECK_CLOSE(hs_ring_step_time(ring), busiest, 1e-12);
    assert_int_equal(units, params->units);
    if (params->units == 0) {
        double level = overlap ? params->work / speed : (params->work + weighted) / speed;
        CHECK_CLOSE(hs_ring_step_time(ring) / fmax(1e-300, fmax(level, largest)), params->work > 0 || largest > 0,
                    1e-9);
    }
}

/** Everything that must hold for a plan, whatever the search. */
static inline void check_plan(const hs_platform *p, const hs_ring_params *params, const hs_ring *ring)
{
    int q = hs_ring_size(ring), hosts = hs_platform_hosts(p);
    char seen[CHECK_MOST] = {0};
    assert_in_range(q, 1, hosts);
    for (int k = 0; k < q; k++) {
        int host = hs_ring_host(ring, k);
        assert_in_range(host, 0, hosts - 1);
        assert_false(seen[host]);
        seen[host] = 1;
        if (params->units > 0)
            assert_true(hs_ring_units(ring, k) >= params->minimum);
    }
    check_paths(p, params, ring);
    check_capacities(p, ring);
    check_times(p, params, ring);
    if (params->share == HS_RING_SHARE_MAXMIN)
        check_maxmin(p, ring);
    assert_true(hs_ring_lower_bound(ring) <= hs_ring_step_time(ring) * (1 + 1e-9));
    if (params->units == 0)
        assert_true(hs_ring_by_size(ring, q) <= hs_ring_step_time(ring) * (1 + 1e-9));
}

/** Plan and check; the caller frees the plan. */
static inline hs_ring *planned(const hs_platform *p, const hs_ring_params *params)
{
    hs_ring *ring = NULL;
    hs_error error = {0};
    if (hs_ring_create(p, params, &ring, &error) != HS_OK)
        fail_msg("no plan: %s", error.text);
    check_plan(p, params, ring);
    return ring;
}

static inline double planned_time(const hs_platform *p, const hs_ring_params *params)
{
    hs_ring *ring = planned(p, params);
    double time = hs_ring_step_time(ring);
    hs_ring_free(ring);
    return time;
}

/* Hosts of the given speeds on one switch, each over its own duplex link. */
static inline hs_platform *star(const double *speed, int hosts, double bandwidth)
{
    hs_platform *p;
    int hub, link;
    char id[16];
    assert_int_equal(hs_platform_create(HS_ROUTING_GRAPH, &p), HS_OK);
    for (int i = 0; i < hosts; i++) {
        snprintf(id, sizeof id, "h%d", i);
        assert_int_equal(hs_platform_add_host(p, id, speed[i], 1, NULL, NULL), HS_OK);
    }
    assert_int_equal(hs_platform_add_router(p, "hub", &hub, NULL), HS_OK);
    for (int i = 0; i < hosts; i++) {
        snprintf(id, sizeof id, "l%d", i);
        assert_int_equal(hs_platform_add_duplex(p, id, bandwidth, 0, &link, NULL), HS_OK);
        assert_int_equal(hs_platform_add_edge(p, i, hub, link, NULL), HS_OK);
    }
    return p;
}

static inline hs_ring_params asked(double work, double halo)
{
    hs_ring_params params;
    hs_ring_params_init(&params);
    params.work = work;
    params.halo = halo;
    return params;
}

#endif
