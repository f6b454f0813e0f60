/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/slices/move.h"
#include "runtime/base/parked_buffer.h"
#include "runtime/session/messages.h"
#include "runtime/slices/ragged.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/clock.h"
#include <stdlib.h>
#include <string.h>

/* Units first <= u < end, global indices. */
typedef struct span {
    int64_t first, end;
} span;

/* The new buffers and the messages of one move. */
typedef struct move_plan {
    hs_layout *layout;
    const int64_t *count;    /* the new slices */
    const hs__array *arrays; /* those that move */
    size_t array_count;
    int64_t *const *offset; /* the new offsets, by number; NULL: no array has any */
    void **base, **data;    /* of every array's new buffer */
    int64_t received;       /* bytes of arrays with offsets that come from other ranks */
    int counting;           /* messages are only counted */
    int given_up;           /* MPI may still read the old buffers, and write to the new */
    hs__messages messages;
} move_plan;

static int is_edge(const int64_t *count, int rank, int size, int step)
{
    for (int r = rank + step; r >= 0 && r < size; r += step)
        if (count[r] > 0)
            return 0;
    return 1;
}

/* What a rank is the source of under slices count[]: its units and, at a fixed edge, the boundary beyond them. */
static span owned_span(const hs_layout *layout, const int64_t *count, int rank, int64_t halo)
{
    span found = {hs__layout_first(count, rank), 0};
    found.end = found.first + count[rank];
    if (count[rank] == 0 || layout->edges == HS_PERIODIC)
        return found;
    if (is_edge(count, rank, layout->context->size, -1))
        found.first -= halo;
    if (is_edge(count, rank, layout->context->size, 1))
        found.end += halo;
    return found;
}

/* What a rank needs under slices count[]: its units and their halos; empty without units. In a periodic layout the
 * range may reach below 0 or beyond the last unit: u stands for u modulo units. */
static span needed_span(const int64_t *count, int rank, int64_t halo)
{
    int64_t first = hs__layout_first(count, rank);
    if (count[rank] == 0)
        return (span){first, first};
    return (span){first - halo, first + count[rank] + halo};
}

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

/* Posts, or counts, what travels between this rank and peer for array a. A periodic need is met by shifting the source by whole
 * turns. */
static hs_status post_pair(move_plan *plan, size_t a, int peer, hs__direction way)
{
    const hs_layout *layout = plan->layout;
    const hs__array *array = &plan->arrays[a];
    int64_t *old = array->offsets < 0 ? NULL : *layout->offsets[array->offsets].offset;
    int64_t *new = array->offsets < 0 ? NULL : plan->offset[array->offsets];
    int rank = layout->context->rank, source = way == HS__SEND ? rank : peer, sink = way == HS__SEND ? peer : rank;
    span owned = owned_span(layout, layout->count, source, array->halo);
    span needed = needed_span(plan->count, sink, array->halo);
    int64_t turns = layout->edges == HS_PERIODIC ? 1 : 0;
    for (int64_t turn = -turns; turn <= turns; turn++) {
        int64_t shift = turn * layout->units;
        int64_t first = owned.first + shift > needed.first ? owned.first + shift : needed.first;
        int64_t end = owned.end + shift < needed.end ? owned.end + shift : needed.end;
        if (owned.first == owned.end || first >= end)
            continue;
        piece from = {NULL, 0}, to = {NULL, 0};
        if (rank == source)
            from = piece_of(array, *array->data, old, first - shift - layout->first, end - first);
        if (rank == sink)
            to = piece_of(array, plan->data[a], new, first - hs__layout_first(plan->count, rank), end - first);
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
    if (!plan->base || !plan->data)
        return HS_ERR_NOMEM;
    for (size_t a = 0; a < plan->array_count; a++) {
        const hs__array *array = &plan->arrays[a];
        int64_t elements = array->offsets < 0 ? units : plan->offset[array->offsets][units];
        if (!(plan->data[a] = hs__array_allocate(array, elements, &plan->base[a])))
            return HS_ERR_NOMEM;
    }
    plan->counting = 1;
    hs_status status = post_all(plan);
    plan->counting = 0;
    return status == HS_OK ? hs__messages_reserve(&plan->messages) : status;
}

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
    hs__messages_free(&plan->messages);
}

static hs_status agree_on(const move_plan *plan, hs_status mine, int64_t begun)
{
    hs__record record = {HS__OP_MOVE, mine, {0}, {0}};
    record.time[HS__MOVE_RECEIVED] = (double)plan->received;
    record.time[HS__MOVE_SECONDS] = (double)(hs__clock_ns() - begun) * 1e-9;
    record.time[HS__MOVE_CHECKED] = hs__checking();
    return hs__agree(plan->layout->context, &record, NULL);
}

/* Fills the new buffers once all ranks have theirs. @param[in] mine  whether this rank could prepare the plan */
static hs_status perform(move_plan *plan, hs_status mine, int64_t begun)
{
    hs_status status = agree_on(plan, mine == HS_OK ? allocate(plan) : mine, begun);
    if (status != HS_OK)
        return status;
    if (hs__gathered_least(plan->layout->context, HS__MOVE_CHECKED) > 0)
        HS_ASSERT(hs__messages_check(&plan->messages, NULL) != HS_ERR_INTERNAL);
    status = transfer(plan);
    plan->given_up = plan->messages.count > 0;
    return plan->given_up ? hs__messages_abandon(&plan->messages, status) : agree_on(plan, status, begun);
}

/* The lengths of units whose elements will move; the new offsets are there then. */
static hs_status move_lengths(hs_layout *layout, const int64_t *count, hs__lengths *lengths, int64_t begun)
{
    int64_t units = count[layout->context->rank];
    move_plan plan = {.layout = layout, .count = count, .messages = {.context = layout->context}};
    hs_status status = hs__lengths_start(layout, units, lengths);
    plan.arrays = lengths->array;
    plan.array_count = lengths->count;
    status = perform(&plan, status, begun);
    if (status == HS_OK)
        hs__lengths_arrived(lengths, plan.data, units);
    layout->left_to_mpi = plan.given_up;
    plan_free(&plan);
    return status;
}

static double received_by_all(const hs_context *context)
{
    double sum = 0;
    for (int r = 0; r < context->size; r++)
        sum += context->gathering.all[r].time[HS__MOVE_RECEIVED];
    return sum;
}

hs_status hs__move(hs_layout *layout, const int64_t *count)
{
    move_plan plan = {.layout = layout,
                      .count = count,
                      .arrays = layout->arrays,
                      .array_count = layout->array_count,
                      .messages = {.context = layout->context}};
    hs__lengths lengths = {0};
    int64_t begun = hs__clock_ns();
    hs_status status = layout->offsets_count > 0 ? move_lengths(layout, count, &lengths, begun) : HS_OK;
    plan.offset = lengths.offset;
    if (status == HS_OK) {
        status = perform(&plan, HS_OK, begun);
        layout->left_to_mpi = plan.given_up;
    }
    if (status == HS_OK) {
        adopt(&plan);
        hs__lengths_adopt(layout, &lengths, count[layout->context->rank]);
        layout->moved_bytes += (int64_t)received_by_all(layout->context);
    }
    plan_free(&plan);
    hs__lengths_free(&lengths, layout->left_to_mpi);
    return status;
}
