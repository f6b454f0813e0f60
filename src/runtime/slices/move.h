/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_SLICES_MOVE_H
#define HS_RUNTIME_SLICES_MOVE_H

#include "runtime/slices/layout.h"

/** Move every array to slices count[], each unit straight from its old owner to its new one. Collective.
 * @return HS_OK: the layout, its first and the program's pointers are the new ones. HS_ERR_NOMEM, HS_ERR_MPI,
 *         HS_ERR_TIMEOUT, HS_ERR_INTERNAL: all ranks are on the old slices, whose contents are what they were; but where
 *         params.move_memory is below 1 a failure other than HS_ERR_NOMEM may have lost what had left a rank */
hs_status hs__move(hs_layout *layout, const int64_t *count);

#endif
