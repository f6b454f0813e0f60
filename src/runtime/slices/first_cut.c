/* SPDX-License-Identifier: BSD-3-Clause */
/* The slices that a layout begins with, from what is known before the program has been measured. */
#include "plan/ring/subrings.h"
#include "runtime/slices/layout.h"
#include "util/array.h"
#include "util/pool.h"
#include <heteroslice/hs_slices.h>
#include <math.h>
#include <stdlib.h>

/* Equal slices; the first ranks get the remainder. Ranks beyond units / minimum get none. */
static void slice_equally(const hs_layout *layout, int64_t minimum)
{
    int64_t ranks = layout->context->size, most = layout->units / minimum;
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

/* No kernel and no file knows what this program needs. */
void hs__layout_first_cycles(const hs_layout *layout, double *cycle)
{
    const hs_context *context = layout->context;
    const double *byte_s = byte_times(layout);
    double unit_work = context->params.work > 0 ? context->params.work / (double)layout->units : 1;
    for (int r = 0; r < context->size; r++) {
        double speed = context->order.speed ? context->order.speed[r] : 1;
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

/* Slices by the speeds at the sizes that they come to; only ranks with a cycle time take part. */
static hs_status slice_by_size(const hs_layout *layout, const double *cycle, int64_t minimum)
{
    const hs_context *context = layout->context;
    hs__pool pool = {0};
    double *nothing = hs__pool_new(&pool, (size_t)context->size, sizeof *nothing);
    hs_speed_function *function = hs__pool_new(&pool, (size_t)context->size, sizeof *function);
    hs_speed_point *flat = hs__pool_new(&pool, (size_t)context->size, sizeof *flat);
    hs_status status = hs__pool_status(&pool);
    const hs_slices_params params = {.function = function,
                                     .comm_time = nothing,
                                     .hosts = context->size,
                                     .model = HS_STEP_SERIAL,
                                     .work = context->params.work > 0 ? context->params.work : (double)layout->units,
                                     .data = context->params.data,
                                     .units = layout->units,
                                     .minimum = minimum};
    for (int r = 0; status == HS_OK && r < context->size; r++) {
        function[r] = context->order.curves.function[r];
        flat[r] = (hs_speed_point){1, context->order.speed[r]};
        if (function[r].points == 0 || !isfinite(cycle[r])) {
            function[r].point = &flat[r];
            function[r].points = isfinite(cycle[r]);
        }
    }
    if (status == HS_OK)
        status = hs_slices_compute_by_size(&params, layout->count, NULL);
    hs__pool_free(&pool);
    return status;
}

static hs_status cut_first(hs_layout *layout, const double *cycle, int64_t minimum)
{
    hs_context *context = layout->context;
    if (context->params.mode == HS_BALANCE_OFF) {
        slice_equally(layout, minimum);
        return HS_OK;
    }
    if (!hs__slices_sizes(&layout->slices))
        return hs__slices_first(&layout->slices, cycle, layout->count);
    hs_status status = slice_by_size(layout, cycle, minimum);
    if (status == HS_ERR_INFEASIBLE && !hs__slices_hold(&layout->slices))
        hs__context_fail(context, status,
                         "hs_layout_create: the hosts' largest slices (max_slice) do not hold %lld units of %g bytes",
                         (long long)layout->units, said_bytes(layout));
    return status;
}

hs_status hs__layout_first_slices(hs_layout *layout)
{
    const hs_context *context = layout->context;
    int64_t minimum = layout->halo > 0 ? layout->halo : 1;
    double *cycle = hs__array_new((size_t)context->size, sizeof *cycle);
    if (!cycle)
        return HS_ERR_NOMEM;
    hs__layout_first_cycles(layout, cycle);
    layout->slices = (hs__slices){.ranks = context->size,
                                  .units = layout->units,
                                  .minimum = minimum,
                                  .model = context->params.model,
                                  .count = layout->count};
    hs_status status = start_slices(layout);
    if (status == HS_OK)
        status = start_sizes(layout);
    if (status == HS_OK)
        status = cut_first(layout, cycle, minimum);
    if (status == HS_OK)
        status = hs__balancer_start(&layout->balancer, cycle);
    free(cycle);
    return status;
}
