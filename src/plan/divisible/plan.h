/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_DIVISIBLE_PLAN_H
#define HS_PLAN_DIVISIBLE_PLAN_H

#include "plan/divisible/divisible.h"

/** A plan under construction or finished. */
struct hs_divisible {
    int hosts, rounds, optimal;
    double makespan, lower_bound;
    int *send, *collect;       /* [hosts], every host once, those without load last */
    double *chunk;             /* chunk[round * hosts + host], items */
    hs_divisible_event *event; /* owned */
    int events;
    hs__pool pool; /* of the other arrays */
};

/** An empty plan. @return NULL when memory is out */
hs_divisible *hs__divisible_plan_new(int hosts, int rounds);

/** A plan of the schedule in one installment. @return HS_OK; HS_ERR_NOMEM */
hs_status hs__divisible_plan_schedule(const hs__star *star, const hs__schedule *schedule, hs_divisible **plan);

/** Set send and collect from the schedule's orders: hosts without load in chunk go last in both. */
void hs__divisible_plan_orders(hs_divisible *plan, const hs__schedule *schedule);

/** Fill in what follows from send, collect and chunk: the events and the makespan. @return HS_OK; HS_ERR_NOMEM */
hs_status hs__divisible_plan_finish(hs_divisible *plan, const hs__star *star);

hs_status hs__divisible_check_params(const hs_divisible_params *params, hs_error *error);

/** Several installments, when that is shorter than *plan, which it then replaces. The schedule gives the orders.
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__divisible_in_rounds(hs__task *task, const hs__schedule *schedule, hs_divisible **plan);

#endif
