/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_BLOCKS_H
#define HS_RUNTIME_BLOCKS_H

#include "runtime/balance/balance.h"
#include "runtime/blocks/block_partition.h"
#include "runtime/session/pointers.h"
#include <heteroslice/hs_blocks.h>

/** One registered matrix: this rank's rectangle, column by column. */
typedef struct hs__matrix {
    int64_t block_rows, block_columns, element_bytes;
    void **data; /* where the program keeps its pointer; borrowed */
    void *given; /* what was put there: this rank's buffer; NULL without blocks; owned */
} hs__matrix;

/** A change that was planned. */
typedef struct hs__blocks_change {
    hs__block_partition *cut; /* what it leads to; owned */
    int operations;           /* it consists of */
    int64_t blocks;           /* that get another owner */
    int64_t busiest;          /* that the busiest rank sends and receives; 0 of hs__blocks_plan() */
} hs__blocks_change;

struct hs_blocks {
    hs__owned owned; /* by the context */
    hs_context *context;
    hs__block_partition *cut;
    hs__matrix *matrices;
    size_t matrix_count, matrix_capacity;
    int left_to_mpi; /* a move was given up: MPI may still read the matrices, which are never freed */
    double *speed;   /* of every rank, as last known; owned */
    int64_t *area;   /* blocks of every rank; owned */
    double tolerance;
    hs__balancer balancer;
    hs__blocks_change candidate; /* what the decider weighs; cut NULL: to stay */
    hs_blocks_stats stats;       /* what moves did; the rest is in the balancer */
};

/** The pointer of matrix m of a layout. */
hs__pointer_of hs__matrix_pointer;

/** Allocate a rectangle of a matrix, not set to anything; *data is NULL when it has no blocks.
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__matrix_allocate(const hs__matrix *matrix, const hs_blocks_rectangle *rectangle, void **data);

/** Add up the blocks that a rank has in two cuts: a sum that does not depend on where they lie.
 * @param[in] data  its rectangle in cut `held` */
uint64_t hs__matrix_checksum(const hs__matrix *matrix, int rank, const hs__block_partition *held, const void *data,
                             const hs__block_partition *kept);

/** Whether the rectangles tile the blocks, the areas are those of the rectangles, and each matrix has memory where this
 * rank has blocks. @return HS_OK; HS_ERR_INTERNAL with the defect in *error */
hs_status hs__blocks_check(const hs_blocks *layout, hs_error *error);

/** Bring the areas up to the cut. */
void hs__blocks_measure(hs_blocks *layout);

/** Move every matrix to another cut of the same ranks and blocks, each block straight from its old owner to its new
 * one. Collective: all ranks come with the same cut. On success the layout owns the cut.
 * @return HS_OK: the layout, its stats and the program's pointers are the new ones. HS_ERR_NOMEM, HS_ERR_MPI,
 *         HS_ERR_TIMEOUT: all ranks are on the old cut */
hs_status hs__blocks_move_to(hs_blocks *layout, hs__block_partition *cut);

/** Plan column migrations, row migrations and slides for these speeds. Local.
 * @param[out] change  on HS_OK a cut that hs__blocks_carry_out() takes or hs__block_partition_free() ends
 * @return as hs_rebalance_create_speeds() */
hs_status hs__blocks_plan(const hs_blocks *layout, const double *speed, hs__blocks_change *change, hs_error *error);

/** Blocks that get another owner; and those that the busiest rank sends and receives. @return HS_OK; HS_ERR_NOMEM */
hs_status hs__blocks_moved(const hs__block_partition *old, const hs__block_partition *now, int64_t *moved,
                           int64_t *busiest);

/** How a layout of blocks is balanced. */
extern const hs__balance_kind hs__blocks_kind;

/** Carry out a change that all ranks hold. Collective. @return as hs__blocks_move_to(); on success change->cut is NULL
 */
hs_status hs__blocks_carry_out(hs_blocks *layout, hs__blocks_change *change);

#endif
