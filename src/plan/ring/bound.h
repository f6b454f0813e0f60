/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_RING_BOUND_H
#define HS_PLAN_RING_BOUND_H

/* A certified lower bound on the step time of every ring, order, routing and sharing. */

#include "plan/ring/graph.h"

/** What no ring can get around; all arrays are [host]. */
typedef struct hs__limits {
    double *widest;  /* bytes/s: no message of this host is faster */
    double *out;     /* bytes/s: its two messages share this; INFINITY when nothing is known */
    double *both;    /* bytes/s: its two messages and the two to it share this */
    double *latency; /* seconds: no message of it takes less, 0 when latencies are ignored */
} hs__limits;

/** Hosts on different sides of a cut can only be in one ring if `messages` messages share `capacity`. */
typedef struct hs__ring_cut {
    double capacity; /* bytes/s */
    int messages;
    int *side; /* [host] the side it is on; owned */
} hs__ring_cut;

typedef struct hs__ring_cuts {
    hs__ring_cut *cut;
    size_t count, room;
    int *order;    /* hosts, each behind its parent in the cut tree; owned */
    int *tree;     /* [host] its parent in the cut tree; NULL: there is no tree; owned */
    double *value; /* [host] bytes/s that the four messages between it and its parent share at least; owned */
} hs__ring_cuts;

/** Add a cut; side is copied. */
hs_status hs__ring_cuts_add(hs__ring_cuts *cuts, double capacity, int messages, const int *side, int hosts);

/** Tighten limits by the links that all fixed routes from and to a host begin and end with.
 * Cost:       O(p + edges). */
hs_status hs__bound_ends(const hs__network *network, hs__limits *limits);

/** Tighten limits and add cuts by the fixed routes between hosts that can compute.
 * Cost:       O(l) for each route of l links asked for, a few a host where its cable limits it most, and all where what
 *             follows is narrower; and O(p^2) for every link, which is left out (no cuts) above 256 hosts. */
hs_status hs__bound_routes(hs__network *network, hs__limits *limits, hs__ring_cuts *cuts);

/** Fill limits and cuts from the graph: what leaves a host, and the cut tree of the hosts (Gusfield 1990). Valid for
 * fixed routes too.
 * Cost:       a maximum flow for each host, but for the hosts that are joined to one neighbour only one. */
hs_status hs__bound_graph(const hs__network *network, const hs__graph *graph, hs__limits *limits, hs__ring_cuts *cuts);

/** The bound.
 * @param[in]  graph  NULL when the platform has none
 * @param[in]  max_members  no ring may have more members
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__ring_bound(const hs_ring_params *params, hs__network *network, const hs__graph *graph, int max_members,
                         double *bound);

#endif
