/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a divisible plan can be carried out as it says, by the public functions alone: its events follow the model, do
 * what the loads say, and end at the makespan. */
#include <heteroslice/hs_divisible.h>

#include "util/array.h"
#include "util/status.h"
#include <math.h>
#include <stdlib.h>

static const double rounding = 1e-9; /* of the makespan or the load */

/* What the events up to now have done. */
typedef struct replay {
    const hs_divisible_params *params;
    double slack;                   /* seconds */
    double port[3];                 /* HS_DIVISIBLE_SEND, HS_DIVISIBLE_RETURN: until when the master is busy with it */
    double *sent, *computed, *busy; /* by host: items, items, until when it computes */
    double *arrival;                /* [rounds * hosts]: when the installment has arrived */
    double end;
} replay;

static double seconds_of(const hs_divisible_params *p, const hs_divisible_event *e)
{
    int i = e->host;
    if (e->what == HS_DIVISIBLE_COMPUTE)
        return (p->startup ? p->startup[i] : 0) + p->cycle_time[i] * e->items;
    return (p->latency ? p->latency[i] : 0) + p->comm_time[i] * e->items;
}

/* When the event can start at the earliest. */
static double ready_at(const replay *x, const hs_divisible_event *e)
{
    const hs_divisible_params *p = x->params;
    double ready = 0;
    if (e->what == HS_DIVISIBLE_COMPUTE)
        return fmax(x->busy[e->host], x->arrival[e->round * p->hosts + e->host]);
    ready = x->port[e->what];
    if (e->what == HS_DIVISIBLE_RETURN)
        ready = fmax(ready, x->busy[e->host]);
    return e->what == HS_DIVISIBLE_RETURN && p->port == HS_DIVISIBLE_ONE_PORT ? fmax(ready, x->port[HS_DIVISIBLE_SEND])
                                                                              : ready;
}

static hs_status play(replay *x, const hs_divisible *plan, const hs_divisible_event *e, hs_error *error)
{
    static const char *const names[] = {"is sent items", "computes", "returns results"};
    const hs_divisible_params *p = x->params;
    if (e->host < 0 || e->host >= p->hosts || e->round < 0 || e->round >= hs_divisible_rounds(plan) ||
        !(e->items > 0) || (unsigned)e->what > HS_DIVISIBLE_RETURN ||
        (e->what != HS_DIVISIBLE_COMPUTE && p->comm_time[e->host] == 0))
        return hs_error_set(error, HS_ERR_INTERNAL, 0, "an event with host %d, installment %d and %g items", e->host,
                            e->round, e->items);
    double seconds = seconds_of(p, e), ready = ready_at(x, e);
    if (!(fabs(e->end - e->start - seconds) <= x->slack) || !(e->start >= ready - x->slack))
        return hs_error_set(error, HS_ERR_INTERNAL, 0, "host %d %s from %g to %g s: it is ready at %g and takes %g",
                            e->host, names[e->what], e->start, e->end, ready, seconds);
    if (e->what == HS_DIVISIBLE_COMPUTE) {
        x->busy[e->host] = e->end;
        x->computed[e->host] += e->items;
    } else {
        x->port[e->what] = e->end;
    }
    if (e->what == HS_DIVISIBLE_SEND) {
        x->arrival[e->round * p->hosts + e->host] = e->end;
        x->sent[e->host] += e->items;
    }
    x->end = fmax(x->end, e->end);
    return HS_OK;
}

/* The loads add up, and are what was sent and computed. */
static hs_status check_loads(const replay *x, const hs_divisible *plan, hs_error *error)
{
    const hs_divisible_params *p = x->params;
    double total = 0, slack = rounding * p->load;
    for (int i = 0; i < p->hosts; i++) {
        double load = hs_divisible_load(plan, i);
        int is_whole = p->items == HS_DIVISIBLE_REAL || load == floor(load);
        total += load;
        if (!(load >= 0) || !is_whole || fabs(x->computed[i] - load) > slack ||
            (p->comm_time[i] > 0 && fabs(x->sent[i] - load) > slack))
            return hs_error_set(error, HS_ERR_INTERNAL, 0, "host %d has a load of %g, is sent %g and computes %g", i,
                                load, x->sent[i], x->computed[i]);
    }
    if (p->items == HS_DIVISIBLE_INTEGER ? total != p->load : fabs(total - p->load) > slack)
        return hs_error_set(error, HS_ERR_INTERNAL, 0, "the loads add up to %.17g, not %.17g", total, p->load);
    if (fabs(x->end - hs_divisible_makespan(plan)) > x->slack)
        return hs_error_set(error, HS_ERR_INTERNAL, 0, "it ends after %g s, not %g", x->end,
                            hs_divisible_makespan(plan));
    if (p->rounds == 1 && !(hs_divisible_lower_bound(plan) <= hs_divisible_makespan(plan) * (1 + rounding)))
        return hs_error_set(error, HS_ERR_INTERNAL, 0, "the lower bound %g is above the makespan %g",
                            hs_divisible_lower_bound(plan), hs_divisible_makespan(plan));
    return HS_OK;
}

hs_status hs_divisible_check(const hs_divisible_params *params, const hs_divisible *plan, hs_error *error)
{
    HS__RETURN_ERROR_IF_NULL(params, error);
    HS__RETURN_ERROR_IF_NULL(plan, error);
    int count;
    size_t hosts = (size_t)params->hosts;
    const hs_divisible_event *event = hs_divisible_events(plan, &count);
    double *room = hs__array_new(hosts * (3 + (size_t)hs_divisible_rounds(plan)), sizeof *room);
    if (!room)
        return HS_ERR_NOMEM;
    replay x = {.params = params,
                .slack = rounding * hs_divisible_makespan(plan),
                .sent = room,
                .computed = room + hosts,
                .busy = room + 2 * hosts,
                .arrival = room + 3 * hosts};
    hs_status status = HS_OK;
    for (int k = 0; k < count && status == HS_OK; k++)
        status = play(&x, plan, &event[k], error);
    if (status == HS_OK)
        status = check_loads(&x, plan, error);
    free(room);
    return status;
}
