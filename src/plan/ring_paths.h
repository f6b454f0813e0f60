/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_RING_PATHS_H
#define HS_PLAN_RING_PATHS_H

/* The four paths of an insertion: from the gap (i, j) to a candidate k and back. */

#include "plan/ring_network.h"

enum { HS__I_TO_K, HS__K_TO_I, HS__K_TO_J, HS__J_TO_K };

typedef struct hs__finder hs__finder;

/** @return HS_OK; HS_ERR_NOMEM; HS_ERR_UNSUPPORTED (free routes on a platform without a graph) */
hs_status hs__finder_create(hs__network *network, hs_ring_routes routes, hs__finder **finder);
void hs__finder_free(hs__finder *finder);

/** Turn to the gap between hosts i and j. residual is bytes/s left of each link and must stay as it is until the next
 * gap. */
void hs__finder_gap(hs__finder *finder, int i, int j, const double *residual);

/** The four paths between the gap and host k, in the order above, and the most that each could carry alone. They are
 * valid until the next call; *found is 0 when one does not exist. */
hs_status hs__finder_paths(hs__finder *finder, int k, const hs__path *four[4], double width[4], int *found);

/** Make the four paths last as long as the network. */
hs_status hs__finder_keep(hs__finder *finder, const hs__path *four[4]);

#endif
