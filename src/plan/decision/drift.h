/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_DECISION_DRIFT_H
#define HS_PLAN_DECISION_DRIFT_H

/* Which of them drifts: a host or the messages. From what phases report anyway; pure, the same on all ranks.
 *
 * Model. Each rank's seconds a unit are a series of readings, one a phase, and so are the seconds of a step that
 * computing does not explain: the part of the messages that it does not hide. Where a rank's messages take D_i as the
 * bandwidths promise that is the least of (T - c_i) / D_i over the ranks with units: what the rank on which a step depends
 * computed in that phase is no noise then. A series is its level plus noise. A host that slows raises the series of its
 * rank; a link that slows raises that of the messages and no rank's. When all ranks with units change together, the
 * work did, and nobody drifts.
 *
 * Source:  Page, "Continuous inspection schemes", Biometrika 41, 1954: cumulated sums of what exceeds the level, here by
 * more than one standard deviation, above and below. A change is believed when a sum reaches a limit, and began where the
 * sum was 0 last.  Differs: level and noise are estimated from the readings before; an excess is cut off, so that it takes
 * at least three phases, and one wild phase changes nothing; hosts have the first word, since a slow one may change what
 * messages show. bench/decision/drifts measures how soon and how surely. */

#include "util/pool.h"
#include <heteroslice/hs_status.h>
#include <stdint.h>

struct hs__decide_phase; /* decide.h */

/** What exceeds the level in one direction. */
typedef struct hs__excess {
    double sum;         /* standard deviations */
    double seconds;     /* of readings since the sum was 0, without the first of them */
    int64_t readings;   /* since then */
    int64_t iterations; /* likewise */
} hs__excess;

/** A series of readings. All zero: none so far. */
typedef struct hs__level {
    int64_t readings; /* in the mean */
    double mean;
    double last;          /* the reading before */
    double variance;      /* half the mean square of what neighbouring readings differ by */
    int64_t differences;  /* in it */
    hs__excess excess[2]; /* above, below */
} hs__level;

typedef enum hs__drift_kind { HS__DRIFT_NONE, HS__DRIFT_HOST, HS__DRIFT_MESSAGES } hs__drift_kind;

/** A lasting change. */
typedef struct hs__drift {
    hs__drift_kind kind;
    int rank;             /* of a host; 0 of messages */
    double before, after; /* seconds a unit (of weight) of the host; seconds of a step beside computing */
    int64_t iterations;   /* since it began, up to the end of the last phase */
} hs__drift;

/** What is known of all ranks and of messages. */
typedef struct hs__drifts {
    int ranks;
    hs__level *rank; /* [ranks] */
    hs__level messages;
    int64_t *units; /* [ranks] of the phase before: other slices have other steps */
    hs__pool pool;  /* has the arrays */
} hs__drifts;

/** Take in a reading of a series, of a phase of so many iterations.
 * @param[in] least  a standard deviation is not below that, > 0 */
void hs__level_add(hs__level *level, int64_t iterations, double reading, double least);

/** Whether the readings have left their level; if so *drift gets before, after and iterations. */
int hs__level_left(const hs__level *level, hs__drift *drift);

/** @return HS_OK; HS_ERR_NOMEM: with nothing in it */
hs_status hs__drifts_start(hs__drifts *drifts, int ranks);
void hs__drifts_end(hs__drifts *drifts);

/** What a unit is has changed: nothing of before can be compared. */
void hs__drifts_forget(hs__drifts *drifts);

/** Bandwidths promise something else from now on. */
void hs__drifts_replan(hs__drifts *drifts);

/** Take in a phase: its iterations, cycle, units, load, comm and step.
 * @return what was found to drift, HS__DRIFT_NONE mostly */
hs__drift hs__drifts_phase(hs__drifts *drifts, const struct hs__decide_phase *phase);

#endif
