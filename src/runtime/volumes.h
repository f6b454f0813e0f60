/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_VOLUMES_H
#define HS_RUNTIME_VOLUMES_H

/* Who sends how much to whom: messages and bytes per communicator and destination, as the wrapped calls tell. Counts of
 * threads that send over one communicator at the same moment may miss each other's last addition; nothing else is lost.
 * The first HS__VOLUME_COMMS communicators are kept apart, later ones are not counted. */

#include <mpi.h>
#include <stdint.h>

enum { HS__VOLUME_COMMS = 64 };

typedef struct hs__volume {
    char name[MPI_MAX_OBJECT_NAME];
    int size;                  /* ranks messages may go to: the remote group's of an inter-communicator */
    int rank;                  /* this rank there */
    int *world;                /* rank in MPI_COMM_WORLD of each, MPI_UNDEFINED for one from outside; owned */
    int64_t *messages, *bytes; /* sent to each; owned */
    int64_t collectives;       /* collective calls */
    int64_t collective_bytes;  /* of those whose size one count tells */
} hs__volume;

/** Begin to count; nothing is counted before. */
void hs__volumes_start(void);
void hs__volumes_stop(void);

/** A message of count elements went to a rank of comm. A rank below 0 (MPI_PROC_NULL) counts nothing. */
void hs__volumes_send(MPI_Comm comm, int to, int64_t count, MPI_Datatype type);

/** A collective call; MPI_DATATYPE_NULL when its size is not known. */
void hs__volumes_collective(MPI_Comm comm, int64_t count, MPI_Datatype type);

/** A persistent send was made; its messages count when it is started. */
void hs__volumes_persistent(MPI_Request request, MPI_Comm comm, int to, int64_t count, MPI_Datatype type);
void hs__volumes_start_request(MPI_Request request);

/** The handle will mean another communicator, or another request, from now on. */
void hs__volumes_forget_comm(MPI_Comm comm);
void hs__volumes_forget_request(MPI_Request request);

/** What was counted: n communicators in the order of their first messages. Lent until the next call. */
const hs__volume *hs__volumes(int *n);

#endif
