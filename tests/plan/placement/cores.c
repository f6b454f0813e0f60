/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/placement/cores.h"
#include "tests/unit.h"
#include "util/array.h"

enum { RANKS = 5 };
static const int host[RANKS] = {3, 0, 3, 0, 3}; /* hosts 1 and 2 have no ranks */

static void speeds_are(const hs__rank_cores *cores, const double *expected)
{
    double speed[RANKS] = {4e9, 1e9, 4e9, 1e9, 4e9};
    assert_int_equal(hs__rank_speeds_divide(RANKS, host, cores, speed), HS_OK);
    for (int r = 0; r < RANKS; r++)
        CHECK_CLOSE(speed[r], expected[r] * 1e9, 1e-12);
}

static void capacities_divide(void **state)
{
    (void)state;
    const hs__rank_cores cores[RANKS] = {
        {1024, INFINITY, 0}, {700, INFINITY, 0}, {512, INFINITY, 0}, {700, INFINITY, 0}, {512, INFINITY, 0}};
    speeds_are(cores, (const double[]){6, 1, 3, 1, 3});
}

/* One capacity is not known, so those of the host count as equal; the other host's do not. */
static void unknown_capacities_are_equal(void **state)
{
    (void)state;
    const hs__rank_cores cores[RANKS] = {
        {1024, INFINITY, 0}, {300, INFINITY, 0}, {512, INFINITY, 0}, {100, INFINITY, 0}, {0, INFINITY, 0}};
    speeds_are(cores, (const double[]){4, 1.5, 4, 0.5, 4});
}

/* A group of the same number on another host is another one, and more than a core is no use to a rank. */
static void quotas_divide(void **state)
{
    (void)state;
    const hs__rank_cores cores[RANKS] = {{0, 0.5, 7}, {0, 4, 7}, {0, 0.5, 7}, {0, 8, 8}, {0, 0.75, 9}};
    speeds_are(cores, (const double[]){2.4, 1, 2.4, 1, 7.2});
}

static void both_divide(void **state)
{
    (void)state;
    const hs__rank_cores cores[RANKS] = {{1, 1, 1}, {1, 0, 1}, {2, 0.25, 2}, {1, 0, 1}, {2, 0.25, 3}};
    speeds_are(cores, (const double[]){6, 1, 3, 1, 3}); /* quotas of 0 say nothing */
}

static int fails(void)
{
    return 1;
}

static void memory_is_out(void **state)
{
    (void)state;
    const hs__rank_cores cores[RANKS] = {{1, 1, 1}, {2, 1, 1}, {3, 1, 1}, {4, 1, 1}, {5, 1, 1}};
    double speed[RANKS] = {1, 1, 1, 1, 1};
    hs__array_fails = fails;
    assert_int_equal(hs__rank_speeds_divide(RANKS, host, cores, speed), HS_ERR_NOMEM);
    hs__array_fails = NULL;
    for (int r = 0; r < RANKS; r++)
        CHECK_CLOSE(speed[r], 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(capacities_divide), cmocka_unit_test(unknown_capacities_are_equal),
        cmocka_unit_test(quotas_divide),     cmocka_unit_test(both_divide),
        cmocka_unit_test(memory_is_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
