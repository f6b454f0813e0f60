/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_BASE_HOST_NAMES_H
#define HS_RUNTIME_BASE_HOST_NAMES_H

/* Which host of a platform file a rank runs on, by name. */

#include "runtime/base/peers.h"
#include <heteroslice/hs_platform.h>

enum { HS__HOST_NAME_SIZE = 256 };

/** The name of this process's host, cut at HS__HOST_NAME_SIZE - 1 bytes.
 * given: the name, as of HS_LAB_HOST; NULL or empty: what MPI_Get_processor_name() returns */
void hs__host_name(const char *given, char name[HS__HOST_NAME_SIZE]);

/** The names of all ranks' hosts; collective.
 * @param[in]  given  this rank's, as of hs__host_name()
 * @param[out] names  [ranks * HS__HOST_NAME_SIZE]; the caller frees it, or parks it when peers are broken, also after a
 *                    failure
 * @return HS_OK; HS_ERR_NOMEM on all ranks; HS_ERR_TIMEOUT, HS_ERR_MPI: peers are broken */
hs_status hs__host_names_gather(hs__peers *peers, const char *given, char **names);

/** The host of every rank.
 * @param names       [ranks * HS__HOST_NAME_SIZE]
 * @param[out] host   [ranks], written up to the rank that fails
 * @return HS_OK; HS_ERR_UNREACHABLE: a name is no host of the platform */
hs_status hs__host_names_find(const hs_platform *platform, const char *names, int ranks, int *host, hs_error *error);

#endif
