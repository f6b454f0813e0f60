/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_BY_SIZE_HOSTS_H
#define HS_PLAN_BY_SIZE_HOSTS_H

/* Hosts of a platform whose speed depends on the size of their slice. Planners that take one speed a host get the one of
 * slices of equal time. */

#include "util/pool.h"
#include <heteroslice/hs_platform.h>

/** What is known of the hosts, numbered as in the platform. */
typedef struct hs__by_size {
    hs_speed_function *function; /* [host] of all its cores */
    double *speed; /* [host] work units/s of its slice where the slices of all hosts take equal time without messages */
    double *peak;  /* [host] work units/s that no slice of it exceeds */
    double least_time; /* seconds of those slices: no plan takes less */
    hs__pool pool;
} hs__by_size;

/** Fill *sizes for a platform whose hosts divide `work` work units and `data` bytes, both > 0. On failure nothing is left
 * to free.
 * @return HS_OK; HS_ERR_INFEASIBLE (no host can compute, or the largest slices do not hold the data); HS_ERR_NOMEM */
hs_status hs__by_size_init(hs__by_size *sizes, const hs_platform *platform, double work, double data, hs_error *error);

/** Free it; one that is all 0 is fine. */
void hs__by_size_free(hs__by_size *sizes);

#endif
