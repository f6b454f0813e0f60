/* SPDX-License-Identifier: BSD-3-Clause */
/* Cables, hubs, hops and crossings of small platforms, counted by hand. */
#include "tests/short_of_memory.h"
#include "tests/unit.h"

#include "lab/lab.h"

static hs_platform *new_platform(hs_routing routing, int hosts)
{
    hs_platform *platform;
    hs_error error;
    assert_int_equal(hs_platform_create(routing, &platform), HS_OK);
    for (int i = 0; i < hosts; i++) {
        char id[8];
        snprintf(id, sizeof id, "h%d", i);
        assert_int_equal(hs_platform_add_host(platform, id, 1e9, 1, NULL, &error), HS_OK);
    }
    return platform;
}

static int new_link(hs_platform *platform, const char *id)
{
    int link;
    hs_error error;
    assert_int_equal(hs_platform_add_link(platform, id, 1e6, 0, HS_SHARED, &link, &error), HS_OK);
    return link;
}

static lab_topology *lay(const hs_platform *platform)
{
    lab_topology *topology = NULL;
    hs_error error;
    assert_int_equal(lab_topology_create(platform, &topology, &error), HS_OK);
    assert_non_null(topology);
    return topology;
}

/* Crossings are found by their link: by link, then by ends, each once. */
static void check_crossings(const lab_topology *topology)
{
    for (size_t i = 1; i < topology->crossing_count; i++) {
        const lab_crossing *a = &topology->crossings[i - 1], *b = &topology->crossings[i];
        assert_true(a->link < b->link ||
                    (a->link == b->link && (a->from < b->from || (a->from == b->from && a->to < b->to))));
    }
}

/* h0 and h1 on one router, over a duplex link and a shared one, which begin at the hosts or at the router. */
static hs_platform *new_star(int at_router, int *router, int *duplex, int *shared)
{
    hs_error error;
    hs_platform *platform = new_platform(HS_ROUTING_GRAPH, 2);
    assert_int_equal(hs_platform_add_router(platform, "r", router, &error), HS_OK);
    assert_int_equal(hs_platform_add_duplex(platform, "d", 1e6, 0, duplex, &error), HS_OK);
    *shared = new_link(platform, "s");
    for (int host = 0; host < 2; host++)
        assert_int_equal(hs_platform_add_edge(platform, at_router ? *router : host, at_router ? host : *router,
                                              host == 0 ? *duplex : *shared, &error),
                         HS_OK);
    return platform;
}

static void star(void **state)
{
    int router, duplex, shared;
    hs_platform *platform = new_star(0, &router, &duplex, &shared);
    lab_topology *topology = lay(platform);
    (void)state;
    assert_int_equal(topology->stations, 3);
    assert_int_equal(topology->cable_count, 2);
    const lab_cable *first = &topology->cables[0], *second = &topology->cables[1];
    assert_int_equal(first->end[0], 0);
    assert_int_equal(first->end[1], router);
    assert_int_equal(first->link[0], duplex);
    assert_int_equal(first->link[1], duplex + 1);
    assert_int_equal(second->link[0], shared);
    assert_int_equal(second->link[1], shared);
    assert_int_equal(topology->hop_count, 4);
    assert_int_equal(topology->crossing_count, 4);
    lab_topology_free(topology);
    hs_platform_free(platform);
}

/* The same from the other end: the first route takes the second direction of the link. */
static void a_link_from_the_router(void **state)
{
    int router, duplex, shared;
    hs_platform *platform = new_star(1, &router, &duplex, &shared);
    lab_topology *topology = lay(platform);
    (void)state;
    assert_int_equal(topology->cable_count, 2);
    assert_true(topology->cables[0].end[0] == 0 && topology->cables[0].end[1] == router);
    assert_int_equal(topology->cables[0].link[0], duplex + 1);
    assert_int_equal(topology->cables[0].link[1], duplex);
    lab_topology_free(topology);
    hs_platform_free(platform);
}

/* One link used by two edges cannot be a cable. */
static void common_link(void **state)
{
    int router;
    hs_error error;
    hs_platform *platform = new_platform(HS_ROUTING_GRAPH, 3);
    (void)state;
    assert_int_equal(hs_platform_add_router(platform, "r", &router, &error), HS_OK);
    int air = new_link(platform, "air"), wire = new_link(platform, "wire");
    assert_int_equal(hs_platform_add_edge(platform, 0, router, air, &error), HS_OK);
    assert_int_equal(hs_platform_add_edge(platform, 1, router, air, &error), HS_OK);
    assert_int_equal(hs_platform_add_edge(platform, 2, router, wire, &error), HS_OK);
    lab_topology *topology;
    /* The route from h0 to h1 crosses the link "air" twice, which a lab cannot build. */
    assert_int_equal(lab_topology_create(platform, &topology, &error), HS_ERR_UNSUPPORTED);
    CHECK_ERROR_SAYS(&error, 0, "'h0' to 'h1'");
    hs_platform_free(platform);
}

/* One that no route crosses twice is a hub between its neighbours, the others stay cables. */
static void a_common_link_is_a_hub(void **state)
{
    hs_error error;
    hs_platform *platform = new_platform(HS_ROUTING_GRAPH, 3);
    int air = new_link(platform, "air"), wire = new_link(platform, "wire");
    assert_int_equal(hs_platform_add_edge(platform, 0, 1, air, &error), HS_OK);
    assert_int_equal(hs_platform_add_edge(platform, 1, 2, air, &error), HS_OK);
    assert_int_equal(hs_platform_add_edge(platform, 0, 2, wire, &error), HS_OK);
    lab_topology *topology = lay(platform);
    assert_int_equal(topology->stations, 4);
    assert_int_equal(topology->hub_of_link[air], 3);
    assert_int_equal(topology->hub_of_link[wire], -1);
    assert_int_equal(topology->cable_count, 4); /* from each host to the hub, and the wire */
    check_crossings(topology);
    lab_topology_free(topology);
    hs_platform_free(platform);
}

/* Without a graph each link is a hub between its neighbours on the routes. */
static void routes_only(void **state)
{
    hs_error error;
    hs_platform *platform = new_platform(HS_ROUTING_FULL, 3);
    (void)state;
    int pair = new_link(platform, "pair"), common = new_link(platform, "common");
    int both[] = {pair, common};
    assert_int_equal(hs_platform_add_route(platform, 0, 1, &pair, 1, 1, &error), HS_OK);
    assert_int_equal(hs_platform_add_route(platform, 0, 2, &common, 1, 1, &error), HS_OK);
    assert_int_equal(hs_platform_add_route(platform, 1, 2, both, 2, 1, &error), HS_OK);
    lab_topology *topology = lay(platform);
    assert_int_equal(topology->stations, 5);
    assert_true(topology->hub_of_link[pair] >= 3 && topology->hub_of_link[common] >= 3);
    /* h0-pair, pair-h1, h0-common, common-h2, pair-common; the route from h1 to common passes pair. */
    assert_int_equal(topology->cable_count, 5);
    for (int i = 0; i < topology->cable_count; i++) {
        assert_int_equal(topology->cables[i].link[0], -1);
        assert_int_equal(topology->cables[i].link[1], -1);
    }
    assert_int_equal(topology->crossing_count, 8);
    check_crossings(topology);
    lab_topology_free(topology);
    hs_platform_free(platform);
}

/* A link for each pair of 66 hosts: two cables beside each of the 2145 hubs. */
static void too_many_cables(void **state)
{
    enum { HOSTS = 66 };
    hs_error error;
    lab_topology *topology = NULL;
    hs_platform *platform = new_platform(HS_ROUTING_FULL, HOSTS);
    for (int a = 0; a < HOSTS; a++)
        for (int b = 0; b < a; b++) {
            char id[16];
            snprintf(id, sizeof id, "l%d-%d", a, b);
            int link = new_link(platform, id);
            assert_int_equal(hs_platform_add_route(platform, a, b, &link, 1, 1, &error), HS_OK);
        }
    assert_int_equal(lab_topology_create(platform, &topology, &error), HS_ERR_UNSUPPORTED);
    CHECK_ERROR(&error, 0, "the platform needs more cables than the 4000 that a lab has");
    assert_null(topology);
    hs_platform_free(platform);
}

static void unreachable(void **state)
{
    hs_error error;
    lab_topology *topology = NULL;
    hs_platform *platform = new_platform(HS_ROUTING_FULL, 2);
    (void)state;
    new_link(platform, "unused");
    assert_int_equal(lab_topology_create(platform, &topology, &error), HS_ERR_UNREACHABLE);
    CHECK_ERROR_SAYS(&error, 0, "'h0'");
    assert_null(topology);
    hs_platform_free(platform);
}

static hs_status lay_again(const void *platform)
{
    lab_topology *topology = NULL;
    hs_error error = {0, ""};
    hs_status status = lab_topology_create(platform, &topology, &error);
    if (status == HS_ERR_NOMEM)
        CHECK_ERROR(&error, 0, hs_status_text(status));
    lab_topology_free(topology);
    return status;
}

static void without_memory(void **state)
{
    hs_platform *platform;
    (void)state;
    for (int routers = 0; routers < 4; routers += 3) {
        if (routers > 0) {
            assert_int_equal(hs_platform_generate(3, routers, 6, 1, &platform, NULL), HS_OK);
        } else {
            platform = new_platform(HS_ROUTING_FULL, 2);
            int links[] = {new_link(platform, "a"), new_link(platform, "b")};
            assert_int_equal(hs_platform_add_route(platform, 0, 1, links, 2, 1, NULL), HS_OK);
        }
        assert_true(fail_each_allocation(lay_again, platform) > 5);
        hs_platform_free(platform);
    }
}

/* On every platform, the hops from each host lead to every other host. */
static void follow_hops(const hs_platform *platform, const lab_topology *topology)
{
    int hosts = hs_platform_hosts(platform);
    for (int from = 0; from < hosts; from++)
        for (int to = 0; to < hosts; to++) {
            int station = from, steps = 0;
            while (station != to) {
                int cable = -1;
                for (size_t i = 0; i < topology->hop_count && cable < 0; i++) {
                    const lab_hop *hop = &topology->hops[i];
                    if (hop->station == station && hop->from == from && hop->to == to)
                        cable = hop->cable;
                }
                assert_true(cable >= 0);
                const lab_cable *taken = &topology->cables[cable];
                station = taken->end[0] == station ? taken->end[1] : taken->end[0];
                assert_true(++steps <= topology->stations);
            }
        }
}

static void random_platforms(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        hs_platform *platform;
        hs_error error;
        int hosts = 2 + (int)(seed % 7), routers = 5 + (int)(seed % 5), links = hosts + routers - 1 + (int)(seed % 4);
        assert_int_equal(hs_platform_generate(hosts, routers, links, seed, &platform, &error), HS_OK);
        lab_topology *topology = lay(platform);
        follow_hops(platform, topology);
        check_crossings(topology);
        lab_topology_free(topology);
        hs_platform_free(platform);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(star),          cmocka_unit_test(a_link_from_the_router),
                                       cmocka_unit_test(common_link),   cmocka_unit_test(a_common_link_is_a_hub),
                                       cmocka_unit_test(routes_only),   cmocka_unit_test(too_many_cables),
                                       cmocka_unit_test(unreachable),   cmocka_unit_test(random_platforms),
                                       cmocka_unit_test(without_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
