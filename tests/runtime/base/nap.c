/* SPDX-License-Identifier: BSD-3-Clause */
/* When a wait of the program's naps, by a clock that is put forward, and that waits of the library's nap between two tests of a
 * request. */
#include "tests/unit.h"

#include "runtime/base/backoff.h"
#include "runtime/base/waiting.h"
#include "tests/clock.h"

enum { UNTIMED = 4, NAPS = 3, MOST_TESTS = 1000 };

static int naps, tested;

int __wrap_nanosleep(const struct timespec *nap, struct timespec *left);
int __wrap_PMPI_Test(MPI_Request *request, int *done, MPI_Status *status);

int __wrap_nanosleep(const struct timespec *nap, struct timespec *left)
{
    naps++;
    return 0;
}

/* What is waited for comes in the last of the naps, or when there are none. */
int __wrap_PMPI_Test(MPI_Request *request, int *done, MPI_Status *status)
{
    *done = naps == NAPS || ++tested > MOST_TESTS;
    return MPI_SUCCESS;
}

/* Polls that find nothing, none of which naps. */
static void polls_without_a_nap(int n)
{
    for (int k = 0; k < n; k++)
        assert_false(hs__waiting_nap());
}

static void a_wait_that_is_quiet_naps(void **state)
{
    (void)state;
    hs__waiting.mode = HS__WAITING_SLEEP;
    hs__waiting_self = (hs__waiting_call){.frame = 1};
    polls_without_a_nap(UNTIMED);
    assert_true(hs__waiting_self.quiet_since == 0); /* so far nobody looked at the clock */
    clock_pass(1);                                  /* before that time counts for nothing */
    polls_without_a_nap(1);
    assert_true(hs__waiting_self.quiet_since != 0);
    clock_pass(1);
    assert_true(hs__waiting_nap());
    assert_true(hs__waiting_nap());
}

static void what_was_found_begins_it_anew(void **state)
{
    (void)state;
    hs__waiting.mode = HS__WAITING_SLEEP;
    hs__waiting_self = (hs__waiting_call){.frame = 1};
    polls_without_a_nap(UNTIMED + 1);
    clock_pass(1);
    hs__waiting_self.quiet_polls = 0;
    polls_without_a_nap(UNTIMED + 1);
    clock_pass(1);
    assert_true(hs__waiting_nap());
}

static void other_ways_never_nap(void **state)
{
    (void)state;
    for (hs__waiting_mode mode = HS__WAITING_POLL; mode <= HS__WAITING_YIELD; mode++) {
        hs__waiting.mode = mode;
        hs__waiting_self = (hs__waiting_call){.frame = 1};
        for (int k = 0; k < 3 * UNTIMED; k++) {
            clock_pass(1);
            assert_false(hs__waiting_nap());
        }
    }
}

static void a_wait_of_the_librarys_naps(void **state)
{
    MPI_Request request = MPI_REQUEST_NULL;
    naps = 0;
    assert_int_equal(hs__backoff_wait(&request), HS_OK);
    assert_int_equal(naps, NAPS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wait_that_is_quiet_naps),
        cmocka_unit_test(what_was_found_begins_it_anew),
        cmocka_unit_test(other_ways_never_nap),
        cmocka_unit_test(a_wait_of_the_librarys_naps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
