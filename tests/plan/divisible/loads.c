/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads for given orders: whole items from any values, and who is left out where not all subsets can be tried. */
#include "plan/divisible/divisible.h"
#include "tests/plan/divisible/oracle.h"

enum { MANY = 11 };

/* By hand: the least t at which the floors of value * t add up to the total. */
static void whole_items_by_hand(void **state)
{
    static const struct {
        double value[3], total, expected[3];
    } rows[] = {
        {{12, 4, 2}, 18, {12, 4, 2}}, {{0.25, 0.25, 0.5}, 4, {1, 1, 2}}, {{0.01, 0.02, 0.03}, 6, {1, 2, 3}},
        {{1, 1, 1}, 4, {2, 1, 1}}, /* t = 2 gives six: the lowest index takes what is left */
        {{5, 3, 0}, 1, {1, 0, 0}},    {{600, 300, 100}, 10, {6, 3, 1}},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        double value[3];
        memcpy(value, rows[k].value, sizeof value);
        hs__divisible_round(value, 3, rows[k].total);
        for (int i = 0; i < 3; i++)
            CHECK_CLOSE(value[i], rows[k].expected[i], 0);
    }
}

static void shuffle(hs__random *random, int *order)
{
    for (int k = 0; k < MANY; k++)
        order[k] = k;
    for (int k = MANY - 1; k > 0; k--) {
        int j = (int)hs__random_below(random, k + 1), t = order[k];
        order[k] = order[j];
        order[j] = t;
    }
}

/* The shortest schedule over all subsets of the hosts. */
static double best_of_all(hs__task *task, const hs__schedule *orders)
{
    hs__schedule *trial = &task->scratch;
    double best = INFINITY;
    for (unsigned set = 1; set < 1u << MANY; set++) {
        hs__schedule_copy(trial, orders, MANY);
        for (int h = 0; h < MANY; h++)
            trial->load[h] = set >> h & 1;
        hs__schedule_drop_idle(trial);
        hs__fixed_loads(&task->fixed, &task->star, trial);
        best = fmin(best, trial->makespan);
    }
    return best;
}

static void leaving_out_is_near_the_best_of_all_subsets(void **state)
{
    hs__random random = {61};
    int left_out = 0, optimal = 0;
    double worst = 0;
    for (int trial = 0; trial < 300; trial++) {
        double w[MANY], c[MANY], l[MANY];
        hs_divisible_params p;
        hs_divisible_params_init(&p);
        for (int i = 0; i < MANY; i++) {
            w[i] = pow(10, hs__random_between(&random, 0, 2));
            c[i] = pow(10, hs__random_between(&random, -1, 2));
            l[i] = hs__random_between(&random, 0, 3);
        }
        p.hosts = MANY;
        p.cycle_time = w;
        p.comm_time = c;
        p.latency = trial & 1 ? l : NULL;
        p.load = 20;
        p.results = hs__random_between(&random, 0.1, 1);
        p.port = HS_DIVISIBLE_DUPLEX;
        hs__task task;
        hs__schedule orders, chosen;
        int exact = 1;
        assert_int_equal(hs__task_init(&task, &p), HS_OK);
        assert_int_equal(hs__schedule_init(&orders, MANY), HS_OK);
        assert_int_equal(hs__schedule_init(&chosen, MANY), HS_OK);
        orders.n = MANY;
        shuffle(&random, orders.send);
        shuffle(&random, orders.collect);
        hs__schedule_copy(&chosen, &orders, MANY);
        assert_int_equal(hs__fixed_loads_choosing(&task.fixed, &task.star, &chosen, &task.trial, &exact), HS_OK);
        assert_int_equal(exact, 0);
        left_out += MANY - chosen.n;
        double over = chosen.makespan / best_of_all(&task, &orders) - 1;
        assert_true(over >= -1e-9);
        optimal += over < 1e-9;
        worst = fmax(worst, over);
        hs__schedule_free(&chosen);
        hs__schedule_free(&orders);
        hs__task_free(&task);
    }
    assert_true(left_out > 1500 && optimal >= 280); /* the best in 283 of 300, at most 11 % longer in the others */
    assert_true(worst < 0.11);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_items_by_hand),
        cmocka_unit_test(leaving_out_is_near_the_best_of_all_subsets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
