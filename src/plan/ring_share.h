/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_RING_SHARE_H
#define HS_PLAN_RING_SHARE_H

/* Bandwidths for messages over given paths: one file a rule. */

#include "plan/ring_network.h"
#include "plan/ring_state.h"

/** Memory that the rules use again and again, so that a search allocates nothing. */
typedef struct hs__sharing hs__sharing;

hs_status hs__sharing_create(const hs__network *network, hs__sharing **sharing);
void hs__sharing_free(hs__sharing *sharing);

/** Max-min fair rates of n messages: O(links crossed * log(links)). */
hs_status hs__share_maxmin(hs__sharing *sharing, const hs__path *const *path, int n, double *rate);

/** The paper's analytical rule (4.2): rates of up to four new messages that minimise sum weight_f / rate_f within what
 * the others leave of each link (`residual`). rate is 0 where nothing is left. mask is scratch, one zeroed byte a link,
 * and zeroed again on return. */
void hs__share_four(const double *residual, unsigned char *mask, const hs__path *const *path, const double *weight,
                    int n, double *rate);

#endif
