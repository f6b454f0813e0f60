/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_DECISION_REPLAY_H
#define HS_PLAN_DECISION_REPLAY_H

/* A recorded run, decided again.
 *
 * The same rule must come to the same decisions: slices are planned anew, and other kinds answer what they answered.
 *
 * Another rule holds other slices from its first different decision on, and how long steps would have taken then was
 * never measured. They are taken to be what the model of slices.h says with the cycle times of that phase, and with
 * messages and rest as the recorded step shows them. A rank without units then counts as fast as the decider believed it
 * to be. Likewise on another platform, where cycle times and messages are what they would be there. */

#include "plan/decision/trace.h"

/** Decide again by the rule of the run.
 * @param[out] differs  line of the first phase whose decision is not the recorded one, bit for bit; 0: none
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__replay_verify(const hs__trace *trace, int *differs);

/** What phases and moves take together. */
typedef struct hs__replay_outcome {
    double seconds; /* of phases and moves */
    double moving;  /* of them, moves */
    int moves;
} hs__replay_outcome;

/** What was measured. */
hs__replay_outcome hs__replay_measured(const hs__trace *trace);

/** A platform other than that of the run, see plan/elsewhere/. */
typedef struct hs__replay_place {
    hs__trace
        start; /* layout, ranks, slices, first, comm, traffic, and how speeds (of its site) depend on sizes, all by the
                        order of the ranks there; weights as in the run; no phases */
    int *rank; /* [rank of the run] which one it is there */
    double *ratio; /* [rank of the run] its cycle time there over that of the run; INFINITY: takes no units */
    double move;   /* what moves cost there over what they cost in the run */
} hs__replay_place;

/** What would have been by another rule; moves cost what they were taken to cost, times charge.
 * @param[in] there  on another platform, from its first slices on; NULL: where it ran, from the slices recorded first
 * @return HS_OK; HS_ERR_UNSUPPORTED: the layout has no slices; HS_ERR_INFEASIBLE: there are no first slices; HS_ERR_NOMEM */
hs_status hs__replay_suppose(const hs__trace *trace, const hs__replay_place *there, const hs__decide_rule *rule,
                             double charge, hs__replay_outcome *outcome);

#endif
