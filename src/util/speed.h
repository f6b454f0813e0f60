/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_UTIL_SPEED_H
#define HS_UTIL_SPEED_H

#include <heteroslice/hs_speed.h>

/** Seconds of computing a slice of `size` bytes with `density` > 0 work units a byte; 0 for size 0, INFINITY when the
 * function has no points. It never falls when the size rises, rounding included. The limit of the size is not asked. */
double hs__speed_time(const hs_speed_function *function, double density, double size);

/** The largest slice, bytes, that is computed within so many seconds, at most max_size; 0 when there are no points. It
 * is the inverse of hs__speed_time() up to rounding, and never falls when the seconds rise. */
double hs__speed_size(const hs_speed_function *function, double density, double seconds);

/** A function in other units: sizes and speeds times these factors, both > 0. A point that rounding would put in line with the
 * one before is left out.
 * @param[out] point  [function->points], may be the function's own; borrowed by the result */
hs_speed_function hs__speed_scaled(const hs_speed_function *function, double size, double speed, hs_speed_point *point);

/** The highest speed with slices of up to `size` bytes. */
double hs__speed_peak(const hs_speed_function *function, double size);

#endif
