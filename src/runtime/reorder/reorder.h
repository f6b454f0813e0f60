/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_REORDER_H
#define HS_RUNTIME_REORDER_H

/* Communicators whose ranks are in an order that suits the network. */

#include <heteroslice/hs_mapping.h>
#include <mpi.h>

/** What there is to map: a grid or a graph, by rank of the communicator. Rank 0's counts. */
typedef struct hs__reorder_request {
    int dimensions;               /* of a grid; 0: a graph */
    const int *extent, *periodic; /* [dimensions] */
    hs_mapping_graph graph;
    int keep_first; /* rank 0 stays */
} hs__reorder_request;

/** Plan which rank is at which vertex. Collective over comm, which has as many ranks as there are vertices; rank 0 plans, from
 * HS_PLATFORM or from what is measured, once in a process, when the ranks are on several hosts.
 * @param[out] rank_of_vertex  array of comm's size: the rank of comm at each vertex; NULL: memory is out
 * @return 1 on all ranks when the order is another one; 0: it stays, and rank_of_vertex is not written */
int hs__reorder_plan(MPI_Comm comm, const hs__reorder_request *request, int *rank_of_vertex);

/** Whether each rank has one vertex. @return HS_OK; HS_ERR_INTERNAL with the defect in *error */
hs_status hs__reorder_check(const int *rank_of_vertex, int size, hs_error *error);

/** The vertex of a rank, of size; rank itself when it has none. */
int hs__reorder_place(const int *rank_of_vertex, int size, int rank);

/** A topology function of MPI was allowed to reorder and has just made *comm: exchange it for one with the same
 * topology whose ranks are in a better order, where there is one and HS_REORDER is not off. Collective over *comm. */
void hs__reorder_topology(MPI_Comm *comm);

/** Order the ranks of MPI_COMM_WORLD anew; rank 0 stays. Collective, once MPI is initialised. Who talks to whom is read
 * from HS_TRAFFIC, or is taken to be ranks with neighbouring numbers. Nothing changes in a process that was spawned,
 * whose parents know its ranks. */
void hs__reorder_world(void);

/** With HS_REORDER=off: whether a communicator may be planned for only to know what another order would bring. That is
 * done once in a run that has a platform file. */
int hs__reorder_advises(void);

/** Tell it, in a line, when another order would bring anything. */
void hs__reorder_tell(void);

/** Forget the platform. */
void hs__reorder_stop(void);

#endif
