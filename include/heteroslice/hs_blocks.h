/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HETEROSLICE_HS_BLOCKS_H
#define HETEROSLICE_HS_BLOCKS_H

/* Matrices in blocks on hosts of unequal speed: N x N blocks, one rectangle a rank, the rectangles in columns as
 * hs_columns.h plans them; all matrices of a layout are cut alike (matmul-redistribution-2000, sections 2 and 4).
 *
 *     hs_blocks_create(ctx, n, NULL, &layout);
 *     hs_blocks_add_matrix(layout, r, r, sizeof(double), (void **)&a);    // and b, c
 *     for (k = 0; k < n; k++) { outer_product_step(k); hs_blocks_balance(layout); }
 *     hs_finalize(&ctx);
 *
 * Place and index. A row migration takes a row of every matrix to another place, so that row i no longer lies between
 * rows i - 1 and i + 1. Rectangles are given in places; hs_blocks_index() tells which row or column of the matrix lies
 * at a place, hs_blocks_place() where it lies. Rows and columns move apart: step k of a product takes column k of A
 * from the column place of k and row k of B from the row place of k. At first place and index are equal.
 *
 * "Collective", time-outs and error texts are as in hs_runtime.h; ranks are those of hs_comm(). */

#include <heteroslice/hs_columns.h>
#include <heteroslice/hs_rebalance.h>
#include <heteroslice/hs_runtime.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A layout of block matrices; ended by hs_blocks_free() or hs_finalize(). */
typedef struct hs_blocks hs_blocks;

/** How to cut at first and how to move. Zero means the default everywhere, a NULL pointer to it as well. The size of
 * the struct never changes: later versions take new fields from `reserved`, where 0 is the default. */
typedef struct hs_blocks_params {
    const double *speed;            /* cut for these speeds, by rank, >= 0; borrowed. Default: equal ones with
                                       HS_BALANCE_OFF, else those that hs_layout_create() knows */
    const hs_column_layout *layout; /* cut like this, ranks as hosts; ranks it does not name get nothing. Comes before
                                       speed; borrowed */
    hs_columns_objective objective; /* of the first cut. Default: HS_COLUMNS_SUM */
    double tolerance;               /* accept a largest area/speed so much above the least; >= 0 */
    int64_t steps;                  /* hs_blocks_balance() calls to come, so that nothing moves when those left cannot
                               earn what moving costs. Default: not known */
    int64_t reserved[8];            /* all 0 */
} hs_blocks_params;

enum { HS_BLOCKS_MAX = 1 << 24 }; /* blocks a side */

/** Cut N x N blocks into one rectangle a rank. Collective.
 *
 * Every rank has a place in a column, also one that gets no rows at first (it may get some later): those are put at the
 * bottom of the columns with the fewest ranks. N smaller than the number of ranks is fine: some get nothing.
 *
 * Model:      the time of a step is the largest area times the rank's seconds a block; see hs_columns_create().
 * Cost:       O(p log p + N) time, O(p + N) memory on every rank.
 * @param[in]  blocks  N, 1 <= N <= HS_BLOCKS_MAX, the same on all ranks
 * @param[in]  params  the same on all ranks; NULL: the defaults
 * @param[out] layout  on HS_OK a new object
 * @return HS_OK; HS_ERR_ARG; HS_ERR_INFEASIBLE (all speeds are 0); HS_ERR_MISMATCH (the ranks passed different
 *         values); HS_ERR_TIMEOUT; HS_ERR_NOMEM */
HS_API hs_status hs_blocks_create(hs_context *context, int64_t blocks, const hs_blocks_params *params,
                                  hs_blocks **layout);

/** Free a layout and its matrices; the registered pointers become NULL. What none of them points to any more stays
 * allocated. Local; NULL is fine. */
HS_API void hs_blocks_free(hs_blocks *layout);

/** Allocate this rank's rectangle of a matrix, zeroed, and register it to move with the layout. Collective.
 *
 * Storage is column by column over the whole rectangle, as BLAS wants it: element (i, j) of the rectangle is at
 * *data + (i + j * ld) * element_bytes with ld = rows of the rectangle * block_rows, so that dgemm works on the whole
 * rectangle at once. *data is NULL while the rectangle is empty. hs_blocks_balance(), hs_blocks_rebalance() and
 * hs_blocks_move() and nothing else change *data; the program may swap the pointers of two matrices registered alike. When
 * it has changed one in another way, they return HS_ERR_ARG where blocks would move, and nothing moves.
 * @param[in]     block_rows, block_columns  elements of a block, 1 to INT_MAX, the same on all ranks
 * @param[in]     element_bytes              1 to INT_MAX, the same on all ranks
 * @param[in,out] data  where the program keeps its pointer, and nothing else of the context; must stay valid as long as the layout
 * @return HS_OK; HS_ERR_ARG; HS_ERR_MISMATCH; HS_ERR_TIMEOUT; HS_ERR_NOMEM (on some rank; nothing is registered on
 *         any) */
HS_API hs_status hs_blocks_add_matrix(hs_blocks *layout, int64_t block_rows, int64_t block_columns,
                                      int64_t element_bytes, void **data);

/* ---- Accessors. All local; what is lent holds until the next call that may move ---- */

/** A rank's rectangle in places, counted in blocks from the upper left corner. rows or columns may be 0. */
typedef struct hs_blocks_rectangle {
    int64_t first_row, first_column, rows, columns;
} hs_blocks_rectangle;

/** This rank's rectangle, and all of them: array of the communicator's size, lent. They tile the matrix exactly. */
HS_API hs_blocks_rectangle hs_blocks_mine(const hs_blocks *layout);
HS_API const hs_blocks_rectangle *hs_blocks_rectangles(const hs_blocks *layout);

typedef enum hs_blocks_axis { HS_BLOCKS_ROWS, HS_BLOCKS_COLUMNS } hs_blocks_axis;

/** Which row (column) of the matrices lies at each place, and at which place each lies: arrays of N entries, lent. */
HS_API const int64_t *hs_blocks_index(const hs_blocks *layout, hs_blocks_axis axis);
HS_API const int64_t *hs_blocks_place(const hs_blocks *layout, hs_blocks_axis axis);

/** The columns and who stands in them, as the planners take them; its arrays are lent. */
HS_API void hs_blocks_layout(const hs_blocks *layout, hs_column_layout *columns);

/** What is known of the ranks' speeds: block updates a second as measured while balancing, in some unit of their own
 * before that. Array of the communicator's size, equal on all ranks, lent. */
HS_API const double *hs_blocks_speeds(const hs_blocks *layout);

/* ---- Moving. Blocks go straight from the owner they have to the owner they get, once, between these two alone. A
 *      rank keeps its old rectangle until it has received the new one, so twice its matrices must fit in memory. ----
 */

/** Say that one step (outer product) has ended; moves blocks when that pays. Collective. Between two decisions it costs
 * a counter; when and why it moves is as in hs_balance().
 * @return HS_UNCHANGED: nothing moved. HS_OK: ask for rectangles, places and pointers again. HS_ERR_MISMATCH,
 *         HS_ERR_TIMEOUT: some rank did something else. HS_ERR_ARG (a program changed pointers), HS_ERR_NOMEM, HS_ERR_MPI: a
 *         move failed; every rank is still on its old rectangle. HS_ERR_INTERNAL likewise: with HS_CHECK=1, some block did
 *         not arrive as it was */
HS_API hs_status hs_blocks_balance(hs_blocks *layout);

/** Whether the next hs_blocks_balance() may move: a program that sends the next step's blocks ahead waits with that
 * when this is 1. Local, and equal on all ranks at the same step. */
HS_API int hs_blocks_may_move(const hs_blocks *layout);

/** Change sizes for these speeds by column migrations, row migrations and slides (hs_rebalance_create_speeds(), exact,
 * by the owners' price of section 4.6), now, whatever that costs. Collective.
 * @param[in] speed  by rank, array of the communicator's size, each >= 0 and finite, the same on all ranks; borrowed
 * @return HS_OK; HS_UNCHANGED (the rectangles are right for these speeds); errors as hs_blocks_balance(), and
 *         HS_ERR_ARG; HS_ERR_INFEASIBLE */
HS_API hs_status hs_blocks_rebalance(hs_blocks *layout, const double *speed);

/** Change to any other cut of the same N x N blocks: what a new partition costs. Rows and columns keep their places.
 * Collective.
 * @param[in] columns  ranks as hosts; ranks it does not name get nothing; the same on all ranks; borrowed
 * @return as hs_blocks_rebalance() */
HS_API hs_status hs_blocks_move(hs_blocks *layout, const hs_column_layout *columns);

/** Bracket the computing part of a step explicitly. Once used, only bracketed time counts as compute. Local. */
HS_API void hs_blocks_compute_begin(hs_blocks *layout);
HS_API void hs_blocks_compute_end(hs_blocks *layout);

/** What has been done so far on this layout; equal on all ranks but for the seconds. */
typedef struct hs_blocks_stats {
    int64_t steps;          /* hs_blocks_balance() calls */
    int64_t phases;         /* decisions taken */
    int64_t moves;          /* moves carried out, also those asked for */
    int64_t operations;     /* column migrations, row migrations and slides in them */
    int64_t planned_blocks; /* blocks that the plans said would change their owner */
    int64_t moved_blocks;   /* blocks that were received from another rank, counted where they arrived */
    int64_t moved_bytes;    /* the same in bytes over all matrices */
    double decide_s;        /* seconds this rank spent measuring and deciding, waiting for others included */
    double move_s;          /* seconds this rank spent moving */
    double compute_s;       /* seconds this rank computed, over the finished phases */
} hs_blocks_stats;

/** What balancing has done so far on this layout. Local. */
HS_API void hs_blocks_get_stats(const hs_blocks *layout, hs_blocks_stats *stats);

#ifdef __cplusplus
}
#endif
#endif
