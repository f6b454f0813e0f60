/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_BALANCE_LOG_H
#define HS_RUNTIME_BALANCE_LOG_H

/* The log of decisions (HS_LOG_DECISIONS): the first rank of each context writes what its layouts see and decide, whole
 * lines at once, so that a killed run leaves a file that can be read. Any thread. The process with rank 0 of
 * MPI_COMM_WORLD writes the file itself, one with rank R of it FILE.R, those of spawned processes as of
 * hs__environment_name_spawned(). A file that cannot be written is told of once. */

#include "plan/decision/decide.h"
#include "plan/decision/slices.h"
#include "runtime/session/context.h"

/** Begin a layout on the ranks of context->ring, which the file names by their ranks in MPI_COMM_WORLD. Local.
 * @param[in] slices    NULL: another kind
 * @param[in] periodic  the last slice is a neighbour of the first
 * @return its number, >= 1; 0: nothing is logged */
int hs__log_layout(const hs_context *context, const double *first, const hs__slices *slices, int periodic);

/** The same on a rank that writes no layout: before its first one, remove the file that it would write. It is of an
 * earlier run, and would be taken for this one's. */
void hs__log_forget(void);

void hs__log_weights(int layout, int64_t units, const double *weight);
void hs__log_phase(int layout, int ranks, int64_t iteration, const hs__decide_phase *phase,
                   const hs__decision *decision, int moves);
/** Messages take other times from now on. */
void hs__log_memberships(int layout, const hs__slices *slices);
void hs__log_moved(int layout, double seconds);

#endif
