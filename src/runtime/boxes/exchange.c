/* SPDX-License-Identifier: BSD-3-Clause */
/* Halos by persistent requests: all pieces between two ranks are one message, of a type that takes the cells from where
 * they lie and puts them where they belong. A rank that is its own neighbour sends to itself. */
#include "runtime/boxes/boxes.h"
#include "runtime/session/messages.h"
#include "runtime/watch/monitor.h"
#include "util/array.h"
#include <stdlib.h>

/* The pieces of one message as they lie in this rank's buffer. */
typedef struct message {
    const hs_box_layout *layout;
    hs__frame frame;
    int64_t cell_bytes;
    void *data;
    hs__direction way;
    const hs__piece_list *list;
} message;

/* Part k of a message: as many layers from there on. */
static hs_status layers_of(const message *m, size_t k, MPI_Datatype *layer, int *count, MPI_Aint *at)
{
    const hs_box_piece *piece = &m->list->piece[k];
    hs_box cells = m->way == HS__SEND ? hs__piece_at_owner(piece) : piece->cells;
    *count = (int)cells.count[0];
    *at = (MPI_Aint)(hs__frame_cell(&m->frame, m->cell_bytes, m->data, cells.first) - (char *)m->data);
    return hs__frame_layer(&m->frame, &cells, m->cell_bytes, layer);
}

static hs_status message_type(const message *m, MPI_Datatype *type)
{
    size_t pieces = m->list->count, made = 0;
    hs__pool pool = {0};
    MPI_Datatype *layer = hs__pool_new(&pool, pieces, sizeof(MPI_Datatype));
    int *count = hs__pool_new(&pool, pieces, sizeof *count);
    MPI_Aint *at = hs__pool_new(&pool, pieces, sizeof *at);
    hs_status status = hs__pool_status(&pool);
    for (; status == HS_OK && made < pieces; made += status == HS_OK)
        status = layers_of(m, made, &layer[made], &count[made], &at[made]);
    if (status == HS_OK && (PMPI_Type_create_struct((int)pieces, count, at, layer, type) != MPI_SUCCESS ||
                            PMPI_Type_commit(type) != MPI_SUCCESS))
        status = HS_ERR_MPI;
    for (size_t k = 0; k < made; k++)
        PMPI_Type_free(&layer[k]);
    hs__pool_free(&pool);
    return status;
}

/* Makes the message of one way between this rank and a peer, when they share any halo. */
static hs_status add_message(const message *m, int peer, int tag, hs__box_exchange *exchange)
{
    MPI_Comm comm = m->layout->context->internal;
    MPI_Request *request = &exchange->request[exchange->count];
    MPI_Datatype type;
    if (m->list->count == 0)
        return HS_OK;
    hs_status status = message_type(m, &type);
    if (status != HS_OK)
        return status;
    int code = m->way == HS__SEND ? PMPI_Send_init(m->data, 1, type, peer, tag, comm, request)
                                  : PMPI_Recv_init(m->data, 1, type, peer, tag, comm, request);
    PMPI_Type_free(&type); /* the request keeps it */
    exchange->count += code == MPI_SUCCESS;
    return code == MPI_SUCCESS ? HS_OK : HS_ERR_MPI;
}

static hs_status add_peer(message *m, const hs_box *box, int peer, int tag, hs__piece_list *list,
                          hs__box_exchange *exchange)
{
    const hs_boxes_domain *domain = &m->layout->domain;
    int rank = m->layout->context->rank;
    hs_status status = HS_OK;
    for (m->way = HS__RECEIVE; status == HS_OK && m->way <= HS__SEND; m->way++) {
        int sink = m->way == HS__RECEIVE ? rank : peer, source = m->way == HS__RECEIVE ? peer : rank;
        list->count = 0;
        status = hs__pieces_of_halo(domain, &box[sink], &box[source], source, list);
        if (status == HS_OK)
            status = add_message(m, peer, tag, exchange);
    }
    return status;
}

hs_status hs__box_exchange_make(const hs_box_layout *layout, const hs_box *box, int tag, int64_t cell_bytes, void *data,
                                hs__box_exchange *exchange)
{
    const hs_context *context = layout->context;
    hs__piece_list list = {0};
    message m = {.layout = layout,
                 .frame = hs__frame_of(&layout->domain, &box[context->rank]),
                 .cell_bytes = cell_bytes,
                 .data = data,
                 .list = &list};
    hs__box_exchange made = {.data = data, .request = hs__array_new(2 * (size_t)context->size, sizeof(MPI_Request))};
    hs_status status = made.request ? HS_OK : HS_ERR_NOMEM;
    for (int peer = 0; status == HS_OK && peer < context->size; peer++)
        status = add_peer(&m, box, peer, tag, &list, &made);
    free(list.piece);
    if (status == HS_OK)
        *exchange = made;
    else
        hs__box_exchange_free(&made);
    return status;
}

void hs__box_exchange_free(hs__box_exchange *exchange)
{
    int finalized = 0;
    PMPI_Finalized(&finalized); /* then there are no requests any more */
    for (int k = 0; !finalized && k < exchange->count; k++)
        PMPI_Request_free(&exchange->request[k]);
    free(exchange->request);
    *exchange = (hs__box_exchange){0};
}

int hs__box_exchanging(const hs_box_layout *layout)
{
    for (size_t a = 0; a < layout->array_count; a++)
        if (layout->arrays[a].exchange.under_way)
            return 1;
    return 0;
}

hs_status hs__box_refuse_exchange(const hs_box_layout *layout, const char *call)
{
    if (!hs__box_exchanging(layout))
        return HS_OK;
    return hs__context_fail(layout->context, HS_ERR_STATE, "%s: boxes cannot move while an exchange is under way",
                            call);
}

/* ---- The program's calls. ---- */

/* The exchange of the array at data, or where this rank has no cells, of any array; fails with the name of the call. */
static hs_status find(hs_box_layout *layout, const void *data, int under_way, const char *call,
                      hs__box_exchange **found)
{
    int there = 0;
    hs__context_clear(layout->context);
    hs_status status = hs__context_check_mpi(layout->context, call); /* which has ended the requests, too */
    if (status != HS_OK)
        return status;
    for (size_t a = 0; a < layout->array_count; a++) {
        hs__box_exchange *exchange = &layout->arrays[a].exchange;
        there |= exchange->data == data;
        if (exchange->data == data && exchange->under_way == under_way) {
            *found = exchange;
            return HS_OK;
        }
    }
    if (!there)
        return hs__context_fail(layout->context, HS_ERR_ARG, "%s: no array of this layout is at %p", call, data);
    return hs__context_fail(layout->context, HS_ERR_STATE, "%s: the exchange of this array %s", call,
                            under_way ? "was not started" : "is under way already");
}

hs_status hs_box_exchange_start(hs_box_layout *layout, void *data)
{
    HS__RETURN_IF_NULL(layout);
    hs__box_exchange *exchange;
    hs_status status = find(layout, data, 0, "hs_box_exchange_start", &exchange);
    if (status != HS_OK)
        return status;
    hs__monitor_enter();
    exchange->under_way = 1;
    if (PMPI_Startall(exchange->count, exchange->request) != MPI_SUCCESS)
        status = hs__context_fail(layout->context, HS_ERR_MPI, "hs_box_exchange_start: MPI failed");
    hs__monitor_leave();
    return status;
}

hs_status hs_box_exchange_wait(hs_box_layout *layout, void *data)
{
    HS__RETURN_IF_NULL(layout);
    hs__box_exchange *exchange;
    hs_status status = find(layout, data, 1, "hs_box_exchange_wait", &exchange);
    if (status != HS_OK)
        return status;
    if (hs__monitor_enter_call(1, hs__monitor_frame()))
        hs__monitor_charge(hs__ticks(), HS__COMPUTE);
    exchange->under_way = 0;
    if (PMPI_Waitall(exchange->count, exchange->request, MPI_STATUSES_IGNORE) != MPI_SUCCESS)
        status = hs__context_fail(layout->context, HS_ERR_MPI, "hs_box_exchange_wait: MPI failed");
    if (hs__monitor_leave_call(hs__monitor_frame()))
        hs__monitor_charge(hs__ticks(), HS__WAIT);
    return status;
}
