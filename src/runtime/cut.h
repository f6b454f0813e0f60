/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_CUT_H
#define HS_RUNTIME_CUT_H

/* How N x N blocks are cut into one rectangle a rank, in columns, and which row and column of the matrices lies at each
 * place. Pure arithmetic, the same on every rank. */

#include <heteroslice/hs_blocks.h>

/** All ranks stand in the columns: rectangles without rows or columns are kept, so that they can grow. */
typedef struct hs__cut {
    int ranks, columns;
    int64_t blocks;                 /* N */
    int *first, *host;              /* as in hs_column_layout; owned, like all that follow */
    int64_t *width, *height;        /* of a column; of the place of host[k] */
    hs_blocks_rectangle *rectangle; /* by rank */
    int64_t *index[2], *place[2];   /* by hs_blocks_axis: index[place], place[index] */
} hs__cut;

/** Cut like the layout; ranks that it does not name are put at the bottom of the columns with the fewest ranks.
 * @param[out] error  on HS_ERR_ARG what is wrong with the layout
 * @return HS_OK; HS_ERR_ARG; HS_ERR_NOMEM */
hs_status hs__cut_create(int ranks, int64_t blocks, const hs_column_layout *layout, hs__cut **cut, hs_error *error);

/** Cut for speeds (by rank) as hs_columns_create() does. @return as that */
hs_status hs__cut_for_speeds(int ranks, int64_t blocks, const double *speed, const hs_columns_params *params,
                             hs__cut **cut, hs_error *error);

/** @return NULL when memory is out */
hs__cut *hs__cut_copy(const hs__cut *cut);
void hs__cut_free(hs__cut *cut);

/** The same cut as the planners take it; the arrays are lent. */
hs_column_layout hs__cut_layout(const hs__cut *cut);

/** Carry out one operation of a plan made for this cut. The columns that migrate are those of `from` nearest to `to`;
 * they are put at the right end of `to`. */
void hs__cut_apply(hs__cut *cut, const hs_rebalance_operation *operation);

/** Take another's order of rows and columns. */
void hs__cut_keep_order(hs__cut *cut, const hs__cut *other);

/** @return 1 when the rectangles tile the blocks, every rank has one, and index and place are inverse permutations */
int hs__cut_check(const hs__cut *cut);

/** A number that differs when the columns, sizes or hosts of two cuts differ. */
int64_t hs__cut_hash(const hs__cut *cut);

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
int64_t hs__cut_common(const hs__cut *old, int a, const hs__cut *now, int b, hs_blocks_axis axis, hs__run *run,
                       int *runs);

#endif
