/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_SLICES_SLICES_H
#define HS_PLAN_SLICES_SLICES_H

#include "plan/slices/sizes.h"
#include <heteroslice/hs_slices.h>

/** Units that hosts divide. */
typedef struct hs__slices_task {
    const double *prefix;                 /* as hs__weights_sum() leaves it; NULL: units are equal */
    const double *cycle_time, *comm_time; /* [hosts] as hs_slices_compute_weighted() takes them */
    const hs__slice_sizes *sizes;         /* NULL: cycle times do not depend on the size */
    int hosts;
    int64_t units, minimum;
} hs__slices_task;

/** As hs_slices_compute(), of equal units, without allocating: for callers whose ranks must not fail one by one.
 * @param scratch  [2 * hosts] */
hs_status hs__slices_compute(const hs__slices_task *task, hs_step_model model, int64_t *count, double *step_time,
                             int64_t *scratch);

#endif
