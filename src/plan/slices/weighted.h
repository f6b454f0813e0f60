/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_SLICES_WEIGHTED_H
#define HS_PLAN_SLICES_WEIGHTED_H

#include "plan/slices/slices.h"
#include <stddef.h>

/** Elements of the scratch memory of hs__slices_cut(). */
#define HS__SLICES_SCRATCH(hosts) (3 * ((size_t)(hosts) + 1))

/** Sum up weights: prefix[u] is the weight of the units before u. All zero: every unit weighs 1.
 * @param[out] prefix  [units + 1]
 * @return HS_OK; HS_ERR_ARG: a weight, or the sum, is negative, infinite or no number */
hs_status hs__weights_sum(const double *weight, int64_t units, double *prefix);

/** As hs_slices_compute_weighted(), without allocating: for callers whose ranks must not fail one by one.
 * @param held     [hosts] the present slices: of all cuts with the least step time, that near them (hs__slices_near());
 *                 NULL: a level one. Not asked where units are equal
 * @param scratch  [HS__SLICES_SCRATCH(hosts)]
 * @return likewise, and HS_ERR_INFEASIBLE when the hosts' limits do not hold all units */
hs_status hs__slices_cut(const hs__slices_task *task, hs_step_model model, const int64_t *held, int64_t *count,
                         double *step_time, int64_t *scratch);

/** Cut so that every host meets a deadline and few units move.
 *
 * Guarantee: the border that is furthest from the present one is as near to it as it can be, and then each border in turn.
 *            No host sends and receives more than twice as many units as that border is away.
 * Cost:      O(p log^2 N)
 *
 * @param task, held, scratch  as for hs__slices_cut()
 * @param exposed   0 to 1: a host takes max(c, d) + exposed x min(c, d) seconds when it computes for c and communicates for d
 * @param deadline  seconds
 * @param count     [hosts] written only on HS_OK
 * @return HS_OK; HS_ERR_INFEASIBLE: no cut meets the deadline, or this one has a slice with fewer than `minimum` units */
hs_status hs__slices_near(const hs__slices_task *task, double exposed, double deadline, const int64_t *held,
                          int64_t *count, int64_t *scratch);

#endif
