/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/boxes/frame.h"
#include "util/array.h"
#include <limits.h>
#include <string.h>

/* The first own cell lies on a cache line, and so does the buffer. */
#define ALIGNMENT 64

hs__frame hs__frame_of(const hs_boxes_domain *domain, const hs_box *box)
{
    hs__frame frame = {.grown = hs__box_grown(domain, box, domain->halo)};
    int64_t stride = hs__box_cells(box) > 0;
    for (int d = HS__DIMS - 1; d >= 0; stride *= frame.grown.count[d--]) {
        frame.stride[d] = stride;
        frame.lead += (box->first[d] - frame.grown.first[d]) * stride;
    }
    return frame;
}

static size_t lead_bytes(const hs__frame *frame, int64_t cell_bytes)
{
    return ((size_t)(frame->lead * cell_bytes) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

hs_status hs__frame_allocate(const hs__frame *frame, int64_t cell_bytes, void **base, void **data)
{
    int64_t cells = hs__box_cells(&frame->grown), bytes;
    *base = *data = NULL;
    if (cells == 0)
        return HS_OK;
    if (__builtin_mul_overflow(cells, cell_bytes, &bytes) || bytes > INT64_MAX / 2)
        return HS_ERR_NOMEM;
    size_t lead = lead_bytes(frame, cell_bytes), size = lead + (size_t)(bytes - frame->lead * cell_bytes);
    if (!(*base = hs__array_aligned(size, ALIGNMENT)))
        return HS_ERR_NOMEM;
    memset(*base, 0, size);
    *data = (char *)*base + lead;
    return HS_OK;
}

void *hs__frame_base(const hs__frame *frame, int64_t cell_bytes, void *data)
{
    return data ? (char *)data - lead_bytes(frame, cell_bytes) : NULL;
}

char *hs__frame_cell(const hs__frame *frame, int64_t cell_bytes, void *data, const int64_t *cell)
{
    int64_t at = -frame->lead;
    for (int d = 0; d < HS__DIMS; d++)
        at += (cell[d] - frame->grown.first[d]) * frame->stride[d];
    return (char *)data + at * cell_bytes;
}

/* Whether a layer of the piece has no gaps in the frame. */
static int has_no_gaps(const hs__frame *frame, const hs_box *piece)
{
    return piece->count[2] == frame->stride[1];
}

hs_status hs__frame_layer(const hs__frame *frame, const hs_box *piece, int64_t cell_bytes, MPI_Datatype *type)
{
    MPI_Datatype cell = MPI_DATATYPE_NULL, layer = MPI_DATATYPE_NULL;
    int64_t rows = piece->count[1], cells = piece->count[2];
    hs_status status = HS_ERR_MPI;
    if (has_no_gaps(frame, piece) && rows <= INT_MAX / cells) {
        cells *= rows;
        rows = 1;
    }
    if (PMPI_Type_contiguous((int)cell_bytes, MPI_BYTE, &cell) == MPI_SUCCESS &&
        PMPI_Type_vector((int)rows, (int)cells, (int)frame->stride[1], cell, &layer) == MPI_SUCCESS &&
        PMPI_Type_create_resized(layer, 0, (MPI_Aint)(frame->stride[0] * cell_bytes), type) == MPI_SUCCESS &&
        PMPI_Type_commit(type) == MPI_SUCCESS)
        status = HS_OK;
    if (cell != MPI_DATATYPE_NULL)
        PMPI_Type_free(&cell);
    if (layer != MPI_DATATYPE_NULL)
        PMPI_Type_free(&layer);
    return status;
}

void hs__frame_copy(const hs__frame *from, void *source, const hs__frame *to, void *sink, const hs_box_piece *piece,
                    int64_t cell_bytes)
{
    const hs_box *cells = &piece->cells, owned = hs__piece_at_owner(piece);
    int whole = has_no_gaps(from, cells) && has_no_gaps(to, cells);
    int64_t rows = whole ? 1 : cells->count[1], row = whole ? cells->count[1] * cells->count[2] : cells->count[2];
    for (int64_t i = 0; i < cells->count[0]; i++)
        for (int64_t j = 0; j < rows; j++) {
            const int64_t there[] = {cells->first[0] + i, cells->first[1] + j, cells->first[2]};
            const int64_t here[] = {owned.first[0] + i, owned.first[1] + j, owned.first[2]};
            memcpy(hs__frame_cell(to, cell_bytes, sink, there), hs__frame_cell(from, cell_bytes, source, here),
                   (size_t)(row * cell_bytes));
        }
}
