/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/ring/plan.h"
#include "util/array.h"
#include "util/pool.h"
#include "util/speed.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The level L with sum of max(0, L - D_k) speed_k = W: Eq. 4 over those members whose D stays below it. Members are
 * taken in while they are under water, so at most q rounds. L and D are counted from the least D: work that takes next
 * to no time beside the messages would be lost in rounding. */
static double water_level(const hs_ring_params *params, const double *speed, const hs__ring_state *ring,
                          const hs__ring_member *member, double least)
{
    double level = INFINITY;
    for (int round = 0; round <= ring->size; round++) {
        double sum = 0.0, weighted = 0.0;
        for (int k = 0; k < ring->size; k++)
            if (member[k].comm_time - least < level) {
                sum += speed[ring->order[k]];
                weighted += speed[ring->order[k]] * (member[k].comm_time - least);
            }
        double next = (params->work + weighted) / sum;
        if (!(next < level))
            break;
        level = next;
    }
    return level;
}

static void real_shares(const hs_ring_params *params, const double *speed, const hs__ring_state *ring,
                        hs__ring_member *member)
{
    double least = INFINITY, sum = 0.0;
    for (int k = 0; k < ring->size; k++)
        least = fmin(least, member[k].comm_time);
    double level = water_level(params, speed, ring, member, least);
    int by_speed = params->model == HS_STEP_OVERLAP || !(params->work > 0);
    for (int k = 0; k < ring->size; k++) {
        double room = by_speed ? 1.0 : fmax(0.0, level - (member[k].comm_time - least));
        member[k].share = room * speed[ring->order[k]];
        sum += member[k].share;
    }
    for (int k = 0; k < ring->size; k++)
        member[k].share /= sum;
}

/* Real shares by speed functions, with member[k].comm_time in seconds. */
static hs_status shares_by_size(const hs_ring_params *params, const hs__network *network, const hs__ring_state *ring,
                                hs__ring_member *member)
{
    for (int k = 0; k < ring->size; k++)
        network->busy[k] = member[k].comm_time;
    hs__level_task task = hs__ring_level_task(params, network, ring, network->busy);
    double time = hs__level_time(&task), sum = 0.0;
    if (isinf(time))
        return HS_ERR_INFEASIBLE;
    for (int k = 0; k < ring->size; k++) {
        member[k].share = hs__level_size(&task, k, time) / params->data;
        sum += member[k].share;
    }
    for (int k = 0; k < ring->size; k++)
        member[k].share /= sum;
    return HS_OK;
}

/* Integer units by speed functions. function: scratch of the ring's size. */
static hs_status units_by_size(const hs_ring_params *params, const hs__network *network, const hs__ring_state *ring,
                               const hs__ring_member *member, hs_speed_function *function, int64_t *count)
{
    for (int k = 0; k < ring->size; k++) {
        network->busy[k] = member[k].comm_time;
        function[k] = network->function[ring->order[k]];
    }
    hs_slices_params asked = {.function = function,
                              .comm_time = network->busy,
                              .hosts = ring->size,
                              .model = params->model,
                              .work = params->work,
                              .data = params->data,
                              .units = params->units,
                              .minimum = params->minimum};
    return hs_slices_compute_by_size(&asked, count, NULL);
}

static hs_status unit_shares(const hs_ring_params *params, const hs__network *network, const hs__ring_state *ring,
                             hs__ring_member *member)
{
    hs__pool pool = {0};
    size_t q = (size_t)ring->size;
    double *cycle_time = hs__pool_new(&pool, q, sizeof *cycle_time),
           *comm_time = hs__pool_new(&pool, q, sizeof *comm_time);
    int64_t *count = hs__pool_new(&pool, q, sizeof *count);
    hs_speed_function *function = hs__pool_new(&pool, q, sizeof *function);
    hs_status status = hs__pool_status(&pool);
    if (status != HS_OK)
        goto out;
    double unit = params->work > 0 ? params->work / (double)params->units : 1.0;
    for (size_t k = 0; k < q; k++) {
        cycle_time[k] = unit / network->speed[ring->order[k]];
        comm_time[k] = params->work > 0 ? member[k].comm_time : 0.0;
    }
    status = network->function ? units_by_size(params, network, ring, member, function, count)
                               : hs_slices_compute(cycle_time, comm_time, ring->size, params->units, params->minimum,
                                                   params->model, count, NULL);
    for (size_t k = 0; k < q && status == HS_OK; k++) {
        member[k].units = count[k];
        member[k].share = (double)count[k] / (double)params->units;
    }
out:
    hs__pool_free(&pool);
    return status;
}

static double compute_time(const hs_ring_params *params, const hs__network *network, int host, double share)
{
    if (!(share > 0)) /* speed may be 0 */
        return 0.0;
    return network->function
               ? hs__speed_time(&network->function[host], params->work / params->data, share * params->data)
               : share * params->work / network->speed[host];
}

/* Shares (or integer units) for a ring with its bandwidths; D_k must be in member[k].comm_time. Writes share, units
 * and compute_time of every member and *step_time.
 * @return HS_OK; HS_ERR_INFEASIBLE (units < minimum); HS_ERR_NOMEM */
static hs_status find_shares(const hs_ring_params *params, const hs__network *network, const hs__ring_state *ring,
                             hs__ring_member *member, double *step_time)
{
    hs_status status = HS_OK;
    if (params->units > 0)
        status = unit_shares(params, network, ring, member);
    else if (network->function)
        status = shares_by_size(params, network, ring, member);
    else
        real_shares(params, network->speed, ring, member);
    if (status != HS_OK)
        return status;
    *step_time = 0.0;
    for (int k = 0; k < ring->size; k++) {
        hs__ring_member *m = &member[k];
        m->compute_time = compute_time(params, network, ring->order[k], m->share);
        double busy =
            params->model == HS_STEP_OVERLAP ? fmax(m->compute_time, m->comm_time) : m->compute_time + m->comm_time;
        *step_time = fmax(*step_time, busy);
    }
    return HS_OK;
}

static void copy_paths(hs_ring *plan, const hs__network *network, const hs__ring_state *ring)
{
    int *links = plan->links;
    for (int f = 0; f < plan->paths; f++) {
        const hs__path *path = ring->path[f];
        double latency = 0.0;
        for (int m = 0; m < path->count; m++) {
            links[m] = network->order.link[path->links[m]];
            latency += hs_platform_link_latency(network->platform, links[m]);
        }
        plan->path[f] = (hs_ring_path){.from = network->order.node[hs__ring_sender(ring, f)],
                                       .to = network->order.node[hs__ring_receiver(ring, f)],
                                       .links = links,
                                       .count = (size_t)path->count,
                                       .bandwidth = ring->rate[f],
                                       .latency = latency};
        links += path->count;
    }
}

static hs_ring *new_plan(int hosts, const hs__ring_state *ring)
{
    size_t links = 0;
    hs_ring *plan = hs__array_new(1, sizeof *plan);
    if (!plan)
        return NULL;
    plan->size = ring->size;
    plan->paths = hs__ring_messages(ring);
    plan->hosts = hosts;
    for (int f = 0; f < plan->paths; f++)
        links += (size_t)ring->path[f]->count;
    plan->member = hs__pool_new(&plan->pool, (size_t)plan->size, sizeof *plan->member);
    plan->path = hs__pool_new(&plan->pool, (size_t)plan->paths, sizeof *plan->path);
    plan->links = hs__pool_new(&plan->pool, links, sizeof *plan->links);
    plan->by_size = hs__pool_new(&plan->pool, (size_t)hosts + 1, sizeof *plan->by_size);
    if (hs__pool_status(&plan->pool) == HS_OK)
        return plan;
    hs_ring_free(plan);
    return NULL;
}

hs_status hs__ring_plan(hs__ring_problem *problem, hs_ring **plan)
{
    const hs__ring_state *ring = &problem->best;
    hs_ring *made = new_plan(problem->network.hosts, ring);
    if (!made)
        return HS_ERR_NOMEM;
    for (int k = 0; k < ring->size; k++) {
        made->member[k].host = problem->network.order.node[ring->order[k]];
        made->member[k].comm_time = hs__ring_comm_time(problem->params, ring, k);
    }
    hs_status status = find_shares(problem->params, &problem->network, ring, made->member, &made->step_time);
    if (status != HS_OK) {
        hs_ring_free(made);
        return status;
    }
    copy_paths(made, &problem->network, ring);
    memcpy(made->by_size, problem->by_size, ((size_t)made->hosts + 1) * sizeof *made->by_size);
    made->evaluations = problem->evaluations;
    *plan = made;
    return HS_OK;
}

void hs_ring_free(hs_ring *ring)
{
    if (!ring)
        return;
    hs__pool_free(&ring->pool);
    free(ring);
}

int hs_ring_size(const hs_ring *ring)
{
    return ring->size;
}

int hs_ring_host(const hs_ring *ring, int k)
{
    return ring->member[k].host;
}

double hs_ring_share_of(const hs_ring *ring, int k)
{
    return ring->member[k].share;
}

int64_t hs_ring_units(const hs_ring *ring, int k)
{
    return ring->member[k].units;
}

double hs_ring_compute_time(const hs_ring *ring, int k)
{
    return ring->member[k].compute_time;
}

double hs_ring_comm_time(const hs_ring *ring, int k)
{
    return ring->member[k].comm_time;
}

int hs_ring_paths(const hs_ring *ring)
{
    return ring->paths;
}

const hs_ring_path *hs_ring_path_at(const hs_ring *ring, int index)
{
    return &ring->path[index];
}

double hs_ring_step_time(const hs_ring *ring)
{
    return ring->step_time;
}

double hs_ring_lower_bound(const hs_ring *ring)
{
    return ring->lower_bound;
}

double hs_ring_by_size(const hs_ring *ring, int q)
{
    return q >= 1 && q <= ring->hosts ? ring->by_size[q] : INFINITY;
}

int64_t hs_ring_evaluations(const hs_ring *ring)
{
    return ring->evaluations;
}
