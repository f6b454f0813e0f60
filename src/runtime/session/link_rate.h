/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_SESSION_LINK_RATE_H
#define HS_RUNTIME_SESSION_LINK_RATE_H

/* What a byte takes between the ranks of a context, before anything large was sent. */

#include "runtime/session/context.h"

/** Let every rank send to the next one, all at once, ever more until that takes long enough to be timed. Collective;
 * a few megabytes a rank at most.
 * @param[out] byte_s  seconds a byte, of the slowest rank: the same on all ranks
 * @return HS_OK; HS_ERR_NOMEM, HS_ERR_MPI, HS_ERR_TIMEOUT */
hs_status hs__link_rate_measure(hs_context *context, double *byte_s);

#endif
