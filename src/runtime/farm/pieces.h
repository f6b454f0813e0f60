/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_FARM_PIECES_H
#define HS_RUNTIME_FARM_PIECES_H

/* Any number of items of any MPI type, in messages that an int can count. */

#include "runtime/session/messages.h"

/** Requests of one transfer; start with {0}. */
typedef struct hs__pieces {
    MPI_Request *request; /* owned */
    size_t count, capacity;
    size_t ended;    /* request[0 .. ended - 1] have ended */
    size_t reserved; /* by hs__pieces_reserve() */
} hs__pieces;

/** What is where: item i at data + i * extent. */
typedef struct hs__items {
    char *data;
    MPI_Datatype type;
    MPI_Aint extent;
    MPI_Aint begin, end; /* begin <= 0, end >= extent: all that an item reaches, from its place on */
    int64_t bytes;       /* of one item, without gaps */
} hs__items;

/** Describe items. @return HS_OK; HS_ERR_ARG: type is no datatype */
hs_status hs__items_of(const void *data, MPI_Datatype type, hs__items *items);

/** What a function calls the arguments that describe items. */
typedef struct hs__items_names {
    const char *data, *type;
} hs__items_names;

/** Describe items that a program has given: it may have forgotten to commit their type, or to say where they are.
 * @param[in,out] items  data and type are given
 * @param[in]     count  how many there are; 0: data is not used
 * @param[in]     comm   returns errors
 * @return HS_OK; HS_ERR_ARG with *error saying what is wrong */
hs_status hs__items_given(hs__items *items, int64_t count, hs__items_names names, MPI_Comm comm, hs_error *error);

/** Make room for count items, at least one, and let them lie there. The extent is above 0. Items reach over more than it where
 * they are interleaved, as the columns of a matrix are.
 * @return what free() takes; NULL when memory is out: items are then as before */
void *hs__items_allocate(hs__items *items, int64_t count);

/** The address of an item. */
char *hs__items_at(const hs__items *items, int64_t i);

/** How large messages may get: the same on both sides. */
typedef enum hs__grain {
    HS__WHOLE, /* as large as MPI can count */
    HS__FINE   /* so small that computing can start when the first has come */
} hs__grain;

/** Items in one message: the same on both sides, whatever their layouts. */
int64_t hs__piece_items(int64_t item_bytes, hs__grain grain);

/** Make room for the requests of so many items as whole pieces, besides those reserved before, so that posting these needs no
 * memory.
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__pieces_reserve(hs__pieces *pieces, const hs__items *items, int64_t count);

/** Start the transfer of items first .. first + count - 1; requests are added. On failure those added so far stay.
 * @return HS_OK; HS_ERR_NOMEM; HS_ERR_MPI */
hs_status hs__pieces_post(hs__pieces *pieces, hs__direction way, hs__grain grain, const hs__items *items, int64_t first,
                          int64_t count, int peer, int tag, MPI_Comm comm);

/** Test which requests have ended, in the order posted; *done: all of them have, and the list is empty again. */
hs_status hs__pieces_test(hs__pieces *pieces, int *done);

void hs__pieces_free(hs__pieces *pieces);

/** Copy items of one layout into another, by messages to itself over the farm's own communicator, where no receive of the
 * program can take them. @return HS_OK; HS_ERR_MPI */
hs_status hs__items_copy(const hs__items *from, int64_t first, const hs__items *to, int64_t count, MPI_Comm internal);

#endif
