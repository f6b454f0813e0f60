/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_SESSION_MESSAGES_H
#define HS_RUNTIME_SESSION_MESSAGES_H

/* Messages of any size between the ranks of a context, and the wait for all of them. */

#include "runtime/session/context.h"
#include <stddef.h>

/** Tags on a context's communicator: of moves one an array of the layout, of the exchanges of boxes one an array of any layout. The
 * roll call has the one above. */
enum { HS__RATE_TAG, HS__WEIGHTS_TAG, HS__MOVE_TAG, HS__EXCHANGE_TAG = 16384, HS__EXCHANGE_TAGS = 16383 };

/** The tag of an array in a move. Arrays beyond the tags share them: both ends post messages in the same order. */
static inline int hs__move_tag(size_t array)
{
    return HS__MOVE_TAG + (int)(array % (HS__EXCHANGE_TAG - HS__MOVE_TAG));
}

/** All zero but the context: none posted. */
typedef struct hs__messages {
    hs_context *context;
    MPI_Request *request;
    size_t count, capacity;
    size_t planned;     /* pieces that hs__messages_reserve() makes room for */
    int64_t *expected;  /* [planned] bytes of each piece to be received; -1 of those to be sent; owned */
    MPI_Status *status; /* [planned] of those that were done; owned */
    int64_t *bytes;     /* [2][ranks] planned by hs__direction and peer; NULL while HS_CHECK is off; owned */
} hs__messages;

typedef enum hs__direction { HS__RECEIVE, HS__SEND } hs__direction;

/** Before ranks agree to move: count so many items of a type among those to be posted, and make room for all of them, so
 * that posting needs no memory. @return HS_OK; HS_ERR_MPI; HS_ERR_NOMEM */
hs_status hs__messages_plan(hs__messages *messages, int64_t items, MPI_Datatype type, int peer, hs__direction way);
hs_status hs__messages_reserve(hs__messages *messages);

/** Whether what each rank has planned to receive from this one is what this one has planned to send, and the other way
 * round. Collective, on ranks that all have HS_CHECK=1.
 * @return HS_OK; HS_ERR_INTERNAL: *error names the other rank; HS_ERR_NOMEM, HS_ERR_MPI, HS_ERR_TIMEOUT */
hs_status hs__messages_check(hs__messages *messages, hs_error *error);

/** Post so many items of a type, which lie one extent apart, to or from place, in pieces of about 16 MiB; both sides
 * cut alike when their types are of one size.
 * @return HS_OK; HS_ERR_NOMEM; HS_ERR_MPI */
hs_status hs__messages_post(hs__messages *messages, void *place, int64_t items, MPI_Datatype type, int peer, int tag,
                            hs__direction way);

/** Wait with back-off until all have been sent and received. The context's time-out counts from the last piece that was
 * done, so a large move over a slow network has time enough.
 * @return HS_OK; HS_ERR_MPI, also when a message was longer or shorter than expected; HS_ERR_TIMEOUT. Where count is not
 *         0 then, MPI may still write to the places, which must stay allocated */
hs_status hs__messages_wait(hs__messages *messages);

/** Give up on messages that are still posted: nothing collective works any more.
 * @return failure, with an error text */
hs_status hs__messages_abandon(hs__messages *messages, hs_status failure);

void hs__messages_free(hs__messages *messages);

#endif
