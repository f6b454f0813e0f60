/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/ring_problem.h"

hs_status hs__ring_share(hs__ring_problem *problem, hs__ring_state *ring)
{
    if (ring->size < 2)
        return HS_OK;
    return hs__share_maxmin(problem->sharing, ring->path, hs__ring_messages(ring), ring->rate);
}

hs__ring_cost hs__ring_note(hs__ring_problem *problem, const hs__ring_state *ring)
{
    hs__ring_cost cost = hs__ring_cost_all(problem->params, &problem->network, ring);
    if (cost.step_time < problem->by_size[ring->size])
        problem->by_size[ring->size] = cost.step_time;
    if (cost.step_time < problem->best_time) {
        problem->best_time = cost.step_time;
        hs__ring_state_copy(&problem->best, ring);
    }
    return cost;
}
