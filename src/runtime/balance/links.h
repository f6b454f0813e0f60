/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_BALANCE_LINKS_H
#define HS_RUNTIME_BALANCE_LINKS_H

/* Links whose drift messages show. Measuring them again makes the program wait, so it is paid as a move is (ski rental): once
 * what messages take more, or less, than before has added up to its price. */

#include "runtime/balance/balance.h"

/** Take in the drift that a phase of so many iterations showed, if any, whose last iteration was before `end`. */
void hs__links_suspect(hs__balancer *balancer, const hs__drift *drift, int64_t iterations, int64_t end);

/** Whether measuring pays now: the same on all ranks. */
int hs__links_due(const hs__balancer *balancer);

/** Measure; what is found is told, and the layout plans by it. Collective; no exchange may be under way.
 * @return HS_OK; HS_UNCHANGED: no link was found; errors as hs__remeasure() */
hs_status hs__links_measure(hs__balancer *balancer);

/** Plans that were made again, for this or another layout, are those of this layout from now on. */
void hs__links_adopt(hs__balancer *balancer);

#endif
