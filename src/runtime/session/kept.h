/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_SESSION_KEPT_H
#define HS_RUNTIME_SESSION_KEPT_H

/* Measurements from one start to the next, in the folder of src/cache/. */

#include "runtime/base/peers.h"
#include <heteroslice/hs_platform.h>
#include <heteroslice/hs_runtime.h>

/** Find the platform of the ranks' hosts: a measurement of the same hosts and ranks that was kept, is not too old and still holds
 * (runtime/probe/spot.h), if need be with the speeds seen, which are kept, or else a new one, which is kept when its budget was
 * long enough. HS_CACHE=off, by rank 0, always measures and keeps nothing. Collective; what is wrong with a file costs a line and
 * no more.
 *
 * @param[in]  names     of all ranks' hosts, see hs__host_names_gather()
 * @param[out] platform  on rank 0 the platform, which the caller frees; elsewhere it may be set, too
 * @return the same on all ranks, as hs_probe_run(), but that MPI may have failed on some only; HS_ERR_TIMEOUT, HS_ERR_MPI:
 *         peers are broken */
hs_status hs__kept_find(hs__peers *peers, const hs_params *params, const char *names, hs_platform **platform,
                        hs_error *error);

/** Where hs run has started the program with a measurement that was kept (HS_CACHE=run): look whether it holds, if need be with
 * the speeds seen. When it does not, rank 0 warns and marks the file, so that the next start measures anew. Collective over a
 * communicator of the library's whose ranks have the same settings. */
void hs__kept_check(MPI_Comm comm);

#endif
