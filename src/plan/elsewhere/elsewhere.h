/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_ELSEWHERE_H
#define HS_PLAN_ELSEWHERE_H

/* A recorded run on another platform.
 *
 * Its ranks run on the hosts of the same names, in the order that hs_init() would give them there, and begin with slices by
 * the speeds of that platform. A rank takes as many times longer for a unit as its host is slower there, by the ratio of both
 * platforms' speeds, with all that the run showed of its drift. Messages take what the other platform's links promise, times
 * what the steps of the run showed of promises (hs__step_fit); links are not measured again. Moves cost as many times more
 * as the slowest halo takes longer. How speeds depend on sizes is what the other platform says. */

#include "plan/decision/replay.h"
#include <heteroslice/hs_platform.h>

/** Find how the run would have begun there.
 * @param[out] there  hs__elsewhere_free() frees it; it borrows from trace
 * @param[out] error  with a text
 * @return HS_OK; HS_ERR_UNSUPPORTED: the trace has no slices, or no site; HS_ERR_UNREACHABLE: a host is not on the
 *         platform; HS_ERR_INFEASIBLE and others as of hs__rank_order_plan(); HS_ERR_NOMEM */
hs_status hs__elsewhere_create(const hs__trace *trace, const hs_platform *platform, hs__replay_place *there,
                               hs_error *error);
void hs__elsewhere_free(hs__replay_place *there);

#endif
