/* SPDX-License-Identifier: BSD-3-Clause */
/* The search against every ring, by an enumeration and an evaluation of its own; and the certified bound below all. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fixed_routes), cmocka_unit_test(free_routes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
