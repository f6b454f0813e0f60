/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_INTERPOSE_PARTITION_OWNERS_H
#define HS_INTERPOSE_PARTITION_OWNERS_H

/* Whose the parts of a call are.
 *
 * What is collective here talks over the communicator that it is given, so it may stand only where the partitioner itself is about
 * to make collective calls over that communicator, as ParMETIS, PT-Scotch and p4est do in their own: then the order of calls and
 * the threads that make them are as right for these as for the partitioner's. Messages of the program cannot match them, since
 * a collective call matches no message. Zoltan cuts over a duplicate, and so do the wrappers of it. */

#include "interpose/partition/measured.h"
#include "util/pool.h"
#include <heteroslice/hs_status.h>
#include <mpi.h>

/** Ranks in hs__world.comm, one a part, that own the parts of a call. */
typedef struct hs__owners {
    int parts;              /* 0: not known */
    int *world;             /* [parts]; belongs to the pool it was found with */
    hs__measured *measured; /* what their phases showed; NULL: nothing */
} hs__owners;

/** A communicator's ranks. @return HS_OK; HS_ERR_ARG, on all of its ranks: some are not known; HS_ERR_NOMEM */
hs_status hs__owners_find(MPI_Comm comm, hs__pool *pool, hs__owners *owners);

/** The program repartitions: end the owners' phase, which tells their speeds. Collective over comm where HS_ERR_ARG was not found.
 * @param[in] found  what hs__owners_find() returned on this rank */
void hs__owners_measure(MPI_Comm comm, hs_status found, hs__owners *owners);

/** Whether something is well on all ranks of a communicator; 0 where some of them are not known. Collective over comm. */
int hs__owners_agree(MPI_Comm comm, int ok);

#endif
