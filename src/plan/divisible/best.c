/* SPDX-License-Identifier: BSD-3-Clause */
/* What a user wants. Without results: by decreasing bandwidth, which is optimal for linear costs and real loads. With
 * results: the best of FIFO, LIFO and SPORT, bettered by local search over both orders, and for few workers by the
 * exact search within a budget. All are counted in evaluated schedules, not in seconds, so that every run plans the
 * same. */
#include "plan/divisible/divisible.h"
#include <math.h>
#include <string.h>

/* About a quarter of a second: a linear program of n hosts takes some n^3 steps. */
static const double STEPS = 1.25e8;

/* What the exact loads of a send order take, in programs of the same size. */
enum { SEND_ORDER_STEPS = 8 };

static hs_status best_sequence(hs__task *task, hs__schedule *schedule)
{
    static const hs_divisible_order orders[] = {HS_DIVISIBLE_FIFO, HS_DIVISIBLE_LIFO, HS_DIVISIBLE_SPORT};
    int ignored = 0, found = 0;
    schedule->makespan = INFINITY;
    for (int k = 0; k < 3; k++) {
        hs_status status = hs__divisible_sequence(task, orders[k], &task->scratch, &ignored);
        if (status == HS_ERR_UNSUPPORTED)
            continue;
        if (status != HS_OK)
            return status;
        found = 1;
        if (task->scratch.makespan < schedule->makespan)
            hs__schedule_copy(schedule, &task->scratch, task->star.hosts);
    }
    return found ? HS_OK : HS_ERR_UNSUPPORTED;
}

static int64_t budget(const hs__task *task)
{
    if (task->params->budget > 0)
        return task->params->budget;
    double n = task->star.hosts;
    return (int64_t)fmin(STEPS / (n * n * n), 2e5);
}

/* Betters real loads by search. */
static void search(hs__task *task, hs__schedule *schedule, int *optimal, int64_t max_programs)
{
    int masters[HS_DIVISIBLE_GIVEN_MAX];
    hs__divisible_improve(&task->fixed, &task->star, schedule, &task->scratch, &task->trial, max_programs);
    if (hs__divisible_exact_fits(&task->star))
        *optimal = hs__divisible_exact(&task->fixed, &task->star, schedule, max_programs, masters);
}

/* Whole items for a schedule found with real loads; the sequences, with whole items of their own, may be shorter. */
static hs_status finish_items(hs__task *task, hs__schedule *schedule, int *optimal)
{
    hs__schedule chosen;
    *optimal = 0;
    hs_status status = hs__schedule_init(&chosen, task->star.hosts);
    if (status != HS_OK)
        return status;
    hs__schedule_copy(&chosen, schedule, task->star.hosts);
    status = hs__divisible_apportion(&task->star, &chosen, task->ready);
    if (status == HS_OK)
        status = best_sequence(task, schedule);
    if (status == HS_OK && chosen.makespan < schedule->makespan)
        hs__schedule_copy(schedule, &chosen, task->star.hosts);
    hs__schedule_free(&chosen);
    return status;
}

static hs_status best_with_results(hs__task *task, hs__schedule *schedule, int *optimal)
{
    hs_divisible_items items = task->star.items;
    task->star.items = HS_DIVISIBLE_REAL;
    hs_status status = best_sequence(task, schedule);
    if (status == HS_OK && task->star.hosts <= HS_DIVISIBLE_GIVEN_MAX)
        search(task, schedule, optimal, budget(task));
    task->star.items = items;
    if (status == HS_OK && items == HS_DIVISIBLE_INTEGER)
        status = finish_items(task, schedule, optimal);
    return status;
}

static hs_status best_without_results(hs__task *task, hs__schedule *schedule, int *optimal)
{
    hs__divisible_fifo_orders(&task->star, schedule);
    hs_status status = hs__divisible_loads(task, schedule, optimal);
    if (status != HS_OK || (!task->star.affine && task->star.items == HS_DIVISIBLE_REAL))
        return status;
    return hs__divisible_improve_send(task, schedule, budget(task) / SEND_ORDER_STEPS, optimal);
}

hs_status hs__divisible_best(hs__task *task, hs__schedule *schedule, int *optimal)
{
    *optimal = 0;
    return task->star.results > 0.0 ? best_with_results(task, schedule, optimal)
                                    : best_without_results(task, schedule, optimal);
}

static hs_status exact_real(hs__task *task, hs__schedule *schedule, int *optimal)
{
    int masters[HS_DIVISIBLE_GIVEN_MAX];
    hs_divisible_items items = task->star.items;
    task->star.items = HS_DIVISIBLE_REAL;
    hs_status status = best_sequence(task, schedule);
    if (status == HS_OK) {
        hs__divisible_improve(&task->fixed, &task->star, schedule, &task->scratch, &task->trial, 1000);
        *optimal = hs__divisible_exact(&task->fixed, &task->star, schedule, INT64_MAX, masters);
    }
    task->star.items = items;
    return status;
}

hs_status hs__divisible_search_exact(hs__task *task, hs__schedule *schedule, int *optimal)
{
    const hs__star *star = &task->star;
    int whole = star->items == HS_DIVISIBLE_INTEGER, results = star->results > 0.0;
    if (!results && !star->affine && !whole)
        return best_without_results(task, schedule, optimal);
    if (!hs__divisible_exact_fits(star))
        return HS_ERR_UNSUPPORTED;
    if (whole && !results) {
        schedule->makespan = INFINITY;
        return hs__divisible_every_send_order(task, schedule, optimal);
    }
    hs_status status = exact_real(task, schedule, optimal);
    return status == HS_OK && whole ? finish_items(task, schedule, optimal) : status;
}
