/* SPDX-License-Identifier: BSD-3-Clause */
/* hs_collective_create(): check the parameters, number the hosts, choose a tree or ring, return its plan. */
#include "plan/collective/collective.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/reserved.h"
#include "util/status.h"
#include <math.h>

void hs_collective_params_init(hs_collective_params *params)
{
    *params =
        (hs_collective_params){.root = -1, .combine = 0.2e-9, .overhead = 5e-6, .least_piece = 8192, .local_rate = 4e9};
}

static int is_amount(double x)
{
    return x >= 0.0 && isfinite(x);
}

static hs_status check(const hs_platform *platform, const hs_collective_params *p, hs_error *error)
{
    if (!platform || !p || p->ranks < 1 || !p->host || (unsigned)p->kind > HS_COLLECTIVE_BARRIER)
        return hs_error_set(error, HS_ERR_ARG, 0, "no platform, no ranks, or an unknown operation");
    if (p->root < -1 || p->root >= p->ranks)
        return hs_error_set(error, HS_ERR_ARG, 0, "the root is %d, there are %d ranks", p->root, p->ranks);
    if (!is_amount(p->bytes) || !is_amount(p->combine) || !is_amount(p->overhead) || !(p->least_piece >= 1.0) ||
        !(p->local_rate > 0.0))
        return hs_error_set(error, HS_ERR_ARG, 0, "bytes, times and rates must be finite and not negative");
    for (int r = 0; r < p->ranks; r++)
        if (p->host[r] < 0 || p->host[r] >= hs_platform_hosts(platform))
            return hs_error_set(error, HS_ERR_ARG, 0, "rank %d is on host %d of %d", r, p->host[r],
                                hs_platform_hosts(platform));
    return hs__reserved_check(p->reserved, HS__RESERVED, error);
}

/* Number the hosts in the order of their first rank. */
static hs_status number_hosts(hs__participants *who, const hs_platform *platform, const hs_collective_params *p)
{
    size_t n = (size_t)p->ranks;
    int *seen = hs__pool_new(&who->pool, (size_t)hs_platform_hosts(platform), sizeof *seen); /* index + 1 */
    who->host = hs__pool_new(&who->pool, n, sizeof *who->host);
    who->index = hs__pool_new(&who->pool, n, sizeof *who->index);
    who->leader = hs__pool_new(&who->pool, n, sizeof *who->leader);
    hs_status status = hs__pool_status(&who->pool);
    for (int r = 0; r < p->ranks && status == HS_OK; r++) {
        int *number = &seen[p->host[r]];
        if (*number == 0) {
            who->host[who->hosts] = p->host[r];
            who->leader[who->hosts] = r;
            *number = ++who->hosts;
        }
        who->index[r] = *number - 1;
    }
    if (status == HS_OK && p->root >= 0)
        who->leader[who->index[p->root]] = p->root;
    return status;
}

static hs_status solve(const hs_platform *platform, const hs_collective_params *p, hs__participants *who,
                       hs_collective **plan, hs_error *error)
{
    hs__routes routes = {0};
    hs__collective_choice choice = {0};
    size_t n = (size_t)who->hosts;
    hs_status status = hs__routes_init(&routes, platform, who->host, who->hosts, p, error);
    if (status != HS_OK)
        return status;
    int *room = hs__pool_new(&who->pool, 4 * n, sizeof *room);
    *plan = hs__collective_new(
        p->ranks, hs__collective_bound(&routes, p->kind, p->root < 0 ? -1 : who->index[p->root], p->bytes));
    status = room && *plan ? HS_OK : HS_ERR_NOMEM;
    if (status == HS_OK) {
        choice.best = (hs__collective_tree){room, room + n};
        choice.trial = (hs__collective_tree){room + 2 * n, room + 3 * n};
        status = hs__collective_choose(&routes, p, who, &choice);
    }
    if (status == HS_OK)
        status = hs__collective_fill(*plan, &routes, p, who, &choice);
    if (status != HS_OK)
        hs__error_status(error, status);
    hs__routes_free(&routes);
    return status;
}

hs_status hs_collective_create(const hs_platform *platform, const hs_collective_params *params, hs_collective **plan,
                               hs_error *error)
{
    hs__participants who = {0};
    hs_collective *made = NULL;
    hs_status status = check(platform, params, error);
    if (status == HS_OK && !plan)
        status = hs_error_set(error, HS_ERR_ARG, 0, "no place for the plan");
    if (status != HS_OK)
        return status;
    hs_collective_params p = *params;
    if (p.kind == HS_COLLECTIVE_BARRIER)
        p.bytes = 0.0;
    if (number_hosts(&who, platform, &p) != HS_OK)
        status = hs__error_status(error, HS_ERR_NOMEM);
    else if (who.hosts > HS_COLLECTIVE_HOSTS_MAX)
        status = hs_error_set(error, HS_ERR_UNSUPPORTED, 0, "%d hosts, at most %d are planned for", who.hosts,
                              HS_COLLECTIVE_HOSTS_MAX);
    else
        status = solve(platform, &p, &who, &made, error);
    if (status == HS_OK && hs__checking())
        status = hs_collective_check(params, made, error);
    hs__pool_free(&who.pool);
    if (status == HS_OK)
        *plan = made;
    else
        hs_collective_free(made);
    return status;
}
