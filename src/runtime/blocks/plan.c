/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the blocks go: for new speeds by the operations of section 4, or to any other cut. */
#include "runtime/blocks/blocks.h"
#include "runtime/watch/library.h"
#include "util/array.h"
#include "util/assert.h"
#include <stdlib.h>

hs_status hs__blocks_plan(const hs_blocks *layout, const double *speed, hs__blocks_change *change, hs_error *error)
{
    hs_rebalance_params params;
    hs_rebalance *plan = NULL;
    hs_column_layout now = hs__block_partition_layout(layout->cut);
    hs_rebalance_params_init(&params);
    params.model = HS_REBALANCE_OWNERS;
    params.tolerance = layout->tolerance;
    hs_status status = hs_rebalance_create_speeds(&now, speed, layout->context->size, &params, &plan, error);
    hs__block_partition *cut = status == HS_OK ? hs__block_partition_copy(layout->cut) : NULL;
    if (status == HS_OK && !cut)
        status = HS_ERR_NOMEM;
    if (status == HS_OK) {
        *change = (hs__blocks_change){cut, hs_rebalance_operations(plan), hs_rebalance_blocks_moved(plan), 0};
        for (int k = 0; k < change->operations; k++)
            hs__block_partition_apply(cut, hs_rebalance_operation_at(plan, k));
        HS_ASSERT(hs__block_partition_check(cut)); /* the operations have kept the tiling */
    }
    hs_rebalance_free(plan);
    return status;
}

hs_status hs__blocks_carry_out(hs_blocks *layout, hs__blocks_change *change)
{
    hs_status status = hs__blocks_move_to(layout, change->cut);
    if (status != HS_OK)
        return status;
    change->cut = NULL;
    layout->stats.operations += change->operations;
    layout->stats.planned_blocks += change->blocks;
    return HS_OK;
}

hs_status hs__blocks_moved(const hs__block_partition *old, const hs__block_partition *now, int64_t *moved,
                           int64_t *busiest)
{
    hs__run *run = hs__array_new((size_t)old->blocks, sizeof *run);
    int runs;
    if (!run)
        return HS_ERR_NOMEM;
    *moved = *busiest = 0;
    for (int r = 0; r < old->ranks; r++) {
        const hs_blocks_rectangle *had = &old->rectangle[r], *gets = &now->rectangle[r];
        int64_t kept = hs__block_partition_common(old, r, now, r, HS_BLOCKS_ROWS, run, &runs) *
                       hs__block_partition_common(old, r, now, r, HS_BLOCKS_COLUMNS, run, &runs);
        int64_t lost = had->rows * had->columns - kept, won = gets->rows * gets->columns - kept;
        HS_ASSERT(lost >= 0 && won >= 0);
        *moved += won;
        *busiest = lost + won > *busiest ? lost + won : *busiest;
    }
    free(run);
    return HS_OK;
}

/* The common part of the two calls below: agrees on the change that this rank found, and carries it out. */
static hs_status agree_and_move(hs_blocks *layout, hs__operation operation, hs_status mine, hs__blocks_change *change,
                                const hs_error *error)
{
    static const char *const names[HS__RECORD_VALUES] = {"~list of speeds or columns"};
    hs__record record = {operation, mine, {change->cut ? hs__block_partition_hash(change->cut) : 0}, {0}};
    if (error->text[0])
        hs__context_fail(layout->context, mine, "%s: %s", hs__operation_name(operation), error->text);
    hs_status status = hs__agree(layout->context, &record, names);
    if (status == HS_OK && change->blocks == 0 &&
        hs__block_partition_hash(change->cut) == hs__block_partition_hash(layout->cut))
        status = HS_UNCHANGED;
    if (status == HS_OK)
        status = hs__blocks_carry_out(layout, change);
    hs__balancer_restart(&layout->balancer);
    hs__block_partition_free(change->cut);
    return status;
}

/* As hs_blocks_rebalance(). */
static hs_status rebalance(hs_blocks *layout, const double *speed)
{
    hs__blocks_change change = {0};
    hs_error error = {0, ""};
    hs_status status = hs__context_begin(layout->context, "hs_blocks_rebalance");
    if (status != HS_OK)
        return status;
    hs_status mine = speed ? hs__blocks_plan(layout, speed, &change, &error)
                           : hs_error_set(&error, HS_ERR_ARG, 0, "speed is NULL, expected one a rank");
    return agree_and_move(layout, HS__OP_BLOCKS_REBALANCE, mine, &change, &error);
}

hs_status hs_blocks_rebalance(hs_blocks *layout, const double *speed)
{
    fenv_t program;
    HS__RETURN_IF_NULL(layout);
    hs__library_enter(&program);
    hs_status status = rebalance(layout, speed);
    hs__library_leave(&program);
    return status;
}

hs_status hs_blocks_move(hs_blocks *layout, const hs_column_layout *columns)
{
    HS__RETURN_IF_NULL(layout);
    hs__blocks_change change = {0};
    hs_error error = {0, ""};
    hs_status status = hs__context_begin(layout->context, __func__);
    if (status != HS_OK)
        return status;
    hs_status mine =
        hs__block_partition_create(layout->context->size, layout->cut->blocks, columns, &change.cut, &error);
    if (mine == HS_OK) {
        hs__block_partition_keep_order(change.cut, layout->cut);
        mine = hs__blocks_moved(layout->cut, change.cut, &change.blocks, &change.busiest);
    }
    return agree_and_move(layout, HS__OP_BLOCKS_MOVE, mine, &change, &error);
}
