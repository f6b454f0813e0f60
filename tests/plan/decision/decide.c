/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/decision/slices.h"
#include "tests/unit.h"
#include "util/random.h"
#include "util/speed_window.h"
#include <heteroslice/hs_slices.h>

/* A cluster on paper: true cycle times that the test changes, and the slices that the decider chose. */
enum { RANKS = 4, ITERATIONS = 10 };

typedef struct cluster {
    double cycle[RANKS], noise;
    int64_t count[RANKS];
    double move_fixed, move_unit;
    int64_t left;
    hs__slices slices;
    hs__decider *decider;
    hs__random random;
    int moves;
    double spent, stayed; /* seconds in steps and moves; seconds if nothing had ever moved */
    int64_t first_count[RANKS];
} cluster;

static double step_of(const double *cycle, const int64_t *count)
{
    double longest = 0;
    for (int i = 0; i < RANKS; i++)
        longest = fmax(longest, cycle[i] * (double)count[i]);
    return longest;
}

static cluster start(const double *cycle)
{
    static const double comm[RANKS] = {0};
    cluster c = {.move_fixed = 0.05, .left = -1, .random = {1}};
    memcpy(c.cycle, cycle, sizeof c.cycle);
    c.slices = (hs__slices){.ranks = RANKS, .units = 1000, .minimum = 1, .model = HS_STEP_SERIAL};
    assert_int_equal(hs__slices_start(&c.slices, 1, comm, NULL), HS_OK);
    assert_int_equal(hs__decider_create(RANKS, cycle, &c.decider), HS_OK);
    assert_int_equal(hs_slices_compute(cycle, comm, RANKS, 1000, 1, HS_STEP_SERIAL, c.count, NULL), HS_OK);
    memcpy(c.first_count, c.count, sizeof c.count);
    return c;
}

static void finish(cluster *c)
{
    hs__slices_end(&c->slices);
    hs__decider_free(c->decider);
}

/* One phase under readings[] (the truth when NULL). Returns 1 when slices moved. */
static int run_phase(cluster *c, const double *readings)
{
    double seen[RANKS];
    const int64_t *next = c->slices.candidate;
    c->slices.count = c->count;
    for (int i = 0; i < RANKS; i++)
        seen[i] = (readings ? readings[i] : c->cycle[i]) * (1 + c->noise * (2 * hs__random_unit(&c->random) - 1));
    hs__decide_phase phase = {ITERATIONS, seen,          c->count,     step_of(c->cycle, c->count),
                              c->left,    c->move_fixed, c->move_unit, NULL};
    c->spent += phase.step * ITERATIONS;
    c->stayed += step_of(c->cycle, c->first_count) * ITERATIONS;
    if (hs__decider_phase(c->decider, &phase, &hs__slices_kind, &c->slices) != HS_OK)
        return 0;
    int64_t sum = 0;
    for (int i = 0; i < RANKS; i++)
        sum += next[i];
    assert_int_equal(sum, 1000);
    c->spent += c->move_fixed + c->move_unit * (double)hs__moved_units_busiest(RANKS, c->count, next);
    memcpy(c->count, next, sizeof c->count);
    hs__slices_moved(&c->slices);
    hs__decider_moved(c->decider, c->move_fixed);
    c->moves++;
    return 1;
}

static void run_phases(cluster *c, int n)
{
    for (int k = 0; k < n; k++)
        run_phase(c, NULL);
}

static const double unequal[RANKS] = {1e-4, 2e-4, 3e-4, 4e-4};

static void steady_speeds_move_nothing(void **state)
{
    cluster c = start(unequal);
    run_phases(&c, 50);
    assert_int_equal(c.moves, 0);
    finish(&c);
}

static void a_wrong_first_guess_is_corrected_once(void **state)
{
    cluster c = start(unequal);
    c.cycle[0] = 1.5e-4;
    run_phases(&c, 50);
    assert_int_equal(c.moves, 1);
    int64_t best[RANKS];
    static const double comm[RANKS] = {0};
    hs_slices_compute(c.cycle, comm, RANKS, 1000, 1, HS_STEP_SERIAL, best, NULL);
    for (int i = 0; i < RANKS; i++)
        assert_int_equal(c.count[i], best[i]);
    finish(&c);
}

static void a_burst_of_one_phase_moves_nothing(void **state)
{
    for (double burst = 1.2; burst < 6; burst *= 2) {
        cluster c = start(unequal);
        c.move_fixed = 1e-6; /* even when moving is all but free */
        run_phases(&c, 5);
        for (int k = 0; k < 5; k++) {
            double readings[RANKS];
            memcpy(readings, c.cycle, sizeof readings);
            readings[k % RANKS] *= burst;
            run_phase(&c, readings);
            run_phases(&c, 4);
        }
        assert_int_equal(c.moves, 0);
        finish(&c);
    }
}

static void a_lasting_drift_is_followed_in_two_phases(void **state)
{
    cluster c = start(unequal);
    run_phases(&c, 10);
    c.cycle[0] *= 4;
    assert_int_equal(run_phase(&c, NULL), 0);
    assert_int_equal(hs__decider_hurries(c.decider), 1);
    assert_int_equal(run_phase(&c, NULL), 1);
    c.cycle[0] /= 4;
    run_phases(&c, 3);
    assert_int_equal(c.moves, 2);
    assert_int_equal(c.count[0], c.first_count[0]);
    finish(&c);
}

static void a_small_drift_is_followed_without_hurry(void **state)
{
    cluster c = start(unequal);
    run_phases(&c, 10);
    c.cycle[0] *= 1.15;
    assert_int_equal(run_phase(&c, NULL), 0);
    assert_int_equal(hs__decider_hurries(c.decider), 0);
    run_phases(&c, 20);
    assert_int_equal(c.moves, 1);
    finish(&c);
}

static void noise_alone_moves_nothing(void **state)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        cluster c = start(unequal);
        c.random.state = seed;
        c.noise = 0.05;
        run_phases(&c, 200);
        assert_in_range(c.moves, 0, 1);
        finish(&c);
    }
}

/* Ski rental: a drift that ends just when the slices have moved is the adversary's best; what was spent is at most
 * twice what staying (hindsight) would have cost in extra, plus the two phases it takes to believe a drift. */
static void an_adversary_gains_at_most_a_factor_of_two(void **state)
{
    for (double price = 0.01; price < 100; price *= 3) {
        cluster c = start(unequal);
        c.move_fixed = price;
        run_phases(&c, 4);
        static const double comm[RANKS] = {0};
        double base, begun = c.spent;
        int64_t best[RANKS];
        c.cycle[3] *= 1.5;
        hs_slices_compute(c.cycle, comm, RANKS, 1000, 1, HS_STEP_SERIAL, best, &base);
        base *= ITERATIONS;
        int phases = 0;
        while (!run_phase(&c, NULL) && ++phases < 100000)
            ;
        phases++;
        double drifted = step_of(c.cycle, c.first_count) * ITERATIONS;
        double extra = c.spent - begun - base * phases, hindsight = fmin(price, (drifted - base) * phases);
        assert_true(extra <= 2 * hindsight + 2 * (drifted - base) + 1e-9);
        finish(&c);
    }
}

/* Seconds that a phase loses when the last rank is half again as slow. */
static double drift_loss(void)
{
    static const double comm[RANKS] = {0};
    int64_t count[RANKS];
    double best, cycle[RANKS];
    memcpy(cycle, unequal, sizeof cycle);
    hs_slices_compute(cycle, comm, RANKS, 1000, 1, HS_STEP_SERIAL, count, NULL);
    cycle[3] *= 1.5;
    double before = step_of(cycle, count);
    hs_slices_compute(cycle, comm, RANKS, 1000, 1, HS_STEP_SERIAL, count, &best);
    return (before - best) * ITERATIONS;
}

/* With so many iterations left, at which phase of a drift the slices move; 0: not within 100. */
static int phases_until_move(double price, int64_t left)
{
    int phases = 0, moved = 0;
    cluster c = start(unequal);
    c.move_fixed = price;
    run_phases(&c, 4);
    c.cycle[3] *= 1.5;
    for (; !moved && phases < 100; phases++) {
        c.left = left < 0 ? -1 : left > ITERATIONS * phases ? left - ITERATIONS * phases : 0;
        moved = run_phase(&c, NULL);
    }
    finish(&c);
    return moved ? phases : 0;
}

static void a_known_end_is_counted_with(void **state)
{
    double one = drift_loss();
    assert_int_equal(phases_until_move(19.5 * one, -1), 20);
    assert_int_equal(phases_until_move(19.5 * one, 1000 * ITERATIONS), 20);
    assert_int_equal(phases_until_move(19.5 * one, 41 * ITERATIONS), 20); /* the 22 left then would lose it all */
    assert_int_equal(phases_until_move(19.5 * one, 38 * ITERATIONS), 0);  /* the 19 left then would not */
    assert_int_equal(phases_until_move(0.1 * one, 1000 * ITERATIONS), 2); /* no sooner than a drift is believed */
    assert_int_equal(phases_until_move(0.1 * one, ITERATIONS), 0);
}

static void moves_that_do_not_help_grow_dear(void **state)
{
    cluster c = start(unequal);
    run_phases(&c, 4);
    /* Readings claim a drift, now of one rank, now of another, but the step time never changes. */
    int moves_before_half = 0;
    for (int k = 0; k < 400; k++) {
        double readings[RANKS];
        memcpy(readings, c.cycle, sizeof readings);
        readings[k / 10 % RANKS] *= 3;
        run_phase(&c, readings);
        if (k == 199)
            moves_before_half = c.moves;
    }
    assert_true(c.moves - moves_before_half <= moves_before_half);
    const hs__balance_sheet *sheet = hs__decider_sheet(c.decider);
    assert_true(sheet->given_up && sheet->brought < sheet->cost);
    assert_int_equal(sheet->moves, c.moves);
    finish(&c);
}

static void idle_ranks_come_back(void **state)
{
    static const double slow_last[RANKS] = {1e-4, 1e-4, 1e-4, 1};
    cluster c = start(slow_last);
    assert_int_equal(c.count[3], 0);
    double readings[RANKS] = {1e-4, 1e-4, 1e-4, 1e-4}; /* rank 3 has none: its cycle over its first guess */
    c.cycle[3] = 1e-4;
    for (int k = 0; k < 4; k++)
        run_phase(&c, readings);
    assert_true(c.count[3] > 200);
    finish(&c);
}

/* Every unit becomes a hundred times the work: what is too slow stays too slow, and nothing moves. One that never had units
 * and one that had to give them up. */
static void idle_ranks_grow_with_the_work(void **state)
{
    static const double slow_last[RANKS] = {1e-4, 1e-4, 1e-4, 0.04}, equal[RANKS] = {1e-4, 1e-4, 1e-4, 1e-4};
    for (int had_units = 0; had_units < 2; had_units++) {
        cluster c = start(had_units ? equal : slow_last);
        memcpy(c.cycle, slow_last, sizeof c.cycle);
        double readings[RANKS] = {1e-4, 1e-4, 1e-4, 1};
        for (int k = 0; k < 8; k++)
            run_phase(&c, c.count[3] > 0 ? NULL : readings);
        assert_int_equal(c.count[3], 0);
        int moves = c.moves;
        for (int i = 0; i < 3; i++)
            readings[i] = c.cycle[i] *= 100;
        c.cycle[3] *= 100;
        for (int k = 0; k < 20; k++)
            run_phase(&c, readings);
        assert_int_equal(c.count[3], 0);
        assert_int_equal(c.moves, moves);
        for (int i = 0; i < 3; i++) /* and back */
            readings[i] = c.cycle[i] /= 100;
        c.cycle[3] /= 100;
        for (int k = 0; k < 20; k++)
            run_phase(&c, readings);
        assert_int_equal(c.moves, moves);
        finish(&c);
    }
}

/* One host of several that slows down is no change of the work. */
static void one_slow_host_leaves_the_idle_ones_fast(void **state)
{
    static const double slow_last[RANKS] = {1e-4, 1e-4, 1e-4, 0.04};
    cluster c = start(slow_last);
    assert_int_equal(c.count[3], 0);
    double readings[RANKS] = {1e-4, 1e-2, 1e-2, 1};
    c.cycle[1] = c.cycle[2] = 1e-2;
    for (int k = 0; k < 8; k++)
        run_phase(&c, readings);
    assert_true(c.moves > 0 && c.count[1] < 20);
    CHECK_CLOSE(hs__decider_cycles(c.decider)[3], 0.04 * pow(100, 2. / 3), 1e-9);
    finish(&c);
}

static void moved_units_by_hand(void **state)
{
    const int64_t from[RANKS] = {4, 4, 4, 0}, to[RANKS] = {6, 2, 0, 4};
    /* rank 0 takes 4, 5; rank 1 keeps 6, 7; rank 3 takes 8..11 */
    assert_int_equal(hs__moved_units(RANKS, from, to), 6);
    assert_int_equal(hs__moved_units_busiest(RANKS, from, to), 4);
    assert_int_equal(hs__moved_units(RANKS, from, from), 0);
}

static void window_believes_the_second_reading(void **state)
{
    hs__speed_window w = {0};
    for (int k = 0; k < 5; k++)
        assert_int_equal(hs__speed_window_add(&w, 1), 0);
    assert_int_equal(hs__speed_window_add(&w, 2), 0); /* in the middle of this phase the speed fell to a quarter */
    assert_int_equal(hs__speed_window_add(&w, 4), 1);
    CHECK_CLOSE(w.mean, 4, 1e-15);
    assert_int_equal(hs__speed_window_add(&w, 4.1), 0);
    CHECK_CLOSE(w.mean, 12.1 / 3, 1e-2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady_speeds_move_nothing),
        cmocka_unit_test(a_wrong_first_guess_is_corrected_once),
        cmocka_unit_test(a_burst_of_one_phase_moves_nothing),
        cmocka_unit_test(a_lasting_drift_is_followed_in_two_phases),
        cmocka_unit_test(a_small_drift_is_followed_without_hurry),
        cmocka_unit_test(noise_alone_moves_nothing),
        cmocka_unit_test(an_adversary_gains_at_most_a_factor_of_two),
        cmocka_unit_test(a_known_end_is_counted_with),
        cmocka_unit_test(moves_that_do_not_help_grow_dear),
        cmocka_unit_test(idle_ranks_come_back),
        cmocka_unit_test(idle_ranks_grow_with_the_work),
        cmocka_unit_test(one_slow_host_leaves_the_idle_ones_fast),
        cmocka_unit_test(moved_units_by_hand),
        cmocka_unit_test(window_believes_the_second_reading),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
