/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HETEROSLICE_HS_MAPPING_H
#define HETEROSLICE_HS_MAPPING_H

/* A rank for each vertex of a communication graph, when the ranks are already on their hosts: heavy edges go inside
 * hosts and over good links. MPI_Cart_create and MPI_Dist_graph_create leave this to the library when reorder is true. */

#include <heteroslice/hs_platform.h>
#include <heteroslice/hs_status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { HS_MAPPING_HOSTS_MAX = 1024, HS_MAPPING_DIMENSIONS_MAX = 32 };

/** A directed graph with weights, in compressed rows. All arrays are the caller's. */
typedef struct hs_mapping_graph {
    int vertices;         /* >= 0 */
    const int64_t *first; /* [vertices + 1]: vertex v sends to to[first[v]] ... to[first[v + 1] - 1] */
    const int *to;        /* vertices; a vertex itself and repeated ones are allowed */
    const double *bytes;  /* as long as to: sent over each edge, >= 0 and finite; NULL: 1 each */
} hs_mapping_graph;

/** The ranks to map to. Zero is the default of every field but ranks and host. The size of the struct never changes:
 * later versions take new fields from `reserved`, where 0 is the default. */
typedef struct hs_mapping_params {
    int ranks;           /* at least as many as vertices */
    const int *host;     /* [ranks]: the platform's host of each; borrowed during the call */
    int keep_first;      /* not 0: vertex 0 stays with rank 0 */
    int64_t effort;      /* messages evaluated before the search ends; 0: HS_MAPPING_EFFORT */
    int64_t reserved[8]; /* all 0 */
} hs_mapping_params;

enum { HS_MAPPING_EFFORT = 20000000 }; /* of large problems; small ones take less */

/** What a mapping costs in the model. */
typedef struct hs_mapping_cost {
    double busiest; /* seconds: the longest that any link is busy, or any message takes alone */
    double total;   /* seconds: all links together */
} hs_mapping_cost;

/** Map a graph to ranks.
 *
 * Model:      all that one vertex sends to another is a message over the fixed route between their hosts; a SHARED link
 *             is busy for the sum of its messages divided by its bandwidth; a FATPIPE link slows each message alone;
 *             messages between ranks of one host cost nothing. A mapping is better when its busiest link is less busy
 *             and, where that is equal, when all links together are.
 * Source:     T. Hoefler and M. Snir, "Generic topology mapping strategies for large-scale parallel architectures", ICS
 *             2011, doi:10.1145/1995896.1995909 (greedy and recursive bisection, congestion as the goal).
 * Differs:    swaps by the loads of links, grids cut by their coordinates, hosts in ring order as one start.
 * Guarantee:  never worse than rank v for vertex v in this model; heuristic otherwise. Deterministic.
 * Cost:       O(hosts^2) routes, O(ranks^2) for the starts, then at most `effort` messages evaluated.
 *
 * @param[out] rank    array of length vertices: the rank of each vertex; all differ. Written on HS_OK and on
 *                     HS_UNCHANGED
 * @param[out] cost    of this mapping; may be NULL
 * @param[out] before  of rank v for vertex v; may be NULL
 * @return HS_OK; HS_UNCHANGED (nothing is better than rank v for vertex v, which is what `rank` says); HS_ERR_ARG;
 *         HS_ERR_UNSUPPORTED (too many hosts); HS_ERR_UNREACHABLE (hosts without a route between them); HS_ERR_NOMEM */
HS_API hs_status hs_mapping_graph_ranks(const hs_platform *platform, const hs_mapping_params *params,
                                        const hs_mapping_graph *graph, int *rank, hs_mapping_cost *cost,
                                        hs_mapping_cost *before, hs_error *error);

/** Map a Cartesian grid, each cell of which sends to both neighbours in every dimension. Vertices are its cells, the
 * last coordinate fastest, as MPI counts them.
 *
 * @param[in] extent    [dimensions], each >= 1; their product is the number of vertices
 * @param[in] periodic  [dimensions], not 0: the ends are neighbours
 * @param[in] bytes     [dimensions], sent to each neighbour along it; NULL: 1 each
 * @return as hs_mapping_graph_ranks() */
HS_API hs_status hs_mapping_grid_ranks(const hs_platform *platform, const hs_mapping_params *params, int dimensions,
                                       const int *extent, const int *periodic, const double *bytes, int *rank,
                                       hs_mapping_cost *cost, hs_mapping_cost *before, hs_error *error);

/** Check a mapping of a graph: all vertices have different ranks, and it costs what `cost` says.
 *
 * @return HS_OK; HS_ERR_INTERNAL with *error saying what is wrong; HS_ERR_UNREACHABLE; HS_ERR_NOMEM */
HS_API hs_status hs_mapping_check(const hs_platform *platform, const hs_mapping_params *params,
                                  const hs_mapping_graph *graph, const int *rank, hs_mapping_cost cost,
                                  hs_error *error);

#ifdef __cplusplus
}
#endif
#endif
