/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_DECIDE_H
#define HS_RUNTIME_DECIDE_H

/* When to move slices, and where to. Pure arithmetic on what the ranks reported: no MPI, no clock, so that every rank
 * comes to the same decision and a test can replay any history.
 *
 * Model. Rank i needs cycle[i] seconds a unit; the step takes T = max(count[i] cycle[i] + comm[i]). cycle[i] is the
 * mean over a window that begins at the rank's last change of speed. A reading far from the mean is only suspected; a
 * second one in a row, on the same side, starts a new window with both: so a burst of one phase changes nothing, and a
 * lasting change is believed after two phases.
 *
 * Rule (ski rental). Each phase the old slices last costs their loss, (T - T_best) x iterations. Slices move once the
 * loss since the gain appeared reaches the cost of moving: whatever the speeds do next, at most twice the cost of
 * hindsight is paid. Gains within the noise of the readings do not count. A move that brought less than half of its
 * promise doubles the price of the next one, up to HS__DECIDE_MAX_CAUTION; one that kept it halves the price again. */

#include <heteroslice/hs_slices.h>
#include <heteroslice/hs_status.h>
#include <stdint.h>

enum { HS__DECIDE_MAX_CAUTION = 64, HS__DECIDE_JUDGE_PHASES = 2 };

typedef struct hs__decider hs__decider;

/** What does not change between phases. Arrays are of length ranks and are copied. */
typedef struct hs__decide_problem {
    int ranks;           /* p >= 1 */
    int64_t units;       /* N */
    int64_t minimum;     /* smallest slice that is not empty, >= 1 */
    hs_step_model model; /* how computing and communicating make a step */
    const double *cycle; /* first guess, seconds a unit, > 0; INFINITY: never takes units */
    const double *comm;  /* seconds a rank with units communicates in a step, >= 0 */
} hs__decide_problem;

/** One phase as the ranks reported it. */
typedef struct hs__decide_phase {
    int64_t iterations; /* >= 1 */
    const double
        *cycle; /* seconds a unit of ranks with units; of the others their present cycle over their first guess,
                   <= 0 when they do not know */
    const int64_t *count; /* the slices of the phase */
    double step;          /* wall-clock seconds an iteration took */
    double move_fixed;    /* seconds any move costs */
    double move_unit;     /* seconds more for each unit that the busiest rank sends and receives */
} hs__decide_phase;

hs_status hs__decider_create(const hs__decide_problem *problem, hs__decider **decider);
void hs__decider_free(hs__decider *decider);

/** Take in one phase and decide.
 * @param[out] count  the new slices, array of length ranks; written only on HS_OK
 * @return HS_OK: move; HS_UNCHANGED: stay; HS_ERR_NOMEM */
hs_status hs__decider_phase(hs__decider *decider, const hs__decide_phase *phase, int64_t *count);

/** 1 when a great change of speed waits to be confirmed: the next phase should be short. */
int hs__decider_hurries(const hs__decider *decider);

/** The present estimate of cycle[i], lent. */
const double *hs__decider_cycle(const hs__decider *decider);

/** Units that the busiest rank sends and receives when slices in rank order change from one cut to another. */
int64_t hs__moved_units_busiest(int ranks, const int64_t *from, const int64_t *to);

/** Units that change owner. */
int64_t hs__moved_units(int ranks, const int64_t *from, const int64_t *to);

#endif
