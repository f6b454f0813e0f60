/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/probe_stats.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double flow_agreement = 0.04;

static int compare(const void *a, const void *b)
{
    double x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

/* Sorts the values. */
static double median(double *value, int n)
{
    if (n == 0)
        return 0;
    qsort(value, (size_t)n, sizeof *value, compare);
    return n % 2 ? value[n / 2] : (value[n / 2 - 1] + value[n / 2]) / 2;
}

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
    return median(sorted, n);
}

double hs__samples_median_both(const hs__samples *a, const hs__samples *b)
{
    double sorted[2 * HS__SAMPLES_KEPT];
    int n = hs__samples_kept(a), m = hs__samples_kept(b);
    memcpy(sorted, a->value, (size_t)n * sizeof *sorted);
    memcpy(sorted + n, b->value, (size_t)m * sizeof *sorted);
    return median(sorted, n + m);
}

int hs__samples_steady(const hs__samples *samples, double tolerance)
{
    double middle = hs__samples_median(samples);
    if (samples->count < 3)
        return 0;
    for (int k = 1; k <= 3; k++)
        if (!(fabs(samples->value[(samples->count - k) % HS__SAMPLES_KEPT] - middle) <= tolerance * fabs(middle)))
            return 0;
    return 1;
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
    return flow->slice_bytes[k] / flow->slice_time[k];
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
        flow->begin = time;
        return 0;
    }
    flow->bytes += bytes;
    if (time - flow->begin >= flow->slice && flow->slices < flow->most) {
        flow->slice_bytes[flow->slices] = flow->bytes;
        flow->slice_time[flow->slices] = time - flow->begin;
        flow->slices++;
        flow->begin = time;
        flow->bytes = 0;
    }
    return flow->slices == flow->most || last_two_agree(flow);
}

double hs__flow_rate(const hs__flow *flow)
{
    double rate[HS__FLOW_SLICES];
    int n = flow->slices;
    if (last_two_agree(flow))
        return (flow->slice_bytes[n - 1] + flow->slice_bytes[n - 2]) /
               (flow->slice_time[n - 1] + flow->slice_time[n - 2]);
    for (int k = 0; k < n; k++)
        rate[k] = slice_rate(flow, k);
    return n > 1 ? median(rate + 1, n - 1) : n ? rate[0] : 0;
}
