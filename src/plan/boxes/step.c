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

void hs__boxes_kept_new(const hs_boxes *plan, hs__pool *pool, hs_boxes *kept)
{
    size_t hosts = (size_t)plan->hosts;
    *kept = (hs_boxes){.hosts = plan->hosts, .step_time = INFINITY};
    kept->box = hs__pool_new(pool, hosts, sizeof *kept->box);
    if (plan->halo_s)
        kept->halo_s = hs__pool_new(pool, hosts, sizeof *kept->halo_s);
}

/* The boxes and what they cost. */
static void copy_sizes(const hs_boxes *from, hs_boxes *to)
{
    size_t hosts = (size_t)from->hosts;
    to->step_time = from->step_time;
    to->link_s = from->link_s;
    memcpy(to->box, from->box, hosts * sizeof *to->box);
    if (from->halo_s)
        memcpy(to->halo_s, from->halo_s, hosts * sizeof *to->halo_s);
}

hs_status hs__boxes_step_keep(const hs__boxes_task *task, hs_boxes *plan, hs_boxes *kept)
{
    if (kept->step_time < INFINITY && memcmp(plan->box, kept->box, (size_t)plan->hosts * sizeof *plan->box) == 0)
        return HS_UNCHANGED;
    hs_status status = set_step(task, plan);
    if (status == HS_OK && plan->step_time < kept->step_time)
        copy_sizes(plan, kept);
    return status;
}

hs_status hs__boxes_take_kept(const hs_boxes *kept, hs_boxes *plan)
{
    if (!(kept->step_time < INFINITY))
        return HS_ERR_INFEASIBLE;
    copy_sizes(kept, plan);
    return HS_OK;
}
