/* SPDX-License-Identifier: BSD-3-Clause */
/* What moves promised, cost and brought, and what follows from it. */
#include "plan/decision/promise.h"
#include "tests/plan/decision/cluster.h"
#include "tests/unit.h"

static const double unequal[RANKS] = {1e-4, 2e-4, 3e-4, 4e-4};

/* Phase k, whose readings claim a drift, now of one rank, now of another: the step time never changes. */
static void seem_to_drift(cluster *c, int k)
{
    double readings[RANKS];
    memcpy(readings, c->cycle, sizeof readings);
    readings[k / 10 % RANKS] *= 3;
    cluster_phase(c, readings);
}

static void moves_that_do_not_help_grow_dear(void **state)
{
    cluster c = cluster_start(unequal);
    cluster_phases(&c, 4);
    int moves_before_half = 0;
    for (int k = 0; k < 400; k++) {
        seem_to_drift(&c, k);
        if (k == 199)
            moves_before_half = c.moves;
    }
    assert_true(c.moves - moves_before_half <= moves_before_half);
    const hs__balance_sheet *sheet = hs__decider_sheet(c.decider);
    assert_true(sheet->off_until > 0 && sheet->brought < sheet->cost);
    assert_int_equal(sheet->moves, c.moves);
    cluster_end(&c);
}

static void moves_that_keep_their_promise_stay_cheap(void **state)
{
    cluster c = cluster_start(unequal);
    cluster_phases(&c, 5);
    for (int n = 0; n < 6; n++) {
        c.cycle[0] *= n % 2 ? 0.25 : 4;
        for (int k = 0; k < 6; k++)
            if (cluster_phase(&c, NULL))
                CHECK_CLOSE(hs__decider_last(c.decider)->price, c.move_fixed, 1e-12);
        assert_int_equal(c.moves, n + 1);
    }
    cluster_end(&c);
}

/* The rank that became slower gets more work besides, so that steps after the move are hardly shorter than before. */
static void work_that_grows_is_no_broken_promise(void **state)
{
    cluster c = cluster_start(unequal);
    cluster_phases(&c, 5);
    c.cycle[0] *= 1.15;
    double before = cluster_step(c.cycle, c.count);
    for (int k = 0; k < 6 && c.moves == 0; k++)
        cluster_phase(&c, NULL);
    assert_int_equal(c.moves, 1);
    double promised = before - cluster_step(c.cycle, c.count), gained = 0;
    for (int k = 0; k < HS__DECIDE_JUDGE_PHASES; k++) {
        c.cycle[0] *= 1.04;
        gained += (before - cluster_step(c.cycle, c.count)) / HS__DECIDE_JUDGE_PHASES;
        cluster_phase(&c, NULL);
    }
    assert_int_equal(c.moves, 1);
    assert_true(gained < 0.5 * promised);
    c.cycle[0] *= 4;
    for (int k = 0; k < 6 && c.moves == 1; k++)
        cluster_phase(&c, NULL);
    assert_int_equal(c.moves, 2);
    CHECK_CLOSE(hs__decider_last(c.decider)->price, c.move_fixed, 1e-12);
    cluster_end(&c);
}

/* All cycle times change with each move, since no rank's seconds do. Each time balancing is off for longer. */
static void ranks_that_take_as_long_as_before_are_left_alone(void **state)
{
    static const double seconds[RANKS] = {0.06, 0.04, 0.05, 0.04};
    cluster c = cluster_start(unequal);
    for (int k = 0, at = 0, pause = 0; k < 1000; k++) {
        for (int i = 0; i < RANKS; i++)
            c.cycle[i] = c.count[i] > 0 ? seconds[i] / (double)c.count[i] : 1;
        if (!cluster_phase(&c, NULL))
            continue;
        assert_true(c.moves <= HS__DECIDE_GIVE_UP || k - at > pause);
        pause = k - at;
        at = k;
    }
    assert_true(hs__decider_sheet(c.decider)->off_until > 0);
    assert_true(c.moves <= 12);
    cluster_end(&c);
}

static void what_a_move_brings_is_counted(void **state)
{
    cluster c = cluster_start(unequal);
    double brought = 0;
    c.cycle[0] *= 1.5;
    double before = cluster_step(c.cycle, c.count);
    for (int k = 0; k < 20; k++) {
        brought += c.moves > 0 ? (before - cluster_step(c.cycle, c.count)) * ITERATIONS : 0;
        cluster_phase(&c, NULL);
    }
    const hs__balance_sheet *sheet = hs__decider_sheet(c.decider);
    assert_int_equal(sheet->moves, 1);
    assert_true(brought > 0);
    CHECK_CLOSE(sheet->brought, brought, 1e-9);
    CHECK_CLOSE(sheet->cost, c.move_fixed, 1e-12);
    cluster_end(&c);
}

/* Moves for drifts that only seem to be turn balancing off; then the first rank becomes slow to stay. */
static void a_loss_that_lasts_turns_balancing_on_again(void **state)
{
    cluster c = cluster_start(unequal);
    const hs__balance_sheet *sheet = hs__decider_sheet(c.decider);
    cluster_phases(&c, 4);
    for (int k = 0; k < 400 && sheet->off_until == 0; k++)
        seem_to_drift(&c, k);
    int moves = c.moves;
    double off_until = sheet->off_until, lost = 0;
    CHECK_CLOSE(off_until, (1 << HS__DECIDE_GIVE_UP) * (sheet->cost - sheet->brought), 1e-12);
    cluster_phases(&c, 12); /* all that seemed to be is forgotten, or lost */
    c.cycle[0] *= 20;
    for (int k = 0; k < 1000 && c.moves == moves; k++) {
        cluster_phase(&c, NULL);
        lost = hs__decider_last(c.decider)->loss;
    }
    assert_int_equal(c.moves, moves + 1);
    assert_true(lost >= off_until && sheet->off_until == 0);
    cluster_phases(&c, HS__DECIDE_JUDGE_PHASES + 1);
    assert_true(sheet->off_until == 0); /* it kept its promise */
    cluster_end(&c);
}

/* A rank that had no time to measure its units has not become infinitely fast. */
static void a_phase_that_measured_nothing_changes_nothing(void **state)
{
    cluster c = cluster_start(unequal);
    const double readings[RANKS] = {1e-4, 0, 3e-4, 4e-4};
    cluster_phases(&c, 5);
    for (int k = 0; k < 5; k++)
        assert_int_equal(cluster_phase(&c, readings), 0);
    CHECK_CLOSE(hs__decider_cycles(c.decider)[1], 2e-4, 1e-12);
    cluster_end(&c);
}

/* All ranks that measured something say that a unit became a hundred times the work; one measured nothing, one is idle. */
static void a_rank_that_measured_nothing_hides_no_growth_of_work(void **state)
{
    static const double equal[RANKS] = {1e-4, 1e-4, 1e-4, 1e-4};
    cluster c = cluster_start(equal);
    c.cycle[3] = 0.04;
    for (int k = 0; k < 8; k++)
        cluster_phase(&c, c.count[3] > 0 ? NULL : (double[]){1e-4, 1e-4, 1e-4, 1});
    assert_int_equal(c.count[3], 0);
    for (int k = 0; k < 8; k++)
        cluster_phase(&c, (double[]){1e-2, 1e-2, 0, 1});
    CHECK_CLOSE(hs__decider_cycles(c.decider)[3], 4, 1e-9);
    cluster_end(&c);
}

/* A layout that seems to become twice as fast in every third phase, and never does. */
static hs_status promise(void *layout, const hs__decide_phase *phase, const double *cycle, double *now, double *best)
{
    *now = 1;
    *best = ++*(int *)layout % 3 == 0 ? 0.5 : 1;
    return HS_OK;
}

static int64_t some_units(const void *layout)
{
    return 1;
}

/* Promises are broken, but nothing was paid: what costs nothing goes on. */
static void moves_without_cost_turn_nothing_off(void **state)
{
    static const hs__decide_kind kind = {.plan = promise, .traffic = some_units};
    const double cycle[2] = {0.1, 0.1};
    const int64_t units[2] = {10, 10};
    const hs__decide_phase phase = {.iterations = 10, .cycle = cycle, .units = units, .step = 1, .left = -1};
    hs__decider *decider;
    int phases = 0, moves = 0;
    assert_int_equal(hs__decider_create(2, cycle, &decider), HS_OK);
    for (int k = 0; k < 60; k++)
        moves += hs__decider_phase(decider, &phase, &kind, &phases) == HS_OK;
    assert_true(moves >= 18);
    const hs__balance_sheet *sheet = hs__decider_sheet(decider);
    assert_true(sheet->brought == 0 && sheet->cost == 0 && sheet->off_until == 0);
    hs__decider_free(decider);
}

/* Seems to become twice as fast in the second of six phases, and never does. */
static hs_status promise_in_the_second(void *layout, const hs__decide_phase *phase, const double *cycle, double *now,
                                       double *best)
{
    *now = 1;
    *best = ++*(int *)layout % 6 == 2 ? 0.5 : 1;
    return HS_OK;
}

/* The phases that such a decision rests on had other weights than those after it. */
static void moves_soon_after_new_weights_are_not_judged(void **state)
{
    static const hs__decide_kind kind = {.plan = promise_in_the_second, .traffic = some_units};
    const double cycle[2] = {0.1, 0.1};
    const int64_t units[2] = {10, 10};
    const hs__decide_phase phase = {
        .iterations = 10, .cycle = cycle, .units = units, .step = 1, .left = -1, .move_fixed = 0.1, .load = cycle};
    for (int weighed = 0; weighed < 2; weighed++) {
        hs__decider *decider;
        int phases = 0, moves = 0;
        assert_int_equal(hs__decider_create(2, cycle, &decider), HS_OK);
        for (int k = 0; k < 60; k++) {
            if (weighed && k % 6 == 0)
                hs__decider_weigh(decider, k == 0);
            if (hs__decider_phase(decider, &phase, &kind, &phases) != HS_OK)
                continue;
            moves++;
            double price = moves <= HS__DECIDE_GIVE_UP ? 0.1 * (1 << (moves - 1)) : 0.8 * (moves - 1);
            CHECK_CLOSE(hs__decider_last(decider)->price, weighed ? 0.1 : price, 1e-12);
            hs__decider_moved(decider, 0.1);
        }
        assert_int_equal(hs__decider_sheet(decider)->off_until > 0, !weighed);
        assert_int_equal(moves,
                         weighed ? 10 : HS__DECIDE_GIVE_UP + 1); /* a phase loses 5 s, the next one needs 6.4 s */
        hs__decider_free(decider);
    }
}

/* Two ranks of a second a unit, 100 and 300 units, have moved to 200 and 200, for 100 s of a step of 300 s. */
typedef struct after {
    const char *what;
    double cycle[2];
    double step;
    int confirmed;
    double gained; /* in 10 iterations; the trial of two phases is half over */
    int broken_off;
} after;

static const after afters[] = {
    {"as promised", {1, 1}, 200, 0, 1000, 0},
    /* The first rank's seconds are 3 times as many, the second one's as before: log 3 of followed units, and twice log 1.5 of
     * other cycle times. The longest computation takes 100 s more than its units took. */
    {"work has grown", {1.5, 1.5}, 300, 0, 575.328, 0},
    {"ranks take as long as before", {0.5, 1.5}, 300, 0, 0, 0},
    {"the other rank measured nothing", {1, 0}, 200, 0, 1000, 0},
    {"a speed has changed", {1, 2}, 400, 1, 0, 1},
    {"ranks take as long as before, which seems to be a change", {0.5, 1.5}, 300, 1, 0, 0},
};

static void what_a_phase_shows_of_a_move(void **state)
{
    static const double cycle[2] = {1, 1}, before[2] = {100, 300}, now[2] = {200, 200};
    for (size_t k = 0; k < sizeof afters / sizeof *afters; k++) {
        hs__readings readings;
        hs__promise promise;
        hs__decide_phase phase = {.iterations = 10, .cycle = cycle, .load = before, .step = 300};
        assert_int_equal(hs__readings_start(&readings, 2, cycle), HS_OK);
        assert_int_equal(hs__promise_start(&promise, 2), HS_OK);
        assert_int_equal(hs__promise_watch(&promise, &readings, &phase, 0), 0); /* nothing moved so far */
        hs__promise_make(&promise, &readings, &phase, 100, 1);
        phase.load = now;
        phase.cycle = afters[k].cycle;
        phase.step = afters[k].step;
        assert_int_equal(hs__promise_watch(&promise, &readings, &phase, afters[k].confirmed), 0);
        if (fabs(promise.gained - afters[k].gained) > 0.01 || promise.phases != !afters[k].broken_off)
            fail_msg("%s: %g, %d phases", afters[k].what, promise.gained, promise.phases);
        int broken = !afters[k].broken_off && afters[k].gained < 500;
        assert_int_equal(hs__promise_watch(&promise, &readings, &phase, 0), broken);
        assert_true(promise.phases == 0 && promise.caution == (broken ? 2 : 1));
        hs__promise_end(&promise);
        hs__readings_end(&readings);
    }
}

/* A rank whose load has doubled takes 2 to the power of 0.7, or 0.8, less for each unit: computing followed the units by 0.3, or
 * by 0.2, which is too little for its speed to have changed. */
static void computing_that_hardly_follows_is_no_speed(void **state)
{
    static const double one[1] = {1}, two[1] = {2};
    for (int little = 0; little < 2; little++) {
        hs__readings readings;
        hs__promise promise;
        const double cycle[1] = {exp2(little ? -0.8 : -0.7)};
        hs__decide_phase phase = {.iterations = 1, .cycle = one, .load = one, .step = 1};
        assert_int_equal(hs__readings_start(&readings, 1, one), HS_OK);
        assert_int_equal(hs__promise_start(&promise, 1), HS_OK);
        hs__promise_make(&promise, &readings, &phase, 1, 1);
        phase.cycle = cycle;
        phase.load = two;
        hs__promise_watch(&promise, &readings, &phase, 1);
        assert_int_equal(promise.phases, little);
        hs__promise_end(&promise);
        hs__readings_end(&readings);
    }
}

/* Only one rank has units, and comes to take far longer for them: that is its speed for all that is known, so the one that lost
 * its units, and would take no longer, gets some back. */
static void one_rank_cannot_tell_what_changed(void **state)
{
    static const double first[RANKS] = {1e-4, 1e-4, INFINITY, INFINITY};
    cluster c = cluster_start(first);
    c.cycle[1] = 1;
    for (int k = 0; k < 8; k++)
        cluster_phase(&c, c.count[1] > 0 ? NULL : (double[]){1e-4, 1, 1, 1});
    assert_int_equal(c.count[0], UNITS);
    c.cycle[0] = 10;
    for (int k = 0; k < 8 && c.count[1] == 0; k++)
        cluster_phase(&c, (double[]){10, 1, 1, 1});
    CHECK_CLOSE(hs__decider_cycles(c.decider)[1], 1, 1e-9);
    assert_true(c.count[1] > 0);
    cluster_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_that_do_not_help_grow_dear),
        cmocka_unit_test(moves_that_keep_their_promise_stay_cheap),
        cmocka_unit_test(work_that_grows_is_no_broken_promise),
        cmocka_unit_test(ranks_that_take_as_long_as_before_are_left_alone),
        cmocka_unit_test(a_loss_that_lasts_turns_balancing_on_again),
        cmocka_unit_test(what_a_move_brings_is_counted),
        cmocka_unit_test(a_phase_that_measured_nothing_changes_nothing),
        cmocka_unit_test(a_rank_that_measured_nothing_hides_no_growth_of_work),
        cmocka_unit_test(moves_without_cost_turn_nothing_off),
        cmocka_unit_test(moves_soon_after_new_weights_are_not_judged),
        cmocka_unit_test(what_a_phase_shows_of_a_move),
        cmocka_unit_test(computing_that_hardly_follows_is_no_speed),
        cmocka_unit_test(one_rank_cannot_tell_what_changed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
