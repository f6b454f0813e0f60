/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/pool.h"
#include "tests/unit.h"
#include "util/array.h"
#include <stdint.h>
#include <string.h>

static void arrays_are_zeroed_and_aligned(void **state)
{
    hs__pool pool = {0};
    (void)state;
    for (size_t n = 0; n < 40; n++) {
        unsigned char *array = hs__pool_new(&pool, n, 3);
        assert_non_null(array);
        assert_int_equal((uintptr_t)array % _Alignof(max_align_t), 0);
        for (size_t i = 0; i < 3 * n; i++)
            assert_int_equal(array[i], 0);
        memset(array, 0xff, 3 * n);
    }
    assert_int_equal(hs__pool_status(&pool), HS_OK);
    hs__pool_free(&pool);
}

static int allocations;

static int third_fails(void)
{
    return ++allocations == 3;
}

static void one_failure_is_remembered(void **state)
{
    hs__pool pool = {0};
    (void)state;
    hs__array_fails = third_fails;
    for (int i = 0; i < 5; i++)
        assert_int_equal(hs__pool_new(&pool, 10, sizeof(double)) == NULL, i == 2);
    hs__array_fails = NULL;
    assert_int_equal(hs__pool_status(&pool), HS_ERR_NOMEM);
    assert_int_equal(hs__pool_complete(&pool), HS_ERR_NOMEM);
    assert_int_equal(hs__pool_status(&pool), HS_OK);
    assert_null(pool.last);
}

static void a_size_that_overflows_fails(void **state)
{
    hs__pool pool = {0};
    (void)state;
    assert_null(hs__pool_new(&pool, SIZE_MAX / 2, 4));
    assert_null(hs__pool_new(&pool, SIZE_MAX, 1));
    assert_int_equal(hs__pool_status(&pool), HS_ERR_NOMEM);
    hs__pool_free(&pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(arrays_are_zeroed_and_aligned),
                                       cmocka_unit_test(one_failure_is_remembered),
                                       cmocka_unit_test(a_size_that_overflows_fails)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
