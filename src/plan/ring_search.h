/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_RING_SEARCH_H
#define HS_PLAN_RING_SEARCH_H

/* Search over rings on the true step time: a current ring, trials that differ from it a little, and how to judge them.
 */

#include "plan/ring_problem.h"
#include "plan/ring_table.h"
#include "util/random.h"

typedef struct hs__search {
    hs__ring_problem *problem;
    hs__table table;
    hs__ring_state now, trial;
    hs__ring_cost cost, trial_cost; /* of now; of trial, after it was judged */
    int *position;                  /* [host] its place in now, -1: it is outside */
    double *width;                  /* [link] scratch */
    int64_t limit;                  /* judge no more rings than that in all */
    hs__random random;
} hs__search;

hs_status hs__search_init(hs__search *search, hs__ring_problem *problem, int64_t limit);
void hs__search_free(hs__search *search);

/** Whether the budget is spent. */
static inline int hs__search_spent(const hs__search *search)
{
    return search->problem->evaluations >= search->limit;
}

/** Judge trial.order[0 .. size-1]: neighbours that now has too keep its paths, others get the table's. The cost is
 * INFINITY when neighbours have no path. */
hs_status hs__search_judge(hs__search *search);

/** Judge the trial with the paths it has. */
hs_status hs__search_judge_paths(hs__search *search);

/** Make the trial just judged the current ring, and note it. */
void hs__search_accept(hs__search *search);

/** Make the trial current if it is better than now; *improved is then set to 1. */
void hs__search_improve(hs__search *search, int *improved);

/** Let free routes that are found from now on follow what the current ring leaves: a new message may expect the larger
 * of a link's residual and its fair share among the messages there. */
void hs__search_reroute_table(hs__search *search);

/** Improve the current ring until no move does, or the budget is spent: insert, remove, replace, move and reverse
 * segments, swap, other paths. */
hs_status hs__search_descend(hs__search *search);

/** Judge every ring of up to `most` hosts that can compute. */
hs_status hs__search_all(hs__search *search);

/** How many rings hs__search_all() would judge; stops counting above `limit`. */
int64_t hs__search_rings(const hs__ring_problem *problem, int64_t limit);

/** The search of HS_RING_SEARCH_BEST: from problem->best on. */
hs_status hs__ring_search(hs__ring_problem *problem);

#endif
