/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/sort.h"
#include "tests/unit.h"

static void integers_are_sorted(void **state)
{
    int value[] = {7, -3, 9, 0, -3, 9};
    static const int sorted[] = {-3, -3, 0, 7, 9, 9};
    assert_int_equal(hs__sort_ints(value, 0), 0);
    assert_int_equal(hs__sort_ints(value, 1), 0);
    assert_int_equal(hs__sort_ints(value, 4), 0);
    assert_int_equal(hs__sort_ints(value, 6), 1);
    assert_memory_equal(value, sorted, sizeof sorted);
    assert_int_equal(hs__sort_ints(value + 1, 5), 4);
}

static void wide_integers_are_sorted(void **state)
{
    int64_t value[] = {INT64_MAX, 1, INT64_MIN, (int64_t)1 << 32};
    static const int64_t sorted[] = {INT64_MIN, 1, (int64_t)1 << 32, INT64_MAX};
    hs__sort_int64s(value, 4);
    assert_memory_equal(value, sorted, sizeof sorted);
}

static void among_equals_the_lowest_index_comes_first(void **state)
{
    static const hs__ranked given[] = {{2, 3}, {1, 4}, {2, 0}, {3, 2}, {1, 1}};
    static const int least[] = {1, 4, 0, 3, 2}, largest[] = {2, 0, 3, 1, 4};
    hs__ranked list[5];
    memcpy(list, given, sizeof list);
    hs__rank_least_first(list, 5);
    for (int k = 0; k < 5; k++)
        assert_int_equal(list[k].index, least[k]);
    hs__rank_largest_first(list, 5);
    for (int k = 0; k < 5; k++)
        assert_int_equal(list[k].index, largest[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(integers_are_sorted),
                                       cmocka_unit_test(wide_integers_are_sorted),
                                       cmocka_unit_test(among_equals_the_lowest_index_comes_first)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
