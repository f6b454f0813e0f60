/* SPDX-License-Identifier: BSD-3-Clause */
/* Which solver finds the loads for given orders: closed forms for linear costs where there are any, the deadline search
 * for integer items or latencies without results (or with results in reverse order, which is the same), the linear
 * program for everything else. */
#include "plan/divisible/divisible.h"
#include "util/array.h"
#include <stdlib.h>

/* Hosts up to which leaving out each one is tried. */
enum { CHOOSING_MAX = 48 };

hs_status hs__task_init(hs__task *task, const hs_divisible_params *params)
{
    *task = (hs__task){.params = params};
    hs_status status = hs__star_init(&task->star, params);
    if (status != HS_OK)
        return status;
    int programs = params->hosts <= HS_DIVISIBLE_GIVEN_MAX;
    task->ready = hs__array_new((size_t)params->hosts, sizeof *task->ready);
    if (!task->ready || hs__schedule_init(&task->trial, params->hosts) != HS_OK ||
        hs__schedule_init(&task->scratch, params->hosts) != HS_OK ||
        hs__fixed_init(&task->fixed, &task->star, programs ? params->hosts : 0) != HS_OK) {
        hs__task_free(task);
        return HS_ERR_NOMEM;
    }
    return HS_OK;
}

void hs__task_free(hs__task *task)
{
    hs__fixed_free(&task->fixed);
    hs__schedule_free(&task->scratch);
    hs__schedule_free(&task->trial);
    free(task->ready);
    hs__star_free(&task->star);
}

/* Whether results come back in the reverse of the send order, or none come. */
static int is_nested(const hs__star *star, const hs__schedule *schedule)
{
    int masters = 0;
    if (star->results == 0.0)
        return 1;
    while (masters < schedule->n && hs__star_is_master(star, schedule->send[masters]))
        masters++;
    for (int k = 0; k < schedule->n - masters; k++)
        if (schedule->send[masters + k] != schedule->collect[schedule->n - masters - 1 - k])
            return 0;
    return 1;
}

static hs_status nested_loads(hs__task *task, hs__schedule *schedule, int *optimal)
{
    double factor = 1.0 + task->star.results;
    if (task->star.items == HS_DIVISIBLE_INTEGER || task->star.affine)
        return hs__divisible_deadline_loads(&task->star, schedule, factor, task->ready, optimal, NULL);
    hs__divisible_star_loads(&task->star, schedule, factor, task->ready);
    *optimal = 1;
    return HS_OK;
}

static hs_status finish_items(hs__task *task, hs__schedule *schedule, int *optimal)
{
    if (task->star.items == HS_DIVISIBLE_REAL)
        return HS_OK;
    *optimal = 0;
    return hs__divisible_apportion(&task->star, schedule, task->ready);
}

hs_status hs__divisible_loads(hs__task *task, hs__schedule *schedule, int *optimal)
{
    const hs__star *star = &task->star;
    if (is_nested(star, schedule))
        return nested_loads(task, schedule, optimal);
    if (star->hosts > HS_DIVISIBLE_GIVEN_MAX)
        return HS_ERR_UNSUPPORTED;
    int rows_matter = star->affine || star->port == HS_DIVISIBLE_DUPLEX;
    hs_status status = HS_OK;
    *optimal = !rows_matter;
    if (rows_matter && star->hosts <= CHOOSING_MAX)
        status = hs__fixed_loads_choosing(&task->fixed, star, schedule, &task->trial, optimal);
    else
        hs__fixed_loads(&task->fixed, star, schedule);
    return status == HS_OK ? finish_items(task, schedule, optimal) : status;
}

hs_status hs__divisible_sequence(hs__task *task, hs_divisible_order order, hs__schedule *schedule, int *optimal)
{
    const hs__star *star = &task->star;
    int many = star->hosts > HS_DIVISIBLE_GIVEN_MAX && star->results > 0.0;
    hs_status status = HS_OK;
    if (order == HS_DIVISIBLE_LIFO) {
        hs__divisible_lifo_orders(star, schedule);
    } else if (many && !star->affine) {
        *optimal = 0;
        if (order == HS_DIVISIBLE_FIFO)
            hs__divisible_fifo_loads(star, schedule, task->ready);
        else
            status = hs__divisible_sport_loads(star, schedule, task->ready);
        return status == HS_OK ? finish_items(task, schedule, optimal) : status;
    } else if (order == HS_DIVISIBLE_FIFO) {
        hs__divisible_fifo_orders(star, schedule);
    } else {
        status = hs__divisible_sport_orders(star, schedule);
    }
    return status == HS_OK ? hs__divisible_loads(task, schedule, optimal) : status;
}
