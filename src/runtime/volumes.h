/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_VOLUMES_H
#define HS_RUNTIME_VOLUMES_H

/* Who sends how much to whom: messages and bytes per communicator and destination, as the wrapped calls tell. Counts of
 * threads that send over one communicator at the same moment may miss each other's last addition; nothing else is lost.
 * The first HS__VOLUME_COMMS communicators are kept apart, later ones are not counted. */

#include <limits.h>
#include <mpi.h>
#include <stdint.h>

enum { HS__VOLUME_COMMS = 64 };

/** Messages and bytes. */
typedef struct hs__sent {
    int64_t messages, bytes;
} hs__sent;

typedef struct hs__volume {
    char name[MPI_MAX_OBJECT_NAME];
    int size;             /* ranks messages may go to: the remote group's of an inter-communicator */
    int rank;             /* this rank there */
    int *world;           /* rank in MPI_COMM_WORLD of each, MPI_UNDEFINED for one from outside; owned */
    hs__sent *sent;       /* to each; owned */
    hs__sent *collective; /* collective calls, and the bytes of those whose size one count tells; lent */
} hs__volume;

/** Begin to count; nothing is counted before. */
void hs__volumes_start(void);
void hs__volumes_stop(void);

enum { HS__TO_ALL = INT_MIN }; /* no rank, and nobody */

/* Where the thread's last message went, or its last collective call, if its type is one of MPI's own, which keep their
 * sizes; a change of the generation makes all threads look again. */
typedef struct hs__volume_way {
    MPI_Comm comm;
    MPI_Datatype type;
    int to, generation; /* to: HS__TO_ALL, it was a collective call */
    hs__sent *sent;
    int64_t size;
} hs__volume_way;

extern __thread hs__volume_way hs__volumes_last __attribute__((tls_model("initial-exec")));
extern __thread hs__volume_way hs__volumes_last_to_all __attribute__((tls_model("initial-exec")));
extern int hs__volumes_generation;

/** So many messages, each of count elements, went to a rank of comm, or so many collective calls were made
 * (HS__TO_ALL); below 0: there were so many fewer. A rank below 0 (MPI_PROC_NULL) counts nothing. */
void hs__volumes_count(MPI_Comm comm, int to, int64_t messages, int64_t count, MPI_Datatype type);

static inline void hs__volumes_add(hs__sent *sent, int64_t messages, int64_t bytes_each)
{
    int64_t bytes = __atomic_load_n(&sent->bytes, __ATOMIC_RELAXED) + messages * bytes_each;
    __atomic_store_n(&sent->messages, __atomic_load_n(&sent->messages, __ATOMIC_RELAXED) + messages, __ATOMIC_RELAXED);
    __atomic_store_n(&sent->bytes, bytes, __ATOMIC_RELAXED);
}

/* Whether it went the last way; then it is counted. */
static inline int hs__volumes_went(const hs__volume_way *last, MPI_Comm comm, int to, int64_t count, MPI_Datatype type)
{
    int now = __atomic_load_n(&hs__volumes_generation, __ATOMIC_ACQUIRE);
    int same =
        (last->generation == now) & (last->comm == comm) & (last->to == to) & (last->type == type); /* one jump */
    if (__builtin_expect(!same, 0))
        return 0;
    hs__volumes_add(last->sent, 1, count * last->size);
    return 1;
}

/** A message of count elements went to a rank of comm. */
static inline void hs__volumes_send(MPI_Comm comm, int to, int64_t count, MPI_Datatype type)
{
    if (!hs__volumes_went(&hs__volumes_last, comm, to, count, type))
        hs__volumes_count(comm, to, 1, count, type);
}

/** A collective call; MPI_DATATYPE_NULL when its size is not known. */
static inline void hs__volumes_collective(MPI_Comm comm, int64_t count, MPI_Datatype type)
{
    if (!hs__volumes_went(&hs__volumes_last_to_all, comm, HS__TO_ALL, count, type))
        hs__volumes_count(comm, HS__TO_ALL, 1, count, type);
}

/** The same before the call, when that is soon done. @return whether it was counted */
static inline int hs__volumes_collective_soon(MPI_Comm comm, int64_t count, MPI_Datatype type)
{
    return hs__volumes_went(&hs__volumes_last_to_all, comm, HS__TO_ALL, count, type);
}

/** Where messages to a rank of comm, or its collective calls (HS__TO_ALL), are counted from now on, whatever becomes of
 * its handle; NULL: they are not. */
hs__sent *hs__volumes_account(MPI_Comm comm, int to);

/** Bytes of an element; 0 for MPI_DATATYPE_NULL. @return -1 for a type of the program's own: it may be freed, and
 * another one have its handle then */
int64_t hs__volumes_lasting_size(MPI_Datatype type);

/** A persistent send was made; its messages count when it is started. */
void hs__volumes_persistent(MPI_Request request, MPI_Comm comm, int to, int64_t count, MPI_Datatype type);
void hs__volumes_start_request(MPI_Request request);

/** The handle will mean another communicator, or another request, from now on. */
void hs__volumes_forget_comm(MPI_Comm comm);
void hs__volumes_forget_request(MPI_Request request);

/** What was counted: n communicators in the order of their first messages. Lent until the next call. */
const hs__volume *hs__volumes(int *n);

#endif
