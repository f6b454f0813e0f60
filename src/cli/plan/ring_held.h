/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_CLI_PLAN_RING_HELD_H
#define HS_CLI_PLAN_RING_HELD_H

#include <heteroslice/hs_ring.h>

/** Let a ring begin where, and go the way, that the fewest units move from those of a plan (`hs ring --json --units`).
 * @param[in]  units  of the ring, > 0; the plan has as many
 * @param[out] moved  units that change hosts; written only on HS_OK
 * @return HS_OK; HS_ERR_PARSE, HS_ERR_NOMEM: *error has the reason */
hs_status cli_ring_turn_to_held(const char *path, const hs_platform *platform, hs_ring *ring, int64_t units,
                                int64_t *moved, hs_error *error);

#endif
