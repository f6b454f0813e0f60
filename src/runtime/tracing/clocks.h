/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_TRACING_CLOCKS_H
#define HS_RUNTIME_TRACING_CLOCKS_H

/* Every rank's clock beside rank 0's. Two comparisons, at the begin and at the end of a run, give the offset and the rate. */

#include <heteroslice/hs_status.h>
#include <mpi.h>
#include <stdint.h>

/** The same moment on both clocks. */
typedef struct hs__clock_moment {
    int64_t ticks; /* of this rank */
    int64_t ns;    /* of rank 0's hs__clock_ns() */
    int64_t error; /* nanoseconds that `ns` may be off by at most: half of a round trip; 0 on rank 0 */
} hs__clock_moment;

/** Compare the clocks of all ranks with rank 0's: a rank asks for the time, and of some tries the one that was answered fastest
 * counts, whose answer is taken for the middle of the round trip (Cristian, "Probabilistic clock synchronization", 1989).
 * Scope:      collective over comm.
 * Cost:       32 round trips a rank, one rank after the other.
 * @return HS_OK; HS_ERR_MPI */
hs_status hs__clocks_compare(MPI_Comm comm, hs__clock_moment *moment);

/** Ticks of this rank in nanoseconds of rank 0's clock, by two comparisons. */
int64_t hs__clocks_map(const hs__clock_moment *first, const hs__clock_moment *last, int64_t ticks);

#endif
