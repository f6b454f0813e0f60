/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_DECISION_READINGS_H
#define HS_PLAN_DECISION_READINGS_H

/* What the decider believes of the ranks' speeds: a window of readings for each rank, which begins anew at a lasting change
 * (decide.h says how); of ranks without units, what they measure idly, in the seconds of those that work. */

#include "plan/decision/decide.h"
#include "util/pool.h"
#include "util/speed_window.h"

typedef struct hs__readings {
    int ranks;
    hs__speed_window *window;    /* [ranks] */
    const double *pace;          /* [ranks] of the phase that is decided upon; NULL: 1; lent by the kind */
    struct hs__arrival *arrival; /* [ranks] what each shows at the size that it came to last */
    double *first, *cycle;       /* [ranks] guessed at first, and believed, at pace 1 */
    double *anchor;              /* [ranks] cycle time when it was last left with no units; 0: it never had any */
    hs__pool pool;               /* has the arrays */
} hs__readings;

/** @param[in] cycle  as of hs__decider_create(). @return HS_OK; HS_ERR_NOMEM: with nothing in it */
hs_status hs__readings_start(hs__readings *readings, int ranks, const double *cycle);
void hs__readings_end(hs__readings *readings);

/** What a unit is has changed: nothing of before can be compared. */
void hs__readings_forget(hs__readings *readings);

/** Take in a phase. @return 1 when some rank's lasting change was just confirmed */
int hs__readings_take(hs__readings *readings, const hs__decide_phase *phase, const hs__decide_kind *kind, void *layout);

/** How fast rank i is at the size that it holds, over its speed at pace 1. */
double hs__readings_pace(const hs__readings *readings, int i);

/** The relative error of the least known reading among ranks with work. */
double hs__readings_error(const hs__readings *readings, const hs__decide_phase *phase);

/** As hs__decider_speeds(). */
void hs__readings_speeds(const hs__readings *readings, const double *scale, double *speed);

/** Whether a great change of speed waits to be confirmed. */
int hs__readings_urgent(const hs__readings *readings);

#endif
