/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_PLACEMENT_H
#define HS_PLAN_PLACEMENT_H

/* How many of n ranks with equal work go to each host. */

#include <heteroslice/hs_platform.h>
#include <heteroslice/hs_status.h>
#include <stdint.h>

/** A host as the placement sees it. */
typedef struct hs__placement_host {
    double speed;      /* of one core, work units a second; 0: takes no ranks */
    double cores;      /* > 0; a fraction where a quota is one */
    int64_t max_ranks; /* ranks that fit its memory, >= 0; INT64_MAX: no limit */
} hs__placement_host;

/** Seconds a host with k ranks needs for one unit of work of each: ranks on cores of their own run at full speed, more
 * ranks share the cores evenly. 0 for k = 0. */
double hs__placement_time(const hs__placement_host *host, int64_t k);

/** Choose the ranks of each host so that the slowest host finishes first.
 *
 * Guarantee:  *slowest is the exact minimum over all integer placements within the memory limits. Among equal hosts,
 *             one with a free core comes before one whose cores would be shared, then the lowest index.
 * Cost:       O((p + n) log p).
 * @param[in]  ranks    n >= 0
 * @param[out] count    array of length hosts; written only on HS_OK
 * @param[out] slowest  seconds; written only on HS_OK; may be NULL
 * @return HS_OK; HS_ERR_ARG; HS_ERR_INFEASIBLE (they do not fit the memory, or no host computes); HS_ERR_NOMEM */
hs_status hs__placement_counts(const hs__placement_host *host, int hosts, int64_t ranks, int64_t *count,
                               double *slowest);

/** Check a placement: every rank is on a host that computes and has room for it, and the slowest host takes `slowest`.
 * @return HS_OK; HS_ERR_INTERNAL with *error saying what is wrong */
hs_status hs__placement_check(const hs__placement_host *host, int hosts, int64_t ranks, const int64_t *count,
                              double slowest, hs_error *error);

/** Put the hosts that have ranks into the order of a ring over them (hs_ring_create()), so that neighbouring ranks are
 * on one host or on neighbouring ones; hosts the ring would leave out come last, lowest index first.
 *
 * @param[in]  node   the platform's host of each of the `hosts` hosts
 * @param[in]  halo   seconds a message to a neighbour takes over the slowest route between two of them, as part of a
 *                    step of 1 s: what links weigh against speed
 * @param[out] order  array of length hosts: indices of the n hosts with ranks; written only on HS_OK
 * @return HS_OK; as hs_ring_create() */
hs_status hs__placement_order(const hs_platform *platform, const int *node, const hs__placement_host *host,
                              const int64_t *count, int hosts, double halo, int *order, int *n, hs_error *error);

#endif
