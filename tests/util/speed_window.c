/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/speed_window.h"
#include "tests/unit.h"
#include <math.h>

static hs__speed_window steady(int readings)
{
    hs__speed_window w = {0};
    for (int i = 0; i < readings; i++)
        assert_int_equal(hs__speed_window_add(&w, 1), 0);
    return w;
}

/* Differences .02 .04 .02 .03; their median over .954 is the deviation of a reading. */
static void the_error_is_worked_by_hand(void **state)
{
    static const double reading[] = {1, 1.02, 0.98, 1, 1.03};
    hs__speed_window w = {0};
    assert_true(hs__speed_window_error(&w) == 1);
    hs__speed_window_add(&w, reading[0]);
    assert_true(hs__speed_window_error(&w) == 1);
    hs__speed_window_add(&w, reading[1]);
    assert_true(hs__speed_window_error(&w) == 0); /* one difference tells no noise */
    hs__speed_window_add(&w, reading[2]);
    CHECK_CLOSE(hs__speed_window_error(&w), .03 / .954 / sqrt(3), 1e-12);
    assert_int_equal(hs__speed_window_add(&w, reading[3]), 0);
    CHECK_CLOSE(w.mean, 1, 1e-12);
    CHECK_CLOSE(hs__speed_window_error(&w), .02 / .954 / 2, 1e-12);
    hs__speed_window_add(&w, reading[4]);
    CHECK_CLOSE(w.mean, 1.006, 1e-12);
    CHECK_CLOSE(hs__speed_window_error(&w), .025 / .954 / 1.006 / sqrt(5), 1e-12);
}

static void one_jump_is_no_change(void **state)
{
    hs__speed_window w = steady(8);
    assert_int_equal(hs__speed_window_add(&w, 2), 0);
    assert_true(w.suspect == 2 && w.mean == 1);
    assert_int_equal(hs__speed_window_add(&w, 1), 0);
    assert_true(w.suspect == 0 && w.mean == 1 && w.readings == 9);
}

static void two_in_a_row_are_one(void **state)
{
    hs__speed_window w = steady(8);
    hs__speed_window_add(&w, 2);
    assert_int_equal(hs__speed_window_add(&w, 2.1), 1);
    CHECK_CLOSE(w.mean, 2.05, 1e-12);
    assert_true(w.readings == 2 && w.suspect == 0);
}

/* The change came in the middle of the first one's phase. */
static void the_second_tells_the_new_level(void **state)
{
    hs__speed_window w = steady(8);
    hs__speed_window_add(&w, 1.5);
    assert_int_equal(hs__speed_window_add(&w, 2), 1);
    assert_true(w.mean == 2);
}

static void a_jump_back_confirms_nothing(void **state)
{
    hs__speed_window w = steady(8);
    hs__speed_window_add(&w, 2);
    assert_int_equal(hs__speed_window_add(&w, 0.5), 0);
    assert_true(w.suspect == 0.5 && w.mean == 1);
    assert_int_equal(hs__speed_window_add(&w, 0.5), 1);
    assert_true(w.mean == 0.5);
}

static void old_readings_fade(void **state)
{
    hs__speed_window w = steady(100);
    assert_int_equal(w.readings, 64);
    hs__speed_window_add(&w, 1.05);
    CHECK_CLOSE(w.mean, 1 + 0.05 / 64, 1e-12);
}

/* Iterations that compute in one of their parts only. */
static void readings_of_nothing_have_no_endless_error(void **state)
{
    static const double reading[] = {0, 1, 0, 1, 0};
    hs__speed_window w = {0};
    for (size_t i = 0; i < sizeof reading / sizeof *reading; i++)
        hs__speed_window_add(&w, reading[i]);
    assert_true(w.mean == 0 && w.stepped == 2);
    assert_true(hs__speed_window_error(&w) == 0);
}

/* Three times the work: all that is known is as if readings had always been three times as long. */
static void another_unit_of_work_changes_nothing(void **state)
{
    static const double reading[] = {1, 1.02, 0.98, 1, 1.03, 2};
    hs__speed_window w = {0}, scaled = {0};
    for (size_t i = 0; i < sizeof reading / sizeof *reading; i++) {
        hs__speed_window_add(&w, reading[i]);
        hs__speed_window_add(&scaled, 3 * reading[i]);
    }
    hs__speed_window_scale(&w, 3);
    CHECK_CLOSE(w.mean, scaled.mean, 1e-12);
    CHECK_CLOSE(w.suspect, scaled.suspect, 1e-12);
    CHECK_CLOSE(w.last, scaled.last, 1e-12);
    CHECK_CLOSE(hs__speed_window_error(&w), hs__speed_window_error(&scaled), 1e-12);
    assert_int_equal(hs__speed_window_add(&w, 6), 1);
    CHECK_CLOSE(w.mean, 6, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_error_is_worked_by_hand),
        cmocka_unit_test(one_jump_is_no_change),
        cmocka_unit_test(two_in_a_row_are_one),
        cmocka_unit_test(the_second_tells_the_new_level),
        cmocka_unit_test(a_jump_back_confirms_nothing),
        cmocka_unit_test(old_readings_fade),
        cmocka_unit_test(readings_of_nothing_have_no_endless_error),
        cmocka_unit_test(another_unit_of_work_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
