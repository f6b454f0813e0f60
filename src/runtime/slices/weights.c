/* SPDX-License-Identifier: BSD-3-Clause */
/* Weights of units: every rank gets those of all units, so that all plan alike without asking each other. */
#include "plan/slices/weighted.h"
#include "runtime/base/parked_buffer.h"
#include "runtime/session/messages.h"
#include "runtime/slices/layout.h"
#include "runtime/slices/learn.h"
#include "runtime/watch/library.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/pool.h"
#include "util/units.h"
#include <float.h>
#include <stdlib.h>
#include <string.h>

/* New weights on their way. */
typedef struct weighing {
    hs_layout *layout;
    hs__operation operation; /* by which they came */
    double *weight, *prefix; /* as those of the layout */
    int recut;               /* they were declared, and nothing is registered that would have to move */
    hs__pool pool;           /* of what follows */
    int64_t *count, *scratch;
    double *cycle, *comm;
    hs__messages messages;
} weighing;

static hs_status check_weights(const hs_layout *layout, const double *weight)
{
    hs_context *context = layout->context;
    int64_t units = layout->count[context->rank];
    if (!weight && units > 0)
        return hs__context_fail(context, HS_ERR_ARG, "hs_layout_weights: weight is NULL, expected those of %lld units",
                                (long long)units);
    for (int64_t u = 0; u < units; u++)
        if (!(weight[u] >= 0 && weight[u] <= DBL_MAX))
            return hs__context_fail(context, HS_ERR_ARG,
                                    "hs_layout_weights: unit %lld weighs %g, expected 0 or more, and finite",
                                    (long long)(layout->first + u), weight[u]);
    return HS_OK;
}

/* Receives those of all other ranks, or sends this one's to them; or counts the messages. */
static hs_status each_message(weighing *w, hs__direction way, int counting)
{
    const hs_layout *layout = w->layout;
    int rank = layout->context->rank, size = layout->context->size;
    hs_status status = HS_OK;
    for (int step = 1; step < size && status == HS_OK; step++) {
        int peer = (rank + step) % size, source = way == HS__SEND ? rank : peer;
        int64_t bytes = layout->count[source] * (int64_t)sizeof *w->weight;
        double *place = w->weight + hs__layout_first(layout->count, source);
        if (bytes > 0)
            status = counting ? hs__messages_plan(&w->messages, bytes, MPI_BYTE, peer, way)
                              : hs__messages_post(&w->messages, place, bytes, MPI_BYTE, peer, HS__WEIGHTS_TAG, way);
    }
    return status;
}

/* All that is needed, before the ranks agree. */
static hs_status prepare(weighing *w, const double *weight)
{
    const hs_layout *layout = w->layout;
    size_t ranks = (size_t)layout->context->size, units = (size_t)layout->units;
    int64_t mine = layout->count[layout->context->rank];
    w->weight = hs__array_new(units, sizeof *w->weight);
    w->prefix = hs__array_new(units + 1, sizeof *w->prefix);
    w->recut = w->operation == HS__OP_LAYOUT_WEIGHTS &&
               layout->array_count + layout->offsets_count + layout->storage_count == 0;
    w->count = hs__pool_new(&w->pool, ranks, sizeof *w->count);
    w->scratch = hs__pool_new(&w->pool, HS__SLICES_SCRATCH(ranks), sizeof *w->scratch);
    w->cycle = hs__pool_new(&w->pool, ranks, sizeof *w->cycle);
    w->comm = hs__pool_new(&w->pool, ranks, sizeof *w->comm);
    if (!w->weight || !w->prefix || hs__pool_status(&w->pool) != HS_OK)
        return hs__context_fail(layout->context, HS_ERR_NOMEM, "%s: no memory for the weights of %lld units",
                                hs__operation_name(w->operation), (long long)layout->units);
    if (mine > 0)
        memcpy(w->weight + layout->first, weight, (size_t)mine * sizeof *weight);
    hs_status status = each_message(w, HS__RECEIVE, 1);
    if (status == HS_OK)
        status = each_message(w, HS__SEND, 1);
    return status == HS_OK ? hs__messages_reserve(&w->messages) : status;
}

/* Receives first, so that no message arrives unexpected. */
static hs_status exchange(weighing *w)
{
    hs_status status = each_message(w, HS__RECEIVE, 0);
    if (status == HS_OK)
        status = each_message(w, HS__SEND, 0);
    return status == HS_OK ? hs__messages_wait(&w->messages) : status;
}

/* Cycle times as measured, or so far as first guessed; all alike when balancing is off. */
static void set_cycles(weighing *w, int off)
{
    const hs_layout *layout = w->layout;
    const hs__decider *decider = layout->balancer.decider;
    hs__layout_first_cycles(layout, w->cycle);
    if (decider)
        memcpy(w->cycle, hs__decider_cycles(decider), (size_t)layout->context->size * sizeof *w->cycle);
    for (int r = 0; off && r < layout->context->size; r++)
        w->cycle[r] = 1;
}

/* Slices by weight, the same on all ranks: of equal weight when balancing is off. */
static hs_status cut(weighing *w)
{
    const hs_layout *layout = w->layout;
    hs_context *context = layout->context;
    int off = context->params.mode == HS_BALANCE_OFF, sized = !off && hs__slices_sizes(&layout->slices);
    hs__slice_sizes sizes = layout->slices.paces.sizes;
    sizes.weight_bytes = hs__weight_bytes(w->prefix, layout->units, sizes.unit_bytes);
    const hs__slices_task task = {.prefix = w->prefix,
                                  .cycle_time = w->cycle,
                                  .comm_time = w->comm,
                                  .sizes = sized ? &sizes : NULL,
                                  .hosts = context->size,
                                  .units = layout->units,
                                  .minimum = layout->slices.minimum};
    set_cycles(w, off);
    hs_status status = hs__slices_cut(&task, HS_STEP_SERIAL, NULL, w->count, NULL, w->scratch);
    if (status == HS_ERR_INFEASIBLE && sized)
        hs__context_fail(context, status, "%s: no cut by these weights fits the hosts' largest slices (max_slice)",
                         hs__operation_name(w->operation));
    return status;
}

static hs_status plan(weighing *w)
{
    const hs_layout *layout = w->layout;
    hs_status status = hs__weights_sum(w->weight, layout->units, w->prefix);
    double sum = w->prefix[layout->units];
    if (status != HS_OK || !hs__quantity_in_range(sum))
        return hs__context_fail(layout->context, HS_ERR_ARG,
                                "%s: the sum of the weights is %g, expected 0 or 1e-100 to 1e100",
                                hs__operation_name(w->operation), sum);
    return w->recut ? cut(w) : HS_OK;
}

static hs_status agree(const weighing *w, hs_status mine)
{
    static const char *const names[HS__RECORD_VALUES] = {"the layout's units"};
    hs__record record = {w->operation, mine, {w->layout->units}, {0}};
    return hs__agree(w->layout->context, &record, names);
}

void hs__layout_weigh_slices(hs_layout *layout)
{
    if (layout->prefix)
        hs__slices_loads(&layout->slices, layout->count, layout->load);
}

/* Takes the new slices. What was measured holds, as seconds a unit of weight, unless a rank begins or ceases to have units: those
 * without report something else. */
static void take_slices(weighing *w)
{
    hs_layout *layout = w->layout;
    int other = 0;
    for (int r = 0; r < layout->context->size; r++) {
        other |= (layout->count[r] > 0) != (w->count[r] > 0);
        layout->count[r] = w->count[r];
    }
    layout->first = hs__layout_first(layout->count, layout->context->rank);
    if (other)
        hs__balancer_restart(&layout->balancer);
}

/* Puts the new arrays in the place of the old ones, which weighing_free() then frees. */
static void adopt(weighing *w)
{
    hs_layout *layout = w->layout;
    double *weight = layout->weight, *prefix = layout->prefix;
    layout->weight = w->weight;
    layout->prefix = w->prefix;
    w->weight = weight;
    w->prefix = prefix;
    hs__slices_weigh(&layout->slices, layout->prefix);
    if (w->recut)
        take_slices(w);
    hs__layout_weigh_slices(layout);
    hs__learning_forget(layout);
    hs__balancer_weigh(&layout->balancer, layout->load, layout->units, layout->weight);
    HS_ASSERT_SOUND(hs__layout_check, layout);
}

static void weighing_free(weighing *w, int under_way)
{
    hs__park_buffer(w->weight, under_way);
    free(w->prefix);
    hs__pool_free(&w->pool);
    hs__messages_free(&w->messages);
}

hs_status hs__layout_reweigh(hs_layout *layout, hs__operation operation, hs_status mine, const double *weight)
{
    weighing w = {.layout = layout, .operation = operation, .messages = {.context = layout->context}};
    hs_status status = agree(&w, mine == HS_OK ? prepare(&w, weight) : mine);
    int under_way = 0;
    if (status == HS_OK) {
        mine = exchange(&w);
        under_way = w.messages.count > 0;
        if (under_way)
            status = hs__messages_abandon(&w.messages, mine);
        else
            status = agree(&w, mine == HS_OK ? plan(&w) : mine);
    }
    if (status == HS_OK)
        adopt(&w);
    weighing_free(&w, under_way);
    return status;
}

hs_status hs_layout_weights(hs_layout *layout, const double *weight)
{
    fenv_t program;
    HS__RETURN_IF_NULL(layout);
    hs__library_enter(&program); /* programs call this between iterations */
    hs_status status = hs__context_begin(layout->context, __func__);
    if (status == HS_OK)
        status = hs__layout_reweigh(layout, HS__OP_LAYOUT_WEIGHTS, check_weights(layout, weight), weight);
    if (status == HS_OK)
        layout->learning.times.scale = 0; /* the program's scale is its own */
    hs__library_leave(&program);
    return status;
}

const double *hs_layout_get_weights(const hs_layout *layout)
{
    return layout->weight ? layout->weight + layout->first : NULL;
}
