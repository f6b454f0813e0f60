/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HETEROSLICE_HS_COLLECTIVE_H
#define HETEROSLICE_HS_COLLECTIVE_H

/* Reductions, broadcasts, all-reduces and barriers on a platform: a tree, and pieces that follow each other through it.
 * One step beyond hs_reduction.h: a message takes latency + bytes / bandwidth of its own route, routes share links,
 * what arrives has to be combined, and long vectors are cut. */

#include <heteroslice/hs_platform.h>
#include <heteroslice/hs_status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hs_collective_kind {
    HS_COLLECTIVE_REDUCE,
    HS_COLLECTIVE_BROADCAST,
    HS_COLLECTIVE_ALLREDUCE,
    HS_COLLECTIVE_BARRIER /* an all-reduce of 0 bytes */
} hs_collective_kind;

typedef enum hs_collective_shape {
    HS_COLLECTIVE_TREE, /* towards the root, away from it, or both */
    HS_COLLECTIVE_RING  /* all-reduce: every rank's part goes around twice, first combined, then copied */
} hs_collective_shape;

/** What to plan. Start from hs_collective_params_init(). The size of the struct never changes: later versions take new
 * fields from `reserved`, where 0 is the default. */
typedef struct hs_collective_params {
    hs_collective_kind kind;
    double bytes;        /* of the vector, >= 0 */
    int ranks;           /* >= 1 */
    const int *host;     /* array of length ranks: the platform's host of each; borrowed during the call */
    int root;            /* a rank; -1: the best one */
    double combine;      /* seconds to combine a byte; default 0.2e-9 */
    double overhead;     /* seconds a message costs its sender besides the network; default 5e-6 */
    double least_piece;  /* bytes; vectors are not cut smaller; default 8192 */
    double local_rate;   /* bytes/s between ranks of one host; default 4e9 */
    int64_t reserved[8]; /* all 0 */
} hs_collective_params;

/** Set every field to its default; kind, bytes, ranks and host are the caller's. */
HS_API void hs_collective_params_init(hs_collective_params *params);

enum { HS_COLLECTIVE_HOSTS_MAX = 256 }; /* most different hosts */

/** A plan; freed with hs_collective_free(). */
typedef struct hs_collective hs_collective;

/** Plan a collective operation.
 *
 * Model:      a piece crosses its route in latency + bytes / bandwidth; each link carries bytes one after the other;
 *             both directions of a SHARED link share it. Ranks of one host first combine among themselves.
 * Source:     trees are grown earliest-completing edge first under a limit on the flows of a link, which for one piece
 *             gives slowest-node-first read backwards (reduction-schedule, sections 3 and 4) where times depend on the
 *             sender alone.
 * Differs:    routes, sharing, pieces; doc/algorithms/reduction.md.
 * Guarantee:  the best by predicted time of the trees tried, and hs_collective_lower_bound() says how far it can be
 *             off; deterministic.
 * Cost:       O(hosts^3) a tree, some dozens of trees.
 *
 * @param[out] plan  on HS_OK a new plan the caller frees with hs_collective_free(); else untouched
 * @return HS_OK; HS_ERR_ARG; HS_ERR_UNSUPPORTED (too many hosts); HS_ERR_UNREACHABLE (hosts without a route between
 *         them); HS_ERR_NOMEM */
HS_API hs_status hs_collective_create(const hs_platform *platform, const hs_collective_params *params,
                                      hs_collective **plan, hs_error *error);
HS_API void hs_collective_free(hs_collective *plan);

/** Check a plan: the ranks form one tree under the root, or one ring, and no time is below the lower bound.
 * @return HS_OK; HS_ERR_INTERNAL with *error saying what is wrong; HS_ERR_NOMEM */
HS_API hs_status hs_collective_check(const hs_collective_params *params, const hs_collective *plan, hs_error *error);

/** What a plan says. Local; the plan is one of hs_collective_create(). */
HS_API double hs_collective_time(const hs_collective *plan);        /* seconds, predicted */
HS_API double hs_collective_lower_bound(const hs_collective *plan); /* seconds: none can be faster in this model */
HS_API double hs_collective_piece(const hs_collective *plan);       /* bytes; the whole vector when it is not cut */
HS_API int hs_collective_root(const hs_collective *plan);           /* -1 for a ring */
HS_API hs_collective_shape hs_collective_shape_of(const hs_collective *plan);

/** TREE: the rank that each rank sends its partial result to and gets the result from, -1 for the root.
 * RING: the rank that each rank sends to. Borrowed, array of length ranks. */
HS_API const int *hs_collective_parent(const hs_collective *plan);

/** TREE: when each rank joined the tree, 0 for the root. A rank passes results on to its children by increasing place
 * and combines what it gets from them by decreasing place. RING: the place in it. Borrowed. */
HS_API const int *hs_collective_place(const hs_collective *plan);

/** TREE: how many pieces may be under way between each rank and its parent at a time: 2 where the edge limits the flow,
 * so that it never idles, and 1 where it is more than 1.5 times as fast as the slowest edge, so that what is under way
 * to fast neighbours leaves room for the slow ones. Borrowed. */
HS_API const int *hs_collective_window(const hs_collective *plan);

#ifdef __cplusplus
}
#endif
#endif
