/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_DECISION_PLANNING_H
#define HS_PLAN_DECISION_PLANNING_H

/* When to look for a better plan, where looking takes time. Pure, as decide.h.
 *
 * Rule. Looking is paid for as moving is (decide.h): once what was lost has reached what a plan takes to make, if that is
 * known, and what is still to come can earn it. A plan that does not pay yet is made again when its price is reached. What is
 * lost is counted by the least that a step can take, so that nothing has to be looked for to know it: the units over
 * the summed speed of all ranks, or more by the last plan. Since that was made no speed has become more than f times what it was,
 * so that a plan which is better by more than f would have been found then. */

#include "plan/decision/decide.h"

typedef struct hs__planning {
    int ranks;
    double *cycle; /* [ranks] at the last plan; owned */
    double best;   /* seconds of a step in it; 0: there is none */
    double takes;  /* seconds that making one takes; 0: not known */
    double lost;   /* seconds since there was a gain */
    double due;    /* of these, for the next plan */
    int made;      /* one was made in this phase */
} hs__planning;

/** @return HS_OK; HS_ERR_NOMEM: with nothing in it */
hs_status hs__planning_start(hs__planning *planning, int ranks);
void hs__planning_end(hs__planning *planning);

/** Making a plan has taken so many seconds, on the slowest rank. */
void hs__planning_took(hs__planning *planning, double seconds);

/** Whether to make a plan now.
 * @param[in]  cycle  seconds a unit by rank, > 0; INFINITY: takes no units
 * @param[in]  now    seconds of a step as the units are held
 * @param[out] best   that a step takes at least; `now` when that is not noticeably shorter: then none is due */
int hs__planning_is_due(const hs__planning *planning, const hs__decide_phase *phase, const double *cycle, double now,
                        double *best);

/** A plan was made of which a step takes so long. */
void hs__planning_made(hs__planning *planning, const double *cycle, double best);

/** The phase has been decided. @param moves  units move */
void hs__planning_decided(hs__planning *planning, const hs__decision *decision, int moves);

#endif
