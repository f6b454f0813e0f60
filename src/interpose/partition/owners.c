/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/partition/owners.h"
#include "runtime/base/backoff.h"
#include "runtime/base/world_handle.h"
#include "util/assert.h"

/* Needs no memory of this library, so that all ranks come to the same answer. */
static int are_known(MPI_Comm comm)
{
    MPI_Group group;
    int inter = 1;
    if (comm == MPI_COMM_NULL)
        return 0;
    PMPI_Comm_test_inter(comm, &inter);
    if (inter)
        return 0;
    PMPI_Comm_group(comm, &group);
    int known = hs__world_has(group);
    PMPI_Group_free(&group);
    return known;
}

hs_status hs__owners_find(MPI_Comm comm, hs__pool *pool, hs__owners *owners)
{
    MPI_Group group;
    int size;
    *owners = (hs__owners){0};
    comm = hs__world_of(comm);
    if (!are_known(comm))
        return HS_ERR_ARG;
    PMPI_Comm_size(comm, &size);
    owners->world = hs__pool_new(pool, (size_t)size, sizeof *owners->world);
    if (!owners->world)
        return HS_ERR_NOMEM;
    PMPI_Comm_group(comm, &group);
    hs_status status = hs__world_ranks(group, owners->world);
    PMPI_Group_free(&group);
    for (int r = 0; status == HS_OK && r < size; r++)
        HS_ASSERT(owners->world[r] >= 0);
    owners->parts = status == HS_OK ? size : 0;
    return status;
}

void hs__owners_measure(MPI_Comm comm, hs_status found, hs__owners *owners)
{
    if (found != HS_ERR_ARG)
        owners->measured = hs__measured_update(hs__world_of(comm), found == HS_OK ? owners->world : NULL);
}

int hs__owners_agree(MPI_Comm comm, int ok)
{
    comm = hs__world_of(comm);
    return are_known(comm) && hs__all_ok(comm, ok);
}
