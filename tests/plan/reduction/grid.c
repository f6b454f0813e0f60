/* SPDX-License-Identifier: BSD-3-Clause */
/* The grid of sums that a path of messages can take. */
#include "plan/reduction/exact.h"
#include "tests/unit.h"

static void check_sums(const double *time, const int *size, int count, double limit, const double *expected, int sums)
{
    const hs__classes classes = {.count = count, .time = (double *)time, .size = (int *)size};
    hs__sums grid;
    int fits;
    assert_int_equal(hs__sums_init(&grid, &classes, limit, &fits), HS_OK);
    assert_true(fits);
    assert_int_equal(grid.count, sums);
    for (int i = 0; i < sums; i++) {
        CHECK_CLOSE(grid.value[i], expected[i], 1e-14);
        for (int k = 0; k < count; k++) { /* after: the largest sum that is no larger without this time */
            int after = grid.after[k * sums + i];
            assert_true(after < i);
            assert_true(after < 0 || grid.value[after] <= grid.value[i] - time[k] + 1e-9);
            assert_true(grid.value[after + 1] > grid.value[i] - time[k]);
        }
    }
    hs__sums_free(&grid);
}

/* Two messages of 1 s, one of 5 s: no path has a third of 1 s, nor a second of 5 s. */
static void no_message_twice(void **state)
{
    const double time[] = {1, 5}, all[] = {0, 1, 2, 5, 6, 7};
    const int size[] = {2, 1};
    (void)state;
    check_sums(time, size, 2, 100, all, 6);
    check_sums(time, size, 2, 7, all, 6);
    check_sums(time, size, 2, 6.5, all, 5);
    check_sums(time, size, 2, 5, all, 4);
}

/* 0.1 + 0.2 and 0.3 are one sum. */
static void sums_within_rounding_are_one(void **state)
{
    const double time[] = {.1, .2, .3}, all[] = {0, .1, .2, .3, .4, .5, .6};
    const int size[] = {1, 1, 1};
    (void)state;
    check_sums(time, size, 3, 1, all, 7);
}

/* Messages of 1, BASE, BASE^2, ..., BASE - 1 of each: all whole numbers are sums. */
static void check_fits(int count, int base, double limit, int sums)
{
    double time[40];
    int size[40], fits;
    const hs__classes classes = {.count = count, .time = time, .size = size};
    hs__sums grid;
    for (int k = 0; k < count; k++) {
        time[k] = k == 0 ? 1 : base * time[k - 1];
        size[k] = base - 1;
    }
    assert_int_equal(hs__sums_init(&grid, &classes, limit, &fits), HS_OK);
    assert_int_equal(fits, sums > 0);
    assert_int_equal(grid.count, sums);
    hs__sums_free(&grid);
}

/* As many sums as fit, and one more; the same with as many values as price vectors have at most. */
static void too_many_sums(void **state)
{
    (void)state;
    check_fits(8, 4, HS__SUMS_MAX - 1, HS__SUMS_MAX);
    check_fits(8, 4, HS__SUMS_MAX, 0);
    check_fits(40, 2, HS__VALUES_MAX / 40 - 1, HS__VALUES_MAX / 40);
    check_fits(40, 2, HS__VALUES_MAX / 40, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_message_twice),
        cmocka_unit_test(sums_within_rounding_are_one),
        cmocka_unit_test(too_many_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
