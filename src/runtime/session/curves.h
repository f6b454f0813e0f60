/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_SESSION_CURVES_H
#define HS_RUNTIME_SESSION_CURVES_H

/* How the speeds of ranks depend on the bytes of their slices, as the platform says. */

#include "runtime/base/peers.h"
#include <heteroslice/hs_platform.h>

typedef struct hs__curves {
    hs_speed_function
        *function;         /* [rank] work units a second; without points the speed is the same at all sizes; NULL: of
                                    no rank is anything known; owned */
    hs_speed_point *point; /* of them all, one rank after the other; owned */
} hs__curves;

/** Divide each host's function among its ranks. Local.
 * @param[in] host  [ranks] of each rank
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__curves_of(const hs_platform *platform, const int *host, int ranks, hs__curves *curves);

/** Take what rank 0 has. Collective.
 * @return the same status on all ranks */
hs_status hs__curves_share(hs__peers *peers, int rank, int ranks, hs__curves *curves);

/** Free what they own and make them empty. */
void hs__curves_free(hs__curves *curves);

#endif
