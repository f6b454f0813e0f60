/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/median.h"
#include "tests/unit.h"
#include <math.h>

static void medians_by_hand(void **state)
{
    static const struct {
        int n;
        double value[5], median;
    } rows[] = {{0, {9}, 0},
                {1, {4}, 4},
                {2, {6, 1}, 3.5},
                {3, {5, 1, 3}, 3},
                {4, {8, 1, 2, 4}, 3},
                {5, {2, 2, 1, 7, 2}, 2},
                {5, {5, 1, 4, 2, 3}, 3},
                {4, {8, 1, 4, 2}, 3},
                {3, {-1, -INFINITY, INFINITY}, -1}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        double value[5];
        memcpy(value, rows[r].value, sizeof value);
        assert_true(hs__median(value, rows[r].n) == rows[r].median);
        for (int i = 1; i < rows[r].n; i++)
            assert_true(value[i - 1] <= value[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(medians_by_hand)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
