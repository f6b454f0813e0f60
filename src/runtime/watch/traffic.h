/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_WATCH_TRAFFIC_H
#define HS_RUNTIME_WATCH_TRAFFIC_H

/* Who sends how much to whom: messages and bytes per communicator and destination, as the wrapped calls tell. Every
 * message is counted, from any thread. Communicators are kept apart, also when they are freed; but only so many freed
 * ones, and what went over later ones is added up by the ranks of the world. */

#include <limits.h>
#include <mpi.h>
#include <stdint.h>

enum { HS__TRAFFIC_FREED = 64 }; /* freed communicators that are kept apart */

/** Messages and bytes. */
typedef struct hs__traffic_counter {
    int64_t messages, bytes;
} hs__traffic_counter;

/** Of one communicator, or of many that were freed. */
typedef struct hs__traffic {
    char name[MPI_MAX_OBJECT_NAME];
    int size;                       /* ranks messages may go to: the remote group's of an inter-communicator */
    int rank;                       /* this rank there */
    int *world;                     /* rank in the world of each, MPI_UNDEFINED for one from outside; owned */
    hs__traffic_counter *sent;      /* to each; owned */
    hs__traffic_counter collective; /* collective calls, and the bytes of those whose size one count tells */
    int persistent;                 /* some persistent request may count here */
} hs__traffic;

/** Begin to count; nothing is counted before. */
void hs__traffic_start(void);
void hs__traffic_stop(void);

enum { HS__TO_ALL = INT_MIN }; /* not a rank and not MPI_PROC_NULL */

/** A message of count elements went to a rank of comm, or a collective call was made (HS__TO_ALL), with
 * MPI_DATATYPE_NULL when its size is not known. A rank below 0 (MPI_PROC_NULL) counts nothing. */
void hs__traffic_send(MPI_Comm comm, int to, int64_t count, MPI_Datatype type);

/** A persistent send or collective call (HS__TO_ALL) was made; its messages count when it is started.
 * Cost:       O(1) for each of these, without a lock for a start. */
void hs__traffic_persistent(MPI_Request request, MPI_Comm comm, int to, int64_t count, MPI_Datatype type);
void hs__traffic_start_request(MPI_Request request);

/** The program has named it: so is what it has carried. */
void hs__traffic_name_comm(MPI_Comm comm);

/** The handle will mean another communicator, or another request, from now on. */
void hs__traffic_forget_comm(MPI_Comm comm);
void hs__traffic_forget_request(MPI_Request request);

/** What was counted: n entries in the order of their first messages. Lent until the next call. */
const hs__traffic *const *hs__traffic_all(int *n);

#endif
