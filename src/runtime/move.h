/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_MOVE_H
#define HS_RUNTIME_MOVE_H

#include "runtime/layout.h"

/** Units first <= u < end, global indices. */
typedef struct hs__range {
    int64_t first, end;
} hs__range;

/** What a rank is the source of under slices count[]: its units and, at a fixed edge, the boundary values behind them.
 */
hs__range hs__owned_range(const hs_layout *layout, const int64_t *count, int rank, int64_t halo);

/** What a rank needs under slices count[]: its units and their halos; empty without units. In a periodic layout the
 * range may reach below 0 or beyond the last unit: u stands for u modulo units. */
hs__range hs__needed_range(const int64_t *count, int rank, int64_t halo);

/** Move every array to slices count[], each unit straight from its old owner to its new one. Collective.
 * @return HS_OK: the layout, its first and the program's pointers are the new ones. HS_ERR_NOMEM, HS_ERR_MPI,
 * HS_ERR_TIMEOUT: all ranks are on the old slices */
hs_status hs__move(hs_layout *layout, const int64_t *count);

#endif
