/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_COLLECTIVE_H
#define HS_PLAN_COLLECTIVE_H

/* What the planners of collective operations share. */

#include "util/pool.h"
#include <heteroslice/hs_collective.h>
#include <stddef.h>

/** The routes between the hosts that take part, by their own numbers 0 .. hosts-1. */
typedef struct hs__routes {
    int hosts, links;
    double *capacity;  /* [links], bytes/s */
    double *latency;   /* [hosts * hosts], from * hosts + to */
    double *bandwidth; /* likewise, of one flow alone */
    int *first;        /* [hosts * hosts + 1] */
    int *link;         /* the shared links from -> to are link[first[from * hosts + to] ...]; owned */
    double overhead, combine;
    hs__pool pool; /* of the arrays except link */
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

/** Seconds that the operation takes on this tree with the vector cut into pieces.
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__collective_tree_time(const hs__routes *network, hs_collective_kind kind, const hs__collective_tree *tree,
                                   double bytes, double piece, double *time);

/** Order hosts in a ring, nearest neighbour first, and predict the all-reduce over it. `order` is [hosts].
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__ring_time(const hs__routes *network, double bytes, int *order, double *time);

/** The hosts that take part, in the order of their first rank. */
typedef struct hs__participants {
    int hosts;
    int *host;   /* [hosts] of the platform */
    int *index;  /* [ranks]: the rank's host among them */
    int *leader; /* [hosts]: the rank that stands for its host; the root leads its own */
    hs__pool pool;
} hs__participants;

/** The best tree or ring so far, and the one on trial. */
typedef struct hs__collective_choice {
    double time, piece;
    hs_collective_shape shape;
    hs__collective_tree best, trial; /* arrays are the caller's; a ring is the order of its tree */
} hs__collective_choice;

/** Choose root, tree or ring, and piece by the predicted time.
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__collective_choose(const hs__routes *network, const hs_collective_params *params,
                                const hs__participants *who, hs__collective_choice *choice);

/** A plan without a tree. @return NULL when memory is out */
hs_collective *hs__collective_new(int ranks, double lower_bound);

/** Fill the plan from the choice: the ranks of a host join its leader.
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__collective_fill(hs_collective *plan, const hs__routes *network, const hs_collective_params *params,
                              const hs__participants *who, const hs__collective_choice *choice);

/** What no schedule can beat: each host's vector through its best route. Without a root, from whichever is best. */
double hs__collective_bound(const hs__routes *network, hs_collective_kind kind, int root, double bytes);

#endif
