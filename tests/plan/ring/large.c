/* SPDX-License-Identifier: BSD-3-Clause */
/* Ring plans on large platforms: rings of whole blocks of the hierarchy, and what they are good for. */
#include "plan/ring/program.h"
#include "tests/plan/ring/check.h"
#include <unistd.h>

static int shared_optimally; /* so many rings */
static int routes_asked;

hs_status __real_hs__share_optimal(hs__sharing *sharing, const hs__share_task *task, double *rate, double *value,
                                   double *bound);
hs_status __wrap_hs__share_optimal(hs__sharing *sharing, const hs__share_task *task, double *rate, double *value,
                                   double *bound);

hs_status __wrap_hs__share_optimal(hs__sharing *sharing, const hs__share_task *task, double *rate, double *value,
                                   double *bound)
{
    shared_optimally++;
    return __real_hs__share_optimal(sharing, task, rate, value, bound);
}

hs_status __real_hs_platform_route(const hs_platform *platform, int from, int to, hs_route *route);
hs_status __wrap_hs_platform_route(const hs_platform *platform, int from, int to, hs_route *route);

hs_status __wrap_hs_platform_route(const hs_platform *platform, int from, int to, hs_route *route)
{
    routes_asked++;
    return __real_hs_platform_route(platform, from, to, route);
}

/* Equal hosts on switches, hosts[s] over duplex links of `bandwidth` to switch s, and that over one of uplink[s] to the core. */
static hs_platform *switches(int count, const int *hosts, const double *uplink, double speed, double bandwidth)
{
    hs_platform *p;
    int core, link, all = 0, first = 0;
    char id[24];
    assert_int_equal(hs_platform_create(HS_ROUTING_GRAPH, &p), HS_OK);
    for (int s = 0; s < count; s++)
        all += hosts[s];
    for (int i = 0; i < all; i++) {
        snprintf(id, sizeof id, "h%d", i);
        assert_int_equal(hs_platform_add_host(p, id, speed, 1, NULL, NULL), HS_OK);
    }
    assert_int_equal(hs_platform_add_router(p, "core", &core, NULL), HS_OK);
    for (int s = 0; s < count; s++) {
        int node;
        snprintf(id, sizeof id, "switch%d", s);
        assert_int_equal(hs_platform_add_router(p, id, &node, NULL), HS_OK);
        assert_int_equal(hs_platform_add_duplex(p, id, uplink[s], 0, &link, NULL), HS_OK);
        assert_int_equal(hs_platform_add_edge(p, node, core, link, NULL), HS_OK);
        for (int i = 0; i < hosts[s]; i++, first++) {
            snprintf(id, sizeof id, "l%d", first);
            assert_int_equal(hs_platform_add_duplex(p, id, bandwidth, 0, &link, NULL), HS_OK);
            assert_int_equal(hs_platform_add_edge(p, first, node, link, NULL), HS_OK);
        }
    }
    return p;
}

/* Three sites of ten switches of twenty hosts each: far above the size that the paper's construction is for. */
static void large_platforms_go_by_blocks(void **state)
{
    enum { SITES = 3, SWITCHES = 10, HOSTS = 20, ALL = SITES * SWITCHES * HOSTS };
    hs_platform *p;
    int core, site[SITES], node[SITES * SWITCHES], link;
    char id[24];
    assert_int_equal(hs_platform_create(HS_ROUTING_GRAPH, &p), HS_OK);
    for (int i = 0; i < ALL; i++) {
        snprintf(id, sizeof id, "h%d", i);
        assert_int_equal(hs_platform_add_host(p, id, 1 + i % 3, 1, NULL, NULL), HS_OK);
    }
    assert_int_equal(hs_platform_add_router(p, "core", &core, NULL), HS_OK);
    for (int s = 0; s < SITES; s++) {
        snprintf(id, sizeof id, "site%d", s);
        assert_int_equal(hs_platform_add_router(p, id, &site[s], NULL), HS_OK);
        assert_int_equal(hs_platform_add_duplex(p, id, 40, 0, &link, NULL), HS_OK);
        assert_int_equal(hs_platform_add_edge(p, site[s], core, link, NULL), HS_OK);
    }
    for (int n = 0; n < SITES * SWITCHES; n++) {
        snprintf(id, sizeof id, "switch%d", n);
        assert_int_equal(hs_platform_add_router(p, id, &node[n], NULL), HS_OK);
        assert_int_equal(hs_platform_add_duplex(p, id, 20, 0, &link, NULL), HS_OK);
        assert_int_equal(hs_platform_add_edge(p, node[n], site[n / SWITCHES], link, NULL), HS_OK);
    }
    for (int i = 0; i < ALL; i++) { /* hosts are dealt to the switches like cards */
        snprintf(id, sizeof id, "l%d", i);
        assert_int_equal(hs_platform_add_duplex(p, id, 10, 0, &link, NULL), HS_OK);
        assert_int_equal(hs_platform_add_edge(p, i, node[i % (SITES * SWITCHES)], link, NULL), HS_OK);
    }
    hs_ring_params params = asked(2.0 * ALL, 1);
    params.search = HS_RING_SEARCH_PAPER;
    hs_ring *ring = planned(p, &params);
    /* Every link is crossed twice each way: H = 1 needs 0.4 s of the hosts' links, and no link is the bottleneck. */
    assert_int_equal(hs_ring_size(ring), ALL);
    CHECK_CLOSE(hs_ring_step_time(ring), 1.4, 1e-9);
    CHECK_CLOSE(hs_ring_lower_bound(ring), 1.4, 1e-6);
    hs_ring_free(ring);
    hs_platform_free(p);
}

/* An irregular network above the size for which every insertion is judged: the plan holds, and search improves on it.
 */
static void large_platforms_grow(void **state)
{
    hs_platform *p;
    assert_int_equal(hs_platform_generate(180, 270, 540, 3, &p, NULL), HS_OK);
    for (int routes = 0; routes < 2; routes++) {
        hs_ring_params params = asked(4e9, 1e5);
        params.routes = (hs_ring_routes)routes;
        params.search = HS_RING_SEARCH_PAPER;
        double greedy = planned_time(p, &params);
        assert_true(greedy < 4e9 / hs_platform_host_speed(p, 0));
        params.search = HS_RING_SEARCH_BEST;
        params.budget = 3000;
        assert_true(planned_time(p, &params) <= greedy * (1 + 1e-12));
    }
    hs_platform_free(p);
}

/* Uplinks of 1 and 2 are not worth their thirty hosts each, one of 3 is: the two hosts at its ends take 1 / 1.5 s for the
 * messages that cross it and 1 / 15 s for the others, and nothing takes longer. A ring with the switch of uplink 2, too, has ends
 * that take 1 + 1 / 15 s, until the last of that switch's hosts has left it. */
static void whole_switches_stay_out(void **state)
{
    enum { SWITCHES = 6, HOSTS = 30 };
    const int hosts[SWITCHES] = {HOSTS, HOSTS, HOSTS, HOSTS, HOSTS, HOSTS};
    const double uplink[SWITCHES] = {2, 3, 1, 10, 10, 10};
    const int expected[SWITCHES] = {0, HOSTS, 0, HOSTS, HOSTS, HOSTS};
    int members[SWITCHES] = {0};
    hs_platform *p = switches(SWITCHES, hosts, uplink, 2, 30);
    hs_ring_params params = asked(120, 1);
    params.budget = 1000;
    hs_ring *ring = planned(p, &params);
    for (int k = 0; k < hs_ring_size(ring); k++)
        members[hs_ring_host(ring, k) / HOSTS]++;
    for (int s = 0; s < SWITCHES; s++)
        assert_int_equal(members[s], expected[s]);
    CHECK_CLOSE(hs_ring_step_time(ring), 1 / 1.5 + 1 / 15., 1e-9);
    hs_ring_free(ring);
    hs_platform_free(p);
}

/* Above the size for which rings are constructed, the curve by size has the rings of each switch's hosts: every link is
 * crossed twice each way, which takes 0.4 s for H = 1. */
static void every_block_is_in_the_curve(void **state)
{
    enum { SWITCHES = 12 };
    int hosts[SWITCHES], all = 0;
    double uplink[SWITCHES];
    for (int s = 0; s < SWITCHES; s++) {
        all += hosts[s] = 60 + 5 * s;
        uplink[s] = 20;
    }
    assert_true(all > 1024);
    hs_platform *p = switches(SWITCHES, hosts, uplink, 1, 10);
    hs_ring_params params = asked(all, 1);
    params.search = HS_RING_SEARCH_PAPER;
    hs_ring *ring = planned(p, &params);
    CHECK_CLOSE(hs_ring_step_time(ring), 1.4, 1e-9);
    for (int s = 0; s < SWITCHES; s++)
        CHECK_CLOSE(hs_ring_by_size(ring, hosts[s]), (double)all / hosts[s] + 0.4, 1e-9);
    hs_ring_free(ring);
    hs_platform_free(p);
}

/* Optimal bandwidths take the cube of the messages: only the ring that the construction ends with has them, that which
 * the search by max-min bandwidths ends with, and again the last one in the platform's own numbers. */
static void few_rings_are_shared_optimally(void **state)
{
    hs_platform *p;
    assert_int_equal(hs_platform_generate(165, 200, 400, 3, &p, NULL), HS_OK);
    hs_ring_params params = asked(4e9, 1e5);
    params.search = HS_RING_SEARCH_PAPER;
    double fair = planned_time(p, &params);
    params.share = HS_RING_SHARE_OPTIMAL;
    assert_true(planned_time(p, &params) < fair);
    assert_int_equal(shared_optimally, 2);
    params.search = HS_RING_SEARCH_BEST;
    params.budget = 1;
    assert_true(planned_time(p, &params) < fair);
    assert_int_equal(shared_optimally, 2 + 3);
    hs_platform_free(p);
}

/* A zone routed by `routing` of ten zones of 60 hosts each, `inner`. */
static hs_platform *zones_of_hosts(const char *routing, const char *inner)
{
    char path[] = "/tmp/hs-large-XXXXXX";
    hs_platform *p = NULL;
    hs_error error;
    FILE *file = fdopen(mkstemp(path), "w");
    assert_non_null(file);
    fprintf(file, "<platform version=\"4.1\"><zone id=\"z\" routing=\"%s\">", routing);
    for (int c = 0; c < 10; c++)
        fprintf(file, inner, c, c, c, 1 + c % 3);
    fprintf(file, "<link id=\"trunk\" bandwidth=\"20Bps\" latency=\"2s\"/>");
    for (int c = 0; c < 10; c++)
        for (int d = c + 1; d < 10; d++)
            fprintf(file,
                    "<zoneRoute src=\"c%d\" dst=\"c%d\" gw_src=\"r%d\" gw_dst=\"r%d\"><link_ctn id=\"trunk\"/>"
                    "</zoneRoute>",
                    c, d, c, d);
    fprintf(file, "</zone></platform>");
    fclose(file);
    if (hs_platform_read(path, &p, &error) != HS_OK)
        fail_msg("%s", error.text);
    unlink(path);
    return p;
}

/* The ring of three hosts needs six routes, and its bound a few for each host where the cable of each is all that there is to
 * know of its routes. With latencies, too. */
static void few_routes_are_asked(void **state)
{
    static const char *const clusters =
        "<cluster id=\"c%d\" prefix=\"c%d-\" suffix=\"\" radical=\"0-59\" router_id=\"r%d\" speed=\"%df\" bw=\"10Bps\" "
        "lat=\"1s\" bb_bw=\"15Bps\" bb_lat=\"3s\"/>";
    enum { SWITCHES = 10, MOST = 8 };
    const int order[] = {0, 100, 599};
    int hosts[SWITCHES];
    double uplink[SWITCHES];
    for (int s = 0; s < SWITCHES; s++) {
        hosts[s] = 60;
        uplink[s] = 20;
    }
    hs_platform *platforms[] = {switches(SWITCHES, hosts, uplink, 1, 10), zones_of_hosts("Full", clusters),
                                zones_of_hosts("Floyd", clusters)};
    for (size_t i = 0; i < 2 * sizeof platforms / sizeof *platforms; i++) {
        hs_ring *ring;
        hs_platform *p = platforms[i / 2];
        hs_ring_params params = asked(1e9, 1);
        params.latency = i % 2 ? HS_RING_LATENCY_ADDED : HS_RING_LATENCY_IGNORED;
        routes_asked = 0;
        assert_int_equal(hs_platform_hosts(p), 600);
        assert_int_equal(hs_ring_create_given(p, &params, order, 3, &ring, NULL), HS_OK);
        assert_true(routes_asked < MOST * 600);
        hs_ring_free(ring);
        if (i % 2)
            hs_platform_free(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_platforms_go_by_blocks),   cmocka_unit_test(large_platforms_grow),
        cmocka_unit_test(whole_switches_stay_out),        cmocka_unit_test(every_block_is_in_the_curve),
        cmocka_unit_test(few_rings_are_shared_optimally), cmocka_unit_test(few_routes_are_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
