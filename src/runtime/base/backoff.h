/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_BASE_BACKOFF_H
#define HS_RUNTIME_BASE_BACKOFF_H

/* Waiting for MPI by util/backoff.h: another rank, or this rank's own CPU quota, needs the processor. */

#include <heteroslice/hs_status.h>
#include <mpi.h>
#include <stdint.h>

/** One pause of a wait in which nothing has happened since then_ns of hs__clock_ns(). */
void hs__backoff_since(int64_t then_ns);

/** Wait for a request. The first nap is as long as after expected_s seconds of waiting, which is how long the wait may
 * well take. @return HS_OK; HS_ERR_MPI. The status may be MPI_STATUS_IGNORE. */
hs_status hs__backoff_wait(MPI_Request *request, double expected_s, MPI_Status *status);

/** Gather count doubles of each rank on all; collective over comm. all[] has count doubles a rank. */
hs_status hs__backoff_gather(MPI_Comm comm, const double *mine, int count, double *all);

/** Give every rank root's bytes; collective over comm. */
hs_status hs__backoff_share(MPI_Comm comm, int root, void *bytes, int count);

/** Whether something is well on all ranks: the same answer on all; collective over comm. An MPI failure is no. */
int hs__all_ok(MPI_Comm comm, int ok);

/** Agree on a status: the lowest of all ranks, with the text of the lowest rank that has it when it is an error;
 * collective over comm. error may be NULL, on some ranks, too. */
hs_status hs__backoff_agree(MPI_Comm comm, hs_status mine, hs_error *error);

#endif
