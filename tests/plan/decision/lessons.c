/* SPDX-License-Identifier: BSD-3-Clause */
/* Paces that phases showed, among those that were told: worked by hand, and random ones. */
#include "plan/decision/lessons.h"
#include "tests/unit.h"
#include "util/random.h"

enum { MOST_POINTS = 4 };

static const hs_speed_point told[] = {{100, 1}, {200, 0.5}};

static void check_pace(const hs__lessons *l, double size, double expected)
{
    hs_speed_point room[MOST_POINTS + HS__MOST_LESSONS];
    hs_speed_function pace = hs__lessons_pace(l, room);
    assert_int_equal(hs_speed_check(&pace, NULL), HS_OK);
    CHECK_CLOSE(hs_speed_at(&pace, size), expected, 1e-12);
}

static void check_paces(const hs__lessons *l, const double *expected)
{
    static const double sizes[] = {50, 100, 150, 200, 300, 1000};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        check_pace(l, sizes[k], expected[k]);
}

static void worked_by_hand(void **state)
{
    hs__lessons l = {.told = {told, 2, INFINITY}};
    check_paces(&l, (double[]){1, 1, 0.75, 0.5, 0.5, 0.5});
    /* At 100 as told, at 300 half of it: at 200, halfway, three quarters of it. */
    hs__lessons_add(&l, (hs_speed_point){100, 1}, (hs_speed_point){300, 0.25});
    check_paces(&l, (double[]){1, 1, 0.6875, 0.375, 0.25, 0.25});
    /* 250 bytes take longer than 300 did: that is forgotten. */
    hs__lessons_add(&l, (hs_speed_point){100, 1}, (hs_speed_point){250, 0.2});
    assert_int_equal(l.lessons, 2);
    check_pace(&l, 250, 0.2);
    check_pace(&l, 1000, 0.2);
    check_pace(&l, 50, 1);
    /* Nearly the same size: the later one holds. */
    hs__lessons_add(&l, (hs_speed_point){100, 1}, (hs_speed_point){252, 0.4});
    assert_int_equal(l.lessons, 2);
    check_pace(&l, 252, 0.4);
}

/* Both lessons are half of what is told of their sizes: so is everything else. */
static void what_is_told_is_off_by_as_much_as_the_next_lesson(void **state)
{
    static const hs_speed_point points[] = {{100, 1}, {200, 0.5}, {400, 0.3}};
    hs__lessons l = {.told = {points, 3, INFINITY}};
    hs__lessons_add(&l, (hs_speed_point){150, 0.375}, (hs_speed_point){300, 0.2});
    check_pace(&l, 50, 0.5);
    check_pace(&l, 100, 0.5);
    check_pace(&l, 200, 0.25);
    check_pace(&l, 400, 0.15);
    check_pace(&l, 1000, 0.15);
}

/* Eight sizes, each twice the one before: 1 is a 12th of 12, 128 less than 11 times as much; of 10 it is the other way round. */
static void the_furthest_lesson_gives_way(void **state)
{
    for (int above = 0; above < 2; above++) {
        hs__lessons l = {.told = {told, 2, INFINITY}};
        for (int k = 0; k < HS__MOST_LESSONS; k += 2)
            hs__lessons_add(&l, (hs_speed_point){1 << k, 1}, (hs_speed_point){2 << k, 1});
        assert_int_equal(l.lessons, HS__MOST_LESSONS);
        for (int k = 0; k < HS__MOST_LESSONS; k++)
            assert_true(l.lesson[k].size == 1 << k);
        const hs_speed_point middle = {above ? 12 : 10, 1};
        hs__lessons_add(&l, middle, middle);
        assert_int_equal(l.lessons, HS__MOST_LESSONS);
        assert_true(l.lesson[0].size == (above ? 2 : 1));
        assert_true(l.lesson[HS__MOST_LESSONS - 1].size == (above ? 128 : 64));
    }
}

/* The last lesson always holds, all of them are a function, and there are never more than room for. */
static void the_last_lesson_holds(void **state)
{
    hs__random random = {4};
    int most = 0;
    for (int trial = 0; trial < 500; trial++) {
        hs_speed_point point[MOST_POINTS], room[MOST_POINTS + HS__MOST_LESSONS];
        hs__lessons l = {.told = {point, 1 + (int)hs__random_below(&random, MOST_POINTS), 5000}};
        double size = 10, rate = 1;
        for (int k = 0; k < l.told.points; k++) {
            size *= 1 + 5 * hs__random_unit(&random);
            rate *= 0.05 + 0.9 * hs__random_unit(&random);
            point[k] = (hs_speed_point){size, rate * size};
        }
        for (int k = 0; k < 30; k++) {
            hs_speed_function pace = hs__lessons_pace(&l, room);
            hs_speed_point was = {exp(8 * hs__random_unit(&random)), 0}, now = {exp(8 * hs__random_unit(&random)), 0};
            was.speed = hs_speed_at(&pace, was.size);
            now.speed = hs_speed_at(&pace, now.size) * exp(hs__random_unit(&random) - 0.5);
            hs__lessons_add(&l, was, now);
            pace = hs__lessons_pace(&l, room);
            assert_int_equal(hs_speed_check(&pace, NULL), HS_OK);
            assert_true(pace.points <= l.told.points + HS__MOST_LESSONS && pace.max_size == 5000);
            CHECK_CLOSE(hs_speed_at(&pace, now.size) / now.speed, 1, 1e-12);
            most = l.lessons > most ? l.lessons : most;
        }
    }
    assert_int_equal(most, HS__MOST_LESSONS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_by_hand),
        cmocka_unit_test(what_is_told_is_off_by_as_much_as_the_next_lesson),
        cmocka_unit_test(the_furthest_lesson_gives_way),
        cmocka_unit_test(the_last_lesson_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
