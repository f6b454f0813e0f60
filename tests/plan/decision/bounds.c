/* SPDX-License-Identifier: BSD-3-Clause */
/* What deciding costs at worst, over random runs on paper; bench/decision/traces plays many more. */
#include "tests/plan/decision/traces.h"
#include "tests/unit.h"

enum { RUNS = 300 };

/* Times hindsight. No rule can promise less than 2 n - 1 where speeds change between n levels: 2 of them in turn, or 4. */
static double factor(trace_family family)
{
    switch (family) {
    case TRACE_PERIODIC:
    case TRACE_WANDERS:
        return 3;
    case TRACE_RANDOM:
    case TRACE_ADVERSARY:
        return 7;
    default:
        return 2;
    }
}

static void check(trace_family family, uint64_t seed, double times)
{
    trace_outcome o = trace_run(family, seed);
    if (o.total > times * o.hindsight + 2 * o.phase)
        print_error("family %d, seed %llu\n", (int)family, (unsigned long long)seed);
    assert_true(o.total <= times * o.hindsight + 2 * o.phase);
    assert_true(o.hindsight <= o.never * (1 + 1e-12));
}

static void random_runs_stay_within_the_bound(void **state)
{
    for (trace_family family = 0; family < TRACE_FAMILIES; family++)
        for (uint64_t seed = 1; seed <= RUNS; seed++)
            check(family, seed, factor(family));
}

/* The worst of 20,000 runs each: twice hindsight and two phases are not enough for them. */
static void the_worst_runs_get_no_worse(void **state)
{
    check(TRACE_PERIODIC, 3702, 3);
    check(TRACE_RANDOM, 497, 3);
    check(TRACE_ADVERSARY, 16932, 12);
}

/* Work that grew after it was declared is no broken promise. */
static void work_that_wanders_is_not_given_up(void **state)
{
    int off = 0;
    for (uint64_t seed = 1; seed <= RUNS; seed++) {
        trace_outcome o = trace_run(TRACE_DECLARED, seed);
        assert_true(!o.off && o.total <= 1.02 * o.never && o.total <= 1.2 * o.hindsight);
        off += trace_run(TRACE_WANDERS, seed).off;
    }
    assert_true(off <= RUNS / 10);
}

/* Each rank takes as long as before, whatever it holds: that is noticed although all cycle times change. */
static void trials_in_vain_get_rare(void **state)
{
    double all = 0;
    for (uint64_t seed = 1; seed <= RUNS; seed++) {
        trace_outcome o = trace_run(TRACE_FIXED, seed);
        assert_true(o.total <= 1.5 * o.never);
        all += o.total / o.never - 1;
    }
    assert_true(all / RUNS < 0.07);
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
        cmocka_unit_test(random_runs_stay_within_the_bound), cmocka_unit_test(the_worst_runs_get_no_worse),
        cmocka_unit_test(steady_speeds_cost_nothing),        cmocka_unit_test(work_that_wanders_is_not_given_up),
        cmocka_unit_test(trials_in_vain_get_rare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
