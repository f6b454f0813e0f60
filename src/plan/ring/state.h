/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_RING_STATE_H
#define HS_PLAN_RING_STATE_H

/* A ring in the making: members, paths, bandwidths, and what a step of it costs. */

#include "plan/ring/network.h"
#include "plan/slices/level.h"

typedef struct hs__ring_state {
    int size;              /* q */
    int *order;            /* position -> host */
    const hs__path **path; /* 2q: [2k] from position k to k+1, [2k+1] from k+1 to k */
    double *rate;          /* 2q, bytes/s */
} hs__ring_state;

/** A ring with room for `hosts` members, whose arrays belong to the pool. */
hs__ring_state hs__ring_state_new(hs__pool *pool, int hosts);
void hs__ring_state_copy(hs__ring_state *to, const hs__ring_state *from);

/** How many messages a step sends: none when the ring is one host. */
static inline int hs__ring_messages(const hs__ring_state *state)
{
    return state->size > 1 ? 2 * state->size : 0;
}

/** The index of the path from position k to its predecessor. */
static inline int hs__ring_back(const hs__ring_state *state, int k)
{
    return 2 * (k > 0 ? k - 1 : state->size - 1) + 1;
}

/** The position behind k. */
static inline int hs__ring_next(const hs__ring_state *state, int k)
{
    return k + 1 < state->size ? k + 1 : 0;
}

/** The host that sends along path f, and the one that receives. */
static inline int hs__ring_sender(const hs__ring_state *state, int f)
{
    int k = f / 2;
    return state->order[f % 2 ? hs__ring_next(state, k) : k];
}

static inline int hs__ring_receiver(const hs__ring_state *state, int f)
{
    int k = f / 2;
    return state->order[f % 2 ? k : hs__ring_next(state, k)];
}

/** What a step costs. */
typedef struct hs__ring_cost {
    double eq4;         /* Eq. 4: as if all members finished together, shares of any sign */
    double step_time;   /* the true T: shares >= 0, or whole units */
    double bottlenecks; /* sum of (D_k / largest D)^8: about how many members' messages take the longest */
} hs__ring_cost;

/** Seconds of one message over a path at a rate. */
static inline double hs__message_time(const hs_ring_params *params, const hs__path *path, double rate)
{
    return (params->halo > 0 ? params->halo / rate : 0.0) + path->latency;
}

/** D_k, seconds: both messages of position k. */
double hs__ring_comm_time(const hs_ring_params *params, const hs__ring_state *state, int k);

/** The values from the sums they are made of: total speed, sum of speed_i D_i, and the largest D_i. `bottlenecks` is 0. */
hs__ring_cost hs__ring_cost_of(const hs_ring_params *params, double speed, double weighted_comm, double largest_comm);

/** The slices of equal time of a ring on a network with functions, its D_k being given.
 * @param comm_time  [q] in the network's unit of time; borrowed */
hs__level_task hs__ring_level_task(const hs_ring_params *params, const hs__network *network,
                                   const hs__ring_state *state, const double *comm_time);

/** Eq. 4, the true T and the bottlenecks of a ring with its bandwidths. On a network with units, T is that of whole
 * units, no fewer than the least slice a member. On a network with functions, T is that of real shares all the same, and
 * eq4 is the time of its slices of equal time, INFINITY when the largest slices do not hold the data.
 * Cost:       O(q); with units O(q log q); with functions O(52 q log points). */
hs__ring_cost hs__ring_cost_all(const hs_ring_params *params, const hs__network *network, const hs__ring_state *state);

#endif
