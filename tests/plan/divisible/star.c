/* SPDX-License-Identifier: BSD-3-Clause */
/* Bus and star without results, real loads: the closed forms of divisible-load-notes-2012, sections 3 and 4. */
#include "tests/plan/divisible/oracle.h"

static hs_divisible *plan_for(hs_divisible_params *p, int hosts, const double *w, const double *c, double load,
                              hs_divisible_order order)
{
    hs_divisible *plan = NULL;
    hs_error error;
    *p = star_of(hosts, w, c, load);
    p->order = order;
    if (hs_divisible_create(p, &plan, &error) != HS_OK)
        fail_msg("%s", error.text);
    oracle_check_events(plan, p);
    return plan;
}

/* alpha_i = w_{i-1} / (c + w_i) alpha_{i-1}; on paper: w = (1, 2, 3), c = 1 gives 12 : 4 : 2. */
static void bus_by_hand(void **state)
{
    const double w[] = {1, 2, 3}, c[] = {0, 1, 1};
    hs_divisible_params p;
    hs_divisible *plan = plan_for(&p, 3, w, c, 18, HS_DIVISIBLE_BEST);
    CHECK_CLOSE(hs_divisible_load(plan, 0), 12, 1e-14);
    CHECK_CLOSE(hs_divisible_load(plan, 1), 4, 1e-14);
    CHECK_CLOSE(hs_divisible_load(plan, 2), 2, 1e-14);
    CHECK_CLOSE(hs_divisible_makespan(plan), 12, 1e-14);
    CHECK_CLOSE(hs_divisible_lower_bound(plan), 12, 1e-14);
    assert_true(hs_divisible_optimal(plan));
    hs_divisible_free(plan);
}

/* "The ordering of the processors has no impact" on a bus. */
static void bus_order_does_not_matter(void **state)
{
    hs__random random = {3};
    for (int trial = 0; trial < 100; trial++) {
        double w[6], c[6], first = 0;
        int order[6] = {0, 1, 2, 3, 4, 5};
        for (int i = 0; i < 6; i++) {
            w[i] = hs__random_between(&random, 1, 10);
            c[i] = i == 0 ? 0 : 2;
        }
        for (int round = 0; round < 3; round++) {
            hs_divisible_params p;
            hs_divisible *plan = plan_for(&p, 6, w, c, 100, HS_DIVISIBLE_BEST);
            double best = hs_divisible_makespan(plan);
            hs_divisible_free(plan);
            plan = NULL;
            p.order = HS_DIVISIBLE_GIVEN;
            p.send_order = order;
            assert_int_equal(hs_divisible_create(&p, &plan, NULL), HS_OK);
            first = hs_divisible_makespan(plan);
            CHECK_CLOSE(first, best, 1e-12);
            hs_divisible_free(plan);
            for (int k = 5; k > 0; k--) {
                int j = (int)hs__random_below(&random, k + 1), t = order[k];
                order[k] = order[j];
                order[j] = t;
            }
        }
    }
}

/* The best of all orders and subsets, by equal finish of every chosen subset (the notes' lemma). */
static double oracle_star(int m, const double *w, const double *c)
{
    return oracle_best_rate(m, w, c, 0, 0);
}

static void star_by_decreasing_bandwidth_is_optimal(void **state)
{
    hs__random random = {5};
    for (int trial = 0; trial < 300; trial++) {
        int m = 1 + (int)hs__random_below(&random, 4);
        double w[4], c[4];
        for (int i = 0; i < m; i++) {
            w[i] = hs__random_between(&random, 0.1, 10);
            c[i] = hs__random_between(&random, 0.1, 10);
        }
        hs_divisible_params p;
        hs_divisible *plan = plan_for(&p, m, w, c, 7, HS_DIVISIBLE_BEST);
        CHECK_CLOSE(7 / hs_divisible_makespan(plan), oracle_star(m, w, c), 1e-11);
        CHECK_CLOSE(hs_divisible_lower_bound(plan), hs_divisible_makespan(plan), 1e-12);
        for (int k = 0; k < m; k++) {
            assert_true(hs_divisible_load(plan, k) > 0);
            if (k > 0)
                assert_true(c[hs_divisible_send_host(plan, k - 1)] <= c[hs_divisible_send_host(plan, k)]);
        }
        hs_divisible_free(plan);
    }
}

/* In a given order slow links in front do not pay: the optimum over all subsets that keep the order. */
static void given_order_leaves_out_what_does_not_pay(void **state)
{
    hs__random random = {6};
    int left_out = 0;
    for (int trial = 0; trial < 500; trial++) {
        double w[5], c[5], best = 0;
        for (int i = 0; i < 5; i++) {
            w[i] = hs__random_between(&random, 0.1, 4);
            c[i] = hs__random_between(&random, 0.1, 4);
        }
        for (int set = 1; set < 32; set++) {
            int order[5], n = 0;
            for (int i = 0; i < 5; i++)
                if (set >> i & 1)
                    order[n++] = i;
            best = fmax(best, oracle_rate(n, w, c, 0, 0, order, order));
        }
        hs_divisible_params p;
        hs_divisible *plan = plan_for(&p, 5, w, c, 1, HS_DIVISIBLE_GIVEN);
        CHECK_CLOSE(1 / hs_divisible_makespan(plan), best, 1e-11);
        left_out += !(hs_divisible_load(plan, hs_divisible_send_host(plan, 4)) > 0);
        hs_divisible_free(plan);
    }
    assert_true(left_out > 50);
}

/* The master of a bus with real loads is the fastest host; its computing counts. */
static void master_of_a_bus(void **state)
{
    hs__random random = {7};
    for (int trial = 0; trial < 200; trial++) {
        double w[6], c[6], chosen_c[6];
        int fastest = 0, master = -1;
        for (int i = 0; i < 6; i++) {
            w[i] = hs__random_between(&random, 1, 5);
            c[i] = 0.7;
            if (w[i] < w[fastest])
                fastest = i;
        }
        hs_divisible_params p = star_of(6, w, c, 50);
        assert_int_equal(hs_divisible_choose_master(&p, &master, chosen_c, NULL), HS_OK);
        assert_int_equal(master, fastest);
        for (int i = 0; i < 6; i++)
            assert_true(chosen_c[i] == (i == master ? 0 : 0.7));
    }
}

/* On a star a fast host behind a slow link is a bad master: everything would have to cross that link. */
static void master_of_a_star(void **state)
{
    const double w[] = {1, 1.2, 1.2, 1.2}, c[] = {50, 0.1, 0.1, 0.1};
    double chosen[4];
    int master = -1;
    hs_divisible_params p = star_of(4, w, c, 50);
    assert_int_equal(hs_divisible_choose_master(&p, &master, chosen, NULL), HS_OK);
    assert_int_equal(master, 1);
    assert_true(chosen[0] == 50 && chosen[1] == 0 && chosen[2] == 0.1);
}

static void one_host_and_two_masters(void **state)
{
    const double w[] = {2, 3}, none[] = {0, 0}, far[] = {4};
    hs_divisible_params p;
    hs_divisible *plan = plan_for(&p, 1, w, none, 5, HS_DIVISIBLE_BEST);
    CHECK_CLOSE(hs_divisible_makespan(plan), 10, 0);
    hs_divisible_free(plan);
    plan = plan_for(&p, 1, w, far, 5, HS_DIVISIBLE_BEST);
    CHECK_CLOSE(hs_divisible_makespan(plan), 30, 1e-15);
    hs_divisible_free(plan);
    plan = plan_for(&p, 2, w, none, 5, HS_DIVISIBLE_BEST);
    CHECK_CLOSE(hs_divisible_load(plan, 0), 3, 1e-15);
    CHECK_CLOSE(hs_divisible_load(plan, 1), 2, 1e-15);
    hs_divisible_free(plan);
}

static void ten_thousand_workers(void **state)
{
    enum { MANY = 10000 };
    double *w = calloc(MANY, sizeof *w), *c = calloc(MANY, sizeof *c), sum = 0;
    hs__random random = {8};
    for (int i = 0; i < MANY; i++) {
        w[i] = hs__random_between(&random, 1e3, 1e6);
        c[i] = hs__random_between(&random, 1, 10);
    }
    hs_divisible_params p = star_of(MANY, w, c, 1e9);
    hs_divisible *plan = NULL;
    assert_int_equal(hs_divisible_create(&p, &plan, NULL), HS_OK);
    for (int i = 0; i < MANY; i++)
        sum += hs_divisible_load(plan, i);
    CHECK_CLOSE(sum, 1e9, 1e-9);
    CHECK_CLOSE(hs_divisible_lower_bound(plan), hs_divisible_makespan(plan), 1e-9);
    hs_divisible_free(plan);
    free(c);
    free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bus_by_hand),
        cmocka_unit_test(bus_order_does_not_matter),
        cmocka_unit_test(star_by_decreasing_bandwidth_is_optimal),
        cmocka_unit_test(given_order_leaves_out_what_does_not_pay),
        cmocka_unit_test(master_of_a_bus),
        cmocka_unit_test(master_of_a_star),
        cmocka_unit_test(one_host_and_two_masters),
        cmocka_unit_test(ten_thousand_workers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
