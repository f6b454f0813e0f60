/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/move.h"
#include "util/array.h"
#include <stdlib.h>
#include <string.h>

/* Messages are cut into pieces of this many bytes, far below what an int count can say. */
#define PIECE_BYTES ((size_t)1 << 30)

/* The new buffers and the messages of one move. */
typedef struct move_plan {
    hs_layout *layout;
    const int64_t *count; /* the new slices */
    void **base, **data;  /* of every array's new buffer */
    MPI_Request *requests;
    size_t request_count, request_capacity;
} move_plan;

static int is_edge(const int64_t *count, int rank, int size, int step)
{
    for (int r = rank + step; r >= 0 && r < size; r += step)
        if (count[r] > 0)
            return 0;
    return 1;
}

hs__range hs__owned_range(const hs_layout *layout, const int64_t *count, int rank, int64_t halo)
{
    hs__range range = {hs__layout_first(count, rank), 0};
    range.end = range.first + count[rank];
    if (count[rank] == 0 || layout->edges == HS_PERIODIC)
        return range;
    if (is_edge(count, rank, layout->context->size, -1))
        range.first -= halo;
    if (is_edge(count, rank, layout->context->size, 1))
        range.end += halo;
    return range;
}

hs__range hs__needed_range(const int64_t *count, int rank, int64_t halo)
{
    int64_t first = hs__layout_first(count, rank);
    if (count[rank] == 0)
        return (hs__range){first, first};
    return (hs__range){first - halo, first + count[rank] + halo};
}

/* Adds requests for bytes at place, cut into pieces; both sides cut alike. */
static hs_status post(move_plan *plan, char *place, size_t bytes, int peer, int tag, int sending)
{
    MPI_Comm comm = plan->layout->context->internal;
    for (size_t done = 0; done < bytes; done += PIECE_BYTES) {
        int piece = (int)(bytes - done < PIECE_BYTES ? bytes - done : PIECE_BYTES);
        if (hs__array_reserve(&plan->requests, &plan->request_capacity, plan->request_count + 1, sizeof(MPI_Request)) !=
            0)
            return HS_ERR_NOMEM;
        MPI_Request *request = &plan->requests[plan->request_count];
        int code = sending ? PMPI_Isend(place + done, piece, MPI_BYTE, peer, tag, comm, request)
                           : PMPI_Irecv(place + done, piece, MPI_BYTE, peer, tag, comm, request);
        if (code != MPI_SUCCESS)
            return HS_ERR_MPI;
        plan->request_count++;
    }
    return HS_OK;
}

typedef enum direction { RECEIVE, SEND } direction;

/* Posts what travels between this rank and peer for array a. A periodic need is met by shifting the source by whole
 * turns. */
static hs_status post_pair(move_plan *plan, size_t a, int peer, direction way)
{
    const hs_layout *layout = plan->layout;
    const hs__array *array = &layout->arrays[a];
    int rank = layout->context->rank, source = way == SEND ? rank : peer, sink = way == SEND ? peer : rank;
    hs__range owned = hs__owned_range(layout, layout->count, source, array->halo);
    hs__range needed = hs__needed_range(plan->count, sink, array->halo);
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
            memcpy(to, from, bytes);
            continue;
        }
        hs_status status = post(plan, way == SEND ? from : to, bytes, peer, (int)a + 2, way == SEND);
        if (status != HS_OK)
            return status;
    }
    return HS_OK;
}

/* Receives first, so that no message arrives unexpected. */
static hs_status transfer(move_plan *plan)
{
    const hs_context *context = plan->layout->context;
    for (direction way = RECEIVE; way <= SEND; way++)
        for (int step = 0; step < context->size; step++)
            for (size_t a = 0; a < plan->layout->array_count; a++) {
                int peer = (context->rank + step) % context->size;
                if (way == SEND && peer == context->rank)
                    continue; /* copied while receiving */
                hs_status status = post_pair(plan, a, peer, way);
                if (status != HS_OK)
                    return status;
            }
    return hs__wait_all(plan->layout->context, (int)plan->request_count, plan->requests);
}

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
    return HS_OK;
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
}

static void plan_free(move_plan *plan)
{
    for (size_t a = 0; plan->base && a < plan->layout->array_count; a++)
        free(plan->base[a]);
    free(plan->base);
    free(plan->data);
    free(plan->requests);
}

static hs_status agree_on(hs_layout *layout, hs_status mine)
{
    hs__record record = {HS__OP_MOVE, mine, {0}, {0}};
    return hs__agree(layout->context, &record, NULL);
}

hs_status hs__move(hs_layout *layout, const int64_t *count)
{
    move_plan plan = {.layout = layout, .count = count};
    hs_status status = agree_on(layout, allocate(&plan));
    if (status == HS_OK)
        status = agree_on(layout, transfer(&plan));
    if (status == HS_OK)
        adopt(&plan);
    plan_free(&plan);
    return status;
}
