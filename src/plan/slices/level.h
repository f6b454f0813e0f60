/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_SLICES_LEVEL_H
#define HS_PLAN_SLICES_LEVEL_H

/* Slices of equal time for hosts whose speed depends on the size of the slice. */

#include <heteroslice/hs_speed.h>

/** Data that hosts divide among them: sizes are real numbers. */
typedef struct hs__level_task {
    const hs_speed_function *function; /* [host] of whole hosts; borrowed */
    const int *host;                   /* [k] which ones divide the data; NULL: the first ones; borrowed */
    const double *comm_time;           /* [k] seconds beside the computation; NULL: none; borrowed */
    int hosts;                         /* how many divide it */
    double work, data;                 /* work units and bytes, > 0 */
} hs__level_task;

/** The least time in which the hosts compute all data: T with sum of the largest slices that host k computes within
 * T - comm_time[k] equal to the data. Hosts whose comm_time is T or more take none.
 *
 * Source:     Lastovetsky and Reddy, IJHPCA 2007: slices of equal time are where a line through the origin meets the
 *             speed functions.
 * Differs:    bisection on the time, which costs no more with communication and limits.
 * Cost:       O(52 p log points).
 * @return seconds above the smallest comm_time; INFINITY when the largest slices do not hold the data */
double hs__level_time(const hs__level_task *task);

/** What host k takes of the data within so many seconds above the smallest comm_time, bytes. */
double hs__level_size(const hs__level_task *task, int k, double seconds);

/** The smallest comm_time. */
double hs__level_base(const hs__level_task *task);

#endif
