/* SPDX-License-Identifier: BSD-3-Clause */
/* Iterated local search on the true step time. Few hosts: every ring is judged. Otherwise the best ring met so far is
 * improved until no move helps, shaken a little (hosts dropped and added, segments exchanged), improved again, and so
 * on until the budget is spent or shaking has been in vain often enough. The best ring is never given up, so the search
 * can stop anywhere. */
#include "plan/ring_search.h"
#include "util/array.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VAIN_SHAKES = 40 };

hs_status hs__search_init(hs__search *search, hs__ring_problem *problem, int64_t limit)
{
    hs__network *network = &problem->network;
    hs__search s = {.problem = problem, .limit = limit, .random = {1}};
    int free_routes = problem->params->routes == HS_RING_ROUTES_FREE;
    hs_status status = hs__table_init(&s.table, network, free_routes ? &problem->graph : NULL);
    if (status != HS_OK)
        return status;
    s.position = hs__array_new((size_t)network->hosts, sizeof *s.position);
    s.width = hs__array_new((size_t)network->links, sizeof *s.width);
    if (!s.position || !s.width || hs__ring_state_init(&s.now, network->hosts) != HS_OK ||
        hs__ring_state_init(&s.trial, network->hosts) != HS_OK) {
        hs__search_free(&s);
        return HS_ERR_NOMEM;
    }
    *search = s;
    return HS_OK;
}

void hs__search_free(hs__search *search)
{
    hs__ring_state_free(&search->trial);
    hs__ring_state_free(&search->now);
    free(search->width);
    free(search->position);
    hs__table_free(&search->table);
}

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
    hs_status status = hs__ring_share(p, &search->trial);
    if (status != HS_OK)
        return status;
    p->evaluations++;
    search->trial_cost = hs__ring_cost_all(p->params, &p->network, &search->trial);
    double *met = &p->by_size[search->trial.size];
    *met = fmin(*met, search->trial_cost.step_time);
    return HS_OK;
}

hs_status hs__search_judge(hs__search *search)
{
    hs__ring_state *t = &search->trial;
    for (int k = 0; k < t->size && t->size > 1; k++) {
        const hs__path **path = &t->path[2 * k];
        hs_status status = find_paths(search, t->order[k], t->order[hs__ring_next(t, k)], &path[0], &path[1]);
        if (status != HS_OK)
            return status;
        if (!path[0] || !path[1]) {
            search->trial_cost = (hs__ring_cost){INFINITY, INFINITY};
            return HS_OK;
        }
    }
    return hs__search_judge_paths(search);
}

void hs__search_accept(hs__search *search)
{
    hs__ring_state was = search->now;
    search->now = search->trial;
    search->trial = was;
    search->cost = search->trial_cost;
    for (int i = 0; i < search->problem->network.hosts; i++)
        search->position[i] = -1;
    for (int k = 0; k < search->now.size; k++)
        search->position[search->now.order[k]] = k;
    hs__ring_note(search->problem, &search->now);
}

static int better(const hs__ring_cost *a, const hs__ring_cost *b)
{
    const double noise = 1e-12;
    if (fabs(a->step_time - b->step_time) > noise * b->step_time)
        return a->step_time < b->step_time;
    return a->eq4 < b->eq4 * (1 - noise);
}

void hs__search_improve(hs__search *search, int *improved)
{
    if (better(&search->trial_cost, &search->cost)) {
        hs__search_accept(search);
        *improved = 1;
    }
}

void hs__search_reroute_table(hs__search *search)
{
    const hs__network *network = &search->problem->network;
    const hs__ring_state *now = &search->now;
    if (!search->table.graph)
        return;
    /* The larger of what is left and a fair share, in one pass over the messages for each. */
    double *left = search->width, *count = hs__array_new((size_t)network->links, sizeof *count);
    if (!count)
        return;
    memcpy(left, network->capacity, (size_t)network->links * sizeof *left);
    for (int f = 0; f < hs__ring_messages(now); f++)
        for (int m = 0; m < now->path[f]->count; m++) {
            left[now->path[f]->links[m]] -= isinf(now->rate[f]) ? 0.0 : now->rate[f];
            count[now->path[f]->links[m]]++;
        }
    for (int e = 0; e < network->links; e++)
        left[e] = fmax(left[e], network->capacity[e] / (count[e] + 1));
    hs__table_refresh(&search->table, left);
    free(count);
}

static int outsider(hs__search *s)
{
    int hosts = s->problem->network.hosts, start = (int)hs__random_below(&s->random, hosts);
    for (int i = 0; i < hosts; i++) {
        int host = (start + i) % hosts;
        if (s->position[host] < 0 && s->problem->network.speed[host] > 0)
            return host;
    }
    return -1;
}

/* Exchanges two neighbouring segments of the trial's order. */
static void exchange_segments(hs__search *s)
{
    hs__ring_state *t = &s->trial;
    int cut[3];
    for (int i = 0; i < 3; i++)
        cut[i] = (int)hs__random_below(&s->random, t->size + 1);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2 - i; j++)
            if (cut[j] > cut[j + 1]) {
                int swapped = cut[j];
                cut[j] = cut[j + 1];
                cut[j + 1] = swapped;
            }
    int n = 0, *order = s->now.order; /* as it was: the trial starts as a copy of it */
    for (int k = 0; k < cut[0]; k++)
        t->order[n++] = order[k];
    for (int k = cut[1]; k < cut[2]; k++)
        t->order[n++] = order[k];
    for (int k = cut[0]; k < cut[1]; k++)
        t->order[n++] = order[k];
    for (int k = cut[2]; k < t->size; k++)
        t->order[n++] = order[k];
}

/* Makes the trial a shaken copy of the best ring. */
static void shake(hs__search *s)
{
    hs__ring_state *t = &s->trial;
    hs__ring_state_copy(t, &s->now);
    exchange_segments(s);
    int drops = (int)hs__random_below(&s->random, 3);
    for (int i = 0; i < drops && t->size > 1; i++) {
        int k = (int)hs__random_below(&s->random, t->size);
        memmove(&t->order[k], &t->order[k + 1], (size_t)(t->size - 1 - k) * sizeof *t->order);
        t->size--;
    }
    int host = outsider(s);
    if (host >= 0 && t->size < s->problem->most && hs__random_below(&s->random, 2)) {
        int k = (int)hs__random_below(&s->random, t->size + 1);
        memmove(&t->order[k + 1], &t->order[k], (size_t)(t->size - k) * sizeof *t->order);
        t->order[k] = host;
        t->size++;
    }
}

/* Goes back to the best ring. */
static hs_status return_to_best(hs__search *s)
{
    hs__ring_state_copy(&s->trial, &s->problem->best);
    hs_status status = hs__search_judge_paths(s);
    if (status == HS_OK)
        hs__search_accept(s);
    return status;
}

static hs_status shake_and_descend(hs__search *s)
{
    hs_status status = HS_OK;
    for (int vain = 0; vain < VAIN_SHAKES && !hs__search_spent(s) && status == HS_OK; vain++) {
        double before = s->problem->best_time;
        status = return_to_best(s);
        if (status != HS_OK)
            return status;
        shake(s);
        status = hs__search_judge(s);
        if (status != HS_OK || isinf(s->trial_cost.step_time))
            continue;
        hs__search_accept(s);
        hs__search_reroute_table(s);
        status = hs__search_descend(s);
        if (s->problem->best_time < before * (1 - 1e-9))
            vain = -1;
    }
    return status;
}

/* How many rings a search may judge when the caller sets no budget: about a second's worth for a hundred hosts. */
static int64_t default_budget(const hs__ring_problem *problem)
{
    int64_t by_size = 10000000 / (2 * problem->most);
    return by_size < 50000 ? by_size : 50000;
}

hs_status hs__ring_search(hs__ring_problem *problem)
{
    hs__search s;
    int64_t budget = problem->params->budget > 0 ? problem->params->budget : default_budget(problem);
    hs_status status = hs__search_init(&s, problem, problem->evaluations + budget);
    if (status != HS_OK)
        return status;
    status = return_to_best(&s);
    if (status == HS_OK && hs__search_rings(problem, budget / 2) <= budget / 2)
        status = hs__search_all(&s);
    if (status == HS_OK)
        status = return_to_best(&s);
    if (status == HS_OK) {
        hs__search_reroute_table(&s);
        status = hs__search_descend(&s);
    }
    if (status == HS_OK)
        status = shake_and_descend(&s);
    hs__search_free(&s);
    return status;
}
