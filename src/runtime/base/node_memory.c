/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/base/node_memory.h"
#include <string.h>

hs_status hs__node_memory_get(MPI_Comm node, size_t bytes, MPI_Win *window, void **base)
{
    int rank, unit;
    MPI_Aint size = (MPI_Aint)bytes;
    void *mine;
    PMPI_Comm_rank(node, &rank);
    if (PMPI_Win_allocate_shared(rank == 0 ? size : 0, 1, MPI_INFO_NULL, node, &mine, window) != MPI_SUCCESS ||
        PMPI_Win_shared_query(*window, 0, &size, &unit, base) != MPI_SUCCESS)
        return HS_ERR_MPI;
    if (rank == 0)
        memset(*base, 0, (size_t)size);
    return PMPI_Barrier(node) == MPI_SUCCESS ? HS_OK : HS_ERR_MPI;
}
