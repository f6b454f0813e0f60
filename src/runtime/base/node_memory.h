/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_BASE_NODE_MEMORY_H
#define HS_RUNTIME_BASE_NODE_MEMORY_H

/* Memory that the ranks of a node share, for what they tell each other without messages. */

#include <heteroslice/hs_status.h>
#include <mpi.h>
#include <stddef.h>

/** Get zeroed memory that all ranks of a node see. Collective over node, whose error handler returns.
 * @param[in] bytes    rank 0's counts
 * @param[out] window  the caller frees it with PMPI_Win_free(), which is collective; also after an error, unless it is
 *                     MPI_WIN_NULL still
 * @param[out] base    lives as long as the window
 * @return HS_OK; HS_ERR_MPI */
hs_status hs__node_memory_get(MPI_Comm node, size_t bytes, MPI_Win *window, void **base);

#endif
