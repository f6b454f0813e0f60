/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_TESTS_PLAN_RING_CHECK_H
#define HS_TESTS_PLAN_RING_CHECK_H

/* Random platforms, and ring plans on them that are checked. */

#include "tests/plan/one_switch.h"
#include "tests/unit.h"
#include "util/random.h"
#include <heteroslice/hs_ring.h>

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

/** What hs_ring_check() says of a plan fails the test when it is anything. */
static inline void check_plan(const hs_platform *p, const hs_ring_params *params, const hs_ring *ring)
{
    hs_error error = {0};
    if (hs_ring_check(p, params, ring, &error) != HS_OK)
        fail_msg("%s", error.text);
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
    return one_switch(speed, hosts, bandwidth, 1);
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
