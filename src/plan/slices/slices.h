/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_SLICES_SLICES_H
#define HS_PLAN_SLICES_SLICES_H

#include <heteroslice/hs_slices.h>

/** As hs_slices_compute(), without allocating: for callers whose ranks must not fail one by one.
 * @param scratch  [2 * hosts] */
hs_status hs__slices_compute(const double *cycle_time, const double *comm_time, int hosts, int64_t units,
                             int64_t minimum, hs_step_model model, int64_t *count, double *step_time, int64_t *scratch);

#endif
