/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/probe/stats.h"
#include "tests/unit.h"
#include "util/random.h"

static hs__samples samples_of(const double *values, int n)
{
    hs__samples samples = {0};
    for (int k = 0; k < n; k++)
        hs__samples_add(&samples, values[k]);
    return samples;
}

static void medians_of_known_readings(void **state)
{
    static const struct {
        double value[9];
        int n;
        double median;
    } rows[] = {
        {{0}, 0, 0},
        {{5}, 1, 5},
        {{5, 1}, 2, 3},
        {{5, 1, 4}, 3, 4},
        {{5, 1, 4, 2}, 4, 3},
        {{1e300, 1, 2, 3, -7, 2, 2}, 7, 2},
        {{100, 100, 1, 2, 3, 4, 5, 6, 7}, 9, 4}, /* only the last seven count */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hs__samples samples = samples_of(rows[i].value, rows[i].n);
        CHECK_CLOSE(hs__samples_median(&samples), rows[i].median, 0);
        assert_int_equal(hs__samples_kept(&samples), rows[i].n < 7 ? rows[i].n : 7);
    }
    hs__samples a = samples_of((double[]){1, 9}, 2), b = samples_of((double[]){4}, 1), none = {0};
    CHECK_CLOSE(hs__samples_upper_median(&a, &b), 4, 0);
    CHECK_CLOSE(hs__samples_upper_median(&a, NULL), 9, 0);
    CHECK_CLOSE(hs__samples_upper_median(&none, &none), 0, 0);
}

/* Sizes with one reading each: {size, speed}. */
static void speeds_never_rise_with_the_size(void **state)
{
    static const struct {
        hs_speed_point read[4];
        int n;
        hs_speed_point left[4];
        int points;
    } rows[] = {
        {{{9, 5}}, 1, {{9, 5}}, 1},
        {{{4, 1}, {1, 8}, {2, 3}}, 3, {{1, 8}, {2, 3}, {4, 1}}, 3},
        {{{1, 2}, {2, 4}, {4, 1}}, 3, {{1, 3}, {2, 3}, {4, 1}}, 3},
        {{{1, 4}, {2, 5}, {4, 9}, {8, 6}}, 4, {{1, 6}, {8, 6}}, 2},
        {{{1, 4}, {2, 4}, {3, 4}, {4, 2}}, 4, {{1, 4}, {3, 4}, {4, 2}}, 3},
        {{{5, 3}, {5, 2}, {1, 5}}, 3, {{1, 5}, {5, 2.5}}, 2},
        {{{5, 6}, {5, 2}, {1, 5}}, 3, {{1, 13 / 3.0}, {5, 13 / 3.0}}, 2},
        {{{5, 6}, {5, 2}, {1, 3}}, 3, {{1, 11 / 3.0}, {5, 11 / 3.0}}, 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hs__sized_speed sized[4];
        hs_speed_point point[4];
        for (int k = 0; k < rows[i].n; k++) {
            const hs_speed_point *read = &rows[i].read[k];
            sized[k] = (hs__sized_speed){read->size, read->speed, read->speed, read->speed};
        }
        assert_int_equal(hs__speeds_falling(sized, rows[i].n, point), rows[i].points);
        for (int k = 0; k < rows[i].points; k++) {
            CHECK_CLOSE(point[k].size, rows[i].left[k].size, 0);
            CHECK_CLOSE(point[k].speed, rows[i].left[k].speed, 1e-15);
        }
    }
}

/* A size is slower only when none of its readings is as fast as one of a smaller size. */
static void speeds_whose_readings_overlap_are_one(void **state)
{
    static const struct {
        hs__sized_speed sized[3];
        hs_speed_point left[3];
        int points;
    } rows[] = {
        {{{1, 8, 9, 10}, {2, 6, 7, 7.9}, {4, 3, 5, 5.9}}, {{1, 9}, {2, 7}, {4, 5}}, 3},
        {{{1, 8, 9, 10}, {2, 5, 7, 8}, {4, 3, 4, 4.9}}, {{1, 8}, {2, 8}, {4, 4}}, 3},
        {{{1, 8, 9, 10}, {2, 6, 6.5, 7}, {4, 3, 5.5, 6}}, {{1, 9}, {2, 6}, {4, 6}}, 3},
        {{{1, 8, 9, 10}, {2, 4, 7, 8}, {4, 3, 5, 5}}, {{1, 7}, {4, 7}}, 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hs__sized_speed sized[3];
        hs_speed_point point[3];
        memcpy(sized, rows[i].sized, sizeof sized);
        assert_int_equal(hs__speeds_falling(sized, 3, point), rows[i].points);
        for (int k = 0; k < rows[i].points; k++) {
            CHECK_CLOSE(point[k].size, rows[i].left[k].size, 0);
            CHECK_CLOSE(point[k].speed, rows[i].left[k].speed, 1e-15);
        }
    }
}

/* Whatever was read, a platform takes it. */
static void any_readings_make_a_speed_function(void **state)
{
    hs__random random = {5};
    for (int trial = 0; trial < 10000; trial++) {
        hs__sized_speed sized[HS__PROBE_SIZES];
        hs_speed_point point[HS__PROBE_SIZES];
        int n = 1 + (int)(hs__random_unit(&random) * HS__PROBE_SIZES);
        double low = INFINITY, high = 0;
        for (int k = 0; k < n; k++) {
            double speed = 1e9 + 1e9 * hs__random_unit(&random), less = 1 - 0.2 * hs__random_unit(&random);
            sized[k] = (hs__sized_speed){8 + floor(8 * hs__random_unit(&random)), less * speed, speed, speed / less};
            low = fmin(low, speed);
            high = fmax(high, speed);
        }
        hs_speed_function function = {point, hs__speeds_falling(sized, n, point), INFINITY};
        assert_in_range(function.points, 1, n);
        assert_int_equal(hs_speed_check(&function, NULL), HS_OK);
        CHECK_CLOSE(fmax(point[0].speed, high), high, 1e-12);
        CHECK_CLOSE(fmin(point[function.points - 1].speed, low), low, 1e-12);
    }
}

static void steady_needs_three_alike_in_a_row(void **state)
{
    static const struct {
        double value[9];
        int n, steady;
    } rows[] = {
        {{1, 1}, 2, 0},
        {{1, 1, 1}, 3, 1},
        {{100, 104, 96}, 3, 1},
        {{100, 106, 100}, 3, 0},
        {{50, 100, 100, 100}, 4, 1},
        {{100, 100, 100, 50}, 4, 0},
        {{1, 2, 3, 4, 5, 5, 5, 5, 5}, 9, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hs__samples samples = samples_of(rows[i].value, rows[i].n);
        assert_int_equal(hs__samples_steady(&samples, 0.05), rows[i].steady);
    }
}

static void slopes_of_lines(void **state)
{
    hs__line line = {0};
    CHECK_CLOSE(hs__line_slope(&line), 0, 0);
    hs__line_add(&line, 3, 10);
    CHECK_CLOSE(hs__line_slope(&line), 0, 0);
    hs__line_add(&line, 5, 6);
    CHECK_CLOSE(hs__line_slope(&line), -2, 1e-12);
    line = (hs__line){0};
    for (int k = 0; k < 1000; k++)
        hs__line_add(&line, 1e6 + 1e-4 * k, 7 + 3e-4 * k);
    CHECK_CLOSE(line.n, 1000, 0);
    CHECK_CLOSE(hs__line_slope(&line), 3, 1e-6);
}

/* CPU time of a thread that may run `quota` of each `period`, but is stopped only at a clock tick and then waits until
 * what it took too much is paid back, as Linux does. */
static void a_quota_shows_as_its_share(void **state)
{
    static const double shares[] = {0.0966, 0.145, 0.193, 0.386, 0.9};
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
        for (uint64_t seed = 1; seed <= 20; seed++) {
            hs__random random = {seed};
            hs__line line = {0};
            const double step = 50e-6, period = 10e-3, tick = 4e-3;
            double cpu = 0, budget = 0, begin = hs__random_unit(&random) * period;
            double next_tick = begin + hs__random_unit(&random) * tick, refill = period;
            int stopped = 0;
            for (double now = begin; now < begin + 0.6; now += step) {
                for (; refill <= now; refill += period) {
                    budget = fmin(budget + shares[i] * period, shares[i] * period);
                    stopped = stopped && budget <= 0;
                }
                for (; next_tick <= now; next_tick += tick)
                    stopped = stopped || budget <= 0;
                if (stopped)
                    continue;
                cpu += step;
                budget -= step;
                hs__line_add(&line, now, cpu);
            }
            assert_true(fabs(hs__line_slope(&line) / shares[i] - 1) < 0.03);
        }
}

static void a_flow_past_its_burst_has_the_sustained_rate(void **state)
{
    hs__flow flow;
    hs__flow_begin(&flow, 0.02, HS__FLOW_SLICES);
    double time = 0, passed = 0;
    int done = 0;
    /* 100 kB at once, then 7.5 MB/s in chunks of 10 kB. */
    for (; !done && time < 1; passed += 1e4) {
        if (passed >= 1e5)
            time += 1e4 / 7.5e6;
        done = hs__flow_add(&flow, time, 1e4);
    }
    assert_true(done);
    assert_true(time < 0.07);
    CHECK_CLOSE(hs__flow_rate(&flow), 7.5e6, 1e-6);
}

static void a_restless_flow_ends_with_a_median(void **state)
{
    hs__flow flow;
    hs__flow_begin(&flow, 1, 5);
    static const double bytes[] = {0, 900, 1, 3, 2, 30};
    for (int k = 0; k < 6; k++)
        assert_int_equal(hs__flow_add(&flow, k, bytes[k]), k == 5);
    CHECK_CLOSE(hs__flow_rate(&flow), 2.5, 1e-12);
    hs__flow_begin(&flow, 1, 3);
    CHECK_CLOSE(hs__flow_rate(&flow), 0, 0);
    for (int k = 0; k < 4; k++)
        assert_int_equal(hs__flow_add(&flow, k, bytes[k]), k == 3);
    CHECK_CLOSE(hs__flow_rate(&flow), 2, 1e-12);
}

static void values_within_their_error_are_alike(void **state)
{
    double value[] = {4.1, 2, 3.95, 6, 3.9, 6.4, 4.05};
    assert_int_equal(hs__join_alike(value, 7, 0.06), HS_OK);
    static const double alike[] = {4, 2, 4, 6, 4, 6.4, 4};
    for (int i = 0; i < 7; i++)
        CHECK_CLOSE(value[i], alike[i], 1e-12);
    /* A chain of small steps is parted where it steps most. */
    double chain[] = {1, 1.03, 1.07, 1.1};
    assert_int_equal(hs__join_alike(chain, 4, 0.05), HS_OK);
    static const double parted[] = {1.015, 1.015, 1.085, 1.085};
    for (int i = 0; i < 4; i++)
        CHECK_CLOSE(chain[i], parted[i], 1e-12);
    double zero[] = {0, 0, 5};
    assert_int_equal(hs__join_alike(zero, 3, 0.05), HS_OK);
    CHECK_CLOSE(zero[2], 5, 1e-12);
    assert_int_equal(hs__join_alike(NULL, 0, 0.05), HS_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(medians_of_known_readings),
        cmocka_unit_test(speeds_never_rise_with_the_size),
        cmocka_unit_test(speeds_whose_readings_overlap_are_one),
        cmocka_unit_test(any_readings_make_a_speed_function),
        cmocka_unit_test(steady_needs_three_alike_in_a_row),
        cmocka_unit_test(slopes_of_lines),
        cmocka_unit_test(a_quota_shows_as_its_share),
        cmocka_unit_test(a_flow_past_its_burst_has_the_sustained_rate),
        cmocka_unit_test(a_restless_flow_ends_with_a_median),
        cmocka_unit_test(values_within_their_error_are_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
