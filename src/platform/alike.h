/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLATFORM_ALIKE_H
#define HS_PLATFORM_ALIKE_H

/* Hosts whose routes to every third host have the same numbers: those of a <cluster>, and those that have only one edge, to the
 * same node, over links of the same numbers. Gateways of zones are like nobody. */

#include <heteroslice/hs_platform.h>

/** List the hosts that are alike.
 * @param[out] next      [hosts] the next higher host that is like this one; -1: there is none
 * @param[out] is_first  [hosts] whether no lower one is
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__platform_find_alike(const hs_platform *platform, int *next, char *is_first);

#endif
