/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/base/peers.h"
#include "runtime/base/environment.h"
#include "runtime/base/parked_buffer.h"
#include "util/array.h"
#include "util/backoff.h"
#include "util/clock.h"
#include "util/message.h"
#include "util/status.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* After a time-out the ranks that are there say so; a rank that is silent this much longer is missing. Ranks that wait
 * listen for it, but not so soon that it would disturb what is measured meanwhile. */
static const int64_t ROLL_CALL_NS = 500000000, LISTENING_NS = 100000000;

/* The highest tag that every MPI library has. */
enum { ROLL_CALL_TAG = 32767 };

/* Collectives wait for what the slowest rank does in between. */
static const double BETWEEN_COLLECTIVES = 5e-3;

/* Holds an error's text. */
enum { PIECE_BYTES = 272 };

struct hs__peers_memory {
    struct {
        int status, rank;
    } mine, lowest;
    char piece[PIECE_BYTES];
    MPI_Comm copy;
};
_Static_assert(PIECE_BYTES >= sizeof(hs_error), "an error is shared at once");

/* Of calls that have no memory, which may be under way in several threads. One that is left to MPI is never taken again. */
enum { SPARES = 8 };
static struct {
    hs__peers_memory memory;
    _Atomic int taken;
} spare[SPARES];

static hs__peers_memory *take_spare(void)
{
    for (int k = 0; k < SPARES; k++)
        if (!atomic_exchange(&spare[k].taken, 1))
            return &spare[k].memory;
    return NULL;
}

/* @return whether it was one */
static int give_spare_back(const hs__peers_memory *memory, int under_way)
{
    for (int k = 0; k < SPARES; k++) {
        if (memory != &spare[k].memory)
            continue;
        if (!under_way)
            atomic_store(&spare[k].taken, 0);
        return 1;
    }
    return 0;
}

hs_status hs__peers_check(MPI_Comm comm, const char *call, hs_error *error)
{
    int initialized = 0, finalized = 1, inter = 0;
    PMPI_Initialized(&initialized);
    PMPI_Finalized(&finalized);
    if (!initialized || finalized)
        return hs_error_set(error, HS_ERR_STATE, 0, "%s: MPI_Init must come first, and MPI_Finalize later", call);
    if (comm == MPI_COMM_NULL)
        return hs_error_set(error, HS_ERR_ARG, 0, "%s: comm is MPI_COMM_NULL", call);
    PMPI_Comm_test_inter(comm, &inter);
    return inter ? hs_error_set(error, HS_ERR_ARG, 0, "%s: comm is an inter-communicator", call) : HS_OK;
}

hs_status hs__peers_open(hs__peers *peers, MPI_Comm comm, double timeout, int own)
{
    hs__peers_memory *memory = hs__array_new(1, sizeof *memory);
    *peers = (hs__peers){.comm = comm, .timeout = timeout, .own = own, .memory = memory ? memory : take_spare()};
    peers->broken = !peers->memory;
    return memory ? HS_OK : HS_ERR_NOMEM;
}

void hs__peers_close(hs__peers *peers)
{
    if (!give_spare_back(peers->memory, peers->broken))
        hs__park_buffer(peers->memory, peers->broken);
    peers->memory = NULL;
}

/* ---- Waiting ---- */

static int others_give_up(const hs__peers *peers, int64_t waited_ns)
{
    int flag = 0;
    if (peers->own && waited_ns > LISTENING_NS)
        PMPI_Iprobe(MPI_ANY_SOURCE, ROLL_CALL_TAG, peers->comm, &flag, MPI_STATUS_IGNORE);
    return flag;
}

hs_status hs__peers_wait_one(const hs__peers *peers, double expected_s, int count, MPI_Request *requests, int *one,
                             MPI_Status *received)
{
    int64_t start = hs__clock_ns(), limit = hs__clock_span_ns(peers->timeout);
    int64_t expected = hs__clock_span_ns(expected_s);
    *one = MPI_UNDEFINED;
    for (;;) {
        int done = 0;
        if (PMPI_Testany(count, requests, one, &done, received) != MPI_SUCCESS)
            return HS_ERR_MPI;
        if (done)
            return HS_OK;
        int64_t waited = hs__clock_ns() - start;
        if (waited > limit || others_give_up(peers, waited))
            return HS_ERR_TIMEOUT;
        hs__backoff_pause(waited > expected ? waited : expected);
    }
}

hs_status hs__peers_wait(const hs__peers *peers, double expected_s, int count, MPI_Request *requests,
                         MPI_Status *statuses)
{
    hs_status all = HS_OK;
    for (;;) {
        int one;
        MPI_Status received;
        hs_status status = hs__peers_wait_one(peers, expected_s, count, requests, &one, &received);
        if (status != HS_OK && (one == MPI_UNDEFINED || requests[one] != MPI_REQUEST_NULL))
            return status; /* not known of which */
        if (one == MPI_UNDEFINED)
            return all;
        if (status != HS_OK)
            all = status;
        if (statuses)
            statuses[one] = received;
    }
}

/* The end of a collective that has begun with this code. */
static hs_status finish(hs__peers *peers, int code, MPI_Request *request)
{
    hs_status status = code == MPI_SUCCESS ? hs__peers_wait(peers, BETWEEN_COLLECTIVES, 1, request, NULL) : HS_ERR_MPI;
    peers->broken |= status != HS_OK;
    return status;
}

/* ---- Collectives ---- */

hs_status hs__peers_gather(hs__peers *peers, void *all, size_t bytes)
{
    int ranks;
    MPI_Request request;
    PMPI_Comm_size(peers->comm, &ranks);
    const char *mine = (const char *)all + (size_t)ranks * bytes;
    int code = PMPI_Iallgather(mine, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, peers->comm, &request);
    return finish(peers, code, &request);
}

/* By way of memory that outlives the call when the root is silent. */
static hs_status share_piece(hs__peers *peers, int root, char *bytes, size_t count)
{
    MPI_Request request;
    if (!peers->memory)
        return HS_ERR_NOMEM;
    char *piece = peers->memory->piece;
    memcpy(piece, bytes, count);
    int code = PMPI_Ibcast(piece, (int)count, MPI_BYTE, root, peers->comm, &request);
    hs_status status = finish(peers, code, &request);
    if (status == HS_OK)
        memcpy(bytes, piece, count);
    return status;
}

hs_status hs__peers_share(hs__peers *peers, int root, void *bytes, size_t count)
{
    hs_status status = HS_OK;
    for (size_t done = 0; done < count && status == HS_OK; done += PIECE_BYTES) {
        size_t left = count - done;
        status = share_piece(peers, root, (char *)bytes + done, left < PIECE_BYTES ? left : PIECE_BYTES);
    }
    return status;
}

hs_status hs__peers_lowest(hs__peers *peers, hs_status mine, int *who)
{
    hs__peers_memory *m = peers->memory;
    MPI_Request request;
    *who = -1;
    if (!m)
        return HS_ERR_NOMEM;
    m->mine.status = mine;
    PMPI_Comm_rank(peers->comm, &m->mine.rank);
    int code = PMPI_Iallreduce(&m->mine, &m->lowest, 1, MPI_2INT, MPI_MINLOC, peers->comm, &request);
    hs_status status = finish(peers, code, &request);
    if (status != HS_OK)
        return status;
    *who = m->lowest.rank;
    return (hs_status)m->lowest.status;
}

hs_status hs__peers_agree(hs__peers *peers, hs_status mine, hs_error *error)
{
    hs_error told = {0};
    int who, rank;
    if (peers->broken)
        return mine;
    hs_status lowest = hs__peers_lowest(peers, mine, &who);
    if (who < 0 || lowest >= 0)
        return lowest;
    PMPI_Comm_rank(peers->comm, &rank);
    if (rank == who && error)
        told = *error;
    if (rank == who && !told.text[0])
        hs__error_status(&told, mine);
    hs_status status = hs__peers_share(peers, who, &told, sizeof told);
    return status == HS_OK ? hs_error_set(error, lowest, told.line, "%s", told.text) : status;
}

hs_status hs__peers_duplicate(hs__peers *peers, MPI_Comm *copy)
{
    MPI_Request request;
    if (!peers->memory)
        return HS_ERR_NOMEM;
    MPI_Comm *made = &peers->memory->copy;
    int code = PMPI_Comm_idup(peers->comm, made, &request);
    hs_status status = finish(peers, code, &request);
    if (status == HS_OK)
        *copy = *made;
    return status;
}

/* ---- Who is missing ---- */

void hs__list_ranks(const char *marked, int size, char *text, size_t room)
{
    int listed = 0;
    text[0] = '\0';
    for (int r = 0; r < size; r++) {
        if (!marked[r])
            continue;
        size_t used = strlen(text);
        if (++listed > 8) {
            snprintf(text + used, room - used, ", ...");
            return;
        }
        snprintf(text + used, room - used, "%s%d", listed > 1 ? ", " : "", r);
    }
}

/* After a time-out each rank sends a message to all others and receives theirs for a moment. Fills missing[]. */
static void call_roll(const hs__peers *peers, int rank, int size, char *missing)
{
    static const char here = 1;
    MPI_Request request;
    for (int r = 0; r < size; r++)
        if (r != rank && PMPI_Isend(&here, 1, MPI_BYTE, r, ROLL_CALL_TAG, peers->comm, &request) == MPI_SUCCESS)
            PMPI_Request_free(&request);
    memset(missing, 1, (size_t)size);
    missing[rank] = 0;
    for (int64_t start = hs__clock_ns(); hs__clock_ns() - start < ROLL_CALL_NS;) {
        int flag = 0;
        MPI_Status status;
        PMPI_Iprobe(MPI_ANY_SOURCE, ROLL_CALL_TAG, peers->comm, &flag, &status);
        if (flag) {
            char byte;
            PMPI_Recv(&byte, 1, MPI_BYTE, status.MPI_SOURCE, ROLL_CALL_TAG, peers->comm, MPI_STATUS_IGNORE);
            missing[status.MPI_SOURCE] = 0;
        } else {
            hs__backoff_pause(hs__clock_ns() - start);
        }
    }
}

/* @return the rank that prints the text: the lowest one that is there */
static int name_missing(const hs__peers *peers, int rank, const char *call, hs_error *error)
{
    char ranks[80] = "";
    int size, speaker = 0;
    PMPI_Comm_size(peers->comm, &size);
    char *missing = malloc((size_t)size);
    if (missing) {
        call_roll(peers, rank, size, missing);
        hs__list_ranks(missing, size, ranks, sizeof ranks);
        while (missing[speaker])
            speaker++;
    }
    if (missing && !ranks[0])
        hs_error_set(error, HS_ERR_TIMEOUT, 0, "%s: not done within %g s, though all ranks are there", call,
                     peers->timeout);
    else
        hs_error_set(error, HS_ERR_TIMEOUT, 0, "%s: rank %s did not arrive within %g s", call,
                     ranks[0] ? ranks : "(unknown)", peers->timeout);
    free(missing);
    return speaker;
}

hs_status hs__peers_report_missing(hs__peers *peers, const char *call, hs_error *error)
{
    hs_error text;
    int rank;
    peers->broken = 1;
    PMPI_Comm_rank(peers->comm, &rank);
    int speaker = rank < 2 ? rank : 0; /* rank 0 may be the one that is missing */
    if (peers->own)
        speaker = name_missing(peers, rank, call, &text);
    else
        hs_error_set(&text, HS_ERR_TIMEOUT, 0, "%s: not all ranks arrived within %g s", call, peers->timeout);
    if (rank == speaker && (int)HS__LOG_ERROR <= hs__environment()->log)
        hs__message("rank %d: error: %s", rank, text.text);
    else
        nanosleep(&(struct timespec){.tv_nsec = ROLL_CALL_NS}, NULL); /* a program that aborts now would cut it short */
    return hs_error_set(error, HS_ERR_TIMEOUT, 0, "%s", text.text);
}
