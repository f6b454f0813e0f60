/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_RING_SHARE_H
#define HS_PLAN_RING_SHARE_H

/* Bandwidths for messages over given paths: one file a rule. */

#include "plan/ring/crossings.h"

/** Memory that the rules use again and again, so that a search allocates nothing. */
typedef struct hs__sharing {
    hs__crossings crossings; /* of the last set of messages shared */
    hs__filling filling;     /* max-min */
    double *multiplier; /* of the last optimal solution: Eq. 4, the pairs, then crossings.links prices; 1 = sum of the
                           multipliers of Eq. 4 and the pairs */
    size_t multiplier_room;
} hs__sharing;

hs_status hs__sharing_init(hs__sharing *sharing, const hs__network *network);
void hs__sharing_free(hs__sharing *sharing);

/** Max-min fair rates of n messages: O(links crossed * log(links)).
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__share_maxmin(hs__sharing *sharing, const hs__path *const *path, int n, double *rate);

/** A step whose bandwidths are to be chosen: T is the largest of
 *    fixed + sum over all messages of weight[f] / x_f                                       (Eq. 4)
 *    pair_fixed[k] + pair_weight / x_a + pair_weight / x_b, a = pair[2k], b = pair[2k + 1]  (D_k), for every pair */
typedef struct hs__share_task {
    int messages;
    const hs__path *const *path;
    double fixed;
    const double *weight;
    int pairs; /* 0: Eq. 4 alone is minimised */
    const int *pair;
    double pair_weight;
    const double *pair_fixed;
} hs__share_task;

/** The rates that minimise T, by an interior-point method, with a certificate: prices that prove that no rates give
 * less than *bound, *bound >= (1 - 1e-9) *value.
 *
 * rate must hold feasible positive rates to start from (max-min ones); it is untouched on failure.
 * Cost: O(n^3) for each of about 20 Newton steps, n messages.
 * @return HS_OK; HS_ERR_CONVERGENCE (no certificate); HS_ERR_NOMEM */
hs_status hs__share_optimal(hs__sharing *sharing, const hs__share_task *task, double *rate, double *value,
                            double *bound);

/** The same by KINSOL on the optimality system, as the paper does; no certificate.
 * @return HS_OK; HS_ERR_UNSUPPORTED (a build without KINSOL); HS_ERR_CONVERGENCE; HS_ERR_NOMEM */
hs_status hs__share_kinsol(hs__sharing *sharing, const hs__share_task *task, double *rate);

/** T of a task at given rates. */
double hs__share_value(const hs__share_task *task, const double *rate);

/** The paper's analytical rule (4.2): rates of the four new messages that minimise sum weight_f / rate_f within what
 * the others leave of each link (`residual`); all 0 when some path has nothing left. mask is scratch, one zeroed byte a
 * link, and zeroed again on return. */
void hs__share_closed_form(const double *residual, unsigned char *mask, const hs__path *const *path,
                           const double *weight, double *rate);

#endif
