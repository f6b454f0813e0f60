/* SPDX-License-Identifier: BSD-3-Clause */
/* The search that decides whether all messages fit into a time. */
#include "plan/reduction/exact.h"
#include "tests/unit.h"

/* After a message of 1 s, 2.5 s are too short for one of 2.5 s. Three partial schedules say so, two of which nothing can go
 * on from: the empty one, that of the short message, and that of none on the only host. */
static void dead_ends_are_nodes(void **state)
{
    (void)state;
    double time[] = {1, 2.5};
    int size[] = {1, 1}, fits, placements;
    const hs__classes classes = {.count = 2, .time = time, .size = size};
    for (int64_t budget = 1; budget <= 4; budget++) {
        hs__sums grid;
        hs__pool pool = {0};
        hs__placement placement[2];
        hs__verdict verdict;
        int64_t explored = 0;
        assert_int_equal(hs__sums_init(&grid, &classes, 3.5, &fits), HS_OK);
        const hs__dual_prices prices = hs__dual_prices_new(&pool, &grid); /* of nothing: no bound */
        CHECK_CLOSE(grid.value[2], 2.5, 1e-14);
        assert_int_equal(hs__exact_decide(&grid, 2, &prices, 1, budget, placement, &placements, &explored, &verdict),
                         HS_OK);
        assert_int_equal(verdict, budget < 3 ? HS__GAVE_UP : HS__DOES_NOT_FIT);
        assert_int_equal(explored, budget < 3 ? budget : 3);
        hs__pool_free(&pool);
        hs__sums_free(&grid);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(dead_ends_are_nodes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
