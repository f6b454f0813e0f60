/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/decision/move_cost.h"
#include "tests/unit.h"
#include "util/random.h"

static void a_part_answers_by_its_share(void **state)
{
    hs__move_cost cost = {.fixed = 1, .unit = 0};
    (void)state;
    hs__move_cost_learn(&cost, 100, 3); /* units cost nothing: all of it is fixed */
    CHECK_CLOSE(cost.fixed, 3, 1e-12);
    CHECK_CLOSE(cost.unit, 0, 0);
    cost = (hs__move_cost){.fixed = 1, .unit = 0.5};
    hs__move_cost_learn(&cost, 0, 4);
    CHECK_CLOSE(cost.fixed, 4, 1e-12);
    CHECK_CLOSE(cost.unit, 0.5, 1e-12);
    hs__move_cost_learn(&cost, 8, 32); /* half and half, and four times what was foretold */
    CHECK_CLOSE(cost.fixed, 8, 1e-12);
    CHECK_CLOSE(cost.unit, 1, 1e-12);
    hs__move_cost_learn(&cost, 8, 0);
    CHECK_CLOSE(cost.fixed, 8, 1e-12);
}

/* Three units moved in the step in which a host became four times slower, and all waited for it. */
static void a_small_move_that_was_held_up_makes_no_large_one_dear(void **state)
{
    hs__move_cost cost = {.fixed = 0.05, .unit = 1e-4};
    (void)state;
    hs__move_cost_learn(&cost, 3, 0.35);
    assert_true(cost.fixed > 0.3 && cost.fixed < 0.36);
    assert_true(cost.unit < 1.02e-4);
}

/* Moves of all sizes, with noise: the forecast is right for small and for large ones, whatever was guessed. */
static void learns_both_parts(void **state)
{
    (void)state;
    for (int guess = -2; guess <= 2; guess++) {
        hs__random random = {.state = 7};
        hs__move_cost cost = {.fixed = 0.02 * pow(10, guess), .unit = 1e-4 * pow(10, -guess)};
        for (int k = 0; k < 400; k++) {
            double units = floor(pow(10, hs__random_between(&random, 0, 4)));
            hs__move_cost_learn(&cost, units, (0.02 + 1e-4 * units) * hs__random_between(&random, 0.9, 1.1));
        }
        CHECK_CLOSE(cost.fixed / 0.02, 1, 0.15);
        CHECK_CLOSE(cost.unit / 1e-4, 1, 0.15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_part_answers_by_its_share),
        cmocka_unit_test(a_small_move_that_was_held_up_makes_no_large_one_dear),
        cmocka_unit_test(learns_both_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
