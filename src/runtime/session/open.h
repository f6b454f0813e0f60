/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_SESSION_OPEN_H
#define HS_RUNTIME_SESSION_OPEN_H

/* The begin of every collective call that has no context yet. All ranks of the program's communicator vote there, with
 * the time-out, before anything that would wait for a rank that is missing or has failed. Whatever follows goes over a
 * communicator of the library's own. */

#include "runtime/session/context.h"

/** Come together over comm and make a context of its ranks, in its order. Collective over comm.
 *
 * What the caller left at zero comes from rank 0's environment.
 * @param[in]  given    NULL: all zero
 * @param[in]  mine     the operation, this rank's status so far, and what all must pass alike
 * @param[in]  names    as in hs__gather_start()
 * @param[in]  problem  on mine->status < 0 what is wrong
 * @param[out] context  on HS_OK a new one without hs_comm(), ended by hs__context_free()
 * @return HS_OK; HS_ERR_ARG (no intra-communicator, bad parameters); HS_ERR_STATE; HS_ERR_TIMEOUT; HS_ERR_MISMATCH;
 *         HS_ERR_NOMEM; HS_ERR_MPI: the same on all ranks, with a text in *error */
hs_status hs__session_open(MPI_Comm comm, const hs_params *given, const hs__record *mine, const char *const *names,
                           const hs_error *problem, hs_context **context, hs_error *error);

#endif
