/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/ring_plan.h"
#include "plan/ring_search.h"
#include "util/array.h"
#include <math.h>
#include <stdlib.h>

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
    if (p->units < 0 || p->minimum < 1 || p->budget < 0)
        return hs_error_set(error, HS_ERR_ARG, 0, "units and budget must be at least 0, the least slice at least 1");
    if (p->units > 0 && p->units < p->minimum)
        return hs_error_set(error, HS_ERR_INFEASIBLE, 0, "%lld units are fewer than the least slice of %lld",
                            (long long)p->units, (long long)p->minimum);
    return HS_OK;
}

static hs_status check(const hs_platform *platform, const hs_ring_params *p, hs_error *error)
{
    if (!platform || !p)
        return hs_error_set(error, HS_ERR_ARG, 0, "no platform or no parameters");
    int known = (unsigned)p->routes <= HS_RING_ROUTES_FREE && (unsigned)p->share <= HS_RING_SHARE_KINSOL &&
                (unsigned)p->search <= HS_RING_SEARCH_BEST && (unsigned)p->model <= HS_STEP_OVERLAP &&
                (unsigned)p->latency <= HS_RING_LATENCY_ADDED;
    if (!known)
        return hs_error_set(error, HS_ERR_ARG, 0, "an unknown choice of routes, share, search, model or latency");
    return check_numbers(platform, p, error);
}

static void problem_free(hs__ring_problem *problem)
{
    free(problem->by_size);
    hs__ring_state_free(&problem->best);
    hs__finder_free(problem->finder);
    hs__graph_free(&problem->graph);
    hs__sharing_free(&problem->sharing);
    hs__network_free(&problem->network);
}

static void limit_members(hs__ring_problem *p)
{
    p->most = 0;
    for (int i = 0; i < p->network.hosts; i++)
        p->most += p->network.speed[i] > 0;
    int64_t slices = p->params->units > 0 ? p->params->units / p->params->minimum : p->most;
    if (slices < p->most)
        p->most = (int)slices;
}

static hs_status problem_init(hs__ring_problem *p, const hs_platform *platform, const hs_ring_params *params,
                              hs_error *error)
{
    *p = (hs__ring_problem){.params = params, .rule = params->share, .best_time = INFINITY};
    hs_status status = hs__network_init(&p->network, platform, params, error);
    if (status != HS_OK)
        return status;
    limit_members(p);
    if (p->most == 0) {
        status = hs_error_set(error, HS_ERR_INFEASIBLE, 0, "no host of the platform can compute");
        goto out;
    }
    int free_routes = params->routes == HS_RING_ROUTES_FREE;
    status = free_routes ? hs__graph_init(&p->graph, platform) : HS_OK;
    if (status == HS_ERR_UNSUPPORTED) {
        hs_error_set(error, status, 0,
                     "free routes need a platform file that gives neighbours (routing Floyd or Dijkstra)");
        goto out;
    }
    if (status == HS_OK)
        status = hs__finder_create(&p->network, free_routes ? &p->graph : NULL, &p->finder);
    p->by_size = hs__array_new((size_t)p->network.hosts + 1, sizeof *p->by_size);
    if (status != HS_OK || !p->by_size || hs__sharing_init(&p->sharing, &p->network) != HS_OK ||
        hs__ring_state_init(&p->best, p->network.hosts) != HS_OK) {
        status = hs_error_set(error, HS_ERR_NOMEM, 0, "out of memory");
        goto out;
    }
    for (int q = 0; q <= p->network.hosts; q++)
        p->by_size[q] = INFINITY;
out:
    if (status != HS_OK)
        problem_free(p);
    return status;
}

/* No host can do better than its part of W at full speed. */
static double lower_bound(const hs__ring_problem *p)
{
    double speed = 0.0;
    for (int i = 0; i < p->network.hosts; i++)
        speed += p->network.speed[i];
    return p->params->work / speed;
}

static hs_status finish(hs__ring_problem *p, hs_ring **ring, hs_error *error)
{
    hs_status status = hs__ring_plan(p, ring);
    if (status != HS_OK)
        return hs_error_set(error, status, 0, "%s", hs_status_text(status));
    (*ring)->lower_bound = lower_bound(p);
    return HS_OK;
}

/* The paper's rings: the construction by both criteria, or by blocks where that would take too long. */
static hs_status construct(hs__ring_problem *problem)
{
    hs_ring_share share = problem->params->share;
    if (hs__ring_is_large(problem))
        return hs__ring_grow_blocks(problem);
    hs_status status = hs__ring_grow(problem, HS__BY_EQ4, share, NULL);
    return status == HS_OK ? hs__ring_grow(problem, HS__BY_STEP_TIME, share, NULL) : status;
}

hs_status hs_ring_create(const hs_platform *platform, const hs_ring_params *params, hs_ring **ring, hs_error *error)
{
    hs__ring_problem problem;
    hs_status status = check(platform, params, error);
    if (status != HS_OK)
        return status;
    status = problem_init(&problem, platform, params, error);
    if (status != HS_OK)
        return status;
    status = construct(&problem);
    if (status == HS_OK && params->search == HS_RING_SEARCH_BEST && params->share != HS_RING_SHARE_GREEDY)
        status = hs__ring_search(&problem);
    if (status == HS_OK)
        status = finish(&problem, ring, error);
    else
        hs_error_set(error, status, 0, "%s", hs_status_text(status));
    problem_free(&problem);
    return status;
}
