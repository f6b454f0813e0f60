/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/ring/bound.h"
#include "plan/ring/plan.h"
#include "plan/ring/search.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/reserved.h"
#include "util/status.h"
#include "util/units.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void hs_ring_params_init(hs_ring_params *params)
{
    *params = (hs_ring_params){.routes = HS_RING_ROUTES_FIXED,
                               .share = HS_RING_SHARE_MAXMIN,
                               .search = HS_RING_SEARCH_BEST,
                               .model = HS_STEP_SERIAL,
                               .latency = HS_RING_LATENCY_IGNORED,
                               .minimum = 1};
}

static hs_status check_numbers(const hs_platform *platform, const hs_ring_params *p, hs_error *error)
{
    if (!(p->work >= 0) || isinf(p->work))
        return hs_error_set(error, HS_ERR_ARG, 0, "the work per step is %g, expected a number from 0", p->work);
    if (!(p->halo >= 0) || isinf(p->halo))
        return hs_error_set(error, HS_ERR_ARG, 0, "the halo is %g bytes, expected a number from 0", p->halo);
    for (int i = 0; p->speed && i < hs_platform_hosts(platform); i++)
        if (!(p->speed[i] >= 0) || isinf(p->speed[i]))
            return hs_error_set(error, HS_ERR_ARG, 0, "the speed of host '%s' is %g, expected a number from 0",
                                hs_platform_node_id(platform, i), p->speed[i]);
    if (p->data != 0 && (!hs__quantity_in_range(p->data) || !hs__quantity_in_range(p->work) || p->speed))
        return hs_error_set(error, HS_ERR_ARG, 0,
                            "data of %g bytes: expected a size, work above 0, and no speeds beside the platform's",
                            p->data);
    if (p->units < 0 || p->minimum < 1 || p->budget < 0)
        return hs_error_set(error, HS_ERR_ARG, 0, "units and budget must be at least 0, the least slice at least 1");
    if (p->units > 0 && p->units < p->minimum)
        return hs_error_set(error, HS_ERR_INFEASIBLE, 0, "%lld units are fewer than the least slice of %lld",
                            (long long)p->units, (long long)p->minimum);
    return HS_OK;
}

static hs_status check(const hs_platform *platform, const hs_ring_params *p, hs_ring **ring, hs_error *error)
{
    if (!platform || !p || !ring)
        return hs_error_set(error, HS_ERR_ARG, 0, "no platform, no parameters or no place for the plan");
    int known = (unsigned)p->routes <= HS_RING_ROUTES_FREE && (unsigned)p->share <= HS_RING_SHARE_KINSOL &&
                (unsigned)p->search <= HS_RING_SEARCH_BEST && (unsigned)p->model <= HS_STEP_OVERLAP &&
                (unsigned)p->latency <= HS_RING_LATENCY_ADDED;
    if (!known)
        return hs_error_set(error, HS_ERR_ARG, 0, "an unknown choice of routes, share, search, model or latency");
    hs_status status = hs__reserved_check(p->reserved, sizeof p->reserved / sizeof *p->reserved, error);
    return status == HS_OK ? check_numbers(platform, p, error) : status;
}

static void problem_free(hs__ring_problem *problem)
{
    hs__pool_free(&problem->pool);
    hs__finder_free(problem->finder);
    hs__graph_free(&problem->graph);
    hs__sharing_free(&problem->sharing);
    hs__network_free(&problem->network);
    hs__by_size_free(&problem->sizes);
}

static void limit_members(hs__ring_problem *p)
{
    p->max_members = 0;
    for (int i = 0; i < p->network.hosts; i++)
        p->max_members += p->network.speed[i] > 0;
    int64_t slices = p->params->units > 0 ? p->params->units / p->params->minimum : p->max_members;
    if (slices < p->max_members)
        p->max_members = (int)slices;
}

/* The network with one speed a host: the platform's, the caller's, or with data that of slices of equal time. */
static hs_status network_init(hs__ring_problem *p, const hs_platform *platform, hs_error *error)
{
    int by_size = p->asked.data > 0;
    hs_status status = by_size ? hs__by_size_init(&p->sizes, platform, p->asked.work, p->asked.data, error) : HS_OK;
    if (by_size)
        p->asked.speed = p->rounded.speed = p->sizes.speed;
    if (status == HS_OK)
        status = hs__network_init(&p->network, platform, &p->asked, error);
    if (status != HS_OK)
        hs__by_size_free(&p->sizes);
    return status;
}

static hs_status problem_init(hs__ring_problem *p, const hs_platform *platform, const hs_ring_params *params,
                              hs_error *error)
{
    *p = (hs__ring_problem){
        .params = &p->rounded, .asked = *params, .rounded = *params, .rule = params->share, .best_time = INFINITY};
    hs_status status = network_init(p, platform, error);
    if (status != HS_OK)
        return status;
    limit_members(p);
    if (p->max_members == 0) {
        status = hs_error_set(error, HS_ERR_INFEASIBLE, 0, "no host of the platform can compute");
        goto out;
    }
    if (params->data > 0 && hs__network_use_functions(&p->network, params, &p->sizes) != HS_OK) {
        status = hs__error_status(error, HS_ERR_NOMEM);
        goto out;
    }
    hs__network_round(&p->network, &p->rounded);
    int free_routes = params->routes == HS_RING_ROUTES_FREE;
    status = free_routes ? hs__graph_init(&p->graph, &p->network) : HS_OK;
    if (status == HS_ERR_UNSUPPORTED) {
        hs_error_set(error, status, 0,
                     "free routes need a platform file that gives neighbours (routing Floyd or Dijkstra)");
        goto out;
    }
    if (status == HS_OK)
        status = hs__finder_create(&p->network, free_routes ? &p->graph : NULL, &p->finder);
    p->by_size = hs__pool_new(&p->pool, (size_t)p->network.hosts + 1, sizeof *p->by_size);
    p->best = hs__ring_state_new(&p->pool, p->network.hosts);
    for (hs__criterion c = HS__BY_EQ4; c < HS__CRITERIA; c++)
        p->grown[c] = hs__ring_state_new(&p->pool, p->network.hosts);
    if (status != HS_OK || hs__sharing_init(&p->sharing, &p->network) != HS_OK || hs__pool_status(&p->pool) != HS_OK) {
        status = hs__error_status(error, HS_ERR_NOMEM);
        goto out;
    }
    for (int q = 0; q <= p->network.hosts; q++)
        p->by_size[q] = INFINITY;
out:
    if (status != HS_OK)
        problem_free(p);
    return status;
}

enum { MAX_GROWN = 1024 };

/* On large platforms the construction by one criterion and without refinements, beside rings of blocks, and those alone
 * where even that would take too long. Optimal bandwidths of every ring met would take far longer than the search: rings
 * are judged by max-min ones, and only the best ring by those asked for. */
static hs_status construct_large(hs__ring_problem *p)
{
    hs_ring_share asked = p->rule;
    hs_status status = HS_OK;
    p->rule = asked == HS_RING_SHARE_GREEDY ? asked : HS_RING_SHARE_MAXMIN;
    if (p->network.hosts <= MAX_GROWN)
        status = hs__ring_grow(p, HS__BY_STEP_TIME, HS_RING_SHARE_GREEDY, NULL);
    if (status == HS_OK)
        status = hs__ring_grow_blocks(p);
    if (status == HS_OK && asked != p->rule && !isinf(p->best_time)) {
        status = hs__ring_share(p, asked, &p->best, NULL);
        p->best_time = hs__ring_cost_all(p->params, &p->network, &p->best).step_time;
    }
    p->rule = asked;
    return status;
}

/* The paper's rings: the construction by both criteria. */
static hs_status construct(hs__ring_problem *problem)
{
    hs_ring_share share = problem->params->share;
    hs_status status = HS_OK;
    if (hs__ring_is_large(problem))
        return construct_large(problem);
    for (hs__criterion c = HS__BY_EQ4; c < HS__CRITERIA && status == HS_OK; c++)
        status = hs__ring_grow(problem, c, share, &problem->grown[c]);
    return status;
}

/* The published construction is not searched on, nor can its rule be for any ring. */
static int is_searched(const hs_ring_params *params)
{
    return params->search == HS_RING_SEARCH_BEST && params->share != HS_RING_SHARE_GREEDY;
}

static hs_status solve(hs__ring_problem *p)
{
    hs_status status = construct(p);
    if (status == HS_OK && isinf(p->best_time)) /* no ring met holds the data */
        return HS_ERR_INFEASIBLE;
    if (status == HS_OK && is_searched(p->params))
        status = hs__ring_search(p);
    return status;
}

/* Members that the integer slices leave without units are dropped, and the ring without them is planned again. */
static hs_status drop_idle(hs__ring_problem *p, hs_ring *plan, hs__search *search, int *dropped)
{
    hs__ring_state *trial = &search->trial;
    trial->size = 0;
    for (int k = 0; k < plan->size; k++)
        if (plan->member[k].units > 0)
            trial->order[trial->size++] = p->best.order[k];
    *dropped = p->params->units > 0 && trial->size < plan->size;
    if (!*dropped)
        return HS_OK;
    hs_status status = hs__search_judge(search);
    if (status == HS_OK && isinf(search->trial_cost.step_time))
        status = HS_ERR_UNREACHABLE;
    if (status == HS_OK) {
        hs__search_accept(search);
        hs__ring_state_copy(&p->best, &search->now);
    }
    return status;
}

/* The ring was chosen for real shares. Few units cannot follow those, and the fastest host alone may then be faster. */
static hs_status try_alone(hs__ring_problem *p, hs__search *search, hs_ring **plan)
{
    hs__ring_state *trial = &search->trial;
    hs_ring *alone = NULL;
    trial->size = 1;
    trial->order[0] = 0; /* the network has the fastest first */
    hs_status status = (*plan)->size > 1 ? hs__search_judge(search) : HS_UNCHANGED;
    if (status != HS_OK || !(search->trial_cost.step_time < (*plan)->step_time))
        return status < 0 ? status : HS_OK;
    hs__ring_note(p, trial);
    hs__ring_state_copy(&p->best, trial);
    status = hs__ring_plan(p, &alone);
    if (status == HS_OK) {
        hs_ring_free(*plan);
        *plan = alone;
    }
    return status;
}

/* Those members that have units are no ring, as neighbours have no route: the best ring of no more hosts takes its place. */
static hs_status search_fewer(hs__ring_problem *p, int members)
{
    int most = p->max_members;
    int64_t units = p->network.units;
    p->max_members = members;
    p->network.units = 0;
    p->best_time = INFINITY;
    hs_status status = solve(p);
    p->max_members = most;
    p->network.units = units;
    return status;
}

/* Plans the best ring until every member has units. *plan is the last one, on failure, too. */
static hs_status plan_without_idle(hs__ring_problem *p, hs__search *search, hs_ring **plan)
{
    int dropped = 1;
    hs_status status = HS_OK;
    while (status == HS_OK && dropped) {
        hs_ring_free(*plan);
        *plan = NULL;
        status = hs__ring_plan(p, plan);
        if (status == HS_OK)
            status = drop_idle(p, *plan, search, &dropped);
        if (status == HS_ERR_UNREACHABLE)
            status = search_fewer(p, search->trial.size);
    }
    return status;
}

/* The best ring by real shares, improved by whole units where they are few; not with speed functions, which judge by real
 * shares only. */
static hs_status solve_units(hs__ring_problem *p)
{
    hs__search search;
    hs_ring *plan = NULL;
    p->network.units = p->asked.units;
    if (!hs__ring_units_are_few(p)) {
        p->network.units = 0;
        return HS_OK;
    }
    hs_status status = hs__search_init(&search, p);
    if (status != HS_OK)
        return status;
    status = plan_without_idle(p, &search, &plan);
    hs_ring_free(plan);
    hs__search_free(&search);
    return status == HS_OK ? hs__ring_search_units(p) : status;
}

static hs_status plan_with_units(hs__ring_problem *p, hs_ring **plan)
{
    hs__search search;
    hs_ring *made = NULL;
    hs_status status = hs__search_init(&search, p);
    if (status != HS_OK)
        return status;
    status = plan_without_idle(p, &search, &made);
    if (status == HS_OK)
        status = try_alone(p, &search, &made);
    hs__search_free(&search);
    if (status == HS_OK)
        *plan = made;
    else
        hs_ring_free(made);
    return status;
}

static hs_status bound_network(const hs__ring_problem *p, hs__network *network, double *lower_bound)
{
    hs__graph graph = {0};
    hs_status status = hs__graph_init(&graph, network);
    if (status != HS_OK && status != HS_ERR_UNSUPPORTED)
        return status;
    status = hs__ring_bound(p->params, network, status == HS_OK ? &graph : NULL, p->max_members, lower_bound);
    hs__graph_free(&graph);
    return status;
}

/* The larger of two bounds: every host as fast as it ever is, and slices of equal time of all hosts without messages. */
static hs_status bound_by_size(const hs__ring_problem *p, const hs_platform *platform, double *lower_bound)
{
    hs__network peak;
    hs_ring_params params = p->asked;
    params.speed = p->sizes.peak;
    hs_status status = hs__network_init(&peak, platform, &params, NULL);
    if (status != HS_OK)
        return status;
    status = bound_network(p, &peak, lower_bound);
    *lower_bound = fmax(*lower_bound, p->sizes.least_time);
    hs__network_free(&peak);
    return status;
}

static hs_status bound(hs__ring_problem *p, const hs_platform *platform, double *lower_bound)
{
    return p->asked.data > 0 ? bound_by_size(p, platform, lower_bound) : bound_network(p, &p->network, lower_bound);
}

/* The best ring with the platform's numbers: its bandwidths are found again from those, except the paper's, which only
 * its construction gives. */
static hs_status restore(hs__ring_problem *p)
{
    const hs__units unit = p->network.unit;
    hs__network_restore(&p->network, &p->asked);
    p->network.units = 0; /* sizes are compared by real shares */
    p->params = &p->asked;
    p->best_time *= unit.time;
    for (int q = 0; q <= p->network.hosts; q++)
        p->by_size[q] *= unit.time;
    for (int f = 0; f < hs__ring_messages(&p->best); f++)
        p->best.rate[f] *= unit.bandwidth;
    hs_status status = p->rule == HS_RING_SHARE_GREEDY ? HS_OK : hs__ring_share(p, p->rule, &p->best, NULL);
    if (status == HS_OK)
        p->by_size[p->best.size] = hs__ring_cost_all(p->params, &p->network, &p->best).step_time;
    return status;
}

/* Plans and bounds the best ring. */
static hs_status finish(hs__ring_problem *p, hs_status (*make)(hs__ring_problem *, hs_ring **),
                        const hs_platform *platform, hs_ring **ring, hs_error *error)
{
    hs_ring *plan = NULL;
    hs_status status = restore(p);
    if (status == HS_OK)
        status = make(p, &plan);
    if (status == HS_OK)
        status = bound(p, platform, &plan->lower_bound);
    if (status == HS_OK && hs__checking())
        status = hs_ring_check(platform, &p->asked, plan, error);
    if (status == HS_OK)
        *ring = plan;
    else
        hs_ring_free(plan);
    return status;
}

static hs_status report(const hs_ring_params *params, hs_status status, hs_error *error)
{
    if (status == HS_ERR_UNSUPPORTED && params->share == HS_RING_SHARE_KINSOL)
        return hs_error_set(error, status, 0, "this build has no KINSOL (SUNDIALS); --share optimal needs none");
    if (status == HS_OK || status == HS_ERR_INTERNAL) /* the check has set the text */
        return status;
    if (status == HS_ERR_INFEASIBLE && params->data > 0)
        return hs_error_set(error, status, 0,
                            "the largest slices of the ring's hosts are smaller than the data of %g bytes",
                            params->data);
    return hs__error_status(error, status);
}

hs_status hs_ring_create(const hs_platform *platform, const hs_ring_params *params, hs_ring **ring, hs_error *error)
{
    hs__ring_problem problem;
    hs_status status = check(platform, params, ring, error);
    if (status == HS_OK)
        status = problem_init(&problem, platform, params, error);
    if (status != HS_OK)
        return status;
    status = solve(&problem);
    if (status == HS_OK && params->units > 0 && params->data == 0 && is_searched(params))
        status = solve_units(&problem);
    if (status == HS_OK)
        status = finish(&problem, params->units > 0 ? plan_with_units : hs__ring_plan, platform, ring, error);
    status = report(params, status, error);
    problem_free(&problem);
    return status;
}

static hs_status check_order(const hs_platform *platform, const int *order, int n, hs_error *error)
{
    int hosts = hs_platform_hosts(platform);
    if (!order || n < 1)
        return hs_error_set(error, HS_ERR_ARG, 0, "a ring of %d members, expected at least 1", n);
    char *seen = hs__array_new((size_t)hosts, 1);
    hs_status status = seen ? HS_OK : HS_ERR_NOMEM;
    for (int k = 0; k < n && status == HS_OK; k++) {
        if (order[k] < 0 || order[k] >= hosts)
            status = hs_error_set(error, HS_ERR_ARG, 0, "position %d of the ring holds host %d of a platform of %d", k,
                                  order[k], hosts);
        else if (seen[order[k]])
            status = hs_error_set(error, HS_ERR_ARG, 0, "host '%s' is in the ring twice",
                                  hs_platform_node_id(platform, order[k]));
        else
            seen[order[k]] = 1;
    }
    free(seen);
    return status;
}

static int can_compute(const hs__ring_problem *p, const int *order, int n)
{
    for (int k = 0; k < n; k++)
        if (p->network.speed[p->network.order.node_place[order[k]]] > 0)
            return 1;
    return 0;
}

/* Whether the largest slices of a ring's hosts hold the data. */
static int holds_data(const hs__ring_problem *p, const int *order, int n)
{
    double sum = 0.0;
    for (int k = 0; k < n && p->asked.data > 0; k++)
        if (p->sizes.function[order[k]].points > 0)
            sum += p->sizes.function[order[k]].max_size;
    return sum >= p->asked.data;
}

/* The only ring is the one in the order given. */
static hs_status judge_given(hs__ring_problem *p, const int *order, int n)
{
    hs__search search;
    hs_status status = hs__search_init(&search, p);
    if (status != HS_OK)
        return status;
    for (int k = 0; k < n; k++)
        search.trial.order[k] = p->network.order.node_place[order[k]];
    search.trial.size = n;
    status = hs__search_judge(&search);
    if (status == HS_OK && isinf(search.trial_cost.step_time))
        status = HS_ERR_UNREACHABLE;
    if (status == HS_OK)
        hs__ring_note(p, &search.trial);
    hs__search_free(&search);
    return status;
}

hs_status hs_ring_create_given(const hs_platform *platform, const hs_ring_params *params, const int *order, int n,
                               hs_ring **ring, hs_error *error)
{
    hs__ring_problem problem;
    hs_status status = check(platform, params, ring, error);
    if (status == HS_OK)
        status = check_order(platform, order, n, error);
    if (status == HS_OK)
        status = problem_init(&problem, platform, params, error);
    if (status != HS_OK)
        return status;
    if (!can_compute(&problem, order, n)) {
        status = hs_error_set(error, HS_ERR_INFEASIBLE, 0, "no host of the ring can compute");
        goto out;
    }
    status = holds_data(&problem, order, n) ? judge_given(&problem, order, n) : HS_ERR_INFEASIBLE;
    if (status == HS_OK)
        status = finish(&problem, hs__ring_plan, platform, ring, error);
    status = report(params, status, error);
out:
    problem_free(&problem);
    return status;
}
