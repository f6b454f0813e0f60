/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/slices/layout.h"
#include "runtime/base/parked_buffer.h"
#include "runtime/slices/ragged.h"
#include "runtime/watch/library.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/pages.h"
#include <heteroslice/hs_slices.h>
#include <stdlib.h>
#include <string.h>

/* Buffers begin on a cache line, and so does the first unit when the halo is a multiple of one. */
#define ALIGNMENT 64

int64_t hs__layout_first(const int64_t *count, int r)
{
    int64_t first = 0;
    for (int i = 0; i < r; i++)
        first += count[i];
    return first;
}

void hs_layout_free(hs_layout *layout)
{
    if (!layout)
        return;
    hs__context_disown(layout->context, &layout->owned);
    for (size_t a = 0; a < layout->array_count; a++)
        if (hs__pointers_hold(hs__array_pointer, layout, layout->array_count, a))
            hs__park_buffer(hs__array_base(&layout->arrays[a], layout->arrays[a].given), layout->left_to_mpi);
    for (size_t a = 0; a < layout->array_count; a++)
        *layout->arrays[a].data = NULL;
    hs__offsets_free(layout);
    hs__balancer_end(&layout->balancer);
    hs__slices_end(&layout->slices);
    hs__unit_times_end(&layout->learning.times);
    hs__counters_close(layout->learning.counters);
    free(layout->arrays);
    free(layout->storages);
    free(layout->weight);
    free(layout->prefix);
    free(layout->load);
    free(layout->count);
    free(layout);
}

static void free_owned(hs__owned *layout)
{
    hs_layout_free((hs_layout *)layout);
}

static const char *find_kept(const hs__owned *owned, const void *place, size_t *number)
{
    const hs_layout *layout = (const hs_layout *)owned;
    for (*number = 0; *number < layout->array_count; ++*number)
        if (layout->arrays[*number].data == place)
            return "array";
    int offsets = hs__offsets_find(layout, place);
    *number = (size_t)offsets;
    return offsets >= 0 ? "offsets" : NULL;
}

static hs_status check_create(hs_context *context, int64_t units, int64_t halo, hs_edges edges)
{
    if (units < 1)
        return hs__context_fail(context, HS_ERR_ARG, "hs_layout_create: units is %lld, expected at least 1",
                                (long long)units);
    if (halo < 0 || halo > units)
        return hs__context_fail(context, HS_ERR_ARG, "hs_layout_create: halo is %lld, expected 0 to units, %lld",
                                (long long)halo, (long long)units);
    if (edges != HS_FIXED && edges != HS_PERIODIC)
        return hs__context_fail(context, HS_ERR_ARG, "hs_layout_create: edges is %d, expected HS_FIXED or HS_PERIODIC",
                                (int)edges);
    return HS_OK;
}

static hs_status build_layout(hs_context *context, int64_t units, int64_t halo, hs_edges edges, hs_layout **out)
{
    hs_layout *layout = hs__array_new(1, sizeof *layout);
    if (!layout)
        return HS_ERR_NOMEM;
    layout->context = context;
    layout->units = units;
    layout->halo = halo;
    layout->edges = edges;
    layout->count = hs__array_new((size_t)context->size, sizeof *layout->count);
    layout->load = hs__array_new((size_t)context->size, sizeof *layout->load);
    layout->balancer = (hs__balancer){.context = context,
                                      .kind = &hs__layout_kind,
                                      .layout = layout,
                                      .units = layout->count,
                                      .periodic = edges == HS_PERIODIC,
                                      .horizon = context->params.steps};
    hs_status status = layout->count && layout->load ? hs__layout_first_slices(layout) : HS_ERR_NOMEM;
    if (status != HS_OK) {
        hs_layout_free(layout);
        return status;
    }
    layout->first = hs__layout_first(layout->count, context->rank);
    *out = layout;
    return HS_OK;
}

static hs_status create(hs_context *context, int64_t units, int64_t halo, hs_edges edges, hs_layout **out)
{
    static const char *const names[HS__RECORD_VALUES] = {"units", "halo", "edges"};
    hs_layout *layout = NULL;
    hs_status status = hs__context_begin(context, "hs_layout_create");
    if (status != HS_OK)
        return status;
    hs_status mine = hs__context_check_given(context, "hs_layout_create: layout", out);
    if (mine == HS_OK)
        mine = check_create(context, units, halo, edges);
    if (mine == HS_OK)
        mine = build_layout(context, units, halo, edges, &layout);
    hs__record record = {HS__OP_LAYOUT_CREATE, mine, {units, halo, edges}, {0}};
    status = hs__agree(context, &record, names);
    if (status != HS_OK) {
        hs_layout_free(layout);
        return status;
    }
    hs__context_own(context, &layout->owned, (hs__owned){.free = free_owned, .find = find_kept});
    hs__balancer_restart(&layout->balancer);
    HS_ASSERT_SOUND(hs__layout_check, layout);
    *out = layout;
    return HS_OK;
}

hs_status hs_layout_create(hs_context *context, int64_t units, int64_t halo, hs_edges edges, hs_layout **layout)
{
    fenv_t program;
    HS__RETURN_IF_NULL(context);
    hs__library_enter(&program);
    hs_status status = create(context, units, halo, edges, layout);
    hs__library_leave(&program);
    return status;
}

hs_status hs__layout_check(const hs_layout *layout, hs_error *error)
{
    int64_t minimum = layout->halo > 0 ? layout->halo : 1;
    hs_status status = hs_slices_check(layout->count, layout->context->size, layout->units, minimum, error);
    int64_t first = hs__layout_first(layout->count, layout->context->rank);
    if (status == HS_OK && layout->first != first)
        status = hs_error_set(error, HS_ERR_INTERNAL, 0, "the slice of rank %d begins at %lld, not at %lld",
                              layout->context->rank, (long long)first, (long long)layout->first);
    if (status == HS_OK && layout->prefix &&
        layout->load[layout->context->rank] !=
            layout->prefix[first + layout->count[layout->context->rank]] - layout->prefix[first])
        status = hs_error_set(error, HS_ERR_INTERNAL, 0, "the slice of rank %d does not weigh %g",
                              layout->context->rank, layout->load[layout->context->rank]);
    if (status == HS_OK && layout->learning.ready && layout->learning.times.units > 0 &&
        layout->learning.times.units != layout->count[layout->context->rank])
        status = hs_error_set(error, HS_ERR_INTERNAL, 0, "times are of %lld units, not of the slice of rank %d",
                              (long long)layout->learning.times.units, layout->context->rank);
    for (size_t a = 0; a < layout->array_count && status == HS_OK; a++) {
        const hs__array *array = &layout->arrays[a];
        if (array->halo < 0 || array->halo > layout->halo || array->offsets >= (int)layout->offsets_count ||
            array->unit_bytes < 1 || !array->given || (uintptr_t)hs__array_base(array, array->given) % ALIGNMENT != 0)
            status = hs_error_set(error, HS_ERR_INTERNAL, 0, "array %zu has a halo of %lld, or no buffer", a,
                                  (long long)array->halo);
    }
    return status;
}

/* ---- Arrays ---- */

static int64_t halo_bytes(const hs__array *array)
{
    return array->halo * array->unit_bytes;
}

/* The first unit lies behind the halo; the halo is padded so that the unit is aligned whatever its size. */
static size_t lead_bytes(const hs__array *array)
{
    return ((size_t)halo_bytes(array) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

int64_t hs__array_bytes(const hs__array *array, int64_t count)
{
    int64_t units, bytes;
    int overflows = __builtin_add_overflow(count, array->halo, &units) ||
                    __builtin_mul_overflow(units, array->unit_bytes, &bytes) ||
                    __builtin_add_overflow(bytes, (int64_t)lead_bytes(array), &bytes);
    return overflows ? -1 : bytes;
}

void *hs__array_allocate(const hs__array *array, int64_t count, hs__zeroing zeroing, void **base)
{
    int64_t size = hs__array_bytes(array, count);
    void *buffer = size < 0 ? NULL : hs__array_aligned((size_t)size, ALIGNMENT);
    if (!buffer)
        return NULL;
    if (zeroing == HS__ZERO_NOW)
        memset(buffer, 0, (size_t)size);
    else
        hs__pages_zero(buffer, (size_t)size);
    *base = buffer;
    return (char *)buffer + lead_bytes(array);
}

void *hs__array_base(const hs__array *array, void *data)
{
    return data ? (char *)data - lead_bytes(array) : NULL;
}

hs__pointer hs__array_pointer(const void *layout, size_t a)
{
    const hs__array *array = &((const hs_layout *)layout)->arrays[a];
    return (hs__pointer){*array->data, array->given, {array->unit_bytes, array->halo, array->offsets}};
}

void hs__array_add(hs_layout *layout, const hs__array *array, void *first)
{
    HS_ASSERT(layout->array_count < layout->array_capacity);
    hs__array *own = &layout->arrays[layout->array_count++];
    *own = *array;
    *own->data = own->given = first;
}

static hs_status check_array(hs_layout *layout, int64_t unit_bytes, int64_t halo, void **data)
{
    if (unit_bytes < 1)
        return hs__context_fail(layout->context, HS_ERR_ARG,
                                "hs_layout_add_array: unit_bytes is %lld, expected at least 1", (long long)unit_bytes);
    if (halo < 0 || halo > layout->halo)
        return hs__context_fail(layout->context, HS_ERR_ARG,
                                "hs_layout_add_array: halo is %lld, expected 0 to the layout's, %lld", (long long)halo,
                                (long long)layout->halo);
    return hs__context_check_place(layout->context, &layout->owned, "hs_layout_add_array: data", data);
}

hs_status hs_layout_add_array(hs_layout *layout, int64_t unit_bytes, int64_t halo, void **data)
{
    HS__RETURN_IF_NULL(layout);
    static const char *const names[HS__RECORD_VALUES] = {"unit_bytes", "halo", "array number"};
    hs_context *context = layout->context;
    hs__array array = {unit_bytes, halo, data, -1, NULL};
    void *base = NULL, *first = NULL;
    hs_status status = hs__context_begin(context, __func__);
    if (status != HS_OK)
        return status;
    hs_status mine = check_array(layout, unit_bytes, halo, data);
    if (mine == HS_OK &&
        (hs__array_reserve(&layout->arrays, &layout->array_capacity, layout->array_count + 1, sizeof array) != 0 ||
         !(first = hs__array_allocate(&array, layout->count[context->rank], HS__ZERO_NOW, &base))))
        mine = hs__context_fail(context, HS_ERR_NOMEM,
                                "hs_layout_add_array: no memory for %lld units of %lld bytes and a halo of %lld",
                                (long long)layout->count[context->rank], (long long)unit_bytes, (long long)halo);
    hs__record record = {HS__OP_ADD_ARRAY, mine, {unit_bytes, halo, (int64_t)layout->array_count}, {0}};
    status = hs__agree(context, &record, names);
    if (status != HS_OK) {
        free(base);
        return status;
    }
    hs__array_add(layout, &array, first);
    HS_ASSERT_SOUND(hs__layout_check, layout);
    return HS_OK;
}

/* ---- Asking ---- */

const int64_t *hs_layout_counts(const hs_layout *layout)
{
    return layout->count;
}

int64_t hs_layout_peak_bytes(const hs_layout *layout)
{
    return layout->peak_bytes;
}

/* The next rank with units from r in direction step; MPI_PROC_NULL at a fixed edge. */
static int next_with_units(const hs_layout *layout, int r, int step)
{
    int size = layout->context->size;
    for (int i = 1; i <= size; i++) {
        int other = r + i * step;
        if (layout->edges == HS_PERIODIC)
            other = ((other % size) + size) % size;
        else if (other < 0 || other >= size)
            return MPI_PROC_NULL;
        if (layout->count[other] > 0)
            return other;
    }
    return MPI_PROC_NULL;
}

hs_slice hs_layout_slice(const hs_layout *layout)
{
    int rank = layout->context->rank;
    hs_slice slice = {layout->first, layout->count[rank], MPI_PROC_NULL, MPI_PROC_NULL};
    if (slice.count > 0) {
        slice.prev = next_with_units(layout, rank, -1);
        slice.next = next_with_units(layout, rank, 1);
    }
    return slice;
}

void hs_layout_get_stats(const hs_layout *layout, hs_layout_stats *stats)
{
    const hs__balance_counts *counts = &layout->balancer.counts;
    *stats = (hs_layout_stats){.iterations = counts->iterations,
                               .phases = counts->phases,
                               .moves = counts->moves,
                               .moved_units = layout->moved_units,
                               .moved_bytes = layout->moved_bytes,
                               .decide_s = counts->decide_s,
                               .move_s = counts->move_s,
                               .compute_s = counts->compute_s};
}
