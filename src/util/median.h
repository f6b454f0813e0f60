/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_UTIL_MEDIAN_H
#define HS_UTIL_MEDIAN_H

/** The mean of the middle two when n is even, 0 when it is 0. Sorts the values. */
double hs__median(double *value, int n);

#endif
