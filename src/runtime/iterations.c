/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/iterations.h"

enum { REPEATS = 3, READINGS = 8, LONGEST_PAUSE = 15 };

/* Less computing than this (some 0.3 ms) says nothing of a rank's speed. */
static const int64_t shortest_reading = 1000000;

/* How many calls from `begin` on have the period. */
static size_t extent(const hs__event *events, size_t begin, size_t n, size_t period)
{
    size_t k = begin + period;
    while (k < n && events[k].call == events[k - period].call)
        k++;
    return k - begin;
}

/* The best period at begin; 0 when nothing repeats there. */
static size_t find_period(const hs__event *events, size_t begin, size_t n, size_t *length)
{
    size_t best = 0;
    *length = 0;
    for (size_t period = 1; period <= HS__LONGEST_PERIOD && begin + REPEATS * period <= n; period++) {
        size_t covered = extent(events, begin, n, period);
        if (covered < REPEATS * period || covered <= *length)
            continue;
        best = period;
        *length = covered;
        if (begin + covered == n)
            break;
    }
    return best;
}

/* Feeds the compute time of iterations to the window, some iterations a reading. */
static void read_speed(hs__iterations *it, const hs__event *events, const hs__reading *readings, size_t period,
                       size_t repeats)
{
    int64_t ticks_of_all = readings[events[repeats * period].reading].compute - readings[events[0].reading].compute;
    size_t parts = repeats < READINGS ? repeats : READINGS;
    if ((int64_t)parts > ticks_of_all / shortest_reading)
        parts = (size_t)(ticks_of_all / shortest_reading);
    for (size_t r = 0; r < parts; r++) {
        size_t from = repeats * r / parts, to = repeats * (r + 1) / parts;
        int64_t begun = readings[events[from * period].reading].compute;
        double ticks = (double)(readings[events[to * period].reading].compute - begun) / (double)(to - from);
        it->drifts += hs__speed_window_add(&it->window, ticks);
        it->first = it->first > 0 ? it->first : ticks;
        it->last = ticks;
    }
}

static void take(hs__iterations *it, const hs__event *events, const hs__reading *readings, size_t period, size_t length)
{
    size_t repeats = (length - 1) / period; /* whose end is seen: the next one's first call */
    it->count += (int64_t)(length / period);
    it->compute += readings[events[repeats * period].reading].compute - readings[events[0].reading].compute;
    it->time += readings[events[repeats * period].reading].time - readings[events[0].reading].time;
    if ((int64_t)length > it->longest) {
        it->longest = (int64_t)length;
        /* Another loop than before: its iterations are not compared with those. */
        if (it->period != (int64_t)period)
            it->window = (hs__speed_window){0};
        it->period = (int64_t)period;
    }
    if (it->period == (int64_t)period)
        read_speed(it, events, readings, period, repeats);
}

void hs__iterations_scan(hs__iterations *it, const hs__event *events, const hs__reading *readings, size_t n)
{
    if (it->waits > 0) {
        it->waits--;
        return;
    }
    size_t begin = 0, repeated = 0;
    while (begin + REPEATS <= n) {
        size_t length, period = find_period(events, begin, n, &length);
        if (period > 0)
            take(it, events + begin, readings, period, length);
        repeated += length;
        begin += length > 0 ? length : 1;
    }
    if (repeated > n / 8)
        it->pause = 0;
    else
        it->pause = it->pause * 2 + 1 < LONGEST_PAUSE ? it->pause * 2 + 1 : LONGEST_PAUSE;
    it->waits = it->pause;
}
