/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_DECISION_PROMISE_H
#define HS_PLAN_DECISION_PROMISE_H

/* What the last move has promised, and whether the phases after it keep it (decide.h has the rule). */

#include "plan/decision/readings.h"

typedef struct hs__promise {
    int phases;           /* until the move is judged; 0: none waits */
    double step, gain;    /* seconds of a step before the move, and that it was to take less */
    double gained;        /* seconds that the phases so far have brought */
    int64_t iterations;   /* of them */
    double *cycle, *load; /* [ranks] of those with a reading in the last phase before the move, at pace 1; else 0 */
    double caution;       /* what promises that were broken multiply prices by */
    hs__pool pool;
} hs__promise;

/** @return HS_OK; HS_ERR_NOMEM: with nothing in it */
hs_status hs__promise_start(hs__promise *promise, int ranks);
void hs__promise_end(hs__promise *promise);

/** Units move, after this phase, for a gain of so many seconds a step. judged: what follows can be compared. */
void hs__promise_make(hs__promise *promise, const hs__readings *readings, const hs__decide_phase *phase, double gain,
                      int judged);

/** Hold the last move to its promise once enough phases have gone by.
 * @param[in] confirmed  a speed has just changed
 * @return 1 when it has just been judged, and broke its promise */
int hs__promise_watch(hs__promise *promise, const hs__readings *readings, const hs__decide_phase *phase, int confirmed);

#endif
