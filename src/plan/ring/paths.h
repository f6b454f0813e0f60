/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_RING_PATHS_H
#define HS_PLAN_RING_PATHS_H

/* The four paths of an insertion: from the gap (i, j) to a candidate k and back. */

#include "plan/ring/graph.h"

enum { HS__I_TO_K, HS__K_TO_I, HS__K_TO_J, HS__J_TO_K };

typedef struct hs__finder hs__finder;

/** graph is NULL for fixed routes; both are borrowed.
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__finder_create(hs__network *network, hs__graph *graph, hs__finder **finder);
void hs__finder_free(hs__finder *finder);

/** Turn to the gap between hosts i and j. residual is bytes/s left of each link and must stay as it is until the next
 * gap.
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__finder_gap(hs__finder *finder, int i, int j, const double *residual);

/** The most that each of the four paths between the gap and host k, in the order above, could carry alone; 0 where
 * there is no path. */
hs_status hs__finder_widths(hs__finder *finder, int k, double width[4]);

/** The four paths themselves; all must exist. They are valid until the next call. */
hs_status hs__finder_paths(hs__finder *finder, int k, const hs__path *four[4]);

/** Make four paths last as long as the network. */
hs_status hs__finder_keep(hs__finder *finder, const hs__path *four[4]);

#endif
