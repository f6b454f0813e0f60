/* SPDX-License-Identifier: BSD-3-Clause */
/* Generated platforms: the numbers asked for, connected, each host behind one LAN router, the same for the same seed.
 */
#include "tests/unit.h"
#include <heteroslice/hs_platform.h>

static void check(int hosts, int routers, int links, uint64_t seed)
{
    hs_platform *p;
    hs_error error;
    hs_route route = {0};
    const hs_arc *arcs;
    size_t count;
    assert_int_equal(hs_platform_generate(hosts, routers, links, seed, &p, &error), HS_OK);
    assert_int_equal(hs_platform_hosts(p), hosts);
    assert_int_equal(hs_platform_routers(p), routers);
    assert_int_equal(hs_platform_links(p), links);
    assert_int_equal(hs_platform_arcs(p, &arcs, &count), HS_OK);
    assert_int_equal(count, 2 * links);
    int *degree = calloc((size_t)hosts, sizeof *degree);
    for (size_t i = 0; i < count; i++)
        if (arcs[i].from < hosts) {
            degree[arcs[i].from]++;
            assert_int_equal(strncmp(hs_platform_node_id(p, arcs[i].to), "lan", 3), 0);
        }
    for (int h = 0; h < hosts; h++)
        assert_int_equal(degree[h], 1);
    for (int v = 0; v < hosts + routers; v++)
        assert_int_equal(hs_platform_route(p, 0, v, &route), HS_OK);
    free(degree);
    hs_route_free(&route);
    hs_platform_free(p);
}

static void sizes(void **state)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        check(37, 47, 91, seed); /* the paper's two sizes */
        check(70, 103, 182, seed);
    }
    check(1, 1, 1, 1);
    check(5, 1, 5, 1);
    check(2, 2, 3, 1);
    check(3, 3, 5, 1);
    check(3, 3, 6, 1);
    check(4, 12, 4 + 66, 1); /* every router joined to every other */
    check(300, 7, 300 + 10, 1);
    check(3, 100, 102, 1);
}

static uint64_t fingerprint(int hosts, int routers, int links, uint64_t seed)
{
    hs_platform *p;
    uint64_t hash = 1469598103934665603u;
    assert_int_equal(hs_platform_generate(hosts, routers, links, seed, &p, NULL), HS_OK);
    for (int l = 0; l < hs_platform_links(p); l++) {
        for (const char *c = hs_platform_link_id(p, l); *c; c++)
            hash = (hash ^ (unsigned char)*c) * 1099511628211u;
        hash = (hash ^ (uint64_t)hs_platform_link_bandwidth(p, l)) * 1099511628211u;
    }
    for (int h = 0; h < hs_platform_hosts(p); h++)
        hash = (hash ^ (uint64_t)hs_platform_host_speed(p, h)) * 1099511628211u;
    hs_platform_free(p);
    return hash;
}

static void seeds(void **state)
{
    assert_true(fingerprint(37, 47, 91, 3) == fingerprint(37, 47, 91, 3));
    assert_true(fingerprint(37, 47, 91, 3) != fingerprint(37, 47, 91, 4));
    assert_true(fingerprint(37, 47, 91, 0) != fingerprint(37, 47, 91, 1));
}

/* In every release: figures name seeds. */
static void the_same_in_every_release(void **state)
{
    static const struct {
        int hosts, routers, links;
        uint64_t seed, print;
    } rows[] = {
        {37, 47, 91, 3, 3915850427310296336u},
        {70, 103, 182, 1, 14549206805931760644u}, /* the paper's larger ones */
        {70, 103, 182, 2, 18224445198164989333u},
        {20, 60, 140, 3, 16180965513462093809u}, /* many links beyond a tree */
        {4, 12, 60, 4, 1906554162332263080u},
        {300, 7, 310, 5, 15971515410606505321u},
        {3, 100, 120, 6, 10119422542107222043u},
        {6, 3, 9, 7, 14879778945298222823u},
        {5, 2, 6, 8, 3022663690569158995u},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t print = fingerprint(rows[i].hosts, rows[i].routers, rows[i].links, rows[i].seed);
        if (print != rows[i].print)
            fail_msg("%d hosts: %llu", rows[i].hosts, (unsigned long long)print);
    }
}

static void refused(void **state)
{
    hs_platform *p = NULL;
    hs_error error;
    assert_int_equal(hs_platform_generate(0, 3, 9, 1, &p, &error), HS_ERR_ARG);
    CHECK_ERROR(&error, 0, "0 hosts and 3 routers: at least one of each is needed");
    assert_int_equal(hs_platform_generate(3, 0, 9, 1, &p, &error), HS_ERR_ARG);
    assert_int_equal(hs_platform_generate(3, 3, 4, 1, &p, &error), HS_ERR_ARG);
    CHECK_ERROR(&error, 0, "4 links: 3 hosts and 3 routers take 5 to 6");
    assert_int_equal(hs_platform_generate(3, 3, 7, 1, &p, &error), HS_ERR_ARG);
    assert_int_equal(hs_platform_generate(2000000, 1, 2000000, 1, &p, &error), HS_ERR_UNSUPPORTED);
    CHECK_ERROR(&error, 0, "more than 1000000 hosts, routers and zones");
    assert_null(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sizes), cmocka_unit_test(seeds),
                                       cmocka_unit_test(the_same_in_every_release), cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
