/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_TESTS_PLAN_ONE_SWITCH_H
#define HS_TESTS_PLAN_ONE_SWITCH_H

#include "tests/unit.h"
#include <heteroslice/hs_platform.h>

/** Hosts h0, h1, ... of the given speeds on one switch, each over its own link of `bandwidth` bytes/s, without latency: a shared
 * one, or where `duplex` one each way. */
static inline hs_platform *one_switch(const double *speed, int hosts, double bandwidth, int duplex)
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
        assert_int_equal(duplex ? hs_platform_add_duplex(p, id, bandwidth, 0, &link, NULL)
                                : hs_platform_add_link(p, id, bandwidth, 0, HS_SHARED, &link, NULL),
                         HS_OK);
        assert_int_equal(hs_platform_add_edge(p, i, hub, link, NULL), HS_OK);
    }
    return p;
}

#endif
