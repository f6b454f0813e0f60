/* SPDX-License-Identifier: BSD-3-Clause */
/* From one plan to another. What a rank gets, its new box with the halo, is had by the old boxes and the fixed boundary
 * that these keep; every piece goes straight from there, from where it lies to where it belongs. */
#include "runtime/base/parked_buffer.h"
#include "runtime/boxes/boxes.h"
#include "runtime/session/transaction.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/clock.h"
#include <stdlib.h>

/* New buffers of one array, and the types of its messages. */
typedef struct moving {
    void *base, *data;
    MPI_Datatype *type[2]; /* by hs__direction, of each piece: a layer; owned */
    hs__box_exchange exchange;
} moving;

typedef struct move_plan {
    hs_box_layout *layout;
    const hs_box *box;      /* the new ones */
    hs__frame frame;        /* of this rank's new buffers */
    hs__piece_list list[2]; /* by hs__direction, host is the peer; this rank's own cells are in both */
    hs__piece_list halo;    /* of this rank's new box */
    moving *arrays;         /* owned */
    hs__messages messages;
    hs__transaction transaction;
} move_plan;

/* ---- What goes where. ---- */

static hs_status list_pieces(move_plan *plan)
{
    const hs_box_layout *layout = plan->layout;
    const hs_boxes_domain *domain = &layout->domain;
    const hs_box *old = hs_boxes_all(layout->plan), *new = plan->box;
    int rank = layout->context->rank, size = layout->context->size;
    hs_status status = hs__list_halo(domain, new, size, rank, &plan->halo);
    for (int step = 0; step < size && status == HS_OK; step++) {
        int peer = (rank + step) % size;
        status = hs__pieces_of_box(domain, domain->halo, &new[rank], &old[peer], peer, &plan->list[HS__RECEIVE]);
        if (status == HS_OK)
            status = hs__pieces_of_box(domain, domain->halo, &new[peer], &old[rank], peer, &plan->list[HS__SEND]);
    }
    return status;
}

/* A piece as its sender or its receiver counts the cells. */
static hs_box cells_of(const hs_box_piece *piece, hs__direction way)
{
    return way == HS__SEND ? hs__piece_at_owner(piece) : piece->cells;
}

static const hs__frame *frame_of(const move_plan *plan, hs__direction way)
{
    return way == HS__SEND ? &plan->layout->frame : &plan->frame;
}

/* Makes the types of an array's messages, and counts these. */
static hs_status prepare_messages(move_plan *plan, size_t a, hs__direction way)
{
    const hs__piece_list *list = &plan->list[way];
    moving *array = &plan->arrays[a];
    int64_t cell_bytes = plan->layout->arrays[a].cell_bytes;
    if (!(array->type[way] = hs__array_new(list->count, sizeof(MPI_Datatype))))
        return HS_ERR_NOMEM;
    for (size_t k = 0; k < list->count; k++)
        array->type[way][k] = MPI_DATATYPE_NULL;
    for (size_t k = 0; k < list->count; k++) {
        hs_box cells = cells_of(&list->piece[k], way);
        if (list->piece[k].host == plan->layout->context->rank)
            continue; /* copied */
        hs_status status = hs__frame_layer(frame_of(plan, way), &cells, cell_bytes, &array->type[way][k]);
        if (status == HS_OK)
            status = hs__messages_plan(&plan->messages, cells.count[0], array->type[way][k], list->piece[k].host, way);
        if (status != HS_OK)
            return status;
    }
    return HS_OK;
}

/* All that the move needs, before the ranks agree to it. */
static hs_status allocate(move_plan *plan)
{
    const hs_box_layout *layout = plan->layout;
    if (!(plan->arrays = hs__array_new(layout->array_count, sizeof *plan->arrays)))
        return HS_ERR_NOMEM;
    hs_status status = hs__box_refuse_exchange(layout, "hs_box_balance");
    if (status == HS_OK)
        status = hs__pointers_check(layout->context, "array", hs__box_pointer, layout, layout->array_count);
    if (status == HS_OK)
        status = list_pieces(plan);
    for (size_t a = 0; a < layout->array_count && status == HS_OK; a++) {
        moving *array = &plan->arrays[a];
        int64_t cell_bytes = layout->arrays[a].cell_bytes;
        status = hs__frame_allocate(&plan->frame, cell_bytes, &array->base, &array->data);
        if (status == HS_OK)
            status = hs__box_exchange_make(layout, plan->box, layout->arrays[a].tag, cell_bytes, array->data,
                                           &array->exchange);
        for (hs__direction way = HS__RECEIVE; status == HS_OK && way <= HS__SEND; way++)
            status = prepare_messages(plan, a, way);
    }
    return status == HS_OK ? hs__messages_reserve(&plan->messages) : status;
}

/* ---- Transfer. ---- */

static hs_status post(move_plan *plan, size_t a, hs__direction way)
{
    const hs_box_layout *layout = plan->layout;
    const hs__box_array *array = &layout->arrays[a];
    void *data = way == HS__SEND ? *array->data : plan->arrays[a].data;
    hs_status status = HS_OK;
    for (size_t k = 0; k < plan->list[way].count && status == HS_OK; k++) {
        const hs_box_piece *piece = &plan->list[way].piece[k];
        hs_box cells = cells_of(piece, way);
        if (piece->host != layout->context->rank)
            status = hs__messages_post(&plan->messages,
                                       hs__frame_cell(frame_of(plan, way), array->cell_bytes, data, cells.first),
                                       cells.count[0], plan->arrays[a].type[way][k], piece->host, hs__move_tag(a), way);
    }
    return status;
}

static void copy_own(const move_plan *plan, size_t a)
{
    const hs__box_array *array = &plan->layout->arrays[a];
    const hs__piece_list *list = &plan->list[HS__RECEIVE];
    for (size_t k = 0; k < list->count; k++)
        if (list->piece[k].host == plan->layout->context->rank)
            hs__frame_copy(&plan->layout->frame, *array->data, &plan->frame, plan->arrays[a].data, &list->piece[k],
                           array->cell_bytes);
}

/* Receives first, so that no message arrives unexpected; own cells are copied while the messages travel. */
static hs_status transfer(move_plan *plan)
{
    hs_status status = HS_OK;
    for (hs__direction way = HS__RECEIVE; way <= HS__SEND; way++)
        for (size_t a = 0; a < plan->layout->array_count && status == HS_OK; a++)
            status = post(plan, a, way);
    for (size_t a = 0; a < plan->layout->array_count && status == HS_OK; a++)
        copy_own(plan, a);
    return status == HS_OK ? hs__messages_wait(&plan->messages) : status;
}

/* ---- Whether the contents are what they were. ---- */

/* Adds up the pieces of one way: every cell counts as often as some rank will have it. */
static uint64_t add_up(const move_plan *plan, size_t a, hs__direction way)
{
    const hs_box_layout *layout = plan->layout;
    int64_t bytes = layout->arrays[a].cell_bytes, cell[HS__DIMS];
    void *data = way == HS__SEND ? *layout->arrays[a].data : plan->arrays[a].data;
    uint64_t sum = 0;
    for (size_t k = 0; k < plan->list[way].count; k++) {
        const hs_box_piece *piece = &plan->list[way].piece[k];
        hs_box cells = cells_of(piece, way), owned = hs__piece_at_owner(piece);
        for (int64_t i = 0, all = hs__box_cells(&cells); i < all; i++) {
            uint64_t number = 0;
            int64_t left = i;
            for (int d = HS__DIMS - 1; d >= 0; left /= cells.count[d--])
                cell[d] = cells.first[d] + left % cells.count[d];
            for (int d = 0; d < HS__DIMS; d++) /* as its owner counts it */
                number = (number << 21) + (uint64_t)(owned.first[d] + cell[d] - cells.first[d]);
            sum += hs__checksum_row(number, hs__frame_cell(frame_of(plan, way), bytes, data, cell), (size_t)bytes);
        }
    }
    return sum;
}

static void add_up_all(move_plan *plan, hs__moment moment)
{
    for (size_t a = 0; plan->transaction.checked && a < plan->layout->array_count; a++)
        hs__transaction_note(&plan->transaction, a, moment,
                             add_up(plan, a, moment == HS__BEFORE ? HS__SEND : HS__RECEIVE));
}

/* What has not come whole is not added up. */
static hs_status agree_to_adopt(move_plan *plan, hs_status mine)
{
    if (mine == HS_OK)
        add_up_all(plan, HS__AFTER);
    return hs__transaction_end(&plan->transaction, plan->layout->context, mine);
}

/* ---- The whole move. ---- */

int64_t hs__box_moved_cells(const hs_box *old, const hs_box *now, int ranks, int64_t *busiest)
{
    int64_t moved = 0;
    *busiest = 0;
    for (int r = 0; r < ranks; r++) {
        int64_t kept = hs__box_common(&old[r], &now[r]), got = hs__box_cells(&now[r]) - kept;
        int64_t exchanged = got + hs__box_cells(&old[r]) - kept;
        moved += got;
        *busiest = exchanged > *busiest ? exchanged : *busiest;
    }
    return moved;
}

static void swap_lists(hs__piece_list *a, hs__piece_list *b)
{
    hs__piece_list kept = *a;
    *a = *b;
    *b = kept;
}

/* Puts the new buffers, messages and pieces in the place of the old ones, which plan_free() then frees. */
static void adopt(move_plan *plan, hs_boxes *new)
{
    hs_box_layout *layout = plan->layout;
    int64_t cell_bytes = 0, busiest;
    int64_t moved = hs__box_moved_cells(hs_boxes_all(layout->plan), plan->box, layout->context->size, &busiest);
    for (size_t a = 0; a < layout->array_count; a++) {
        hs__box_array *array = &layout->arrays[a];
        hs__box_exchange old = array->exchange;
        plan->arrays[a].base = hs__frame_base(&layout->frame, array->cell_bytes, old.data);
        *array->data = plan->arrays[a].data;
        array->exchange = plan->arrays[a].exchange;
        plan->arrays[a].exchange = old;
        cell_bytes += array->cell_bytes;
    }
    swap_lists(&layout->halo, &plan->halo);
    hs_boxes_free(layout->plan);
    layout->plan = new;
    layout->step_s = hs_boxes_step_time(new);
    hs__box_measure(layout);
    layout->stats.moves++;
    layout->stats.moved_cells += moved;
    layout->stats.moved_bytes += moved * cell_bytes;
    HS_ASSERT_SOUND(hs__box_layout_check, layout);
}

static void moving_free(moving *array, const hs__piece_list *list, int given_up)
{
    for (int way = 0; way < 2; way++) {
        for (size_t k = 0; array->type[way] && k < list[way].count; k++)
            if (array->type[way][k] != MPI_DATATYPE_NULL)
                PMPI_Type_free(&array->type[way][k]); /* messages under way keep it */
        free(array->type[way]);
    }
    hs__box_exchange_free(&array->exchange);
    hs__park_buffer(array->base, given_up);
}

static void plan_free(move_plan *plan)
{
    for (size_t a = 0; plan->arrays && a < plan->layout->array_count; a++)
        moving_free(&plan->arrays[a], plan->list, plan->messages.count > 0);
    free(plan->arrays);
    free(plan->list[HS__RECEIVE].piece);
    free(plan->list[HS__SEND].piece);
    free(plan->halo.piece);
    hs__messages_free(&plan->messages);
}

hs_status hs__box_move(hs_box_layout *layout, hs_boxes *new)
{
    const hs_box *box = hs_boxes_all(new);
    move_plan plan = {.layout = layout,
                      .box = box,
                      .frame = hs__frame_of(&layout->domain, &box[layout->context->rank]),
                      .messages = {.context = layout->context},
                      .transaction = hs__transaction_new("array")};
    hs_status status = hs__transaction_begin(&plan.transaction, &plan.messages, allocate(&plan));
    if (status == HS_OK) {
        add_up_all(&plan, HS__BEFORE);
        status = transfer(&plan);
        layout->left_to_mpi = plan.messages.count > 0; /* it may still read the old boxes, and write to the new */
        status = layout->left_to_mpi ? hs__messages_abandon(&plan.messages, status) : agree_to_adopt(&plan, status);
    }
    if (status == HS_OK)
        adopt(&plan, new);
    plan_free(&plan);
    layout->stats.move_s += (double)(hs__clock_ns() - plan.transaction.begun) * 1e-9;
    return status;
}
