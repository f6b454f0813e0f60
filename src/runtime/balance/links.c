/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/balance/links.h"
#include "runtime/balance/log.h"
#include "runtime/balance/tell.h"
#include "runtime/session/remeasure.h"
#include "util/clock.h"
#include <math.h>

/* Seconds that measuring takes: at most six rounds of an eighth of a second, and the wait for each other. In vain, the next
 * time has to bring twice as much. */
#define PRICE_S 1.0

void hs__links_suspect(hs__balancer *b, const hs__drift *drift, int64_t iterations, int64_t end)
{
    hs__suspicion *s = &b->suspicion;
    if (drift->kind == HS__DRIFT_MESSAGES && s->step_s != 0 && (s->step_s > 0) != (drift->after > drift->before)) {
        s->step_s = 0; /* messages are back to what they were */
        return;
    }
    if (drift->kind == HS__DRIFT_MESSAGES)
        *s = (hs__suspicion){.step_s = drift->after - drift->before,
                             .since = end - drift->iterations,
                             .price_s = s->price_s,
                             .loss_s = fabs(drift->after - drift->before) * (double)drift->iterations};
    else
        s->loss_s += fabs(s->step_s) * (double)iterations;
}

int hs__links_due(const hs__balancer *b)
{
    const hs__suspicion *s = &b->suspicion;
    double price = fmax(s->price_s, PRICE_S);
    int64_t left = b->counts.iterations <= b->horizon ? b->horizon - b->counts.iterations : -1;
    return b->kind->replan && s->step_s != 0 && s->loss_s >= price &&
           (left < 0 || fabs(s->step_s) * (double)left >= price);
}

void hs__links_adopt(hs__balancer *b)
{
    if (b->plans == b->context->planner.plans)
        return;
    b->plans = b->context->planner.plans;
    b->suspicion = (hs__suspicion){0};
    if (!b->kind->replan)
        return;
    hs__decider_replan(b->decider);
    b->kind->replan(b->layout);
    if (b->logged)
        hs__log_memberships(b->logged, b->kind->slices(b->layout));
}

hs_status hs__links_measure(hs__balancer *b)
{
    hs__suspicion *s = &b->suspicion;
    hs__link_found found;
    int64_t begun = hs__clock_ns();
    hs_status status = hs__remeasure(b->context, &found);
    b->move_ns += hs__clock_ns() - begun; /* paid for as a move, and no overhead of a phase */
    if (status == HS_OK) {
        hs__tell_link(b->context, &found, s->since);
        hs__links_adopt(b);
    } else if (status == HS_UNCHANGED) {
        hs__tell_no_link(b->context, s->since);
        *s = (hs__suspicion){.price_s = 2 * fmax(s->price_s, PRICE_S)};
    }
    return status;
}
