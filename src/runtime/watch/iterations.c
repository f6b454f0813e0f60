/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/watch/iterations.h"
#include "util/assert.h"
#include <string.h>

enum { REPEATS = 3, READINGS = 8, LONGEST_PAUSE = 15, BLOCK = 64 };
_Static_assert(((int)LONGEST_PAUSE & ((int)LONGEST_PAUSE + 1)) == 0, "pauses double and grow by one: they end there");

/* Less computing than this (some 0.3 ms) says nothing of a rank's speed. */
static const int64_t shortest_reading = 1000000;

/* How many of the first n are the same; most by whole blocks, since the program waits. */
static size_t same(const uint16_t *one, const uint16_t *other, size_t n)
{
    size_t k = 0;
    while (k + BLOCK <= n && memcmp(one + k, other + k, BLOCK * sizeof *one) == 0)
        k += BLOCK;
    while (k < n && one[k] == other[k])
        k++;
    return k;
}

/* How many calls from `begin` on have the period. */
static size_t extent(const hs__noted *batch, size_t begin, size_t period)
{
    const uint16_t *first = batch->call + begin;
    return period + same(first, first + period, batch->n - begin - period);
}

/* The best period at begin; 0 when nothing repeats there. */
static size_t find_period(const hs__noted *batch, size_t begin, size_t *length)
{
    size_t best = 0;
    *length = 0;
    for (size_t period = 1; period <= HS__LONGEST_PERIOD && begin + REPEATS * period <= batch->n; period++) {
        size_t covered = extent(batch, begin, period);
        if (covered < REPEATS * period || covered <= *length)
            continue;
        best = period;
        *length = covered;
        if (begin + covered == batch->n)
            break;
    }
    return best;
}

/* Feeds the compute time of iterations to the window, some iterations a reading. */
static void read_speed(hs__iterations *it, const hs__noted *batch, size_t begin, size_t period, size_t repeats)
{
    int64_t begun = batch->reading[begin].compute;
    int64_t ticks_of_all = batch->reading[begin + repeats * period].compute - begun;
    size_t parts = repeats < READINGS ? repeats : READINGS;
    if ((int64_t)parts > ticks_of_all / shortest_reading)
        parts = (size_t)(ticks_of_all / shortest_reading);
    for (size_t r = 0; r < parts; r++) {
        size_t from = repeats * r / parts, to = repeats * (r + 1) / parts;
        int64_t ended = batch->reading[begin + to * period].compute;
        double ticks = (double)(ended - begun) / (double)(to - from);
        begun = ended;
        it->drifts += hs__speed_window_add(&it->window, ticks);
        it->first = it->first > 0 ? it->first : ticks;
        it->last = ticks;
    }
}

static void take(hs__iterations *it, const hs__noted *batch, size_t begin, size_t period, size_t length)
{
    size_t repeats = (length - 1) / period; /* whose end is seen: the next one's first call */
    HS_ASSERT(length >= REPEATS * period && begin + length <= batch->n);
    const hs__clock_reading *from = &batch->reading[begin], *to = &batch->reading[begin + repeats * period];
    it->count += (int64_t)(length / period);
    it->compute += to->compute - from->compute;
    it->time += to->time - from->time;
    HS_ASSERT(repeats + 1 >= REPEATS && begin + repeats * period < batch->n);
    if ((int64_t)length > it->longest) {
        it->longest = (int64_t)length;
        /* Another loop than before: its iterations are not compared with those. */
        if (it->period != (int64_t)period)
            it->window = (hs__speed_window){0};
        it->period = (int64_t)period;
    }
    if (it->period == (int64_t)period)
        read_speed(it, batch, begin, period, repeats);
}

void hs__iterations_scan(hs__iterations *it, const hs__noted *batch)
{
    if (it->waits > 0) {
        it->waits--;
        return;
    }
    size_t begin = 0, repeated = 0;
    while (begin + REPEATS <= batch->n) {
        size_t length, period = find_period(batch, begin, &length);
        HS_ASSERT(begin + length <= batch->n && (period > 0) == (length > 0));
        if (period > 0)
            take(it, batch, begin, period, length);
        repeated += length;
        begin += length > 0 ? length : 1;
    }
    if (repeated > batch->n / 8)
        it->pause = 0;
    else if (it->pause < LONGEST_PAUSE)
        it->pause = it->pause * 2 + 1;
    it->waits = it->pause;
}
