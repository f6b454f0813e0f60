/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_SLICES_SIZES_H
#define HS_PLAN_SLICES_SIZES_H

/* Cycle times that depend on the size of the slice. */

#include "util/speed.h"
#include <stdint.h>

/** Where units have weights a slice is taken to have the same part of all bytes as it has of all weight. So a heavier slice
 * never takes less time, and cuts are exact. The limit counts units. */
typedef struct hs__slice_sizes {
    const hs_speed_function *pace; /* [hosts] speed over that of the cycle time, with at least one point; borrowed */
    double unit_bytes;             /* of a unit, > 0 */
    double weight_bytes;           /* of a unit of weight, > 0; unit_bytes where every unit weighs 1 */
} hs__slice_sizes;

/** Bytes of a unit of weight. @param prefix  as hs__weights_sum() leaves it; NULL: every unit weighs 1 */
static inline double hs__weight_bytes(const double *prefix, int64_t units, double unit_bytes)
{
    return prefix ? unit_bytes * (double)units / prefix[units] : unit_bytes;
}

/** Seconds that host i computes a slice of this weight; `cycle` seconds a unit of weight at pace 1. It never falls when the
 * weight rises, rounding included. */
static inline double hs__sized_time(const hs__slice_sizes *sizes, int i, double cycle, double weight)
{
    return hs__speed_time(&sizes->pace[i], cycle / sizes->weight_bytes, weight * sizes->weight_bytes);
}

/** The weight that host i computes within so many seconds, up to rounding. */
static inline double hs__sized_weight(const hs__slice_sizes *sizes, int i, double cycle, double seconds)
{
    return hs__speed_size(&sizes->pace[i], cycle / sizes->weight_bytes, seconds) / sizes->weight_bytes;
}

/** Whether host i can hold so many units. */
static inline int hs__sized_holds(const hs__slice_sizes *sizes, int i, int64_t units)
{
    return (double)units * sizes->unit_bytes <= sizes->pace[i].max_size;
}

#endif
