/* SPDX-License-Identifier: BSD-3-Clause */
/* Lasting changes of hosts and of messages, told apart. No clock; no noise but where it says so. */
#include "plan/decision/decide.h"
#include "tests/short_of_memory.h"
#include "util/random.h"

enum { RANKS = 3, ITERATIONS = 10, QUIET = 12 };

/* A program on paper: what its ranks and its messages take. */
typedef struct program {
    hs__drifts drifts;
    double cycle[RANKS], messages, noise;
    int64_t units[RANKS];
    int overlaps;
    hs__random random;
} program;

static program begin(void)
{
    program p = {.cycle = {1e-3, 2e-3, 4e-3}, .messages = 0.1, .units = {400, 200, 100}};
    assert_int_equal(hs__drifts_start(&p.drifts, RANKS), HS_OK);
    return p;
}

static hs__drift phase(program *p)
{
    double seen[RANKS], longest = 0;
    for (int i = 0; i < RANKS; i++) {
        seen[i] = p->cycle[i] * (1 + p->noise * (2 * hs__random_unit(&p->random) - 1));
        longest = p->units[i] > 0 ? fmax(longest, seen[i] * (double)p->units[i]) : longest;
    }
    double messages = p->messages * (1 + p->noise * (2 * hs__random_unit(&p->random) - 1));
    double step = p->overlaps ? fmax(longest, messages) : longest + messages;
    return hs__drifts_phase(
        &p->drifts, &(hs__decide_phase){.iterations = ITERATIONS, .cycle = seen, .units = p->units, .step = step});
}

/* So many phases in which nothing is found. */
static void quiet(program *p, int phases)
{
    for (int k = 0; k < phases; k++)
        assert_int_equal(phase(p).kind, HS__DRIFT_NONE);
}

/* A host changes now: it is found after three phases, and named. */
static void expect_host(program *p, int rank, double before, double after)
{
    quiet(p, 2);
    hs__drift drift = phase(p);
    assert_int_equal(drift.kind, HS__DRIFT_HOST);
    assert_int_equal(drift.rank, rank);
    CHECK_CLOSE(drift.before, before, 1e-12);
    CHECK_CLOSE(drift.after, after, 1e-12);
    assert_int_equal(drift.iterations, 3 * ITERATIONS);
}

static void a_level_is_left_after_three_readings(void **state)
{
    hs__level level = {0};
    hs__drift drift = {0};
    for (int k = 0; k < QUIET; k++)
        hs__level_add(&level, ITERATIONS, 1, 0.02);
    for (int k = 0; k < 3; k++) {
        assert_false(hs__level_left(&level, &drift));
        hs__level_add(&level, ITERATIONS, k == 0 ? 1.2 : 1.5, 0.02); /* the first of them began before the change */
    }
    assert_true(hs__level_left(&level, &drift));
    CHECK_CLOSE(drift.before, 1, 1e-12);
    CHECK_CLOSE(drift.after, 1.5, 1e-12);
    assert_int_equal(drift.iterations, 3 * ITERATIONS);
}

static void wild_readings_are_none(void **state)
{
    hs__level level = {0};
    hs__drift drift;
    for (int k = 0; k < 200; k++) {
        hs__level_add(&level, ITERATIONS, k > QUIET && k % 8 < 2 ? 100 : 1, 0.02);
        assert_false(hs__level_left(&level, &drift));
    }
}

/* A hundredth is within what a deviation is taken for at least. */
static void small_changes_are_none(void **state)
{
    hs__level level = {0};
    hs__drift drift;
    for (int k = 0; k < 200; k++) {
        hs__level_add(&level, ITERATIONS, k < QUIET ? 1 : 1.01, 0.02);
        assert_false(hs__level_left(&level, &drift));
    }
}

static void a_slow_host_is_a_host(void **state)
{
    for (int overlaps = 0; overlaps < 2; overlaps++)
        for (double factor = 0.25; factor < 5; factor *= 16) {
            program p = begin();
            p.overlaps = overlaps;
            p.messages = overlaps ? 0.6 : 0.1; /* what messages show changes with the host, too */
            quiet(&p, QUIET);
            p.cycle[1] *= factor;
            expect_host(&p, 1, 2e-3, factor * 2e-3);
            quiet(&p, 50);
            hs__drifts_end(&p.drifts);
        }
}

static void slow_messages_are_messages(void **state)
{
    for (int overlaps = 0; overlaps < 2; overlaps++)
        for (double factor = 0.25; factor < 5; factor *= 16) {
            program p = begin();
            p.overlaps = overlaps;
            p.messages = overlaps ? 2 : 0.1;
            double hidden = overlaps ? 0.4 : 0;
            quiet(&p, QUIET);
            p.messages *= factor;
            quiet(&p, 2);
            hs__drift drift = phase(&p);
            assert_int_equal(drift.kind, HS__DRIFT_MESSAGES);
            CHECK_CLOSE(drift.before, p.messages / factor - hidden, 1e-12);
            CHECK_CLOSE(drift.after, p.messages - hidden, 1e-12);
            assert_int_equal(drift.iterations, 3 * ITERATIONS);
            quiet(&p, 50);
            hs__drifts_end(&p.drifts);
        }
}

/* Messages that computing hides harm nobody. */
static void hidden_messages_are_none(void **state)
{
    program p = begin();
    p.overlaps = 1;
    quiet(&p, QUIET);
    p.messages *= 3;
    quiet(&p, 50);
    hs__drifts_end(&p.drifts);
}

static void more_work_is_none(void **state)
{
    program p = begin();
    quiet(&p, QUIET);
    for (int i = 0; i < RANKS; i++)
        p.cycle[i] *= 1.5;
    quiet(&p, 50);
    hs__drifts_end(&p.drifts);
}

static void two_hosts_are_told_one_by_one(void **state)
{
    program p = begin();
    quiet(&p, QUIET);
    p.cycle[0] *= 2;
    p.cycle[2] *= 3;
    quiet(&p, 2);
    assert_int_equal(phase(&p).rank, 2);
    hs__drift drift = phase(&p);
    assert_int_equal(drift.kind, HS__DRIFT_HOST);
    assert_int_equal(drift.rank, 0);
    quiet(&p, 50);
    hs__drifts_end(&p.drifts);
}

/* Other slices have other steps, and units in slices of another size other times: neither is a drift. */
static void other_slices_are_none(void **state)
{
    program p = begin();
    quiet(&p, QUIET);
    p.units[0] += 50;
    p.units[1] -= 50;
    p.messages *= 2;
    p.cycle[0] *= 1.3;
    quiet(&p, 50);
    hs__drifts_end(&p.drifts);
}

/* What is known of its noise stays, so the next change is found as soon as the first. */
static void a_host_may_change_twice(void **state)
{
    program p = begin();
    quiet(&p, QUIET);
    p.cycle[1] *= 1.2;
    expect_host(&p, 1, 2e-3, 2.4e-3);
    p.cycle[1] *= 4;
    expect_host(&p, 1, 2.4e-3, 9.6e-3);
    quiet(&p, 50);
    hs__drifts_end(&p.drifts);
}

static void a_host_may_change_after_a_move(void **state)
{
    program p = begin();
    quiet(&p, QUIET);
    p.units[0] += 50;
    p.units[1] -= 50;
    quiet(&p, 2);
    p.cycle[1] *= 4;
    expect_host(&p, 1, 2e-3, 8e-3);
    quiet(&p, 50);
    hs__drifts_end(&p.drifts);
}

/* However often units move: a new level is less sure, not less noisy. */
static void noise_after_moves_is_none(void **state)
{
    program p = begin();
    p.noise = 0.05;
    for (int k = 0; k < 2000; k++) {
        int to = k % 2 ? 20 : -20;
        p.units[0] += to;
        p.units[1] -= to;
        quiet(&p, 1 + k % 7);
    }
    hs__drifts_end(&p.drifts);
}

static void ranks_without_units_do_not_count(void **state)
{
    program p = begin();
    p.units[1] = 0;
    quiet(&p, QUIET);
    p.cycle[1] = 1e3; /* relative to its first time, whatever that is */
    quiet(&p, 50);
    p.cycle[1] = -1;
    quiet(&p, 50);
    hs__drifts_end(&p.drifts);
}

static void numbers_that_are_none(void **state)
{
    static const double odd[] = {NAN, INFINITY, -1, 0};
    program p = begin();
    for (int k = 0; k < 100; k++)
        for (int o = 0; o < 4; o++) {
            double cycle[RANKS] = {odd[o], odd[(o + k) % 4], odd[(o + 1) % 4]};
            const hs__decide_phase phase = {
                .iterations = ITERATIONS, .cycle = cycle, .units = p.units, .step = odd[(o + k / 4) % 4]};
            assert_int_equal(hs__drifts_phase(&p.drifts, &phase).kind, HS__DRIFT_NONE);
        }
    hs__drifts_end(&p.drifts);
}

static void noise_is_none(void **state)
{
    program p = begin();
    p.noise = 0.08;
    quiet(&p, 20000);
    hs__drifts_end(&p.drifts);
}

/* Faster is as much of a change as slower, and hosts that change in opposite directions are no change of the work. */
static void the_greatest_change_is_told_first(void **state)
{
    program p = begin();
    quiet(&p, QUIET);
    p.cycle[0] *= 2;
    p.cycle[1] *= 2;
    p.cycle[2] *= 0.25;
    quiet(&p, 2);
    for (int k = 0; k < RANKS; k++) {
        hs__drift drift = phase(&p);
        assert_int_equal(drift.kind, HS__DRIFT_HOST);
        assert_int_equal(drift.rank, k == 0 ? 2 : k - 1);
    }
    quiet(&p, 50);
    hs__drifts_end(&p.drifts);
}

static void a_host_alone_is_a_host(void **state)
{
    program p = begin();
    p.units[0] = p.units[1] = 0;
    quiet(&p, QUIET);
    p.cycle[2] *= 2;
    quiet(&p, 2);
    hs__drift drift = phase(&p);
    assert_int_equal(drift.kind, HS__DRIFT_HOST);
    assert_int_equal(drift.rank, 2);
    hs__drifts_end(&p.drifts);
}

/* Units move because of the change that is not yet told. */
static void a_suspicion_outlives_a_move(void **state)
{
    program p = begin();
    quiet(&p, QUIET);
    p.cycle[1] *= 3;
    quiet(&p, 2);
    p.units[1] -= 50;
    p.units[2] += 50;
    hs__drift drift = phase(&p);
    assert_int_equal(drift.kind, HS__DRIFT_HOST);
    assert_int_equal(drift.rank, 1);
    CHECK_CLOSE(drift.after, 6e-3, 1e-12);
    hs__drifts_end(&p.drifts);
}

/* One phase alone is no suspicion: what comes after a move is another level. */
static void one_phase_does_not_outlive_a_move(void **state)
{
    program p = begin();
    quiet(&p, QUIET);
    p.cycle[1] *= 3;
    quiet(&p, 1);
    p.units[1] -= 50;
    p.units[2] += 50;
    quiet(&p, 50);
    hs__drifts_end(&p.drifts);
}

/* Messages are measured by what bandwidths promise: the rank with the longest computation, or the longest messages, need not be
 * the one on which the step depends. Weights count in place of units. */
static void promises_tell_what_messages_take(void **state)
{
    static const double cycle[RANKS] = {1e-3, 2e-3, 4e-3}, load[RANKS] = {400, 200, 100};
    static const int64_t units[RANKS] = {4, 2, 1};
    static const struct {
        double comm[RANKS], before, after;
    } rows[] = {
        {{0.1, 0.2, 0.3}, 0.4, 0.8},    /* 2 and 4 times 0.3 s, or 0.2 s in the mean */
        {{0.1, 0.2, 0}, 0.45, 0.9},     /* 3 and 6 times 0.2 s, or 0.15 s in the mean */
        {{0.6, INFINITY, 0}, 0.6, 1.2}, /* the others' are not known */
        {{0, INFINITY, 0}, 0.6, 1.2},   /* nobody's are */
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        hs__drifts drifts;
        hs__drift drift = {.kind = HS__DRIFT_NONE};
        assert_int_equal(hs__drifts_start(&drifts, RANKS), HS_OK);
        for (int k = 0; k < QUIET + 3; k++) {
            assert_int_equal(drift.kind, HS__DRIFT_NONE);
            drift = hs__drifts_phase(&drifts, &(hs__decide_phase){.iterations = ITERATIONS,
                                                                  .cycle = cycle,
                                                                  .units = units,
                                                                  .step = k < QUIET ? 1 : 1.6,
                                                                  .load = load,
                                                                  .comm = rows[r].comm});
        }
        assert_int_equal(drift.kind, HS__DRIFT_MESSAGES);
        CHECK_CLOSE(drift.before, rows[r].before, 1e-12);
        CHECK_CLOSE(drift.after, rows[r].after, 1e-12);
        assert_int_equal(drift.iterations, 3 * ITERATIONS);
        hs__drifts_end(&drifts);
    }
}

/* Other promises forget the messages and not the hosts, other units of work forget all. */
static void what_is_not_comparable_is_forgotten(void **state)
{
    program p = begin();
    quiet(&p, QUIET);
    p.messages *= 3;
    hs__drifts_replan(&p.drifts);
    quiet(&p, 4);
    p.cycle[1] *= 3;
    quiet(&p, 2);
    assert_int_equal(phase(&p).kind, HS__DRIFT_HOST);
    quiet(&p, 2 * QUIET);
    p.cycle[1] *= 3;
    p.messages *= 3;
    hs__drifts_forget(&p.drifts);
    quiet(&p, 50);
    hs__drifts_end(&p.drifts);
}

/* After other promises a change of messages is found, and measured, as after the start. */
static void messages_may_change_after_other_promises(void **state)
{
    program p = begin();
    quiet(&p, QUIET);
    p.messages *= 3;
    hs__drifts_replan(&p.drifts);
    quiet(&p, QUIET);
    p.messages *= 2;
    quiet(&p, 2);
    hs__drift drift = phase(&p);
    assert_int_equal(drift.kind, HS__DRIFT_MESSAGES);
    CHECK_CLOSE(drift.before, 0.3, 1e-12);
    CHECK_CLOSE(drift.after, 0.6, 1e-12);
    hs__drifts_end(&p.drifts);
}

/* Readings of 0.9 and 1.1 in turn: half the mean square of 0.2. A jump counts as four deviations. */
static void noise_is_what_neighbours_differ_by(void **state)
{
    hs__level level = {0};
    for (int k = 0; k < 8; k++)
        hs__level_add(&level, ITERATIONS, k % 2 ? 1.1 : 0.9, 1e-3);
    CHECK_CLOSE(level.mean, 1, 1e-12);
    CHECK_CLOSE(level.variance, 0.02, 1e-12);
    assert_int_equal(level.differences, 7);
    hs__level_add(&level, ITERATIONS, 100, 1e-3);
    CHECK_CLOSE(level.variance, 0.02 + (16 * 0.02 - 0.02) / 8, 1e-12);
}

/* A creep is followed by a mean of the last readings, however many there were. */
static void a_creep_is_none(void **state)
{
    hs__level level = {0};
    hs__drift drift;
    double reading = 1;
    for (int k = 0; k < 20000; k++, reading *= 1 + 2e-4) {
        hs__level_add(&level, ITERATIONS, reading, 0.02 * reading);
        assert_false(hs__level_left(&level, &drift));
    }
    CHECK_CLOSE(level.mean / reading, 1 - 64 * 2e-4, 1e-3);
}

static hs_status start(const void *nothing)
{
    hs__drifts drifts;
    hs_status status = hs__drifts_start(&drifts, RANKS);
    if (status == HS_OK)
        hs__drifts_end(&drifts);
    return status;
}

static void without_memory(void **state)
{
    assert_true(fail_each_allocation(start, NULL) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_level_is_left_after_three_readings),
        cmocka_unit_test(wild_readings_are_none),
        cmocka_unit_test(small_changes_are_none),
        cmocka_unit_test(a_slow_host_is_a_host),
        cmocka_unit_test(slow_messages_are_messages),
        cmocka_unit_test(hidden_messages_are_none),
        cmocka_unit_test(more_work_is_none),
        cmocka_unit_test(two_hosts_are_told_one_by_one),
        cmocka_unit_test(other_slices_are_none),
        cmocka_unit_test(a_host_may_change_twice),
        cmocka_unit_test(a_host_may_change_after_a_move),
        cmocka_unit_test(noise_after_moves_is_none),
        cmocka_unit_test(ranks_without_units_do_not_count),
        cmocka_unit_test(numbers_that_are_none),
        cmocka_unit_test(noise_is_none),
        cmocka_unit_test(the_greatest_change_is_told_first),
        cmocka_unit_test(a_host_alone_is_a_host),
        cmocka_unit_test(a_suspicion_outlives_a_move),
        cmocka_unit_test(one_phase_does_not_outlive_a_move),
        cmocka_unit_test(promises_tell_what_messages_take),
        cmocka_unit_test(what_is_not_comparable_is_forgotten),
        cmocka_unit_test(messages_may_change_after_other_promises),
        cmocka_unit_test(noise_is_what_neighbours_differ_by),
        cmocka_unit_test(a_creep_is_none),
        cmocka_unit_test(without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
