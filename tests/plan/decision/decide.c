/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/plan/decision/cluster.h"
#include "tests/unit.h"
#include "util/speed_window.h"
#include <heteroslice/hs_slices.h>

static const double unequal[RANKS] = {1e-4, 2e-4, 3e-4, 4e-4};

static void steady_speeds_move_nothing(void **state)
{
    cluster c = cluster_start(unequal);
    cluster_phases(&c, 50);
    assert_int_equal(c.moves, 0);
    cluster_end(&c);
}

static void a_wrong_first_guess_is_corrected_once(void **state)
{
    cluster c = cluster_start(unequal);
    c.cycle[0] = 1.5e-4;
    cluster_phases(&c, 50);
    assert_int_equal(c.moves, 1);
    int64_t best[RANKS];
    static const double comm[RANKS] = {0};
    hs_slices_compute(c.cycle, comm, RANKS, 1000, 1, HS_STEP_SERIAL, best, NULL);
    for (int i = 0; i < RANKS; i++)
        assert_int_equal(c.count[i], best[i]);
    cluster_end(&c);
}

static void a_burst_of_one_phase_moves_nothing(void **state)
{
    for (double burst = 1.2; burst < 6; burst *= 2) {
        cluster c = cluster_start(unequal);
        c.move_fixed = 1e-6; /* even when moving is all but free */
        cluster_phases(&c, 5);
        for (int k = 0; k < 5; k++) {
            double readings[RANKS];
            memcpy(readings, c.cycle, sizeof readings);
            readings[k % RANKS] *= burst;
            cluster_phase(&c, readings);
            cluster_phases(&c, 4);
        }
        assert_int_equal(c.moves, 0);
        cluster_end(&c);
    }
}

static void a_lasting_drift_is_followed_in_two_phases(void **state)
{
    cluster c = cluster_start(unequal);
    cluster_phases(&c, 10);
    c.cycle[0] *= 4;
    assert_int_equal(cluster_phase(&c, NULL), 0);
    assert_int_equal(hs__decider_hurries(c.decider), 1);
    assert_int_equal(cluster_phase(&c, NULL), 1);
    c.cycle[0] /= 4;
    cluster_phases(&c, 3);
    assert_int_equal(c.moves, 2);
    assert_int_equal(c.count[0], c.first_count[0]);
    cluster_end(&c);
}

/* A quarter more or less is worth a hurry. */
static void a_small_drift_is_followed_without_hurry(void **state)
{
    static const double factor[] = {1.15, 1 / 1.15, 1.3, 1 / 1.3};
    for (int k = 0; k < 4; k++) {
        cluster c = cluster_start(unequal);
        cluster_phases(&c, 10);
        c.cycle[0] *= factor[k];
        assert_int_equal(cluster_phase(&c, NULL), 0);
        assert_int_equal(hs__decider_hurries(c.decider), k >= 2);
        cluster_phases(&c, 20);
        assert_int_equal(hs__decider_hurries(c.decider), 0);
        assert_int_equal(c.moves, 1);
        cluster_end(&c);
    }
}

static void noise_alone_moves_nothing(void **state)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        cluster c = cluster_start(unequal);
        c.random.state = seed;
        c.noise = 0.05;
        cluster_phases(&c, 200);
        assert_in_range(c.moves, 0, 1);
        cluster_end(&c);
    }
}

/* All hosts become slower by a tenth and recover, as the cores of one machine do, or work that grows: noise decides on which of
 * them the change is seen. */
static void a_change_of_all_moves_nothing(void **state)
{
    int moves = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        cluster c = cluster_start(unequal);
        c.random.state = seed;
        c.noise = 0.04;
        for (int k = 0; k < 20; k++) {
            cluster_phases(&c, 10);
            for (int i = 0; i < RANKS; i++)
                c.cycle[i] *= k % 2 ? 1 / 1.1 : 1.1;
        }
        moves += c.moves;
        cluster_end(&c);
    }
    assert_in_range(moves, 0, 2);
}

/* Every other phase is a fifth of the work, on all hosts. That is no noise of theirs, which would hide gains. */
static void work_that_alternates_is_no_noise(void **state)
{
    cluster c = cluster_start(unequal);
    c.noise = 0.01;
    for (int k = 0; k < 20; k++) {
        for (int i = 0; i < RANKS; i++)
            c.cycle[i] *= k % 2 ? 5 : 0.2;
        cluster_phase(&c, NULL);
    }
    assert_int_equal(c.moves, 0);
    assert_true(hs__decider_last(c.decider)->error < 0.01);
    cluster_end(&c);
}

/* Ski rental: a drift that ends just when the slices have moved is the adversary's best; what was spent is at most
 * twice what staying (hindsight) would have cost in extra, plus the two phases it takes to believe a drift. */
static void an_adversary_gains_at_most_a_factor_of_two(void **state)
{
    for (double price = 0.01; price < 100; price *= 3) {
        cluster c = cluster_start(unequal);
        c.move_fixed = price;
        cluster_phases(&c, 4);
        static const double comm[RANKS] = {0};
        double base, begun = c.spent;
        int64_t best[RANKS];
        c.cycle[3] *= 1.5;
        hs_slices_compute(c.cycle, comm, RANKS, 1000, 1, HS_STEP_SERIAL, best, &base);
        base *= ITERATIONS;
        int phases = 0;
        while (!cluster_phase(&c, NULL) && ++phases < 100000)
            ;
        phases++;
        double drifted = cluster_step(c.cycle, c.first_count) * ITERATIONS;
        double extra = c.spent - begun - base * phases, hindsight = fmin(price, (drifted - base) * phases);
        assert_true(extra <= 2 * hindsight + 2 * (drifted - base) + 1e-9);
        cluster_end(&c);
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
    double before = cluster_step(cycle, count);
    hs_slices_compute(cycle, comm, RANKS, 1000, 1, HS_STEP_SERIAL, count, &best);
    return (before - best) * ITERATIONS;
}

/* With so many iterations left, at which phase of a drift the slices move; 0: not within 100. */
static int phases_until_move(double price, int64_t left)
{
    int phases = 0, moved = 0;
    cluster c = cluster_start(unequal);
    c.move_fixed = price;
    cluster_phases(&c, 4);
    c.cycle[3] *= 1.5;
    for (; !moved && phases < 100; phases++) {
        c.left = left < 0 ? -1 : left > ITERATIONS * phases ? left - ITERATIONS * phases : 0;
        moved = cluster_phase(&c, NULL);
    }
    cluster_end(&c);
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

static void idle_ranks_come_back(void **state)
{
    static const double slow_last[RANKS] = {1e-4, 1e-4, 1e-4, 1};
    cluster c = cluster_start(slow_last);
    assert_int_equal(c.count[3], 0);
    double readings[RANKS] = {1e-4, 1e-4, 1e-4, 1e-4}; /* rank 3 has none: its cycle over its first guess */
    c.cycle[3] = 1e-4;
    for (int k = 0; k < 4; k++)
        cluster_phase(&c, readings);
    assert_true(c.count[3] > 200);
    cluster_end(&c);
}

/* Every unit becomes a hundred times the work: what is too slow stays too slow, and nothing moves. One that never had units
 * and one that had to give them up. */
static void idle_ranks_grow_with_the_work(void **state)
{
    static const double slow_last[RANKS] = {1e-4, 1e-4, 1e-4, 0.04}, equal[RANKS] = {1e-4, 1e-4, 1e-4, 1e-4};
    for (int had_units = 0; had_units < 2; had_units++) {
        cluster c = cluster_start(had_units ? equal : slow_last);
        memcpy(c.cycle, slow_last, sizeof c.cycle);
        double readings[RANKS] = {1e-4, 1e-4, 1e-4, 1};
        for (int k = 0; k < 8; k++)
            cluster_phase(&c, c.count[3] > 0 ? NULL : readings);
        assert_int_equal(c.count[3], 0);
        int moves = c.moves;
        for (int i = 0; i < 3; i++)
            readings[i] = c.cycle[i] *= 100;
        c.cycle[3] *= 100;
        for (int k = 0; k < 20; k++)
            cluster_phase(&c, readings);
        assert_int_equal(c.count[3], 0);
        assert_int_equal(c.moves, moves);
        for (int i = 0; i < 3; i++) /* and back */
            readings[i] = c.cycle[i] /= 100;
        c.cycle[3] /= 100;
        for (int k = 0; k < 20; k++)
            cluster_phase(&c, readings);
        assert_int_equal(c.moves, moves);
        cluster_end(&c);
    }
}

/* One host of several that slows down is no change of the work. */
static void one_slow_host_leaves_the_idle_ones_fast(void **state)
{
    static const double slow_last[RANKS] = {1e-4, 1e-4, 1e-4, 0.04};
    cluster c = cluster_start(slow_last);
    assert_int_equal(c.count[3], 0);
    double readings[RANKS] = {1e-4, 1e-2, 1e-2, 1};
    c.cycle[1] = c.cycle[2] = 1e-2;
    for (int k = 0; k < 8; k++)
        cluster_phase(&c, readings);
    assert_true(c.moves > 0 && c.count[1] < 20);
    CHECK_CLOSE(hs__decider_cycles(c.decider)[3], 0.04 * pow(100, 2. / 3), 1e-9);
    cluster_end(&c);
}

static void moved_units_by_hand(void **state)
{
    const int64_t from[RANKS] = {4, 4, 4, 0}, to[RANKS] = {6, 2, 0, 4};
    /* rank 0 takes 4, 5; rank 1 keeps 6, 7; rank 3 takes 8..11 */
    assert_int_equal(hs__moved_units(RANKS, from, to), 6);
    assert_int_equal(hs__moved_units_busiest(RANKS, from, to), 4);
    assert_int_equal(hs__moved_units(RANKS, from, from), 0);
}

/* Against the owner of each unit. */
static void moved_units_one_by_one(void **state)
{
    enum { FEW = 12 };
    hs__random random = {6};
    for (int trial = 0; trial < 500; trial++) {
        int64_t count[2][RANKS], traffic[RANKS] = {0}, moved = 0, busiest = 0;
        int owner[2][FEW];
        for (int side = 0; side < 2; side++)
            for (int i = 0, u = 0; i < RANKS; i++) {
                count[side][i] = i == RANKS - 1 ? FEW - u : hs__random_below(&random, FEW - u + 1);
                for (int64_t n = 0; n < count[side][i]; n++)
                    owner[side][u++] = i;
            }
        for (int u = 0; u < FEW; u++)
            if (owner[0][u] != owner[1][u]) {
                moved++;
                traffic[owner[0][u]]++;
                traffic[owner[1][u]]++;
            }
        for (int i = 0; i < RANKS; i++)
            busiest = traffic[i] > busiest ? traffic[i] : busiest;
        assert_int_equal(hs__moved_units(RANKS, count[0], count[1]), moved);
        assert_int_equal(hs__moved_units_busiest(RANKS, count[0], count[1]), busiest);
    }
}

/* Weights that come for the first time are of other units of work: what was known of speeds and lost so far is forgotten. Later
 * ones leave both. */
static void first_weights_forget_the_speeds(void **state)
{
    static const double tenth[RANKS] = {1e-5, 2e-5, 3e-5, 4e-4}; /* but one, or it would be the work that changed */
    for (int first_time = 0; first_time < 2; first_time++) {
        cluster c = cluster_start(unequal);
        c.move_fixed = 1;
        cluster_phases(&c, 4);
        c.cycle[0] *= 1.5;
        cluster_phases(&c, 3);
        double lost = hs__decider_last(c.decider)->loss;
        assert_true(lost > 0);
        hs__decider_weigh(c.decider, first_time);
        memcpy(c.cycle, tenth, sizeof c.cycle);
        cluster_phase(&c, NULL);
        assert_int_equal(hs__decider_hurries(c.decider), !first_time);
        CHECK_CLOSE(hs__decider_cycles(c.decider)[0], first_time ? 1e-5 : 1.5e-4, 1e-12);
        assert_true(first_time ? hs__decider_last(c.decider)->loss == 0 : hs__decider_last(c.decider)->loss > lost);
        cluster_end(&c);
    }
}

/* All that the first host holds weighs nothing, so it shows no speed: it is taken to be as many times slower than guessed as the
 * others are, or all units would go there. */
static void hosts_of_weightless_units_are_guessed(void **state)
{
    static const double load[RANKS] = {0, 240, 160, 120}, cycle[RANKS] = {0, 0.2, 0.3, 0.4};
    const int64_t units[RANKS] = {480, 240, 160, 120};
    const hs__decide_phase phase = {
        .iterations = 1, .cycle = cycle, .units = units, .step = 50, .left = -1, .load = load};
    cluster c = cluster_start(unequal);
    c.slices.count = c.count;
    hs__decider_weigh(c.decider, 1);
    for (int k = 0; k < 3; k++)
        hs__decider_phase(c.decider, &phase, &hs__slices_kind, &c.slices);
    CHECK_CLOSE(hs__decider_cycles(c.decider)[0], 1000 * unequal[0], 1e-12);
    cluster_end(&c);
}

/* Ranks that were measured keep the mean of their guesses: 4 for 8, 1 and 8. Nothing is known of the last one. */
static void speeds_are_shown_in_the_unit_of_the_guess(void **state)
{
    enum { KNOWN = 3 };
    static const double load[RANKS] = {1, 1, 1, 0}, cycle[RANKS] = {1, 4, 2, 0}, scale[RANKS] = {8, 1, 8, 5};
    const int64_t units[RANKS] = {1, 1, 1, 0};
    const hs__decide_phase phase = {
        .iterations = 1, .cycle = cycle, .units = units, .step = 4, .left = -1, .load = load};
    double speed[RANKS] = {8, 1, 8, 5}, relative[RANKS] = {1, 0, 1, 5};
    cluster c = cluster_start(unequal);
    c.slices.count = c.count;
    hs__decider_speeds(c.decider, scale, speed);
    assert_true(speed[0] == 8 && speed[1] == 1 && speed[2] == 8);
    hs__decider_phase(c.decider, &phase, &hs__slices_kind, &c.slices);
    hs__decider_speeds(c.decider, scale, speed);
    for (int i = 0; i < KNOWN; i++)
        CHECK_CLOSE(speed[i], 8 / cycle[i], 1e-12);
    assert_true(speed[KNOWN] == 5);
    hs__decider_speeds(c.decider, NULL, relative);
    CHECK_CLOSE(relative[0], sqrt(2), 1e-12);
    CHECK_CLOSE(relative[2], sqrt(0.5), 1e-12);
    assert_true(relative[1] == 0 && relative[KNOWN] == 5);
    cluster_end(&c);
}

/* What drifts was a rank's seconds for a unit, and is not told of seconds for a unit of weight. */
static void first_weights_are_no_drift(void **state)
{
    static const double load[RANKS] = {4800, 240, 160, 120};
    const int64_t units[RANKS] = {480, 240, 160, 120};
    double cycle[RANKS] = {1e-4, 2e-4, 3e-4, 4e-4};
    hs__decide_phase phase = {.iterations = 1, .cycle = cycle, .units = units, .step = 0.05, .left = -1};
    cluster c = cluster_start(unequal);
    c.slices.count = c.count;
    for (int k = 0; k < 30; k++) {
        if (k == 15) {
            hs__decider_weigh(c.decider, 1);
            cycle[0] = 1e-5;
            phase.load = load;
        }
        hs__decider_phase(c.decider, &phase, &hs__slices_kind, &c.slices);
        assert_int_equal(hs__decider_last(c.decider)->drift.kind, HS__DRIFT_NONE);
    }
    cluster_end(&c);
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
        cmocka_unit_test(a_change_of_all_moves_nothing),
        cmocka_unit_test(work_that_alternates_is_no_noise),
        cmocka_unit_test(an_adversary_gains_at_most_a_factor_of_two),
        cmocka_unit_test(a_known_end_is_counted_with),
        cmocka_unit_test(idle_ranks_come_back),
        cmocka_unit_test(idle_ranks_grow_with_the_work),
        cmocka_unit_test(one_slow_host_leaves_the_idle_ones_fast),
        cmocka_unit_test(moved_units_by_hand),
        cmocka_unit_test(moved_units_one_by_one),
        cmocka_unit_test(first_weights_forget_the_speeds),
        cmocka_unit_test(hosts_of_weightless_units_are_guessed),
        cmocka_unit_test(speeds_are_shown_in_the_unit_of_the_guess),
        cmocka_unit_test(first_weights_are_no_drift),
        cmocka_unit_test(window_believes_the_second_reading),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
