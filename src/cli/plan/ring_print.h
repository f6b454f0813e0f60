/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_CLI_PLAN_RING_PRINT_H
#define HS_CLI_PLAN_RING_PRINT_H

#include "platform/bounds.h"
#include <heteroslice/hs_ring.h>

/** Print the tables of a ring: its hosts in ring order, those left out, the paths and the step times by size. Of a large ring
 * the slowest hosts and paths and some sizes, unless all are wanted.
 * @param[in] bounds  of the links on its paths
 * @param[in] with_units  whether the work is cut into units */
void cli_ring_print(const hs_platform *platform, const hs_ring *ring, const hs__bounds *bounds, int with_units,
                    int all);

#endif
