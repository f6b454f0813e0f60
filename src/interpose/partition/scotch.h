/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_INTERPOSE_PARTITION_SCOTCH_H
#define HS_INTERPOSE_PARTITION_SCOTCH_H

/* Scotch's numbers and graphs. SCOTCH_Num has 32 or 64 bits, as SCOTCH_numSizeof() says. One that is passed by value is taken
 * as 64 bits: it comes in a register, of which the upper half means nothing where it has 32. */

#include "interpose/partition/integers.h"
#include "interpose/partition/lookup.h"
#include "interpose/partition/owners.h"
#include "util/pool.h"
#include <mpi.h>
#include <stdint.h>

/** Whether SCOTCH_Num has 64 bits in the Scotch that a function belongs to; -1: not known. */
int hs__scotch_wide(hs__foreign_function beside);

/** A graph, or this rank's vertices of a distributed one. The arrays are Scotch's, of SCOTCH_Num. */
typedef struct hs__scotch_graph {
    int wide;
    int64_t first, n; /* the number of the first vertex, 0 or 1; the vertices */
    int64_t all;      /* the vertices on all ranks */
    const void *load; /* [n] NULL: each vertex counts one */
    const void *start,
        *end;           /* [n] of each vertex's edges in to[], by numbers that begin with first; NULL: distributed */
    const void *to;     /* the vertices that edges lead to; each edge is there in both directions */
    const void *weight; /* of edges, as to[]; NULL: each counts one */
} hs__scotch_graph;

/** Ask Scotch for a graph. @return 0 where the library has no function for it */
int hs__scotch_ask(hs__foreign_function beside, const void *graph, hs__scotch_graph *g);
int hs__scotch_ask_distributed(hs__foreign_function beside, const void *graph, hs__scotch_graph *g, MPI_Comm *comm);

/** Whether the thread is in a function of Scotch that partitions: what that calls itself is left alone. */
int hs__scotch_is_inside(void);

/** The ranks of the distributed graph that the thread has used last, of 0 parts where they are not known; NULL: there is none. */
const hs__owners *hs__scotch_owners(void);

/** How many vertices that graph has on all ranks; a thousand a part while that is not known. */
double hs__scotch_vertices(hs__foreign_function beside, int parts);

/** Whether this is that graph. */
int hs__scotch_is_last(const void *graph);

/** A distributed graph is built or cut: its owners' phase ends. Collective over the graph's communicator. */
void hs__scotch_measure(hs__foreign_function beside, const void *graph);

/** Whether something is well on all ranks of a distributed graph, which is that graph. Collective over its communicator. */
int hs__scotch_agree(const void *graph, int ok);

/** Weights of a complete graph, of SCOTCH_Num, by shares that add up to 1.
 * @param[in] vertices  of the distributed graph that is cut; INFINITY: it is not distributed, and any precision will do
 * @return [parts]; NULL: memory is out */
void *hs__scotch_weights(hs__pool *pool, const double *share, int parts, double vertices, int wide);

/** An architecture with the shares as weights, and distances between the hosts of the owners.
 * @param[in] graph  that it is for; not distributed: PT-Scotch maps onto complete graphs only
 * @param[in] world  [parts] the owners, in hs__world.comm
 * @return hs__scotch_arch_free() frees it; NULL: links are equal or not known, or it cannot be made */
void *hs__scotch_arch_new(hs__foreign_function beside, const void *graph, const double *share, int parts,
                          const int *world);
void hs__scotch_arch_free(hs__foreign_function beside, void *arch);

/** The load in each part. @param part  [n] of SCOTCH_Num @return [parts]; NULL: memory is out */
double *hs__scotch_reached(hs__pool *pool, const hs__scotch_graph *g, const void *part, int parts);

/** The weight of all edges, each in both directions. Cost O(edges) where they have weights, else O(n). */
int64_t hs__scotch_edges(const hs__scotch_graph *g);

/** The weight of the edges between parts; -1 for a distributed graph, whose other ends are elsewhere. Cost O(edges). */
int64_t hs__scotch_edges_cut(const hs__scotch_graph *g, const void *part);

#endif
