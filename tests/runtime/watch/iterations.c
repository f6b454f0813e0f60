/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/watch/iterations.h"
#include "runtime/report/efficiency.h"
#include "tests/unit.h"
#include "util/random.h"
#include <string.h>

static hs__noted batch;

static void add(const char *calls, int64_t compute)
{
    for (; *calls; calls++) {
        int64_t before = batch.n ? batch.reading[batch.n - 1].compute : 0;
        batch.reading[batch.n] = (hs__clock_reading){before + compute, 2 * (before + compute)};
        batch.call[batch.n++] = (uint16_t)*calls;
    }
}

static hs__iterations scan(void)
{
    hs__iterations it = {0};
    hs__iterations_scan(&it, &batch);
    batch.n = 0;
    return it;
}

static void repetitions_are_found(void **state)
{
    add("bbg", 1);
    for (int k = 0; k < 100; k++)
        add("iiiissssw", 10);
    add("gf", 1);
    hs__iterations it = scan();
    assert_int_equal(it.count, 100);
    assert_int_equal(it.period, 9);
    assert_int_equal(it.compute, 99 * 90); /* the last one's end is not seen */
    assert_int_equal(it.time, 2 * 99 * 90);
    assert_int_equal(it.drifts, 0);
}

/* Three in a row are needed. */
static void twice_is_chance(void **state)
{
    add("abcabc", 1);
    assert_int_equal(scan().count, 0);
    add("abcabcabc", 1);
    assert_int_equal(scan().count, 3);
    assert_int_equal(scan().count, 0);
}

static void loops_in_turn(void **state)
{
    for (int k = 0; k < 20; k++)
        add("ab", 1);
    for (int k = 0; k < 30; k++)
        add("cde", 1);
    hs__iterations it = scan();
    assert_int_equal(it.count, 50);
    assert_int_equal(it.period, 3);
}

static void slower_iterations_are_drift(void **state)
{
    for (int k = 0; k < 80; k++)
        add("ab", k < 40 ? 1000000 : 2000000);
    hs__iterations it = scan();
    assert_int_equal(it.count, 80);
    assert_int_equal(it.drifts, 1);
    assert_float_equal(it.first, 2e6, 1e-9);
    assert_float_equal(it.last, 4e6, 1e-9);
    for (int k = 0; k < 80; k++)
        add("ab", k < 40 ? 10 : 20);
    assert_int_equal(scan().drifts, 0); /* too short to tell */
}

/* Which are too short for a reading each, together are long enough for one. */
static void short_iterations_share_a_reading(void **state)
{
    for (int k = 0; k < 30; k++)
        add("ab", 50000);
    assert_float_equal(scan().first, 1e5, 1e-9);
    for (int k = 0; k < 9; k++)
        add("ab", 50000);
    assert_float_equal(scan().first, 0, 0);
    for (int k = 0; k < 30; k++) /* 5.7 ms, of which the first is for ten and the last for three */
        add("ab", k < 15 ? 50000 : 150000);
    hs__iterations it = scan();
    assert_float_equal(it.first, 1e5, 1e-9);
    assert_float_equal(it.last, 3e5, 1e-9);
}

/* Calls are compared by blocks: wherever a loop is left, it ends there. */
static void loops_end_where_they_are_left(void **state)
{
    for (size_t period = 1; period < 5; period++) {
        for (size_t left = 3 * period; left < 300; left++) {
            for (size_t k = 0; k < left; k++)
                add((const char[]){(char)('a' + k % period), 0}, 1);
            add("z", 1);
            hs__iterations it = scan();
            assert_int_equal(it.count, left / period);
            assert_int_equal(it.longest, left);
        }
    }
}

/* Batches without repetition, or with little by chance, are left out more and more; where all repeats, none is. */
static void nothing_repeats(void **state)
{
    hs__random random = {7};
    hs__iterations it = {0};
    batch.n = HS__EVENTS;
    for (int k = 0; k < HS__EVENTS; k++)
        batch.call[k] = (uint16_t)(hs__random_next(&random) >> 48);
    for (int k = 0; k < 40; k++)
        hs__iterations_scan(&it, &batch);
    assert_int_equal(it.count, 0);
    assert_int_equal(it.pause, 15);
    batch.call[1] = batch.call[2] = batch.call[0];
    for (int k = 0; k < 40; k++)
        hs__iterations_scan(&it, &batch);
    assert_true(it.count > 0);
    assert_int_equal(it.pause, 15);
    for (int k = 0; k < HS__EVENTS; k++)
        batch.call[k] = 1;
    it = (hs__iterations){0};
    for (int k = 0; k < 40; k++)
        hs__iterations_scan(&it, &batch);
    assert_int_equal(it.count, 40 * HS__EVENTS);
}

static void any_calls_are_survived(void **state)
{
    hs__random random = {3};
    for (int trial = 0; trial < 200; trial++) {
        hs__iterations it = {0};
        size_t n = (size_t)hs__random_below(&random, 300);
        int kinds = 1 + (int)hs__random_below(&random, 4);
        for (size_t k = 0; k < n; k++) {
            batch.reading[k] = (hs__clock_reading){(int64_t)k, (int64_t)k};
            batch.call[k] = (uint16_t)hs__random_below(&random, kinds);
        }
        batch.n = n;
        hs__iterations_scan(&it, &batch);
        assert_true(it.count >= 0 && it.count <= (int64_t)n && it.time <= (int64_t)n);
    }
}

static void time_is_told_apart(void **state)
{
    /* Two ranks with the same work; one is twice as fast. */
    hs__efficiency e;
    hs__efficiency_compute((const double[]){2, 4}, (const double[]){5, 5}, NULL, 2, &e);
    assert_float_equal(e.load_balance, 0.75, 1e-12);
    assert_float_equal(e.communication, 0.8, 1e-12);
    assert_float_equal(e.parallel, 0.6, 1e-12);
    assert_float_equal(e.lost, 0.2, 1e-12);
    assert_float_equal(e.balanced, 4, 1e-12);
    hs__efficiency_compute((const double[]){2, 4}, (const double[]){5, 5}, (const double[]){2, 1}, 2, &e);
    assert_float_equal(e.balanced, 1 + 8.0 / 3, 1e-12); /* 8 units of work at 3 a second */
    hs__efficiency_compute((const double[]){2, 4}, (const double[]){5, 5}, (const double[]){2, 0}, 2, &e);
    assert_float_equal(e.balanced, 4, 1e-12);
    hs__efficiency_compute((const double[]){0}, (const double[]){0}, NULL, 1, &e);
    assert_float_equal(e.parallel, 1, 0);
    assert_float_equal(e.lost, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repetitions_are_found),
        cmocka_unit_test(twice_is_chance),
        cmocka_unit_test(loops_in_turn),
        cmocka_unit_test(slower_iterations_are_drift),
        cmocka_unit_test(short_iterations_share_a_reading),
        cmocka_unit_test(loops_end_where_they_are_left),
        cmocka_unit_test(nothing_repeats),
        cmocka_unit_test(any_calls_are_survived),
        cmocka_unit_test(time_is_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
