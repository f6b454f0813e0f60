/* SPDX-License-Identifier: BSD-3-Clause */
/* Schedules of reductions: the paper's examples, every order of small cases, random classes, inequality 1, bad input.
 */
#include "tests/unit.h"
#include "util/random.h"
#include <float.h>
#include <heteroslice/hs_reduction.h>

enum { MOST = 1000 };

static const hs_reduction_method every_method[] = {HS_REDUCTION_SNF, HS_REDUCTION_PAPER, HS_REDUCTION_OPTIMAL};

static hs_reduction *plan_of(const double *time, int hosts, hs_reduction_method method)
{
    hs_reduction *plan = NULL;
    hs_error error;
    int count;
    if (hs_reduction_create(time, hosts, method, 0, &plan, &error) != HS_OK)
        fail_msg("%s", error.text);
    const hs_transfer *m = hs_reduction_transfers(plan, &count);
    assert_int_equal(count, hosts - 1);
    if (hs_reduction_check(time, hosts, hs_reduction_root(plan), m, &error) != HS_OK)
        fail_msg("%s", error.text);
    double last = 0.0;
    for (int k = 0; k < count; k++) {
        assert_true(k == 0 || m[k].start >= m[k - 1].start);
        last = fmax(last, m[k].end);
    }
    assert_true(last == hs_reduction_makespan(plan));
    assert_true(hs_reduction_lower_bound(plan) <= last);
    return plan;
}

static double makespan_of(const double *time, int hosts, hs_reduction_method method)
{
    hs_reduction *plan = plan_of(time, hosts, method);
    double makespan = hs_reduction_makespan(plan);
    assert_true(method == HS_REDUCTION_SNF || hs_reduction_is_optimal(plan));
    hs_reduction_free(plan);
    return makespan;
}

/* Section 3's and 4's seven processors; the errata's other rows. */
static void test_examples(void **state)
{
    (void)state;
    static const struct {
        int hosts;
        double snf, optimal, time[12];
    } row[] = {
        {1, 0, 0, {3}},
        {2, 2, 2, {2, 7}},
        {3, 10, 10, {5, 5, 5}},
        {4, 6, 6, {5, 5, 5, 1}}, /* a host more, and it is faster */
        {7, 11, 11, {10, 5, 5, 5, 4, 2, 2}},
        {9, 8, 7, {3, 3, 3, 3, 3, 2, 2, 2, 1}},
        {12, 4.6, 4.2, {1, 1, 1, 1, 1, 1, 1, 1, 1.6, 1.6, 1.6, 1.6}}, /* figure 6 */
        {12, 4.25, 4, {1.25, 1.25, 1.25, 1.25, 1, 1, 1, 1, 1, 1, 1, 1}},
        {12, 4.9, 4.8, {1.9, 1.9, 1.9, 1.9, 1, 1, 1, 1, 1, 1, 1, 1}},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        CHECK_CLOSE(makespan_of(row[i].time, row[i].hosts, HS_REDUCTION_SNF), row[i].snf, 1e-12);
        CHECK_CLOSE(makespan_of(row[i].time, row[i].hosts, HS_REDUCTION_PAPER), row[i].optimal, 1e-12);
        CHECK_CLOSE(makespan_of(row[i].time, row[i].hosts, HS_REDUCTION_OPTIMAL), row[i].optimal, 1e-12);
    }
}

/* Figure 2: the earliest-possible schedule of the order that figure 1 starts in. */
static void test_given_order(void **state)
{
    (void)state;
    const double time[] = {10, 5, 5, 5, 4, 2, 2};
    const int snf[] = {1, 2, 3, 4, 5, 6}, fast_first[] = {6, 5, 4, 3, 2, 1}, slowest_too[] = {0, 1, 2, 3, 4, 5};
    const int twice[] = {1, 2, 3, 4, 5, 5}, outside[] = {1, 2, 3, 4, 5, 7};
    hs_reduction *plan = NULL;
    hs_error error;
    int count;
    assert_int_equal(hs_reduction_create_given(time, 7, snf, &plan, &error), HS_OK);
    const double start[] = {0, 0, 0, 5, 5, 9};
    const hs_transfer *m = hs_reduction_transfers(plan, &count);
    for (int k = 0; k < count; k++)
        assert_true(m[k].from == snf[k] && m[k].start == start[k]);
    assert_int_equal(hs_reduction_root(plan), 0);
    hs_reduction_free(plan);
    assert_int_equal(hs_reduction_create_given(time, 7, fast_first, &plan, &error), HS_OK);
    CHECK_CLOSE(hs_reduction_makespan(plan), 14, 1e-12);
    hs_reduction_free(plan);
    assert_int_equal(hs_reduction_create_given(time, 7, slowest_too, &plan, &error), HS_OK);
    assert_int_equal(hs_reduction_root(plan), 6);
    hs_reduction_free(plan);
    plan = NULL;
    assert_int_equal(hs_reduction_create_given(time, 7, twice, &plan, &error), HS_ERR_ARG);
    assert_int_equal(hs_reduction_create_given(time, 7, outside, &plan, &error), HS_ERR_ARG);
    assert_int_equal(hs_reduction_create_given(time, 7, NULL, &plan, &error), HS_ERR_ARG);
    assert_null(plan);
    assert_int_equal(hs_reduction_create_given(time, 1, NULL, &plan, &error), HS_OK); /* one host sends nothing */
    assert_true(hs_reduction_makespan(plan) == 0);
    hs_reduction_free(plan);
}

/* When the last message ends if they start in this order, section 3 word by word. */
static double earliest(const double *time, int hosts, const int *order)
{
    double end[16], now = 0.0, last = 0.0;
    int active = 0, idle = hosts;
    for (int k = 0; k < hosts - 1; k++) {
        while (idle < 2) {
            int first = 0;
            for (int a = 1; a < active; a++)
                first = end[a] < end[first] ? a : first;
            now = end[first];
            end[first] = end[--active];
            idle++;
        }
        idle -= 2;
        end[active++] = now + time[order[k]];
        last = fmax(last, now + time[order[k]]);
    }
    return last;
}

/* The best of all orders of all choices of senders: no root is taken for granted. */
static double best_order(const double *time, int hosts, int *order, int placed)
{
    if (placed == hosts - 1)
        return earliest(time, hosts, order);
    double best = INFINITY;
    for (int i = 0; i < hosts; i++) {
        int used = 0;
        for (int k = 0; k < placed; k++)
            used |= order[k] == i;
        if (used)
            continue;
        order[placed] = i;
        best = fmin(best, best_order(time, hosts, order, placed + 1));
    }
    return best;
}

static void random_classes(hs__random *random, double *time, int hosts, int classes, int whole)
{
    double speed[8];
    for (int k = 0; k < classes; k++)
        speed[k] = whole ? 1.0 + (double)hs__random_below(random, 9) : 0.5 + 9.5 * hs__random_unit(random);
    for (int i = 0; i < hosts; i++)
        time[i] = speed[hs__random_below(random, classes)];
}

static void test_every_order(void **state)
{
    (void)state;
    hs__random random = {71};
    double time[8];
    int order[8];
    for (int trial = 0; trial < 160; trial++) {
        int hosts = trial < 150 ? 2 + trial % 6 : 8;
        random_classes(&random, time, hosts, 1 + (int)hs__random_below(&random, 8), trial % 2);
        double best = best_order(time, hosts, order, 0);
        CHECK_CLOSE(makespan_of(time, hosts, HS_REDUCTION_OPTIMAL), best, 1e-12);
        CHECK_CLOSE(makespan_of(time, hosts, HS_REDUCTION_PAPER), best, 1e-12);
        assert_true(makespan_of(time, hosts, HS_REDUCTION_SNF) <= 2.0 * best);
    }
}

/* Two exact methods that have nothing in common. */
static void test_exact_against_published(void **state)
{
    (void)state;
    hs__random random = {72};
    double time[16];
    int missed = 0;
    for (int trial = 0; trial < 150; trial++) {
        int hosts = 9 + (int)hs__random_below(&random, 6);
        random_classes(&random, time, hosts, 3 + trial % 4, trial % 2);
        double best = makespan_of(time, hosts, HS_REDUCTION_PAPER), snf = makespan_of(time, hosts, HS_REDUCTION_SNF);
        CHECK_CLOSE(makespan_of(time, hosts, HS_REDUCTION_OPTIMAL), best, 1e-12);
        missed += snf > best * (1.0 + 1e-9);
    }
    assert_true(missed > 0);
}

static void test_large(void **state)
{
    (void)state;
    hs__random random = {73};
    double *time = calloc(MOST, sizeof *time);
    assert_non_null(time);
    for (int trial = 0; trial < 12; trial++) {
        random_classes(&random, time, 64, 6, trial % 2);
        assert_true(makespan_of(time, 64, HS_REDUCTION_OPTIMAL) <= makespan_of(time, 64, HS_REDUCTION_SNF));
    }
    for (int i = 0; i < MOST; i++) /* no two alike: a bound and a schedule */
        time[i] = 1.0 + 9.0 * hs__random_unit(&random);
    for (int m = 0; m < 3; m += 2)
        hs_reduction_free(plan_of(time, MOST, every_method[m]));
    for (int i = 0; i < 40; i++) /* times that vanish beside others */
        time[i] = i % 3 == 0 ? 1.0 : i % 3 == 1 ? 3.0 : 0x1p-45;
    hs_reduction_free(plan_of(time, 40, HS_REDUCTION_OPTIMAL));
    free(time);
}

/* Slowest first, lowest index first among equals, each as early as it can: also where times differ in their last bits,
 * or by orders of magnitude. */
static void test_slowest_first(void **state)
{
    (void)state;
    hs__random random = {75};
    double time[16];
    for (int trial = 0; trial < 300; trial++) {
        int hosts = 1 + trial % 16, order[16], count;
        for (int i = 0; i < hosts; i++) {
            int kind = (int)hs__random_below(&random, 3);
            time[i] = kind == 0   ? 1.0 + (double)hs__random_below(&random, 3)
                      : kind == 1 ? 1.0 + (double)hs__random_below(&random, 3) * 0x1p-52
                                  : ldexp(1.0 + hs__random_unit(&random), (int)hs__random_below(&random, 60) - 30);
            int k = i;
            for (; k > 0 && time[order[k - 1]] < time[i]; k--)
                order[k] = order[k - 1];
            order[k] = i;
        }
        hs_reduction *plan = plan_of(time, hosts, HS_REDUCTION_SNF);
        const hs_transfer *m = hs_reduction_transfers(plan, &count);
        assert_int_equal(hs_reduction_root(plan), order[0]);
        for (int k = 0; k < count; k++)
            assert_int_equal(m[k].from, order[k + 1]);
        assert_true(hs_reduction_makespan(plan) == earliest(time, hosts, order + 1));
        hs_reduction_free(plan);
    }
}

static void test_small_budget(void **state)
{
    (void)state;
    hs__random random = {74};
    double time[40];
    for (int trial = 0; trial < 20; trial++) {
        hs_reduction *plan = NULL;
        hs_error error;
        random_classes(&random, time, 40, 6, 0);
        double snf = makespan_of(time, 40, HS_REDUCTION_SNF);
        for (int m = 1; m < 3; m++) {
            assert_int_equal(hs_reduction_create(time, 40, every_method[m], 20, &plan, &error), HS_OK);
            assert_true(hs_reduction_makespan(plan) <= snf);
            assert_true(hs_reduction_explored(plan) <= 20);
            assert_true(2.0 * hs_reduction_lower_bound(plan) >= hs_reduction_makespan(plan));
            hs_reduction_free(plan);
        }
    }
}

/* Many different times: most of the work is steps to better prices. */
static void test_prices_in_budget(void **state)
{
    (void)state;
    enum { HOSTS = 21, BUDGET = 20000 };
    hs__random random = {76};
    double time[HOSTS];
    for (int trial = 0; trial < 3; trial++) {
        hs_reduction *plan = NULL;
        hs_error error;
        for (int i = 0; i < HOSTS; i++)
            time[i] = exp(3.0 * hs__random_unit(&random));
        assert_int_equal(hs_reduction_create(time, HOSTS, HS_REDUCTION_OPTIMAL, BUDGET, &plan, &error), HS_OK);
        assert_false(hs_reduction_is_optimal(plan));
        assert_true(hs_reduction_explored(plan) < BUDGET / 2);
        hs_reduction_free(plan);
    }
}

/* Times whose schedule just ends at a finite time; rounded up, as groups of them are, none does. */
static void test_times_as_long_as_they_may_be(void **state)
{
    (void)state;
    enum { HOSTS = 60 };
    hs__random random = {77};
    double time[HOSTS];
    for (int i = 0; i < HOSTS; i++)
        time[i] = 1.0 + hs__random_unit(&random);
    hs_reduction *plan = plan_of(time, HOSTS, HS_REDUCTION_SNF);
    double factor = DBL_MAX / hs_reduction_makespan(plan) * (1.0 - 1e-9);
    hs_reduction_free(plan);
    for (int i = 0; i < HOSTS; i++)
        time[i] *= factor;
    plan = plan_of(time, HOSTS, HS_REDUCTION_OPTIMAL);
    assert_true(isfinite(hs_reduction_makespan(plan)));
    hs_reduction_free(plan);
}

static void test_bad_input(void **state)
{
    (void)state;
    static const double bad[] = {0.0, -1.0, NAN, INFINITY};
    double time[HS_REDUCTION_PAPER_MAX + 1] = {1, 2, 3};
    hs_reduction *plan = NULL;
    hs_error error;
    for (int i = 0; i < 4; i++) {
        time[1] = bad[i];
        for (int m = 0; m < 3; m++)
            assert_int_equal(hs_reduction_create(time, 3, every_method[m], 0, &plan, &error), HS_ERR_ARG);
    }
    time[1] = 1;
    assert_int_equal(hs_reduction_create(time, 0, HS_REDUCTION_SNF, 0, &plan, &error), HS_ERR_ARG);
    assert_int_equal(hs_reduction_create(NULL, 3, HS_REDUCTION_SNF, 0, &plan, &error), HS_ERR_ARG);
    assert_int_equal(hs_reduction_create(time, 3, HS_REDUCTION_OPTIMAL, -1, &plan, &error), HS_ERR_ARG);
    assert_int_equal(hs_reduction_create(time, 3, (hs_reduction_method)9, 0, &plan, &error), HS_ERR_ARG);
    assert_int_equal(hs_reduction_create(time, 3, HS_REDUCTION_SNF, 0, NULL, &error), HS_ERR_ARG);
    for (int i = 0; i <= HS_REDUCTION_PAPER_MAX; i++)
        time[i] = 1;
    assert_int_equal(hs_reduction_create(time, HS_REDUCTION_PAPER_MAX + 1, HS_REDUCTION_PAPER, 0, &plan, &error),
                     HS_ERR_UNSUPPORTED);
    for (int i = 0; i < 4; i++)
        time[i] = DBL_MAX;
    for (int m = 0; m < 3; m++)
        assert_int_equal(hs_reduction_create(time, 4, every_method[m], 0, &plan, &error), HS_ERR_ARG);
    assert_int_equal(hs_reduction_create_given(time, 4, (const int[]){1, 2, 3}, &plan, &error), HS_ERR_ARG);
    CHECK_ERROR_SAYS(&error, 0, "no schedule's is finite");
    assert_null(plan);
    hs_reduction_free(NULL);
}

static void test_what_is_no_schedule(void **state)
{
    (void)state;
    const double time[] = {1, 1, 1, 2};
    const hs_transfer valid[] = {{0, 3, 0, 1}, {1, 2, 0, 1}, {2, 3, 1, 2}};
    static const struct {
        int k;
        hs_transfer instead;
    } row[] = {
        {0, {0, 2, 0, 1}},     /* host 2 in two messages */
        {2, {2, 3, 0.5, 1.5}}, /* host 2 sends while it receives */
        {2, {2, 1, 1, 2}},     /* to one that has sent */
        {1, {1, 2, 0, 0.5}},   /* too short */
        {2, {0, 3, 1, 2}},     /* twice from one, never from another */
        {2, {3, 2, 1, 3}},     /* the root sends */
        {0, {0, 0, 0, 1}},     /* to itself */
        {0, {0, 4, 0, 1}},     /* to nobody */
        {0, {0, 3, -1, 0}},    /* before the beginning */
        {0, {0, 3, NAN, NAN}},
        {0, {0, 3, 0, INFINITY}},
    };
    hs_error error;
    assert_int_equal(hs_reduction_check(time, 4, 3, valid, &error), HS_OK);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        hs_transfer m[3];
        memcpy(m, valid, sizeof m);
        m[row[i].k] = row[i].instead;
        if (hs_reduction_check(time, 4, 3, m, &error) != HS_ERR_INFEASIBLE)
            fail_msg("row %zu passes for a schedule", i);
    }
    assert_int_equal(hs_reduction_check(time, 4, 4, valid, &error), HS_ERR_ARG);
    assert_int_equal(hs_reduction_check(NULL, 4, 3, valid, &error), HS_ERR_ARG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_given_order),
        cmocka_unit_test(test_every_order),
        cmocka_unit_test(test_exact_against_published),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_slowest_first),
        cmocka_unit_test(test_small_budget),
        cmocka_unit_test(test_prices_in_budget),
        cmocka_unit_test(test_times_as_long_as_they_may_be),
        cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_what_is_no_schedule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
