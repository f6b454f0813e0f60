/* SPDX-License-Identifier: BSD-3-Clause */
/* The slices that a layout begins with, from what is known before the program has been measured. */
#include "plan/ring/subrings.h"
#include "runtime/slices/layout.h"
#include "util/array.h"
#include <math.h>
#include <stdlib.h>

/* Equal slices; the first ranks get the remainder. Ranks beyond units / minimum get none. */
static void slice_equally(const hs_layout *layout)
{
    int64_t ranks = layout->context->size, most = layout->units / layout->slices.minimum;
    int64_t used = ranks < most ? ranks : most;
    for (int64_t r = 0; r < ranks; r++)
        layout->count[r] = r < used ? layout->units / used + (r < layout->units % used) : 0;
}

static hs__ring_ends ends_of(const hs_layout *layout)
{
    return layout->edges == HS_PERIODIC ? HS__RING_CLOSED : HS__RING_OPEN;
}

/* Seconds that a byte of halo takes: [membership][rank]; NULL when nothing was planned. */
static const double *byte_times(const hs_layout *layout)
{
    const hs__rank_order *order = &layout->context->order;
    size_t first = (size_t)ends_of(layout) * (size_t)order->memberships;
    return order->memberships > 0 ? order->byte_s + first * (size_t)layout->context->size : NULL;
}

void hs__layout_replan(hs_layout *layout)
{
    const hs__rank_order *order = &layout->context->order;
    hs__slices *s = &layout->slices;
    hs__slices_replan(s, order->memberships, NULL, hs__rank_order_traffic(order, ends_of(layout)));
    hs__rank_order_messages(order, ends_of(layout), layout->context->params.halo, s->comm);
    hs__balancer_set_byte_time(&layout->balancer, hs__rank_order_slowest(byte_times(layout), order->ranks));
}

/* What the library knows of links, for this layout. */
static hs_status start_slices(hs_layout *layout)
{
    const hs__rank_order *order = &layout->context->order;
    const double *byte_s = byte_times(layout);
    if (!byte_s)
        return hs__slices_start(&layout->slices, 1, NULL, NULL);
    layout->slices.most_memberships = HS__MAX_MEMBERSHIPS; /* links may change, and memberships be planned again */
    double *comm = hs__array_new((size_t)order->memberships * (size_t)order->ranks, sizeof *comm);
    if (!comm)
        return HS_ERR_NOMEM;
    hs__rank_order_messages(order, ends_of(layout), layout->context->params.halo, comm);
    layout->balancer.byte_s = hs__rank_order_slowest(byte_s, order->ranks); /* a move is taken to be as slow */
    hs_status status =
        hs__slices_start(&layout->slices, order->memberships, comm, hs__rank_order_traffic(order, ends_of(layout)));
    free(comm);
    return status;
}

/* No kernel and no file knows what this program needs; layouts that the context had before do. */
void hs__layout_first_cycles(const hs_layout *layout, double *cycle)
{
    const hs_context *context = layout->context;
    const double *byte_s = byte_times(layout);
    double unit_work = context->params.work > 0 ? context->params.work / (double)layout->units : 1;
    for (int r = 0; r < context->size; r++) {
        double speed = context->speed[r];
        int takes_units = speed > 0 && (!byte_s || isfinite(byte_s[r]));
        cycle[r] = takes_units ? unit_work / speed : INFINITY;
    }
}

/* Bytes of a unit as the program says; 0: not known before something is registered. */
static double said_bytes(const hs_layout *layout)
{
    return layout->context->params.data / (double)layout->units;
}

/* What the platform says of sizes. */
static hs_status start_sizes(hs_layout *layout)
{
    const hs_context *context = layout->context;
    if (!context->order.curves.function)
        return HS_OK;
    return hs__slices_by_size(&layout->slices, context->order.curves.function, context->order.speed,
                              said_bytes(layout));
}

static hs_status cut_first(hs_layout *layout, const double *cycle)
{
    hs_context *context = layout->context;
    if (context->params.mode == HS_BALANCE_OFF) {
        slice_equally(layout);
        return HS_OK;
    }
    hs_status status = hs__slices_first(&layout->slices, cycle, layout->count);
    if (status == HS_ERR_INFEASIBLE && !hs__slices_hold(&layout->slices))
        hs__context_fail(context, status,
                         "hs_layout_create: the hosts' largest slices (max_slice) do not hold %lld units of %g bytes",
                         (long long)layout->units, said_bytes(layout));
    return status;
}

hs_status hs__layout_first_slices(hs_layout *layout)
{
    const hs_context *context = layout->context;
    double *cycle = hs__array_new((size_t)context->size, sizeof *cycle);
    if (!cycle)
        return HS_ERR_NOMEM;
    hs__layout_first_cycles(layout, cycle);
    layout->slices = (hs__slices){.ranks = context->size,
                                  .units = layout->units,
                                  .minimum = layout->halo > 0 ? layout->halo : 1,
                                  .model = context->params.model,
                                  .count = layout->count};
    hs_status status = start_slices(layout);
    if (status == HS_OK)
        status = start_sizes(layout);
    if (status == HS_OK)
        status = cut_first(layout, cycle);
    if (status == HS_OK)
        status = hs__balancer_start(&layout->balancer, cycle);
    free(cycle);
    return status;
}
