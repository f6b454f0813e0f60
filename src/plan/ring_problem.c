/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/ring_problem.h"
#include "util/array.h"
#include <stdlib.h>

/* The bandwidth problem of a ring: weights k_f = speed_i H / total speed, and the members' pairs of messages. */
typedef struct bandwidth_task {
    hs__share_task task;
    double *weight, *pair_fixed;
    int *pair;
} bandwidth_task;

static void bandwidth_task_free(bandwidth_task *b)
{
    free(b->pair);
    free(b->pair_fixed);
    free(b->weight);
}

static hs_status bandwidth_task_init(bandwidth_task *b, const hs__ring_problem *p, const hs__ring_state *ring)
{
    size_t q = (size_t)ring->size;
    *b = (bandwidth_task){.weight = hs__array_new(2 * q, sizeof(double)),
                          .pair_fixed = hs__array_new(q, sizeof(double)),
                          .pair = hs__array_new(2 * q, sizeof(int))};
    if (!b->weight || !b->pair_fixed || !b->pair) {
        bandwidth_task_free(b);
        return HS_ERR_NOMEM;
    }
    int overlap = p->params->model == HS_STEP_OVERLAP;
    double speed = 0.0, fixed = 0.0;
    for (int k = 0; k < ring->size; k++)
        speed += p->network.speed[ring->order[k]];
    for (int k = 0; k < ring->size; k++) {
        int ahead = 2 * k, back = hs__ring_back(ring, k);
        double part = overlap ? 0.0 : p->network.speed[ring->order[k]] / speed;
        b->pair[2 * k] = ahead;
        b->pair[2 * k + 1] = back;
        b->weight[ahead] = b->weight[back] = part * p->params->halo;
        b->pair_fixed[k] = ring->path[ahead]->latency + ring->path[back]->latency;
        fixed += part * b->pair_fixed[k];
    }
    b->task = (hs__share_task){.messages = hs__ring_messages(ring),
                               .path = ring->path,
                               .fixed = p->params->work / speed + fixed,
                               .weight = b->weight,
                               .pairs = ring->size,
                               .pair = b->pair,
                               .pair_weight = p->params->halo,
                               .pair_fixed = b->pair_fixed};
    return HS_OK;
}

static hs_status share_optimally(hs__ring_problem *p, hs__ring_state *ring)
{
    bandwidth_task b;
    double value, bound;
    hs_status status = bandwidth_task_init(&b, p, ring);
    if (status != HS_OK)
        return status;
    status = p->params->share == HS_RING_SHARE_KINSOL
                 ? hs__share_kinsol(&p->sharing, &b.task, ring->rate)
                 : hs__share_optimal(&p->sharing, &b.task, ring->rate, &value, &bound);
    bandwidth_task_free(&b);
    return status;
}

hs_status hs__ring_share(hs__ring_problem *problem, hs__ring_state *ring)
{
    hs_ring_share rule = problem->params->share;
    if (ring->size < 2)
        return HS_OK;
    hs_status status = hs__share_maxmin(&problem->sharing, ring->path, hs__ring_messages(ring), ring->rate);
    if (status == HS_OK && problem->params->halo > 0 && (rule == HS_RING_SHARE_OPTIMAL || rule == HS_RING_SHARE_KINSOL))
        status = share_optimally(problem, ring);
    return status;
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
