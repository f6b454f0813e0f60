/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_TRACING_H
#define HS_RUNTIME_TRACING_H

/* One timeline of all ranks (HS_TRACE): every rank records its events (timeline/events.h), and in MPI_Finalize rank 0 writes them,
 * by one clock, one rank after the other. */

#include <mpi.h>

/** Begin to record, for the folder in HS_TRACE; collective over comm. The calling thread is the one that is watched. Where there
 * can be no trace, one line on stderr says why, and nothing is recorded. */
void hs__tracing_start(MPI_Comm comm, const char *(*call_name)(int number));

/** Write the file and end; collective. Without a start it does nothing. */
void hs__tracing_stop(void);

#endif
