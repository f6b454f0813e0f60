/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/boxes/boxes.h"
#include "runtime/base/parked_buffer.h"
#include "runtime/session/link_rate.h"
#include "runtime/session/messages.h"
#include "runtime/watch/library.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/clock.h"
#include "util/hash.h"
#include "util/reserved.h"
#include <heteroslice/hs_version.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#define DEFAULT_HALO_BYTES 8

/* ---- Creating ---- */

static hs_status check_create(hs_context *context, const hs_boxes_domain *domain, const hs_box_params *params)
{
    hs_error error = {0, ""};
    if (hs__domain_check(domain, &error) != HS_OK || hs__method_check(params->method, domain->dims, &error) != HS_OK)
        return hs__context_fail(context, HS_ERR_ARG, "hs_box_create: %s", error.text);
    if (params->halo_bytes < 0 || params->steps < 0)
        return hs__context_fail(context, HS_ERR_ARG,
                                "hs_box_create: halo_bytes is %lld, steps is %lld, expected 0 or more",
                                (long long)params->halo_bytes, (long long)params->steps);
    if (hs__reserved_check(params->reserved, HS__RESERVED, NULL) != HS_OK)
        return hs__context_fail(context, HS_ERR_ARG, "hs_box_create: reserved[] is not all 0, as version %s expects",
                                hs_library_version());
    return HS_OK;
}

/* Seconds a cell by rank from what is known of the speeds; relative unless W is known. */
static void first_cycles(const hs_box_layout *layout, double *cycle)
{
    const hs_context *context = layout->context;
    const int64_t *extent = layout->domain.extent;
    double cells = (double)extent[0] * (double)extent[1] * (double)extent[2];
    double cell_work = context->params.work > 0 ? context->params.work / cells : 1;
    for (int r = 0; r < context->size; r++)
        cycle[r] = context->speed[r] > 0 ? cell_work / context->speed[r] : INFINITY;
}

/* A halo comes over both of a rank's links in the ring's plan, or is as slow as the slowest message measured. */
static void set_halo_times(hs_box_layout *layout, double byte_s)
{
    const hs__rank_order *order = &layout->context->order;
    double bytes = (double)(layout->params.halo_bytes > 0 ? layout->params.halo_bytes : DEFAULT_HALO_BYTES);
    for (int r = 0; r < layout->context->size; r++) {
        int planned = order->memberships > 0 && isfinite(order->byte_s[r]);
        layout->halo_time[r] = bytes * (planned ? order->byte_s[r] / 2 : byte_s);
    }
}

static hs_status start_balancer(hs_box_layout *layout)
{
    layout->balancer = (hs__balancer){.context = layout->context,
                                      .kind = &hs__box_kind,
                                      .layout = layout,
                                      .units = layout->cells,
                                      .horizon = layout->params.steps};
    return hs__balancer_start(&layout->balancer, layout->cycle);
}

hs__boxes_costs hs__box_costs(const hs_box_layout *layout, const double *cycle)
{
    double bytes = (double)(layout->params.halo_bytes > 0 ? layout->params.halo_bytes : DEFAULT_HALO_BYTES);
    return (hs__boxes_costs){.cycle = cycle,
                             .halo = layout->halo_time,
                             .hosts = layout->context->size,
                             .model = layout->context->params.model,
                             .network = layout->network.hosts > 0 ? &layout->network : NULL,
                             .cell_bytes = bytes};
}

static hs_status first_plan(hs_box_layout *layout, double byte_s)
{
    hs_context *context = layout->context;
    hs_boxes_params with = {.method = layout->params.method, .model = context->params.model};
    int comparable = context->params.work > 0 && context->params.mode != HS_BALANCE_OFF;
    hs_error error = {0, ""};
    first_cycles(layout, layout->cycle);
    set_halo_times(layout, byte_s);
    hs__boxes_costs costs = hs__box_costs(layout, layout->cycle);
    if (!comparable) {
        costs.halo = NULL;
        costs.network = NULL;
    }
    hs_status status = hs__boxes_create(&layout->domain, &costs, &with, &layout->plan, &error);
    return status == HS_OK ? status : hs__context_fail(context, status, "hs_box_create: %s", error.text);
}

static hs_status build(hs_context *context, const hs_boxes_domain *domain, const hs_box_params *params, double byte_s,
                       hs__boxes_network *network, hs_box_layout **out)
{
    hs_box_layout *layout = hs__array_new(1, sizeof *layout);
    size_t ranks = (size_t)context->size;
    if (!layout)
        return HS_ERR_NOMEM;
    layout->context = layout->balancer.context = context;
    layout->domain = hs__domain_complete(domain);
    layout->params = *params;
    layout->network = *network;
    *network = (hs__boxes_network){0};
    layout->cells = hs__array_new(ranks, sizeof *layout->cells);
    layout->halo_time = hs__array_new(ranks, sizeof *layout->halo_time);
    layout->cycle = hs__array_new(ranks, sizeof *layout->cycle);
    hs_status status = layout->cells && layout->halo_time && layout->cycle ? HS_OK : HS_ERR_NOMEM;
    if (status == HS_OK)
        status = first_plan(layout, byte_s);
    if (status == HS_OK)
        status =
            hs__list_halo(&layout->domain, hs_boxes_all(layout->plan), context->size, context->rank, &layout->halo);
    if (status == HS_OK) {
        layout->step_s = hs_boxes_step_time(layout->plan);
        hs__box_measure(layout);
        status = start_balancer(layout);
    }
    if (status == HS_OK)
        *out = layout;
    else
        hs_box_free(layout);
    return status;
}

static void free_owned(hs__owned *layout)
{
    hs_box_free((hs_box_layout *)layout);
}

static const char *find_kept(const hs__owned *owned, const void *place, size_t *number)
{
    const hs_box_layout *layout = (const hs_box_layout *)owned;
    for (*number = 0; *number < layout->array_count; ++*number)
        if (layout->arrays[*number].data == place)
            return "array";
    return NULL;
}

/* Before anything is sent: all ranks have called this, with values that are in order. */
static hs_status agree_to_create(hs_context *context, const hs_boxes_domain *domain, const hs_box_params *params,
                                 hs_box_layout **out)
{
    static const char *const names[HS__RECORD_VALUES] = {"steps", "halo_bytes", "method", "~domain"};
    hs_status mine = hs__context_check_given(context, "hs_box_create: layout", out);
    if (mine == HS_OK)
        mine = check_create(context, domain, params);
    hs_boxes_domain whole = mine == HS_OK ? hs__domain_complete(domain) : (hs_boxes_domain){0};
    uint64_t hash = hs__hash_bytes(HS__HASH_START, whole.extent, sizeof whole.extent);
    hash = hs__hash_bytes(hash, whole.periodic, sizeof whole.periodic);
    hash = hs__hash_add(hs__hash_add(hs__hash_add(hash, (uint64_t)whole.dims), (uint64_t)whole.halo),
                        (uint64_t)whole.stencil);
    hs__record record = {
        HS__OP_BOX_CREATE, mine, {params->steps, params->halo_bytes, (int64_t)params->method, (int64_t)hash}, {0}};
    return hs__agree(context, &record, names);
}

/* As hs_box_create(). */
static hs_status create(hs_context *context, const hs_boxes_domain *domain, const hs_box_params *params,
                        hs_box_layout **out)
{
    hs_box_params with = params ? *params : (hs_box_params){0};
    hs_box_layout *layout = NULL;
    hs__boxes_network network = {0};
    double byte_s = 0;
    hs_status status = hs__context_begin(context, "hs_box_create");
    if (status == HS_OK)
        status = agree_to_create(context, domain, &with, out);
    if (status == HS_OK && context->params.mode != HS_BALANCE_OFF && context->size > 1)
        status = hs__link_rate_measure(context, &byte_s);
    if (status == HS_OK)
        status = hs__box_network_share(context, &network);
    if (status != HS_OK)
        return status;
    int64_t begun = hs__clock_ns();
    hs_status mine = build(context, domain, &with, byte_s, &network, &layout);
    hs__boxes_network_free(&network);
    hs__record record = {HS__OP_BOX_CREATE, mine, {0}, {(double)(hs__clock_ns() - begun) * 1e-9}};
    status = hs__agree(context, &record, NULL);
    if (status != HS_OK) {
        hs_box_free(layout);
        return status;
    }
    layout->balancer.byte_s = byte_s;
    hs__planning_took(&layout->balancer.planning, hs__gathered_most(context, 0));
    hs__balancer_restart(&layout->balancer);
    HS_ASSERT_SOUND(hs__box_layout_check, layout);
    hs__context_own(context, &layout->owned, (hs__owned){.free = free_owned, .find = find_kept});
    *out = layout;
    return HS_OK;
}

hs_status hs_box_create(hs_context *context, const hs_boxes_domain *domain, const hs_box_params *params,
                        hs_box_layout **layout)
{
    fenv_t program;
    HS__RETURN_IF_NULL(context);
    hs__library_enter(&program);
    hs_status status = create(context, domain, params, layout);
    hs__library_leave(&program);
    return status;
}

void hs_box_free(hs_box_layout *layout)
{
    if (!layout)
        return;
    hs__context_disown(layout->context, &layout->owned);
    int left_to_mpi = layout->left_to_mpi || hs__box_exchanging(layout);
    for (size_t a = 0; a < layout->array_count; a++) {
        hs__box_array *array = &layout->arrays[a];
        if (hs__pointers_hold(hs__box_pointer, layout, layout->array_count, a))
            hs__park_buffer(hs__frame_base(&layout->frame, array->cell_bytes, array->exchange.data), left_to_mpi);
    }
    for (size_t a = 0; a < layout->array_count; a++) {
        hs__box_exchange_free(&layout->arrays[a].exchange);
        *layout->arrays[a].data = NULL;
    }
    hs__balancer_end(&layout->balancer);
    hs_boxes_free(layout->candidate);
    hs_boxes_free(layout->plan);
    free(layout->halo.piece);
    free(layout->arrays);
    free(layout->cycle);
    free(layout->halo_time);
    hs__boxes_network_free(&layout->network);
    free(layout->cells);
    free(layout);
}

void hs__box_measure(hs_box_layout *layout)
{
    const hs_box *box = hs_boxes_all(layout->plan);
    for (int r = 0; r < layout->context->size; r++)
        layout->cells[r] = hs__box_cells(&box[r]);
    layout->frame = hs__frame_of(&layout->domain, &box[layout->context->rank]);
}

int64_t hs__box_plan_hash(const hs_boxes *plan, int ranks)
{
    uint64_t hash = hs__hash_bytes(HS__HASH_START, hs_boxes_all(plan), (size_t)ranks * sizeof(hs_box));
    return (int64_t)hs__hash_add(hash, (uint64_t)hs_boxes_method_of(plan));
}

hs_status hs__box_layout_check(const hs_box_layout *layout, hs_error *error)
{
    int ranks = layout->context->size;
    const hs_box *box = hs_boxes_all(layout->plan);
    hs_status status = hs__boxes_tile(&layout->domain, box, ranks, error);
    for (int r = 0; status == HS_OK && r < ranks; r++)
        if (layout->cells[r] != hs__box_cells(&box[r]))
            status = hs_error_set(error, HS_ERR_INTERNAL, 0, "rank %d has %lld cells, its box another number", r,
                                  (long long)layout->cells[r]);
    for (size_t a = 0; status == HS_OK && a < layout->array_count; a++)
        if (!layout->arrays[a].exchange.data != (layout->cells[layout->context->rank] == 0))
            status = hs_error_set(error, HS_ERR_INTERNAL, 0, "array %zu has no memory, or has some without cells", a);
    return status;
}

/* ---- Arrays ---- */

static hs_status check_array(const hs_box_layout *layout, const hs__box_array *array)
{
    if (array->cell_bytes < 1 || array->cell_bytes > INT_MAX)
        return hs__context_fail(layout->context, HS_ERR_ARG, "hs_box_add_array: cell_bytes is %lld, expected 1 to %d",
                                (long long)array->cell_bytes, INT_MAX);
    if (layout->array_count >= HS__EXCHANGE_TAGS)
        return hs__context_fail(layout->context, HS_ERR_ARG, "hs_box_add_array: a layout has at most %d arrays",
                                HS__EXCHANGE_TAGS);
    return hs__context_check_place(layout->context, &layout->owned, "hs_box_add_array: data", array->data);
}

hs__pointer hs__box_pointer(const void *layout, size_t a)
{
    const hs__box_array *array = &((const hs_box_layout *)layout)->arrays[a];
    return (hs__pointer){*array->data, array->exchange.data, {array->cell_bytes}};
}

/* Makes room for one more, its buffer and its messages. */
static hs_status add(hs_box_layout *layout, hs__box_array *array, void **base, void **data)
{
    const hs_box *box = hs_boxes_all(layout->plan);
    hs_status status = check_array(layout, array);
    if (status != HS_OK)
        return status;
    status = HS_ERR_NOMEM;
    if (hs__array_reserve(&layout->arrays, &layout->array_capacity, layout->array_count + 1, sizeof *array) == 0)
        status = hs__frame_allocate(&layout->frame, array->cell_bytes, base, data);
    if (status == HS_OK)
        status = hs__box_exchange_make(layout, box, array->tag, array->cell_bytes, *data, &array->exchange);
    if (status != HS_OK)
        return hs__context_fail(layout->context, status, "hs_box_add_array: %lld cells of %lld bytes and a halo: %s",
                                (long long)layout->cells[layout->context->rank], (long long)array->cell_bytes,
                                hs_status_text(status));
    HS_ASSERT(layout->array_count < layout->array_capacity && !array->exchange.under_way);
    return HS_OK;
}

hs_status hs_box_add_array(hs_box_layout *layout, int64_t cell_bytes, void **data)
{
    HS__RETURN_IF_NULL(layout);
    static const char *const names[HS__RECORD_VALUES] = {"cell_bytes", "array number"};
    hs_context *context = layout->context;
    hs__box_array array = {.cell_bytes = cell_bytes, .data = data, .tag = HS__EXCHANGE_TAG + context->exchanges};
    void *base = NULL, *first = NULL;
    hs_status status = hs__context_begin(context, __func__);
    if (status != HS_OK)
        return status;
    hs_status mine = add(layout, &array, &base, &first);
    hs__record record = {HS__OP_BOX_ADD_ARRAY, mine, {cell_bytes, (int64_t)layout->array_count}, {0}};
    status = hs__agree(context, &record, names);
    if (status != HS_OK) {
        hs__box_exchange_free(&array.exchange);
        free(base);
        return status;
    }
    layout->arrays[layout->array_count++] = array;
    context->exchanges = (context->exchanges + 1) % HS__EXCHANGE_TAGS;
    *data = first;
    HS_ASSERT_SOUND(hs__box_layout_check, layout);
    return HS_OK;
}

/* ---- Asking ---- */

hs_box hs_box_mine(const hs_box_layout *layout)
{
    return hs_boxes_all(layout->plan)[layout->context->rank];
}

const hs_box *hs_box_all(const hs_box_layout *layout)
{
    return hs_boxes_all(layout->plan);
}

int64_t hs_box_stride(const hs_box_layout *layout, int d)
{
    return layout->frame.stride[d];
}

hs_boxes_method hs_box_method(const hs_box_layout *layout)
{
    return hs_boxes_method_of(layout->plan);
}

const hs_box_piece *hs_box_neighbours(const hs_box_layout *layout, int *count)
{
    *count = (int)layout->halo.count;
    return layout->halo.piece;
}

double hs_box_step_time(const hs_box_layout *layout)
{
    return layout->step_s;
}

/* In rows and grids: the rank that has the cells just beyond one side; a wide halo may reach further ones, too. */
static int next_along(const hs_box_layout *layout, int d, int side)
{
    const hs_box mine = hs_box_mine(layout);
    for (size_t k = 0; k < layout->halo.count; k++) {
        const hs_box *cells = &layout->halo.piece[k].cells;
        const int *at = layout->halo.piece[k].side;
        int is_face = at[d] == side && at[(d + 1) % HS__DIMS] == 0 && at[(d + 2) % HS__DIMS] == 0;
        int touches = side < 0 ? cells->first[d] + cells->count[d] == mine.first[d]
                               : cells->first[d] == mine.first[d] + mine.count[d];
        if (is_face && touches)
            return layout->halo.piece[k].host;
    }
    return MPI_PROC_NULL;
}

hs_status hs_box_shift(const hs_box_layout *layout, int d, int *before, int *behind)
{
    HS__RETURN_IF_NULL(layout);
    hs_boxes_method method = hs_box_method(layout);
    hs__context_clear(layout->context);
    if (method == HS_BOXES_COLUMNS || method == HS_BOXES_SLABS)
        return hs__context_fail(layout->context, HS_ERR_STATE,
                                "hs_box_shift: columns of boxes and slabs may have several neighbours on a side");
    if (d < 0 || d >= layout->domain.dims)
        return hs__context_fail(layout->context, HS_ERR_ARG, "hs_box_shift: dimension %d, expected 0 to %d", d,
                                layout->domain.dims - 1);
    if (!before || !behind)
        return hs__context_check_given(layout->context, before ? "hs_box_shift: behind" : "hs_box_shift: before", NULL);
    *before = next_along(layout, d, -1);
    *behind = next_along(layout, d, 1);
    return HS_OK;
}

void hs_box_get_stats(const hs_box_layout *layout, hs_box_stats *stats)
{
    const hs__balance_counts *counts = &layout->balancer.counts;
    *stats = layout->stats;
    stats->steps = counts->iterations;
    stats->phases = counts->phases;
    stats->decide_s = counts->decide_s;
    stats->compute_s = counts->compute_s;
}
