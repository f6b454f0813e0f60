/* SPDX-License-Identifier: BSD-3-Clause */
/* Speed functions: rows worked out by hand, and what must hold of random ones. */
#include "util/speed.h"
#include "tests/unit.h"
#include "util/random.h"

/* In cache 4, falling to 2 at 300 bytes; 2 beyond. */
static const hs_speed_point falling[] = {{100, 4}, {300, 2}};
static const hs_speed_function cached = {falling, 2, INFINITY};

static void by_hand(void **state)
{
    assert_int_equal(hs_speed_check(&cached, NULL), HS_OK);
    CHECK_CLOSE(hs_speed_at(&cached, 0), 4, 0);
    CHECK_CLOSE(hs_speed_at(&cached, 50), 4, 0);
    CHECK_CLOSE(hs_speed_at(&cached, 100), 4, 0);
    CHECK_CLOSE(hs_speed_at(&cached, 200), 3, 1e-14);
    CHECK_CLOSE(hs_speed_at(&cached, 300), 2, 1e-14);
    CHECK_CLOSE(hs_speed_at(&cached, 1000), 2, 0);
    CHECK_CLOSE(hs__speed_time(&cached, 6, 200), 400, 1e-14); /* 6 work units a byte */
    CHECK_CLOSE(hs__speed_size(&cached, 6, 400), 200, 1e-13);
    CHECK_CLOSE(hs__speed_size(&cached, 6, 75), 50, 1e-14);
    CHECK_CLOSE(hs__speed_size(&cached, 6, 3000), 1000, 1e-14);
    CHECK_CLOSE(hs__speed_size(&(hs_speed_function){falling, 2, 150}, 6, 3000), 150, 0);
    CHECK_CLOSE(hs__speed_time(&cached, 6, 0), 0, 0);
    CHECK_CLOSE(hs__speed_size(&cached, 6, 0), 0, 0);
}

static void nothing_known(void **state)
{
    hs_speed_function none = {NULL, 0, INFINITY};
    assert_int_equal(hs_speed_check(&none, NULL), HS_OK);
    CHECK_CLOSE(hs_speed_at(&none, 5), 0, 0);
    assert_true(isinf(hs__speed_time(&none, 1, 5)));
    CHECK_CLOSE(hs__speed_size(&none, 1, 5), 0, 0);
}

static void peaks(void **state)
{
    static const hs_speed_point hill[] = {{100, 1}, {300, 2}, {500, 1.5}};
    hs_speed_function f = {hill, 3, INFINITY};
    CHECK_CLOSE(hs__speed_peak(&f, 50), 1, 0);
    CHECK_CLOSE(hs__speed_peak(&f, 200), 1.5, 1e-14);
    CHECK_CLOSE(hs__speed_peak(&f, 1000), 2, 0);
    f.max_size = 200;
    CHECK_CLOSE(hs__speed_peak(&f, 1000), 1.5, 1e-14);
}

/* Bytes become bits, and speeds are halved; a limit is a size, too. */
static void in_other_units(void **state)
{
    hs_speed_point point[2];
    hs_speed_function limited = {falling, 2, 500}, f = hs__speed_scaled(&limited, 8, 0.5, point);
    assert_int_equal(f.points, 2);
    assert_true(f.point == point && f.max_size == 4000);
    assert_true(point[0].size == 800 && point[0].speed == 2 && point[1].size == 2400 && point[1].speed == 1);
    assert_true(isinf(hs__speed_scaled(&cached, 8, 0.5, point).max_size));
}

/* Sizes that differ by so little are one in other units: the point is left out, and what remains is a function. */
static void a_point_that_rounding_moves_is_left_out(void **state)
{
    hs__random random = {5};
    int left_out = 0;
    for (int trial = 0; trial < 200; trial++) {
        double size = 1 + hs__random_unit(&random), speed = 1 + hs__random_unit(&random);
        const hs_speed_point near[] = {{size, speed}, {nextafter(size, INFINITY), speed}, {2 * size, speed}};
        hs_speed_function f = {near, 3, INFINITY};
        hs_speed_point point[3];
        if (hs_speed_check(&f, NULL) != HS_OK)
            continue;
        hs_speed_function scaled = hs__speed_scaled(&f, 0.1 + hs__random_unit(&random), 1 / 3.0, point);
        assert_int_equal(hs_speed_check(&scaled, NULL), HS_OK);
        assert_in_range(scaled.points, 2, 3);
        left_out += scaled.points == 2;
    }
    assert_true(left_out > 0);
}

static void refused(void **state)
{
    static const struct {
        hs_speed_point point[2];
        double max_size;
        const char *text;
    } rows[] = {
        {{{0, 1}, {2, 1}}, 9, "point 1 of a speed function is out of range: 0 bytes at 1"},
        {{{1, 1}, {2, -1}}, 9, "point 2 of a speed function is out of range: 2 bytes at -1"},
        {{{1, NAN}, {2, 1}}, 9, "point 1 of a speed function is out of range: 1 bytes at nan"},
        {{{2, 1}, {2, 1}}, 9, "sizes must rise, but 2 bytes follow 2"},
        {{{1, 1}, {2, 2}},
         9,
         "a slice of 2 bytes would take no longer than one of 1: speeds must rise less than sizes"},
        {{{1, 1}, {2, 1}}, 0, "a speed function without points or without a positive limit"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hs_error error;
        assert_int_equal(hs_speed_check(&(hs_speed_function){rows[i].point, 2, rows[i].max_size}, &error), HS_ERR_ARG);
        CHECK_ERROR(&error, 0, rows[i].text);
    }
    const hs_speed_function fewer_than_none = {falling, -1, 9}, nowhere = {NULL, 2, 9};
    const hs_speed_function *none[] = {NULL, &fewer_than_none, &nowhere};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        hs_error error;
        assert_int_equal(hs_speed_check(none[i], &error), HS_ERR_ARG);
        CHECK_ERROR(&error, 0, "a speed function without points or without a positive limit");
    }
}

/* Points whose times rise: by a factor of 1.0001 to 3 from one to the next. */
static int random_points(hs__random *random, hs_speed_point *point)
{
    int points = 1 + (int)hs__random_below(random, 6);
    double size = 1 + (double)hs__random_below(random, 100), time = 1;
    for (int i = 0; i < points; i++) {
        point[i] = (hs_speed_point){size, size / time};
        size *= 1.001 + 0.01 * (double)hs__random_below(random, 1000);
        time *= 1.0001 + 0.01 * (double)hs__random_below(random, 200);
    }
    return points;
}

static void larger_slices_take_longer(void **state)
{
    hs__random random = {7};
    for (int trial = 0; trial < 500; trial++) {
        hs_speed_point point[6];
        hs_speed_function f = {point, random_points(&random, point), INFINITY};
        assert_int_equal(hs_speed_check(&f, NULL), HS_OK);
        for (int i = 0; i < f.points; i++)
            CHECK_CLOSE(hs_speed_at(&f, point[i].size), point[i].speed, 1e-12);
        double size = point[0].size / 2, time = 0;
        while (size < 4 * point[f.points - 1].size) { /* neighbours, and larger steps */
            double next = hs__speed_time(&f, 3, size);
            assert_true(next >= time);
            CHECK_CLOSE(hs__speed_size(&f, 3, next), size, 1e-9);
            assert_true(hs_speed_at(&f, size) <= hs__speed_peak(&f, size) * (1 + 1e-12));
            time = next;
            size = hs__random_below(&random, 2) ? nextafter(size, INFINITY) : size * 1.01;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(nothing_known),
        cmocka_unit_test(peaks),
        cmocka_unit_test(in_other_units),
        cmocka_unit_test(a_point_that_rounding_moves_is_left_out),
        cmocka_unit_test(refused),
        cmocka_unit_test(larger_slices_take_longer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
