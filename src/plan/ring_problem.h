/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_RING_PROBLEM_H
#define HS_PLAN_RING_PROBLEM_H

/* One planning task: what is asked, the tools that share its memory, and the best found so far. */

#include "plan/ring_paths.h"
#include "plan/ring_share.h"
#include "plan/ring_state.h"

typedef struct hs__ring_problem {
    const hs_ring_params *params; /* borrowed */
    hs__network network;
    hs__sharing sharing;
    hs__graph graph; /* free routes only */
    hs__finder *finder;
    int most;            /* no ring may have more members */
    hs__ring_state best; /* the ring with the least true T met so far */
    double best_time;    /* its T; INFINITY: none yet */
    double *by_size;     /* [q] least true T met with q members, INFINITY: none */
    int64_t evaluations;
} hs__ring_problem;

/** Share the bandwidth among the messages of a ring by the rule asked for. The greedy rule has no global form; max-min
 * stands in for it.
 * @return HS_OK; HS_ERR_NOMEM; HS_ERR_CONVERGENCE; HS_ERR_UNSUPPORTED */
hs_status hs__ring_share(hs__ring_problem *problem, hs__ring_state *ring);

/** Note a ring with its bandwidths: it enters the curve by size, and becomes the best if it is strictly better. */
hs__ring_cost hs__ring_note(hs__ring_problem *problem, const hs__ring_state *ring);

/** By what the greedy construction chooses. */
typedef enum hs__criterion { HS__BY_EQ4, HS__BY_STEP_TIME } hs__criterion;

/** The paper's construction (4.1): the best pair, then the best insertion again and again, noting every ring. */
hs_status hs__ring_grow(hs__ring_problem *problem, hs__criterion criterion);

#endif
