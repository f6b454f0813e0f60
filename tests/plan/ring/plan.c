/* SPDX-License-Identifier: BSD-3-Clause */
/* Ring plans: small cases by hand, invariants on random platforms, other units, and bad input. */
#include "tests/plan/ring/check.h"
#include "tests/platform/read.h"

static void one_host(void **state)
{
    const double speed[] = {2, 4, 1};
    hs_platform *p = star(speed, 3, 1);
    hs_ring_params params = asked(8, 1e6);
    hs_ring *ring = planned(p, &params);
    assert_int_equal(hs_ring_size(ring), 1);
    assert_int_equal(hs_ring_host(ring, 0), 1);
    CHECK_CLOSE(hs_ring_step_time(ring), 2, 1e-15);
    CHECK_CLOSE(hs_ring_lower_bound(ring), 2, 1e-9);
    CHECK_CLOSE(hs_ring_by_size(ring, 1), 2, 1e-15);
    hs_ring_free(ring);
    hs_platform_free(p);
}

/* Two hosts of speed 1: both messages of each share its link of 1, so D = 2 + 2; W = 20 gives 10 + 4. */
static void two_hosts(void **state)
{
    const double speed[] = {1, 1};
    hs_platform *p = star(speed, 2, 1);
    hs_ring_params params = asked(20, 1);
    hs_ring *ring = planned(p, &params);
    assert_int_equal(hs_ring_paths(ring), 4);
    CHECK_CLOSE(hs_ring_step_time(ring), 14, 1e-12);
    CHECK_CLOSE(hs_ring_lower_bound(ring), 14, 1e-9);
    CHECK_CLOSE(hs_ring_share_of(ring, 0), 0.5, 1e-12);
    hs_ring_free(ring);
    params.model = HS_STEP_OVERLAP;
    CHECK_CLOSE(planned_time(p, &params), 10, 1e-12);
    hs_platform_free(p);
}

/* Speeds 3, 2, 1 on a switch: D = 4 for all, T = 60/6 + 4, shares (T - 4) speed / 60. */
static void three_hosts(void **state)
{
    const double speed[] = {3, 2, 1};
    hs_platform *p = star(speed, 3, 1);
    hs_ring_params params = asked(60, 1);
    hs_ring *ring = planned(p, &params);
    CHECK_CLOSE(hs_ring_step_time(ring), 14, 1e-12);
    for (int k = 0; k < 3; k++)
        CHECK_CLOSE(hs_ring_share_of(ring, k), speed[hs_ring_host(ring, k)] / 6, 1e-12);
    CHECK_CLOSE(hs_ring_by_size(ring, 1), 20, 1e-12);
    CHECK_CLOSE(hs_ring_by_size(ring, 2), 16, 1e-12);
    CHECK_CLOSE(hs_ring_by_size(ring, 3), 14, 1e-12);
    assert_true(isinf(hs_ring_by_size(ring, 4)) && isinf(hs_ring_by_size(ring, 0)));
    hs_ring_free(ring);
    hs_platform_free(p);
}

/* A FATPIPE backbone carries all messages at its full bandwidth: D = 2 H / b however many there are. */
static void backbone(void **state)
{
    hs_platform *p;
    int link, route[1];
    char id[16];
    assert_int_equal(hs_platform_create(HS_ROUTING_FULL, &p), HS_OK);
    for (int i = 0; i < 5; i++) {
        snprintf(id, sizeof id, "h%d", i);
        assert_int_equal(hs_platform_add_host(p, id, 1, 1, NULL, NULL), HS_OK);
    }
    assert_int_equal(hs_platform_add_link(p, "backbone", 2, 0.25, HS_FATPIPE, &link, NULL), HS_OK);
    route[0] = link;
    for (int a = 0; a < 5; a++)
        for (int b = a + 1; b < 5; b++)
            assert_int_equal(hs_platform_add_route(p, a, b, route, 1, 1, NULL), HS_OK);
    hs_ring_params params = asked(50, 4);
    CHECK_CLOSE(planned_time(p, &params), 14, 1e-12);
    params.latency = HS_RING_LATENCY_ADDED;
    CHECK_CLOSE(planned_time(p, &params), 14.5, 1e-12);
    params.routes = HS_RING_ROUTES_FREE;
    hs_ring *ring = NULL;
    hs_error error;
    assert_int_equal(hs_ring_create(p, &params, &ring, &error), HS_ERR_UNSUPPORTED);
    CHECK_ERROR_SAYS(&error, 0, "free routes");
    assert_null(ring);
    hs_platform_free(p);
}

/* The demo: the ring visits the hosts of each switch in one go, so two of its edges cross the trunk. */
static void two_switches(void **state)
{
    hs_platform *p = read_platform("examples/two-switches.xml");
    for (int search = 0; search < 2; search++) {
        hs_ring_params params = asked(27e9, 2e5);
        params.search = (hs_ring_search)search;
        hs_ring *ring = planned(p, &params);
        int crossings[2] = {0, 0};
        assert_int_equal(hs_ring_size(ring), 6);
        for (int f = 0; f < hs_ring_paths(ring); f++)
            for (size_t m = 0; m < hs_ring_path_at(ring, f)->count; m++) {
                const char *id = hs_platform_link_id(p, hs_ring_path_at(ring, f)->links[m]);
                crossings[0] += strcmp(id, "trunk_UP") == 0;
                crossings[1] += strcmp(id, "trunk_DOWN") == 0;
            }
        assert_int_equal(crossings[0], 2);
        assert_int_equal(crossings[1], 2);
        hs_ring_free(ring);
    }
    hs_platform_free(p);
}

static void every_plan_checks_out(void **state)
{
    hs__random random = {31};
    for (int trial = 0; trial < 240; trial++) {
        hs_ring_params params = asked(exp(6 * hs__random_unit(&random)), exp(6 * hs__random_unit(&random) - 3));
        hs_platform *p = random_graph(&random, 2 + (int)hs__random_below(&random, 12),
                                      1 + (int)hs__random_below(&random, 8), (int)hs__random_below(&random, 6), 3);
        params.routes = (hs_ring_routes)(trial % 2);
        params.share = (hs_ring_share)(trial / 2 % 3);
        params.search = (hs_ring_search)(trial / 6 % 2);
        params.model = (hs_step_model)(trial / 12 % 2);
        params.latency = (hs_ring_latency)hs__random_below(&random, 2);
        params.units = trial % 5 ? 0 : 1 + hs__random_below(&random, 500);
        params.minimum = params.units ? 1 + hs__random_below(&random, params.units < 9 ? params.units : 9) : 1;
        params.budget = 2000;
        hs_ring_free(planned(p, &params));
        hs_platform_free(p);
    }
}

static void best_is_never_worse_than_paper(void **state)
{
    hs__random random = {32};
    for (int trial = 0; trial < 60; trial++) {
        hs_ring_params params = asked(exp(5 * hs__random_unit(&random)), exp(4 * hs__random_unit(&random) - 2));
        hs_platform *p = random_graph(&random, 10, 5, 4, 3);
        params.routes = (hs_ring_routes)(trial % 2);
        params.share = trial % 3 ? HS_RING_SHARE_MAXMIN : HS_RING_SHARE_OPTIMAL;
        params.search = HS_RING_SEARCH_PAPER;
        double paper = planned_time(p, &params);
        params.search = HS_RING_SEARCH_BEST;
        params.budget = 1 + hs__random_below(&random, 3000); /* stopped anywhere */
        assert_true(planned_time(p, &params) <= paper * (1 + 1e-12));
        hs_platform_free(p);
    }
}

static void kinsol_plans_like_optimal(void **state)
{
    hs__random random = {33};
    for (int trial = 0; trial < 10; trial++) {
        hs_ring_params params = asked(exp(4 * hs__random_unit(&random)), 1);
        hs_platform *p = random_graph(&random, 6, 3, 2, 2);
        hs_ring *ring = NULL;
        params.share = HS_RING_SHARE_KINSOL;
        hs_status status = hs_ring_create(p, &params, &ring, NULL);
        if (status == HS_ERR_UNSUPPORTED) {
            hs_platform_free(p);
            skip();
        }
        assert_int_equal(status, HS_OK);
        check_plan(p, &params, ring);
        params.share = HS_RING_SHARE_OPTIMAL;
        CHECK_CLOSE(hs_ring_step_time(ring) / planned_time(p, &params), 1, 1e-6);
        hs_ring_free(ring);
        hs_platform_free(p);
    }
}

/* Work in other units, bytes in other units, time in other units. */
static void scaling_scales(void **state)
{
    hs__random random = {35};
    for (int trial = 0; trial < 20; trial++) {
        double speed[8], scaled[8];
        for (int i = 0; i < 8; i++)
            speed[i] = exp(2 * hs__random_unit(&random));
        hs_platform *p = star(speed, 8, 2), *wide = star(speed, 8, 2e6);
        hs_ring_params params = asked(50, 1);
        hs_ring *ring = planned(p, &params);
        params.halo = 1e6;
        hs_ring *same = planned(wide, &params);
        CHECK_CLOSE(hs_ring_step_time(ring) / hs_ring_step_time(same), 1, 1e-9);
        assert_int_equal(hs_ring_size(ring), hs_ring_size(same));
        for (int k = 0; k < hs_ring_size(ring); k++)
            assert_int_equal(hs_ring_host(ring, k), hs_ring_host(same, k));
        hs_ring_free(same);
        for (int i = 0; i < 8; i++)
            scaled[i] = speed[i] * 1024;
        params = asked(50 * 1024.0, 1);
        params.speed = scaled;
        CHECK_CLOSE(planned_time(p, &params) / hs_ring_step_time(ring), 1, 1e-9);
        hs_ring_free(ring);
        hs_platform_free(wide);
        hs_platform_free(p);
    }
}

static void no_work_or_no_halo(void **state)
{
    const double speed[] = {1, 2, 3};
    hs_platform *p = star(speed, 3, 1);
    hs_ring_params params = asked(12, 0);
    hs_ring *ring = planned(p, &params);
    assert_int_equal(hs_ring_size(ring), 3);
    CHECK_CLOSE(hs_ring_step_time(ring), 2, 1e-12);
    hs_ring_free(ring);
    params = asked(0, 1);
    ring = planned(p, &params);
    assert_int_equal(hs_ring_size(ring), 1);
    CHECK_CLOSE(hs_ring_step_time(ring), 0, 0);
    hs_ring_free(ring);
    params = asked(0, 0);
    CHECK_CLOSE(planned_time(p, &params), 0, 0);
    hs_platform_free(p);
}

static void idle_and_unreachable_hosts_stay_out(void **state)
{
    const double speed[] = {0, 2, 2, 0, 2};
    hs_platform *p = star(speed, 5, 100);
    assert_int_equal(hs_platform_add_router(p, "nowhere", NULL, NULL), HS_OK);
    hs_ring_params params = asked(12, 1);
    for (int routes = 0; routes < 2; routes++) {
        params.routes = (hs_ring_routes)routes;
        hs_ring *ring = planned(p, &params);
        assert_int_equal(hs_ring_size(ring), 3);
        for (int k = 0; k < 3; k++)
            assert_true(speed[hs_ring_host(ring, k)] > 0);
        hs_ring_free(ring);
    }
    hs_platform_free(p);
    /* Two islands: 0 1 2 and 3 4. */
    assert_int_equal(hs_platform_create(HS_ROUTING_GRAPH, &p), HS_OK);
    const double fast[] = {1, 1, 1, 2, 2};
    int link, routes;
    for (int i = 0; i < 5; i++)
        assert_int_equal(hs_platform_add_host(p, (char[]){(char)('a' + i), 0}, fast[i], 1, NULL, NULL), HS_OK);
    const int ends[][2] = {{0, 1}, {1, 2}, {3, 4}};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(hs_platform_add_link(p, (char[]){(char)('k' + i), 0}, 1e9, 0, HS_SHARED, &link, NULL), HS_OK);
        assert_int_equal(hs_platform_add_edge(p, ends[i][0], ends[i][1], link, NULL), HS_OK);
    }
    for (routes = 0; routes < 2; routes++) {
        params.routes = (hs_ring_routes)routes;
        hs_ring *ring = planned(p, &params);
        assert_int_equal(hs_ring_size(ring), 2);
        assert_int_equal(hs_ring_host(ring, 0) + hs_ring_host(ring, 1), 7);
        CHECK_CLOSE(hs_ring_lower_bound(ring), 3, 1e-6);
        hs_ring_free(ring);
    }
    hs_platform_free(p);
}

/* Of four hosts, 2 has no route to 0, so these two are no neighbours: the ring of all has each at the other end. */
static void a_route_of_one_way_joins_nobody(void **state)
{
    hs_platform *p;
    int link;
    assert_int_equal(hs_platform_create(HS_ROUTING_FULL, &p), HS_OK);
    for (int i = 0; i < 4; i++)
        assert_int_equal(hs_platform_add_host(p, (char[]){(char)('a' + i), 0}, 1, 1, NULL, NULL), HS_OK);
    assert_int_equal(hs_platform_add_link(p, "all", 100, 0, HS_FATPIPE, &link, NULL), HS_OK);
    for (int from = 0; from < 4; from++)
        for (int to = 0; to < 4; to++)
            if (from != to && !(from == 2 && to == 0))
                assert_int_equal(hs_platform_add_route(p, from, to, &link, 1, 0, NULL), HS_OK);
    hs_ring_params params = asked(100, 1);
    hs_ring *ring = planned(p, &params);
    assert_int_equal(hs_ring_size(ring), 4);
    for (int k = 0; k < 4; k++)
        assert_int_equal((hs_ring_host(ring, k) + 2) % 4, hs_ring_host(ring, (k + 2) % 4));
    CHECK_CLOSE(hs_ring_step_time(ring), 25.02, 1e-12);
    CHECK_CLOSE(hs_ring_lower_bound(ring), 25.02, 1e-6);
    hs_ring_free(ring);
    hs_platform_free(p);
}

static void huge_ratios(void **state)
{
    const double speed[] = {1e12, 1, 1e-12, 3e11, 2e12, 1e6};
    const int order[] = {0, 4};
    hs_platform *p = star(speed, 6, 1e12);
    for (int share = 1; share < 3; share++)
        for (double halo = 1e-9; halo < 1e15; halo *= 1e6) {
            hs_ring_params params = asked(1e12, halo);
            params.share = (hs_ring_share)share;
            hs_ring_free(planned(p, &params));
        }
    hs_ring_params params = asked(1, 1e24); /* what the work takes is lost beside the messages */
    hs_ring *ring;
    assert_int_equal(hs_ring_create_given(p, &params, order, 2, &ring, NULL), HS_OK);
    CHECK_CLOSE(hs_ring_share_of(ring, 1), 2 / 3.0, 1e-12);
    assert_true(hs_ring_step_time(ring) >= 1e12);
    hs_ring_free(ring);
    hs_platform_free(p);
}

/* Equal hosts: the plan is that of the lowest indices, and the same every time. */
static void ties_and_repeats(void **state)
{
    const double speed[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    hs_platform *p = star(speed, 10, 1);
    hs_ring_params params = asked(40, 1);
    hs_ring *first = planned(p, &params), *second = planned(p, &params);
    CHECK_CLOSE(hs_ring_step_time(first), 8, 1e-12);
    assert_int_equal(hs_ring_size(first), 10);
    for (int k = 0; k < hs_ring_size(first); k++)
        assert_int_equal(hs_ring_host(first, k), hs_ring_host(second, k));
    assert_int_equal(hs_ring_evaluations(first), hs_ring_evaluations(second));
    hs_ring_free(second);
    hs_ring_free(first);
    params = asked(4, 1e9);
    first = planned(p, &params);
    assert_int_equal(hs_ring_host(first, 0), 0);
    hs_ring_free(first);
    hs_platform_free(p);
}

static void units_limit_the_ring(void **state)
{
    const double speed[] = {4, 3, 2, 1};
    hs_platform *p = star(speed, 4, 1e9);
    hs_ring_params params = asked(10, 1);
    params.units = 11;
    params.minimum = 5;
    hs_ring *ring = planned(p, &params);
    assert_int_equal(hs_ring_size(ring), 2);
    hs_ring_free(ring);
    params.minimum = 11;
    ring = planned(p, &params);
    assert_int_equal(hs_ring_size(ring), 1);
    assert_int_equal(hs_ring_units(ring, 0), 11);
    hs_ring_free(ring);
    hs_platform_free(p);
}

/* Hosts of speed 10: real shares take 15 and the messages' 12, alone is 30. Of three units one host has two, and takes 20 + 12. */
static void few_units_may_be_for_one_host(void **state)
{
    const double speed[] = {10, 10};
    hs_platform *p = star(speed, 2, 1);
    hs_ring_params params = asked(300, 3);
    CHECK_CLOSE(planned_time(p, &params), 27, 1e-12);
    params.units = 3;
    hs_ring *ring = planned(p, &params);
    assert_int_equal(hs_ring_size(ring), 1);
    assert_int_equal(hs_ring_units(ring, 0), 3);
    CHECK_CLOSE(hs_ring_step_time(ring), 30, 1e-12);
    hs_ring_free(ring);
    params.units = 4;
    CHECK_CLOSE(planned_time(p, &params), 27, 1e-12);
    hs_platform_free(p);
}

/* Hosts on a ring of links, and no other routes: of five units h1 has none, and h0 and h2 are no neighbours. */
static void few_units_where_routes_are_missing(void **state)
{
    const double speed[] = {10, 0.1, 10, 9};
    hs_platform *p;
    char id[16];
    int link;
    assert_int_equal(hs_platform_create(HS_ROUTING_FULL, &p), HS_OK);
    for (int i = 0; i < 4; i++) {
        snprintf(id, sizeof id, "h%d", i);
        assert_int_equal(hs_platform_add_host(p, id, speed[i], 1, NULL, NULL), HS_OK);
    }
    for (int i = 0; i < 4; i++) {
        snprintf(id, sizeof id, "l%d", i);
        assert_int_equal(hs_platform_add_link(p, id, 1, 0, HS_SHARED, &link, NULL), HS_OK);
        assert_int_equal(hs_platform_add_route(p, i, (i + 1) % 4, &link, 1, 1, NULL), HS_OK);
    }
    hs_ring_params params = asked(20, 1e-9);
    params.units = 5;
    for (params.share = HS_RING_SHARE_GREEDY; params.share <= HS_RING_SHARE_OPTIMAL; params.share++)
        for (params.search = HS_RING_SEARCH_PAPER; params.search <= HS_RING_SEARCH_BEST; params.search++) {
            hs_ring *ring = planned(p, &params);
            assert_int_equal(hs_ring_size(ring), 2);
            assert_true(hs_ring_units(ring, 0) > 0 && hs_ring_units(ring, 1) > 0);
            CHECK_CLOSE(hs_ring_step_time(ring), 1.2, 1e-6); /* three units of 4 at speed 10 */
            hs_ring_free(ring);
        }
    hs_platform_free(p);
}

/* More rings to evaluate are never worse than fewer. */
static void no_budget_is_too_large(void **state)
{
    hs__random random = {23};
    hs_platform *p = random_graph(&random, 6, 3, 2, 2);
    hs_ring_params params = asked(20, 1);
    params.budget = 1000;
    hs_ring *some = planned(p, &params);
    params.budget = INT64_MAX;
    hs_ring *all = planned(p, &params);
    assert_true(hs_ring_evaluations(all) >= hs_ring_evaluations(some));
    assert_true(hs_ring_step_time(all) <= hs_ring_step_time(some) * (1 + 1e-9));
    hs_ring_free(all);
    hs_ring_free(some);
    hs_platform_free(p);
}

static void given_orders(void **state)
{
    const double speed[] = {3, 2, 1, 5};
    const int order[] = {2, 0, 3}, twice[] = {1, 1}, outside[] = {4};
    hs_platform *p = star(speed, 4, 1);
    hs_ring_params params = asked(90, 1);
    hs_ring *ring;
    hs_error error;
    assert_int_equal(hs_ring_create_given(p, &params, order, 3, &ring, NULL), HS_OK);
    check_plan(p, &params, ring);
    for (int k = 0; k < 3; k++)
        assert_int_equal(hs_ring_host(ring, k), order[k]);
    CHECK_CLOSE(hs_ring_step_time(ring), 14, 1e-12);
    hs_ring_free(ring);
    const double idle[] = {3, 0, 1, 5}, off[] = {3, 2, 0, 0};
    params.speed = idle; /* host 1 relays: T = 90 / 4 + 4 */
    assert_int_equal(hs_ring_create_given(p, &params, (int[]){0, 1, 2}, 3, &ring, NULL), HS_OK);
    check_plan(p, &params, ring);
    CHECK_CLOSE(hs_ring_step_time(ring), 26.5, 1e-12);
    CHECK_CLOSE(hs_ring_share_of(ring, 1), 0, 0);
    CHECK_CLOSE(hs_ring_compute_time(ring, 1), 0, 0);
    hs_ring_free(ring);
    ring = NULL;
    params.speed = off;
    assert_int_equal(hs_ring_create_given(p, &params, (int[]){2, 3}, 2, &ring, &error), HS_ERR_INFEASIBLE);
    CHECK_ERROR_SAYS(&error, 0, "no host of the ring");
    params.speed = NULL;
    assert_int_equal(hs_ring_create_given(p, &params, twice, 2, &ring, &error), HS_ERR_ARG);
    CHECK_ERROR_SAYS(&error, 0, "is in the ring twice");
    assert_int_equal(hs_ring_create_given(p, &params, outside, 1, &ring, NULL), HS_ERR_ARG);
    assert_int_equal(hs_ring_create_given(p, &params, order, 0, &ring, NULL), HS_ERR_ARG);
    assert_int_equal(hs_ring_create_given(p, &params, NULL, 1, &ring, NULL), HS_ERR_ARG);
    assert_int_equal(hs_ring_create_given(p, &params, order, 1, NULL, &error), HS_ERR_ARG);
    assert_int_equal(hs_ring_create(p, &params, NULL, &error), HS_ERR_ARG);
    CHECK_ERROR(&error, 0, "no platform, no parameters or no place for the plan");
    assert_null(ring);
    hs_platform_free(p);
}

static void check_refused(const hs_platform *p, hs_ring_params params, hs_status expected, const char *words)
{
    hs_ring *ring = NULL;
    hs_error error = {.line = 7};
    assert_int_equal(hs_ring_create(p, &params, &ring, &error), expected);
    assert_null(ring);
    CHECK_ERROR_SAYS(&error, 0, words);
}

static void bad_input_is_named(void **state)
{
    const double speed[] = {1, 2}, negative[] = {1, -2}, none[] = {0, 0};
    hs_platform *p = star(speed, 2, 1);
    hs_ring_params good = asked(1, 1), bad;
    bad = good, bad.work = -1;
    check_refused(p, bad, HS_ERR_ARG, "work");
    bad = good, bad.work = NAN;
    check_refused(p, bad, HS_ERR_ARG, "work");
    bad = good, bad.halo = INFINITY;
    check_refused(p, bad, HS_ERR_ARG, "halo");
    bad = good, bad.speed = negative;
    check_refused(p, bad, HS_ERR_ARG, "'h1'");
    bad = good, bad.speed = none;
    check_refused(p, bad, HS_ERR_INFEASIBLE, "no host");
    bad = good, bad.units = -1;
    check_refused(p, bad, HS_ERR_ARG, "units");
    bad = good, bad.units = 2, bad.minimum = 3;
    check_refused(p, bad, HS_ERR_INFEASIBLE, "2 units");
    bad = good, bad.minimum = 0;
    check_refused(p, bad, HS_ERR_ARG, "least slice");
    bad = good, bad.share = (hs_ring_share)9;
    check_refused(p, bad, HS_ERR_ARG, "unknown");
    check_refused(NULL, good, HS_ERR_ARG, "platform");
    hs_ring_free(NULL);
    hs_platform_free(p);
}

/* Irregular networks with paths to choose from, where two messages have to change theirs at once: what a search reaches that
 * changes them one by one takes up to 0.3 % longer (2.75251, 3.10047 and 6.37210 s). */
static void two_messages_change_paths_at_once(void **state)
{
    static const struct {
        int routers, links;
        uint64_t seed;
        double halo, step_time;
    } cases[] = {{6, 13, 3, 1e4, 2.7524901}, {5, 13, 7, 1e5, 3.0911119}, {7, 14, 39, 1e6, 6.3636446}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        hs_platform *p;
        assert_int_equal(hs_platform_generate(6, cases[k].routers, cases[k].links, cases[k].seed, &p, NULL), HS_OK);
        hs_ring_params params = asked(1e9, cases[k].halo);
        params.routes = HS_RING_ROUTES_FREE;
        assert_true(planned_time(p, &params) <= cases[k].step_time);
        hs_platform_free(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_host),
        cmocka_unit_test(two_hosts),
        cmocka_unit_test(three_hosts),
        cmocka_unit_test(backbone),
        cmocka_unit_test(two_switches),
        cmocka_unit_test(every_plan_checks_out),
        cmocka_unit_test(best_is_never_worse_than_paper),
        cmocka_unit_test(kinsol_plans_like_optimal),
        cmocka_unit_test(scaling_scales),
        cmocka_unit_test(no_work_or_no_halo),
        cmocka_unit_test(idle_and_unreachable_hosts_stay_out),
        cmocka_unit_test(a_route_of_one_way_joins_nobody),
        cmocka_unit_test(huge_ratios),
        cmocka_unit_test(ties_and_repeats),
        cmocka_unit_test(units_limit_the_ring),
        cmocka_unit_test(few_units_may_be_for_one_host),
        cmocka_unit_test(few_units_where_routes_are_missing),
        cmocka_unit_test(no_budget_is_too_large),
        cmocka_unit_test(given_orders),
        cmocka_unit_test(two_messages_change_paths_at_once),
        cmocka_unit_test(bad_input_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
