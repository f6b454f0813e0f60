/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_RING_ORDER_H
#define HS_PLAN_RING_ORDER_H

/* The order in which the planner numbers hosts, routers and links, so that no choice or rounding depends on the order
 * in which the platform lists them. */

#include "util/pool.h"
#include <heteroslice/hs_platform.h>

typedef struct hs__ring_order {
    int *node, *link;             /* [place] its number on the platform; hosts come before routers */
    int *node_place, *link_place; /* [number on the platform] its place */
    hs__pool pool;
} hs__ring_order;

/** Make the order: hosts by speed, the fastest first; links by sharing, bandwidth, the widest first, and latency; all
 * of them then by where they are in the graph, when the platform gives one, and in the end by their ids.
 *
 * Positions in the graph are compared by ten rounds of colour refinement (Weisfeiler and Leman 1968), so ids only
 * decide among those that look alike from there.
 * Cost:       O(arcs + n log(n)), n hosts, routers and links.
 * @param[in] speed  work units/s of each host, by the platform's numbers; borrowed during the call
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__ring_order_init(hs__ring_order *order, const hs_platform *platform, const double *speed);
void hs__ring_order_free(hs__ring_order *order);

#endif
