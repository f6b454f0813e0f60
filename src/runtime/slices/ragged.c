/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/slices/ragged.h"
#include "runtime/base/parked_buffer.h"
#include "runtime/slices/storage.h"
#include "util/array.h"
#include "util/assert.h"
#include <stdlib.h>

/* Elements of this rank's units of an array. */
static int64_t elements_of(const hs_layout *layout, const hs__array *array)
{
    return array->offsets < 0 ? layout->count[layout->context->rank] : layout->offsets[array->offsets].elements;
}

/* Offsets from lengths. @return elements of all units; -1: the sum is above 2^63 - 1 */
static int64_t sum_up(const int64_t *length, int64_t units, int64_t *offset)
{
    offset[0] = 0;
    for (int64_t u = 0; u < units; u++)
        if (__builtin_add_overflow(offset[u], length[u], &offset[u + 1]))
            return -1;
    return offset[units];
}

/* ---- Registering ---- */

int hs__offsets_find(const hs_layout *layout, const void *place)
{
    for (size_t k = 0; k < layout->offsets_count; k++)
        if (layout->offsets[k].offset == place)
            return (int)k;
    return -1;
}

static hs_status check_lengths(const hs_layout *layout, const int64_t *elements, int64_t *const *offset)
{
    hs_context *context = layout->context;
    int64_t units = layout->count[context->rank];
    hs_status status = hs__context_check_place(context, &layout->owned, "hs_layout_add_offsets: offset", offset);
    if (status != HS_OK)
        return status;
    if (!elements && units > 0)
        return hs__context_fail(context, HS_ERR_ARG, "hs_layout_add_offsets: elements is NULL");
    for (int64_t u = 0; u < units; u++)
        if (elements[u] < 0)
            return hs__context_fail(context, HS_ERR_ARG,
                                    "hs_layout_add_offsets: unit %lld has %lld elements, expected 0 or more",
                                    (long long)(layout->first + u), (long long)elements[u]);
    return HS_OK;
}

static hs_status make_offsets(hs_layout *layout, const int64_t *elements, int64_t **buffer, int64_t *sum)
{
    hs_context *context = layout->context;
    int64_t units = layout->count[context->rank];
    *buffer = hs__array_new((size_t)units + 1, sizeof **buffer);
    if (!*buffer || hs__array_reserve(&layout->offsets, &layout->offsets_capacity, layout->offsets_count + 1,
                                      sizeof *layout->offsets) != 0)
        return hs__context_fail(context, HS_ERR_NOMEM, "hs_layout_add_offsets: no memory for %lld units",
                                (long long)units);
    *sum = sum_up(elements, units, *buffer);
    if (*sum < 0)
        return hs__context_fail(context, HS_ERR_ARG,
                                "hs_layout_add_offsets: the elements add up to more than 2^63 - 1");
    return HS_OK;
}

hs_status hs_layout_add_offsets(hs_layout *layout, const int64_t *elements, int64_t **offset)
{
    HS__RETURN_IF_NULL(layout);
    static const char *const names[HS__RECORD_VALUES] = {"number of offsets", "number of arrays"};
    hs_context *context = layout->context;
    hs__offsets added = {offset, 0, 0};
    int64_t *buffer = NULL;
    hs_status status = hs__context_begin(context, __func__);
    if (status != HS_OK)
        return status;
    hs_status mine = check_lengths(layout, elements, offset);
    if (mine == HS_OK)
        mine = make_offsets(layout, elements, &buffer, &added.elements);
    hs__record record = {HS__OP_ADD_OFFSETS,
                         mine,
                         {(int64_t)layout->offsets_count, (int64_t)layout->array_count},
                         {(double)added.elements}};
    status = hs__agree(context, &record, names);
    if (status != HS_OK) {
        free(buffer);
        return status;
    }
    for (int r = 0; r < context->size; r++)
        added.all += context->gathering.all[r].time[0];
    layout->offsets[layout->offsets_count++] = added;
    *offset = buffer;
    return HS_OK;
}

static hs_status check_ragged(const hs_layout *layout, int64_t element_bytes, int offsets, void **data)
{
    hs_context *context = layout->context;
    if (element_bytes < 1)
        return hs__context_fail(context, HS_ERR_ARG, "hs_layout_add_ragged: element_bytes is %lld, expected at least 1",
                                (long long)element_bytes);
    if (offsets < 0)
        return hs__context_fail(context, HS_ERR_ARG,
                                "hs_layout_add_ragged: offset is no pointer that hs_layout_add_offsets() was given");
    return hs__context_check_place(context, &layout->owned, "hs_layout_add_ragged: data", data);
}

hs_status hs_layout_add_ragged(hs_layout *layout, int64_t element_bytes, int64_t *const *offset, void **data)
{
    HS__RETURN_IF_NULL(layout);
    static const char *const names[HS__RECORD_VALUES] = {"element_bytes", "number of its offsets", "array number"};
    hs_context *context = layout->context;
    hs__array array = {element_bytes, 0, data, hs__offsets_find(layout, offset), NULL};
    void *base = NULL, *first = NULL;
    hs_status status = hs__context_begin(context, __func__);
    if (status != HS_OK)
        return status;
    hs_status mine = check_ragged(layout, element_bytes, array.offsets, data);
    if (mine == HS_OK &&
        (hs__array_reserve(&layout->arrays, &layout->array_capacity, layout->array_count + 1, sizeof array) != 0 ||
         !(first = hs__array_allocate(&array, elements_of(layout, &array), HS__ZERO_NOW, &base))))
        mine =
            hs__context_fail(context, HS_ERR_NOMEM, "hs_layout_add_ragged: no memory for %lld elements of %lld bytes",
                             (long long)elements_of(layout, &array), (long long)element_bytes);
    hs__record record = {HS__OP_ADD_RAGGED, mine, {element_bytes, array.offsets, (int64_t)layout->array_count}, {0}};
    status = hs__agree(context, &record, names);
    if (status != HS_OK) {
        free(base);
        return status;
    }
    hs__array_add(layout, &array, first);
    return HS_OK;
}

double hs__ragged_unit_bytes(const hs_layout *layout)
{
    double bytes = (double)layout->offsets_count * sizeof(int64_t);
    for (size_t a = 0; a < layout->array_count; a++)
        if (layout->arrays[a].offsets >= 0)
            bytes += layout->offsets[layout->arrays[a].offsets].all / (double)layout->units *
                     (double)layout->arrays[a].unit_bytes;
    return bytes;
}

void hs__offsets_free(hs_layout *layout)
{
    for (size_t k = 0; k < layout->offsets_count; k++) {
        free(*layout->offsets[k].offset); /* MPI never reads them */
        *layout->offsets[k].offset = NULL;
    }
    free(layout->offsets);
}

/* ---- Moving ---- */

/* What the library allocated is what the offsets still say. */
static hs_status check_offsets(const hs_layout *layout, size_t k)
{
    const hs__offsets *own = &layout->offsets[k];
    const int64_t *offset = *own->offset;
    int64_t units = layout->count[layout->context->rank], u = 0;
    if (offset && offset[0] == 0)
        while (u < units && offset[u] <= offset[u + 1])
            u++;
    if (offset && offset[0] == 0 && u == units && offset[units] == own->elements)
        return HS_OK;
    return hs__context_fail(layout->context, HS_ERR_ARG,
                            "the program changed offsets %zu: they are not ascending at unit %lld, or do not go from 0 "
                            "to the %lld elements of this rank",
                            k, (long long)(layout->first + u), (long long)own->elements);
}

static hs_status allocate(const hs_layout *layout, int64_t count, hs__lengths *lengths)
{
    size_t n = lengths->count = layout->offsets_count + layout->storage_count;
    int64_t units = layout->count[layout->context->rank];
    lengths->array = hs__array_new(n, sizeof *lengths->array);
    lengths->now = hs__array_new(n, sizeof *lengths->now);
    lengths->next = hs__array_new(n, sizeof *lengths->next);
    lengths->offset = hs__array_new(n, sizeof *lengths->offset);
    if (!lengths->array || !lengths->now || !lengths->next || !lengths->offset)
        return HS_ERR_NOMEM;
    for (size_t k = 0; k < n; k++) {
        lengths->now[k] = hs__array_new((size_t)units, sizeof(int64_t));
        lengths->array[k] = (hs__array){sizeof(int64_t), 0, &lengths->now[k], -1, NULL};
        if (k < layout->offsets_count)
            lengths->offset[k] = hs__array_new((size_t)count + 1, sizeof(int64_t));
        if (!lengths->now[k] || (k < layout->offsets_count && !lengths->offset[k]))
            return HS_ERR_NOMEM;
    }
    return HS_OK;
}

hs_status hs__lengths_start(const hs_layout *layout, int64_t count, hs__lengths *lengths)
{
    int64_t units = layout->count[layout->context->rank];
    hs_status status = allocate(layout, count, lengths);
    for (size_t k = 0; k < layout->offsets_count && status == HS_OK; k++) {
        status = check_offsets(layout, k);
        for (int64_t u = 0; u < units && status == HS_OK; u++)
            ((int64_t *)lengths->now[k])[u] = (*layout->offsets[k].offset)[u + 1] - (*layout->offsets[k].offset)[u];
    }
    for (size_t k = 0; k < layout->storage_count && status == HS_OK; k++) {
        int64_t bytes = 0;
        status = hs__storage_bytes(layout, &layout->storages[k], k, lengths->now[layout->offsets_count + k], &bytes);
        lengths->stored += bytes;
    }
    return status;
}

void hs__lengths_arrived(const hs_layout *layout, hs__lengths *lengths, void **length, int64_t count)
{
    for (size_t k = 0; k < lengths->count; k++) {
        HS_ASSERT(length[k] && !lengths->next[k]);
        lengths->next[k] = length[k];
        length[k] = NULL;
    }
    for (size_t k = 0; k < layout->offsets_count; k++) {
        int64_t elements = sum_up(lengths->next[k], count, lengths->offset[k]);
        HS_ASSERT(elements >= 0);
        (void)elements;
    }
}

void hs__lengths_adopt(hs_layout *layout, hs__lengths *lengths, int64_t count)
{
    for (size_t k = 0; k < layout->offsets_count; k++) {
        int64_t *old = *layout->offsets[k].offset;
        *layout->offsets[k].offset = lengths->offset[k];
        layout->offsets[k].elements = lengths->offset[k][count];
        lengths->offset[k] = old;
    }
}

void hs__lengths_free(hs__lengths *lengths, int under_way)
{
    for (size_t k = 0; k < lengths->count; k++) {
        if (lengths->now)
            hs__park_buffer(lengths->now[k], under_way);
        if (lengths->next)
            free(lengths->next[k]);
        if (lengths->offset)
            free(lengths->offset[k]);
    }
    free(lengths->array);
    free(lengths->now);
    free(lengths->next);
    free(lengths->offset);
}
