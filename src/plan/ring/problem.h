/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_RING_PROBLEM_H
#define HS_PLAN_RING_PROBLEM_H

/* One planning task: its parameters, the tools that share its memory, and the best ring so far. */

#include "plan/ring/paths.h"
#include "plan/ring/share.h"
#include "plan/ring/state.h"

/** Prices of a ring's optimal bandwidths: what they prove about other rings, see hs__ring_price_bound(). */
typedef struct hs__prices {
    double eq4;    /* the multiplier of Eq. 4; 0: there are no prices */
    double *host;  /* [host] that of its D, 0 outside the ring */
    double *link;  /* [link] seconds per (byte/s) */
    double budget; /* sum of price * capacity */
} hs__prices;

/** By what the greedy construction chooses. */
typedef enum hs__criterion { HS__BY_EQ4, HS__BY_STEP_TIME, HS__CRITERIA } hs__criterion;

typedef struct hs__ring_problem {
    const hs_ring_params *params; /* those in use: rounded, in the end as asked */
    hs_ring_params rounded, asked;
    hs__network network;
    hs__by_size sizes; /* when speeds depend on the size; the speeds of `asked` are its speeds */
    hs__sharing sharing;
    hs__graph graph; /* free routes only */
    hs__finder *finder;
    int max_members;                      /* no ring may have more members */
    hs_ring_share rule;                   /* rings are judged with bandwidths by this rule */
    hs__ring_state best;                  /* the ring with the least true T met so far */
    double best_time;                     /* its T; INFINITY: none yet */
    hs__ring_state grown[HS__CRITERIA];   /* the best of each of the paper's constructions; large platforms: none */
    double *by_size;                      /* [q] least true T met with q members, INFINITY: none */
    int64_t evaluations, max_evaluations; /* so far; where a search stops, 0: none has begun */
    int64_t effort;                       /* what the evaluations cost, in messages whose max-min rate was found */
    hs__pool pool;                        /* of the rings and by_size */
} hs__ring_problem;

/** Share the bandwidth among the messages of a ring. The paper's greedy rule has no global form: max-min stands in for
 * it. Where KINSOL does not converge the max-min bandwidths stay.
 * @param[out] prices  of HS_RING_SHARE_OPTIMAL; may be NULL
 * @return HS_OK; HS_ERR_NOMEM; HS_ERR_CONVERGENCE; HS_ERR_UNSUPPORTED */
hs_status hs__ring_share(hs__ring_problem *problem, hs_ring_share rule, hs__ring_state *ring, hs__prices *prices);

/** Prices for a network, none set, whose arrays belong to the pool. */
hs__prices hs__prices_new(hs__pool *pool, const hs__network *network);

/** A bound that prices prove for any ring over its paths, whatever its bandwidths: T is no less.
 * Cost:       O(links on its paths). */
double hs__ring_price_bound(const hs__ring_problem *problem, const hs__prices *prices, const hs__ring_state *ring);

/** Note a ring with its bandwidths: it enters the curve by size, and becomes the best if it is better by more
 * than rounding. */
hs__ring_cost hs__ring_note(hs__ring_problem *problem, const hs__ring_state *ring);

/** The paper's construction (4.1): the best pair, then the best insertion again and again. After each the bandwidths
 * are refined by the rule `refinement` (greedy: kept), and the ring is judged by problem->rule and noted.
 * @param[out] start  the best ring of this construction; may be NULL */
hs_status hs__ring_grow(hs__ring_problem *problem, hs__criterion criterion, hs_ring_share refinement,
                        hs__ring_state *start);

#endif
