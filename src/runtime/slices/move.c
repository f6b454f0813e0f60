/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/slices/move.h"
#include "runtime/base/parked_buffer.h"
#include "runtime/session/transaction.h"
#include "runtime/slices/spans.h"
#include "runtime/slices/storage.h"
#include "util/array.h"
#include "util/assert.h"
#include <stdlib.h>
#include <string.h>

/* The new buffers and the messages of one move. */
typedef struct move_plan {
    hs_layout *layout;
    const int64_t *count;    /* the new slices */
    const hs__array *arrays; /* those that move */
    size_t array_count;
    const hs__lengths *lengths; /* with the new offsets; NULL: these are the lengths */
    hs__packed *packed;         /* of the units in storages, whose arrays are the last; NULL as lengths is */
    void **base, **data;        /* of every array's new buffer */
    int64_t received;           /* bytes of arrays with offsets that come from other ranks */
    int counting;               /* messages are only counted */
    int given_up;               /* MPI may still read the old buffers, and write to the new */
    uint64_t *sum;              /* of every array before the move; owned */
    hs__messages messages;
    hs__transaction transaction;
} move_plan;

/* Units of an array in a buffer: their first byte, and how many they have. */
typedef struct piece {
    char *place;
    int64_t bytes;
} piece;

static piece piece_of(const hs__array *array, void *data, const int64_t *offset, int64_t unit, int64_t units)
{
    int64_t first = offset ? offset[unit] : unit, end = offset ? offset[unit + units] : unit + units;
    return (piece){(char *)data + first * array->unit_bytes, (end - first) * array->unit_bytes};
}

/* Storages have the numbers behind those of offsets. */
static const int64_t *old_offsets(const move_plan *plan, const hs__array *array)
{
    const hs_layout *layout = plan->layout;
    if (array->offsets < 0)
        return NULL;
    size_t k = (size_t)array->offsets, n = layout->offsets_count;
    return k < n ? *layout->offsets[k].offset : plan->packed->offset[k - n];
}

static const int64_t *new_offsets(const move_plan *plan, const hs__array *array)
{
    if (array->offsets < 0)
        return NULL;
    size_t k = (size_t)array->offsets, n = plan->layout->offsets_count;
    return k < n ? plan->lengths->offset[k] : plan->packed->offset[plan->packed->count + k - n];
}

/* Posts, or counts, what travels between this rank and peer for array a. */
static hs_status post_pair(move_plan *plan, size_t a, int peer, hs__direction way)
{
    const hs_layout *layout = plan->layout;
    const hs__array *array = &plan->arrays[a];
    const int64_t *old = old_offsets(plan, array), *new = new_offsets(plan, array);
    int rank = layout->context->rank, source = way == HS__SEND ? rank : peer, sink = way == HS__SEND ? peer : rank;
    for (int64_t turn = -hs__wraps(layout); turn <= hs__wraps(layout); turn++) {
        int64_t shift = turn * layout->units;
        hs__span s = hs__common_span(layout, plan->count, array->halo, source, sink, shift);
        if (s.first == s.end)
            continue;
        piece from = {NULL, 0}, to = {NULL, 0};
        if (rank == source)
            from = piece_of(array, *array->data, old, s.first - shift - layout->first, s.end - s.first);
        if (rank == sink)
            to = piece_of(array, plan->data[a], new, s.first - hs__layout_first(plan->count, rank), s.end - s.first);
        if (peer == rank) {
            HS_ASSERT(from.bytes == to.bytes);
            if (!plan->counting && from.bytes > 0)
                memcpy(to.place, from.place, (size_t)from.bytes);
            continue;
        }
        piece mine = way == HS__SEND ? from : to;
        if (way == HS__RECEIVE && new && !plan->counting)
            plan->received += mine.bytes;
        hs_status status = plan->counting ? hs__messages_plan(&plan->messages, mine.bytes, MPI_BYTE, peer, way)
                                          : hs__messages_post(&plan->messages, mine.place, mine.bytes, MPI_BYTE, peer,
                                                              (int)a + 2, way);
        if (status != HS_OK)
            return status;
    }
    return HS_OK;
}

/* Receives first, so that no message arrives unexpected. */
static hs_status post_all(move_plan *plan)
{
    const hs_context *context = plan->layout->context;
    for (hs__direction way = HS__RECEIVE; way <= HS__SEND; way++)
        for (int step = 0; step < context->size; step++)
            for (size_t a = 0; a < plan->array_count; a++) {
                int peer = (context->rank + step) % context->size;
                if (way == HS__SEND && peer == context->rank)
                    continue; /* copied while receiving */
                hs_status status = post_pair(plan, a, peer, way);
                if (status != HS_OK)
                    return status;
            }
    return HS_OK;
}

static hs_status transfer(move_plan *plan)
{
    hs_status status = post_all(plan);
    return status == HS_OK ? hs__messages_wait(&plan->messages) : status;
}

/* All that the move needs, before the ranks agree to it. */
static hs_status allocate(move_plan *plan)
{
    int64_t units = plan->count[plan->layout->context->rank];
    plan->base = hs__array_new(plan->array_count, sizeof *plan->base);
    plan->data = hs__array_new(plan->array_count, sizeof *plan->data);
    plan->sum = hs__array_new(plan->array_count, sizeof *plan->sum);
    if (!plan->base || !plan->data || !plan->sum)
        return HS_ERR_NOMEM;
    for (size_t a = 0; a < plan->array_count; a++) {
        const hs__array *array = &plan->arrays[a];
        const int64_t *offset = new_offsets(plan, array);
        int64_t elements = offset ? offset[units] : units;
        if (!(plan->data[a] = hs__array_allocate(array, elements, &plan->base[a])))
            return HS_ERR_NOMEM;
    }
    plan->counting = 1;
    hs_status status = post_all(plan);
    plan->counting = 0;
    return status == HS_OK ? hs__messages_reserve(&plan->messages) : status;
}

/* ---- Whether the contents are what they were. ---- */

/* Adds up units s of an array, of which `origin` lies at data. In a periodic layout u stands for u modulo units. */
static uint64_t add_up(const hs_layout *layout, const hs__array *array, void *data, const int64_t *offset, hs__span s,
                       int64_t origin)
{
    uint64_t sum = 0;
    for (int64_t u = s.first; u < s.end; u++) {
        piece unit = piece_of(array, data, offset, u - origin, 1);
        int64_t row = hs__wraps(layout) ? (u % layout->units + layout->units) % layout->units : u;
        sum += hs__checksum_row((uint64_t)row, unit.place, (size_t)unit.bytes);
    }
    return sum;
}

/* What this rank is the source of, as often as some rank will have it: halos are checked too. */
static uint64_t add_up_sources(const move_plan *plan, const hs__array *array)
{
    const hs_layout *layout = plan->layout;
    uint64_t sum = 0;
    for (int sink = 0; sink < layout->context->size; sink++)
        for (int64_t turn = -hs__wraps(layout); turn <= hs__wraps(layout); turn++) {
            int64_t shift = turn * layout->units;
            hs__span s = hs__common_span(layout, plan->count, array->halo, layout->context->rank, sink, shift);
            sum += add_up(layout, array, *array->data, old_offsets(plan, array), s, layout->first + shift);
        }
    return sum;
}

/* What this rank will have. */
static uint64_t add_up_sinks(const move_plan *plan, size_t a)
{
    const hs__array *array = &plan->arrays[a];
    int rank = plan->layout->context->rank;
    return add_up(plan->layout, array, plan->data[a], new_offsets(plan, array),
                  hs__needed_span(plan->count, rank, array->halo), hs__layout_first(plan->count, rank));
}

static void add_up_before(move_plan *plan)
{
    for (size_t a = 0; plan->transaction.checked && a < plan->array_count; a++)
        plan->sum[a] = add_up_sources(plan, &plan->arrays[a]);
}

static hs_status agree_to_adopt(move_plan *plan, hs_status mine)
{
    hs__transaction *t = &plan->transaction;
    for (size_t a = 0; t->checked && a < plan->array_count; a++)
        hs__transaction_note(t, a, plan->sum[a], add_up_sinks(plan, a));
    t->last.time[HS__MOVE_RECEIVED] = (double)plan->received;
    return hs__transaction_end(t, plan->layout->context, mine);
}

/* ---- The whole move. ---- */

/* Puts the new buffers in the place of the old ones, which plan_free() then frees. */
static void adopt(move_plan *plan)
{
    hs_layout *layout = plan->layout;
    for (size_t a = 0; a < layout->array_count; a++) {
        plan->base[a] = hs__array_base(&layout->arrays[a], *layout->arrays[a].data);
        *layout->arrays[a].data = plan->data[a];
    }
    memcpy(layout->count, plan->count, (size_t)layout->context->size * sizeof *layout->count);
    layout->first = hs__layout_first(layout->count, layout->context->rank);
    hs__layout_weigh_slices(layout);
    HS_ASSERT(hs__layout_check(layout, NULL) == HS_OK);
}

static void plan_free(move_plan *plan)
{
    for (size_t a = 0; plan->base && a < plan->array_count; a++)
        hs__park_buffer(plan->base[a], plan->given_up);
    free(plan->base);
    free(plan->data);
    free(plan->sum);
    hs__messages_free(&plan->messages);
}

/* Fills the new buffers once all ranks have theirs. @param[in] mine  whether this rank could prepare the plan */
static hs_status perform(move_plan *plan, hs_status mine)
{
    hs_status status =
        hs__transaction_begin(&plan->transaction, &plan->messages, mine == HS_OK ? allocate(plan) : mine);
    if (status != HS_OK)
        return status;
    add_up_before(plan);
    status = transfer(plan);
    plan->given_up = plan->messages.count > 0;
    if (plan->given_up)
        return hs__messages_abandon(&plan->messages, status);
    if (status == HS_OK && plan->packed)
        status = hs__unpack(plan->packed, plan->lengths, plan->data + plan->layout->array_count);
    return agree_to_adopt(plan, status);
}

static double received_by_all(const hs_context *context)
{
    double sum = 0;
    for (int r = 0; r < context->size; r++)
        sum += context->gathering.all[r].time[HS__MOVE_RECEIVED];
    return sum;
}

/* The lengths of units whose elements will move; the new offsets are there then. */
static hs_status move_lengths(hs_layout *layout, const int64_t *count, hs__lengths *lengths)
{
    int64_t units = count[layout->context->rank];
    move_plan plan = {.layout = layout,
                      .count = count,
                      .messages = {.context = layout->context},
                      .transaction = hs__transaction_new("lengths of units, list")};
    hs_status status = hs__lengths_start(layout, units, lengths);
    plan.arrays = lengths->array;
    plan.array_count = lengths->count;
    plan.received = lengths->stored;
    status = perform(&plan, status);
    if (status == HS_OK) {
        hs__lengths_arrived(layout, lengths, plan.base, units);
        layout->stored = received_by_all(layout->context);
    }
    layout->left_to_mpi = plan.given_up;
    plan_free(&plan);
    return status;
}

/* Packs the units in storages, which then move as further arrays. */
static hs_status pack(move_plan *plan, hs__packed *packed)
{
    hs_status status = hs__pack(plan->layout, plan->count, plan->lengths, packed);
    plan->packed = packed;
    plan->arrays = packed->array;
    plan->array_count += packed->count;
    return status;
}

hs_status hs__move(hs_layout *layout, const int64_t *count)
{
    move_plan plan = {.layout = layout,
                      .count = count,
                      .arrays = layout->arrays,
                      .array_count = layout->array_count,
                      .messages = {.context = layout->context},
                      .transaction = hs__transaction_new("array")};
    hs__lengths lengths = {0};
    hs__packed packed = {0};
    hs_status status = HS_OK;
    if (layout->offsets_count + layout->storage_count > 0)
        status = move_lengths(layout, count, &lengths);
    plan.lengths = &lengths;
    if (status == HS_OK) {
        status = perform(&plan, layout->storage_count > 0 ? pack(&plan, &packed) : HS_OK);
        layout->left_to_mpi = plan.given_up;
    }
    if (status == HS_OK) {
        adopt(&plan);
        hs__lengths_adopt(layout, &lengths, count[layout->context->rank]);
        hs__packed_adopt(&packed);
        layout->moved_bytes += (int64_t)received_by_all(layout->context);
    }
    plan_free(&plan);
    hs__packed_free(&packed, layout->left_to_mpi);
    hs__lengths_free(&lengths, layout->left_to_mpi);
    return status;
}
