/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/ring/problem.h"
#include "util/assert.h"
#include <math.h>
#include <string.h>

/* The bandwidth problem of a ring: weights k_f = speed_i H / total speed, and the members' pairs of messages. */
typedef struct bandwidth_task {
    hs__share_task task;
    double *weight, *pair_fixed;
    int *pair;
    hs__pool pool;
} bandwidth_task;

static hs_status bandwidth_task_init(bandwidth_task *b, const hs__ring_problem *p, const hs__ring_state *ring)
{
    size_t q = (size_t)ring->size;
    *b = (bandwidth_task){0};
    b->weight = hs__pool_new(&b->pool, 2 * q, sizeof *b->weight);
    b->pair_fixed = hs__pool_new(&b->pool, q, sizeof *b->pair_fixed);
    b->pair = hs__pool_new(&b->pool, 2 * q, sizeof *b->pair);
    if (hs__pool_status(&b->pool) != HS_OK)
        return HS_ERR_NOMEM;
    int overlap = p->params->model == HS_STEP_OVERLAP;
    double speed = 0.0, fixed = 0.0;
    for (int k = 0; k < ring->size; k++)
        speed += p->network.speed[ring->order[k]];
    for (int k = 0; k < ring->size; k++) {
        int ahead = 2 * k, back = hs__ring_back(ring, k);
        double part = overlap ? 0.0 : p->network.speed[ring->order[k]] / speed;
        b->pair[2 * k] = ahead;
        b->pair[2 * k + 1] = back;
        b->weight[ahead] = b->weight[back] = part * p->params->halo;
        b->pair_fixed[k] = ring->path[ahead]->latency + ring->path[back]->latency;
        fixed += part * b->pair_fixed[k];
    }
    b->task = (hs__share_task){.messages = hs__ring_messages(ring),
                               .path = ring->path,
                               .fixed = p->params->work / speed + fixed,
                               .weight = b->weight,
                               .pairs = ring->size,
                               .pair = b->pair,
                               .pair_weight = p->params->halo,
                               .pair_fixed = b->pair_fixed};
    return HS_OK;
}

hs__prices hs__prices_new(hs__pool *pool, const hs__network *network)
{
    return (hs__prices){.host = hs__pool_new(pool, (size_t)network->hosts, sizeof(double)),
                        .link = hs__pool_new(pool, (size_t)network->links, sizeof(double))};
}

/* The multipliers of the ring just solved, by host and link. Messages' own limits are left out: any prices are valid.
 */
static void take_prices(const hs__ring_problem *p, const hs__ring_state *ring, hs__prices *prices)
{
    const hs__crossings *c = &p->sharing.crossings;
    const double *multiplier = p->sharing.multiplier;
    memset(prices->host, 0, (size_t)p->network.hosts * sizeof *prices->host);
    memset(prices->link, 0, (size_t)p->network.links * sizeof *prices->link);
    prices->eq4 = multiplier[0];
    prices->budget = 0.0;
    for (int k = 0; k < ring->size; k++)
        prices->host[ring->order[k]] = multiplier[1 + k];
    for (int e = 0; e < c->links; e++)
        if (c->shared[e] >= 0) {
            prices->link[c->shared[e]] = multiplier[1 + ring->size + e];
            prices->budget += multiplier[1 + ring->size + e] * c->capacity[e];
        }
}

double hs__ring_price_bound(const hs__ring_problem *problem, const hs__prices *prices, const hs__ring_state *ring)
{
    const hs_ring_params *params = problem->params;
    double speed = 0.0, fixed = params->work, mean = 0.0, total = prices->eq4, roots = 0.0;
    int overlap = params->model == HS_STEP_OVERLAP;
    for (int k = 0; k < ring->size; k++)
        speed += problem->network.speed[ring->order[k]];
    for (int f = 0; f < hs__ring_messages(ring); f++) {
        int sender = hs__ring_sender(ring, f);
        const hs__path *path = ring->path[f];
        double part = overlap ? 0.0 : problem->network.speed[sender], price = 0.0;
        for (int m = 0; m < path->count; m++)
            price += prices->link[path->links[m]];
        roots += sqrt((prices->eq4 * part / speed + prices->host[sender]) * params->halo * price);
        fixed += part * path->latency;
        mean += prices->host[sender] * path->latency;
    }
    for (int k = 0; k < ring->size; k++)
        total += prices->host[ring->order[k]];
    mean += prices->eq4 * fixed / speed;
    return (mean + (prices->budget > 0 ? roots * roots / prices->budget : 0.0)) / total;
}

static hs_status share_optimally(hs__ring_problem *p, hs_ring_share rule, hs__ring_state *ring, hs__prices *prices)
{
    bandwidth_task b;
    double value, bound;
    hs_status status = bandwidth_task_init(&b, p, ring);
    if (status != HS_OK)
        goto out;
    if (rule == HS_RING_SHARE_KINSOL) {
        status = hs__share_kinsol(&p->sharing, &b.task, ring->rate);
        status = status == HS_ERR_CONVERGENCE ? HS_OK : status;
    } else {
        int64_t messages = b.task.messages;
        p->effort += messages * messages * messages / 80; /* Newton's method on all rates: measured against max-min */
        status = hs__share_optimal(&p->sharing, &b.task, ring->rate, &value, &bound);
        if (status == HS_OK && prices)
            take_prices(p, ring, prices);
        HS_ASSERT(status != HS_OK || !prices ||
                  hs__ring_price_bound(p, prices, ring) <=
                      hs__ring_cost_all(p->params, &p->network, ring).step_time * (1 + 1e-9));
    }
out:
    hs__pool_free(&b.pool);
    return status;
}

hs_status hs__ring_share(hs__ring_problem *problem, hs_ring_share rule, hs__ring_state *ring, hs__prices *prices)
{
    if (prices)
        prices->eq4 = 0.0;
    if (problem->network.function) /* prices prove nothing where speeds depend on the size */
        prices = NULL;
    if (ring->size < 2)
        return HS_OK;
    hs_status status = hs__share_maxmin(&problem->sharing, ring->path, hs__ring_messages(ring), ring->rate);
    if (status == HS_OK && problem->params->halo > 0 && (rule == HS_RING_SHARE_OPTIMAL || rule == HS_RING_SHARE_KINSOL))
        status = share_optimally(problem, rule, ring, prices);
    return status;
}

hs__ring_cost hs__ring_note(hs__ring_problem *problem, const hs__ring_state *ring)
{
    const double noise = 1e-9; /* above what rounding the network does */
    hs__ring_cost cost = hs__ring_cost_all(problem->params, &problem->network, ring);
    if (cost.step_time < problem->by_size[ring->size])
        problem->by_size[ring->size] = cost.step_time;
    if (cost.step_time < problem->best_time * (1 - noise)) {
        problem->best_time = cost.step_time;
        hs__ring_state_copy(&problem->best, ring);
    }
    return cost;
}
