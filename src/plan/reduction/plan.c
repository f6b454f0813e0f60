/* SPDX-License-Identifier: BSD-3-Clause */
/* The plan of a reduction: made, replaced by a shorter one, checked, read. */
#include "plan/reduction/reduction.h"
#include "util/array.h"
#include "util/assert.h"
#include <math.h>
#include <stdlib.h>

hs_reduction *hs__reduction_new(int hosts)
{
    hs_reduction *plan = calloc(1, sizeof *plan);
    if (!plan)
        return NULL;
    plan->hosts = hosts;
    plan->makespan = INFINITY;
    plan->transfer = hs__array_new((size_t)hosts, sizeof *plan->transfer);
    if (plan->transfer)
        return plan;
    free(plan);
    return NULL;
}

hs_status hs__reduction_accept(hs_reduction *plan, const double *time, const int *senders)
{
    double makespan = 0.0;
    hs_transfer *transfer = hs__array_new((size_t)plan->hosts, sizeof *transfer);
    if (!transfer)
        return HS_ERR_NOMEM;
    hs_status status = hs__reduction_earliest(time, plan->hosts, plan->root, senders, transfer, &makespan);
    if (status == HS_OK && isinf(makespan) && isinf(plan->makespan))
        status = HS_ERR_ARG;
    if (status == HS_OK && makespan < plan->makespan) {
        hs_transfer *worse = plan->transfer;
        plan->transfer = transfer;
        plan->makespan = makespan;
        transfer = worse;
    }
    free(transfer);
    return status;
}

hs_status hs__reduction_verify(const hs_reduction *plan, const double *time, hs_error *error)
{
    double end = 0.0;
    hs_status status = hs_reduction_check(time, plan->hosts, plan->root, plan->transfer, error);
    for (int k = 0; k < plan->hosts - 1; k++)
        end = fmax(end, plan->transfer[k].end);
    if (status == HS_OK && (end != plan->makespan || !(plan->lower_bound <= plan->makespan * (1 + 1e-9))))
        return hs_error_set(error, HS_ERR_INTERNAL, 0, "it ends after %g s, not %g; the lower bound is %g", end,
                            plan->makespan, plan->lower_bound);
    return status == HS_ERR_INFEASIBLE ? HS_ERR_INTERNAL : status;
}

void hs_reduction_free(hs_reduction *plan)
{
    if (!plan)
        return;
    free(plan->transfer);
    free(plan);
}

int hs_reduction_hosts(const hs_reduction *plan)
{
    return plan->hosts;
}

int hs_reduction_root(const hs_reduction *plan)
{
    return plan->root;
}

double hs_reduction_makespan(const hs_reduction *plan)
{
    return plan->makespan;
}

double hs_reduction_lower_bound(const hs_reduction *plan)
{
    return plan->lower_bound;
}

int hs_reduction_is_optimal(const hs_reduction *plan)
{
    return plan->optimal;
}

int64_t hs_reduction_explored(const hs_reduction *plan)
{
    return plan->explored;
}

int64_t hs_reduction_sequences(const hs_reduction *plan)
{
    return plan->sequences;
}

const hs_transfer *hs_reduction_transfers(const hs_reduction *plan, int *count)
{
    *count = plan->hosts - 1;
    return plan->transfer;
}
