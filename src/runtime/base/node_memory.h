/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_BASE_NODE_MEMORY_H
#define HS_RUNTIME_BASE_NODE_MEMORY_H

/* Memory that the ranks of a node share, for what they tell each other without messages. */

#include <heteroslice/hs_status.h>
#include <mpi.h>
#include <stddef.h>

/** Get zeroed memory that all ranks of a node see. Collective over node, whose error handler returns.
 * @param[in] bytes  the same on all ranks
 * @param[out] base  written only on HS_OK; ended by hs__node_memory_free()
 * @return HS_OK; HS_ERR_NOMEM: the same on all ranks */
hs_status hs__node_memory_get(MPI_Comm node, size_t bytes, void **base);

/** Local: the others keep theirs. NULL is fine. */
void hs__node_memory_free(void *base, size_t bytes);

#endif
