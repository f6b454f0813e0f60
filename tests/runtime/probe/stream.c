/* SPDX-License-Identifier: BSD-3-Clause */
/* Flows to one rank and from one or several at the same time: every sender's rate is known, and nothing is left under way. */
#include "runtime/probe/stream.h"
#include "runtime/base/parked_buffer.h"
#include "tests/mpi.h"
#include "util/clock.h"

enum { SLICES = 3, ROUNDS = 2 };

static hs__stream stream_of(hs__peers *peers, hs__stream_memory *memory)
{
    return (hs__stream){.peers = peers, .slice = 0.01, .most = SLICES, .begin = hs__clock_wall(), .memory = memory};
}

/* All others send to the last rank, which has them in falling order; then to the first one. */
static void several_send_to_one(hs__peers *peers, hs__stream_memory *memory)
{
    int size = world_size(), sender[HS__STREAM_SENDERS], senders = size - 1;
    double rate[HS__STREAM_SENDERS] = {0};
    for (int round = 0; round < ROUNDS; round++) {
        int receiver = round == 0 ? size - 1 : 0, n = 0;
        hs__stream stream = stream_of(peers, memory);
        for (int r = size - 1; r >= 0; r--)
            if (r != receiver)
                sender[n++] = r;
        if (world_rank() != receiver) {
            REQUIRE(hs__stream_run(&stream, receiver, NULL, 0, NULL) == HS_OK);
            continue;
        }
        REQUIRE(hs__stream_run(&stream, -1, sender, senders, rate) == HS_OK);
        for (int k = 0; k < senders; k++)
            REQUIRE(rate[k] > 0 && isfinite(rate[k]));
    }
}

/* Each rank sends to one and receives from another, or from the same one; with any expectation of the rate. */
static void all_send_and_receive(hs__peers *peers, hs__stream_memory *memory)
{
    static const double expected[] = {0, 1e3, 1e8, 1e12};
    int size = world_size(), rank = world_rank();
    for (int round = 0; round < 2 * size; round++) {
        int step = 1 + round % (size - 1), from = (rank + size - step) % size;
        double rate = 0;
        hs__stream stream = stream_of(peers, memory);
        stream.expected = expected[round % 4];
        REQUIRE(hs__stream_run(&stream, (rank + step) % size, &from, 1, &rate) == HS_OK);
        REQUIRE(rate > 0 && isfinite(rate));
    }
}

/* The last rank receives from all others and sends to the first one. */
static void one_receives_from_all_and_sends(hs__peers *peers, hs__stream_memory *memory)
{
    int last = world_size() - 1, rank = world_rank(), sender[HS__STREAM_SENDERS];
    double rate[HS__STREAM_SENDERS] = {0};
    hs__stream stream = stream_of(peers, memory);
    for (int r = 0; r < last; r++)
        sender[r] = r;
    if (rank == last)
        REQUIRE(hs__stream_run(&stream, 0, sender, last, rate) == HS_OK);
    else
        REQUIRE(hs__stream_run(&stream, last, &last, rank == 0, rate) == HS_OK);
    for (int k = 0; k < (rank == last ? last : rank == 0); k++)
        REQUIRE(rate[k] > 0 && isfinite(rate[k]));
}

static void nothing_is_under_way(MPI_Comm comm)
{
    int arrived;
    MPI_Barrier(comm);
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &arrived, MPI_STATUS_IGNORE);
    REQUIRE(!arrived);
    MPI_Barrier(comm);
}

/* All give up, though one that sends is heard all the time. */
static void a_sender_that_is_missing_is_missed(void)
{
    enum { RECEIVER, MISSING };
    int rank = world_rank(), size = world_size(), sender[HS__STREAM_SENDERS], n = 0;
    double rate[HS__STREAM_SENDERS];
    hs__peers peers;
    MPI_Comm comm; /* what arrives late is left there */
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    REQUIRE(hs__peers_open(&peers, comm, 0.5, 1) == HS_OK);
    hs__stream_memory *memory = malloc(sizeof *memory);
    REQUIRE(memory != NULL);
    hs__stream stream = stream_of(&peers, memory);
    for (int r = 0; r < size; r++)
        if (r != RECEIVER)
            sender[n++] = r;
    if (rank == RECEIVER)
        REQUIRE(hs__stream_run(&stream, -1, sender, n, rate) == HS_ERR_TIMEOUT);
    else if (rank != MISSING)
        REQUIRE(hs__stream_run(&stream, RECEIVER, NULL, 0, NULL) == HS_ERR_TIMEOUT);
    peers.broken = 1;
    hs__peers_close(&peers);
    hs__park_buffer(memory, 1);
}

int main(int argc, char **argv)
{
    hs__peers peers;
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    REQUIRE(hs__peers_open(&peers, comm, PATIENCE, 1) == HS_OK);
    hs__stream_memory *memory = malloc(sizeof *memory);
    REQUIRE(memory != NULL);
    for (int turn = 0; turn < 2; turn++) { /* what the first leaves would meet the second */
        if (world_size() == 1 || world_size() > HS__STREAM_SENDERS + 1)
            break;
        several_send_to_one(&peers, memory);
        nothing_is_under_way(comm);
        all_send_and_receive(&peers, memory);
        nothing_is_under_way(comm);
        one_receives_from_all_and_sends(&peers, memory);
        nothing_is_under_way(comm);
    }
    hs__peers_close(&peers);
    free(memory);
    if (world_size() > 2 && world_size() <= HS__STREAM_SENDERS + 1)
        a_sender_that_is_missing_is_missed();
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
