/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans: what they hold, random invariants over all choices, bad input. */
#include "plan/divisible/plan.h"
#include "tests/plan/divisible/oracle.h"

static const double good_w[] = {1, 2, 3}, good_c[] = {0, 1, 2};

static hs_divisible_params good(void)
{
    return star_of(3, good_w, good_c, 10);
}

static void refused(const hs_divisible_params *p, hs_status expected, const char *said)
{
    hs_divisible *plan = NULL;
    hs_error error = {.line = 7};
    assert_int_equal(hs_divisible_create(p, &plan, &error), expected);
    assert_null(plan);
    CHECK_ERROR_SAYS(&error, 0, said);
    int master = -5;
    if (expected == HS_ERR_ARG) {
        assert_int_equal(hs_divisible_choose_master(p, &master, NULL, NULL), HS_ERR_ARG);
        assert_int_equal(master, -5);
    }
}

static void bad_lists(void **state)
{
    const double zero[] = {1, 0, 1}, negative[] = {1, -1, 1}, nan[] = {1, 1, NAN}, inf[] = {INFINITY, 1, 1};
    const double tiny[] = {1, 1, 5e-324}, huge[] = {1, 1e300, 1};
    hs_divisible_params p = good();
    p.cycle_time = tiny;
    refused(&p, HS_ERR_ARG, "cycle time of host 2 is 4.94066e-324, expected 1e-100 to 1e100");
    p = good();
    p.comm_time = huge;
    refused(&p, HS_ERR_ARG, "communication time of host 1 is 1e+300, expected 0 or 1e-100 to 1e100");
    p = good();
    p.cycle_time = zero;
    refused(&p, HS_ERR_ARG, "cycle time of host 1 is 0");
    p.cycle_time = negative;
    refused(&p, HS_ERR_ARG, "cycle time of host 1 is -1");
    p.cycle_time = nan;
    refused(&p, HS_ERR_ARG, "cycle time of host 2 is nan");
    p.cycle_time = inf;
    refused(&p, HS_ERR_ARG, "cycle time of host 0 is inf");
    p = good();
    p.comm_time = negative;
    refused(&p, HS_ERR_ARG, "communication time of host 1");
    p.comm_time = nan;
    refused(&p, HS_ERR_ARG, "communication time of host 2");
    p = good();
    p.latency = negative;
    refused(&p, HS_ERR_ARG, "latency of host 1");
    p = good();
    p.startup = inf;
    refused(&p, HS_ERR_ARG, "start-up of host 0");
    p = good();
    p.cycle_time = NULL;
    refused(&p, HS_ERR_ARG, "no parameters");
    refused(NULL, HS_ERR_ARG, "no parameters");
}

static void bad_numbers(void **state)
{
    const double bad[] = {0, -1, NAN, INFINITY, 1e300};
    hs_divisible_params p = good();
    for (size_t k = 0; k < 5; k++) {
        p.load = bad[k];
        refused(&p, HS_ERR_ARG, "the load is");
    }
    p = good();
    for (size_t k = 1; k < 5; k++) {
        p.results = bad[k];
        refused(&p, HS_ERR_ARG, "ratio of results");
    }
    p = good();
    p.items = HS_DIVISIBLE_INTEGER;
    p.load = 2.5;
    refused(&p, HS_ERR_ARG, "whole number");
    p.load = 0x1p54;
    refused(&p, HS_ERR_ARG, "whole number");
    p = good();
    p.hosts = 0;
    refused(&p, HS_ERR_ARG, "at least 1");
    p = good();
    p.rounds = HS_DIVISIBLE_ROUNDS_MAX;
    assert_int_equal(hs__divisible_check_params(&p, NULL), HS_OK);
    p.rounds = 0;
    refused(&p, HS_ERR_ARG, "installments");
    p.rounds = HS_DIVISIBLE_ROUNDS_MAX + 1;
    refused(&p, HS_ERR_ARG, "installments");
    p = good();
    p.order = (hs_divisible_order)9;
    refused(&p, HS_ERR_ARG, "unknown choice");
    p = good();
    p.budget = -1;
    refused(&p, HS_ERR_ARG, "budget");
    p = good();
    assert_int_equal(hs_divisible_create(&p, NULL, NULL), HS_ERR_ARG);
    assert_int_equal(hs_divisible_choose_master(&p, NULL, NULL, NULL), HS_ERR_ARG);
    hs_divisible_free(NULL);
}

static void bad_orders(void **state)
{
    const int twice[] = {0, 1, 1}, beyond[] = {0, 1, 3}, below[] = {-1, 1, 2};
    hs_divisible_params p = good();
    p.order = HS_DIVISIBLE_GIVEN;
    p.send_order = twice;
    refused(&p, HS_ERR_ARG, "send order names host 1 twice");
    p.send_order = beyond;
    refused(&p, HS_ERR_ARG, "host 3 which does not exist");
    p.send_order = NULL;
    p.collect_order = below;
    refused(&p, HS_ERR_ARG, "collect order names host -1");
}

static void too_many_hosts_for_a_program(void **state)
{
    enum { MANY = HS_DIVISIBLE_GIVEN_MAX + 1 };
    double w[MANY], c[MANY];
    int collect[MANY];
    hs_divisible_params p = good();
    for (int i = 0; i < MANY; i++) {
        w[i] = c[i] = 1 + i;
        collect[i] = (i + 5) % MANY;
    }
    p.hosts = MANY;
    p.cycle_time = w;
    p.comm_time = c;
    p.results = 0.5;
    p.order = HS_DIVISIBLE_GIVEN;
    p.collect_order = collect;
    refused(&p, HS_ERR_UNSUPPORTED, "at most 512 hosts");
}

/* Everything at once: orders, ports, whole items, latencies, masters anywhere. Only what must always hold. */
static void random_invariants(void **state)
{
    hs__random random = {51};
    for (int trial = 0; trial < 1200; trial++) {
        int hosts = 1 + (int)hs__random_below(&random, trial % 40 == 0 ? 30 : 7);
        double w[30], c[30], l[30], s[30];
        for (int i = 0; i < hosts; i++) {
            w[i] = pow(10, hs__random_between(&random, -3, 3));
            c[i] = hs__random_below(&random, 6) ? pow(10, hs__random_between(&random, -3, 3)) : 0;
            l[i] = hs__random_between(&random, 0, 5);
            s[i] = hs__random_between(&random, 0, 5);
        }
        hs_divisible_params p = good();
        p.hosts = hosts;
        p.cycle_time = w;
        p.comm_time = c;
        p.latency = hs__random_below(&random, 3) ? NULL : l;
        p.startup = hs__random_below(&random, 3) ? NULL : s;
        p.load = floor(pow(10, hs__random_between(&random, 0, 6)));
        p.results = hs__random_below(&random, 3) ? hs__random_between(&random, 0, 2) : 0;
        p.port = (hs_divisible_port)hs__random_below(&random, 2);
        p.order = (hs_divisible_order)hs__random_below(&random, 5);
        p.items = (hs_divisible_items)hs__random_below(&random, 2);
        p.rounds = 1 + (int)hs__random_below(&random, 3);
        p.budget = 40;
        hs_divisible *plan = NULL, *again = NULL;
        hs_error error;
        if (hs_divisible_create(&p, &plan, &error) != HS_OK)
            fail_msg("trial %d: %s", trial, error.text);
        oracle_check_events(plan, &p);
        assert_int_equal(hs_divisible_create(&p, &again, NULL), HS_OK);
        int seen_send = 0, seen_collect = 0, idle = 0;
        for (int k = 0; k < hosts; k++) {
            int i = hs_divisible_send_host(plan, k);
            seen_send |= 1 << i;
            seen_collect |= 1 << hs_divisible_collect_host(plan, k);
            idle |= !(hs_divisible_load(plan, i) > 0);
            assert_true(!idle || !(hs_divisible_load(plan, i) > 0));
            assert_true(hs_divisible_load(plan, i) == hs_divisible_load(again, i));
        }
        assert_true(seen_send == (1 << hosts) - 1 && seen_collect == seen_send);
        hs_divisible_free(again);
        hs_divisible_free(plan);
    }
}

/* Numbers from 1e-100 to 1e100 beside each other; that the plans are right is checked where they are made. */
static void numbers_far_apart(void **state)
{
    hs__random random = {3};
    for (int trial = 0; trial < 300; trial++) {
        double w[6], c[6];
        hs_divisible_params p = good();
        p.hosts = 1 + (int)hs__random_below(&random, 6);
        for (int i = 0; i < p.hosts; i++) {
            w[i] = pow(10, 200 * hs__random_unit(&random) - 100);
            c[i] = hs__random_below(&random, 5) ? pow(10, 200 * hs__random_unit(&random) - 100) : 0;
        }
        p.cycle_time = w;
        p.comm_time = c;
        p.results = trial % 3 ? 0 : pow(10, 200 * hs__random_unit(&random) - 100);
        p.rounds = trial % 2 ? 1 : 4;
        for (p.order = HS_DIVISIBLE_BEST; p.order <= HS_DIVISIBLE_EXACT; p.order++)
            for (p.items = HS_DIVISIBLE_REAL; p.items <= HS_DIVISIBLE_INTEGER; p.items++) {
                hs_divisible *plan = NULL;
                assert_int_equal(hs_divisible_create(&p, &plan, NULL), HS_OK);
                assert_int_equal(hs_divisible_check(&p, plan, NULL), HS_OK);
                hs_divisible_free(plan);
            }
    }
}

/* More schedules to look at are never worse than fewer. */
static void no_budget_is_too_large(void **state)
{
    double w[12], c[12], makespan[2];
    hs_divisible_params p = good();
    for (int i = 0; i < 12; i++) {
        w[i] = 1 + i % 5 * 0.7;
        c[i] = 0.3 + i * 7 % 11 * 0.1;
    }
    p.hosts = 12;
    p.cycle_time = w;
    p.comm_time = c;
    p.results = 0.5;
    p.port = HS_DIVISIBLE_DUPLEX;
    for (int k = 0; k < 2; k++) {
        hs_divisible *plan = NULL;
        p.budget = k ? INT64_MAX : 0;
        assert_int_equal(hs_divisible_create(&p, &plan, NULL), HS_OK);
        makespan[k] = hs_divisible_makespan(plan);
        hs_divisible_free(plan);
    }
    assert_true(makespan[1] <= makespan[0] * (1 + 1e-9));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_lists),
        cmocka_unit_test(bad_numbers),
        cmocka_unit_test(bad_orders),
        cmocka_unit_test(too_many_hosts_for_a_program),
        cmocka_unit_test(random_invariants),
        cmocka_unit_test(numbers_far_apart),
        cmocka_unit_test(no_budget_is_too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
