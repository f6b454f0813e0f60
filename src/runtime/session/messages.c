/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/messages.h"
#include "runtime/base/backoff.h"
#include "util/array.h"
#include "util/assert.h"
#include <stdlib.h>
#include <string.h>

/* Small enough to be done within a second or so on a slow network, which shows that the move goes on. */
#define PIECE_BYTES ((int64_t)1 << 24)

/* Items in a piece. */
static int64_t items_a_piece(MPI_Count size)
{
    return size < PIECE_BYTES ? PIECE_BYTES / (int64_t)size : 1;
}

hs_status hs__messages_plan(hs__messages *messages, int64_t items, MPI_Datatype type, int peer, hs__direction way)
{
    int ranks = messages->context->size;
    MPI_Count size;
    if (PMPI_Type_size_x(type, &size) != MPI_SUCCESS)
        return HS_ERR_MPI;
    if (hs__checking() && !messages->bytes &&
        !(messages->bytes = hs__array_new(2 * (size_t)ranks, sizeof *messages->bytes)))
        return HS_ERR_NOMEM;
    if (messages->bytes)
        messages->bytes[way * ranks + peer] += items * size;
    messages->planned += (size_t)((items + items_a_piece(size) - 1) / items_a_piece(size));
    return HS_OK;
}

hs_status hs__messages_reserve(hs__messages *messages)
{
    int failed = hs__array_reserve(&messages->request, &messages->capacity, messages->planned, sizeof(MPI_Request));
    return failed ? HS_ERR_NOMEM : HS_OK;
}

hs_status hs__messages_check(hs__messages *messages, hs_error *error)
{
    hs_context *context = messages->context;
    int ranks = context->size;
    MPI_Request request;
    int64_t *all = hs__array_new(3 * (size_t)ranks, sizeof *all), *announced = all + 2 * ranks;
    hs_status status = all ? HS_OK : HS_ERR_NOMEM;
    if (all && messages->bytes)
        memcpy(all, messages->bytes, 2 * (size_t)ranks * sizeof *all);
    if (!hs__all_ok(context->internal, all != NULL))
        status = HS_ERR_NOMEM;
    else if (PMPI_Ialltoall(all + HS__SEND * ranks, 1, MPI_INT64_T, announced, 1, MPI_INT64_T, context->internal,
                            &request) != MPI_SUCCESS)
        status = HS_ERR_MPI;
    else
        status = hs__wait_all(context, 1, &request);
    for (int r = 0; status == HS_OK && r < ranks; r++)
        if (announced[r] != all[HS__RECEIVE * ranks + r])
            status = hs_error_set(error, HS_ERR_INTERNAL, 0, "rank %d sends %lld bytes, %lld are expected", r,
                                  (long long)announced[r], (long long)all[HS__RECEIVE * ranks + r]);
    free(all);
    return status;
}

hs_status hs__messages_post(hs__messages *messages, void *place, int64_t items, MPI_Datatype type, int peer, int tag,
                            hs__direction way)
{
    MPI_Comm comm = messages->context->internal;
    MPI_Count size;
    MPI_Aint first, extent;
    if (PMPI_Type_size_x(type, &size) != MPI_SUCCESS || PMPI_Type_get_extent(type, &first, &extent) != MPI_SUCCESS)
        return HS_ERR_MPI;
    int64_t most = items_a_piece(size);
    for (int64_t done = 0; done < items; done += most) {
        char *piece = (char *)place + done * extent;
        int count = (int)(items - done < most ? items - done : most);
        if (hs__array_reserve(&messages->request, &messages->capacity, messages->count + 1, sizeof(MPI_Request)) != 0)
            return HS_ERR_NOMEM;
        MPI_Request *request = &messages->request[messages->count];
        int code = way == HS__SEND ? PMPI_Isend(piece, count, type, peer, tag, comm, request)
                                   : PMPI_Irecv(piece, count, type, peer, tag, comm, request);
        if (code != MPI_SUCCESS)
            return HS_ERR_MPI;
        messages->count++;
    }
    HS_ASSERT(messages->count <= messages->planned); /* posting needed no memory */
    return HS_OK;
}

hs_status hs__messages_wait(hs__messages *messages)
{
    hs_status status = hs__wait_all(messages->context, (int)messages->count, messages->request);
    if (status == HS_OK)
        messages->count = 0;
    return status;
}

hs_status hs__messages_abandon(hs__messages *messages, hs_status failure)
{
    hs_context *context = messages->context;
    context->gathering.broken = 1;
    hs__context_fail(context, failure, "moving: %zu messages were not done: %s", messages->count,
                     hs_status_text(failure));
    hs__context_log(context, HS__LOG_ERROR, "%s", context->error);
    return failure;
}

void hs__messages_free(hs__messages *messages)
{
    free(messages->request);
    free(messages->bytes);
    messages->request = NULL;
    messages->bytes = NULL;
    messages->count = messages->capacity = 0;
}
