/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_BINDING_H
#define HS_PLAN_BINDING_H

/* Which cores of a node each of its ranks is bound to, where ranks have unequal work or cores are of unequal kinds. A
 * binding is an array [ranks * cores] of 0 and 1: whether rank r may run on core c. */

#include <heteroslice/hs_status.h>

/** A node and its ranks. */
typedef struct hs__binding_node {
    int ranks, cores;   /* >= 1 */
    const double *work; /* [ranks], >= 0: seconds a step takes on one core of speed 1, all threads together; borrowed */
    const int *width;   /* [ranks], >= 1: cores a rank can use at once; NULL: one each; borrowed */
    const double *speed; /* [cores], > 0; borrowed */
    const char *allowed; /* [ranks * cores]: where a rank may be bound, one core at least; borrowed */
} hs__binding_node;

/** Seconds a step takes under a binding.
 *
 * Model:  all ranks begin together; the step ends with the last. The unfinished threads on a core share its time
 *         evenly. A rank with more cores than threads spends width / cores of a thread on each core, as under a
 *         scheduler that ignores speeds and loads; one with no more cores than threads is as fast as its slowest
 *         core.
 * Cost:   O(ranks^2 cores).
 * @param[in]  set   [ranks * cores], one core at least for each rank
 * @param[out] time  seconds, finite
 * @return HS_OK; HS_ERR_ARG; HS_ERR_NOMEM */
hs_status hs__binding_time(const hs__binding_node *node, const char *set, double *time);

/** Bind so that the slowest rank finishes first.
 *
 * With no more ranks than cores every rank gets cores of its own: one, and while cores are left, ranks that can use
 * more get them where the most work a core is. With more ranks, or where `allowed` leaves no core to some, each gets
 * one core, which some share, so that the largest sum of work / speed of a core is least.
 *
 * Guarantee:  own cores: the exact minimum of the largest work / (cores speed) for these numbers of cores (which are
 *             the best ones where all cores are alike). Shared cores: the exact minimum when the search ends within its
 *             bound, always so up to 8 ranks on 4 cores; else no worse than giving the largest work first to the core
 *             that ends first. Never slower than `now` by hs__binding_time(). Deterministic: a rank bound to as many
 *             cores as it gets keeps them where that is as good, then faster cores come first, then the lowest index.
 * Cost:       O(cores^3 log cores) for own cores; a million looks at a core for shared ones.
 * @param[in]  now   the present binding
 * @param[out] set   [ranks * cores], written only on HS_OK
 * @param[out] time_now, time_set  seconds of a step; written on HS_OK and HS_UNCHANGED
 * @return HS_OK; HS_UNCHANGED (nothing better than now); HS_ERR_ARG; HS_ERR_NOMEM */
hs_status hs__binding_plan(const hs__binding_node *node, const char *now, char *set, double *time_now,
                           double *time_set);

/** Check a binding: every rank is bound to a core, and only to cores it may run on.
 * @return HS_OK; HS_ERR_INTERNAL with *error saying what is wrong */
hs_status hs__binding_check(const hs__binding_node *node, const char *set, hs_error *error);

/** Give every rank count[r] cores of its own; set[] was zero.
 * @return HS_OK; HS_UNCHANGED (there are not enough); HS_ERR_NOMEM */
hs_status hs__binding_match(const hs__binding_node *node, const int *count, const char *now, char *set);

/** Give every rank one core, shared where they do not suffice; set[] was zero. @return HS_OK; HS_ERR_NOMEM */
hs_status hs__binding_share(const hs__binding_node *node, const char *now, char *set);

/** Whether a rank is bound to exactly n cores. */
int hs__binding_has(const hs__binding_node *node, const char *set, int rank, int n);

/** The ranks, most work first, then lowest index. order: [ranks] */
void hs__binding_order(const hs__binding_node *node, const int *count, int *order);

#endif
