/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/watch/sites.h"
#include "tests/unit.h"
#include <pthread.h>

enum { MANY = 3 * HS__SITES_MAX, THREADS = 3, CALLS = 100000 };

static void call(int number, int64_t ticks, uintptr_t caller)
{
    hs__sites_call(number, ticks, (const void *)caller);
}

static const hs__site *site_of(int number, uintptr_t caller, int other)
{
    const hs__site *slot = hs__sites_slots(), *found = NULL;
    for (int k = 0; k < HS__SITE_SLOTS; k++)
        if (slot[k].calls > 0 && slot[k].number == number && slot[k].caller == caller && slot[k].other == other) {
            assert_null(found);
            found = &slot[k];
        }
    return found;
}

static const hs__site *site(int number, uintptr_t caller)
{
    return site_of(number, caller, 0);
}

static void nothing_before_the_start(void **state)
{
    call(1, 5, 100);
    assert_null(site(1, 100));
    assert_int_equal(hs__sites_stop(), 0);
    hs__sites_start();
}

static void calls_add_up_by_function_and_place(void **state)
{
    call(1, 5, 100);
    call(1, 7, 100);
    call(2, 11, 100); /* by a pointer */
    call(1, 13, 101);
    assert_int_equal(site(1, 100)->calls, 2);
    assert_int_equal(site(1, 100)->ticks, 12);
    assert_int_equal(site(2, 100)->ticks, 11);
    assert_int_equal(site(1, 101)->ticks, 13);
}

static void *call_often(void *caller)
{
    for (int k = 0; k < CALLS; k++)
        hs__sites_call_other(3, 2, caller);
    return NULL;
}

/* Three from one place, and one call of the watched thread from there. */
static void threads_call_at_once(void **state)
{
    pthread_t thread[THREADS];
    for (int t = 0; t < THREADS; t++)
        assert_int_equal(pthread_create(&thread[t], NULL, call_often, (void *)200), 0);
    call(3, 5, 200);
    for (int t = 0; t < THREADS; t++)
        pthread_join(thread[t], NULL);
    assert_int_equal(site_of(3, 200, 1)->calls, THREADS * CALLS);
    assert_int_equal(site_of(3, 200, 1)->ticks, 2 * THREADS * CALLS);
    assert_int_equal(site(3, 200)->calls, 1);
    assert_int_equal(site(3, 200)->ticks, 5);
}

/* Places that come when the table is full are counted; those that are there go on. */
static void the_table_is_bounded(void **state)
{
    int kept = 0;
    for (uintptr_t k = 0; k < MANY; k++)
        call(1, 1, 0x400000 + 16 * k);
    for (uintptr_t k = 0; k < MANY; k++)
        kept += site(1, 0x400000 + 16 * k) != NULL;
    assert_int_equal(kept, HS__SITES_MAX - 4); /* those of the tests before */
    assert_int_equal(hs__sites_left_out(), MANY - kept);
    call(1, 1, 100);
    assert_int_equal(site(1, 100)->calls, 3);
    assert_int_equal(hs__sites_left_out(), MANY - kept);
}

static void nothing_after_the_stop(void **state)
{
    assert_int_equal(hs__sites_stop(), 1);
    call(1, 1, 100);
    assert_int_equal(site(1, 100)->calls, 3);
    assert_int_equal(hs__sites_stop(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_before_the_start), cmocka_unit_test(calls_add_up_by_function_and_place),
        cmocka_unit_test(threads_call_at_once),     cmocka_unit_test(the_table_is_bounded),
        cmocka_unit_test(nothing_after_the_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
