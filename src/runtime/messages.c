/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/messages.h"
#include "util/array.h"
#include <stdlib.h>

/* Small enough to be done within a second or so on a slow network, which shows that the move goes on. */
#define PIECE_BYTES ((size_t)1 << 24)

hs_status hs__messages_post(hs__messages *messages, void *place, size_t bytes, int peer, int tag, hs__direction way)
{
    MPI_Comm comm = messages->context->internal;
    for (size_t done = 0; done < bytes; done += PIECE_BYTES) {
        char *piece = (char *)place + done;
        int count = (int)(bytes - done < PIECE_BYTES ? bytes - done : PIECE_BYTES);
        if (hs__array_reserve(&messages->request, &messages->capacity, messages->count + 1, sizeof(MPI_Request)) != 0)
            return HS_ERR_NOMEM;
        MPI_Request *request = &messages->request[messages->count];
        int code = way == HS__SEND ? PMPI_Isend(piece, count, MPI_BYTE, peer, tag, comm, request)
                                   : PMPI_Irecv(piece, count, MPI_BYTE, peer, tag, comm, request);
        if (code != MPI_SUCCESS)
            return HS_ERR_MPI;
        messages->count++;
    }
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
    messages->request = NULL;
    messages->count = messages->capacity = 0;
}
