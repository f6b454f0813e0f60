/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/backoff.h"
#include "tests/unit.h"
#include <sys/prctl.h>
#include <time.h>

enum { US = 1000, MS = 1000 * US };

static void first_others_run(void **state)
{
    assert_int_equal(hs__backoff_nap_ns(0), 0);
    assert_int_equal(hs__backoff_nap_ns(1999 * US), 0);
}

static void naps_are_a_part_of_the_wait(void **state)
{
    assert_int_equal(hs__backoff_nap_ns(2000 * US), 100 * US);
    for (int64_t waited = 100 * US; waited < 1000 * MS; waited += 7 * US) {
        assert_true(hs__backoff_nap_ns(waited) * 20 <= waited);
        assert_true(hs__backoff_nap_ns(waited + 7 * US) >= hs__backoff_nap_ns(waited));
    }
}

static void naps_have_a_limit(void **state)
{
    assert_int_equal(hs__backoff_nap_ns(100 * MS), 5 * MS);
    assert_int_equal(hs__backoff_nap_ns(INT64_MAX), 5 * MS);
}

static void a_pause_lasts_that_long(void **state)
{
    struct timespec begun, ended;
    clock_gettime(CLOCK_MONOTONIC, &begun);
    hs__backoff_pause(0);
    hs__backoff_pause(40 * MS);
    clock_gettime(CLOCK_MONOTONIC, &ended);
    assert_true((ended.tv_sec - begun.tv_sec) * 1000 * MS + ended.tv_nsec - begun.tv_nsec >= 2 * MS);
}

/* Not some 50 us later, as the kernel lets other timers end. */
static void naps_are_punctual(void **state)
{
    assert_int_equal(prctl(PR_SET_TIMERSLACK, 50000), 0);
    hs__backoff_pause(40 * MS);
    assert_true(prctl(PR_GET_TIMERSLACK) < 50000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_others_run),        cmocka_unit_test(naps_are_a_part_of_the_wait),
        cmocka_unit_test(naps_have_a_limit),       cmocka_unit_test(naps_are_punctual),
        cmocka_unit_test(a_pause_lasts_that_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
