/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_INTERPOSE_WAITING_H
#define HS_INTERPOSE_WAITING_H

/* Blocking calls that pause while they wait. Where nothing has to be shared nothing is replaced, so that it costs
 * nothing. Collective calls become their non-blocking twins on all ranks or on none, because the two do not match. */

#include "interpose/forward.h"
#include <mpi.h>

/** A call that can wait politely. */
typedef struct hs__waiting_call {
    hs__function polite;   /* NULL: this call cannot */
    hs__function blocking; /* what it stands in front of, once it is in use */
    int is_collective;
} hs__waiting_call;

/* Of wrap_waiting.c: one entry a function of calls.txt. */
extern hs__waiting_call hs__waiting_calls[];

/** Whether this rank's messages, and all ranks' collective calls, wait politely. */
extern int hs__waiting_messages, hs__waiting_collectives;

/** Choose, by HS_WAIT or, by itself, by how many ranks share a processor, and replace calls. At the end of MPI_Init;
 * collective. */
void hs__waiting_take(int by_itself);

/** Before MPI is finalized. */
void hs__waiting_leave(void);

/** Whether all ranks of a communicator began with this program: others may have chosen otherwise. */
int hs__waiting_all_here(MPI_Comm comm);

#endif
