/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_CLI_BASE_TRANSFER_TIMES_H
#define HS_CLI_BASE_TRANSFER_TIMES_H

#include "platform/bounds.h"

/** Seconds that a message between a host and each other host takes over the platform's route: latency and bytes over
 * bandwidth, each alone.
 * @param[out] latency, transfer  [hosts], 0 for the host itself
 * @param[in,out] bounds  also has the links that limit these routes; NULL: not wanted
 * @return HS_OK; as hs_platform_route(), with a text that names both hosts */
hs_status cli_times_from(const hs_platform *platform, int host, double bytes, double *latency, double *transfer,
                         hs__bounds *bounds, hs_error *error);

/** Seconds that each host takes to send a message: over its best route to another host, which its own link limits.
 * @param[out] time  [hosts]
 * @param[in,out] bounds  also has the links that limit these best routes
 * @return as cli_times_from(); HS_ERR_NOMEM */
hs_status cli_send_times(const hs_platform *platform, double bytes, double *time, hs__bounds *bounds, hs_error *error);

#endif
