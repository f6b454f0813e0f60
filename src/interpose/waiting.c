/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/waiting.h"
#include "runtime/base/environment.h"
#include "runtime/base/waiting.h"
#include "runtime/base/world_handle.h"
#include "util/array.h"
#include <stdlib.h>

int hs__waiting_messages, hs__waiting_collectives;
__thread hs__waiting_place hs__waiting_self __attribute__((tls_model("initial-exec")));

static int keyval = MPI_KEYVAL_INVALID; /* remembers the answer with the communicator */
static const char yes, no;

/* The same on all ranks: the highest of what they say. */
static int agree(int mine)
{
    int highest = 0;
    return PMPI_Allreduce(&mine, &highest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD) == MPI_SUCCESS ? highest : 0;
}

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
    if (asked == HS__WAIT_AUTO && !preloaded)
        asked = HS__WAIT_POLL;
    if (!agree(asked != HS__WAIT_POLL) || hs__waiting_count(MPI_COMM_WORLD, &room) != HS_OK)
        return;
    hs__waiting_mode mode = choose(asked, &room);
    int polite = mode != HS__WAITING_POLL;
    hs__waiting_set(mode, &room);
    if (polite && preloaded && hs__waiting_make_yield())
        polite = 0;
    if (!agree(polite))
        return;
    if (PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL) != MPI_SUCCESS)
        keyval = MPI_KEYVAL_INVALID;
    if (polite)
        replace(0);
    replace(1);
    hs__waiting_messages = polite;
    hs__waiting_collectives = 1;
}

void hs__waiting_leave(void)
{
    if (keyval != MPI_KEYVAL_INVALID)
        PMPI_Comm_free_keyval(&keyval);
}

/* Whether all of a group are in MPI_COMM_WORLD. */
static int is_ours(MPI_Group group)
{
    int size, ours = 0;
    PMPI_Group_size(group, &size);
    int *there = hs__array_new((size_t)size, sizeof *there);
    if (there && hs__world_ranks(group, there) == HS_OK) {
        ours = 1;
        for (int r = 0; r < size; r++)
            ours &= there[r] != MPI_UNDEFINED;
    }
    free(there);
    return ours;
}

static int find_out(MPI_Comm comm)
{
    int inter = 0, ours;
    MPI_Group group;
    PMPI_Comm_group(comm, &group);
    ours = is_ours(group);
    PMPI_Group_free(&group);
    PMPI_Comm_test_inter(comm, &inter);
    if (inter) {
        PMPI_Comm_remote_group(comm, &group);
        ours &= is_ours(group);
        PMPI_Group_free(&group);
    }
    return ours;
}

int hs__waiting_all_here(MPI_Comm comm)
{
    void *known = NULL;
    int found = 0;
    if (comm == MPI_COMM_WORLD || comm == hs__world || comm == MPI_COMM_NULL)
        return 1;
    if (keyval == MPI_KEYVAL_INVALID)
        return find_out(comm);
    if (PMPI_Comm_get_attr(comm, keyval, &known, &found) == MPI_SUCCESS && found)
        return known == &yes;
    int ours = find_out(comm);
    PMPI_Comm_set_attr(comm, keyval, ours ? (void *)&yes : (void *)&no);
    return ours;
}
