/* SPDX-License-Identifier: BSD-3-Clause */
/* What the planners of divisible loads accept. */
#include "plan/divisible/plan.h"
#include "util/array.h"
#include "util/reserved.h"
#include "util/status.h"
#include "util/units.h"
#include <math.h>
#include <stdlib.h>

void hs_divisible_params_init(hs_divisible_params *params)
{
    *params = (hs_divisible_params){
        .port = HS_DIVISIBLE_ONE_PORT, .order = HS_DIVISIBLE_BEST, .items = HS_DIVISIBLE_REAL, .rounds = 1};
}

static hs_status check_list(const double *value, int hosts, int zero_allowed, const char *what, hs_error *error)
{
    for (int i = 0; value && i < hosts; i++)
        if (value[i] == 0.0 ? !zero_allowed : !hs__quantity_in_range(value[i]))
            return hs_error_set(error, HS_ERR_ARG, 0, "the %s of host %d is %g, expected %s1e-100 to 1e100", what, i,
                                value[i], zero_allowed ? "0 or " : "");
    return HS_OK;
}

static hs_status check_load(const hs_divisible_params *p, hs_error *error)
{
    if (!hs__quantity_in_range(p->load))
        return hs_error_set(error, HS_ERR_ARG, 0, "the load is %g, expected 1e-100 to 1e100", p->load);
    if (p->items == HS_DIVISIBLE_INTEGER && (p->load != floor(p->load) || p->load > 0x1p53))
        return hs_error_set(error, HS_ERR_ARG, 0, "the load is %.17g, expected a whole number of items up to 2^53",
                            p->load);
    if (p->results != 0.0 && !hs__quantity_in_range(p->results))
        return hs_error_set(error, HS_ERR_ARG, 0, "the ratio of results to items is %g, expected 0 or 1e-100 to 1e100",
                            p->results);
    return HS_OK;
}

/* An order names every host once. */
static hs_status check_order(const int *order, int hosts, const char *what, hs_error *error)
{
    hs_status status = HS_OK;
    char *seen = hs__array_new((size_t)hosts, 1);
    if (!seen)
        return hs__error_status(error, HS_ERR_NOMEM);
    for (int k = 0; order && k < hosts && status == HS_OK; k++)
        if (order[k] < 0 || order[k] >= hosts || seen[order[k]]++)
            status = hs_error_set(error, HS_ERR_ARG, 0, "the %s order names host %d %s", what, order[k],
                                  order[k] < 0 || order[k] >= hosts ? "which does not exist" : "twice");
    free(seen);
    return status;
}

hs_status hs__divisible_check_params(const hs_divisible_params *p, hs_error *error)
{
    if (!p || !p->cycle_time || !p->comm_time)
        return hs_error_set(error, HS_ERR_ARG, 0, "no parameters, cycle times or communication times");
    if (p->hosts < 1)
        return hs_error_set(error, HS_ERR_ARG, 0, "there are %d hosts, expected at least 1", p->hosts);
    if ((unsigned)p->port > HS_DIVISIBLE_DUPLEX || (unsigned)p->order > HS_DIVISIBLE_EXACT ||
        (unsigned)p->items > HS_DIVISIBLE_INTEGER)
        return hs_error_set(error, HS_ERR_ARG, 0, "an unknown choice of port, order or items");
    if (p->rounds < 1 || p->rounds > HS_DIVISIBLE_ROUNDS_MAX)
        return hs_error_set(error, HS_ERR_ARG, 0, "there are %d installments, expected 1 to %d", p->rounds,
                            HS_DIVISIBLE_ROUNDS_MAX);
    if (p->budget < 0)
        return hs_error_set(error, HS_ERR_ARG, 0, "the budget is %lld, expected 0 or more", (long long)p->budget);
    hs_status status = hs__reserved_check(p->reserved, HS__RESERVED, error);
    if (status == HS_OK)
        status = check_list(p->cycle_time, p->hosts, 0, "cycle time", error);
    if (status == HS_OK)
        status = check_list(p->comm_time, p->hosts, 1, "communication time", error);
    if (status == HS_OK)
        status = check_list(p->latency, p->hosts, 1, "latency", error);
    if (status == HS_OK)
        status = check_list(p->startup, p->hosts, 1, "start-up", error);
    if (status == HS_OK)
        status = check_load(p, error);
    if (status == HS_OK && p->order == HS_DIVISIBLE_GIVEN)
        status = check_order(p->send_order, p->hosts, "send", error);
    if (status == HS_OK && p->order == HS_DIVISIBLE_GIVEN)
        status = check_order(p->collect_order, p->hosts, "collect", error);
    return status;
}
