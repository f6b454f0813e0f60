/* SPDX-License-Identifier: BSD-3-Clause */
/* The search against every ring, by an enumeration and an evaluation of its own; and the certified bound below all. */
#include "plan/ring/search.h"
#include "tests/plan/ring/check.h"
#include "tests/plan/ring/enumerate.h"

static void ask(hs_ring_params *params, hs__random *random)
{
    hs_ring_params_init(params);
    params->work = exp(4 * hs__random_unit(random));
    params->halo = exp(4 * hs__random_unit(random) - 2);
    params->model = hs__random_below(random, 4) ? HS_STEP_SERIAL : HS_STEP_OVERLAP;
}

static void fixed_routes(void **state)
{
    static enumeration e;
    hs__random random = {21};
    for (int trial = 0; trial < 200; trial++) {
        int hosts = 3 + trial % 4;
        hs_ring_params params;
        ask(&params, &random);
        hs_platform *p =
            random_graph(&random, hosts, 1 + (int)hs__random_below(&random, 5), (int)hs__random_below(&random, 4), 3);
        e = (enumeration){.platform = p, .params = &params, .hosts = hosts};
        assert_true(use_routes(&e));
        hs_ring *ring = planned(p, &params);
        double best = optimum(&e);
        CHECK_CLOSE(hs_ring_step_time(ring) / best, 1, 1e-9);
        assert_true(hs_ring_lower_bound(ring) <= best * (1 + 1e-9));
        hs_ring_free(ring);
        params.share = HS_RING_SHARE_OPTIMAL;
        assert_true(planned_time(p, &params) <= best * (1 + 1e-9));
        params.search = HS_RING_SEARCH_PAPER;
        assert_true(planned_time(p, &params) >= hs_ring_lower_bound(ring = planned(p, &params)) * (1 - 1e-9));
        hs_ring_free(ring);
        hs_platform_free(p);
    }
}

/* Few units: the best ring of whole units, which real shares do not show. */
static void few_units(void **state)
{
    static enumeration e;
    hs__random random = {23};
    for (int trial = 0; trial < 200; trial++) {
        int hosts = 3 + trial % 4;
        hs_ring_params params;
        ask(&params, &random);
        params.units = 1 + hs__random_below(&random, 24);
        params.minimum = trial % 3 ? 1 : 1 + hs__random_below(&random, params.units < 4 ? params.units : 4);
        hs_platform *p =
            random_graph(&random, hosts, 1 + (int)hs__random_below(&random, 5), (int)hs__random_below(&random, 4), 3);
        e = (enumeration){.platform = p, .params = &params, .hosts = hosts};
        assert_true(use_routes(&e));
        CHECK_CLOSE(planned_time(p, &params) / optimum(&e), 1, 1e-9);
        hs_platform_free(p);
    }
}

/* Every ring over every choice of simple paths, unless they are too many: within 5 % each, 1 % on average. */
static void free_routes(void **state)
{
    static enumeration e;
    hs__random random = {22};
    double sum = 0;
    int judged = 0;
    for (int trial = 0; trial < 120; trial++) {
        int hosts = 3 + trial % 4, routers = 1 + (int)hs__random_below(&random, 3);
        hs_ring_params params;
        ask(&params, &random);
        params.routes = HS_RING_ROUTES_FREE;
        hs_platform *p = random_graph(&random, hosts, routers, 1 + (int)hs__random_below(&random, 2), 3);
        e = (enumeration){.platform = p, .params = &params, .hosts = hosts, .most = 20000};
        hs_ring *ring = planned(p, &params);
        if (use_all_paths(&e)) {
            double best = optimum_below(&e, hs_ring_step_time(ring));
            double ratio = hs_ring_step_time(ring) / best;
            assert_true(ratio >= 1 - 1e-9 && ratio <= 1.05);
            assert_true(hs_ring_lower_bound(ring) <= best * (1 + 1e-9));
            sum += is_complete(&e) ? ratio : 0;
            judged += is_complete(&e);
        }
        hs_ring_free(ring);
        hs_platform_free(p);
    }
    assert_true(judged >= 60);
    assert_true(sum / judged <= 1.01);
}

/* Four messages share the link of bandwidth 1 of each of three hosts, so the ring takes 60 / 3 + 8. The bound lets the two to a
 * host go no slower than y = 1 / (T - 1): T = 20 + 4 / (1 - 2 y). What only the two from it share would give 20 + 4. */
static void messages_to_a_host_are_in_the_bound(void **state)
{
    hs_ring_params params;
    hs_platform *p = one_switch((double[]){1, 1, 1}, 3, 1, 0);
    hs_ring_params_init(&params);
    params.work = 60;
    params.halo = 1;
    for (int routes = 0; routes < 2; routes++) {
        params.routes = (hs_ring_routes)routes;
        hs_ring *ring = planned(p, &params);
        CHECK_CLOSE(hs_ring_step_time(ring), 28, 1e-12);
        CHECK_CLOSE(hs_ring_lower_bound(ring), (27 + sqrt(473)) / 2, 1e-6);
        hs_ring_free(ring);
    }
    hs_platform_free(p);
}

static int64_t rings_of(int hosts, int max_members, int64_t limit)
{
    static double speed[1000];
    hs__ring_problem problem = {.max_members = max_members, .network = {.hosts = hosts, .speed = speed}};
    for (int i = 0; i < hosts; i++)
        speed[i] = 1;
    return hs__search_rings(&problem, limit);
}

/* 4 + 6 + 4 + 3 of four hosts. Seven of a thousand are 2e17 sets of 360 orders each. */
static void numbers_of_rings(void **state)
{
    assert_true(rings_of(4, 4, 17) == 17);
    assert_true(rings_of(4, 2, INT64_MAX) == 10);
    assert_true(rings_of(4, 4, 16) > 16);
    assert_true(rings_of(1000, 7, INT64_MAX / 28) > INT64_MAX / 28);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fixed_routes), cmocka_unit_test(few_units), cmocka_unit_test(free_routes),
        cmocka_unit_test(messages_to_a_host_are_in_the_bound), cmocka_unit_test(numbers_of_rings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
