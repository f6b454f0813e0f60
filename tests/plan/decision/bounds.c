/* SPDX-License-Identifier: BSD-3-Clause */
/* What deciding costs at worst, over random runs on paper; bench/decision/traces plays many more. */
#include "tests/plan/decision/traces.h"
#include "tests/unit.h"

enum { RUNS = 300 };

/* Hindsight moves between at most so many levels: 2 n - 1 times its cost is what can be promised for n of them. */
static double factor(trace_family family)
{
    switch (family) {
    case TRACE_PERIODIC:
        return 3;
    case TRACE_RANDOM:
    case TRACE_ADVERSARY:
        return 7;
    default:
        return 2;
    }
}

static void check(trace_family family, uint64_t seed)
{
    trace_outcome o = trace_run(family, seed);
    if (o.total > factor(family) * o.hindsight + 2 * o.phase)
        print_error("family %d, seed %llu\n", (int)family, (unsigned long long)seed);
    assert_true(o.total <= factor(family) * o.hindsight + 2 * o.phase);
    assert_true(o.hindsight <= o.never * (1 + 1e-12));
}

static void random_runs_stay_within_the_bound(void **state)
{
    for (trace_family family = 0; family < TRACE_FAMILIES; family++)
        for (uint64_t seed = 1; seed <= RUNS; seed++)
            check(family, seed);
}

/* Twice hindsight is not enough for these, found among millions. */
static void the_worst_runs_found(void **state)
{
    check(TRACE_PERIODIC, 819);
    check(TRACE_RANDOM, 497);
    check(TRACE_ADVERSARY, 1111);
}

static void steady_speeds_cost_nothing(void **state)
{
    for (uint64_t seed = 1; seed <= RUNS; seed++) {
        trace_outcome o = trace_run(TRACE_STEADY, seed);
        assert_true(o.total <= 1.02 * o.never);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_runs_stay_within_the_bound),
        cmocka_unit_test(the_worst_runs_found),
        cmocka_unit_test(steady_speeds_cost_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
