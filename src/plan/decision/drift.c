/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/decision/decide.h"
#include "util/assert.h"
#include <math.h>
#include <string.h>

/* An excess counts beyond so many standard deviations, and not beyond so many; the limit of its sum. */
#define SLACK 1.0
#define CUT 4.0
#define LIMIT 6.0

/* A level of n readings is unsure by so many n-ths of its noise. */
#define UNSURE 4.0

/* Readings before the noise is known, without which no level can be left. */
enum { LEAST_READINGS = 10, LONGEST_WINDOW = 64 };

/* What a change has to be, of a unit's or a step's seconds. */
#define LEAST_CHANGE 0.02

static double deviation(const hs__level *level, double least)
{
    return fmax(sqrt(level->variance), least);
}

/* By how many standard deviations a reading is off the mean, both of which are the less certain the fewer readings there are. */
static double off(const hs__level *level, double reading, double least)
{
    double z = (reading - level->mean) / (deviation(level, least) * (1 + UNSURE / (double)level->readings));
    return fmin(fmax(z, -CUT), CUT);
}

/* Neighbours differ by noise wherever the level is; a jump counts as the most that noise is taken for. */
static void add_difference(hs__level *level, double difference, double least)
{
    double square = difference * difference / 2, most = CUT * deviation(level, least);
    if (level->differences >= LEAST_READINGS / 2)
        square = fmin(square, most * most);
    level->differences = level->differences < LONGEST_WINDOW ? level->differences + 1 : LONGEST_WINDOW;
    level->variance += (square - level->variance) / (double)level->differences;
}

static void add_excess(hs__excess *excess, double by, int64_t iterations, double reading)
{
    double sum = excess->sum + by - SLACK;
    if (sum <= 0) {
        *excess = (hs__excess){0};
        return;
    }
    excess->sum = sum;
    excess->seconds += excess->readings > 0 ? reading : 0;
    excess->readings++;
    excess->iterations += iterations;
}

static void add_to_mean(hs__level *level, double reading)
{
    level->readings = level->readings < LONGEST_WINDOW ? level->readings + 1 : LONGEST_WINDOW;
    level->mean += (reading - level->mean) / (double)level->readings;
}

/* A new level of the same noise, whose mean so many readings show already. */
static void begin_level(hs__level *level, double mean, int64_t readings)
{
    level->mean = mean;
    level->readings = readings;
    memset(level->excess, 0, sizeof level->excess);
}

void hs__level_add(hs__level *level, int64_t iterations, double reading, double least)
{
    if (level->readings > 0 && level->differences >= LEAST_READINGS - 1) {
        double z = off(level, reading, least);
        add_excess(&level->excess[0], z, iterations, reading);
        add_excess(&level->excess[1], -z, iterations, reading);
    }
    if (level->readings > 0)
        add_difference(level, reading - level->last, least);
    level->last = reading;
    if (level->excess[0].sum < LIMIT / 2 && level->excess[1].sum < LIMIT / 2)
        add_to_mean(level, reading);
}

/* The direction in which the sum is above a limit; -1: none. */
static int beyond(const hs__level *level, double limit)
{
    return level->excess[0].sum > limit ? 0 : level->excess[1].sum > limit ? 1 : -1;
}

int hs__level_left(const hs__level *level, hs__drift *drift)
{
    int way = beyond(level, LIMIT);
    if (way < 0)
        return 0;
    const hs__excess *excess = &level->excess[way];
    HS_ASSERT(excess->readings > 1);
    drift->before = level->mean;
    drift->after = excess->seconds / (double)(excess->readings - 1);
    drift->iterations = excess->iterations;
    return 1;
}

hs_status hs__drifts_start(hs__drifts *d, int ranks)
{
    *d = (hs__drifts){.ranks = ranks};
    d->rank = hs__pool_new(&d->pool, (size_t)ranks, sizeof *d->rank);
    d->units = hs__pool_new(&d->pool, (size_t)ranks, sizeof *d->units);
    return hs__pool_complete(&d->pool);
}

void hs__drifts_end(hs__drifts *d)
{
    hs__pool_free(&d->pool);
}

void hs__drifts_forget(hs__drifts *d)
{
    memset(d->rank, 0, (size_t)d->ranks * sizeof *d->rank);
    d->messages = (hs__level){0};
}

void hs__drifts_replan(hs__drifts *d)
{
    d->messages = (hs__level){0};
}

/* Ranks without units report something else. */
static int works(const hs__decide_phase *phase, int i)
{
    return phase->units[i] > 0 && phase->cycle[i] > 0 && isfinite(phase->cycle[i]);
}

static void take_cycles(hs__drifts *d, const hs__decide_phase *phase)
{
    for (int i = 0; i < d->ranks; i++)
        if (works(phase, i))
            hs__level_add(&d->rank[i], phase->iterations, phase->cycle[i], LEAST_CHANGE * phase->cycle[i]);
        else
            d->rank[i] = (hs__level){0};
}

/* Seconds of messages of a rank; 0: not known. */
static double promised(const hs__decide_phase *phase, int i)
{
    return phase->comm && phase->comm[i] > 0 && isfinite(phase->comm[i]) ? phase->comm[i] : 0;
}

/* Seconds that messages are promised to take in the mean over the ranks with units; 1: none is known. */
static double mean_promise(const hs__drifts *d, const hs__decide_phase *phase, int *known)
{
    double sum = 0;
    *known = 0;
    for (int i = 0; i < d->ranks; i++)
        if (works(phase, i) && promised(phase, i) > 0) {
            sum += promised(phase, i);
            ++*known;
        }
    return *known > 0 ? sum / *known : 1;
}

/* What of a step computing does not explain, in promises; INFINITY: no rank is known to compute. */
static double beside_computing(const hs__drifts *d, const hs__decide_phase *phase, double *promise)
{
    double least = INFINITY;
    int known;
    *promise = mean_promise(d, phase, &known);
    for (int i = 0; i < d->ranks; i++) {
        if (!works(phase, i) || (known > 0 && !(promised(phase, i) > 0)))
            continue;
        double left = phase->step - phase->cycle[i] * hs__phase_load(phase, i);
        least = fmin(least, left / (known > 0 ? promised(phase, i) : 1));
    }
    return least;
}

/* Whether all ranks with units, of which there are several, leave their levels in the direction of this one. */
static int all_leave(const hs__drifts *d, const hs__decide_phase *phase, int rank)
{
    int working = 0, way = beyond(&d->rank[rank], LIMIT);
    for (int i = 0; i < d->ranks; i++) {
        if (!works(phase, i))
            continue;
        working++;
        if (d->rank[i].excess[way].sum <= LIMIT / 2)
            return 0;
    }
    return working > 1;
}

/* The host that has changed most, of those that have left their levels. */
static hs__drift changed_most(const hs__drifts *d)
{
    hs__drift most = {.kind = HS__DRIFT_NONE};
    double largest = 0;
    for (int i = 0; i < d->ranks; i++) {
        hs__drift drift = {.kind = HS__DRIFT_HOST, .rank = i};
        if (!hs__level_left(&d->rank[i], &drift) || !(fabs(log(drift.after / drift.before)) > largest))
            continue;
        largest = fabs(log(drift.after / drift.before));
        most = drift;
    }
    return most;
}

static int any_suspected(const hs__drifts *d)
{
    for (int i = 0; i < d->ranks; i++)
        if (beyond(&d->rank[i], LIMIT / 2) >= 0)
            return 1;
    return 0;
}

/* Other slices hide another part of the messages, and a unit may take another time in a slice of another size. What is
 * suspected already is not forgotten: it may be why units move. */
static void notice_units(hs__drifts *d, const int64_t *units)
{
    int changed = 0;
    for (int i = 0; i < d->ranks; i++) {
        if (d->units[i] == units[i])
            continue;
        d->units[i] = units[i];
        changed = 1;
        if (beyond(&d->rank[i], LIMIT / 2) < 0)
            begin_level(&d->rank[i], 0, 0);
    }
    if (changed && beyond(&d->messages, LIMIT / 2) < 0)
        d->messages = (hs__level){0};
}

hs__drift hs__drifts_phase(hs__drifts *d, const hs__decide_phase *phase)
{
    notice_units(d, phase->units);
    take_cycles(d, phase);
    double promise, beside = beside_computing(d, phase, &promise);
    if (!(phase->step > 0) || !isfinite(beside))
        return (hs__drift){.kind = HS__DRIFT_NONE};
    hs__level_add(&d->messages, phase->iterations, beside, LEAST_CHANGE * phase->step / promise);
    hs__drift host = changed_most(d), messages = {.kind = HS__DRIFT_MESSAGES};
    if (host.kind == HS__DRIFT_HOST && all_leave(d, phase, host.rank)) {
        hs__drifts_forget(d);
        return (hs__drift){.kind = HS__DRIFT_NONE};
    }
    if (host.kind == HS__DRIFT_HOST) {
        begin_level(&d->rank[host.rank], host.after, 1);
        d->messages = (hs__level){0};
        return host;
    }
    if (any_suspected(d) || !hs__level_left(&d->messages, &messages))
        return host;
    d->messages = (hs__level){0};
    messages.before *= promise;
    messages.after *= promise;
    return messages;
}
