/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_RING_SEARCH_H
#define HS_PLAN_RING_SEARCH_H

/* Search over rings on the true step time: a current ring, trials that differ from it a little, and how to judge them.
 */

#include "plan/ring/blocks.h"
#include "plan/ring/problem.h"
#include "plan/ring/table.h"
#include "util/random.h"

typedef struct hs__search {
    hs__ring_problem *problem;
    hs__table table;
    hs__ring_blocks blocks;
    int large; /* so many hosts that only moves of blocks are worth judging */
    hs__ring_state now, trial;
    hs__ring_cost cost, trial_cost;  /* of now; of trial, after it was judged */
    int *hosts;                      /* [host] scratch */
    int *position;                   /* [host] its place in now, -1: it is outside */
    hs__prices prices, trial_prices; /* optimal bandwidths only: of now, of trial */
    double *left;                    /* [link] bytes/s that the ring left when the table was last rerouted */
    double *width, *crossed;         /* [link] scratch */
    int64_t limit;                   /* stop at this effort, and */
    int64_t max_evaluations;         /* at this many evaluations */
    int reach;                       /* tries only gaps next to hosts this near in the hierarchy's order; 0: all */
    int prune;                       /* trials that prices prove to be no better need not be shared */
    hs__random random;
    hs__pool pool;
} hs__search;

/** A search without limits. */
hs_status hs__search_init(hs__search *search, hs__ring_problem *problem);
void hs__search_free(hs__search *search);

enum { HS__ELITE = 8 };

/** The best few rings met, best first: of different step times, or of different orders, the first met among equal T. */
typedef struct hs__elite {
    int by_order;
    hs__ring_state ring[HS__ELITE];
    double step_time[HS__ELITE];
    int count;
    hs__pool pool;
} hs__elite;

void hs__elite_offer(hs__elite *elite, const hs__ring_state *ring, double step_time);

/** Whether the budget is spent. */
static inline int hs__search_spent(const hs__search *search)
{
    return search->problem->effort >= search->limit || search->problem->evaluations >= search->max_evaluations;
}

/** The effort left; each evaluation left counts as one of a ring of all hosts. */
static inline int64_t hs__search_left(const hs__search *search)
{
    int64_t effort = search->limit - search->problem->effort;
    int64_t evaluations = search->max_evaluations - search->problem->evaluations;
    int64_t each = 2 * (int64_t)search->problem->max_members;
    return evaluations < effort / each ? evaluations * each : effort;
}

/** Allow the search so much effort from now on, at most what it is allowed already. @return the limit before, to be set
 * again */
static inline int64_t hs__search_allow(hs__search *search, int64_t effort)
{
    int64_t limit = search->limit, own = search->problem->effort + effort;
    search->limit = own < limit ? own : limit;
    return limit;
}

/** Judge trial.order[0 .. size-1]: neighbours that now has too keep its paths, others get the table's. The cost is
 * INFINITY when neighbours have no path. */
hs_status hs__search_judge(hs__search *search);

/** Judge the trial with the paths it has. With prune on, a trial that is proved worse than now has that bound for its
 * cost, and no bandwidths. */
hs_status hs__search_judge_paths(hs__search *search);

/** The same over the platform's routes. */
hs_status hs__search_judge_routes(hs__search *search);

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

/** Go once through the messages of the current ring, and take every other path that makes it better. Free routes only.
 */
hs_status hs__search_change_paths(hs__search *search, int *improved);

/** The same until no other path helps, nor as many as `together` at once, or the budget is spent.
 * Cost:       O(q^together) evaluations each time. */
hs_status hs__search_settle_paths(hs__search *search, int together);

/** Make a ring with its paths the current one. */
hs_status hs__search_turn_to(hs__search *search, const hs__ring_state *ring);

/** Make the trial a randomly changed copy of the current ring, not judged yet. */
void hs__search_perturb(hs__search *search);

/** Judge every ring, or as many as there are budget for, and descend from the best of them. */
hs_status hs__search_from_all(hs__search *search);

/** Note the rings of the blocks of the hierarchy, and descend from the best of them. */
hs_status hs__search_from_blocks(hs__search *search);

/** Descend from the best rings of greedy constructions with several refinements. None is begun once they have cost as
 * much as the search may, in which they do not count. */
hs_status hs__search_from_greedy(hs__search *search);

/** Judge every ring of up to `max_members` hosts that can compute, and keep the best. */
hs_status hs__search_all(hs__search *search, hs__elite *elite);

/** How many rings hs__search_all() would judge; INT64_MAX: more than `limit`. */
int64_t hs__search_rings(const hs__ring_problem *problem, int64_t limit);

/** Whether a platform is too large for the paper's construction, which judges O(p^3) insertions. */
int hs__ring_is_large(const hs__ring_problem *problem);

/** The construction for large platforms: rings of whole blocks, blocks removed and inserted while that helps. */
hs_status hs__ring_grow_blocks(hs__ring_problem *problem);

/** The search of HS_RING_SEARCH_BEST: from problem->best on. */
hs_status hs__ring_search(hs__ring_problem *problem);

/** Whether problem->best loses 1 % and more when the network's units are cut, against its time by real shares. Few units cannot
 * follow the shares by which it was found, and what they lose differs from ring to ring. */
int hs__ring_units_are_few(const hs__ring_problem *problem);

/** The same search for whole units, with half as much effort, on a network with units, by which problem->best was not judged. */
hs_status hs__ring_search_units(hs__ring_problem *problem);

#endif
