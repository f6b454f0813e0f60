/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/decision/speeds.h"
#include "tests/unit.h"
#include "util/random.h"
#include <string.h>

enum { RANKS = 4 };
static const double first[RANKS] = {4e9, 2e9, 1e9, 1e9};

/* A program on paper: true speeds, and how long a phase of it computes on equal hosts of speed 1. */
typedef struct program {
    hs__speeds *speeds;
    double speed[RANKS], seconds, noise;
    hs__random random;
} program;

static program start(const double *guess)
{
    program p = {.speed = {4, 2, 1, 1}, .seconds = 10, .random = {7}};
    assert_int_equal(hs__speeds_create(RANKS, guess, &p.speeds), HS_OK);
    return p;
}

/* A phase with the parts of the present targets. @return whether targets have changed */
static int run_phase(program *p)
{
    double share[RANKS], seconds[RANKS], sum = 0;
    for (int i = 0; i < RANKS; i++)
        sum += hs__speeds_now(p->speeds)[i];
    for (int i = 0; i < RANKS; i++) {
        share[i] = hs__speeds_now(p->speeds)[i] / sum;
        seconds[i] = p->seconds * share[i] / p->speed[i] * (1 + p->noise * (2 * hs__random_unit(&p->random) - 1));
    }
    hs_status status = hs__speeds_phase(p->speeds, share, seconds);
    assert_true(status == HS_OK || status == HS_UNCHANGED);
    return status == HS_OK;
}

static int run_phases(program *p, int n)
{
    int changes = 0;
    for (int k = 0; k < n; k++)
        changes += run_phase(p);
    return changes;
}

static void shares_are(const program *p, const double *speed, double tolerance)
{
    const double *now = hs__speeds_now(p->speeds);
    double sum = 0, whole = 0;
    for (int i = 0; i < RANKS; i++) {
        sum += now[i];
        whole += speed[i];
    }
    for (int i = 0; i < RANKS; i++)
        CHECK_CLOSE(now[i] / sum, speed[i] / whole, tolerance);
}

static void noise_moves_nothing(void **state)
{
    (void)state;
    for (int seed = 1; seed <= 100; seed++) {
        program p = start(first);
        p.random = (hs__random){(uint64_t)seed};
        p.noise = 0.03;
        assert_int_equal(run_phases(&p, 30), 0);
        assert_memory_equal(hs__speeds_now(p.speeds), first, sizeof first);
        hs__speeds_free(p.speeds);
    }
}

static void a_slower_rank_gets_less(void **state)
{
    program p = start(first);
    (void)state;
    assert_int_equal(run_phases(&p, 5), 0);
    p.speed[0] = 2;
    assert_int_equal(run_phase(&p), 0); /* a burst of one phase changes nothing */
    assert_int_equal(run_phase(&p), 1);
    shares_are(&p, (double[]){2, 2, 1, 1}, 1e-9);
    assert_int_equal(run_phases(&p, 10), 0);
    p.speed[0] = 4;
    assert_int_equal(run_phases(&p, 3), 1);
    shares_are(&p, (double[]){4, 2, 1, 1}, 1e-9);
    hs__speeds_free(p.speeds);
}

static void one_long_phase_changes_nothing(void **state)
{
    program p = start(first);
    (void)state;
    run_phases(&p, 5);
    p.speed[1] = 0.2;
    assert_int_equal(run_phase(&p), 0);
    p.speed[1] = 2;
    assert_int_equal(run_phases(&p, 10), 0);
    hs__speeds_free(p.speeds);
}

static void wrong_first_guesses_are_mended(void **state)
{
    program p = start((double[]){1, 1, 1, 1});
    (void)state;
    p.noise = 0.01;
    assert_int_equal(run_phases(&p, 3), 1);
    shares_are(&p, p.speed, 0.02);
    hs__speeds_free(p.speeds);
}

/* Other targets cost a fifth of a phase: they come once 7 % a phase, lost in the phase that was only suspected, the next one and
 * a third, are that much. */
static void small_gains_wait_until_they_pay(void **state)
{
    program p = start(first);
    (void)state;
    assert_int_equal(run_phases(&p, 5), 0);
    p.speed[0] = 4 / 1.15;
    assert_int_equal(run_phases(&p, 2), 0);
    assert_int_equal(run_phase(&p), 1);
    shares_are(&p, p.speed, 1e-9);
    hs__speeds_free(p.speeds);
}

/* Phases of 0.2 s of the busiest rank are long enough; half as long ones count two by two. */
static void short_phases_count_together(void **state)
{
    const double share[RANKS] = {1, 1, 1, 1}, once[RANKS] = {0.2, 0.1, 0.1, 0.1}, half[RANKS] = {0.1, 0.05, 0.05, 0.05};
    for (int halves = 0; halves < 2; halves++) {
        hs__speeds *s;
        int phases = 1;
        assert_int_equal(hs__speeds_create(RANKS, (double[]){1, 1, 1, 1}, &s), HS_OK);
        while (phases < 100 && hs__speeds_phase(s, share, halves ? half : once) != HS_OK)
            phases++;
        assert_int_equal(phases, halves ? 6 : 3);
        CHECK_CLOSE(hs__speeds_now(s)[1] / hs__speeds_now(s)[0], 2, 1e-9);
        hs__speeds_free(s);
    }
}

/* A program that does more between some calls than between others has no slower ranks. */
static void lengths_of_phases_do_not_matter(void **state)
{
    program p = start(first);
    (void)state;
    for (int k = 0; k < 20; k++) {
        p.seconds = k % 3 + 5;
        assert_int_equal(run_phase(&p), 0);
    }
    p.seconds = 0.04; /* 5 ms of each rank: together with the next ones */
    p.speed[0] = 2;
    assert_int_equal(run_phases(&p, 10), 0);
    assert_true(run_phases(&p, 60) >= 1);
    shares_are(&p, (double[]){2, 2, 1, 1}, 0.01);
    hs__speeds_free(p.speeds);
}

static void ranks_without_units_stay_as_guessed(void **state)
{
    const double guess[RANKS] = {4, 2, 1, 0}, share[RANKS] = {0.5, 0.5, 0, 0.01}, seconds[RANKS] = {5, 5, 0, 9};
    hs__speeds *s;
    (void)state;
    assert_int_equal(hs__speeds_create(RANKS, guess, &s), HS_OK);
    for (int k = 0; k < 5; k++)
        hs__speeds_phase(s, share, seconds);
    CHECK_CLOSE(hs__speeds_now(s)[0] / hs__speeds_now(s)[1], 1, 1e-9);
    CHECK_CLOSE(hs__speeds_now(s)[2], 1, 1e-9);
    assert_true(hs__speeds_now(s)[3] == 0);
    hs__speeds_free(s);
}

/* What no rank escapes is the work, which idle ranks would meet, too: they keep their place. */
static void work_that_changes_everywhere_changes_nothing(void **state)
{
    const double share[RANKS] = {4, 2, 1, 0};
    double seconds[RANKS] = {5, 5, 5, 0};
    hs__speeds *s;
    (void)state;
    assert_int_equal(hs__speeds_create(RANKS, first, &s), HS_OK);
    for (int phase = 0; phase < 20; phase++) {
        for (int i = 0; i < RANKS - 1; i++)
            seconds[i] = phase < 10 ? 5 : 500;
        assert_int_equal(hs__speeds_phase(s, share, seconds), HS_UNCHANGED);
    }
    assert_memory_equal(hs__speeds_now(s), first, sizeof first);
    hs__speeds_free(s);
}

static void phases_that_tell_nothing(void **state)
{
    const double none[RANKS] = {0}, one[RANKS] = {1, 0, 0, 0}, all[RANKS] = {1, 1, 1, 1};
    hs__speeds *s;
    (void)state;
    assert_int_equal(hs__speeds_create(RANKS, first, &s), HS_OK);
    for (int k = 0; k < 5; k++) {
        assert_int_equal(hs__speeds_phase(s, none, all), HS_UNCHANGED);
        assert_int_equal(hs__speeds_phase(s, all, none), HS_UNCHANGED);
        assert_int_equal(hs__speeds_phase(s, one, one), HS_UNCHANGED);
    }
    assert_memory_equal(hs__speeds_now(s), first, sizeof first);
    hs__speeds_free(s);
    hs__speeds_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_moves_nothing),
        cmocka_unit_test(a_slower_rank_gets_less),
        cmocka_unit_test(one_long_phase_changes_nothing),
        cmocka_unit_test(wrong_first_guesses_are_mended),
        cmocka_unit_test(small_gains_wait_until_they_pay),
        cmocka_unit_test(short_phases_count_together),
        cmocka_unit_test(lengths_of_phases_do_not_matter),
        cmocka_unit_test(ranks_without_units_stay_as_guessed),
        cmocka_unit_test(work_that_changes_everywhere_changes_nothing),
        cmocka_unit_test(phases_that_tell_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
