/* SPDX-License-Identifier: BSD-3-Clause */
/* The step time of a ring with given bandwidths.
 *
 * Serial: T is the least time with sum_i (T - D_i) / (W w_i) >= 1 over members with shares (T - D_i) / (W w_i) >= 0,
 * and T >= D_i for all, since a member that only relays still spends D_i. If Eq. 4, where the sum is 1 with shares of
 * any sign, is at least max D_i, it is the answer; else T = max D_i leaves room to spare. So T = max(Eq. 4, max D_i).
 * Overlap: T = max(W / total speed, max D_i).
 *
 * With speed functions the least T with shares >= 0 that reach 1 takes the place of Eq. 4. Where the work is cut into
 * units, T is that of whole units. */
#include "plan/ring/state.h"
#include "util/assert.h"
#include "util/heap.h"
#include <math.h>
#include <string.h>

hs__ring_state hs__ring_state_new(hs__pool *pool, int hosts)
{
    size_t n = (size_t)hosts;
    return (hs__ring_state){.order = hs__pool_new(pool, n, sizeof(int)),
                            .path = hs__pool_new(pool, 2 * n, sizeof(hs__path *)),
                            .rate = hs__pool_new(pool, 2 * n, sizeof(double))};
}

void hs__ring_state_copy(hs__ring_state *to, const hs__ring_state *from)
{
    size_t messages = (size_t)hs__ring_messages(from);
    to->size = from->size;
    memcpy(to->order, from->order, (size_t)from->size * sizeof *to->order);
    memcpy(to->path, from->path, messages * sizeof *to->path);
    memcpy(to->rate, from->rate, messages * sizeof *to->rate);
}

double hs__ring_comm_time(const hs_ring_params *params, const hs__ring_state *state, int k)
{
    if (state->size < 2)
        return 0.0;
    int ahead = 2 * k, back = hs__ring_back(state, k);
    return hs__message_time(params, state->path[ahead], state->rate[ahead]) +
           hs__message_time(params, state->path[back], state->rate[back]);
}

hs__ring_cost hs__ring_cost_of(const hs_ring_params *params, double speed, double weighted_comm, double largest_comm)
{
    double compute = params->work / speed;
    double eq4 = params->model == HS_STEP_OVERLAP ? compute : compute + weighted_comm / speed;
    return (hs__ring_cost){.eq4 = eq4, .step_time = fmax(eq4, largest_comm)};
}

static double eighth_power(double x)
{
    double square = x * x, fourth = square * square;
    return fourth * fourth;
}

hs__level_task hs__ring_level_task(const hs_ring_params *params, const hs__network *network,
                                   const hs__ring_state *state, const double *comm_time)
{
    return (hs__level_task){.function = network->function,
                            .host = state->order,
                            .comm_time = params->model == HS_STEP_OVERLAP ? NULL : comm_time,
                            .hosts = state->size,
                            .work = network->work,
                            .data = network->data};
}

/* The time of the slices of equal time, in the network's unit. */
static double level_of(const hs_ring_params *params, const hs__network *network, const hs__ring_state *state)
{
    double unit = network->unit.time;
    for (int k = 0; k < state->size; k++)
        network->busy[k] = hs__ring_comm_time(params, state, k) * unit;
    hs__level_task task = hs__ring_level_task(params, network, state, network->busy);
    return (hs__level_base(&task) + hs__level_time(&task)) / unit;
}

static int is_before(const hs__finish *a, const hs__finish *b)
{
    return a->time < b->time || (a->time == b->time && a->member < b->member);
}

HS__HEAP(heap, hs__finish, is_before)

/* The least time of a step in which every member computes a whole number of units, no fewer than the least slice: no
 * less than `eq4`, within which members finish no more than all units. Those left over, fewer than members, go one by
 * one to the member that finishes first with one more. hs_slices_compute() finds the slices in the end: it may leave members
 * without units, and its bisection takes too long for every ring. */
static double units_time(const hs_ring_params *params, const hs__network *network, const hs__ring_state *state,
                         double eq4)
{
    const double unit = params->work / (double)network->units;
    const int overlap = params->model == HS_STEP_OVERLAP;
    double time = eq4, left = (double)network->units;
    hs__finish *next = network->finish;
    size_t members = 0;
    for (int k = 0; k < state->size; k++) {
        double comm = hs__ring_comm_time(params, state, k);
        double least = (double)params->minimum * unit / network->speed[state->order[k]];
        time = fmax(time, overlap ? fmax(least, comm) : least + comm);
    }
    for (int k = 0; k < state->size; k++) {
        double comm = overlap ? 0.0 : hs__ring_comm_time(params, state, k);
        double each = unit / network->speed[state->order[k]], count = floor((time - comm) / each);
        left -= count;
        heap_push(next, &members, (hs__finish){(count + 1) * each + comm, k});
    }
    HS_ASSERT(members == (size_t)state->size);
    for (int round = 0; round < state->size && left > 0; round++, left--) {
        hs__finish first = heap_pop(next, &members);
        time = fmax(time, first.time);
        first.time += unit / network->speed[state->order[first.member]];
        heap_push(next, &members, first);
    }
    return time;
}

hs__ring_cost hs__ring_cost_all(const hs_ring_params *params, const hs__network *network, const hs__ring_state *state)
{
    double speed = 0.0, weighted = 0.0, largest = 0.0, bottlenecks = 0.0;
    for (int k = 0; k < state->size; k++) {
        double comm = hs__ring_comm_time(params, state, k);
        speed += network->speed[state->order[k]];
        weighted += network->speed[state->order[k]] * comm;
        if (comm > largest) {
            bottlenecks = bottlenecks * eighth_power(largest / comm) + 1.0;
            largest = comm;
        } else if (largest > 0) {
            bottlenecks += eighth_power(comm / largest);
        }
    }
    hs__ring_cost cost = hs__ring_cost_of(params, speed, weighted, largest);
    if (network->function) {
        cost.eq4 = level_of(params, network, state);
        cost.step_time = fmax(cost.eq4, largest);
    } else if (network->units > 0 && params->work > 0) {
        cost.step_time = units_time(params, network, state, cost.eq4);
    }
    HS_ASSERT(cost.eq4 <= cost.step_time && bottlenecks <= state->size);
    cost.bottlenecks = bottlenecks;
    return cost;
}
