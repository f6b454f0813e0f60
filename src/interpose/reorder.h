/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_INTERPOSE_REORDER_H
#define HS_INTERPOSE_REORDER_H

/* What the generated wrappers do so that ranks can be in another order: before a call, what stands for MPI_COMM_WORLD
 * takes its place among the arguments; after a topology function that may reorder, its communicator is exchanged. */

#include "runtime/base/world_handle.h"

/** At the beginning and the end of the program's use of MPI. */
void hs__reorder_begin(int may_change_world);
void hs__reorder_end(void);

/** Attributes of the system stay with MPI_COMM_WORLD, those of the program go with what stands for it. */
MPI_Comm hs__world_with_key(MPI_Comm comm, int keyval);

/** Errors of calls without a communicator go to MPI_COMM_WORLD's handler, so it gets the same one. */
void hs__world_errhandler(MPI_Comm comm, MPI_Errhandler handler);

/** A topology function has made *comm. */
void hs__reorder_made(int reorder, MPI_Comm *comm);

/* The same by Fortran's addresses of integers. */

static inline void *hs__fortran_world_of(void *comm)
{
    return *(const MPI_Fint *)comm == hs__world.given ? &hs__world.taken : comm;
}

void *hs__fortran_world_with_key(void *comm, const void *keyval);
void hs__fortran_world_errhandler(const void *comm, const void *handler);
void hs__fortran_reorder_made(int calls_c, const void *reorder, void *comm);

#endif
