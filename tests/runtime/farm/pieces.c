/* SPDX-License-Identifier: BSD-3-Clause */
/* Items go round the ranks in pieces, the last one smaller, and nothing beside them is touched. */
#include "runtime/farm/pieces.h"
#include "tests/mpi.h"

enum { NUMBERS = 4, GAP = 3, EXTENT = NUMBERS + GAP, FIRST = 2, BEFORE = 0, TAG = 7 };

/* Four doubles at an extent of seven, and all bytes of an item count as its own when it is allocated. */
static MPI_Datatype interleaved(void)
{
    MPI_Datatype four, type;
    MPI_Type_contiguous(NUMBERS, MPI_DOUBLE, &four);
    MPI_Type_create_resized(four, 0, EXTENT * sizeof(double), &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&four);
    return type;
}

static hs__items items_new(MPI_Datatype type, int64_t count, void **room)
{
    hs__items items;
    REQUIRE(hs__items_of(NULL, type, &items) == HS_OK);
    REQUIRE(items.extent == EXTENT * sizeof(double) && items.bytes == NUMBERS * sizeof(double));
    *room = hs__items_allocate(&items, count);
    REQUIRE(*room != NULL);
    return items;
}

static double *number_at(const hs__items *items, int64_t i, int k)
{
    return (double *)(void *)hs__items_at(items, i) + k;
}

static double number_of(int rank, int64_t i, int k)
{
    return 1e6 * (rank + 1) + (double)(EXTENT * i + k);
}

/* Items FIRST .. FIRST + count - 1 are those of rank `from`; all else is as it was. */
static void check(const hs__items *items, int64_t all, int64_t count, int from)
{
    for (int64_t i = 0; i < all; i++)
        for (int k = 0; k < EXTENT; k++) {
            int came = i >= FIRST && i < FIRST + count && k < NUMBERS;
            REQUIRE(*number_at(items, i, k) == (came ? number_of(from, i, k) : BEFORE));
        }
}

static void wait_for(hs__pieces *pieces)
{
    for (int done = 0; !done;)
        REQUIRE(hs__pieces_test(pieces, &done) == HS_OK);
    REQUIRE(pieces->count == 0 && pieces->ended == 0);
}

static void round_the_ranks(MPI_Datatype type, int64_t count, size_t messages)
{
    int size = world_size(), next = (world_rank() + 1) % size, last = (world_rank() + size - 1) % size;
    int64_t all = FIRST + count + 1;
    void *sent_room, *got_room;
    hs__items sent = items_new(type, all, &sent_room), got = items_new(type, all, &got_room);
    hs__pieces pieces = {0};
    for (int64_t i = 0; i < all; i++)
        for (int k = 0; k < EXTENT; k++) {
            *number_at(&sent, i, k) = number_of(world_rank(), i, k);
            *number_at(&got, i, k) = BEFORE;
        }
    for (int turn = 0; turn < 2; turn++) { /* the list of requests serves again */
        REQUIRE(hs__pieces_post(&pieces, HS__RECEIVE, HS__FINE, &got, FIRST, count, last, TAG, MPI_COMM_WORLD) ==
                HS_OK);
        REQUIRE(pieces.count == messages);
        REQUIRE(hs__pieces_post(&pieces, HS__SEND, HS__FINE, &sent, FIRST, count, next, TAG, MPI_COMM_WORLD) == HS_OK);
        REQUIRE(pieces.count == 2 * messages);
        wait_for(&pieces);
        check(&got, all, count, last);
    }
    hs__pieces_free(&pieces);
    free(sent_room);
    free(got_room);
}

/* As many as asked, from one place to another. */
static void copies(MPI_Datatype type)
{
    enum { COUNT = 5 };
    void *room, *all_room;
    hs__items from = items_new(type, COUNT + FIRST, &room), to = items_new(type, COUNT + 1, &all_room);
    for (int64_t i = 0; i < COUNT + FIRST; i++)
        for (int k = 0; k < EXTENT; k++)
            *number_at(&from, i, k) = number_of(0, i, k);
    for (int64_t i = 0; i <= COUNT; i++)
        for (int k = 0; k < EXTENT; k++)
            *number_at(&to, i, k) = BEFORE;
    REQUIRE(hs__items_copy(&from, FIRST, &to, COUNT, MPI_COMM_SELF) == HS_OK);
    for (int64_t i = 0; i <= COUNT; i++)
        for (int k = 0; k < EXTENT; k++)
            REQUIRE(*number_at(&to, i, k) == (i < COUNT && k < NUMBERS ? number_of(0, i + FIRST, k) : BEFORE));
    free(room);
    free(all_room);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Datatype type = interleaved();
    int64_t most = hs__piece_items(NUMBERS * sizeof(double), HS__FINE);
    REQUIRE(most > 1 && most < hs__piece_items(NUMBERS * sizeof(double), HS__WHOLE));
    REQUIRE(hs__piece_items(0, HS__FINE) > 1 && hs__piece_items(INT64_MAX, HS__WHOLE) == 1);
    round_the_ranks(type, 1, 1);
    round_the_ranks(type, most, 1);
    round_the_ranks(type, most + 1, 2);
    round_the_ranks(type, 2 * most + most / 2, 3);
    copies(type);
    hs__items none;
    REQUIRE(hs__items_of(NULL, MPI_DATATYPE_NULL, &none) == HS_ERR_ARG);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
