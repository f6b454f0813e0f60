/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks between static phases. A step takes the largest area times its rank's seconds a block; a move takes the
 * operations of section 4 for the speeds measured. */
#include "runtime/blocks/blocks.h"
#include "util/array.h"
#include <math.h>
#include <stdlib.h>

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

static void forget_candidate(hs_blocks *layout)
{
    hs__block_partition_free(layout->candidate.cut);
    layout->candidate = (hs__blocks_change){NULL, 0, 0, -1};
}

static hs_status plan(void *place, const hs__decide_phase *phase, const double *cycle, double *now, double *best)
{
    (void)phase;
    hs_blocks *layout = place;
    const hs__block_partition *cut = layout->cut;
    double together = 0, blocks = (double)cut->blocks * (double)cut->blocks;
    hs_error error;
    forget_candidate(layout);
    for (int r = 0; r < cut->ranks; r++)
        together += layout->speed[r] = isfinite(cycle[r]) ? 1 / cycle[r] : 0;
    *now = *best = step_time(cut, cycle);
    if (*now - blocks / together < HS__DECIDE_LEAST_GAIN * *now)
        return HS_OK; /* no cut can do much better: none is looked for */
    hs_status status = hs__blocks_plan(layout, layout->speed, &layout->candidate, &error);
    if (status == HS_OK)
        *best = step_time(layout->candidate.cut, cycle);
    return status == HS_OK || status == HS_ERR_NOMEM ? status : HS_UNCHANGED;
}

/* Counted once, for the decision: carrying it out must not need memory again. */
static hs_status traffic(void *place, int64_t *units)
{
    hs_blocks *layout = place;
    if (layout->candidate.cut && layout->candidate.busiest >= 0) {
        *units = layout->candidate.busiest;
        return HS_OK;
    }
    const hs__block_partition *from = layout->cut, *to = layout->candidate.cut ? layout->candidate.cut : from;
    hs__run *run = hs__array_new((size_t)from->blocks, sizeof *run);
    int64_t busiest = 0;
    int runs;
    if (!run)
        return HS_ERR_NOMEM;
    for (int r = 0; r < from->ranks; r++) {
        int64_t kept = hs__block_partition_common(from, r, to, r, HS_BLOCKS_ROWS, run, &runs) *
                       hs__block_partition_common(from, r, to, r, HS_BLOCKS_COLUMNS, run, &runs);
        int64_t exchanged = layout->area[r] + to->rectangle[r].rows * to->rectangle[r].columns - 2 * kept;
        busiest = exchanged > busiest ? exchanged : busiest;
    }
    free(run);
    layout->candidate.busiest = busiest;
    *units = busiest;
    return HS_OK;
}

static const hs__slices *no_slices(const void *place)
{
    return NULL;
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
const hs__balance_kind hs__blocks_kind = {HS__OP_BLOCKS_BALANCE, {plan, traffic}, no_slices, unit_bytes, carry_out, 1};

hs_status hs_blocks_balance(hs_blocks *layout)
{
    return hs__balancer_step(&layout->balancer);
}

int hs_blocks_may_move(const hs_blocks *layout)
{
    return hs__balancer_may_move(&layout->balancer);
}

void hs_blocks_compute_begin(hs_blocks *layout)
{
    hs__balancer_compute_begin(&layout->balancer);
}

void hs_blocks_compute_end(hs_blocks *layout)
{
    hs__balancer_compute_end(&layout->balancer);
}
