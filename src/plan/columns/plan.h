/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_COLUMNS_PLAN_H
#define HS_PLAN_COLUMNS_PLAN_H

/* The plan object and how it is filled from ranks in columns or from a slicing tree. */

#include "plan/columns/blocks.h"

struct hs_columns {
    int64_t blocks;
    int count, columns; /* rectangles with an area; columns with one, 0 when not in columns */
    hs_rectangle *rectangle;
    int *first;      /* of the columns, columns + 1 entries */
    int *host;       /* of each rectangle */
    int64_t *width;  /* in blocks, of the columns */
    int64_t *height; /* in blocks, of the rectangles */
    double half_perimeter_sum, half_perimeter_max, lower_bound, largest_load;
    int optimal;
    hs__pool pool;
};

/** What a plan is made from. */
typedef struct hs__columns_task {
    const double *speed; /* by host */
    int hosts;
    hs_columns_params params;
    hs__areas areas;
    hs__column_scratch scratch;
    hs__column_sets sets;
    hs__slicing tree;
    hs__box *box;            /* of the tree's nodes */
    int64_t *width, *height; /* of the sets, in blocks */
    hs__pool pool;           /* of box, width and height */
} hs__columns_task;

/** A new plan with the rectangles of task->sets in the unit square, in blocks (places without an area left out), or of
 * the leaves of task->tree (by host). The measures are filled but for `optimal`.
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__columns_lay_unit(const hs__columns_task *task, hs_columns **plan);
hs_status hs__columns_lay_blocks(const hs__columns_task *task, hs_columns **plan);
hs_status hs__columns_lay_tree(const hs__columns_task *task, hs_columns **plan);

/** Forget the columns and sort the rectangles by host. */
void hs__columns_forget(hs_columns *plan);

#endif
