/* SPDX-License-Identifier: BSD-3-Clause */
/* The core of the search over rings: a trial is judged, and accepted when it is better. */
#include "plan/ring/search.h"
#include "util/assert.h"
#include <math.h>

/* The two paths between neighbours a and b: those of the current ring when they are neighbours there. */
static hs_status find_paths(hs__search *s, int a, int b, const hs__path **ahead, const hs__path **back)
{
    const hs__ring_state *now = &s->now;
    int at = s->position[a];
    if (at >= 0 && now->size > 1 && now->order[hs__ring_next(now, at)] == b) {
        *ahead = now->path[2 * at];
        *back = now->path[2 * at + 1];
        return HS_OK;
    }
    at = s->position[b];
    if (at >= 0 && now->size > 1 && now->order[hs__ring_next(now, at)] == a) {
        *ahead = now->path[2 * at + 1];
        *back = now->path[2 * at];
        return HS_OK;
    }
    hs_status status = hs__table_path(&s->table, a, b, ahead);
    return status == HS_OK ? hs__table_path(&s->table, b, a, back) : status;
}

hs_status hs__search_judge_paths(hs__search *search)
{
    hs__ring_problem *p = search->problem;
    int64_t messages = hs__ring_messages(&search->trial);
    p->evaluations++;
    p->effort += messages + 1;
    double bound = 0.0;
    if (search->prune && search->prices.eq4 > 0) {
        bound = hs__ring_price_bound(p, &search->prices, &search->trial);
        if (bound > search->cost.step_time) {
            search->trial_cost = (hs__ring_cost){.eq4 = bound, .step_time = bound};
            return HS_OK;
        }
    }
    hs_status status = hs__ring_share(p, p->rule, &search->trial, &search->trial_prices);
    if (status != HS_OK)
        return status;
    search->trial_cost = hs__ring_cost_all(p->params, &p->network, &search->trial);
    HS_ASSERT(bound <= search->trial_cost.step_time * (1 + 1e-9)); /* the prices of another ring prove a bound */
    double *met = &p->by_size[search->trial.size];
    *met = fmin(*met, search->trial_cost.step_time);
    return HS_OK;
}

hs_status hs__search_judge(hs__search *search)
{
    hs__ring_state *t = &search->trial;
    HS_ASSERT(t->size >= 1 && t->size <= search->problem->network.hosts);
    for (int k = 0; k < t->size && t->size > 1; k++) {
        const hs__path **path = &t->path[2 * k];
        hs_status status = find_paths(search, t->order[k], t->order[hs__ring_next(t, k)], &path[0], &path[1]);
        if (status != HS_OK)
            return status;
        if (!path[0] || !path[1]) {
            search->trial_cost = (hs__ring_cost){.eq4 = INFINITY, .step_time = INFINITY};
            return HS_OK;
        }
    }
    return hs__search_judge_paths(search);
}

hs_status hs__search_judge_routes(hs__search *search)
{
    hs__ring_state *t = &search->trial;
    for (int f = 0; f < hs__ring_messages(t); f++) {
        hs_status status =
            hs__network_route(search->table.network, hs__ring_sender(t, f), hs__ring_receiver(t, f), &t->path[f]);
        if (status != HS_OK)
            return status;
        if (!t->path[f]) {
            search->trial_cost = (hs__ring_cost){.eq4 = INFINITY, .step_time = INFINITY};
            return HS_OK;
        }
    }
    return hs__search_judge_paths(search);
}

/* Whether every member of the current ring has one position, and no other host has. */
static int positions_fit(const hs__search *s)
{
    int members = 0;
    for (int i = 0; i < s->problem->network.hosts; i++)
        members += s->position[i] >= 0 && s->now.order[s->position[i]] == i;
    return members == s->now.size;
}

void hs__search_accept(hs__search *search)
{
    hs__ring_state was = search->now;
    search->now = search->trial;
    search->trial = was;
    search->cost = search->trial_cost;
    hs__prices prices = search->prices;
    search->prices = search->trial_prices;
    search->trial_prices = prices;
    for (int i = 0; i < search->problem->network.hosts; i++)
        search->position[i] = -1;
    for (int k = 0; k < search->now.size; k++)
        search->position[search->now.order[k]] = k;
    HS_ASSERT(positions_fit(search));
    hs__ring_note(search->problem, &search->now);
}

/* Among equal T: the fewer bottlenecks when messages dictate an overlapped step, which Eq. 4 does not show; else the
 * smaller Eq. 4. */
static int better(hs_step_model model, const hs__ring_cost *a, const hs__ring_cost *b)
{
    const double noise = 1e-12;
    if (fabs(a->step_time - b->step_time) > noise * b->step_time)
        return a->step_time < b->step_time;
    if (model == HS_STEP_OVERLAP && b->eq4 < b->step_time &&
        fabs(a->bottlenecks - b->bottlenecks) > 1e-9 * b->bottlenecks)
        return a->bottlenecks < b->bottlenecks;
    return a->eq4 < b->eq4 * (1 - noise);
}

void hs__search_improve(hs__search *search, int *improved)
{
    if (better(search->problem->params->model, &search->trial_cost, &search->cost)) {
        hs__search_accept(search);
        *improved = 1;
    }
}
