/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_COLUMNS_BLOCKS_H
#define HS_PLAN_COLUMNS_BLOCKS_H

/* Integer column layouts: a matrix of wide x high blocks, hosts whose columns are given. The load of a host is its
 * area/speed; the largest load is the time of a step. */

#include "plan/columns/columns.h"
#include "plan/columns/slicing.h"

/* Objectives within this factor count as near: search.c. */
#define HS__NEAR_BEST 1.05

/** Whether N blocks a side are fine beside the rectangles of p hosts, so that loads differ by little. */
int hs__column_blocks_are_fine(int hosts, int64_t blocks);

/** Places 0 .. first[columns]-1 stand in columns; all arrays are borrowed. */
typedef struct hs__column_blocks {
    int columns;
    const int *first;    /* columns + 1 entries */
    const double *speed; /* of each place, >= 0 */
    int64_t wide, high;  /* blocks, >= 1, wide * high <= 2^53 */
} hs__column_blocks;

/** N x N blocks for ranks in columns; placed is an array of as many speeds. */
hs__column_blocks hs__column_blocks_of(const hs__column_sets *sets, const hs__areas *areas, const double *speed,
                                       int64_t blocks, double *placed);

/** How good an assignment of blocks is; less is better in each, the first differing number decides. */
typedef struct hs__column_blocks_value {
    double load;      /* the largest area/speed */
    int idle;         /* places with a speed but no area */
    double objective; /* half perimeters of the places with an area */
} hs__column_blocks_value;

/** The most rows of a column this wide that a host can hold within the load. */
int64_t hs__column_blocks_cap(double speed, int64_t width, int64_t high, double load);

/** The widest column c can be within the load, at most wide. */
int64_t hs__column_blocks_widest(const hs__column_blocks *blocks, int c, double load);

/** Whether the columns can hold the whole matrix within the load. */
int hs__column_blocks_fit(const hs__column_blocks *blocks, double load);

/** The least load within which the columns hold the matrix, when that is below `limit`; else INFINITY. */
double hs__column_blocks_least_load(const hs__column_blocks *blocks, double limit);

/** Places of column c that have a speed but get no row when it is this wide. */
int hs__column_blocks_idle(const hs__column_blocks *blocks, int c, int64_t width, double load);

/** Widths up to max_width[c] that add up to wide: the fewest idle places, then the least objective. O(C wide^2).
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__column_blocks_program(const hs__column_blocks *blocks, double load, hs_columns_objective objective,
                                    const int64_t *max_width, int64_t *width);

/** Widths and heights within a load that fits: as few idle places as found, then the least objective, then levelled
 * loads. Sum of widths == wide, of each column's heights == high (a column of width 0 has heights 0).
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__column_blocks_assign(const hs__column_blocks *blocks, double load, hs_columns_objective objective,
                                   int64_t *width, int64_t *height);

hs__column_blocks_value hs__column_blocks_value_of(const hs__column_blocks *blocks, const int64_t *width,
                                                   const int64_t *height, hs_columns_objective objective);

/** Rows of one column this wide: the largest load as small as can be within `load`, every place with room for a row
 * gets one when there are rows enough, loads levelled, ties to the first places. */
void hs__column_blocks_rows(const hs__column_blocks *blocks, int c, int64_t width, double load, int64_t *height);

/** Improve which hosts share a column by swaps and moves that lower the least load, as long as the objective on the
 * unit square stays at most max_objective.
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__columns_swap(const hs__areas *areas, const double *speed, const hs_columns_params *params,
                           double max_objective, hs__column_sets *sets);

/** The best columns for N x N blocks found: ranks in sets, widths by column, heights by position in sets->rank. */
hs_status hs__columns_blocks(const hs__areas *areas, const double *speed, const hs_columns_params *params,
                             hs__column_scratch *scratch, hs__column_sets *sets, int64_t *width, int64_t *height);

/** The boxes, in blocks, of the leaves of a slicing tree on N x N blocks: the least largest load this tree allows
 * (within 1e-9). box has tree->n entries.
 * @return HS_OK; HS_ERR_UNSUPPORTED when nodes x N is too large to search; HS_ERR_NOMEM */
hs_status hs__slicing_blocks(const hs__slicing *tree, const hs__areas *areas, const double *speed, int64_t blocks,
                             hs__box *box);

#endif
