/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/farm/pieces.h"
#include "util/array.h"
#include "util/assert.h"
#include <stdlib.h>

/* Far below what an int counts, and what libraries are known to carry in one message. A fine piece is small enough for
 * libraries to send it eagerly: a rendezvous costs two more messages and needs both sides. */
#define PIECE ((int64_t)1 << 30)
#define FINE_PIECE ((int64_t)1 << 15)

/* Of messages from a rank to itself. */
enum { SELF_TAG = 1000 };

hs_status hs__items_of(const void *data, MPI_Datatype type, hs__items *items)
{
    MPI_Aint ignored, lower, span;
    MPI_Count bytes;
    *items = (hs__items){.data = (char *)data, .type = type};
    if (type == MPI_DATATYPE_NULL || PMPI_Type_get_extent(type, &ignored, &items->extent) != MPI_SUCCESS ||
        PMPI_Type_get_true_extent(type, &lower, &span) != MPI_SUCCESS || PMPI_Type_size_x(type, &bytes) != MPI_SUCCESS)
        return HS_ERR_ARG;
    items->bytes = bytes;
    items->begin = lower < 0 ? lower : 0;
    /* Not less than the extent: a program writes whole structs, with their padding. */
    items->end = lower + span > items->extent ? lower + span : items->extent;
    return HS_OK;
}

/* MPI cannot be asked, but refuses to send such an item, also to nobody: then it is not read. It knows which types have
 * addresses of their own, whose items may be at MPI_BOTTOM, which is NULL in some libraries. */
static int mpi_takes(const void *data, MPI_Datatype type, MPI_Comm comm)
{
    return PMPI_Send(data, 1, type, MPI_PROC_NULL, SELF_TAG, comm) == MPI_SUCCESS;
}

hs_status hs__items_given(hs__items *items, int64_t count, hs__items_names names, MPI_Comm comm, hs_error *error)
{
    if (hs__items_of(items->data, items->type, items) != HS_OK || !mpi_takes(items, items->type, comm))
        return hs_error_set(error, HS_ERR_ARG, 0, "%s is no MPI datatype that is committed", names.type);
    if (count > 0 && items->bytes > 0 && !items->data && !mpi_takes(NULL, items->type, comm))
        return hs_error_set(error, HS_ERR_ARG, 0, "%s is NULL, expected %lld items", names.data, (long long)count);
    return HS_OK;
}

void *hs__items_allocate(hs__items *items, int64_t count)
{
    int64_t bytes;
    HS_ASSERT(count >= 1 && items->extent >= 1);
    if (__builtin_mul_overflow(count - 1, (int64_t)items->extent, &bytes) ||
        __builtin_add_overflow(bytes, (int64_t)(items->end - items->begin), &bytes))
        return NULL;
    char *room = hs__array_new((size_t)bytes, 1);
    if (room)
        items->data = room - items->begin;
    return room;
}

char *hs__items_at(const hs__items *items, int64_t i)
{
    return items->data + (MPI_Aint)i * items->extent;
}

int64_t hs__piece_items(int64_t item_bytes, hs__grain grain)
{
    int64_t size = grain == HS__FINE ? FINE_PIECE : PIECE, fit = item_bytes > 0 ? size / item_bytes : size;
    return fit > 0 ? fit : 1;
}

hs_status hs__pieces_reserve(hs__pieces *pieces, const hs__items *items, int64_t count)
{
    int64_t most = hs__piece_items(items->bytes, HS__WHOLE);
    pieces->reserved += (size_t)((count + most - 1) / most);
    return hs__array_reserve(&pieces->request, &pieces->capacity, pieces->reserved, sizeof(MPI_Request)) == 0
               ? HS_OK
               : HS_ERR_NOMEM;
}

hs_status hs__pieces_post(hs__pieces *pieces, hs__direction way, hs__grain grain, const hs__items *items, int64_t first,
                          int64_t count, int peer, int tag, MPI_Comm comm)
{
    int64_t most = hs__piece_items(items->bytes, grain);
    for (int64_t done = 0; done < count; done += most) {
        int n = (int)(count - done < most ? count - done : most);
        if (hs__array_reserve(&pieces->request, &pieces->capacity, pieces->count + 1, sizeof(MPI_Request)) != 0)
            return HS_ERR_NOMEM;
        char *place = hs__items_at(items, first + done);
        MPI_Request *request = &pieces->request[pieces->count];
        int code = way == HS__SEND ? PMPI_Isend(place, n, items->type, peer, tag, comm, request)
                                   : PMPI_Irecv(place, n, items->type, peer, tag, comm, request);
        if (code != MPI_SUCCESS)
            return HS_ERR_MPI;
        pieces->count++;
    }
    return HS_OK;
}

hs_status hs__pieces_test(hs__pieces *pieces, int *done)
{
    for (int ended = 1; ended && pieces->ended < pieces->count; pieces->ended += (size_t)ended)
        if (PMPI_Test(&pieces->request[pieces->ended], &ended, MPI_STATUS_IGNORE) != MPI_SUCCESS)
            return HS_ERR_MPI;
    *done = pieces->ended == pieces->count;
    if (*done)
        pieces->count = pieces->ended = 0;
    return HS_OK;
}

void hs__pieces_free(hs__pieces *pieces)
{
    free(pieces->request);
    *pieces = (hs__pieces){0};
}

hs_status hs__items_copy(const hs__items *from, int64_t first, const hs__items *to, int64_t count, MPI_Comm internal)
{
    int rank;
    int64_t most = hs__piece_items(from->bytes, HS__WHOLE);
    PMPI_Comm_rank(internal, &rank);
    for (int64_t done = 0; done < count; done += most) {
        int n = (int)(count - done < most ? count - done : most);
        if (PMPI_Sendrecv(hs__items_at(from, first + done), n, from->type, rank, SELF_TAG, hs__items_at(to, done), n,
                          to->type, rank, SELF_TAG, internal, MPI_STATUS_IGNORE) != MPI_SUCCESS)
            return HS_ERR_MPI;
    }
    return HS_OK;
}
