/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans for divisible loads: from the parameters to the planner asked for. */
#include "plan/divisible/plan.h"
#include "util/assert.h"
#include "util/status.h"
#include <math.h>
#include <string.h>

static hs_status given(hs__task *task, hs__schedule *schedule, int *optimal)
{
    const hs_divisible_params *p = task->params;
    schedule->n = p->hosts;
    for (int k = 0; k < p->hosts; k++)
        schedule->send[k] = p->send_order ? p->send_order[k] : k;
    memcpy(schedule->collect, p->collect_order ? p->collect_order : schedule->send,
           (size_t)p->hosts * sizeof *schedule->collect);
    hs__schedule_settle_masters(schedule, &task->star);
    return hs__divisible_loads(task, schedule, optimal);
}

static hs_status solve(hs__task *task, hs__schedule *schedule, int *optimal)
{
    switch (task->params->order) {
    case HS_DIVISIBLE_BEST:
        return hs__divisible_best(task, schedule, optimal);
    case HS_DIVISIBLE_GIVEN:
        return given(task, schedule, optimal);
    case HS_DIVISIBLE_EXACT:
        return hs__divisible_search_exact(task, schedule, optimal);
    case HS_DIVISIBLE_FIFO:
    case HS_DIVISIBLE_LIFO:
    case HS_DIVISIBLE_SPORT:
        break;
    }
    return hs__divisible_sequence(task, task->params->order, schedule, optimal);
}

static hs_status explain(const hs__task *task, hs_status status, hs_error *error)
{
    if (status != HS_ERR_UNSUPPORTED)
        return hs__error_status(error, status);
    if (task->params->order == HS_DIVISIBLE_EXACT)
        return hs_error_set(error, status, 0, "the exact search takes at most %d workers, there are %d",
                            HS_DIVISIBLE_EXACT_MAX, task->star.workers);
    return hs_error_set(error, status, 0, "these orders with results are solved for at most %d hosts, there are %d",
                        HS_DIVISIBLE_GIVEN_MAX, task->star.hosts);
}

/* Own results must return; nothing else is sure. A plan in one installment that is optimal over all orders is its own
 * bound, and one that meets the bound is optimal. */
static void bound(const hs__task *task, hs_divisible *plan, int optimal)
{
    const hs__star *star = &task->star;
    int any_order = task->params->order == HS_DIVISIBLE_BEST || task->params->order == HS_DIVISIBLE_EXACT;
    plan->lower_bound = star->load / hs__divisible_star_rate(star, star->results);
    if (task->params->rounds > 1)
        return;
    plan->optimal = optimal || plan->makespan <= plan->lower_bound * (1.0 + 1e-12);
    if (optimal && any_order)
        plan->lower_bound = plan->makespan;
}

static hs_status plan_task(hs__task *task, hs_divisible **plan, hs_error *error)
{
    int optimal = 0;
    hs_divisible *made = NULL;
    hs__schedule schedule;
    const hs__star *star = &task->star;
    hs_status status = hs__schedule_init(&schedule, star->hosts);
    if (status == HS_OK)
        status = solve(task, &schedule, &optimal);
    if (status == HS_OK)
        status = hs__divisible_plan_schedule(star, &schedule, &made);
    if (status == HS_OK)
        status = hs__divisible_plan_finish(made, star);
    if (status == HS_OK)
        status = hs__divisible_in_rounds(task, &schedule, &made);
    if (status != HS_OK) {
        explain(task, status, error);
        goto out;
    }
    bound(task, made, optimal);
    if (hs__checking())
        status = hs_divisible_check(task->params, made, error);
    if (status == HS_OK) {
        *plan = made;
        made = NULL;
    }
out:
    hs_divisible_free(made);
    hs__schedule_free(&schedule);
    return status;
}

hs_status hs_divisible_create(const hs_divisible_params *params, hs_divisible **plan, hs_error *error)
{
    hs__task task;
    hs_status status = hs__divisible_check_params(params, error);
    if (status != HS_OK)
        return status;
    if (!plan)
        return hs_error_set(error, HS_ERR_ARG, 0, "no place for the plan");
    status = hs__task_init(&task, params);
    if (status != HS_OK)
        return hs__error_status(error, status);
    status = plan_task(&task, plan, error);
    hs__task_free(&task);
    return status;
}
