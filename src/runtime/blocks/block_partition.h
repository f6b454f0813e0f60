/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_BLOCKS_BLOCK_PARTITION_H
#define HS_RUNTIME_BLOCKS_BLOCK_PARTITION_H

/* How N x N blocks are cut into one rectangle a rank, in columns, and which row and column of the matrices lies at each
 * place. Pure arithmetic, the same on every rank. */

#include "util/pool.h"
#include <heteroslice/hs_blocks.h>

/** All ranks stand in the columns: rectangles without rows or columns are kept, so that they can grow. */
typedef struct hs__block_partition {
    int ranks, columns;
    int64_t blocks;                 /* N */
    hs__pool pool;                  /* of all arrays */
    int *first, *host;              /* as in hs_column_layout */
    int64_t *width, *height;        /* of a column; of the place of host[k] */
    hs_blocks_rectangle *rectangle; /* by rank */
    int64_t *index[2], *place[2];   /* by hs_blocks_axis: index[place], place[index] */
} hs__block_partition;

/** Cut like the layout; ranks that it does not name are put at the bottom of the columns with the fewest ranks.
 * @param[out] error  on HS_ERR_ARG what is wrong with the layout
 * @return HS_OK; HS_ERR_ARG; HS_ERR_NOMEM */
hs_status hs__block_partition_create(int ranks, int64_t blocks, const hs_column_layout *layout,
                                     hs__block_partition **cut, hs_error *error);

/** Cut for speeds (by rank) as hs_columns_create() does. @return as that */
hs_status hs__block_partition_for_speeds(int ranks, int64_t blocks, const double *speed,
                                         const hs_columns_params *params, hs__block_partition **cut, hs_error *error);

/** @return NULL when memory is out */
hs__block_partition *hs__block_partition_copy(const hs__block_partition *cut);
void hs__block_partition_free(hs__block_partition *cut);

/** The same cut as the planners take it; the arrays are lent. */
hs_column_layout hs__block_partition_layout(const hs__block_partition *cut);

/** Carry out one operation of a plan made for this cut. The columns that migrate are those of `from` nearest to `to`;
 * they are put at the right end of `to`. */
void hs__block_partition_apply(hs__block_partition *cut, const hs_rebalance_operation *operation);

/** Take another's order of rows and columns. */
void hs__block_partition_keep_order(hs__block_partition *cut, const hs__block_partition *other);

/** @return 1 when the rectangles tile the blocks, every rank has one, and index and place are inverse permutations */
int hs__block_partition_check(const hs__block_partition *cut);

/** A number that differs when the columns, sizes or hosts of two cuts differ. */
int64_t hs__block_partition_hash(const hs__block_partition *cut);

/** Rows (columns) that lie together in two rectangles: `count` of them, at these offsets. */
typedef enum hs__side { HS__OLD, HS__NEW, HS__SIDES } hs__side;

typedef struct hs__run {
    int64_t at[HS__SIDES]; /* in the old rectangle, in the new one */
    int64_t count;
} hs__run;

/** The rows (columns) that rank a of cut `old` and rank b of cut `now` share, in the old order.
 * @param[out] run  room for as many entries as a's rectangle has rows (columns)
 * @param[out] runs how many there are
 * @return the rows in them */
int64_t hs__block_partition_common(const hs__block_partition *old, int a, const hs__block_partition *now, int b,
                                   hs_blocks_axis axis, hs__run *run, int *runs);

#endif
