/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/slices/move.h"
#include "runtime/base/parked_buffer.h"
#include "runtime/session/transaction.h"
#include "runtime/slices/learn.h"
#include "runtime/slices/spans.h"
#include "runtime/slices/transfer.h"
#include "util/array.h"
#include "util/assert.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* At most so many rounds, however little memory is allowed. */
enum { MAX_ROUNDS = 100 };

/* The new buffers of one move, and what travels. */
typedef struct move_plan {
    hs__transfer transfer;
    void **base, **data; /* of every array's new buffer; owned */
    int given_up;        /* MPI may still read the old buffers, and write to the new */
    hs__transaction transaction;
} move_plan;

static move_plan plan_new(hs_layout *layout, const int64_t *count, int rounds, const char *noun)
{
    return (move_plan){
        .transfer = {.layout = layout, .count = count, .rounds = rounds, .messages = {.context = layout->context}},
        .transaction = hs__transaction_new(noun)};
}

/* Old and new buffers together exceed the larger of them by what a round carries of the smaller. Storages unpack by
 * callbacks, which may fail when everything has arrived: all old units must be there then. */
static int count_rounds(const hs_layout *layout)
{
    double rounds = ceil(1 / layout->context->params.move_memory);
    return layout->storage_count > 0 ? 1 : (int)fmin(rounds, MAX_ROUNDS);
}

/* Allocates the new buffer of an array. */
static hs_status allocate_array(move_plan *plan, size_t a)
{
    hs__transfer *t = &plan->transfer;
    const hs__array *array = &t->arrays[a];
    int64_t now = t->layout->count[t->layout->context->rank], next = t->count[t->layout->context->rank];
    const int64_t *old = hs__transfer_old_offsets(t, array), *new = hs__transfer_new_offsets(t, array);
    hs__zeroing zeroing = t->rounds > 1 ? HS__ZERO_WHEN_TOUCHED : HS__ZERO_NOW;
    t->held += hs__array_bytes(array, old ? old[now] : now);
    plan->data[a] = hs__array_allocate(array, new ? new[next] : next, zeroing, &plan->base[a]);
    return plan->data[a] ? HS_OK : HS_ERR_NOMEM;
}

/* All that the move needs, before the ranks agree to it. */
static hs_status allocate(move_plan *plan)
{
    hs__transfer *t = &plan->transfer;
    hs_status status = HS_OK;
    plan->base = hs__array_new(t->array_count, sizeof *plan->base);
    plan->data = t->data = hs__array_new(t->array_count, sizeof *plan->data);
    if (!plan->base || !plan->data)
        return HS_ERR_NOMEM;
    for (size_t a = 0; a < t->array_count && status == HS_OK; a++)
        status = allocate_array(plan, a);
    return status == HS_OK ? hs__transfer_reserve(t) : status;
}

/* ---- Whether the contents are what they were. ---- */

/* Adds up units s of an array, of which `origin` lies at data. In a periodic layout u stands for u modulo units. */
static uint64_t add_up(const hs_layout *layout, const hs__array *array, void *data, const int64_t *offset, hs__span s,
                       int64_t origin)
{
    uint64_t sum = 0;
    for (int64_t u = s.first; u < s.end; u++) {
        hs__piece unit = hs__piece_of(array, data, offset, u - origin, 1);
        int64_t row = hs__wraps(layout) ? (u % layout->units + layout->units) % layout->units : u;
        sum += hs__checksum_row((uint64_t)row, unit.place, (size_t)unit.bytes);
    }
    return sum;
}

/* What this rank is the source of, as often as some rank will have it: halos are checked too. */
static uint64_t add_up_sources(const hs__transfer *t, const hs__array *array)
{
    const hs_layout *layout = t->layout;
    uint64_t sum = 0;
    for (int sink = 0; sink < layout->context->size; sink++)
        for (int64_t turn = -hs__wraps(layout); turn <= hs__wraps(layout); turn++) {
            int64_t shift = turn * layout->units;
            hs__span s = hs__common_span(layout, t->count, array->halo, layout->context->rank, sink, shift);
            sum += add_up(layout, array, *array->data, hs__transfer_old_offsets(t, array), s, layout->first + shift);
        }
    return sum;
}

/* What this rank will have. */
static uint64_t add_up_sinks(const hs__transfer *t, size_t a)
{
    const hs__array *array = &t->arrays[a];
    int rank = t->layout->context->rank;
    return add_up(t->layout, array, t->data[a], hs__transfer_new_offsets(t, array),
                  hs__needed_span(t->count, rank, array->halo), hs__layout_first(t->count, rank));
}

static void add_up_all(move_plan *plan, hs__moment moment)
{
    const hs__transfer *t = &plan->transfer;
    for (size_t a = 0; plan->transaction.checked && a < t->array_count; a++)
        hs__transaction_note(&plan->transaction, a, moment,
                             moment == HS__BEFORE ? add_up_sources(t, &t->arrays[a]) : add_up_sinks(t, a));
}

/* What has not come whole is not added up. */
static hs_status agree_to_adopt(move_plan *plan, hs_status mine)
{
    if (mine == HS_OK)
        add_up_all(plan, HS__AFTER);
    plan->transaction.last.time[HS__MOVE_RECEIVED] = (double)plan->transfer.received;
    return hs__transaction_end(&plan->transaction, plan->transfer.layout->context, mine);
}

/* ---- The whole move. ---- */

/* Puts the new buffers in the place of the old ones, which plan_free() then frees. */
static void adopt(move_plan *plan)
{
    const hs__transfer *t = &plan->transfer;
    hs_layout *layout = t->layout;
    for (size_t a = 0; a < layout->array_count; a++) {
        hs__array *array = &layout->arrays[a];
        plan->base[a] = hs__array_base(array, array->given);
        *array->data = array->given = plan->data[a];
    }
    memcpy(layout->count, t->count, (size_t)layout->context->size * sizeof *layout->count);
    layout->first = hs__layout_first(layout->count, layout->context->rank);
    layout->peak_bytes = t->peak > layout->peak_bytes ? t->peak : layout->peak_bytes;
    hs__layout_weigh_slices(layout);
    hs__learning_forget(layout);
    HS_ASSERT_SOUND(hs__layout_check, layout);
}

static void plan_free(move_plan *plan)
{
    for (size_t a = 0; plan->base && a < plan->transfer.array_count; a++)
        hs__park_buffer(plan->base[a], plan->given_up);
    free(plan->base);
    free(plan->data);
    hs__messages_free(&plan->transfer.messages);
}

/* Says what is lost when a move that all ranks had agreed to has failed. */
static hs_status tell_loss(const hs__transfer *t, hs_status status)
{
    if (status < 0 && t->rounds > 1)
        hs__context_log(t->layout->context, HS__LOG_ERROR,
                        "the move in %d rounds failed: units that had left this rank are lost", t->rounds);
    return status;
}

/* Fills the new buffers once all ranks have theirs. @param[in] mine  whether this rank could prepare the plan */
static hs_status perform(move_plan *plan, hs_status mine)
{
    hs__transfer *t = &plan->transfer;
    hs_status status = hs__transaction_begin(&plan->transaction, &t->messages, mine == HS_OK ? allocate(plan) : mine);
    if (status != HS_OK)
        return status;
    add_up_all(plan, HS__BEFORE);
    status = hs__transfer_run(t);
    plan->given_up = t->messages.count > 0;
    if (plan->given_up)
        return tell_loss(t, hs__messages_abandon(&t->messages, status));
    if (status == HS_OK && t->packed)
        status = hs__unpack(t->packed, t->lengths, t->data + t->layout->array_count);
    return tell_loss(t, agree_to_adopt(plan, status));
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
    move_plan plan = plan_new(layout, count, 1, "lengths of units, list");
    hs_status status = hs__lengths_start(layout, units, lengths);
    plan.transfer.arrays = lengths->array;
    plan.transfer.array_count = lengths->count;
    plan.transfer.received = lengths->stored;
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
static hs_status pack(hs__transfer *t, hs__packed *packed)
{
    if (t->layout->storage_count == 0)
        return HS_OK;
    hs_status status = hs__pack(t->layout, t->count, t->lengths, packed);
    t->packed = packed;
    t->arrays = packed->array;
    t->array_count += packed->count;
    return status;
}

hs_status hs__move(hs_layout *layout, const int64_t *count)
{
    move_plan plan = plan_new(layout, count, count_rounds(layout), "array");
    hs__lengths lengths = {0};
    hs__packed packed = {0};
    hs_status status = HS_OK;
    plan.transfer.arrays = layout->arrays;
    plan.transfer.array_count = layout->array_count;
    plan.transfer.lengths = &lengths;
    if (layout->offsets_count + layout->storage_count > 0)
        status = move_lengths(layout, count, &lengths);
    if (status == HS_OK) {
        hs_status mine = hs__pointers_check(layout->context, "array", hs__array_pointer, layout, layout->array_count);
        status = perform(&plan, mine == HS_OK ? pack(&plan.transfer, &packed) : mine);
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
