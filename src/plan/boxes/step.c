/* SPDX-License-Identifier: BSD-3-Clause */
/* The step of a plan, and the best of a few rounds of sizes. */
#include "plan/boxes/boxes.h"

#include <math.h>
#include <string.h>

static hs_status set_step(const hs__boxes_task *task, hs_boxes *plan)
{
    const hs__boxes_costs *costs = task->costs;
    if (!costs->network) {
        plan->step_time =
            hs__boxes_step(&task->domain, plan->box, costs->cycle, costs->halo, costs->hosts, costs->model);
        return HS_OK;
    }
    hs_status status = hs__boxes_charge(task, plan->box, plan->halo_s, &plan->link_s);
    if (status == HS_OK)
        plan->step_time = hs__boxes_step_waiting(plan->box, costs->cycle, plan->halo_s, costs->hosts, costs->model);
    return status;
}

void hs__boxes_kept_new(const hs_boxes *plan, hs__pool *pool, hs__boxes_kept *kept)
{
    size_t hosts = (size_t)plan->hosts;
    *kept = (hs__boxes_kept){.step_time = INFINITY};
    kept->box = hs__pool_new(pool, hosts, sizeof *kept->box);
    if (plan->halo_s)
        kept->halo_s = hs__pool_new(pool, hosts, sizeof *kept->halo_s);
}

hs_status hs__boxes_step_keep(const hs__boxes_task *task, hs_boxes *plan, hs__boxes_kept *kept)
{
    size_t hosts = (size_t)plan->hosts;
    hs_status status = set_step(task, plan);
    if (status != HS_OK || plan->step_time >= kept->step_time)
        return status;
    kept->step_time = plan->step_time;
    kept->link_s = plan->link_s;
    memcpy(kept->box, plan->box, hosts * sizeof *kept->box);
    if (plan->halo_s)
        memcpy(kept->halo_s, plan->halo_s, hosts * sizeof *kept->halo_s);
    return HS_OK;
}

hs_status hs__boxes_take_kept(const hs__boxes_kept *kept, hs_boxes *plan)
{
    size_t hosts = (size_t)plan->hosts;
    if (!(kept->step_time < INFINITY))
        return HS_ERR_INFEASIBLE;
    plan->step_time = kept->step_time;
    plan->link_s = kept->link_s;
    memcpy(plan->box, kept->box, hosts * sizeof *plan->box);
    if (plan->halo_s)
        memcpy(plan->halo_s, kept->halo_s, hosts * sizeof *plan->halo_s);
    return HS_OK;
}
