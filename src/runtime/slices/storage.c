/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/slices/storage.h"
#include "runtime/base/parked_buffer.h"
#include "runtime/slices/spans.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/reserved.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

/* Behind the room of what is packed: what a callback writes there by mistake is told. */
enum { GUARD_BYTES = 256, GUARD = 0x5a };

/* A callback did not return what it should. */
static hs_status refuse(const hs_layout *layout, size_t storage, const char *callback, hs__span units, int64_t returned)
{
    hs_status status = returned < 0 && returned >= INT_MIN ? (hs_status)returned : HS_ERR_ARG;
    return hs__context_fail(layout->context, status, "storage %zu: %s of units %lld to %lld returned %lld: %s", storage,
                            callback, (long long)units.first, (long long)units.end - 1, (long long)returned,
                            hs_status_text(status));
}

/* Bytes that were written or read are not those that were said. */
static hs_status misstated(const hs_layout *layout, size_t storage, const char *did, hs__span units, int64_t bytes,
                           int64_t said)
{
    return hs__context_fail(layout->context, HS_ERR_ARG,
                            "storage %zu: units %lld to %lld were said to have %lld bytes, but %s %lld", storage,
                            (long long)units.first, (long long)units.end - 1, (long long)said, did, (long long)bytes);
}

/* ---- Registering ---- */

hs_status hs__storage_bytes(const hs_layout *layout, const hs_storage *storage, size_t number, int64_t *bytes,
                            int64_t *sum)
{
    hs__span held = hs__needed_span(layout->count, layout->context->rank, 0);
    int64_t all = 0, units = held.end - held.first;
    hs_status status = units > 0 ? storage->bytes(storage->owner, held.first, units, bytes) : HS_OK;
    if (status != HS_OK)
        return refuse(layout, number, "bytes", held, status);
    for (int64_t u = 0; u < units; u++)
        if (bytes[u] < 0 || __builtin_add_overflow(all, bytes[u], &all))
            return hs__context_fail(layout->context, HS_ERR_ARG,
                                    "storage %zu: bytes said %lld for unit %lld, expected 0 or more, and less than "
                                    "2^63 for all",
                                    number, (long long)bytes[u], (long long)(held.first + u));
    *sum = all;
    return HS_OK;
}

static hs_status check_storage(const hs_layout *layout, const hs_storage *storage)
{
    hs_context *context = layout->context;
    if (!storage || !storage->bytes || !storage->pack || !storage->unpack || !storage->remove)
        return hs__context_fail(context, HS_ERR_ARG, "hs_layout_add_storage: %s",
                                storage ? "a callback is NULL" : "storage is NULL");
    if (hs__reserved_check(storage->reserved, HS__RESERVED, NULL) != HS_OK)
        return hs__context_fail(context, HS_ERR_ARG, "hs_layout_add_storage: reserved[] is not all 0");
    return HS_OK;
}

/* Makes room, and asks for the bytes of the units. */
static hs_status prepare(hs_layout *layout, const hs_storage *storage, int64_t *sum)
{
    hs_status status = HS_ERR_NOMEM;
    int64_t *bytes = hs__array_new((size_t)layout->count[layout->context->rank], sizeof *bytes);
    if (bytes && hs__array_reserve(&layout->storages, &layout->storage_capacity, layout->storage_count + 1,
                                   sizeof *layout->storages) == 0)
        status = hs__storage_bytes(layout, storage, layout->storage_count, bytes, sum);
    else
        hs__context_fail(layout->context, status, "hs_layout_add_storage: no memory for %lld units",
                         (long long)layout->count[layout->context->rank]);
    free(bytes);
    return status;
}

hs_status hs_layout_add_storage(hs_layout *layout, const hs_storage *storage)
{
    HS__RETURN_IF_NULL(layout);
    static const char *const names[HS__RECORD_VALUES] = {"number of storages", "number of arrays"};
    hs_context *context = layout->context;
    int64_t sum = 0;
    hs_status status = hs__context_begin(context, __func__);
    if (status != HS_OK)
        return status;
    hs_status mine = check_storage(layout, storage);
    if (mine == HS_OK)
        mine = prepare(layout, storage, &sum);
    hs__record record = {
        HS__OP_ADD_STORAGE, mine, {(int64_t)layout->storage_count, (int64_t)layout->array_count}, {(double)sum}};
    status = hs__agree(context, &record, names);
    if (status != HS_OK)
        return status;
    for (int r = 0; r < context->size; r++)
        layout->stored += context->gathering.all[r].time[0];
    layout->storages[layout->storage_count++] = *storage;
    return HS_OK;
}

/* ---- Packing ---- */

/* The parts of a slice before and behind the units that stay; all of it is before them when none does. */
static void split(hs__span slice, hs__span kept, hs__span *part)
{
    if (kept.first >= kept.end)
        kept = (hs__span){slice.end, slice.end};
    part[0] = (hs__span){slice.first, kept.first};
    part[1] = (hs__span){kept.end, slice.end};
    HS_ASSERT(slice.first <= kept.first && kept.end <= slice.end);
}

/* Offsets of a slice's units in a buffer that has only some of them. */
static void fill_offsets(hs__span slice, const hs__span *part, const int64_t *bytes, int64_t *offset)
{
    for (int64_t u = slice.first, i = 0; u < slice.end; u++, i++) {
        int there = u < part[0].end || u >= part[1].first;
        offset[i + 1] = offset[i] + (there ? bytes[i] : 0);
    }
    HS_ASSERT(offset[part[0].end - slice.first] == offset[part[1].first - slice.first]); /* units that stay have none */
}

static hs_status pack_range(const hs_layout *layout, size_t k, hs__span range, const int64_t *bytes, char *buffer,
                            int64_t said)
{
    const hs_storage *s = &layout->storages[k];
    memset(buffer + said, GUARD, GUARD_BYTES);
    int64_t written = s->pack(s->owner, range.first, range.end - range.first, bytes, buffer);
    if (written < 0)
        return refuse(layout, k, "pack", range, written);
    int64_t beyond = 0;
    for (int64_t b = 0; b < GUARD_BYTES; b++)
        beyond = (unsigned char)buffer[said + b] != GUARD ? b + 1 : beyond;
    if (written != said || beyond > 0)
        return misstated(layout, k, "pack wrote", range, beyond > 0 ? said + beyond : written, said);
    return HS_OK;
}

static hs_status unpack_range(const hs_layout *layout, size_t k, hs__span range, const int64_t *bytes,
                              const char *buffer, int64_t said)
{
    const hs_storage *s = &layout->storages[k];
    int64_t read = s->unpack(s->owner, range.first, range.end - range.first, bytes, buffer);
    if (read < 0)
        return refuse(layout, k, "unpack", range, read);
    return read == said ? HS_OK : misstated(layout, k, "unpack read", range, read, said);
}

static hs_status allocate(hs__packed *p, int64_t held, int64_t units)
{
    const hs_layout *layout = p->layout;
    p->array = hs__array_new(layout->array_count + p->count, sizeof *p->array);
    p->buffer = hs__array_new(p->count, sizeof *p->buffer);
    p->offset = hs__array_new(2 * p->count, sizeof *p->offset);
    if (!p->array || !p->buffer || !p->offset)
        return HS_ERR_NOMEM;
    for (size_t k = 0; k < p->count; k++) {
        p->offset[k] = hs__array_new((size_t)held + 1, sizeof **p->offset);
        p->offset[p->count + k] = hs__array_new((size_t)units + 1, sizeof **p->offset);
        if (!p->offset[k] || !p->offset[p->count + k])
            return HS_ERR_NOMEM;
    }
    if (layout->array_count > 0)
        memcpy(p->array, layout->arrays, layout->array_count * sizeof *p->array);
    return HS_OK;
}

/* Packs what leaves of one storage. */
static hs_status pack(hs__packed *p, size_t k, const int64_t *bytes, int64_t first, int64_t units)
{
    const hs_layout *layout = p->layout;
    const int64_t *offset = p->offset[k];
    p->array[layout->array_count + k] = (hs__array){1, 0, &p->buffer[k], (int)(layout->offsets_count + k), NULL};
    p->buffer[k] = hs__array_aligned((size_t)offset[units] + GUARD_BYTES, ALIGNMENT);
    hs_status status = p->buffer[k] ? HS_OK : HS_ERR_NOMEM;
    for (int part = 0; part < 2 && status == HS_OK; part++) {
        hs__span range = p->leaving[part];
        int64_t from = offset[range.first - first];
        if (range.first < range.end)
            status = pack_range(layout, k, range, bytes + (range.first - first), (char *)p->buffer[k] + from,
                                offset[range.end - first] - from);
    }
    return status;
}

hs_status hs__pack(const hs_layout *layout, const int64_t *count, const hs__lengths *lengths, hs__packed *p)
{
    int rank = layout->context->rank;
    hs__span held = hs__needed_span(layout->count, rank, 0), next = hs__needed_span(count, rank, 0);
    hs__span kept = hs__span_in_both(held, next);
    p->layout = layout;
    p->count = layout->storage_count;
    split(held, kept, p->leaving);
    split(next, kept, p->arriving);
    hs_status status = allocate(p, held.end - held.first, next.end - next.first);
    for (size_t k = 0; k < p->count && status == HS_OK; k++) {
        size_t n = layout->offsets_count + k;
        fill_offsets(held, p->leaving, lengths->now[n], p->offset[k]);
        fill_offsets(next, p->arriving, lengths->next[n], p->offset[p->count + k]);
        status = pack(p, k, lengths->now[n], held.first, held.end - held.first);
    }
    return status;
}

hs_status hs__unpack(hs__packed *p, const hs__lengths *lengths, void *const *data)
{
    const hs_layout *layout = p->layout;
    int64_t first = p->arriving[0].first;
    HS_ASSERT(p->unpacked == 0);
    hs_status status = HS_OK;
    for (; p->unpacked < 2 * p->count && status == HS_OK; p->unpacked++) {
        size_t k = p->unpacked / 2;
        hs__span range = p->arriving[p->unpacked % 2];
        const int64_t *offset = p->offset[p->count + k];
        if (range.first == range.end)
            continue;
        int64_t from = offset[range.first - first];
        status =
            unpack_range(layout, k, range, (int64_t *)lengths->next[layout->offsets_count + k] + (range.first - first),
                         (const char *)data[k] + from, offset[range.end - first] - from);
    }
    return status;
}

static void remove_range(const hs_layout *layout, size_t k, hs__span range)
{
    const hs_storage *s = &layout->storages[k];
    HS_ASSERT(range.first <= range.end && k < layout->storage_count);
    if (range.first < range.end)
        s->remove(s->owner, range.first, range.end - range.first);
}

void hs__packed_adopt(hs__packed *p)
{
    HS_ASSERT(p->unpacked == 2 * p->count);
    for (size_t i = 0; i < 2 * p->count; i++)
        remove_range(p->layout, i / 2, p->leaving[i % 2]);
    p->unpacked = 0;
}

void hs__packed_free(hs__packed *p, int under_way)
{
    for (size_t i = 0; i < p->unpacked; i++)
        remove_range(p->layout, i / 2, p->arriving[i % 2]);
    for (size_t k = 0; p->buffer && k < p->count; k++)
        hs__park_buffer(p->buffer[k], under_way);
    for (size_t k = 0; p->offset && k < 2 * p->count; k++)
        free(p->offset[k]);
    free(p->array);
    free(p->buffer);
    free(p->offset);
}
