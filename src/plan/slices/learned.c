/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/slices/learned.h"
#include "util/assert.h"
#include "util/median.h"
#include <math.h>
#include <string.h>

/* A slice is looked at in so many groups of units when a change in common is looked for: times of single ones are noisy. */
enum { GROUPS = 256 };

/* Factors this close are the same. */
#define SAME 0.1

/* Times made of both halves. */
enum { BOTH = 2 };

/* What a phase more leaves of the times before it. */
#define FADING 0.25

/* Each half needs so many samples: one of the phase before. */
#define FEWEST FADING

/* A unit with less of a sample than this has none: samples fade, and sums have rounding errors. */
#define TRACE 1e-3

hs_status hs__unit_times_start(hs__unit_times *t, int64_t units)
{
    size_t n = (size_t)units;
    *t = (hs__unit_times){.units = units, .scale = t->scale, .rate = t->rate};
    for (int h = 0; h < 2; h++) {
        t->seconds[h] = hs__pool_new(&t->pool, n + 1, sizeof *t->seconds[h]);
        t->samples[h] = hs__pool_new(&t->pool, n + 1, sizeof *t->samples[h]);
    }
    for (int k = 0; k <= BOTH; k++)
        t->scratch[k] = hs__pool_new(&t->pool, n, sizeof *t->scratch[k]);
    hs_status status = hs__pool_status(&t->pool);
    if (status != HS_OK)
        hs__unit_times_end(t);
    return status;
}

void hs__unit_times_end(hs__unit_times *t)
{
    hs__pool_free(&t->pool);
    *t = (hs__unit_times){.scale = t->scale, .rate = t->rate};
}

void hs__unit_times_add(hs__unit_times *t, int half, int64_t first, int64_t count, double seconds)
{
    HS_ASSERT(first >= 0 && count >= 1 && first <= t->units - count && seconds >= 0);
    double each = seconds / (double)count;
    t->seconds[half][first] += each;
    t->seconds[half][first + count] -= each;
    t->samples[half][first] += 1;
    t->samples[half][first + count] -= 1;
    t->taken[half] += 1;
}

void hs__unit_times_count(hs__unit_times *t, double seconds, double instructions)
{
    HS_ASSERT(seconds >= 0 && instructions >= 0);
    t->counted_s += seconds;
    t->instructions += instructions;
}

int hs__unit_times_suffice(const hs__unit_times *t)
{
    return t->units > 0 && t->taken[0] >= FEWEST && t->taken[1] >= FEWEST;
}

void hs__unit_times_fade(hs__unit_times *t)
{
    t->counted_s *= FADING;
    t->instructions *= FADING;
    for (int h = 0; h < 2; h++) {
        t->taken[h] *= FADING;
        for (int64_t u = 0; u <= t->units; u++) {
            t->seconds[h][u] *= FADING;
            t->samples[h][u] *= FADING;
        }
    }
}

static double weight_of(const double *weight, int64_t u)
{
    return weight ? weight[u] : 1;
}

static double sum_of(const double *value, int64_t n)
{
    double sum = 0;
    for (int64_t u = 0; u < n; u++)
        sum += weight_of(value, u);
    return sum;
}

/* Mean seconds of each unit by sums of times; -1 where there are none. */
static double mean_time(double sum, double samples)
{
    return samples > TRACE ? fmax(0, sum / samples) : -1;
}

/* Seconds of the units first <= u < end, which were not timed, from those on both sides. */
static void fill_gap(const hs__unit_times *t, int64_t first, int64_t end, const double *weight, double mean,
                     double *seconds)
{
    double each = mean;
    if (first > 0 && end < t->units) {
        double weighed = weight_of(weight, first - 1) + weight_of(weight, end);
        each = weighed > 0 ? (seconds[first - 1] + seconds[end]) / weighed : mean;
    }
    for (int64_t u = first; u < end; u++)
        seconds[u] = each * weight_of(weight, u);
}

/* Fills in the seconds of units that were not timed. */
static void fill_gaps(const hs__unit_times *t, const double *weight, double *seconds)
{
    double timed = 0, weighed = 0;
    for (int64_t u = 0; u < t->units; u++)
        if (seconds[u] >= 0) {
            timed += seconds[u];
            weighed += weight_of(weight, u);
        }
    double mean = weighed > 0 ? timed / weighed : 0;
    for (int64_t u = 0; u < t->units;) {
        int64_t end = u;
        while (end < t->units && seconds[end] < 0)
            end++;
        if (end > u)
            fill_gap(t, u, end, weight, mean, seconds);
        u = end + 1;
    }
}

/* Seconds of all units by each half, and by both. */
static void make_times(const hs__unit_times *t, const double *weight)
{
    double sum[2] = {0}, samples[2] = {0};
    for (int64_t u = 0; u < t->units; u++) {
        for (int h = 0; h < 2; h++) {
            sum[h] += t->seconds[h][u];
            samples[h] += t->samples[h][u];
            t->scratch[h][u] = mean_time(sum[h], samples[h]);
        }
        t->scratch[BOTH][u] = mean_time(sum[0] + sum[1], samples[0] + samples[1]);
    }
    for (int k = 0; k <= BOTH; k++)
        fill_gaps(t, weight, t->scratch[k]);
}

/* The factor by which the times of most units have changed against scale and weights; 1 when no change is common to more than
 * half of them. */
static double common_factor(const hs__unit_times *t, const double *weight, const double *seconds)
{
    double factor[GROUPS], sorted[GROUPS];
    int groups = t->units < GROUPS ? (int)t->units : GROUPS, known = 0, same = 0;
    int64_t u = 0;
    for (int g = 0; g < groups; g++) {
        double weighed = 0, timed = 0;
        for (; u < t->units * (g + 1) / groups; u++) {
            weighed += weight_of(weight, u);
            timed += seconds[u];
        }
        if (weighed > 0 && timed > 0)
            factor[known++] = t->scale * timed / weighed;
    }
    memcpy(sorted, factor, (size_t)known * sizeof *factor);
    double middle = hs__median(sorted, known);
    for (int g = 0; g < known; g++)
        same += fabs(factor[g] - middle) <= SAME * middle;
    return 2 * same > groups ? middle : 1;
}

/* Instructions per second; 0: not known. */
static double rate_of(const hs__unit_times *t)
{
    return t->instructions > 0 && t->counted_s > 0 ? t->instructions / t->counted_s : 0;
}

/* Whether a change in common by this factor is the units' and not the host's: it is one, and instructions a second, which
 * follow a host, have changed by less than half as much. */
static int is_the_units(const hs__unit_times *t, double factor)
{
    double rate = rate_of(t);
    return fabs(factor - 1) > SAME && rate > 0 && t->rate > 0 && 2 * fabs(log(rate / t->rate)) < fabs(log(factor));
}

static void keep(hs__unit_times *t, double scale)
{
    t->scale = scale;
    t->rate = rate_of(t);
}

/* The weight per second that the times are to be read by; 0: nothing takes any time. */
static double scale_of(const hs__unit_times *t, const double *weight, const double *seconds)
{
    double timed = sum_of(seconds, t->units), weighed = sum_of(weight, t->units);
    if (!(timed > 0 && weighed > 0))
        return 0;
    if (!(t->scale > 0))
        return weighed / timed;
    double factor = common_factor(t, weight, seconds);
    return is_the_units(t, factor) ? t->scale : t->scale / factor;
}

/* The largest difference of the sums from the first unit on. */
static double misplaced(int64_t units, const double *a, double a_scale, const double *b)
{
    double sum = 0, most = 0;
    for (int64_t u = 0; u < units; u++) {
        sum += a_scale * a[u] - weight_of(b, u);
        most = fmax(most, fabs(sum));
    }
    return most;
}

double hs__learned_news(hs__unit_times *t, const double *weight)
{
    if (!hs__unit_times_suffice(t))
        return 0;
    make_times(t, weight);
    const double *seconds = t->scratch[BOTH];
    double differ = misplaced(t->units, t->scratch[0], 1, t->scratch[1]), scale = scale_of(t, weight, seconds);
    if (!(scale > 0))
        return 0;
    double all = sum_of(weight, t->units), found = misplaced(t->units, seconds, scale, weight) / all;
    if (found > fmax(HS__LEARNED_LEAST, HS__LEARNED_NOISE * scale * differ / all))
        return found;
    if (weight)
        keep(t, scale);
    return 0;
}

void hs__learned_weights(hs__unit_times *t, double *weight)
{
    if (t->units == 0 || t->taken[0] + t->taken[1] == 0)
        return;
    make_times(t, weight);
    const double *seconds = t->scratch[BOTH];
    double scale = scale_of(t, weight, seconds);
    if (!(scale > 0))
        return;
    for (int64_t u = 0; u < t->units; u++)
        weight[u] = scale * seconds[u];
    keep(t, scale);
}

void hs__learned_loads(int ranks, const int64_t *units, const double *cycle, const double *first, double *load)
{
    double known = 0, sum = 0;
    for (int r = 0; r < ranks; r++) {
        load[r] = (double)units[r] * cycle[r] / first[r]; /* 0: not known */
        sum += load[r];
        known += load[r] > 0 ? (double)units[r] : 0;
    }
    for (int r = 0; r < ranks; r++)
        if (!(load[r] > 0))
            load[r] = (double)units[r] * (known > 0 ? sum / known : 1);
    double scale = known > 0 ? known / sum : 1;
    for (int r = 0; r < ranks; r++)
        load[r] *= scale;
}
