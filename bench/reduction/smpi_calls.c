/* SPDX-License-Identifier: BSD-3-Clause */
/* Wrappers for simulated programs: SimGrid ignores preloading, so smpi.sh links these. HS_PLATFORM and HS_COLLECTIVES
 * have their usual meaning; a rank's host is the simulated one. */
#include "runtime/base/presence.h"
#include "runtime/base/world_handle.h"
#include "runtime/collectives/collectives.h"

hs__world_handles hs__world; /* as in world_handle.c, where MPI_COMM_WORLD is a constant */

/* All ranks are this program. */
int hs__presence_covers(MPI_Comm comm)
{
    return comm != MPI_COMM_NULL;
}

static const hs__collective_calls library = {PMPI_Reduce, PMPI_Allreduce, PMPI_Bcast};

int MPI_Init(int *argc, char ***argv)
{
    hs__options options;
    int code = PMPI_Init(argc, argv);
    hs__world.comm = MPI_COMM_WORLD;
    hs__options_read(&options, hs__options_environment, NULL, NULL, NULL);
    hs__collectives_start(&options, &library);
    return code;
}

int MPI_Finalize(void)
{
    hs__collectives_stop();
    return PMPI_Finalize();
}

int MPI_Reduce(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm)
{
    return hs__collective_reduce(from, to, n, type, op, root, comm);
}

int MPI_Allreduce(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    return hs__collective_allreduce(from, to, n, type, op, comm);
}

int MPI_Bcast(void *buffer, int n, MPI_Datatype type, int root, MPI_Comm comm)
{
    return hs__collective_bcast(buffer, n, type, root, comm);
}
