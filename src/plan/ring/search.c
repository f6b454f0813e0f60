/* SPDX-License-Identifier: BSD-3-Clause */
/* Iterated local search on the true step time. Few hosts: every ring is judged. Otherwise the best ring met so far is
 * improved until no move helps, perturbed (hosts dropped and added, segments exchanged) and improved again, until the
 * budget is spent or MAX_FRUITLESS perturbations in a row have not helped. The best ring is kept, so the search can
 * stop at any time. */
#include "plan/ring/search.h"
#include <math.h>
#include <string.h>

enum { MAX_FRUITLESS = 100, REACH = 4, LARGE = 160 };

hs_status hs__search_init(hs__search *search, hs__ring_problem *problem)
{
    hs__network *network = &problem->network;
    hs__search s = {.problem = problem, .limit = INT64_MAX, .max_evaluations = INT64_MAX, .random = {1}};
    int free_routes = problem->params->routes == HS_RING_ROUTES_FREE;
    hs_status status = hs__table_init(&s.table, network, free_routes ? &problem->graph : NULL);
    if (status != HS_OK)
        return status;
    s.large = hs__ring_is_large(problem);
    status = hs__ring_blocks_init(&s.blocks, &s.table, s.large);
    if (status != HS_OK) {
        hs__table_free(&s.table);
        return status;
    }
    s.position = hs__pool_new(&s.pool, (size_t)network->hosts, sizeof *s.position);
    s.left = hs__pool_new(&s.pool, (size_t)network->links, sizeof *s.left);
    s.width = hs__pool_new(&s.pool, (size_t)network->links, sizeof *s.width);
    s.crossed = hs__pool_new(&s.pool, (size_t)network->links, sizeof *s.crossed);
    s.hosts = hs__pool_new(&s.pool, (size_t)network->hosts, sizeof *s.hosts);
    s.prices = hs__prices_new(&s.pool, network);
    s.trial_prices = hs__prices_new(&s.pool, network);
    s.now = hs__ring_state_new(&s.pool, network->hosts);
    s.trial = hs__ring_state_new(&s.pool, network->hosts);
    if (hs__pool_status(&s.pool) != HS_OK) {
        hs__search_free(&s);
        return HS_ERR_NOMEM;
    }
    *search = s;
    return HS_OK;
}

void hs__search_free(hs__search *search)
{
    hs__pool_free(&search->pool);
    hs__ring_blocks_free(&search->blocks);
    hs__table_free(&search->table);
}

void hs__search_reroute_table(hs__search *search)
{
    const hs__network *network = &search->problem->network;
    const hs__ring_state *now = &search->now;
    if (!search->table.graph)
        return;
    double *left = search->left, *width = search->width, *crossed = search->crossed;
    memcpy(left, network->capacity, (size_t)network->links * sizeof *left);
    memset(crossed, 0, (size_t)network->links * sizeof *crossed);
    for (int f = 0; f < hs__ring_messages(now); f++)
        for (int m = 0; m < now->path[f]->count; m++) {
            left[now->path[f]->links[m]] -= isinf(now->rate[f]) ? 0.0 : now->rate[f];
            crossed[now->path[f]->links[m]]++;
        }
    for (int e = 0; e < network->links; e++)
        width[e] = fmax(left[e], network->capacity[e] / (crossed[e] + 1));
    hs__table_refresh(&search->table, width);
}

hs_status hs__search_turn_to(hs__search *search, const hs__ring_state *ring)
{
    hs__ring_state_copy(&search->trial, ring);
    hs_status status = hs__search_judge_paths(search);
    if (status == HS_OK)
        hs__search_accept(search);
    return status;
}

/* Improves the current ring, then perturbed copies of the best. */
static hs_status perturb_and_descend(hs__search *s)
{
    hs__search_reroute_table(s);
    hs_status status = hs__search_descend(s);
    s->reach = REACH;
    for (int fruitless = 0; fruitless < MAX_FRUITLESS && !hs__search_spent(s) && status == HS_OK; fruitless++) {
        double before = s->problem->best_time;
        status = hs__search_turn_to(s, &s->problem->best);
        if (status != HS_OK)
            break;
        hs__search_perturb(s);
        status = hs__search_judge(s);
        if (status != HS_OK || isinf(s->trial_cost.step_time))
            continue;
        hs__search_accept(s);
        hs__search_reroute_table(s);
        status = hs__search_descend(s);
        if (s->problem->best_time < before * (1 - 1e-9))
            fruitless = -1;
    }
    s->reach = 0;
    return status;
}

/* The effort of a search: about a second for a hundred hosts, a few seconds for large platforms. */
static int64_t default_effort(const hs__ring_problem *problem)
{
    int64_t by_size = (int64_t)100000 * problem->max_members;
    if (hs__ring_is_large(problem))
        return 25000000;
    return by_size < 8000000 ? by_size : 8000000;
}

/* Whether every ring can be judged with less than half of what is allowed. */
static int can_judge_all(const hs__search *s)
{
    const hs__ring_problem *p = s->problem;
    int64_t rings = (s->limit - p->effort) / (4 * p->max_members),
            evaluations = (s->max_evaluations - p->evaluations) / 2;
    return hs__search_rings(p, rings) <= (rings < evaluations ? rings : evaluations);
}

static hs_status search(hs__search *s)
{
    hs__ring_problem *p = s->problem;
    hs_status status = HS_OK;
    if (can_judge_all(s))
        status = hs__search_from_all(s);
    else if (!s->large)
        status = hs__search_from_greedy(s);
    if (status == HS_OK)
        status = hs__search_from_blocks(s);
    if (status == HS_OK)
        status = hs__search_turn_to(s, &p->best);
    return status == HS_OK ? perturb_and_descend(s) : status;
}

/* A search begins at the best ring that is there, or at the fastest host alone. */
static hs_status begin(hs__search *s, hs__ring_problem *problem, int64_t effort)
{
    hs_status status = hs__search_init(s, problem);
    if (status != HS_OK)
        return status;
    s->limit = problem->effort + effort;
    if (isinf(problem->best_time)) {
        problem->best.size = 1;
        problem->best.order[0] = 0;
    }
    status = hs__search_turn_to(s, &problem->best);
    if (status != HS_OK)
        hs__search_free(s);
    return status;
}

/* Optimal bandwidths cost a hundred times what max-min ones do, so a search on max-min bandwidths, begun already, comes
 * first; what it finds and the best ring there was are then improved on optimal ones, with as much effort again. */
static hs_status search_by_proxy(hs__search *s)
{
    hs__ring_problem *p = s->problem;
    hs__ring_state known = hs__ring_state_new(&s->pool, p->network.hosts);
    double known_time = p->best_time;
    int64_t effort = s->limit - p->effort;
    hs_status status = hs__pool_status(&s->pool);
    if (status != HS_OK)
        return status;
    hs__ring_state_copy(&known, &p->best);
    p->best_time = INFINITY;
    status = hs__search_turn_to(s, &known);
    if (status == HS_OK)
        status = search(s);
    p->rule = HS_RING_SHARE_OPTIMAL;
    s->limit = effort < INT64_MAX - p->effort ? p->effort + effort : INT64_MAX;
    if (status == HS_OK)
        status = hs__search_turn_to(s, &p->best);
    if (status == HS_OK && known_time < p->best_time)
        status = hs__search_turn_to(s, &known);
    if (status == HS_OK)
        status = perturb_and_descend(s);
    return status;
}

/* Begins a search by bandwidths that a search can find, within what is asked. */
static hs_status begin_asked(hs__search *s, hs__ring_problem *problem, int64_t effort)
{
    const int64_t budget = problem->params->budget, before = problem->evaluations;
    if (problem->rule == HS_RING_SHARE_KINSOL)
        problem->rule = HS_RING_SHARE_OPTIMAL;
    if (problem->max_evaluations == 0)
        problem->max_evaluations = budget > 0 && budget < INT64_MAX - before ? before + budget : INT64_MAX;
    hs_status status = begin(s, problem, effort);
    if (status == HS_OK && budget > 0) {
        s->limit = INT64_MAX;
        s->max_evaluations = problem->max_evaluations;
    }
    return status;
}

hs_status hs__ring_search(hs__ring_problem *problem)
{
    hs__search s;
    hs_ring_share asked = problem->rule;
    const int by_proxy = asked == HS_RING_SHARE_OPTIMAL || asked == HS_RING_SHARE_KINSOL;
    if (by_proxy)
        problem->rule = HS_RING_SHARE_MAXMIN;
    hs_status status = begin_asked(&s, problem, default_effort(problem));
    if (status == HS_OK) {
        status = by_proxy ? search_by_proxy(&s) : search(&s);
        hs__search_free(&s);
    }
    problem->rule = asked;
    return status;
}

/* Improves the current ring by whole units, by which all rings are judged where they are few. */
static hs_status search_by_units(hs__search *s)
{
    hs_status status = can_judge_all(s) ? hs__search_from_all(s) : HS_OK;
    if (status == HS_OK)
        status = hs__search_turn_to(s, &s->problem->best);
    return status == HS_OK ? perturb_and_descend(s) : status;
}

static double time_by_units(const hs__ring_problem *problem)
{
    return hs__ring_cost_all(problem->params, &problem->network, &problem->best).step_time;
}

int hs__ring_units_are_few(const hs__ring_problem *problem)
{
    const double worthwhile = 0.01;
    return time_by_units(problem) > problem->best_time * (1 + worthwhile);
}

hs_status hs__ring_search_units(hs__ring_problem *problem)
{
    hs__search s;
    hs_ring_share asked = problem->rule;
    problem->best_time = time_by_units(problem);
    hs_status status = begin_asked(&s, problem, default_effort(problem) / 2);
    if (status == HS_OK) {
        status = search_by_units(&s);
        hs__search_free(&s);
    }
    problem->rule = asked;
    return status;
}

int hs__ring_is_large(const hs__ring_problem *problem)
{
    return problem->network.hosts > LARGE;
}

hs_status hs__ring_grow_blocks(hs__ring_problem *problem)
{
    hs__search s;
    hs_status status = begin(&s, problem, default_effort(problem) / 2);
    if (status == HS_OK) {
        status = hs__search_from_blocks(&s);
        hs__search_free(&s);
    }
    return status;
}
