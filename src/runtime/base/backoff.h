/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_BASE_BACKOFF_H
#define HS_RUNTIME_BASE_BACKOFF_H

/* Waiting for MPI by util/backoff.h: another rank, or this rank's own CPU quota, needs the processor.
 *
 * These waits are for what goes on inside calls of the program, which wait for a rank as long as it takes to come; calls
 * of this library wait by hs__peers_wait(). */

#include <heteroslice/hs_status.h>
#include <mpi.h>
#include <stdint.h>

/** One pause of a wait in which nothing has happened since then_ns of hs__clock_ns(). */
void hs__backoff_since(int64_t then_ns);

/** Wait for a request. @return HS_OK; HS_ERR_MPI */
hs_status hs__backoff_wait(MPI_Request *request);

/** Add up count doubles of all ranks, in place; collective over comm. @return HS_OK; HS_ERR_MPI: value[] is undefined */
hs_status hs__backoff_sum(MPI_Comm comm, double *value, int count);

/** The least of all ranks' numbers, which are >= 0; collective over comm. After an MPI failure 0. */
int hs__backoff_least(MPI_Comm comm, int mine);

/** Whether something is well on all ranks: the same answer on all; collective over comm. An MPI failure is no. */
int hs__all_ok(MPI_Comm comm, int ok);

#endif
