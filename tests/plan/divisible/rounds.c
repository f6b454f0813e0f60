/* SPDX-License-Identifier: BSD-3-Clause */
/* Several installments. */
#include "tests/plan/divisible/oracle.h"

static hs_divisible *plan_for(const hs_divisible_params *p)
{
    hs_divisible *plan = NULL;
    hs_error error;
    if (hs_divisible_create(p, &plan, &error) != HS_OK)
        fail_msg("%s", error.text);
    oracle_check_events(plan, p);
    return plan;
}

static double makespan_of(const hs_divisible_params *p)
{
    hs_divisible *plan = plan_for(p);
    double makespan = hs_divisible_makespan(plan);
    hs_divisible_free(plan);
    return makespan;
}

/* One worker, c = 1, w = 2, two installments: it computes the first, a, while the second, 2 a, arrives: of 3 items 1
 * and 2, 3 s of sending and 4 s of computing the second. One installment: 3 + 6. */
static void by_hand(void **state)
{
    const double w[] = {2}, c[] = {1};
    hs_divisible_params p = star_of(1, w, c, 3);
    CHECK_CLOSE(makespan_of(&p), 9, 1e-14);
    p.rounds = 2;
    hs_divisible *plan = plan_for(&p);
    CHECK_CLOSE(hs_divisible_makespan(plan), 7, 1e-12);
    assert_int_equal(hs_divisible_rounds(plan), 2);
    CHECK_CLOSE(hs_divisible_installment(plan, 0, 0), 1, 1e-12);
    CHECK_CLOSE(hs_divisible_installment(plan, 1, 0), 2, 1e-12);
    CHECK_CLOSE(hs_divisible_load(plan, 0), 3, 1e-12);
    hs_divisible_free(plan);
}

/* As above, with 1 s a message and results of half the size: the first a takes 1 + a to arrive and 2 a to be computed, until
 * the other 3 - a have arrived, so 2 a = 4 - a. They return in one message of 1 + 1.5 s. */
static void by_hand_with_latency_and_results(void **state)
{
    const double w[] = {2}, c[] = {1}, l[] = {1};
    hs_divisible_params p = star_of(1, w, c, 3);
    p.latency = l;
    p.results = .5;
    CHECK_CLOSE(makespan_of(&p), 4 + 6 + 2.5, 1e-14);
    p.rounds = 2;
    hs_divisible *plan = plan_for(&p);
    CHECK_CLOSE(hs_divisible_installment(plan, 0, 0), 4.0 / 3, 1e-12);
    CHECK_CLOSE(hs_divisible_makespan(plan), 1 + 4.0 / 3 + 6 + 2.5, 1e-12);
    hs_divisible_free(plan);
}

/* Without latencies every round more is at least as good; the port and the speeds bound what can be reached. */
static void more_rounds_are_never_worse(void **state)
{
    hs__random random = {41};
    for (int trial = 0; trial < 60; trial++) {
        int hosts = 1 + trial % 6;
        double w[6], c[6], speed = 0;
        for (int i = 0; i < hosts; i++) {
            w[i] = hs__random_between(&random, 1, 20);
            c[i] = i == 0 && trial % 3 == 0 ? 0 : hs__random_between(&random, 0.1, 3);
            speed += 1 / w[i];
        }
        hs_divisible_params p;
        p = star_of(hosts, w, c, 100);
        p.results = trial & 1 ? 0.4 : 0;
        p.port = (hs_divisible_port)(trial >> 1 & 1);
        double before = makespan_of(&p), first = before;
        for (p.rounds = 2; p.rounds <= 16; p.rounds *= 2) {
            double now = makespan_of(&p);
            assert_true(now <= before * (1 + 1e-9));
            assert_true(now >= 100 / speed * (1 - 1e-9));
            before = now;
        }
        assert_true(before <= first);
    }
}

/* With cheap messages many installments come near the speed of all hosts together. */
static void waiting_at_the_start_goes_away(void **state)
{
    const double w[] = {10, 10, 10, 10}, c[] = {2, 2, 2, 2};
    hs_divisible_params p = star_of(4, w, c, 1000);
    CHECK_CLOSE(makespan_of(&p), 3862.891, 1e-6);
    p.rounds = 64;
    assert_true(makespan_of(&p) < 2500 * 1.001);
}

/* A latency on each message makes few installments best; one that is dear enough makes one best. */
static void latencies_limit_the_rounds(void **state)
{
    const double w[] = {10, 10, 10, 10}, c[] = {2, 2, 2, 2}, dear[] = {4000, 4000, 4000, 4000},
                 cheap[] = {20, 20, 20, 20};
    hs_divisible_params p = star_of(4, w, c, 1000);
    p.latency = cheap;
    double one = makespan_of(&p);
    p.rounds = 64;
    hs_divisible *plan = plan_for(&p);
    assert_true(hs_divisible_makespan(plan) < 0.85 * one);
    assert_true(hs_divisible_rounds(plan) > 1 && hs_divisible_rounds(plan) < 64);
    hs_divisible_free(plan);
    p.latency = dear;
    plan = plan_for(&p);
    assert_int_equal(hs_divisible_rounds(plan), 1);
    hs_divisible_free(plan);
}

/* It needs no messages: all that it computes is in the first installment. */
static void the_master_has_its_items_at_once(void **state)
{
    const double w[] = {2, 2}, c[] = {0, 1};
    hs_divisible_params p = star_of(2, w, c, 10);
    for (p.results = 0; p.results < 1; p.results += .5) {
        p.rounds = 2;
        hs_divisible *plan = plan_for(&p);
        assert_int_equal(hs_divisible_rounds(plan), 2);
        assert_true(hs_divisible_installment(plan, 0, 0) > 0 && hs_divisible_installment(plan, 1, 0) == 0);
        hs_divisible_free(plan);
    }
}

/* An item each: a second installment would not shorten the plan, so there is none. */
static void no_more_rounds_than_help(void **state)
{
    const double w[] = {4, 4}, c[] = {0, 1};
    hs_divisible_params p = star_of(2, w, c, 2);
    p.items = HS_DIVISIBLE_INTEGER;
    p.rounds = 2;
    hs_divisible *plan = plan_for(&p);
    CHECK_CLOSE(hs_divisible_makespan(plan), 5, 1e-12);
    assert_int_equal(hs_divisible_rounds(plan), 1);
    hs_divisible_free(plan);
}

/* The recurrence at size, where no linear program fits, also with a master that computes. */
static void many_workers(void **state)
{
    enum { MANY = 400 };
    double w[MANY], c[MANY], speed = 0;
    hs__random random = {42};
    for (int i = 0; i < MANY; i++) {
        w[i] = hs__random_between(&random, 1000, 9000);
        c[i] = hs__random_between(&random, 1, 3);
        speed += 1 / w[i];
    }
    static const double loads[] = {1e6, 1e-3, 1e6}; /* parts of an item, too */
    for (size_t k = 0; k < sizeof loads / sizeof *loads; k++) {
        hs_divisible_params p;
        c[0] = k < 2 ? c[0] : 0;
        p = star_of(MANY, w, c, loads[k]);
        double one = makespan_of(&p);
        p.rounds = 20;
        double twenty = makespan_of(&p);
        assert_true(twenty < one);
        assert_true(twenty < 1.05 * loads[k] / speed);
    }
}

static void whole_items(void **state)
{
    hs__random random = {43};
    for (int trial = 0; trial < 40; trial++) {
        double w[5], c[5], l[5];
        for (int i = 0; i < 5; i++) {
            w[i] = hs__random_between(&random, 1, 20);
            c[i] = hs__random_between(&random, 0.1, 3);
            l[i] = hs__random_between(&random, 0, 5);
        }
        hs_divisible_params p;
        p = star_of(5, w, c, 1 + trial * trial);
        p.items = HS_DIVISIBLE_INTEGER;
        p.latency = trial & 1 ? l : NULL;
        p.results = trial & 2 ? 0.3 : 0;
        double one = makespan_of(&p);
        p.rounds = 6;
        hs_divisible *plan = plan_for(&p);
        assert_true(hs_divisible_makespan(plan) <= one);
        for (int r = 0; r < hs_divisible_rounds(plan); r++)
            for (int i = 0; i < 5; i++)
                assert_true(hs_divisible_installment(plan, r, i) == floor(hs_divisible_installment(plan, r, i)));
        hs_divisible_free(plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(by_hand_with_latency_and_results),
        cmocka_unit_test(more_rounds_are_never_worse),
        cmocka_unit_test(waiting_at_the_start_goes_away),
        cmocka_unit_test(latencies_limit_the_rounds),
        cmocka_unit_test(the_master_has_its_items_at_once),
        cmocka_unit_test(no_more_rounds_than_help),
        cmocka_unit_test(many_workers),
        cmocka_unit_test(whole_items),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
