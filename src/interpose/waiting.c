/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/waiting.h"
#include "runtime/base/environment.h"
#include "runtime/base/presence.h"
#include "runtime/base/waiting.h"
#include "runtime/base/world_handle.h"

int hs__waiting_messages, hs__waiting_collectives;
__thread hs__waiting_place hs__waiting_self __attribute__((tls_model("initial-exec")));

static int keyval = MPI_KEYVAL_INVALID; /* remembers the answer with the communicator */
static const char yes, no;

static hs__waiting_mode choose(int asked, const hs__waiting_room *room)
{
    switch (asked) {
    case HS__WAIT_POLL:
        return HS__WAITING_POLL;
    case HS__WAIT_YIELD:
        return HS__WAITING_YIELD;
    case HS__WAIT_SLEEP:
        return HS__WAITING_SLEEP;
    default:
        return room->ranks > room->processors ? HS__WAITING_SLEEP : HS__WAITING_POLL;
    }
}

static void replace(int collective)
{
    for (int n = 0; n < hs__c_count; n++) {
        hs__waiting_call *call = &hs__waiting_calls[n];
        if (call->polite && call->is_collective == collective) {
            call->blocking = hs__c_target[n];
            hs__c_target[n] = call->polite;
        }
    }
}

void hs__waiting_take(int preloaded)
{
    hs__waiting_room room = {1, 1};
    int asked = hs__environment()->wait;
    const hs__presence *known = hs__presence_known();
    if (asked == HS__WAIT_AUTO && !preloaded)
        asked = HS__WAIT_POLL;
    if (asked == HS__WAIT_POLL || (known->preloaded && hs__waiting_count(MPI_COMM_WORLD, &room) != HS_OK))
        return;
    hs__waiting_mode mode = choose(asked, &room);
    int polite = mode != HS__WAITING_POLL, together = polite;
    hs__waiting_set(mode, &room);
    if (polite && preloaded && hs__waiting_make_yield())
        polite = together = 0;
    if (known->preloaded) /* hosts may be crowded or not */
        PMPI_Allreduce(&polite, &together, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    else
        together = polite && known->alike;
    if (!polite && !together)
        return;
    if (PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL) != MPI_SUCCESS)
        keyval = MPI_KEYVAL_INVALID;
    if (polite)
        replace(0);
    if (together)
        replace(1);
    hs__waiting_messages = polite;
    hs__waiting_collectives = together;
}

void hs__waiting_leave(void)
{
    if (keyval != MPI_KEYVAL_INVALID)
        PMPI_Comm_free_keyval(&keyval);
}

int hs__waiting_all_here(MPI_Comm comm)
{
    void *known = NULL;
    int found = 0;
    if (comm == MPI_COMM_WORLD || comm == hs__world || comm == MPI_COMM_NULL)
        return 1;
    if (keyval == MPI_KEYVAL_INVALID)
        return hs__presence_covers(comm);
    if (PMPI_Comm_get_attr(comm, keyval, &known, &found) == MPI_SUCCESS && found)
        return known == &yes;
    int ours = hs__presence_covers(comm);
    PMPI_Comm_set_attr(comm, keyval, ours ? (void *)&yes : (void *)&no);
    return ours;
}
