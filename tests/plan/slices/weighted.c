/* SPDX-License-Identifier: BSD-3-Clause */
/* Slices of units with weights, against trying every cut. */
#include "plan/slices/weighted.h"
#include "tests/unit.h"
#include "util/random.h"
#include <float.h>
#include <heteroslice/hs_slices.h>

enum { MAX_HOSTS = 6, MAX_UNITS = 24 };

typedef struct problem {
    double weight[MAX_UNITS], w[MAX_HOSTS], d[MAX_HOSTS];
    int hosts;
    int64_t units, minimum;
    hs_step_model model;
} problem;

static hs_status solve(const problem *p, int64_t *count, double *step)
{
    return hs_slices_compute_weighted(p->weight, p->w, p->d, p->hosts, p->units, p->minimum, p->model, count, step);
}

/* Seconds of host i for units first <= u < end. */
static double host_time(const problem *p, int i, int64_t first, int64_t end)
{
    double before = 0, all = 0;
    for (int64_t u = 0; u < end; u++) {
        before += u < first ? p->weight[u] : 0;
        all += p->weight[u];
    }
    double compute = (all - before) * p->w[i];
    return p->model == HS_STEP_OVERLAP ? fmax(compute, p->d[i]) : compute + p->d[i];
}

/* The least step time of hosts i and behind with the units from first on, slices of at least m. */
static double try_all(const problem *p, int i, int64_t first, int64_t m)
{
    if (i == p->hosts)
        return first == p->units ? 0 : INFINITY;
    double best = try_all(p, i + 1, first, m);
    for (int64_t end = first + m; end <= p->units && p->w[i] < INFINITY; end++) {
        double mine = host_time(p, i, first, end);
        if (mine < best)
            best = fmin(best, fmax(mine, try_all(p, i + 1, end, m)));
    }
    return best;
}

static double step_of(const problem *p, const int64_t *count)
{
    double step = 0;
    int64_t first = 0;
    for (int i = 0; i < p->hosts; first += count[i++])
        if (count[i] > 0)
            step = fmax(step, host_time(p, i, first, first + count[i]));
    return step;
}

/* The heaviest m - 1 units in a row, on the slowest host. */
static double slack(const problem *p)
{
    double most = 0, slowest = 0;
    for (int64_t first = 0; first < p->units; first++) {
        double sum = 0;
        for (int64_t u = first; u < p->units && u < first + p->minimum - 1; u++)
            sum += p->weight[u];
        most = fmax(most, sum);
    }
    for (int i = 0; i < p->hosts; i++)
        slowest = p->w[i] < INFINITY ? fmax(slowest, p->w[i]) : slowest;
    return most * slowest;
}

/* Few values make ties, fractions make sums that are rounded; zeros and one heavy unit are there, too. */
static problem random_problem(hs__random *random, int64_t minimum)
{
    problem p = {.hosts = 1 + (int)hs__random_below(random, MAX_HOSTS - 1),
                 .units = 1 + hs__random_below(random, 12),
                 .minimum = minimum,
                 .model = hs__random_below(random, 2) ? HS_STEP_OVERLAP : HS_STEP_SERIAL};
    int64_t kind = hs__random_below(random, 4);
    for (int64_t u = 0; u < p.units; u++)
        p.weight[u] = kind == 0   ? (double)hs__random_below(random, 4)
                      : kind == 1 ? exp(8 * hs__random_unit(random) - 4)
                                  : hs__random_unit(random);
    if (kind == 2)
        p.weight[hs__random_below(random, p.units)] = 100;
    p.weight[0] = fmax(p.weight[0], 0.5); /* not all zero */
    for (int i = 0; i < p.hosts; i++) {
        p.w[i] = kind == 0 ? 1 + (double)hs__random_below(random, 3) : 0.1 + hs__random_unit(random);
        p.d[i] = hs__random_below(random, 3) ? 0 : 3 * hs__random_unit(random);
        if (i > 0 && hs__random_below(random, 12) == 0)
            *(hs__random_below(random, 2) ? &p.w[i] : &p.d[i]) = INFINITY;
    }
    return p;
}

static void equals_trying_every_cut(void **state)
{
    hs__random random = {21};
    for (int trial = 0; trial < 2000; trial++) {
        problem p = random_problem(&random, 1);
        int64_t count[MAX_HOSTS];
        double step;
        assert_int_equal(solve(&p, count, &step), HS_OK);
        assert_int_equal(hs_slices_check(count, p.hosts, p.units, 1, NULL), HS_OK);
        double best = try_all(&p, 0, 0, 1);
        if (step != best)
            fail_msg("trial %d: %.17g, at best %.17g", trial, step, best);
        assert_true(step_of(&p, count) == step);
    }
}

static void slices_are_long_enough(void **state)
{
    hs__random random = {22};
    int exact = 0;
    for (int trial = 0; trial < 1000; trial++) {
        problem p = random_problem(&random, 2 + hs__random_below(&random, 3));
        int64_t count[MAX_HOSTS];
        double step = -1, best = try_all(&p, 0, 0, p.minimum);
        hs_status status = solve(&p, count, &step);
        if (p.units < p.minimum) {
            assert_int_equal(status, HS_ERR_INFEASIBLE);
            assert_true(step == -1);
            continue;
        }
        assert_int_equal(status, HS_OK);
        assert_int_equal(hs_slices_check(count, p.hosts, p.units, p.minimum, NULL), HS_OK);
        assert_true(step_of(&p, count) == step);
        assert_true(step >= best);
        assert_true(step <= (best + slack(&p)) * (1 + 1e-12));
        exact += step == best;
    }
    assert_true(exact > 500);
}

typedef struct row {
    const char *what;
    problem p;
    int64_t count[4];
    double step;
} row;

/* Worked by hand. */
static const row rows[] = {
    {"one host", {{1, 2, 3}, {2}, {1}, 1, 3, 1, HS_STEP_SERIAL}, {3}, 13},
    {"the order stays", {{1, 1, 1, 6}, {1, 2}, {0, 0}, 2, 4, 1, HS_STEP_SERIAL}, {4, 0}, 9},
    {"a heavy end", {{1, 1, 1, 6}, {2, 1}, {0, 0}, 2, 4, 1, HS_STEP_SERIAL}, {3, 1}, 6},
    {"one outweighs all others", {{1, 1, 100, 1, 1}, {1, 1, 1}, {0, 0, 0}, 3, 5, 1, HS_STEP_SERIAL}, {2, 1, 2}, 100},
    {"the others are level", {{100, 1, 1, 1, 1}, {1, 1, 1}, {0, 0, 0}, 3, 5, 1, HS_STEP_SERIAL}, {1, 2, 2}, 100},
    {"all of the others",
     {{100, 1, 1, 1, 1, 1, 1, 1, 1}, {1, 1, 1}, {0, 0, 0}, 3, 9, 1, HS_STEP_SERIAL},
     {1, 4, 4},
     100},
    {"longer messages, less of them",
     {{100, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {1, 1, 1, 1}, {0, 4, 0, 0}, 4, 15, 1, HS_STEP_SERIAL},
     {1, 2, 6, 6},
     100},
    {"messages of nearly the step leave something",
     {{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {1, 1, 1}, {0, 5, 0}, 3, 12, 1, HS_STEP_SERIAL},
     {6, 1, 5},
     6},
    {"more hosts than units", {{1, 1}, {1, 1, 1, 1}, {0, 0, 0, 0}, 4, 2, 1, HS_STEP_SERIAL}, {1, 1, 0, 0}, 1},
    {"dear messages leave a host out", {{4, 4}, {1, 1}, {0, 9}, 2, 2, 1, HS_STEP_SERIAL}, {2, 0}, 8},
    {"the same under overlap pays", {{7, 7}, {1, 1}, {0, 7}, 2, 2, 1, HS_STEP_OVERLAP}, {1, 1}, 7},
    {"all zero counts units", {{0, 0, 0, 0}, {1, 3}, {0, 0}, 2, 4, 1, HS_STEP_SERIAL}, {3, 1}, 3},
    {"speed 0 takes nothing", {{1, 1, 1}, {INFINITY, 1}, {0, 0}, 2, 3, 1, HS_STEP_SERIAL}, {0, 3}, 3},
    {"weight 0 costs nothing", {{3, 0, 0, 3}, {1, 1}, {0, 0}, 2, 4, 1, HS_STEP_SERIAL}, {1, 3}, 3},
};

static void worked_rows(void **state)
{
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        int64_t count[4], units = 0;
        double step;
        assert_int_equal(solve(&rows[r].p, count, &step), HS_OK);
        assert_true(step == rows[r].step);
        for (int i = 0; i < rows[r].p.hosts; units += count[i++])
            if (count[i] != rows[r].count[i])
                fail_msg("%s: host %d takes %lld", rows[r].what, i, (long long)count[i]);
        assert_int_equal(units, rows[r].p.units);
    }
}

/* Where no host has messages, a pace that is the same for every size changes nothing. */
static void worked_rows_of_one_pace(void **state)
{
    static const hs_speed_point always = {1, 1};
    static const hs_speed_function pace[] = {
        {&always, 1, INFINITY}, {&always, 1, INFINITY}, {&always, 1, INFINITY}, {&always, 1, INFINITY}};
    const hs__slice_sizes sizes = {.pace = pace, .unit_bytes = 1, .weight_bytes = 1};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const problem *p = &rows[r].p;
        double prefix[MAX_UNITS + 1], step, longest = 0;
        int64_t count[MAX_HOSTS], scratch[HS__SLICES_SCRATCH(MAX_HOSTS)];
        for (int i = 0; i < p->hosts; i++)
            longest = fmax(longest, p->d[i]);
        assert_int_equal(hs__weights_sum(p->weight, p->units, prefix), HS_OK);
        const hs__slices_task task = {prefix, p->w, p->d, &sizes, p->hosts, p->units, p->minimum};
        assert_int_equal(hs__slices_cut(&task, p->model, NULL, count, &step, scratch), HS_OK);
        CHECK_CLOSE(step, rows[r].step, 1e-12);
        for (int i = 0; i < p->hosts && longest == 0; i++)
            if (count[i] != rows[r].count[i])
                fail_msg("%s: host %d takes %lld", rows[r].what, i, (long long)count[i]);
    }
}

/* Units of weight 1 cost what hs_slices_compute() says. */
static void equal_weights_are_units(void **state)
{
    hs__random random = {23};
    for (int trial = 0; trial < 200; trial++) {
        problem p = random_problem(&random, 1);
        int64_t count[MAX_HOSTS];
        double step, units_step;
        for (int64_t u = 0; u < p.units; u++)
            p.weight[u] = 1;
        assert_int_equal(solve(&p, count, &step), HS_OK);
        assert_int_equal(hs_slices_compute(p.w, p.d, p.hosts, p.units, 1, p.model, count, &units_step), HS_OK);
        assert_true(step == units_step);
    }
}

/* Slices of equal weights may take times that differ in the last bit: deadlines between which there is no number. */
static void neighbouring_deadlines(void **state)
{
    hs__random random = {29};
    double weight[9], nothing[4] = {0}, step;
    int64_t count[4];
    for (int u = 0; u < 9; u++)
        weight[u] = 0.1;
    for (int trial = 0; trial < 2000; trial++) {
        double c = trial ? 1e-10 * (1 + hs__random_unit(&random)) : 2.6012420177025618e-10, w[4] = {c, c, c, c};
        assert_int_equal(hs_slices_compute_weighted(weight, w, nothing, 4, 9, 1, HS_STEP_SERIAL, count, &step), HS_OK);
        CHECK_CLOSE(step, 0.3 * c, 1e-12);
    }
}

/* A large problem: no slice could be a unit shorter without another being too long. The last borders are known only by
 * how the whole compares with a divisible load. Messages take up to most_d seconds, less than a step, so all take part. */
static void large_problem_is_level(hs_step_model model, int most_d)
{
    enum { UNITS = 200000, HOSTS = 300 };
    hs__random random = {24};
    double *weight = malloc(UNITS * sizeof *weight), *w = malloc(2 * HOSTS * sizeof *w), *d = w + HOSTS;
    int64_t *count = malloc(HOSTS * sizeof *count), first = 0;
    double sum = 0, speed = 0, most = 0, step, slowest = 0, lost = 0;
    for (int u = 0; u < UNITS; u++) {
        weight[u] = 1 + (double)hs__random_below(&random, 100); /* whole numbers: sums are exact */
        sum += weight[u];
        most = fmax(most, weight[u]);
    }
    for (int i = 0; i < HOSTS; i++) {
        w[i] = 1 + (double)hs__random_below(&random, 8);
        d[i] = (double)hs__random_below(&random, most_d + 1);
        speed += 1 / w[i];
        lost += model == HS_STEP_SERIAL ? d[i] / w[i] : 0;
        slowest = fmax(slowest, w[i]);
    }
    double ideal = (sum + lost) / speed;
    assert_true(ideal > most_d);
    assert_int_equal(hs_slices_compute_weighted(weight, w, d, HOSTS, UNITS, 1, model, count, &step), HS_OK);
    assert_true(step >= ideal && step <= ideal + most * slowest);
    for (int i = 0; i < HOSTS; first += count[i++]) {
        double mine = model == HS_STEP_SERIAL ? d[i] : 0;
        for (int64_t u = first; u < first + count[i]; u++)
            mine += weight[u] * w[i];
        assert_true(mine <= step && mine >= step - 3 * most * slowest);
    }
    assert_int_equal(first, UNITS);
    free(weight);
    free(w);
    free(count);
}

static void large_problems_are_level(void **state)
{
    large_problem_is_level(HS_STEP_SERIAL, 0);
    large_problem_is_level(HS_STEP_SERIAL, 60000);
    large_problem_is_level(HS_STEP_OVERLAP, 60000);
}

/* Whatever the unit of time: by powers of two, which are exact. */
static void seconds_may_be_of_any_length(void **state)
{
    static const double factors[] = {0x1p-30, 0x1p30};
    hs__random random = {25};
    for (int trial = 0; trial < 300; trial++) {
        problem p = random_problem(&random, 1 + trial % 3);
        int64_t count[MAX_HOSTS];
        double step;
        hs_status status = solve(&p, count, &step);
        for (size_t f = 0; f < sizeof factors / sizeof *factors; f++) {
            problem scaled = p;
            int64_t again[MAX_HOSTS];
            double other;
            for (int i = 0; i < p.hosts; i++) {
                scaled.w[i] *= factors[f];
                scaled.d[i] *= factors[f];
            }
            assert_int_equal(solve(&scaled, again, &other), status);
            if (status != HS_OK)
                continue;
            assert_true(other == step * factors[f]);
            for (int i = 0; i < p.hosts; i++)
                assert_int_equal(again[i], count[i]);
        }
    }
}

static void bad_input_is_refused(void **state)
{
    const double bad[] = {-1, NAN, INFINITY, -INFINITY};
    const problem good = {{1, 2, 3, 4}, {1, 1}, {0, 0}, 2, 4, 1, HS_STEP_SERIAL};
    int64_t count[MAX_HOSTS] = {-7};
    double step = -7;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        problem p = good;
        p.weight[2] = bad[i];
        assert_int_equal(solve(&p, count, &step), HS_ERR_ARG);
        p = good;
        p.d[1] = bad[i];
        assert_int_equal(solve(&p, count, &step), bad[i] == INFINITY ? HS_OK : HS_ERR_ARG);
    }
    problem sum = good, slow = good, few = good, model = good, hosts = good, at_once = good, none = good, idle = good;
    sum.weight[0] = sum.weight[1] = DBL_MAX;
    slow.w[0] = slow.w[1] = INFINITY;
    few.minimum = 5;
    model.model = (hs_step_model)7;
    hosts.hosts = 0;
    at_once.minimum = 0;
    none.units = 0;
    idle.w[1] = 0;
    count[0] = -7;
    step = -7;
    assert_int_equal(solve(&sum, count, &step), HS_ERR_ARG);
    assert_int_equal(solve(&slow, count, &step), HS_ERR_INFEASIBLE);
    assert_int_equal(solve(&few, count, &step), HS_ERR_INFEASIBLE);
    assert_int_equal(solve(&model, count, &step), HS_ERR_ARG);
    assert_int_equal(solve(&hosts, count, &step), HS_ERR_ARG);
    assert_int_equal(solve(&at_once, count, &step), HS_ERR_ARG);
    assert_int_equal(solve(&idle, count, &step), HS_ERR_ARG);
    assert_int_equal(solve(&none, count, &step), HS_ERR_INFEASIBLE); /* fewer than the minimum, but no mistake */
    none.units = -1;
    assert_int_equal(solve(&none, count, &step), HS_ERR_ARG);
    for (int missing = 0; missing < 4; missing++)
        assert_int_equal(hs_slices_compute_weighted(missing == 0 ? NULL : good.weight, missing == 1 ? NULL : good.w,
                                                    missing == 2 ? NULL : good.d, 2, 4, 1, HS_STEP_SERIAL,
                                                    missing == 3 ? NULL : count, &step),
                         HS_ERR_ARG);
    assert_true(count[0] == -7 && step == -7);
}

/* Weights up to each border, whatever was there before; all zero count as equal. */
static void weights_are_summed(void **state)
{
    double prefix[] = {7, 7, 7, 7};
    assert_int_equal(hs__weights_sum((double[]){1, 0, 2.5}, 3, prefix), HS_OK);
    assert_true(prefix[0] == 0 && prefix[1] == 1 && prefix[2] == 1 && prefix[3] == 3.5);
    assert_int_equal(hs__weights_sum((double[]){0, 0, 0}, 3, prefix), HS_OK);
    assert_true(prefix[0] == 0 && prefix[1] == 1 && prefix[2] == 2 && prefix[3] == 3);
    prefix[0] = 7;
    assert_int_equal(hs__weights_sum(NULL, 0, prefix), HS_OK);
    assert_true(prefix[0] == 0);
    assert_int_equal(hs__weights_sum((double[]){DBL_MAX, DBL_MAX}, 2, prefix), HS_ERR_ARG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_are_summed),       cmocka_unit_test(worked_rows),
        cmocka_unit_test(equals_trying_every_cut),  cmocka_unit_test(slices_are_long_enough),
        cmocka_unit_test(equal_weights_are_units),  cmocka_unit_test(neighbouring_deadlines),
        cmocka_unit_test(large_problems_are_level), cmocka_unit_test(seconds_may_be_of_any_length),
        cmocka_unit_test(bad_input_is_refused),     cmocka_unit_test(worked_rows_of_one_pace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
