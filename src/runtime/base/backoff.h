/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_BASE_BACKOFF_H
#define HS_RUNTIME_BASE_BACKOFF_H

/* Waiting without spending the processor that another rank, or this rank's own CPU quota, needs. */

#include <heteroslice/hs_status.h>
#include <mpi.h>
#include <stdint.h>

/** How eagerly to look: without a break for the first `spin` seconds, then every `nap` seconds. */
typedef struct hs__backoff {
    double spin, nap;
} hs__backoff;

/** Give the processor up for a moment, longer the longer nothing has happened since then_ns of hs__clock_ns(). */
void hs__backoff_pause(int64_t then_ns);

/** Wait for a request. @return HS_OK; HS_ERR_MPI. The status may be MPI_STATUS_IGNORE. */
hs_status hs__backoff_wait(MPI_Request *request, hs__backoff patience, MPI_Status *status);

/** Gather count doubles of each rank on all; collective over comm. all[] has count doubles a rank. */
hs_status hs__backoff_gather(MPI_Comm comm, const double *mine, int count, double *all);

/** Give every rank root's bytes; collective over comm. */
hs_status hs__backoff_share(MPI_Comm comm, int root, void *bytes, int count);

/** Agree on a status: the lowest of all ranks, with the text of the lowest rank that has it when it is an error;
 * collective over comm. error may be NULL, on some ranks, too. */
hs_status hs__backoff_agree(MPI_Comm comm, hs_status mine, hs_error *error);

#endif
