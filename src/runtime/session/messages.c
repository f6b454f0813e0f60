/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/messages.h"
#include "runtime/base/parked_buffer.h"
#include "runtime/watch/monitor.h"
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
    if (hs__array_reserve(&messages->request, &messages->capacity, messages->planned, sizeof(MPI_Request)) != 0)
        return HS_ERR_NOMEM;
    messages->expected = hs__array_new(messages->planned, sizeof *messages->expected);
    messages->status = hs__array_new(messages->planned, sizeof *messages->status);
    return messages->expected && messages->status ? HS_OK : HS_ERR_NOMEM;
}

hs_status hs__messages_check(hs__messages *messages, hs_error *error)
{
    hs_context *context = messages->context;
    int ranks = context->size;
    MPI_Request request = MPI_REQUEST_NULL;
    int64_t *all = hs__array_new(3 * (size_t)ranks, sizeof *all), *announced = all ? all + 2 * ranks : NULL;
    hs_status status = all ? HS_OK : HS_ERR_NOMEM;
    if (all && messages->bytes)
        memcpy(all, messages->bytes, 2 * (size_t)ranks * sizeof *all);
    status = hs__peers_agree(&context->peers, status, NULL);
    if (status == HS_OK && PMPI_Ialltoall(all + HS__SEND * ranks, 1, MPI_INT64_T, announced, 1, MPI_INT64_T,
                                          context->internal, &request) != MPI_SUCCESS)
        status = HS_ERR_MPI;
    else if (status == HS_OK)
        status = hs__wait_all(context, 1, &request);
    for (int r = 0; status == HS_OK && r < ranks; r++)
        if (announced[r] != all[HS__RECEIVE * ranks + r])
            status = hs_error_set(error, HS_ERR_INTERNAL, 0, "rank %d sends %lld bytes, %lld are expected", r,
                                  (long long)announced[r], (long long)all[HS__RECEIVE * ranks + r]);
    hs__park_buffer(all, request != MPI_REQUEST_NULL);
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
        HS_ASSERT(messages->count < messages->planned); /* posting needs no memory */
        MPI_Request *request = &messages->request[messages->count];
        int code = way == HS__SEND ? PMPI_Isend(piece, count, type, peer, tag, comm, request)
                                   : PMPI_Irecv(piece, count, type, peer, tag, comm, request);
        if (code != MPI_SUCCESS)
            return HS_ERR_MPI;
        messages->expected[messages->count++] = way == HS__RECEIVE ? count * (int64_t)size : -1;
    }
    return HS_OK;
}

/* MPI takes a message that is shorter than its place for a good one. */
static hs_status check_lengths(const hs__messages *messages)
{
    for (size_t k = 0; k < messages->count; k++) {
        MPI_Count bytes = 0;
        if (messages->expected[k] < 0)
            continue;
        PMPI_Get_elements_x(&messages->status[k], MPI_BYTE, &bytes);
        if (bytes != messages->expected[k])
            return hs__context_fail(messages->context, HS_ERR_MPI,
                                    "moving: rank %d sent %lld bytes, %lld were expected",
                                    messages->status[k].MPI_SOURCE, (long long)bytes, (long long)messages->expected[k]);
    }
    return HS_OK;
}

hs_status hs__messages_wait(hs__messages *messages)
{
    hs_context *context = messages->context;
    hs__monitor_enter();
    hs_status status = hs__peers_wait(&context->peers, 0, (int)messages->count, messages->request, messages->status);
    hs__monitor_leave();
    if (status == HS_OK)
        status = check_lengths(messages);
    else if (status == HS_ERR_MPI)
        hs__context_fail(context, status, "moving: MPI failed in a message");
    int left = 0;
    for (size_t k = 0; k < messages->count; k++)
        left |= messages->request[k] != MPI_REQUEST_NULL;
    messages->count = left ? messages->count : 0;
    return status;
}

hs_status hs__messages_abandon(hs__messages *messages, hs_status failure)
{
    hs_context *context = messages->context;
    if (failure == HS_ERR_TIMEOUT)
        return hs__report_missing(context, HS__OP_MOVE);
    context->peers.broken = 1;
    hs__context_fail(context, failure, "moving: %zu messages were not done: %s", messages->count,
                     hs_status_text(failure));
    hs__context_log(context, HS__LOG_ERROR, "%s", context->error);
    return failure;
}

void hs__messages_free(hs__messages *messages)
{
    free(messages->request);
    free(messages->expected);
    free(messages->status);
    free(messages->bytes);
    messages->request = NULL;
    messages->status = NULL;
    messages->expected = messages->bytes = NULL;
    messages->count = messages->capacity = 0;
}
