/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/slices/layout.h"
#include "runtime/slices/move.h"
#include "util/assert.h"

static hs_status plan(void *place, const hs__decide_phase *phase, const double *cycle, double *now, double *best)
{
    hs_layout *layout = place;
    return hs__slices_kind.plan(&layout->slices, phase, cycle, now, best);
}

static int64_t traffic(const void *place)
{
    const hs_layout *layout = place;
    return hs__slices_kind.traffic(&layout->slices);
}

static const hs__slices *slices(const void *place)
{
    return &((const hs_layout *)place)->slices;
}

static double unit_bytes(void *place)
{
    const hs_layout *layout = place;
    double bytes = 0;
    for (size_t a = 0; a < layout->array_count; a++)
        bytes += (double)layout->arrays[a].unit_bytes;
    return bytes;
}

static hs_status carry_out(void *place)
{
    hs_layout *layout = place;
    int64_t moved = hs__moved_units(layout->context->size, layout->count, layout->slices.candidate);
    hs_status status = hs__move(layout, layout->slices.candidate);
    if (status != HS_OK)
        return status;
    hs__slices_moved(&layout->slices);
    layout->moved_units += moved;
    layout->moved_bytes += (int64_t)((double)moved * unit_bytes(layout));
    if (layout->context->rank == 0)
        hs__context_log(layout->context, HS__LOG_INFO, "moved %lld of %lld units at iteration %lld", (long long)moved,
                        (long long)layout->units, (long long)layout->balancer.counts.iterations);
    return HS_OK;
}

/* Ranks that are not neighbours need not be at the same iteration, and waiting for the last of them at each phase would
 * put them in step. */
const hs__balance_kind hs__layout_kind = {HS__OP_BALANCE, {plan, traffic}, slices, unit_bytes, carry_out, 2};

hs_status hs_balance(hs_layout *layout)
{
    HS_ASSERT(hs__layout_check(layout, NULL) == HS_OK); /* also that the program has not moved its arrays */
    return hs__balancer_step(&layout->balancer);
}

void hs_compute_begin(hs_layout *layout)
{
    hs__balancer_compute_begin(&layout->balancer);
}

void hs_compute_end(hs_layout *layout)
{
    hs__balancer_compute_end(&layout->balancer);
}
