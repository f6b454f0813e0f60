/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_BOXES_FRAME_H
#define HS_RUNTIME_BOXES_FRAME_H

/* Buffers of a box and its halo, the last dimension fastest. Pointers to a buffer are those of its first own cell. */

#include "plan/boxes/geometry.h"
#include <mpi.h>

/** How a box lies in memory. */
typedef struct hs__frame {
    hs_box grown;             /* the cells that a buffer holds */
    int64_t stride[HS__DIMS]; /* cells from one index to the next; 0 without cells */
    int64_t lead;             /* cells before the first own one */
} hs__frame;

hs__frame hs__frame_of(const hs_boxes_domain *domain, const hs_box *box);

/** Allocate a buffer, zeroed; both are NULL when the frame has no cells. *base is what free() takes.
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__frame_allocate(const hs__frame *frame, int64_t cell_bytes, void **base, void **data);

/** What free() takes; NULL for NULL. */
void *hs__frame_base(const hs__frame *frame, int64_t cell_bytes, void *data);

/** The cell of these indices in the domain. */
char *hs__frame_cell(const hs__frame *frame, int64_t cell_bytes, void *data, const int64_t *cell);

/** One layer of a piece: its cells with one index of dimension 0, from the first of them on, with the extent of a layer of
 * the frame. @return HS_OK; HS_ERR_MPI */
hs_status hs__frame_layer(const hs__frame *frame, const hs_box *piece, int64_t cell_bytes, MPI_Datatype *type);

/** Copy a piece from its owner's buffer to where it is halo: across a periodic border the cells' indices differ. */
void hs__frame_copy(const hs__frame *from, void *source, const hs__frame *to, void *sink, const hs_box_piece *piece,
                    int64_t cell_bytes);

#endif
