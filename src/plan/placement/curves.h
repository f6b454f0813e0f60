/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_PLACEMENT_CURVES_H
#define HS_PLAN_PLACEMENT_CURVES_H

/* How the speeds of ranks depend on the bytes of their slices, as the platform says. */

#include <heteroslice/hs_platform.h>

typedef struct hs__curves {
    hs_speed_function
        *function;         /* [rank] work units a second; without points the speed is the same at all sizes; NULL: of
                                    no rank is anything known; owned */
    hs_speed_point *point; /* of them all, one rank after the other; owned */
} hs__curves;

/** How many ranks are on a host. @param[in] host  [ranks] of each rank */
int hs__ranks_on(const int *host, int ranks, int which);

/** The part of a core that each of n ranks on a host gets, at most 1. */
double hs__core_share(const hs_platform *platform, int host, int n);

/** Room for functions with so many points together. @return HS_OK; HS_ERR_NOMEM */
hs_status hs__curves_create(int ranks, int points, hs__curves *curves);

/** Divide each host's function among its ranks.
 * @param[in] host  [ranks] of each rank
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__curves_of(const hs_platform *platform, const int *host, int ranks, hs__curves *curves);

/** Free what they own and make them empty. */
void hs__curves_free(hs__curves *curves);

#endif
