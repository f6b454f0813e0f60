/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/link_rate.h"
#include "runtime/base/parked_buffer.h"
#include "runtime/session/messages.h"
#include "util/array.h"
#include "util/clock.h"
#include <math.h>
#include <stdlib.h>

/* Messages grow from the first size to the last until one takes so long: latency, what a shaper lets through at once
 * and a pause of a throttled host count little then. The better of two tries counts: the first message between two
 * ranks may open a connection. */
#define FIRST_BYTES ((size_t)64 << 10)
#define LAST_BYTES ((size_t)4 << 20)
#define LONG_ENOUGH_S 20e-3
#define TRIES 2

/* One message to the next rank and one from the one before; *place stays with MPI when they are not done in time. */
static hs_status shift(hs__messages *messages, char **place, size_t bytes)
{
    const hs_context *context = messages->context;
    int next = (context->rank + 1) % context->size, last = (context->rank + context->size - 1) % context->size;
    hs_status status = hs__messages_post(messages, *place, (int64_t)bytes, MPI_BYTE, last, HS__RATE_TAG, HS__RECEIVE);
    if (status == HS_OK)
        status = hs__messages_post(messages, *place + bytes, (int64_t)bytes, MPI_BYTE, next, HS__RATE_TAG, HS__SEND);
    if (status == HS_OK)
        status = hs__messages_wait(messages);
    if (messages->count > 0) {
        status = hs__messages_abandon(messages, status);
        hs__park_buffer(*place, 1);
        *place = NULL;
    }
    return status;
}

/* One try: the seconds of the slowest rank. */
static hs_status time_shift(hs__messages *messages, char **place, size_t bytes, double *seconds)
{
    hs_context *context = messages->context;
    int64_t begun = hs__clock_ns();
    hs_status status = shift(messages, place, bytes);
    double mine = (double)(hs__clock_ns() - begun) * 1e-9;
    if (context->peers.broken)
        return status;
    hs__record record = {HS__OP_MOVE, status, {0}, {mine}};
    status = hs__agree(context, &record, NULL);
    *seconds = hs__gathered_most(context, 0);
    return status;
}

static hs_status best_shift(hs__messages *messages, char **place, size_t bytes, double *seconds)
{
    hs_status status = HS_OK;
    *seconds = INFINITY;
    for (int k = 0; k < TRIES && status == HS_OK; k++) {
        double one = INFINITY;
        status = time_shift(messages, place, bytes, &one);
        *seconds = fmin(*seconds, one);
    }
    return status;
}

hs_status hs__link_rate_measure(hs_context *context, double *byte_s)
{
    double seconds = 0;
    char *place = hs__array_new(2, LAST_BYTES);
    hs__messages messages = {.context = context, .planned = 2}; /* one piece each way */
    hs_status status = place ? hs__messages_reserve(&messages) : HS_ERR_NOMEM;
    hs__record record = {HS__OP_MOVE, status, {0}, {0}};
    status = hs__agree(context, &record, NULL);
    size_t bytes = FIRST_BYTES;
    if (status == HS_OK)
        status = best_shift(&messages, &place, bytes, &seconds);
    while (status == HS_OK && seconds < LONG_ENOUGH_S && bytes < LAST_BYTES) {
        bytes *= 4;
        status = best_shift(&messages, &place, bytes, &seconds);
    }
    free(place);
    hs__messages_free(&messages);
    if (status == HS_OK)
        *byte_s = seconds / (double)bytes;
    return status;
}
