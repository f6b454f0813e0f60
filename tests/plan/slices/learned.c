/* SPDX-License-Identifier: BSD-3-Clause */
/* Weights from times of units: noise, few times, single units and ranges, units that were never timed, and what is the host's. */
#include "plan/slices/learned.h"
#include "tests/unit.h"
#include "util/random.h"

enum { UNITS = 200 };

/* A slice on a host of some speed. */
typedef struct slice {
    hs__unit_times times;
    double work[UNITS], weight[UNITS]; /* true, and as learned */
} slice;

static void start(slice *s)
{
    *s = (slice){0};
    assert_int_equal(hs__unit_times_start(&s->times, UNITS), HS_OK);
    for (int u = 0; u < UNITS; u++) {
        s->work[u] = u < 50 ? 8 : 1 + u % 3;
        s->weight[u] = 1;
    }
}

/* Times, not weights. */
static void forget(slice *s)
{
    hs__unit_times_end(&s->times);
    assert_int_equal(hs__unit_times_start(&s->times, UNITS), HS_OK);
}

/* Iterations in which units first, first + stride ... are timed in ranges; noise is relative. */
static void iterate(slice *s, int iterations, int first, int stride, int range, double speed, double noise,
                    hs__random *random)
{
    for (int k = 0; k < iterations; k++)
        for (int u = first; u < UNITS; u += stride) {
            int count = u + range < UNITS ? range : UNITS - u;
            double seconds = 0;
            for (int i = u; i < u + count; i++)
                seconds += s->work[i] / speed * (1 + (noise > 0 ? noise * (2 * hs__random_unit(random) - 1) : 0));
            hs__unit_times_add(&s->times, k % 2, u, count, seconds);
        }
}

/* The largest part of the work that the weights misplace. */
static double off(const slice *s)
{
    double work = 0, weight = 0, sum = 0, most = 0;
    for (int u = 0; u < UNITS; u++) {
        work += s->work[u];
        weight += s->weight[u];
    }
    for (int u = 0; u < UNITS; u++) {
        sum += s->weight[u] / weight - s->work[u] / work;
        most = fmax(most, fabs(sum));
    }
    return most;
}

static double total(const slice *s)
{
    double sum = 0;
    for (int u = 0; u < UNITS; u++)
        sum += s->weight[u];
    return sum;
}

/* Runs that learn from nothing but times. */
typedef struct row {
    const char *what;
    int iterations, first, stride, range; /* as iterate() takes them */
    double news;                          /* at least; 0: none */
    double off;                           /* at most, as off() says it, once weights are learned */
    int unit, other;                      /* how many times as much one weighs as another */
    double ratio;
    int heavy; /* this unit weighs more than all others together, and they are equal; 0: none */
} row;

static const row rows[] = {
    {"every unit", 8, 0, 1, 1, 0.3, 1e-9, 0, 50, 8.0 / 3, 0},
    {"ranges tell their mean", 8, 0, 25, 25, 0.3, 0.01, 0, 49, 1, 0},
    {"the last range is short", 8, 0, 48, 48, 0.3, 0.03, 0, 199, 8 / (15.0 / 8), 0},
    {"the whole slice tells nothing", 8, 0, UNITS, UNITS, 0, 1, 7, 77, 1, 0},
    {"every fifth: the others as those beside them", 8, 2, 5, 1, 0.3, 0.05, 98, 97, 0.75, 0},
    {"one outweighs all others", 2, 0, 1, 1, 0.4, 1e-9, 77, 3, 1000, 77},
    {"one iteration: what is noise is not known", 1, 0, 1, 1, 0, 1e-9, 0, 50, 8.0 / 3, 0},
};

static void learned_from_times(void **state)
{
    for (const row *r = rows; r < rows + sizeof rows / sizeof *rows; r++) {
        slice s;
        start(&s);
        for (int u = 0; u < UNITS && r->heavy; u++)
            s.work[u] = u == r->heavy ? 1000 : 1;
        iterate(&s, r->iterations, r->first, r->stride, r->range, 10, 0, NULL);
        double news = hs__learned_news(&s.times, s.weight), before = off(&s);
        if (r->news > 0 ? news < r->news : news != 0)
            fail_msg("%s: %g is news", r->what, news);
        CHECK_CLOSE(news, hs__learned_news(&s.times, NULL), 1e-12);
        hs__learned_weights(&s.times, s.weight);
        if (off(&s) > r->off)
            fail_msg("%s: %g is misplaced, before %g", r->what, off(&s), before);
        CHECK_CLOSE(s.weight[r->unit] / s.weight[r->other], r->ratio, 1e-9);
        CHECK_CLOSE(total(&s), UNITS, 1e-9); /* nothing was known: the sum stays */
        assert_true(hs__learned_news(&s.times, s.weight) == 0);
        hs__unit_times_end(&s.times);
    }
}

/* What news is is what the weights misplace. */
static void news_are_what_is_misplaced(void **state)
{
    slice s;
    start(&s);
    iterate(&s, 8, 0, 1, 1, 1e6, 0, NULL);
    CHECK_CLOSE(hs__learned_news(&s.times, s.weight), off(&s), 1e-9);
    hs__unit_times_end(&s.times);
}

/* From 60 to 199 only: the others are as these in the mean, by their weights. */
static void units_never_timed(void **state)
{
    slice s;
    start(&s);
    for (int u = 0; u < UNITS; u++)
        s.weight[u] = 1e-3;
    s.weight[10] = 3e-3;
    s.weight[11] = 0;
    iterate(&s, 8, 60, 1, 1, 10, 0, NULL);
    hs__learned_weights(&s.times, s.weight);
    CHECK_CLOSE(s.weight[10], 3 * s.weight[9], 1e-9);
    assert_true(s.weight[11] == 0);
    CHECK_CLOSE(s.weight[9] / s.weight[60], 2.0 / s.work[60], 0.02);
    hs__unit_times_end(&s.times);
}

static void few_times_say_nothing(void **state)
{
    slice s;
    start(&s);
    assert_true(hs__learned_news(&s.times, s.weight) == 0);
    hs__learned_weights(&s.times, s.weight); /* none at all */
    CHECK_CLOSE(s.weight[0], 1, 0);
    hs__unit_times_add(&s.times, 0, 0, 1, 100);
    assert_false(hs__unit_times_suffice(&s.times));
    hs__unit_times_add(&s.times, 1, 0, 1, 100);
    assert_true(hs__unit_times_suffice(&s.times));
    assert_true(hs__learned_news(&s.times, s.weight) == 0);
    hs__unit_times_end(&s.times);
}

/* Equal units with noise are not learned, and unequal ones are in spite of it. */
static void noise(void **state)
{
    hs__random random = {11};
    int learned = 0;
    for (int trial = 0; trial < 200; trial++) {
        slice s;
        start(&s);
        iterate(&s, 2, 0, 1, 1, 5, 0.5, &random);
        assert_true(hs__learned_news(&s.times, s.weight) > 0.3);
        hs__learned_weights(&s.times, s.weight);
        assert_true(off(&s) < 0.05);
        hs__unit_times_end(&s.times);
        start(&s);
        for (int u = 0; u < UNITS; u++)
            s.work[u] = 4;
        iterate(&s, 2, 0, 1, 1, 5, 0.9, &random);
        learned += hs__learned_news(&s.times, s.weight) > 0;
        hs__unit_times_end(&s.times);
    }
    assert_true(learned <= 20);
}

/* The host's speed changes: weights stay, and what grows besides is still seen. */
static void a_slower_host(void **state)
{
    slice s;
    start(&s);
    iterate(&s, 4, 0, 1, 1, 10, 0, NULL);
    hs__learned_weights(&s.times, s.weight);
    double sum = total(&s), scale = s.times.scale;
    for (int stage = 0; stage < 3; stage++) { /* slower, slower and five units heavier, as fast as before */
        const double speed[] = {3, 3, 10};
        forget(&s);
        for (int u = 120; u < 125 && stage == 1; u++)
            s.work[u] *= 20;
        iterate(&s, 4, 0, 1, 1, speed[stage], 0, NULL);
        assert_true((hs__learned_news(&s.times, s.weight) > 0) == (stage == 1));
        hs__learned_weights(&s.times, s.weight);
        assert_true(off(&s) < 1e-9);
        CHECK_CLOSE(s.times.scale, scale * speed[stage] / 10, 1e-9);
        assert_true(stage == 0 ? fabs(total(&s) - sum) < 1e-6 : total(&s) > 1.1 * sum);
    }
    hs__unit_times_end(&s.times);
}

/* All times change by one factor, and instructions a second by another: whose change it is, and what the slice weighs then. */
static void a_slice_that_changes_as_a_whole(void **state)
{
    static const struct {
        double times, rate, weighs;
    } change[] = {
        {3, 0, 1},                                                  /* nothing is counted: the host is slower */
        {3, 1 / 3., 1},                                             /* as many instructions, each slower */
        {3, 1, 3},                                                  /* three times as many */
        {3, 0.9, 3},    {0.5, 1.1, 0.5}, {0.5, 2, 1}, {1.05, 1, 1}, /* what is within 10 % is the host's */
    };
    for (size_t i = 0; i < sizeof change / sizeof *change; i++) {
        slice s;
        start(&s);
        iterate(&s, 4, 0, 1, 1, 10, 0, NULL);
        hs__unit_times_count(&s.times, 2, 6e9);
        hs__learned_weights(&s.times, s.weight);
        double sum = total(&s), scale = s.times.scale;
        forget(&s);
        iterate(&s, 4, 0, 1, 1, 10 / change[i].times, 0, NULL);
        hs__unit_times_count(&s.times, 3, 9e9 * change[i].rate);
        assert_true((hs__learned_news(&s.times, s.weight) > 0) == (change[i].weighs != 1));
        hs__learned_weights(&s.times, s.weight);
        CHECK_CLOSE(total(&s) / sum, change[i].weighs, 1e-9);
        CHECK_CLOSE(s.times.scale * change[i].times / scale, change[i].weighs, 1e-9);
        assert_true(off(&s) < 1e-9);
        hs__unit_times_end(&s.times);
    }
}

/* What was counted long ago counts less and less, as times do. */
static void counts_fade(void **state)
{
    slice s;
    start(&s);
    iterate(&s, 4, 0, 1, 1, 10, 0, NULL);
    hs__unit_times_count(&s.times, 1, 8e9);
    hs__unit_times_fade(&s.times);
    hs__unit_times_count(&s.times, 1, 1e9);
    hs__learned_weights(&s.times, s.weight);
    CHECK_CLOSE(s.times.rate, 3e9 / 1.25, 1e-3);
    hs__unit_times_end(&s.times);
}

/* Work wanders within the slice: the scale stays, although the heaviest units are lighter now. */
static void work_that_wanders(void **state)
{
    slice s;
    start(&s);
    for (int u = 0; u < UNITS; u++)
        s.work[u] = u < 40 ? 10 : 1;
    iterate(&s, 4, 0, 1, 1, 2, 0, NULL);
    hs__learned_weights(&s.times, s.weight);
    double sum = total(&s), scale = s.times.scale;
    for (int from = 30; from <= 150; from += 30) {
        forget(&s);
        for (int u = 0; u < UNITS; u++)
            s.work[u] = u >= from && u < from + 40 ? 10 : 1;
        iterate(&s, 4, 0, 1, 1, 2, 0, NULL);
        assert_true(hs__learned_news(&s.times, s.weight) > 0.1);
        hs__learned_weights(&s.times, s.weight);
        CHECK_CLOSE(s.times.scale, scale, 1e-9);
        CHECK_CLOSE(total(&s), sum, 1e-9);
        assert_true(off(&s) < 1e-9);
    }
    hs__unit_times_end(&s.times);
}

/* Units that came with weights of another scale are weighed like the others here. */
static void units_that_arrived(void **state)
{
    slice s;
    start(&s);
    iterate(&s, 4, 0, 1, 1, 10, 0, NULL);
    hs__learned_weights(&s.times, s.weight);
    double own = s.weight[150], scale = s.times.scale;
    for (int u = 0; u < 60; u++)
        s.weight[u] *= 3;
    assert_true(hs__learned_news(&s.times, s.weight) > 0.3);
    hs__learned_weights(&s.times, s.weight);
    assert_true(off(&s) < 1e-9);
    CHECK_CLOSE(s.weight[150], own, 1e-9);
    CHECK_CLOSE(s.times.scale, scale, 1e-9);
    hs__unit_times_end(&s.times);
}

/* What was timed long ago counts less and less. */
static void times_fade(void **state)
{
    slice s;
    start(&s);
    iterate(&s, 4, 0, 1, 1, 1, 0, NULL);
    for (int u = 0; u < UNITS; u++)
        s.work[u] = UNITS - u;
    for (int k = 0; k < 12; k++) {
        hs__unit_times_fade(&s.times);
        iterate(&s, 4, 0, 1, 1, 1, 0, NULL);
    }
    hs__learned_weights(&s.times, s.weight);
    assert_true(off(&s) < 1e-3);
    for (int k = 0; k < 80; k++)
        hs__unit_times_fade(&s.times);
    assert_true(hs__learned_news(&s.times, NULL) == 0);
    hs__unit_times_end(&s.times);
}

/* Two units: 4 s and 1 s, in the next phase 1 s each. The phase before counts a quarter, so that 2 / 1.25 and 1 s are left. */
static void a_phase_before_counts_a_quarter(void **state)
{
    hs__unit_times t = {0};
    double weight[] = {1, 1};
    assert_int_equal(hs__unit_times_start(&t, 2), HS_OK);
    hs__unit_times_add(&t, 0, 0, 1, 4);
    hs__unit_times_add(&t, 0, 1, 1, 1);
    hs__unit_times_fade(&t);
    hs__unit_times_add(&t, 0, 0, 2, 2);
    hs__learned_weights(&t, weight);
    CHECK_CLOSE(weight[0] / weight[1], 1.6, 1e-12);
    hs__unit_times_end(&t);
}

/* One time of the phase before is enough in each half; one of the phase before that is not. */
static void old_times_do_not_suffice(void **state)
{
    hs__unit_times t = {0};
    assert_int_equal(hs__unit_times_start(&t, 2), HS_OK);
    for (int half = 0; half < 2; half++) {
        assert_false(hs__unit_times_suffice(&t));
        hs__unit_times_add(&t, half, 0, 2, 1);
    }
    assert_true(hs__unit_times_suffice(&t));
    hs__unit_times_fade(&t);
    assert_true(hs__unit_times_suffice(&t));
    hs__unit_times_fade(&t);
    assert_false(hs__unit_times_suffice(&t));
    hs__unit_times_end(&t);
}

/* Units that take no time at all, and slices without any weight. */
static void nothing_to_learn_from(void **state)
{
    slice s;
    start(&s);
    memset(s.work, 0, sizeof s.work);
    iterate(&s, 8, 0, 1, 1, 1, 0, NULL);
    assert_true(hs__learned_news(&s.times, s.weight) == 0);
    hs__learned_weights(&s.times, s.weight);
    CHECK_CLOSE(s.weight[5], 1, 0);
    memset(s.weight, 0, sizeof s.weight);
    s.work[5] = 2;
    iterate(&s, 8, 0, 1, 1, 1, 0, NULL);
    assert_true(hs__learned_news(&s.times, s.weight) == 0);
    hs__learned_weights(&s.times, s.weight);
    CHECK_CLOSE(s.weight[5], 0, 0);
    hs__unit_times_end(&s.times);
    hs__unit_times none = {0};
    assert_true(hs__learned_news(&none, NULL) == 0);
    hs__learned_weights(&none, NULL);
}

/* A few units after their times have changed: what they weigh, what they take, and the factor that is the host's. */
static void what_is_the_hosts_in_a_few_units(void **state)
{
    enum { MOST = 4 };
    static const struct {
        int units;
        double weight[MOST], seconds[MOST], factor;
    } few[] = {
        {3, {1, 1, 1}, {1, 2, 2}, 2},
        {3, {1, 1, 1}, {2, 1, 2}, 2},
        {3, {1, 1, 1}, {2, 2, 1}, 2},
        {3, {1, 1, 1}, {1, 2, 3}, 1},
        {4, {1, 1, 1, 1}, {2, 2, 1, 1}, 1},         /* half of them are not most */
        {4, {0, 1, 1, 1}, {5, 2, 2.05, 2.1}, 2.05}, /* a unit without weight has no factor */
        {4, {1, 1, 1, 1}, {0, 2, 2.05, 2.1}, 2.05}, /* nor has one without time */
    };
    for (size_t i = 0; i < sizeof few / sizeof *few; i++) {
        hs__unit_times times = {.scale = 1};
        double sum = 0, weight = 0, most = 0;
        assert_int_equal(hs__unit_times_start(&times, few[i].units), HS_OK);
        for (int u = 0; u < few[i].units; u++) {
            hs__unit_times_add(&times, 0, u, 1, few[i].seconds[u]);
            hs__unit_times_add(&times, 1, u, 1, few[i].seconds[u]);
            sum += few[i].seconds[u] / few[i].factor - few[i].weight[u];
            weight += few[i].weight[u];
            most = fmax(most, fabs(sum));
        }
        CHECK_CLOSE(hs__learned_news(&times, few[i].weight), most / weight, 1e-12);
        hs__unit_times_end(&times);
    }
}

/* Two equal hosts hold 100 units each, and one needs ten times as long: its units are ten times as heavy. Where the platform
 * says that it is ten times slower, units are equal. */
static void what_slices_weigh_at_first(void **state)
{
    const int64_t units[] = {100, 100, 0, 50};
    const double measured[] = {1, 10, 0.3, 0}, equal[] = {2, 2, 2, 2}, slower[] = {2, 20, 2, INFINITY};
    double load[4] = {[2] = -7};
    hs__learned_loads(2, units, measured, equal, load);
    assert_true(load[2] == -7); /* of no rank */
    CHECK_CLOSE(load[0], 200.0 / 11, 1e-12);
    CHECK_CLOSE(load[1], 2000.0 / 11, 1e-12);
    hs__learned_loads(4, units, measured, slower, load);
    CHECK_CLOSE(load[0], 100, 1e-12);
    CHECK_CLOSE(load[1], 100, 1e-12);
    assert_true(load[2] == 0);
    CHECK_CLOSE(load[3], 50, 1e-12);
    const double unknown[4] = {0};
    hs__learned_loads(4, units, unknown, equal, load);
    CHECK_CLOSE(load[1], 100, 1e-12);
    const int64_t one[] = {1, 5}; /* a single unit is known, and weighs 1: so do all */
    const double first_alone[] = {3, 0};
    hs__learned_loads(2, one, first_alone, equal, load);
    CHECK_CLOSE(load[0], 1, 1e-12);
    CHECK_CLOSE(load[1], 5, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(learned_from_times),
        cmocka_unit_test(news_are_what_is_misplaced),
        cmocka_unit_test(units_never_timed),
        cmocka_unit_test(few_times_say_nothing),
        cmocka_unit_test(noise),
        cmocka_unit_test(a_slower_host),
        cmocka_unit_test(a_slice_that_changes_as_a_whole),
        cmocka_unit_test(counts_fade),
        cmocka_unit_test(what_is_the_hosts_in_a_few_units),
        cmocka_unit_test(work_that_wanders),
        cmocka_unit_test(units_that_arrived),
        cmocka_unit_test(times_fade),
        cmocka_unit_test(old_times_do_not_suffice),
        cmocka_unit_test(a_phase_before_counts_a_quarter),
        cmocka_unit_test(nothing_to_learn_from),
        cmocka_unit_test(what_slices_weigh_at_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
