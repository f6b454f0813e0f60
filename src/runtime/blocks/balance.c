/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks between static phases. A step takes the largest area times its rank's seconds a block; a move takes the
 * operations of section 4 for the speeds measured. */
#include "runtime/blocks/blocks.h"
#include "util/assert.h"
#include <math.h>

static double step_time(const hs__block_partition *cut, const double *cycle)
{
    double longest = 0;
    for (int r = 0; r < cut->ranks; r++) {
        double area = (double)cut->rectangle[r].rows * (double)cut->rectangle[r].columns;
        if (area > 0)
            longest = fmax(longest, area * cycle[r]);
    }
    return longest;
}

static void drop_candidate(hs_blocks *layout)
{
    hs__block_partition_free(layout->candidate.cut);
    layout->candidate = (hs__blocks_change){0};
}

static hs_status plan_candidate(void *place, const double *cycle, double *step)
{
    hs_blocks *layout = place;
    hs__blocks_change *change = &layout->candidate;
    int64_t moved;
    hs_status status = hs__blocks_plan(layout, layout->speed, change, NULL);
    if (status != HS_OK)
        return status;
    *step = step_time(change->cut, cycle);
    return hs__blocks_moved(layout->cut, change->cut, &moved, &change->busiest);
}

static hs_status plan(void *place, const hs__decide_phase *phase, const double *cycle, double *now, double *best)
{
    hs_blocks *layout = place;
    const hs__block_partition *cut = layout->cut;
    drop_candidate(layout);
    for (int r = 0; r < cut->ranks; r++)
        layout->speed[r] = isfinite(cycle[r]) ? 1 / cycle[r] : 0;
    *now = step_time(cut, cycle);
    hs_status status = hs__balancer_plan(&layout->balancer, phase, cycle, *now, best, plan_candidate);
    if (status != HS_OK)
        drop_candidate(layout);
    return status;
}

static int64_t traffic(const void *place)
{
    const hs_blocks *layout = place;
    return layout->candidate.busiest;
}

static double unit_bytes(void *place)
{
    const hs_blocks *layout = place;
    double bytes = 0;
    for (size_t m = 0; m < layout->matrix_count; m++) {
        const hs__matrix *matrix = &layout->matrices[m];
        bytes += (double)matrix->block_rows * (double)matrix->block_columns * (double)matrix->element_bytes;
    }
    return bytes;
}

static hs_status carry_out(void *place)
{
    hs_blocks *layout = place;
    int64_t blocks = layout->candidate.blocks;
    int operations = layout->candidate.operations;
    hs_status status = hs__blocks_carry_out(layout, &layout->candidate);
    if (status == HS_OK && layout->context->rank == 0)
        hs__context_log(layout->context, HS__LOG_INFO, "moved %lld of %lld blocks by %d operations at step %lld",
                        (long long)blocks, (long long)layout->cut->blocks * layout->cut->blocks, operations,
                        (long long)layout->balancer.counts.iterations);
    return status;
}

/* Ranks wait for each other's pivots in each step anyway: an iteration is lag enough. */
const hs__balance_kind hs__blocks_kind = {
    HS__OP_BLOCKS_BALANCE, {.plan = plan, .traffic = traffic}, NULL, unit_bytes, carry_out, 1, NULL, NULL, NULL};

hs_status hs_blocks_balance(hs_blocks *layout)
{
    HS__RETURN_IF_NULL(layout);
    HS_ASSERT_SOUND(hs__blocks_check, layout);
    return hs__balancer_step(&layout->balancer);
}

int hs_blocks_may_move(const hs_blocks *layout)
{
    return hs__balancer_may_move(&layout->balancer);
}

void hs_blocks_compute_begin(hs_blocks *layout)
{
    hs__computing_bracket(&layout->balancer.computing);
}

void hs_blocks_compute_end(hs_blocks *layout)
{
    hs__computing_unbracket(&layout->balancer.computing);
}
