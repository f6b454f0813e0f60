/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_WATCH_TRAFFIC_H
#define HS_RUNTIME_WATCH_TRAFFIC_H

/* Who sends how much to whom: messages and bytes per communicator and destination, as the wrapped calls tell. Counts of
 * threads that send over one communicator at the same moment may miss each other's last addition; nothing else is lost.
 * The first HS__TRAFFIC_COMMS communicators are kept apart, later ones are not counted. */

#include <limits.h>
#include <mpi.h>
#include <stdint.h>

enum { HS__TRAFFIC_COMMS = 64 };

/** Messages and bytes. */
typedef struct hs__traffic_counter {
    int64_t messages, bytes;
} hs__traffic_counter;

typedef struct hs__traffic {
    char name[MPI_MAX_OBJECT_NAME];
    int size;                        /* ranks messages may go to: the remote group's of an inter-communicator */
    int rank;                        /* this rank there */
    int *world;                      /* rank in MPI_COMM_WORLD of each, MPI_UNDEFINED for one from outside; owned */
    hs__traffic_counter *sent;       /* to each; owned */
    hs__traffic_counter *collective; /* collective calls, and the bytes of those whose size one count tells; lent */
} hs__traffic;

/** Begin to count; nothing is counted before. */
void hs__traffic_start(void);
void hs__traffic_stop(void);

enum { HS__TO_ALL = INT_MIN }; /* no rank, and nobody */

/* Where the thread's last message went, or its last collective call, if its type is one of MPI's own, which keep their
 * sizes; a change of the generation makes all threads look again. */
typedef struct hs__traffic_way {
    MPI_Comm comm;
    MPI_Datatype type;
    int to, generation; /* to: HS__TO_ALL, it was a collective call */
    hs__traffic_counter *sent;
    int64_t size;
} hs__traffic_way;

extern __thread hs__traffic_way hs__traffic_last __attribute__((tls_model("initial-exec")));
extern __thread hs__traffic_way hs__traffic_last_to_all __attribute__((tls_model("initial-exec")));
extern int hs__traffic_generation;

/** So many messages, each of count elements, went to a rank of comm, or so many collective calls were made
 * (HS__TO_ALL); below 0: there were so many fewer. A rank below 0 (MPI_PROC_NULL) counts nothing. */
void hs__traffic_count(MPI_Comm comm, int to, int64_t messages, int64_t count, MPI_Datatype type);

static inline void hs__traffic_add(hs__traffic_counter *sent, int64_t messages, int64_t bytes_each)
{
    int64_t bytes = __atomic_load_n(&sent->bytes, __ATOMIC_RELAXED) + messages * bytes_each;
    __atomic_store_n(&sent->messages, __atomic_load_n(&sent->messages, __ATOMIC_RELAXED) + messages, __ATOMIC_RELAXED);
    __atomic_store_n(&sent->bytes, bytes, __ATOMIC_RELAXED);
}

/* Whether it went the last way; then it is counted. */
static inline int hs__traffic_went(const hs__traffic_way *last, MPI_Comm comm, int to, int64_t count, MPI_Datatype type)
{
    int now = __atomic_load_n(&hs__traffic_generation, __ATOMIC_ACQUIRE);
    int same =
        (last->generation == now) & (last->comm == comm) & (last->to == to) & (last->type == type); /* one jump */
    if (__builtin_expect(!same, 0))
        return 0;
    hs__traffic_add(last->sent, 1, count * last->size);
    return 1;
}

/** A message of count elements went to a rank of comm. */
static inline void hs__traffic_send(MPI_Comm comm, int to, int64_t count, MPI_Datatype type)
{
    if (!hs__traffic_went(&hs__traffic_last, comm, to, count, type))
        hs__traffic_count(comm, to, 1, count, type);
}

/** A collective call; MPI_DATATYPE_NULL when its size is not known. */
static inline void hs__traffic_collective(MPI_Comm comm, int64_t count, MPI_Datatype type)
{
    if (!hs__traffic_went(&hs__traffic_last_to_all, comm, HS__TO_ALL, count, type))
        hs__traffic_count(comm, HS__TO_ALL, 1, count, type);
}

/** The same before the call, when that is soon done. @return whether it was counted */
static inline int hs__traffic_collective_soon(MPI_Comm comm, int64_t count, MPI_Datatype type)
{
    return hs__traffic_went(&hs__traffic_last_to_all, comm, HS__TO_ALL, count, type);
}

/** Where messages to a rank of comm, or its collective calls (HS__TO_ALL), are counted from now on, whatever becomes of
 * its handle; NULL: they are not. */
hs__traffic_counter *hs__traffic_account(MPI_Comm comm, int to);

/** Bytes of an element; 0 for MPI_DATATYPE_NULL. @return -1 for a type of the program's own: it may be freed, and
 * another one have its handle then */
int64_t hs__traffic_lasting_size(MPI_Datatype type);

/** A persistent send was made; its messages count when it is started. */
void hs__traffic_persistent(MPI_Request request, MPI_Comm comm, int to, int64_t count, MPI_Datatype type);
void hs__traffic_start_request(MPI_Request request);

/** The handle will mean another communicator, or another request, from now on. */
void hs__traffic_forget_comm(MPI_Comm comm);
void hs__traffic_forget_request(MPI_Request request);

/** What was counted: n communicators in the order of their first messages. Lent until the next call. */
const hs__traffic *hs__traffic_all(int *n);

#endif
