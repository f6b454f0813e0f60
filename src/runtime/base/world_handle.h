/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_BASE_WORLD_HANDLE_H
#define HS_RUNTIME_BASE_WORLD_HANDLE_H

/* What a program means by MPI_COMM_WORLD: itself, or with HS_REORDER=world the same ranks in a better order. The
 * wrappers of src/interpose and the public functions replace the handle that they are given by it. */

#include "runtime/base/fortran_handles.h"
#include <heteroslice/hs_status.h>
#include <mpi.h>

/** The handles of the process; world_handle.c owns them. */
typedef struct hs__world_handles {
    MPI_Comm comm;         /* what stands for MPI_COMM_WORLD; itself at first */
    MPI_Comm replaced;     /* MPI_COMM_WORLD once another communicator stands for it, before no communicator's handle */
    MPI_Fint given, taken; /* the same as Fortran's integers: of MPI_COMM_WORLD, of what stands for it */
    int key;               /* attribute of what stands for MPI_COMM_WORLD, and of its duplicates */
} hs__world_handles;

extern hs__world_handles hs__world __attribute__((visibility("hidden")));

static inline MPI_Comm hs__world_of(MPI_Comm comm)
{
    return __builtin_expect(comm == hs__world.replaced, 0) ? hs__world.comm : comm;
}

/** The ranks that all of a group have in hs__world.comm, MPI_UNDEFINED for those that are not in it.
 * @param[out] world  [size of the group]
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__world_ranks(MPI_Group group, int *world);

/** The rank in hs__world.comm of a communicator's rank; -1: it is not in it. */
int hs__world_rank(MPI_Comm comm, int rank);

/** Whether all of a group are in MPI_COMM_WORLD, unlike processes that MPI has spawned. */
int hs__world_has(MPI_Group group);

/** Whether MPI has spawned this process. */
int hs__world_is_spawned(void);

/** Whether comm stands for MPI_COMM_WORLD, or is a duplicate of what does, and so on: it should have its attributes. */
int hs__world_is_source(MPI_Comm comm);

/** Let a communicator of the same processes stand for MPI_COMM_WORLD until MPI_Finalize, which frees it. */
void hs__world_replace(MPI_Comm ordered);

#endif
