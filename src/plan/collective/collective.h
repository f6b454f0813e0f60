/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_COLLECTIVE_H
#define HS_PLAN_COLLECTIVE_H

/* What the planners of collective operations share. */

#include <heteroslice/hs_collective.h>
#include <stddef.h>

/** The routes between the hosts that take part, by their own numbers 0 .. hosts-1. */
typedef struct hs__routes {
    int hosts, links;
    double *capacity;  /* [links], bytes/s; INFINITY for a link that does not slow flows down together; owned */
    double *latency;   /* [hosts * hosts], from * hosts + to; owned */
    double *bandwidth; /* likewise, of one flow alone; owned */
    int *first;        /* [hosts * hosts + 1]; owned */
    int *link;         /* route from -> to is link[first[from * hosts + to] ...]; owned */
    double overhead, combine;
} hs__routes;

hs_status hs__routes_init(hs__routes *network, const hs_platform *platform, const int *host, int hosts,
                          const hs_collective_params *params, hs_error *error);
void hs__routes_free(hs__routes *network);

/** A tree over the hosts. */
typedef struct hs__collective_tree {
    int *parent; /* [hosts], -1 for the root */
    int *order;  /* [hosts], as they joined, the root first */
} hs__collective_tree;

/** Grow a tree from `root` for pieces of `piece` bytes, earliest-completing edge first. With rate > 0 no link carries
 * more flows of this rate than it can. Arrays are the caller's.
 * @return HS_OK; HS_ERR_INFEASIBLE (the rate is too high); HS_ERR_NOMEM */
hs_status hs__collective_tree_grow(const hs__routes *network, hs_collective_kind kind, int root, double piece,
                                   double rate, hs__collective_tree *tree);

/** Seconds that the operation takes on this tree with the vector cut into pieces. INFINITY when memory is out. */
double hs__collective_tree_time(const hs__routes *network, hs_collective_kind kind, const hs__collective_tree *tree,
                                double bytes, double piece);

/** Order hosts in a ring, nearest neighbour first, and predict the all-reduce over it. `order` is [hosts]. */
double hs__ring_time(const hs__routes *network, double bytes, int *order);

/** What no schedule can beat: each host's vector through its best route. */
double hs__collective_bound(const hs__routes *network, hs_collective_kind kind, int root, double bytes);

#endif
