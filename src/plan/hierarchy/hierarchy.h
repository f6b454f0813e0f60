/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_HIERARCHY_H
#define HS_PLAN_HIERARCHY_H

/* Hosts on unequal links, as partitioners take them that map onto an architecture: distances, and nested domains of parts
 * that are near each other. */

#include <heteroslice/hs_platform.h>
#include <heteroslice/hs_status.h>

enum {
    HS__DISTANCE_MAX = 128,       /* links that are slower still are avoided no more */
    HS__DISTANCE_HOSTS_MAX = 256, /* every pair has a route */
    HS__DOMAIN_LEVELS_MAX = 11,   /* tables of all pairs of domains have to fit into memory */
    HS__DOMAIN_LEVELS_ADDED = 2,  /* to those of a balanced tree, for groups of unequal sizes */
};

/** Find how far hosts are from each other.
 *
 * Model:      every host sends to every other one at once over the fixed routes, which share links max-min fairly. A
 *             distance is the rate of the fastest pair by that of the slower direction of this pair, rounded to a power
 *             of 2, since rates are measured. A host is as far from itself as the fastest pair is.
 * Cost:       O(hosts^2) routes, and their max-min rates.
 *
 * @param[in]  node      [hosts] the platform's host of each, all different
 * @param[in]  hosts     0 to HS__DISTANCE_HOSTS_MAX
 * @param[out] distance  [hosts * hosts] 1, 2, 4 ... HS__DISTANCE_MAX, symmetric; written only on HS_OK
 * @return HS_OK; HS_UNCHANGED: all are 1; HS_ERR_UNSUPPORTED: more hosts; HS_ERR_UNREACHABLE; HS_ERR_NOMEM */
hs_status hs__distances_find(const hs_platform *platform, const int *node, int hosts, unsigned char *distance);

/** Parts of a mesh, their weights, and the hosts they go to. All borrowed. */
typedef struct hs__domain_parts {
    int parts;            /* >= 1 */
    const double *weight; /* [parts] >= 0 and finite */
    const int *host;      /* [parts] row of distance */
    int hosts;
    const unsigned char *distance; /* [hosts * hosts] of hs__distances_find() */
} hs__domain_parts;

/** Number domains as a binary tree does that lies in an array: 1 is the whole, and domain d is made of 2 d and 2 d + 1.
 *
 * Parts of one host, and hosts that are near each other, share the smallest domains: each is cut where its sides are farthest
 * apart in the sense of single linkage, and among such cuts where the weights of both sides differ least.
 * Source:     single linkage in the order in which R. C. Prim, "Shortest connection networks and some generalizations", Bell
 *             System Technical Journal 36 (1957), adds vertices: there the clusters of every threshold are contiguous.
 * Guarantee:  deterministic; at most HS__DOMAIN_LEVELS_ADDED levels more than a balanced tree.
 * Cost:       O(parts^2).
 *
 * @param[out] domain  [parts] that of each part alone, below 2^(HS__DOMAIN_LEVELS_MAX + 1); written only on HS_OK
 * @return HS_OK; HS_ERR_UNSUPPORTED: more than 2^HS__DOMAIN_LEVELS_MAX parts; HS_ERR_NOMEM */
hs_status hs__domains_find(const hs__domain_parts *of, int *domain);

#endif
