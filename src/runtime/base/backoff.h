/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_BASE_BACKOFF_H
#define HS_RUNTIME_BASE_BACKOFF_H

/* Waiting for MPI by util/backoff.h: another rank, or this rank's own CPU quota, needs the processor. */

#include <mpi.h>
#include <stdint.h>

/** One pause of a wait in which nothing has happened since then_ns of hs__clock_ns(). */
void hs__backoff_since(int64_t then_ns);

/** Whether something is well on all ranks: the same answer on all; collective over comm. An MPI failure is no.
 *
 * For what goes on inside MPI calls of the program, which wait for a rank as long as it takes to come; calls of this
 * library wait by hs__peers_wait(). */
int hs__all_ok(MPI_Comm comm, int ok);

#endif
