/* SPDX-License-Identifier: BSD-3-Clause */
/* When gains count, what is lost meanwhile, and when moving pays, worked by hand: a layout of which the test says what a step
 * takes. */
#include "plan/decision/decide.h"
#include "tests/unit.h"
#include <heteroslice/hs_status.h>

enum { RANKS = 2 };

/** A layout, and a program that has it. */
typedef struct run {
    double now, best; /* what a step of it takes, present and candidate */
    int64_t traffic;
    hs_status status; /* of its plans */
    double cycle[RANKS];
    int64_t units[RANKS];
    hs__decide_phase phase;
    hs__decide_part part; /* of all parts; .moved = 0: there is none */
    double asked;         /* the last step for which a part was asked */
    int parts;            /* asked for */
    int taken;
    hs__decider *decider;
} run;

static hs_status plan(void *layout, const hs__decide_phase *phase, const double *cycle, double *now, double *best)
{
    const run *r = layout;
    *now = r->now;
    *best = r->best;
    return r->status;
}

static int64_t traffic(const void *layout)
{
    return ((const run *)layout)->traffic;
}

static hs_status part(void *layout, const double *cycle, double step, hs__decide_part *part)
{
    run *r = layout;
    r->asked = step;
    r->parts++;
    *part = r->part;
    return r->part.moved > 0 && r->part.step <= step ? HS_OK : HS_UNCHANGED;
}

static void take_part(void *layout, const double *cycle)
{
    ((run *)layout)->taken++;
}

static const hs__decide_kind kind = {.plan = plan, .traffic = traffic, .part = part, .take_part = take_part};

/* One phase, in which a step takes `now`. */
static hs_status phase(run *r, double now, double best)
{
    r->now = now;
    r->best = best;
    r->phase.step = now;
    r->phase.cycle = r->cycle;
    r->phase.units = r->units;
    return hs__decider_phase(r->decider, &r->phase, &kind, r);
}

/* Speeds are known exactly: three phases alike. */
static void start(run *r)
{
    *r = (run){.traffic = 1, .cycle = {1, 0.5}, .units = {10, 10}, .phase = {.iterations = 1, .left = -1}};
    assert_int_equal(hs__decider_create(RANKS, r->cycle, &r->decider), HS_OK);
    for (int k = 0; k < 3; k++)
        assert_int_equal(phase(r, 1, 1), HS_UNCHANGED);
    assert_true(hs__decider_last(r->decider)->error == 0);
}

static void two_percent_of_a_step_are_a_gain(void **state)
{
    static const hs__decide_rule every = {0, 1};
    run r;
    start(&r);
    assert_int_equal(phase(&r, 1, 0.9801), HS_UNCHANGED);
    assert_true(hs__decider_last(r.decider)->loss == 0);
    assert_int_equal(phase(&r, 1, 0.98), HS_OK);
    hs__decider_free(r.decider);
    start(&r);
    hs__decider_set_rule(r.decider, &every);
    assert_int_equal(phase(&r, 1, 0.9999), HS_OK);
    hs__decider_free(r.decider);
}

/* The first rank's readings are 1 and 1.02 in turn. Nine of them have the mean 1 + 0.08 / 9, and their standard error is
 * a third of that of one, 0.02 / 0.954. A gain has to be twice as much of the longest computation. */
static void gains_within_the_noise_are_none(void **state)
{
    static const hs__decide_rule every = {0, 1};
    static const double load[RANKS] = {20, 10};
    const double mean = 1 + 0.08 / 9, error = 0.02 / 0.954 / mean / 3;
    for (int weighed = 0; weighed < 2; weighed++)
        for (int enough = 0; enough < 2; enough++) {
            run r = {.traffic = 1, .cycle = {1, 0.5}, .units = {10, 10}, .phase = {.iterations = 1, .left = -1}};
            double least = 2 * error * mean * (weighed ? 20 : 10);
            r.phase.load = weighed ? load : NULL;
            assert_int_equal(hs__decider_create(RANKS, r.cycle, &r.decider), HS_OK);
            hs__decider_set_rule(r.decider, &every);
            for (int k = 0; k < 8; k++) {
                r.cycle[0] = k % 2 ? 1.02 : 1;
                assert_int_equal(phase(&r, 20, 21), HS_UNCHANGED);
            }
            r.cycle[0] = 1;
            hs_status status = phase(&r, 20, 20 - least * (enough ? 1.001 : 0.999));
            CHECK_CLOSE(hs__decider_last(r.decider)->error, error, 1e-12);
            assert_int_equal(status, enough ? HS_OK : HS_UNCHANGED);
            hs__decider_free(r.decider);
        }
}

/* Moving 4 units costs 1.5 s; a phase of two iterations loses 0.5 s. */
static void losses_add_up_to_the_price(void **state)
{
    static const double best[] = {0.75, 0.75, 1, 0.75, 0.75, 0.75, 0.75}, loss[] = {0.5, 1, 0, 0.5, 1, 1.5, 0.5};
    run r;
    start(&r);
    r.traffic = 4;
    r.phase.iterations = 2;
    r.phase.move_fixed = 1;
    r.phase.move_unit = 0.125;
    for (int k = 0; k < 7; k++) {
        assert_int_equal(phase(&r, 1, best[k]), k == 5 ? HS_OK : HS_UNCHANGED);
        const hs__decision *decision = hs__decider_last(r.decider);
        assert_true(decision->now == 1 && decision->best == best[k] && decision->loss == loss[k]);
        assert_true(decision->price == (k == 2 ? 0 : 1.5) && decision->moved == (k == 2 ? 0 : 4));
    }
    hs__decider_free(r.decider);
}

/* Iterations to come have to save what moving costs, 1.5 s, at 0.25 s each. */
static void too_few_iterations_to_come(void **state)
{
    for (int left = 5; left <= 6; left++) {
        run r;
        start(&r);
        r.phase.iterations = 100;
        r.phase.left = left;
        r.phase.move_fixed = 1.5;
        assert_int_equal(phase(&r, 1, 0.75), left == 6 ? HS_OK : HS_UNCHANGED);
        hs__decider_free(r.decider);
    }
}

static void nothing_to_move_and_no_plan(void **state)
{
    run r;
    start(&r);
    r.traffic = 0;
    assert_int_equal(phase(&r, 1, 0.5), HS_UNCHANGED);
    r.traffic = 1;
    r.status = HS_ERR_NOMEM;
    assert_int_equal(phase(&r, 1, 0.5), HS_ERR_NOMEM);
    r.status = HS_UNCHANGED;
    assert_int_equal(phase(&r, 1, 0.5), HS_UNCHANGED);
    r.status = HS_OK;
    assert_int_equal(phase(&r, 1, 0.5), HS_OK);
    hs__decider_free(r.decider);
}

/* Phases of three iterations. A plan that is no better loses nothing, and none saves more than the step. */
static void what_phases_take_and_lose_is_counted(void **state)
{
    static const double best[] = {1.5, 2.5, 2, -1}, lost[] = {1.5, 1.5, 1.5, 7.5};
    run r;
    start(&r);
    r.traffic = 0;
    r.phase.iterations = 3;
    for (int k = 0; k < 4; k++) {
        phase(&r, 2, best[k]);
        assert_true(hs__decider_sheet(r.decider)->lost == lost[k]);
        assert_true(hs__decider_sheet(r.decider)->seconds == 3 + 6 * (k + 1));
    }
    hs__decider_free(r.decider);
}

/* Moves for half of a step of one second; the phases after it show that so many times as long a step as before is left.
 * @return what the next move costs, in prices of the first */
static double next_price(run *r, const int64_t *iterations, const double *after)
{
    assert_int_equal(phase(r, 1, 0.5), HS_OK);
    for (int k = 0; k < HS__DECIDE_JUDGE_PHASES; k++) {
        r->phase.iterations = iterations[k];
        assert_int_equal(phase(r, after[k], after[k]), HS_UNCHANGED);
    }
    r->phase.iterations = 1;
    assert_int_equal(phase(r, 1, 0.9), HS_UNCHANGED);
    double price = hs__decider_last(r->decider)->price / 0.5;
    assert_int_equal(phase(r, 1, 1), HS_UNCHANGED);
    return price;
}

/* Half of the promise, 0.25 s an iteration, in the mean over the iterations of two phases. */
static void half_of_a_promise_is_kept(void **state)
{
    static const struct {
        int64_t iterations[HS__DECIDE_JUDGE_PHASES];
        double after[HS__DECIDE_JUDGE_PHASES], price;
    } rows[] = {
        {{1, 1}, {0.75, 0.75}, 1}, {{1, 1}, {0.5, 1}, 1}, {{1, 1}, {0.76, 0.75}, 2},
        {{1, 9}, {1, 0.5}, 1},     {{9, 1}, {1, 0.5}, 2},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        run r;
        start(&r);
        r.phase.move_fixed = 0.5;
        assert_true(next_price(&r, rows[k].iterations, rows[k].after) == rows[k].price);
        hs__decider_free(r.decider);
    }
}

/* Nobody says that moves cost anything, so that none of them is the last. */
static void prices_double_and_halve_within_bounds(void **state)
{
    static const double price[] = {2, 4, 8, 16, 32, 64, 64, 64, 32, 16, 8, 4, 2, 1, 1};
    run r;
    start(&r);
    r.phase.move_fixed = 0.5;
    for (size_t k = 0; k < sizeof price / sizeof *price; k++) {
        r.phase.iterations = 64;
        assert_true(next_price(&r, (int64_t[]){1, 1}, k < 8 ? (double[]){1, 1} : (double[]){0.5, 0.5}) == price[k]);
    }
    hs__decider_free(r.decider);
}

/* What comes between a move and the end of its trial. */
typedef enum event { NOTHING, WEIGHTS, OTHER_MESSAGES } event;

static void weights_and_messages_end_a_trial(void **state)
{
    for (event e = NOTHING; e <= OTHER_MESSAGES; e++) {
        run r;
        start(&r);
        r.phase.move_fixed = 0.5;
        assert_int_equal(phase(&r, 1, 0.5), HS_OK);
        assert_int_equal(phase(&r, 0.75, 0.75), HS_UNCHANGED);
        assert_true(hs__decider_sheet(r.decider)->brought == 0.25);
        if (e == WEIGHTS)
            hs__decider_weigh(r.decider, 0);
        else if (e == OTHER_MESSAGES)
            hs__decider_replan(r.decider);
        assert_int_equal(phase(&r, 1.25, 1.25), HS_UNCHANGED);
        assert_true(hs__decider_sheet(r.decider)->brought == (e == WEIGHTS ? 0.25 : 0));
        assert_int_equal(phase(&r, 1, 0.9), HS_UNCHANGED);
        assert_true(hs__decider_last(r.decider)->price == (e == NOTHING ? 1 : 0.5));
        hs__decider_free(r.decider);
    }
}

/* Whole: 9 units, 10 s, for a gain of 8. A part of 3 units costs 4 s and gains 6, three quarters; 6 units, 7 s, remain. So two
 * moves cost one second more than one. */
static void a_part_moves_when_its_share_is_lost(void **state)
{
    run r;
    start(&r);
    r.phase.move_fixed = r.phase.move_unit = 1;
    for (int change = 0; change < 2; change++) {
        r.traffic = 9;
        r.part = (hs__decide_part){.step = 4, .moved = 3, .left = 6};
        r.parts = 0;
        assert_int_equal(phase(&r, 10, 2), HS_OK); /* 8 s are lost, 6 of them for the want of the part */
        assert_int_equal(r.taken, change + 1);
        assert_true(r.asked == 4 && r.parts == 4); /* 2 + 8 / 32 first, the last that is above 2 % of the step */
        assert_int_equal(hs__decider_last(r.decider)->part.moved, 3);
        assert_true(hs__decider_last(r.decider)->part_price == 4);
        r.traffic = 6;
        r.part = (hs__decide_part){.step = 3, .moved = 1, .left = 5};
        assert_int_equal(phase(&r, 4, 2), HS_UNCHANGED); /* no second part of the same change */
        assert_true(hs__decider_last(r.decider)->loss == 8 - 6 + 2 + 2);
        assert_int_equal(phase(&r, 4, 2), HS_OK);
        assert_true(hs__decider_last(r.decider)->loss == 8 && hs__decider_last(r.decider)->price == 7);
        assert_int_equal(hs__decider_last(r.decider)->part.moved, 0);
        assert_int_equal(r.taken, change + 1);
    }
    hs__decider_free(r.decider);
}

/* Moving costs a second and one more for each unit, 10 s in all for a gain of 8. */
static void parts_have_to_be_worth_it(void **state)
{
    static const struct {
        hs__decide_part part;
        hs_status status;
    } rows[] = {
        {{.step = 4, .moved = 6, .left = 6}, HS_UNCHANGED}, /* 7 s twice, 4 more than one move: 7 + 4 exceed 7.5 */
        {{.step = 4, .moved = 6, .left = 2}, HS_UNCHANGED}, /* 7 s, and 6 are lost */
        {{.step = 6, .moved = 3, .left = 6}, HS_OK},        /* 4 s, and 4 are lost; 4 + 1 are 5, half of 10 */
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        run r;
        start(&r);
        r.phase.move_fixed = r.phase.move_unit = 1;
        r.traffic = 9;
        r.part = rows[k].part;
        assert_int_equal(phase(&r, 10, 2), rows[k].status);
        assert_int_equal(r.taken, rows[k].status == HS_OK);
        hs__decider_free(r.decider);
    }
}

/* However cheap it is, a part has to gain two percent of the step, too. */
static void a_part_gains_as_much_as_a_whole_has_to(void **state)
{
    static const double best[] = {9.7, 9.5}, step[] = {9.84, 9.75};
    for (int k = 0; k < 2; k++) {
        run r;
        start(&r);
        r.phase.move_unit = 1;
        r.phase.iterations = 100;
        r.traffic = 900;
        r.part = (hs__decide_part){.step = step[k], .moved = 1, .left = 899};
        assert_int_equal(phase(&r, 10, best[k]), k == 0 ? HS_UNCHANGED : HS_OK);
        hs__decider_free(r.decider);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_percent_of_a_step_are_a_gain), cmocka_unit_test(gains_within_the_noise_are_none),
        cmocka_unit_test(losses_add_up_to_the_price),       cmocka_unit_test(too_few_iterations_to_come),
        cmocka_unit_test(nothing_to_move_and_no_plan),      cmocka_unit_test(what_phases_take_and_lose_is_counted),
        cmocka_unit_test(half_of_a_promise_is_kept),        cmocka_unit_test(prices_double_and_halve_within_bounds),
        cmocka_unit_test(weights_and_messages_end_a_trial), cmocka_unit_test(a_part_moves_when_its_share_is_lost),
        cmocka_unit_test(parts_have_to_be_worth_it),        cmocka_unit_test(a_part_gains_as_much_as_a_whole_has_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
