/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans: accessors, and the events of carrying one out. */
#include "plan/divisible/plan.h"
#include "util/array.h"
#include "util/assert.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

hs_divisible *hs__divisible_plan_new(int hosts, int rounds)
{
    size_t p = (size_t)hosts, r = (size_t)rounds;
    hs_divisible *plan = hs__array_new(1, sizeof *plan);
    if (!plan)
        return NULL;
    plan->hosts = hosts;
    plan->rounds = rounds;
    plan->send = hs__pool_new(&plan->pool, p, sizeof *plan->send);
    plan->collect = hs__pool_new(&plan->pool, p, sizeof *plan->collect);
    plan->chunk = hs__pool_new(&plan->pool, p * r, sizeof *plan->chunk);
    plan->event = hs__array_new(p * (2 * r + 1), sizeof *plan->event);
    if (plan->event && hs__pool_status(&plan->pool) == HS_OK)
        return plan;
    hs_divisible_free(plan);
    return NULL;
}

void hs_divisible_free(hs_divisible *plan)
{
    if (!plan)
        return;
    free(plan->event);
    hs__pool_free(&plan->pool);
    free(plan);
}

/* The hosts of an order that have load, then all others by index. */
static void complete_order(const hs_divisible *plan, const int *order, int n, int *full)
{
    int filled = 0;
    for (int k = 0; k < n; k++)
        if (hs_divisible_load(plan, order[k]) > 0.0)
            full[filled++] = order[k];
    for (int i = 0; i < plan->hosts; i++)
        if (!(hs_divisible_load(plan, i) > 0.0))
            full[filled++] = i;
    HS_ASSERT(filled == plan->hosts); /* every host once */
}

void hs__divisible_plan_orders(hs_divisible *plan, const hs__schedule *schedule)
{
    complete_order(plan, schedule->send, schedule->n, plan->send);
    complete_order(plan, schedule->collect, schedule->n, plan->collect);
}

hs_status hs__divisible_plan_schedule(const hs__star *star, const hs__schedule *schedule, hs_divisible **plan)
{
    hs_divisible *p = hs__divisible_plan_new(star->hosts, 1);
    if (!p)
        return HS_ERR_NOMEM;
    memcpy(p->chunk, schedule->load, (size_t)star->hosts * sizeof *p->chunk);
    hs__divisible_plan_orders(p, schedule);
    *plan = p;
    return HS_OK;
}

static void add_event(hs_divisible *plan, hs_divisible_what what, int host, int round, double start, double end,
                      double items)
{
    plan->event[plan->events++] = (hs_divisible_event){what, host, round, start, end, items};
}

/* Sends and computations, as early as they can be. busy[i]: until when host i computes. @return when the last send ends
 */
static double run_rounds(hs_divisible *plan, const hs__star *star, double *busy)
{
    double port = 0.0;
    for (int r = 0; r < plan->rounds; r++)
        for (int k = 0; k < plan->hosts; k++) {
            int i = plan->send[k], master = hs__star_is_master(star, i);
            double n = plan->chunk[r * plan->hosts + i], from = port;
            if (!(n > 0.0))
                continue;
            port += star->l[i] + star->c[i] * n;
            double start = master ? busy[i] : fmax(port, busy[i]);
            busy[i] = start + star->s[i] + star->w[i] * n;
            if (!master)
                add_event(plan, HS_DIVISIBLE_SEND, i, r, from, port, n);
            add_event(plan, HS_DIVISIBLE_COMPUTE, i, r, start, busy[i], n);
        }
    return port;
}

/* Returns, as early as they can be. @return the makespan */
static double run_returns(hs_divisible *plan, const hs__star *star, const double *busy, double sent)
{
    double port = star->port == HS_DIVISIBLE_ONE_PORT ? sent : 0.0, makespan = 0.0;
    for (int k = 0; k < plan->hosts; k++) {
        int i = plan->collect[k];
        double n = hs_divisible_load(plan, i), end = busy[i];
        if (!(n > 0.0))
            continue;
        if (star->results > 0.0 && !hs__star_is_master(star, i)) {
            double start = fmax(port, busy[i]);
            port = end = start + star->l[i] + star->results * star->c[i] * n;
            add_event(plan, HS_DIVISIBLE_RETURN, i, plan->rounds - 1, start, end, star->results * n);
        }
        makespan = fmax(makespan, end);
    }
    return makespan;
}

/* Sends before computations before returns, each kind in the order it was recorded. */
static hs_status sort_events(hs_divisible *plan)
{
    hs_divisible_event *sorted = hs__array_new((size_t)plan->events, sizeof *sorted);
    int n = 0;
    if (!sorted)
        return HS_ERR_NOMEM;
    for (int what = HS_DIVISIBLE_SEND; what <= HS_DIVISIBLE_RETURN; what++)
        for (int k = 0; k < plan->events; k++)
            if ((int)plan->event[k].what == what)
                sorted[n++] = plan->event[k];
    HS_ASSERT(n == plan->events);
    free(plan->event);
    plan->event = sorted;
    return HS_OK;
}

hs_status hs__divisible_plan_finish(hs_divisible *plan, const hs__star *star)
{
    double *busy = hs__array_new((size_t)plan->hosts, sizeof *busy);
    if (!busy)
        return HS_ERR_NOMEM;
    double sent = run_rounds(plan, star, busy);
    plan->makespan = run_returns(plan, star, busy, sent);
    free(busy);
    return sort_events(plan);
}

/* ---- Accessors ---- */

int hs_divisible_hosts(const hs_divisible *plan)
{
    return plan->hosts;
}

double hs_divisible_makespan(const hs_divisible *plan)
{
    return plan->makespan;
}

double hs_divisible_load(const hs_divisible *plan, int host)
{
    double sum = 0.0;
    for (int r = 0; r < plan->rounds; r++)
        sum += plan->chunk[r * plan->hosts + host];
    return sum;
}

int64_t hs_divisible_count(const hs_divisible *plan, int host)
{
    return (int64_t)llround(hs_divisible_load(plan, host));
}

int hs_divisible_send_host(const hs_divisible *plan, int k)
{
    return plan->send[k];
}

int hs_divisible_collect_host(const hs_divisible *plan, int k)
{
    return plan->collect[k];
}

int hs_divisible_rounds(const hs_divisible *plan)
{
    return plan->rounds;
}

double hs_divisible_installment(const hs_divisible *plan, int round, int host)
{
    return plan->chunk[round * plan->hosts + host];
}

int hs_divisible_optimal(const hs_divisible *plan)
{
    return plan->optimal;
}

double hs_divisible_lower_bound(const hs_divisible *plan)
{
    return plan->lower_bound;
}

const hs_divisible_event *hs_divisible_events(const hs_divisible *plan, int *count)
{
    *count = plan->events;
    return plan->event;
}
