/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_SLICES_SAMPLING_H
#define HS_PLAN_SLICES_SAMPLING_H

/* When to read a clock around brackets, so that reading it stays cheap.
 *
 * A program brackets units, one or a range, one after the other. Two readings enclose a span: brackets that follow each
 * other, so many that the span takes 1 / HS__SAMPLING_SHARE times as long as it costs, by what brackets took so far.
 * A span ends earlier where the slice ends, and when it has HS__SAMPLING_PARTS of the slice's units, so that a short
 * slice shows more than its mean; then as many brackets as are missing pass without a reading, half more or less, so that
 * other units have their turn. Where brackets do not follow each other a span is a single one. */

#include "util/random.h"
#include <stdint.h>

/** The part of the bracketed time that reading the clock may take: half of what is promised, for bad guesses. */
#define HS__SAMPLING_SHARE 0.005

enum { HS__SAMPLING_PARTS = 32 };

/** Starts as {.reading = seconds that one reading takes, .counting = and what a span costs besides, outside of its readings,
 * .units = of the slice, .end = unit behind its last}. */
typedef struct hs__sampling {
    double reading, counting;
    int64_t units, end;
    int64_t first, next;     /* of the span under way: its first unit, and the one behind its last */
    int64_t brackets;        /* in it so far */
    int64_t skip;            /* brackets to come that are not timed */
    double seconds, counted; /* of spans, and their brackets; those of long ago count less */
    int open, scattered;     /* a span is under way; brackets do not follow each other */
    hs__random random;
} hs__sampling;

/** A bracket begins with this unit. @return 1: read the clock now, where a span begins */
int hs__sampling_begin(hs__sampling *s, int64_t first);

/** The bracket, of so many units, has ended.
 * @return 1: read the clock now, where the span first .. next - 1 ends, and say so by hs__sampling_close() */
int hs__sampling_end(hs__sampling *s, int64_t count);

/** The span took so many seconds from reading to reading. @return without what a reading takes of them */
double hs__sampling_close(hs__sampling *s, double seconds);

/** Forget the span under way, since what comes next is no part of it. */
void hs__sampling_break(hs__sampling *s);

#endif
