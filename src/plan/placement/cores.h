/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_PLACEMENT_CORES_H
#define HS_PLAN_PLACEMENT_CORES_H

/* Ranks of one host on unequal cores. */

#include <heteroslice/hs_status.h>
#include <stdint.h>

/** The processors that a rank may use. */
typedef struct hs__rank_cores {
    double capacity; /* how fast they are, in the mean; 0: not known */
    double quota;    /* that its control group may use at once; INFINITY: no limit */
    uint64_t group;  /* which group of its host */
} hs__rank_cores;

/** Divide the speeds of hosts anew among their ranks, by the cores that each may use.
 *
 * Model:      a rank computes with one thread, on a core of the mean capacity; ranks of a group share its quota equally.
 *             Where the capacities of a host are not all known they count as equal. What was said of the host, the mean
 *             of its ranks' speeds, stays.
 * Cost:       O(ranks), and O(ranks) more for each rank that has a quota.
 *
 * @param[in]     host   [ranks] >= 0
 * @param[in,out] speed  [ranks] changed only on HS_OK
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__rank_speeds_divide(int ranks, const int *host, const hs__rank_cores *cores, double *speed);

#endif
