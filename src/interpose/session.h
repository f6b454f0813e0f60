/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_INTERPOSE_SESSION_H
#define HS_INTERPOSE_SESSION_H

/* Sessions of MPI. A program without MPI_Init has no MPI_COMM_WORLD, so it gets its report over a communicator of its own:
 * the first that it makes of all processes while each of them has one session open, and no other. The report is made when
 * that session is finalized, which may wait for the other processes (MPI-4.0, 11.3.1) unless the program has disconnected
 * the communicator. Then nobody may wait, and there is no report. */

#include "interpose/forward.h"
#include <mpi.h>

#if HS__HAS_MPI4
/** MPI_Session_init begins: choose where calls go, and announce this process. */
void hs__session_begin(void);

/** It has ended: begin to account, unless MPI_Init has. */
void hs__session_started(MPI_Session session);

/** MPI_Comm_create_from_group has made a communicator.
 * Scope:      collective over it where all processes of the job are in it and have this library preloaded. */
void hs__session_made_comm(MPI_Comm comm);

/** The handle will mean another communicator from now on. */
void hs__session_forget_comm(MPI_Comm comm, int disconnected);

/** MPI_Session_finalize begins: report, if it is time. */
void hs__session_end(MPI_Session session);
#else
static inline void hs__session_forget_comm(MPI_Comm comm, int disconnected)
{
}
#endif

#endif
