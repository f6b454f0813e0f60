/* SPDX-License-Identifier: BSD-3-Clause */
/* How long phases are, by hand: 0.25 % of a phase may be overhead, and a phase takes 0.2 to 3.2 s. */
#include "runtime/balance/length.h"
#include "tests/unit.h"

static void overhead_sets_the_length(void **state)
{
    (void)state;
    static const struct {
        double step, overhead;
        int64_t iterations; /* of the phase before */
        int64_t length;
        int calibrating;
    } rows[] = {
        {0.01, 1e-6, 100, 20, 0},    /* what costs next to nothing: the shortest phase, 0.2 s */
        {0.01, 0.0025, 100, 100, 0}, /* 1 s */
        {0.01, 1, 100, 320, 0},      /* 400 s would be wanted: 16 times the shortest */
        {0.03, 1e-6, 100, 7, 0},     /* 6.7: rounded up */
        {5, 1e-6, 100, 1, 0},        /* a step is longer than a phase */
        {0, 1e-6, 100, 1, 0},        /* no rank had time to tell */
        {1e-3, 1e-6, 1, 16,
         1}, /* 200, and at most 16 times the one before: that one only shows how long one should be */
        {1e-3, 1e-6, 13, 200, 0}, /* 208 would be allowed */
        {1e-12, 1e-6, 1000000000, 1000000000, 1},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        hs__phase_length length = {0};
        int64_t next = hs__phase_length_next(&length, rows[k].step, rows[k].overhead, rows[k].iterations, 0);
        if (next != rows[k].length || length.calibrating != rows[k].calibrating)
            fail_msg("row %zu: %lld iterations, calibrating %d", k, (long long)next, length.calibrating);
    }
}

static void one_long_wait_makes_no_phase_long(void **state)
{
    (void)state;
    hs__phase_length length = {0};
    assert_int_equal(hs__phase_length_next(&length, 0.01, 0.001, 1000, 0), 40);
    /* A wait of a second counts as twice what phases cost, and for a quarter of that: 1.25 ms. */
    assert_int_equal(hs__phase_length_next(&length, 0.01, 1, 1000, 0), 50);
    assert_true(fabs(length.overhead_s - 1.25e-3) < 1e-12 && fabs(length.seconds - 0.5) < 1e-9);
    /* Nothing: three quarters are left. */
    (void)hs__phase_length_next(&length, 0.01, 0, 1000, 0);
    assert_true(fabs(length.overhead_s - 0.9375e-3) < 1e-12);
}

static void a_suspicion_is_confirmed_soon(void **state)
{
    (void)state;
    hs__phase_length length = {0};
    assert_int_equal(hs__phase_length_next(&length, 0.01, 1, 1000, 1), 5);
    assert_int_equal(hs__phase_length_next(&length, 0.01, 1, 1000, 0), 320);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overhead_sets_the_length),
        cmocka_unit_test(one_long_wait_makes_no_phase_long),
        cmocka_unit_test(a_suspicion_is_confirmed_soon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
