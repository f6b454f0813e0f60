/* SPDX-License-Identifier: BSD-3-Clause */
/* Cuts where cycle times depend on the size of a slice: worked by hand, and against trying every cut. */
#include "plan/slices/weighted.h"
#include "tests/unit.h"
#include "util/random.h"

/* How often the planner has asked what a slice takes. */
static int64_t asked;

double __real_hs__speed_time(const hs_speed_function *function, double density, double size);
double __wrap_hs__speed_time(const hs_speed_function *function, double density, double size);

double __wrap_hs__speed_time(const hs_speed_function *function, double density, double size)
{
    asked++;
    return __real_hs__speed_time(function, density, size);
}

enum { MAX_HOSTS = 4, MAX_POINTS = 3, MAX_UNITS = 12 };

typedef struct problem {
    double w[MAX_HOSTS], d[MAX_HOSTS], weight[MAX_UNITS], prefix[MAX_UNITS + 1];
    hs_speed_point point[MAX_HOSTS][MAX_POINTS];
    hs_speed_function pace[MAX_HOSTS];
    hs__slice_sizes sizes;
    int64_t units, minimum, held[MAX_HOSTS];
    int hosts, weighted;
    hs_step_model model;
} problem;

static hs__slices_task task_of(problem *p)
{
    for (int i = 0; i < p->hosts; i++)
        p->pace[i].point = p->point[i];
    p->sizes.pace = p->pace;
    return (hs__slices_task){p->weighted ? p->prefix : NULL, p->w, p->d, &p->sizes, p->hosts, p->units, p->minimum};
}

/* Seconds of host i; INFINITY for a slice that it may not have. */
static double time_of(const problem *p, int i, int64_t first, int64_t end)
{
    int64_t n = end - first;
    double weight = p->weighted ? p->prefix[end] - p->prefix[first] : (double)n;
    if (n == 0)
        return 0;
    if (n < p->minimum || !hs__sized_holds(&p->sizes, i, n) || !(p->w[i] < INFINITY))
        return INFINITY;
    double compute = hs__sized_time(&p->sizes, i, p->w[i], weight);
    return p->model == HS_STEP_SERIAL ? compute + p->d[i] : fmax(compute, p->d[i]);
}

static double best_step(const problem *p, int i, int64_t first)
{
    double best = INFINITY;
    if (i == p->hosts)
        return first == p->units ? 0 : INFINITY;
    for (int64_t end = first; end <= p->units; end++)
        best = fmin(best, fmax(time_of(p, i, first, end), best_step(p, i + 1, end)));
    return best;
}

static double step_of(const problem *p, const int64_t *count)
{
    double step = 0;
    int64_t first = 0;
    for (int i = 0; i < p->hosts; first += count[i++])
        step = fmax(step, time_of(p, i, first, first + count[i]));
    return step;
}

static hs_status cut(problem *p, const int64_t *held, int64_t *count, double *step)
{
    int64_t scratch[HS__SLICES_SCRATCH(MAX_HOSTS)];
    const hs__slices_task task = task_of(p);
    return hs__slices_cut(&task, p->model, held, count, step, scratch);
}

static problem random_problem(hs__random *random)
{
    problem p = {.hosts = 1 + (int)hs__random_below(random, MAX_HOSTS),
                 .units = 1 + hs__random_below(random, MAX_UNITS),
                 .weighted = (int)hs__random_below(random, 2),
                 .model = hs__random_below(random, 2) ? HS_STEP_OVERLAP : HS_STEP_SERIAL};
    p.minimum = p.weighted ? 1 : 1 + hs__random_below(random, 3);
    p.sizes.unit_bytes = 1 + hs__random_unit(random);
    for (int u = 0; u < p.units; u++)
        p.weight[u] = (double)hs__random_below(random, 5);
    assert_int_equal(hs__weights_sum(p.weight, p.units, p.prefix), HS_OK);
    p.sizes.weight_bytes = hs__weight_bytes(p.weighted ? p.prefix : NULL, p.units, p.sizes.unit_bytes);
    for (int i = 0; i < p.hosts; i++) {
        double size = 1, rate = 3;
        p.w[i] = hs__random_below(random, 8) ? 0.5 + hs__random_unit(random) : INFINITY;
        p.d[i] = hs__random_below(random, 2) ? hs__random_unit(random) : 0;
        p.pace[i].points = 1 + (int)hs__random_below(random, MAX_POINTS);
        for (int k = 0; k < p.pace[i].points; k++) { /* the rate falls, whatever the speed does */
            size += 0.1 + 6 * hs__random_unit(random);
            rate *= 0.1 + 0.85 * hs__random_unit(random);
            p.point[i][k] = (hs_speed_point){size, size * rate};
        }
        p.pace[i].max_size = hs__random_below(random, 2) ? 12 * hs__random_unit(random) : INFINITY;
    }
    return p;
}

static void equals_trying_every_cut(void **state)
{
    enum { TRIALS = 3000 };
    hs__random random = {31};
    int infeasible = 0, limited = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        problem p = random_problem(&random);
        int64_t count[MAX_HOSTS] = {-7};
        double step;
        hs_status status = cut(&p, NULL, count, &step);
        double best = best_step(&p, 0, 0);
        if (!isfinite(best)) {
            infeasible++;
            assert_int_equal(status, HS_ERR_INFEASIBLE);
            assert_int_equal(count[0], -7);
            continue;
        }
        assert_int_equal(status, HS_OK);
        assert_int_equal(hs_slices_check(count, p.hosts, p.units, p.minimum, NULL), HS_OK);
        if (step != best || step_of(&p, count) != best)
            fail_msg("trial %d: %.17g, %.17g, best %.17g", trial, step, step_of(&p, count), best);
        for (int i = 0; i < p.hosts; i++)
            limited += count[i] > 0 && !hs__sized_holds(&p.sizes, i, count[i] + 1);
    }
    assert_true(infeasible > 100 && limited > 100 && infeasible < TRIALS / 2);
}

/* The furthest border from the one held. */
static int64_t distance(const problem *p, const int64_t *count)
{
    int64_t most = 0, off = 0;
    for (int i = 0; i < p->hosts; i++) {
        off += count[i] - p->held[i];
        most = llabs(off) > most ? llabs(off) : most;
    }
    return most;
}

static int64_t least_distance(const problem *p, int i, int64_t first, int64_t held, double deadline)
{
    int64_t best = INT64_MAX;
    if (i == p->hosts)
        return first == p->units ? 0 : best;
    held += p->held[i];
    for (int64_t end = first; end <= p->units; end++)
        if (time_of(p, i, first, end) <= deadline) {
            int64_t rest = least_distance(p, i + 1, end, held, deadline), off = llabs(end - held);
            int64_t most = off > rest ? off : rest;
            best = most < best ? most : best;
        }
    return best;
}

static void near_slices_are_within_limits(void **state)
{
    hs__random random = {32};
    int found = 0;
    for (int trial = 0; trial < 3000; trial++) {
        problem p = random_problem(&random);
        int64_t count[MAX_HOSTS], scratch[HS__SLICES_SCRATCH(MAX_HOSTS)], left = p.units;
        p.minimum = 1;
        for (int i = 0; i < p.hosts; left -= p.held[i++])
            p.held[i] = i == p.hosts - 1 ? left : hs__random_below(&random, left + 1);
        const hs__slices_task task = task_of(&p);
        double best = best_step(&p, 0, 0), deadline = best * (1 + hs__random_unit(&random));
        hs_status status = hs__slices_near(&task, p.model == HS_STEP_SERIAL, deadline < INFINITY ? deadline : 1e9,
                                           p.held, count, scratch);
        if (!isfinite(best)) {
            assert_int_equal(status, HS_ERR_INFEASIBLE);
            continue;
        }
        assert_int_equal(status, HS_OK);
        assert_true(step_of(&p, count) <= deadline);
        assert_int_equal(distance(&p, count), least_distance(&p, 0, 0, 0, deadline));
        found++;
    }
    assert_true(found > 1000);
}

/* Units of 10 bytes, 1 s each at pace 1. Host 0 has pace 2 up to 100 bytes, 10 units, and 1 from 200 on: 10 units take it
 * 5 s, and 14 of them 140 bytes at pace 1.6, 8.75 s. */
static problem by_hand(int64_t units)
{
    return (problem){.w = {1, 1},
                     .point = {{{100, 2}, {200, 1}}, {{1, 1}}},
                     .pace = {{.points = 2, .max_size = INFINITY}, {.points = 1, .max_size = INFINITY}},
                     .sizes = {.unit_bytes = 10, .weight_bytes = 10},
                     .units = units,
                     .minimum = 1,
                     .hosts = 2};
}

static void check_counts(problem *p, int64_t first, double expected)
{
    int64_t count[MAX_HOSTS];
    double step;
    assert_int_equal(cut(p, NULL, count, &step), HS_OK);
    assert_int_equal(count[0], first);
    CHECK_CLOSE(step, expected, 1e-12);
}

static void worked_by_hand(void **state)
{
    problem cached = by_hand(15), beyond = by_hand(22), full = by_hand(22), heavy = by_hand(4);
    check_counts(&cached, 10, 5);
    check_counts(&beyond, 14, 8.75); /* with 13 of them the other takes 9 s */
    full.pace[0].max_size = 125;
    check_counts(&full, 12, 10);
    static const double weight[] = {9, 1, 3, 2}; /* 40 bytes: 2.67 a unit of weight, so 10 of weight are in the cache */
    memcpy(heavy.weight, weight, sizeof weight);
    assert_int_equal(hs__weights_sum(heavy.weight, 4, heavy.prefix), HS_OK);
    heavy.weighted = 1;
    heavy.sizes.weight_bytes = hs__weight_bytes(heavy.prefix, 4, 10);
    check_counts(&heavy, 2, 5);
    heavy.pace[0].max_size = 19; /* one unit, however heavy */
    check_counts(&heavy, 1, 6);
}

/* A million units: the bisections ask some thousand times, and not once for each unit, whoever may have them. */
static void many_units_take_few_questions(void **state)
{
    enum { UNITS = 1000000 };
    const double w[MAX_HOSTS] = {1, 2, 0.5, 1};
    const hs_speed_point point[] = {{1e5, 1}, {1e8, 0.5}};
    const hs_speed_function pace[MAX_HOSTS] = {{point, 2, 1e12}, {point, 2, 1e12}, {point, 2, 1e12}, {point, 2, 1e12}};
    const hs__slice_sizes sizes = {.pace = pace, .unit_bytes = 8, .weight_bytes = 8};
    double *prefix = test_malloc((UNITS + 1) * sizeof *prefix), d[MAX_HOSTS];
    int64_t count[MAX_HOSTS], scratch[HS__SLICES_SCRATCH(MAX_HOSTS)];
    for (int u = 0; u <= UNITS; u++)
        prefix[u] = u;
    for (int out = 0; out + 1 < 1 << MAX_HOSTS; out++) {
        for (int i = 0; i < MAX_HOSTS; i++)
            d[i] = out & 1 << i ? INFINITY : 0;
        const hs__slices_task task = {prefix, w, d, &sizes, MAX_HOSTS, UNITS, 1};
        asked = 0;
        assert_int_equal(hs__slices_cut(&task, HS_STEP_SERIAL, NULL, count, NULL, scratch), HS_OK);
        assert_in_range(asked, 0, 20000);
    }
    test_free(prefix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(worked_by_hand), cmocka_unit_test(equals_trying_every_cut),
                                       cmocka_unit_test(near_slices_are_within_limits),
                                       cmocka_unit_test(many_units_take_few_questions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
