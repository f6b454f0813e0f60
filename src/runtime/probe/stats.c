/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/probe/stats.h"
#include "util/array.h"
#include "util/median.h"
#include "util/sort.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double flow_agreement = 0.04;

void hs__samples_add(hs__samples *samples, double value)
{
    samples->value[samples->count % HS__SAMPLES_KEPT] = value;
    samples->count++;
}

int hs__samples_kept(const hs__samples *samples)
{
    return samples->count < HS__SAMPLES_KEPT ? samples->count : HS__SAMPLES_KEPT;
}

double hs__samples_median(const hs__samples *samples)
{
    double sorted[HS__SAMPLES_KEPT];
    int n = hs__samples_kept(samples);
    memcpy(sorted, samples->value, (size_t)n * sizeof *sorted);
    return hs__median(sorted, n);
}

double hs__samples_upper_median(const hs__samples *a, const hs__samples *b)
{
    double sorted[2 * HS__SAMPLES_KEPT];
    int n = hs__samples_kept(a), m = b ? hs__samples_kept(b) : 0;
    memcpy(sorted, a->value, (size_t)n * sizeof *sorted);
    if (m > 0)
        memcpy(sorted + n, b->value, (size_t)m * sizeof *sorted);
    if (n + m == 0)
        return 0;
    hs__sort_doubles(sorted, (size_t)(n + m));
    return sorted[(n + m) / 2];
}

int hs__samples_steady(const hs__samples *samples, double tolerance)
{
    double middle = hs__samples_median(samples);
    if (samples->count < HS__ENOUGH_READINGS)
        return 0;
    for (int k = 1; k <= HS__ENOUGH_READINGS; k++)
        if (!(fabs(samples->value[(samples->count - k) % HS__SAMPLES_KEPT] - middle) <= tolerance * fabs(middle)))
            return 0;
    return 1;
}

/* Where the second of two groups begins: after the widest gap, by ratio. */
static int widest_gap(const hs__ranked *sorted, int n)
{
    int at = 1;
    for (int i = 2; i < n; i++)
        if (sorted[i].value * sorted[at - 1].value > sorted[at].value * sorted[i - 1].value)
            at = i;
    return at;
}

static void join_alike(const hs__ranked *sorted, int n, double spread, double *value)
{
    if (sorted[n - 1].value > (1 + spread) * sorted[0].value) {
        int at = widest_gap(sorted, n);
        join_alike(sorted, at, spread, value);
        join_alike(sorted + at, n - at, spread, value);
        return;
    }
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += sorted[i].value;
    for (int i = 0; i < n; i++)
        value[sorted[i].index] = sum / n;
}

hs_status hs__join_alike(double *value, int n, double spread)
{
    if (n == 0)
        return HS_OK;
    hs__ranked *sorted = hs__array_new((size_t)n, sizeof *sorted);
    if (!sorted)
        return HS_ERR_NOMEM;
    for (int i = 0; i < n; i++)
        sorted[i] = (hs__ranked){value[i], i};
    hs__rank_least_first(sorted, (size_t)n);
    join_alike(sorted, n, spread, value);
    free(sorted);
    return HS_OK;
}

static int compare_sizes(const void *a, const void *b)
{
    const hs__sized_speed *x = a, *y = b;
    return (x->size > y->size) - (x->size < y->size);
}

/* Sizes in a row with one speed, the mean of so many; low and high are of all their readings. */
typedef struct level {
    double from, to, low, speed, high;
    int sizes;
} level;

static level level_of(const hs__sized_speed *sized)
{
    return (level){sized->size, sized->size, sized->low, sized->speed, sized->high, 1};
}

/* Both together. */
static level pool(level a, level b)
{
    int sizes = a.sizes + b.sizes;
    double speed = (a.sizes * a.speed + b.sizes * b.speed) / sizes;
    return (level){a.from, b.to, fmin(a.low, b.low), speed, fmax(a.high, b.high), sizes};
}

/* Pools adjacent violators. */
int hs__speeds_falling(hs__sized_speed *sized, int n, hs_speed_point *point)
{
    level levels[HS__PROBE_SIZES];
    int count = 0, points = 0;
    qsort(sized, (size_t)n, sizeof *sized, compare_sizes);
    for (int i = 0; i < n;) {
        level last = level_of(&sized[i++]);
        while (i < n && sized[i].size == last.to)
            last = pool(last, level_of(&sized[i++]));
        for (; count > 0 && levels[count - 1].low <= last.high; count--)
            last = pool(levels[count - 1], last);
        levels[count++] = last;
    }
    for (int i = 0; i < count; i++) {
        point[points++] = (hs_speed_point){levels[i].from, levels[i].speed};
        if (levels[i].to > levels[i].from)
            point[points++] = (hs_speed_point){levels[i].to, levels[i].speed};
    }
    return points;
}

void hs__line_add(hs__line *line, double x, double y)
{
    double dx = x - line->mean_x;
    line->n += 1;
    line->mean_x += dx / line->n;
    line->mean_y += (y - line->mean_y) / line->n;
    line->xx += dx * (x - line->mean_x);
    line->xy += dx * (y - line->mean_y);
}

/* The line through the points of both. */
static hs__line line_join(const hs__line *a, const hs__line *b)
{
    double n = a->n + b->n, dx = b->mean_x - a->mean_x, dy = b->mean_y - a->mean_y;
    if (n == 0)
        return (hs__line){0};
    return (hs__line){
        .n = n,
        .mean_x = a->mean_x + dx * b->n / n,
        .mean_y = a->mean_y + dy * b->n / n,
        .xx = a->xx + b->xx + dx * dx * a->n * b->n / n,
        .xy = a->xy + b->xy + dx * dy * a->n * b->n / n,
    };
}

double hs__line_slope(const hs__line *line)
{
    return line->xx > 0 ? line->xy / line->xx : 0;
}

void hs__flow_begin(hs__flow *flow, double slice, int most)
{
    *flow = (hs__flow){.slice = slice, .most = most};
}

static double slice_rate(const hs__flow *flow, int k)
{
    return hs__line_slope(&flow->line[k]);
}

static int last_two_agree(const hs__flow *flow)
{
    if (flow->slices < 3)
        return 0;
    double last = slice_rate(flow, flow->slices - 1), before = slice_rate(flow, flow->slices - 2);
    return fabs(last - before) <= flow_agreement * fmax(last, before);
}

int hs__flow_add(hs__flow *flow, double time, double bytes)
{
    if (!flow->started) {
        flow->started = 1;
        flow->first = flow->begin = time;
        hs__line_add(&flow->line[0], 0, 0);
        return 0;
    }
    if (flow->slices == flow->most)
        return 1;
    flow->bytes += bytes;
    hs__line_add(&flow->line[flow->slices], time - flow->first, flow->bytes);
    if (time - flow->begin >= flow->slice) {
        /* The arrival that ends a slice begins the next one. */
        if (++flow->slices < flow->most)
            hs__line_add(&flow->line[flow->slices], time - flow->first, flow->bytes);
        flow->begin = time;
    }
    return flow->slices == flow->most || last_two_agree(flow);
}

double hs__flow_rate(const hs__flow *flow)
{
    double rate[HS__FLOW_SLICES];
    int n = flow->slices;
    if (last_two_agree(flow)) {
        hs__line both = line_join(&flow->line[n - 2], &flow->line[n - 1]);
        return hs__line_slope(&both);
    }
    for (int k = 0; k < n; k++)
        rate[k] = slice_rate(flow, k);
    return n > 1 ? hs__median(rate + 1, n - 1) : n == 1 ? rate[0] : 0;
}
