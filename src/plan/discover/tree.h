/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_DISCOVER_TREE_H
#define HS_PLAN_DISCOVER_TREE_H

/* The tree that the cuts between switches make. The switch of a cut is the one on its side; -1 is the root switch. */

#include "plan/discover/cuts.h"

static const double hs__least_gain = 0.3; /* a link between switches that is added explains so much */

/** Set the parent of every cut: the smallest cut between switches around it, -1 when there is none. */
void hs__tree_link(hs__discovery *d);

/** Number the branches of a switch: its hosts, the switches below it, and what is beyond it.
 * @param[out] branch  of every host
 * @return the number of branches; the last one is that beyond the switch, or for the root switch that of host 0 */
int hs__tree_branches(const hs__discovery *d, int node, int *branch);

/** Add a cut between switches with a copy of the side. @return HS_OK; HS_ERR_NOMEM */
hs_status hs__tree_add(hs__discovery *d, const hs__cut *cut);
void hs__tree_remove(hs__discovery *d, int cut);

/** Look for cuts that explain what the known ones do not, and add them; the most likely one that is not sure becomes the
 * suspect. @return HS_OK with *found their number; HS_ERR_NOMEM */
hs_status hs__cuts_search(hs__discovery *d, int *found);

/** Drop cuts that explain nothing any more, and move hosts across cuts where that explains more.
 * @return the number of changes */
int hs__cuts_repair(hs__discovery *d);

/** Whether the cut is a bottleneck to half of the flows that cross it out of its side (way 0) or into it in round r.
 * Needs bound[] of all cuts and tally[] of this one. */
int hs__cut_is_full(const hs__discovery *d, const hs__cut *cut, int r, int way);

/** Count the rounds in which each cut was the bottleneck. */
void hs__cuts_count_full(hs__discovery *d);

#endif
