/* SPDX-License-Identifier: BSD-3-Clause */
/* When the clock is read around brackets: what that costs, and which units have their turn. */
#include "plan/slices/sampling.h"
#include "tests/unit.h"

enum { UNITS = 640 };

#define READING 3e-7

/* What a program's brackets have come to. */
typedef struct tally {
    double computing, reading; /* seconds */
    int64_t spans, longest;    /* units of the longest span */
    int64_t seen[UNITS];       /* spans that had the unit */
} tally;

/* A bracket of so many units that compute so long. */
static void bracket(hs__sampling *s, int64_t first, int64_t count, double seconds, tally *t, double *begun)
{
    if (hs__sampling_begin(s, first)) {
        t->reading += s->reading;
        *begun = t->computing;
    }
    t->computing += seconds;
    if (!hs__sampling_end(s, count))
        return;
    t->reading += s->reading + s->counting;
    t->spans++;
    CHECK_CLOSE(hs__sampling_close(s, t->computing - *begun + s->reading), t->computing - *begun, 1e-12);
    t->longest = s->next - s->first > t->longest ? s->next - s->first : t->longest;
    for (int64_t u = s->first; u < s->next; u++)
        t->seen[u]++;
}

/* Iterations over the slice, unit by unit in order. */
static tally in_order(double reading, double counting, double unit_s, int iterations)
{
    hs__sampling s = {.reading = reading, .counting = counting, .units = UNITS, .end = UNITS};
    tally t = {0};
    double begun = 0;
    for (int k = 0; k < iterations; k++) {
        for (int64_t u = 0; u < UNITS; u++)
            bracket(&s, u, 1, unit_s, &t, &begun);
        hs__sampling_break(&s);
    }
    return t;
}

static void every_unit_was_seen(const tally *t)
{
    for (int u = 0; u < UNITS; u++)
        assert_true(t->seen[u] > 0);
}

static void long_units_are_timed_each(void **state)
{
    (void)state;
    tally t = in_order(READING, 0, 1e-3, 10);
    assert_true(t.spans == 10 * UNITS && t.longest == 1);
    t = in_order(0, 0, 1e-3, 10); /* a clock that costs nothing, and one that stands still */
    assert_true(t.spans == 10 * UNITS);
    t = in_order(0, 0, 0, 10);
    assert_true(t.spans == 10 * UNITS);
}

/* Units from 3 ns to 0.3 s, without counters and with some that cost ten times as much as the clock. A few spans at the
 * start are still too close. */
static void reading_stays_cheap(void **state)
{
    (void)state;
    for (int counting = 0; counting <= 20; counting += 20)
        for (double unit_s = 3e-9; unit_s < 1; unit_s *= 3.1) {
            double span = (2 + counting) * READING; /* costs */
            tally t = in_order(READING, counting * READING, unit_s, (int)fmin(3000, 10 + 1e-2 / unit_s));
            assert_true(t.reading <= 0.01 * t.computing + 10 * span);
            assert_true(t.longest <= UNITS / HS__SAMPLING_PARTS);
            if (unit_s * UNITS > 50 * span)
                every_unit_was_seen(&t);
        }
}

/* Unequal units: three decades, heavy ones by chance. */
static void unequal_units_too(void **state)
{
    (void)state;
    hs__random random = {5};
    hs__sampling s = {.reading = READING, .units = UNITS, .end = UNITS};
    tally t = {0};
    double begun = 0;
    for (int k = 0; k < 500; k++) {
        for (int64_t u = 0; u < UNITS; u++)
            bracket(&s, u, 1, hs__random_below(&random, 50) ? 3e-7 : 3e-4, &t, &begun);
        hs__sampling_break(&s);
    }
    assert_true(t.reading <= 0.01 * t.computing);
    every_unit_was_seen(&t);
}

/* In an order of its own a program has no spans of several brackets. */
static void units_in_any_order(void **state)
{
    (void)state;
    hs__random random = {9};
    for (double unit_s = 1e-7; unit_s < 1e-2; unit_s *= 10) {
        hs__sampling s = {.reading = READING, .units = UNITS, .end = UNITS};
        tally t = {0};
        double begun = 0;
        for (int k = 0; k < 1000 * UNITS; k++)
            bracket(&s, hs__random_below(&random, UNITS), 1, unit_s, &t, &begun);
        assert_true(t.reading <= 0.01 * t.computing + 20 * READING);
        if (unit_s > 5e-6)
            every_unit_was_seen(&t);
    }
}

static void ranges_are_spans(void **state)
{
    (void)state;
    hs__sampling s = {.reading = READING, .units = UNITS, .end = UNITS};
    tally t = {0};
    double begun = 0;
    for (int k = 0; k < 100; k++) {
        for (int64_t u = 0; u < UNITS; u += 64)
            bracket(&s, u, 64, 1e-3, &t, &begun);
        hs__sampling_break(&s);
    }
    assert_true(t.spans == 1000 && t.longest == 64);
}

/* What is broken off is not closed, and does not go on. */
static void broken_spans(void **state)
{
    (void)state;
    hs__sampling s = {.reading = READING, .units = UNITS, .end = UNITS};
    assert_int_equal(hs__sampling_begin(&s, 3), 1);
    hs__sampling_break(&s);
    assert_int_equal(hs__sampling_end(&s, 1), 0);
    assert_int_equal(s.open, 0);
    hs__sampling_break(&s); /* nothing is open: nothing changes */
    assert_true(s.skip <= 1);
}

/* Two readings may be a 200th of a span: a bracket of 1.5e-4 s is a third of one, and the slice's 32nd part ends the span
 * at two. */
static void brackets_that_are_missing_pass(void **state)
{
    (void)state;
    int paused = 0;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        hs__sampling s = {
            .reading = 1e-6, .units = 64, .end = UNITS, .seconds = 8 * 1.5e-4, .counted = 8, .random = {seed}};
        for (int u = 0; u < 2; u++) {
            assert_int_equal(hs__sampling_begin(&s, u), u == 0);
            assert_int_equal(hs__sampling_end(&s, 1), u == 1);
        }
        hs__sampling_close(&s, 3e-4 + s.reading);
        assert_in_range(s.skip, 0, 1); /* one is missing, half more or less */
        paused += (int)s.skip;
    }
    assert_in_range(paused, 1, 99);
}

/* Two readings of 1 us may be a 200th of a span, 400 us: four brackets of 110 us. What spans showed before counts 7/8. */
static void spans_are_as_long_as_brackets_want(void **state)
{
    hs__sampling s = {.reading = 1e-6, .units = 10000, .end = 10000, .seconds = 1.1e-3, .counted = 10};
    (void)state;
    for (int u = 0; u < 4; u++) {
        assert_int_equal(hs__sampling_begin(&s, u), u == 0);
        assert_int_equal(hs__sampling_end(&s, 1), u == 3);
    }
    assert_true(s.first == 0 && s.next == 4 && s.brackets == 4);
    CHECK_CLOSE(hs__sampling_close(&s, 4.4e-4 + 1e-6), 4.4e-4, 1e-15);
    CHECK_CLOSE(s.seconds, 0.875 * 1.1e-3 + 4.4e-4, 1e-15);
    CHECK_CLOSE(s.counted, 0.875 * 10 + 4, 1e-12);
    assert_true(s.skip == 0 && !s.open); /* none is missing */
    assert_int_equal(hs__sampling_begin(&s, 4), 1);
    assert_int_equal(hs__sampling_end(&s, 1), 0);
    assert_true(hs__sampling_close(&s, 0.5e-6) == 0); /* less than a reading takes is nothing */
    CHECK_CLOSE(s.seconds, 0.875 * (0.875 * 1.1e-3 + 4.4e-4), 1e-15);
}

/* The slice's end, and a 32nd part of it, end a span. */
static void short_slices_have_short_spans(void **state)
{
    hs__sampling s = {.reading = 1e-6, .units = 64, .end = 64, .seconds = 1e-6, .counted = 10};
    (void)state;
    assert_int_equal(hs__sampling_begin(&s, 10), 1);
    assert_int_equal(hs__sampling_end(&s, 1), 0);
    assert_int_equal(hs__sampling_begin(&s, 11), 0);
    assert_int_equal(hs__sampling_end(&s, 1), 1);
    s.open = 0;
    assert_int_equal(hs__sampling_begin(&s, 63), 1);
    assert_int_equal(hs__sampling_end(&s, 1), 1);
}

/* A bracket elsewhere ends the span without a reading, and from then on each bracket is a span. */
static void scattered_brackets_are_told(void **state)
{
    hs__sampling s = {.reading = 1e-6, .units = 10000, .end = 10000, .seconds = 1.1e-3, .counted = 10, .skip = 2};
    (void)state;
    assert_int_equal(hs__sampling_begin(&s, 5), 0);
    assert_int_equal(hs__sampling_end(&s, 1), 0);
    assert_int_equal(hs__sampling_begin(&s, 6), 0);
    assert_int_equal(s.skip, 0);
    assert_int_equal(hs__sampling_begin(&s, 7), 1);
    assert_int_equal(hs__sampling_end(&s, 1), 0);
    assert_false(s.scattered);
    assert_int_equal(hs__sampling_begin(&s, 3), 0); /* four brackets are missing, half more or less */
    assert_true(s.scattered && !s.open);
    assert_in_range(s.skip, 1, 5);
    s.skip = 0;
    assert_int_equal(hs__sampling_begin(&s, 8), 1);
    assert_int_equal(hs__sampling_end(&s, 1), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_units_are_timed_each),
        cmocka_unit_test(reading_stays_cheap),
        cmocka_unit_test(unequal_units_too),
        cmocka_unit_test(units_in_any_order),
        cmocka_unit_test(ranges_are_spans),
        cmocka_unit_test(broken_spans),
        cmocka_unit_test(brackets_that_are_missing_pass),
        cmocka_unit_test(spans_are_as_long_as_brackets_want),
        cmocka_unit_test(short_slices_have_short_spans),
        cmocka_unit_test(scattered_brackets_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
