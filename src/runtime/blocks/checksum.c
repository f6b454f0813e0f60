/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/blocks/blocks.h"
#include "runtime/session/transaction.h"
#include "util/assert.h"

/* Whether a row (column) of the matrices is within a rank's rectangle. */
static int within(const hs__block_partition *cut, int rank, hs_blocks_axis axis, int64_t index)
{
    const hs_blocks_rectangle *r = &cut->rectangle[rank];
    int64_t first = axis == HS_BLOCKS_ROWS ? r->first_row : r->first_column;
    int64_t count = axis == HS_BLOCKS_ROWS ? r->rows : r->columns;
    int64_t place = cut->place[axis][index];
    return place >= first && place < first + count;
}

uint64_t hs__matrix_checksum(const hs__matrix *matrix, int rank, const hs__block_partition *held, const void *data,
                             const hs__block_partition *kept)
{
    const hs_blocks_rectangle *mine = &held->rectangle[rank];
    size_t bytes = (size_t)(matrix->block_rows * matrix->element_bytes); /* of one column of a block */
    uint64_t sum = 0;
    HS_ASSERT(held->blocks == kept->blocks);
    for (int64_t j = 0; j < mine->columns * matrix->block_columns; j++) {
        int64_t column = held->index[HS_BLOCKS_COLUMNS][mine->first_column + j / matrix->block_columns];
        if (!within(kept, rank, HS_BLOCKS_COLUMNS, column))
            continue;
        for (int64_t i = 0; i < mine->rows; i++) {
            int64_t row = held->index[HS_BLOCKS_ROWS][mine->first_row + i];
            int64_t number = (column * matrix->block_columns + j % matrix->block_columns) * held->blocks + row;
            if (within(kept, rank, HS_BLOCKS_ROWS, row))
                sum += hs__checksum_row((uint64_t)number, (const char *)data + (size_t)(j * mine->rows + i) * bytes,
                                        bytes);
        }
    }
    return sum;
}
