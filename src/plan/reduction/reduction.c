/* SPDX-License-Identifier: BSD-3-Clause */
/* hs_reduction_create() and hs_reduction_create_given(): check the arguments, choose the planner, return its plan. */
#include "plan/reduction/reduction.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/pool.h"
#include "util/status.h"
#include <math.h>
#include <stdlib.h>

static hs_status check(const double *time, int hosts, hs_error *error)
{
    if (!time || hosts < 1)
        return hs_error_set(error, HS_ERR_ARG, 0, "there are %d hosts, expected at least 1", time ? hosts : 0);
    for (int i = 0; i < hosts; i++)
        if (!(time[i] > 0.0 || (hosts == 1 && time[i] == 0.0)) || isinf(time[i]))
            return hs_error_set(error, HS_ERR_ARG, 0, "the time of host %d is %g, expected a finite number above 0", i,
                                time[i]);
    return HS_OK;
}

static void too_long(hs_error *error)
{
    hs_error_set(error, HS_ERR_ARG, 0, "the times are so long that no schedule's is finite");
}

/* What holds for every schedule: a binary tree on n - 1 senders has floor(log2(n - 1)) + 1 levels, and the slowest
 * sender has to send. */
static double simple_bound(const double *time, int hosts, const int *order)
{
    double levels = 0.0;
    for (int n = hosts - 1; n > 0; n /= 2)
        levels++;
    return hosts < 2 ? 0.0 : fmax(time[order[1]], levels * time[order[hosts - 1]]);
}

/* Slowest-node-first, then what the method adds to it. */
static hs_status fill(hs_reduction *plan, const double *time, hs_reduction_method method, int64_t budget, int *order)
{
    hs__classes classes = {0};
    hs_status status = hs__reduction_slowest_first(time, plan->hosts, order);
    if (status != HS_OK)
        return status;
    plan->root = order[0];
    status = hs__reduction_accept(plan, time, order + 1);
    if (status != HS_OK)
        return status;
    plan->lower_bound = fmax(simple_bound(time, plan->hosts, order), plan->makespan / 2.0);
    if (method != HS_REDUCTION_SNF && plan->lower_bound < plan->makespan) {
        status = hs__classes_init(&classes, time, plan->hosts, order);
        if (status == HS_OK)
            status = method == HS_REDUCTION_PAPER ? hs__reduction_paper(plan, time, &classes, budget)
                                                  : hs__reduction_exact(plan, time, &classes, budget);
        hs__classes_free(&classes);
    }
    if (plan->lower_bound >= plan->makespan)
        plan->optimal = 1;
    if (plan->optimal)
        plan->lower_bound = plan->makespan;
    return status;
}

hs_status hs_reduction_create(const double *time, int hosts, hs_reduction_method method, int64_t budget,
                              hs_reduction **plan, hs_error *error)
{
    hs_status status = check(time, hosts, error);
    if (status == HS_OK && ((unsigned)method > HS_REDUCTION_OPTIMAL || budget < 0 || !plan))
        status = hs_error_set(error, HS_ERR_ARG, 0, "an unknown method, or a budget below 0");
    if (status == HS_OK && method == HS_REDUCTION_PAPER && hosts > HS_REDUCTION_PAPER_MAX)
        status = hs_error_set(error, HS_ERR_UNSUPPORTED, 0, "the published search takes at most %d hosts, there are %d",
                              HS_REDUCTION_PAPER_MAX, hosts);
    if (status != HS_OK)
        return status;
    hs_reduction *p = hs__reduction_new(hosts);
    int *order = hs__array_new((size_t)hosts, sizeof *order);
    status = p && order ? fill(p, time, method, budget, order) : HS_ERR_NOMEM;
    free(order);
    if (status == HS_ERR_ARG)
        too_long(error);
    else if (status != HS_OK)
        hs__error_status(error, status);
    else if (hs__checking())
        status = hs__reduction_verify(p, time, error);
    if (status == HS_OK)
        *plan = p;
    else
        hs_reduction_free(p);
    return status;
}

/* The host that order[0 .. hosts-2] does not name, -1 when it is not one. */
static int find_root(const int *order, int hosts, char *seen)
{
    for (int k = 0; k < hosts - 1; k++) {
        if (order[k] < 0 || order[k] >= hosts || seen[order[k]])
            return -1;
        seen[order[k]] = 1;
    }
    int root = 0;
    while (seen[root])
        root++;
    return root;
}

hs_status hs_reduction_create_given(const double *time, int hosts, const int *order, hs_reduction **plan,
                                    hs_error *error)
{
    hs__pool pool = {0};
    hs_status status = check(time, hosts, error);
    if (status != HS_OK)
        return status;
    if ((!order && hosts > 1) || !plan)
        return hs_error_set(error, HS_ERR_ARG, 0, "no order of sending");
    hs_reduction *p = hs__reduction_new(hosts);
    char *seen = hs__pool_new(&pool, (size_t)hosts, 1);
    int *slowest = hs__pool_new(&pool, (size_t)hosts, sizeof *slowest);
    if (!p || hs__pool_status(&pool) != HS_OK || hs__reduction_slowest_first(time, hosts, slowest) != HS_OK)
        status = hs__error_status(error, HS_ERR_NOMEM);
    else if ((p->root = find_root(order, hosts, seen)) < 0)
        status =
            hs_error_set(error, HS_ERR_ARG, 0, "the order must name %d different hosts below %d", hosts - 1, hosts);
    else if ((status = hs__reduction_accept(p, time, order)) == HS_ERR_ARG)
        too_long(error);
    else if (status != HS_OK)
        hs__error_status(error, status);
    if (status == HS_OK) {
        p->lower_bound = simple_bound(time, hosts, slowest);
        p->optimal = p->lower_bound >= p->makespan;
        if (hs__checking())
            status = hs__reduction_verify(p, time, error);
    }
    if (status == HS_OK)
        *plan = p;
    else
        hs_reduction_free(p);
    hs__pool_free(&pool);
    return status;
}
