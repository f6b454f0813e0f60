/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/slices/layout.h"
#include "runtime/slices/learn.h"
#include "runtime/slices/move.h"
#include "runtime/slices/ragged.h"
#include "util/assert.h"
#include <stdio.h>

/* What has grown by less is not told. */
#define TOLD 1.05

static const double *pace(void *place, const hs__decide_phase *phase)
{
    hs_layout *layout = place;
    return hs__slices_kind.pace(&layout->slices, phase);
}

static int explains(void *place, int rank, double factor)
{
    hs_layout *layout = place;
    return hs__slices_kind.explains(&layout->slices, rank, factor);
}

static void warn_if_too_small(hs_layout *layout)
{
    if (layout->warned_too_small || hs__slices_hold(&layout->slices))
        return;
    layout->warned_too_small = 1;
    if (layout->context->rank == 0)
        hs__context_log(layout->context, HS__LOG_WARN,
                        "nothing moves: the hosts' largest slices (max_slice) do not hold %lld units of %g bytes",
                        (long long)layout->units, layout->slices.paces.sizes.unit_bytes);
}

static hs_status plan(void *place, const hs__decide_phase *phase, const double *cycle, double *now, double *best)
{
    hs_layout *layout = place;
    hs_status status = hs__slices_kind.plan(&layout->slices, phase, cycle, now, best);
    if (status == HS_UNCHANGED)
        warn_if_too_small(layout);
    return status;
}

static int64_t traffic(const void *place)
{
    const hs_layout *layout = place;
    return hs__slices_kind.traffic(&layout->slices);
}

static hs_status part(void *place, const double *cycle, double step, hs__decide_part *found)
{
    hs_layout *layout = place;
    return hs__slices_kind.part(&layout->slices, cycle, step, found);
}

static void take_part(void *place, const double *cycle)
{
    hs_layout *layout = place;
    hs__slices_kind.take_part(&layout->slices, cycle);
}

static const hs__slices *slices(const void *place)
{
    return &((const hs_layout *)place)->slices;
}

/* Bytes of every unit alike. */
static double fixed_bytes(const hs_layout *layout)
{
    double bytes = 0;
    for (size_t a = 0; a < layout->array_count; a++)
        if (layout->arrays[a].offsets < 0)
            bytes += (double)layout->arrays[a].unit_bytes;
    return bytes;
}

static double unit_bytes(void *place)
{
    const hs_layout *layout = place;
    return fixed_bytes(layout) + hs__ragged_unit_bytes(layout) + layout->stored / (double)layout->units;
}

/* What has grown since units moved last, as far as weights tell it; "" when nothing has. */
static void tell_why(const hs_layout *layout, char *text, size_t size)
{
    const hs__decision *decision = hs__decider_last(layout->balancer.decider);
    const hs__change *slower = &decision->slower, *heavier = &decision->heavier;
    int written = 0;
    text[0] = '\0';
    if (slower->factor > TOLD)
        written = snprintf(text, size, "; rank %d takes %.3g times as long for the same weight", slower->rank,
                           slower->factor);
    if (heavier->factor > TOLD)
        snprintf(text + written, size - (size_t)written, "; the slice of rank %d weighs %.3g times as much",
                 heavier->rank, heavier->factor);
}

static hs_status carry_out(void *place)
{
    hs_layout *layout = place;
    char why[160];
    int64_t moved = hs__moved_units(layout->context->size, layout->count, layout->slices.candidate);
    tell_why(layout, why, sizeof why);
    hs_status status = hs__move(layout, layout->slices.candidate);
    if (status != HS_OK)
        return status;
    hs__slices_moved(&layout->slices);
    layout->moved_units += moved;
    layout->moved_bytes += (int64_t)((double)moved * fixed_bytes(layout)); /* hs__move() counts the others */
    if (layout->context->rank == 0)
        hs__context_log(layout->context, HS__LOG_INFO, "moved %lld of %lld units at iteration %lld%s", (long long)moved,
                        (long long)layout->units, (long long)layout->balancer.counts.iterations, why);
    return HS_OK;
}

static void replan(void *place)
{
    hs__layout_replan(place);
}

/* Ranks that are not neighbours need not be at the same iteration, and waiting for the last of them at each phase would
 * put them in step. */
const hs__balance_kind hs__layout_kind = {HS__OP_BALANCE,
                                          {pace, explains, plan, traffic, part, take_part},
                                          slices,
                                          unit_bytes,
                                          carry_out,
                                          2,
                                          hs__learning_news,
                                          hs__learning_adopt,
                                          replan};

hs_status hs_balance(hs_layout *layout)
{
    HS__RETURN_IF_NULL(layout);
    HS_ASSERT_SOUND(hs__layout_check, layout); /* also that the program has not moved its arrays */
    hs__learning_interrupt(layout);
    return hs__balancer_step(&layout->balancer);
}

void hs_compute_begin(hs_layout *layout)
{
    hs__computing_bracket(&layout->balancer.computing);
}

void hs_compute_end(hs_layout *layout)
{
    hs__computing_unbracket(&layout->balancer.computing);
}
