/* SPDX-License-Identifier: BSD-3-Clause */
/* Cuts near the slices that are held, against trying every cut. */
#include "plan/slices/weighted.h"
#include "tests/unit.h"
#include "util/random.h"
#include <heteroslice/hs_slices.h>

enum { MAX_HOSTS = 5, MAX_UNITS = 12 };

typedef struct problem {
    double prefix_of[MAX_UNITS + 1], w[MAX_HOSTS], d[MAX_HOSTS];
    const double *prefix; /* NULL: every unit weighs 1 */
    double exposed;
    int hosts;
    int64_t units, minimum, held[MAX_HOSTS];
} problem;

static problem random_problem(hs__random *random)
{
    problem p = {.hosts = 1 + (int)hs__random_below(random, MAX_HOSTS),
                 .units = hs__random_below(random, MAX_UNITS + 1),
                 .minimum = 1 + hs__random_below(random, 2),
                 .exposed = 0.5 * (double)hs__random_below(random, 3)};
    int64_t left = p.units;
    for (int64_t u = 0; u < p.units; u++)
        p.prefix_of[u + 1] = p.prefix_of[u] + (double)hs__random_below(random, 4);
    for (int i = 0; i < p.hosts; left -= p.held[i++]) {
        p.held[i] = i == p.hosts - 1 ? left : hs__random_below(random, left + 1);
        p.w[i] = 1 + (double)hs__random_below(random, 3);
        p.d[i] = (double)hs__random_below(random, 4);
        if (i > 0 && hs__random_below(random, 12) == 0)
            *(hs__random_below(random, 2) ? &p.w[i] : &p.d[i]) = INFINITY;
    }
    return p;
}

static double weight(const problem *p, int64_t first, int64_t end)
{
    return p->prefix ? p->prefix[end] - p->prefix[first] : (double)(end - first);
}

/* Whether host i may have the units first <= u < end. */
static int fits(const problem *p, int i, int64_t first, int64_t end, double deadline)
{
    double c = end > first ? weight(p, first, end) * p->w[i] : 0;
    if (end == first)
        return 1;
    return p->w[i] < INFINITY && fmax(c, p->d[i]) + p->exposed * fmin(c, p->d[i]) <= deadline;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* How far the border that is furthest from the one held is, in the best of all cuts; host i begins at first. */
static int64_t least_distance(const problem *p, int i, int64_t first, int64_t held, double deadline)
{
    int64_t best = INT64_MAX;
    if (i == p->hosts)
        return first == p->units ? 0 : best;
    held += p->held[i];
    for (int64_t end = first; end <= p->units; end++)
        if (fits(p, i, first, end, deadline)) {
            int64_t most = larger(llabs(end - held), least_distance(p, i + 1, end, held, deadline));
            best = most < best ? most : best;
        }
    return best;
}

static int64_t distance(const problem *p, const int64_t *count)
{
    int64_t most = 0, off = 0;
    for (int i = 0; i < p->hosts; i++) {
        off += count[i] - p->held[i];
        most = larger(most, llabs(off));
    }
    return most;
}

static hs_status near(const problem *p, double deadline, int64_t *count)
{
    int64_t scratch[HS__SLICES_SCRATCH(MAX_HOSTS)];
    const hs__slices_task task = {p->prefix, p->w, p->d, NULL, p->hosts, p->units, p->minimum};
    return hs__slices_near(&task, p->exposed, deadline, p->held, count, scratch);
}

/* Every slice in time, and no border further away than in the best of all cuts. */
static void check(const problem *p, double deadline, int64_t *infeasible)
{
    int64_t count[MAX_HOSTS] = {-7}, least = least_distance(p, 0, 0, 0, deadline), first = 0;
    hs_status status = near(p, deadline, count);
    if (status != HS_OK) {
        assert_int_equal(status, HS_ERR_INFEASIBLE);
        assert_int_equal(count[0], -7);
        assert_true(least == INT64_MAX || p->minimum > 1);
        ++*infeasible;
        return;
    }
    assert_int_equal(hs_slices_check(count, p->hosts, p->units, p->minimum, NULL), HS_OK);
    assert_int_equal(distance(p, count), least);
    for (int i = 0; i < p->hosts; first += count[i++])
        assert_true(fits(p, i, first, first + count[i], deadline));
}

static void equals_trying_every_cut(void **state)
{
    enum { TRIALS = 4000 };
    hs__random random = {21};
    int64_t infeasible = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        problem p = random_problem(&random);
        p.prefix = hs__random_below(&random, 2) ? p.prefix_of : NULL;
        check(&p, (double)hs__random_below(&random, 30), &infeasible);
    }
    assert_in_range(infeasible, TRIALS / 10, TRIALS / 2);
}

/* More time never means more distance; enough of it leaves everything where it is. */
static void later_deadlines_move_less(void **state)
{
    hs__random random = {22};
    for (int trial = 0; trial < 300; trial++) {
        problem p = random_problem(&random);
        int64_t count[MAX_HOSTS], last = INT64_MAX;
        p.prefix = p.prefix_of;
        p.minimum = 1;
        for (int i = 0; i < p.hosts; i++)
            if (isinf(p.w[i]) || isinf(p.d[i]))
                p.w[i] = p.d[i] = 1;
        for (double deadline = 0; deadline <= 200; deadline++)
            if (near(&p, deadline, count) == HS_OK) {
                assert_true(distance(&p, count) <= last);
                last = distance(&p, count);
            }
        assert_int_equal(last, 0);
    }
}

/* A new cut for slices that are held has the least step time, and of all such cuts is near. */
static void the_best_cut_is_near(void **state)
{
    hs__random random = {25};
    int nearer = 0;
    for (int trial = 0; trial < 1000; trial++) {
        problem p = random_problem(&random);
        int64_t level[MAX_HOSTS], count[MAX_HOSTS], scratch[HS__SLICES_SCRATCH(MAX_HOSTS)];
        hs_step_model model = p.exposed > 0 ? HS_STEP_SERIAL : HS_STEP_OVERLAP;
        double best, step;
        p.prefix = p.prefix_of;
        p.exposed = model == HS_STEP_SERIAL;
        p.minimum = 1;
        p.w[0] = p.w[0] < INFINITY ? p.w[0] : 1;
        if (p.units == 0)
            continue;
        memset(scratch, 0x7f, sizeof scratch); /* of a call before */
        const hs__slices_task task = {p.prefix, p.w, p.d, NULL, p.hosts, p.units, 1};
        assert_int_equal(hs__slices_cut(&task, model, NULL, level, &best, scratch), HS_OK);
        assert_int_equal(hs__slices_cut(&task, model, p.held, count, &step, scratch), HS_OK);
        assert_true(step == best);
        assert_int_equal(distance(&p, count), least_distance(&p, 0, 0, 0, best));
        nearer += distance(&p, count) < distance(&p, level);
    }
    assert_true(nearer > 100);
}

typedef struct row {
    const char *what;
    problem p;
    double deadline;
    int64_t count[MAX_HOSTS];
} row;

/* Worked by hand: equal units. */
static const row rows[] = {
    {"in time already", {{0}, {1, 1}, {0, 0}, NULL, 1, 2, 10, 1, {7, 3}}, 7, {7, 3}},
    {"no more than it must", {{0}, {1, 1}, {0, 0}, NULL, 1, 2, 10, 1, {7, 3}}, 6, {6, 4}},
    {"to both sides", {{0}, {1, 1, 1}, {0, 0, 0}, NULL, 1, 3, 12, 1, {2, 8, 2}}, 4, {4, 4, 4}},
    {"half to both sides", {{0}, {1, 1, 1}, {0, 0, 0}, NULL, 1, 3, 12, 1, {2, 8, 2}}, 6, {3, 6, 3}},
    {"the others stay", {{0}, {1, 1, 1, 1}, {0, 0, 0, 0}, NULL, 1, 4, 12, 1, {2, 2, 6, 2}}, 5, {2, 2, 5, 3}},
    {"through a neighbour", {{0}, {1, 1, 1}, {0, 0, 0}, NULL, 1, 3, 11, 1, {6, 4, 1}}, 4, {4, 4, 3}},
};

static void worked_rows(void **state)
{
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        int64_t count[MAX_HOSTS];
        assert_int_equal(near(&rows[r].p, rows[r].deadline, count), HS_OK);
        for (int i = 0; i < rows[r].p.hosts; i++)
            if (count[i] != rows[r].count[i])
                fail_msg("%s: host %d takes %lld", rows[r].what, i, (long long)count[i]);
    }
}

/* Units beyond what 32 bits hold, and as many as can be. */
static void many_units(void **state)
{
    static const double w[] = {1, 1, 1}, d[] = {0, 0, 0};
    int64_t count[3], scratch[HS__SLICES_SCRATCH(3)], third = INT64_MAX / 3;
    const int64_t held[] = {INT64_MAX - 2 * third, 0, 2 * third};
    const hs__slices_task task = {NULL, w, d, NULL, 3, INT64_MAX, 1};
    assert_int_equal(hs__slices_near(&task, 1, 1.5 * (double)third, held, count, scratch), HS_OK);
    assert_int_equal(hs_slices_check(count, 3, INT64_MAX, 1, NULL), HS_OK);
    for (int i = 0; i < 3; i++)
        assert_true((double)count[i] <= 1.5 * (double)third * (1 + 1e-15));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_rows),
        cmocka_unit_test(equals_trying_every_cut),
        cmocka_unit_test(later_deadlines_move_less),
        cmocka_unit_test(the_best_cut_is_near),
        cmocka_unit_test(many_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
