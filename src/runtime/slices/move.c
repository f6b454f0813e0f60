/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/slices/move.h"
#include "runtime/base/parked_buffer.h"
#include "runtime/session/messages.h"
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
    const int64_t *count; /* the new slices */
    void **base, **data;  /* of every array's new buffer */
    int counting;         /* messages are only counted */
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

/* Posts, or counts, what travels between this rank and peer for array a. A periodic need is met by shifting the source by whole
 * turns. */
static hs_status post_pair(move_plan *plan, size_t a, int peer, hs__direction way)
{
    const hs_layout *layout = plan->layout;
    const hs__array *array = &layout->arrays[a];
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
        size_t bytes = (size_t)((end - first) * array->unit_bytes);
        char *from = (char *)*array->data + (first - shift - layout->first) * array->unit_bytes;
        char *to = (char *)plan->data[a] + (first - hs__layout_first(plan->count, rank)) * array->unit_bytes;
        if (peer == rank) {
            if (!plan->counting)
                memcpy(to, from, bytes);
            continue;
        }
        hs_status status = plan->counting ? hs__messages_plan(&plan->messages, (int64_t)bytes, MPI_BYTE, peer, way)
                                          : hs__messages_post(&plan->messages, way == HS__SEND ? from : to,
                                                              (int64_t)bytes, MPI_BYTE, peer, (int)a + 2, way);
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
            for (size_t a = 0; a < plan->layout->array_count; a++) {
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
    const hs_layout *layout = plan->layout;
    plan->base = hs__array_new(layout->array_count, sizeof *plan->base);
    plan->data = hs__array_new(layout->array_count, sizeof *plan->data);
    if (!plan->base || !plan->data)
        return HS_ERR_NOMEM;
    for (size_t a = 0; a < layout->array_count; a++)
        if (!(plan->data[a] =
                  hs__array_allocate(&layout->arrays[a], plan->count[layout->context->rank], &plan->base[a])))
            return HS_ERR_NOMEM;
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
    for (size_t a = 0; plan->base && a < plan->layout->array_count; a++)
        hs__park_buffer(plan->base[a], plan->messages.count > 0);
    free(plan->base);
    free(plan->data);
    hs__messages_free(&plan->messages);
}

static hs_status agree_on(hs_layout *layout, hs_status mine, int64_t begun)
{
    hs__record record = {HS__OP_MOVE, mine, {0}, {0}};
    record.time[HS__MOVE_SECONDS] = (double)(hs__clock_ns() - begun) * 1e-9;
    record.time[HS__MOVE_CHECKED] = hs__checking();
    return hs__agree(layout->context, &record, NULL);
}

hs_status hs__move(hs_layout *layout, const int64_t *count)
{
    move_plan plan = {.layout = layout, .count = count, .messages = {.context = layout->context}};
    int64_t begun = hs__clock_ns();
    hs_status status = agree_on(layout, allocate(&plan), begun);
    if (status == HS_OK) {
        if (hs__gathered_least(layout->context, HS__MOVE_CHECKED) > 0)
            HS_ASSERT(hs__messages_check(&plan.messages, NULL) != HS_ERR_INTERNAL);
        status = transfer(&plan);
        layout->left_to_mpi = plan.messages.count > 0; /* it may still read the old buffers, and write to the new */
        if (layout->left_to_mpi)
            status = hs__messages_abandon(&plan.messages, status);
        else
            status = agree_on(layout, status, begun);
    }
    if (status == HS_OK)
        adopt(&plan);
    plan_free(&plan);
    return status;
}
