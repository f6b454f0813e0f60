/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulated steps of a plan: cases by hand, and invariants on random platforms. */
#include "tests/plan/ring/check.h"

static double played(const hs_platform *p, const hs_ring_params *params, const hs_ring *ring, int64_t steps)
{
    double step_time = -1;
    assert_int_equal(hs_ring_simulate(p, params, ring, steps, &step_time), HS_OK);
    return step_time;
}

static double planned_and_played(const hs_platform *p, const hs_ring_params *params, int64_t steps)
{
    hs_ring *ring = planned(p, params);
    double time = played(p, params, ring, steps);
    hs_ring_free(ring);
    return time;
}

/* Two hosts of speed 1, W = 20: the plan says 10 + (2 + 2), since both messages of each share its link. One after the
 * other they have it to themselves: 10 + 1 + 1. Overlapped, both are there after 2 of the 10 seconds. */
static void messages_take_turns(void **state)
{
    const double speed[] = {1, 1};
    hs_platform *p = star(speed, 2, 1);
    hs_ring_params params = asked(20, 1);
    CHECK_CLOSE(planned_time(p, &params), 14, 1e-12);
    for (int64_t steps = 1; steps < 5; steps++)
        CHECK_CLOSE(planned_and_played(p, &params, steps), 12, 1e-12);
    params.model = HS_STEP_OVERLAP;
    CHECK_CLOSE(planned_and_played(p, &params, 3), 10, 1e-12);
    params.halo = 50; /* 50 bytes twice over a link of 1, planned 200 */
    hs_ring *ring;
    assert_int_equal(hs_ring_create_given(p, &params, (int[]){0, 1}, 2, &ring, NULL), HS_OK);
    CHECK_CLOSE(hs_ring_step_time(ring), 200, 1e-12);
    CHECK_CLOSE(played(p, &params, ring, 3), 100, 1e-12);
    hs_ring_free(ring);
    hs_platform_free(p);
}

static void one_host_sends_nothing(void **state)
{
    const double speed[] = {4};
    hs_platform *p = star(speed, 1, 1);
    hs_ring_params params = asked(8, 1e6);
    CHECK_CLOSE(planned_and_played(p, &params, 7), 2, 1e-15);
    params.work = 0;
    CHECK_CLOSE(planned_and_played(p, &params, 7), 0, 0);
    hs_platform_free(p);
}

/* Speeds 2 and 1 on a line of 1 for both directions, 0.5 s away; shares of the plan: (30 + 3 (D = 9)) / 3 = 19, so both
 * compute for 10. All four messages cross the link: first the two to the next, half the link each, then the others:
 * 10 + (2 + 0.5) + (2 + 0.5). */
static void latency_counts_once_a_message(void **state)
{
    hs_platform *p;
    int link;
    assert_int_equal(hs_platform_create(HS_ROUTING_GRAPH, &p), HS_OK);
    assert_int_equal(hs_platform_add_host(p, "a", 2, 1, NULL, NULL), HS_OK);
    assert_int_equal(hs_platform_add_host(p, "b", 1, 1, NULL, NULL), HS_OK);
    assert_int_equal(hs_platform_add_link(p, "l", 1, 0.5, HS_SHARED, &link, NULL), HS_OK);
    assert_int_equal(hs_platform_add_edge(p, 0, 1, link, NULL), HS_OK);
    hs_ring_params params = asked(30, 1);
    params.latency = HS_RING_LATENCY_ADDED;
    hs_ring *ring;
    assert_int_equal(hs_ring_create_given(p, &params, (int[]){0, 1}, 2, &ring, NULL), HS_OK);
    CHECK_CLOSE(hs_ring_step_time(ring), 19, 1e-12);
    CHECK_CLOSE(played(p, &params, ring, 4), 15, 1e-12);
    params.latency = HS_RING_LATENCY_IGNORED;
    CHECK_CLOSE(played(p, &params, ring, 4), 14, 1e-12);
    params.halo = 0;
    CHECK_CLOSE(played(p, &params, ring, 4), 10, 1e-12);
    hs_ring_free(ring);
    hs_platform_free(p);
}

/* No step is shorter than the computing, or than both messages of a member over the narrowest link of each path. */
static void no_faster_than_its_parts(void **state)
{
    hs__random random = {41};
    for (int trial = 0; trial < 60; trial++) {
        hs_ring_params params = asked(exp(5 * hs__random_unit(&random)), exp(5 * hs__random_unit(&random) - 2));
        hs_platform *p = random_graph(&random, 2 + (int)hs__random_below(&random, 10), 4, 3, 3);
        params.routes = (hs_ring_routes)(trial % 2);
        params.model = (hs_step_model)(trial / 2 % 2);
        params.budget = 500;
        hs_ring *ring = planned(p, &params);
        double time = played(p, &params, ring, 6);
        CHECK_CLOSE(played(p, &params, ring, 6), time, 0);
        for (int k = 0; k < hs_ring_size(ring); k++)
            assert_true(time >= hs_ring_compute_time(ring, k) * (1 - 1e-12));
        for (int f = 0; f < hs_ring_paths(ring); f++) {
            const hs_ring_path *path = hs_ring_path_at(ring, f);
            for (size_t m = 0; m < path->count; m++)
                assert_true(time >= params.halo / hs_platform_link_bandwidth(p, path->links[m]) * (1 - 1e-9));
        }
        hs_ring_free(ring);
        hs_platform_free(p);
    }
}

static void bad_input(void **state)
{
    const double speed[] = {1, 1};
    hs_platform *p = star(speed, 2, 1);
    hs_ring_params params = asked(20, 1);
    hs_ring *ring = planned(p, &params);
    double time = -1;
    assert_int_equal(hs_ring_simulate(NULL, &params, ring, 1, &time), HS_ERR_ARG);
    assert_int_equal(hs_ring_simulate(p, NULL, ring, 1, &time), HS_ERR_ARG);
    assert_int_equal(hs_ring_simulate(p, &params, NULL, 1, &time), HS_ERR_ARG);
    assert_int_equal(hs_ring_simulate(p, &params, ring, 1, NULL), HS_ERR_ARG);
    assert_int_equal(hs_ring_simulate(p, &params, ring, 0, &time), HS_ERR_ARG);
    params.halo = NAN;
    assert_int_equal(hs_ring_simulate(p, &params, ring, 1, &time), HS_ERR_ARG);
    CHECK_CLOSE(time, -1, 0);
    hs_ring_free(ring);
    hs_platform_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(messages_take_turns), cmocka_unit_test(one_host_sends_nothing),
                                       cmocka_unit_test(latency_counts_once_a_message),
                                       cmocka_unit_test(no_faster_than_its_parts), cmocka_unit_test(bad_input)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
