/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HETEROSLICE_HS_SPEED_H
#define HETEROSLICE_HS_SPEED_H

/* Speed as a function of size: a host computes fast while its slice fits into a cache, slower in memory, and cannot hold
 * more than its memory (the functional performance model of Lastovetsky and Reddy). */

#include <heteroslice/hs_status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** With a slice of `size` bytes the speed is `speed` work units per second. */
typedef struct hs_speed_point {
    double size, speed;
} hs_speed_point;

/** A piecewise linear function of the size: the speed of the first point up to its size, a straight line from each point
 * to the next, and the speed of the last point from its size on. */
typedef struct hs_speed_function {
    const hs_speed_point *point; /* by rising size; borrowed by whoever takes the function */
    int points;                  /* 0: nothing is known of the speed */
    double max_size;             /* the largest slice, bytes, > 0; INFINITY: no limit */
} hs_speed_function;

/** Check a speed function: sizes rise, all numbers lie between 1e-100 and 1e100, and a larger slice takes longer, which
 * is that size / speed rises from point to point.
 * @return HS_OK; HS_ERR_ARG with *error naming the point */
HS_API hs_status hs_speed_check(const hs_speed_function *function, hs_error *error);

/** The speed with a slice of so many bytes, size >= 0; 0 when the function has no points. */
HS_API double hs_speed_at(const hs_speed_function *function, double size);

#ifdef __cplusplus
}
#endif
#endif
