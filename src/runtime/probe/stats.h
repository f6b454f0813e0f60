/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_PROBE_STATS_H
#define HS_RUNTIME_PROBE_STATS_H

#include <heteroslice/hs_speed.h>

/* Numbers out of noisy readings. No MPI, no clock. */

enum { HS__SAMPLES_KEPT = 7, HS__ENOUGH_READINGS = 3 };

/** The last readings of one quantity. Start with {0}. */
typedef struct hs__samples {
    int count; /* all ever added; the last HS__SAMPLES_KEPT are in value[], in no particular order */
    double value[HS__SAMPLES_KEPT];
} hs__samples;

void hs__samples_add(hs__samples *samples, double value);

/** How many are kept. */
int hs__samples_kept(const hs__samples *samples);

/** Median of the kept readings, the mean of the middle two when their number is even; 0 when there is none. */
double hs__samples_median(const hs__samples *samples);

/** Median of the kept readings of both, the larger of the middle two when their number is even, 0 when there is none:
 * for readings that disturbances only lower. b may be NULL. */
double hs__samples_upper_median(const hs__samples *a, const hs__samples *b);

/** Whether at least HS__ENOUGH_READINGS are kept and the last ones lie within `tolerance` times the median of it. */
int hs__samples_steady(const hs__samples *samples, double tolerance);

/** Treat values that differ by less than their error as equal: divide them at their widest gaps into groups in which
 * the largest is at most (1 + spread) times the smallest, and set each to the mean of its group, so the sum stays.
 * Cost:       O(n log n), at worst O(n^2).
 * @param value[n] >= 0
 * @return HS_OK; HS_ERR_NOMEM, value unchanged */
hs_status hs__join_alike(double *value, int n, double spread);

enum { HS__PROBE_SIZES = 6 }; /* sizes that a kernel computes with: its own, and others */

/** Readings of the speed with slices of one size. */
typedef struct hs__sized_speed {
    double size;             /* bytes; 0: not measured */
    double low, speed, high; /* the least, the median and the greatest */
} hs__sized_speed;

/** Make readings with slices of several sizes, in any order, a speed function. More data is taken to be computed slower only
 * where all readings are below all those with less: else the sizes get the mean of their speeds, as few as make it so. What
 * lies inside a level piece is left out.
 * @param sized[n]  n <= HS__PROBE_SIZES; sorted by size
 * @param point[n]  by rising size and falling speed. @return how many */
int hs__speeds_falling(hs__sized_speed *sized, int n, hs_speed_point *point);

/** Least-squares line through points that arrive one by one. Start with {0}. */
typedef struct hs__line {
    double n, mean_x, mean_y, xx, xy;
} hs__line;

void hs__line_add(hs__line *line, double x, double y);

/** Slope of the line; 0 with fewer than two different x. */
double hs__line_slope(const hs__line *line);

enum { HS__FLOW_SLICES = 10 };

/** The sustained rate of a flow of bytes, watched in slices of time. Start with hs__flow_begin(). */
typedef struct hs__flow {
    double slice;                   /* seconds */
    int most;                       /* slices to watch at most */
    int started, slices;            /* slices: how many are closed */
    double first, begin, bytes;     /* time of the first arrival and of the open slice's; bytes since the first */
    hs__line line[HS__FLOW_SLICES]; /* of each slice, bytes over time */
} hs__flow;

/** most: from 3, where it always watches three slices, to HS__FLOW_SLICES. */
void hs__flow_begin(hs__flow *flow, double slice, int most);

/** Note that bytes arrived at a time. @return 1 when the rate is known: at least three slices, of which the first (slow
 * start, token buckets) does not count and the last two agree within 4 %; or when all slices are used up. */
int hs__flow_add(hs__flow *flow, double time, double bytes);

/** Bytes/s over the last two slices when they agree, else the median of all but the first; 0 with no closed slice.
 * Rates are slopes of least-squares lines: an arrival that is noticed late hardly counts. */
double hs__flow_rate(const hs__flow *flow);

#endif
