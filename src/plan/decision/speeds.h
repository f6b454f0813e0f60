/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_DECISION_SPEEDS_H
#define HS_PLAN_DECISION_SPEEDS_H

/* Speeds by which a program that repartitions its data by itself gets targets: first those that were measured, then those that
 * its own phases show. A phase lies between two repartitionings.
 *
 * Model. Rank i computed seconds_i on a share of the units. What a phase did in all is not known, so only ratios count: cycle
 * times are divided by what they are, in the middle of the ranks, of those first guessed. The decider's rules say when they
 * are believed, and that new targets are worth it (see decide.h). */

#include <heteroslice/hs_status.h>

typedef struct hs__speeds hs__speeds;

/** @param[in] speed  first guess by rank, >= 0, of ranks > 0; 0: a rank that stays at 0; copied
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__speeds_create(int ranks, const double *speed, hs__speeds **speeds);
void hs__speeds_free(hs__speeds *speeds);

/** [ranks] The speeds at present, in the unit of the first guess; lent. */
const double *hs__speeds_now(const hs__speeds *speeds);

/** Take in a phase and decide. Phases that are too short for a steady reading count together with the next ones.
 * @param[in] share    [ranks] of the units that each rank had, in any unit, >= 0
 * @param[in] seconds  [ranks] that each rank computed, >= 0
 * @return HS_OK: the speeds have changed; HS_UNCHANGED; HS_ERR_NOMEM: they have not */
hs_status hs__speeds_phase(hs__speeds *speeds, const double *share, const double *seconds);

#endif
