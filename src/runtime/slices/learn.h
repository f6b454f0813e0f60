/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_SLICES_LEARN_H
#define HS_RUNTIME_SLICES_LEARN_H

/* Weights that are learned from hs_unit_begin() and hs_unit_end(). Times are the CPU seconds of the thread, so what a
 * host loses to other programs or to a quota does not make its units heavier: the seconds a weight tell that. */

#include "runtime/slices/layout.h"

/** The slice, or its weights, are others: what was timed counts no more. */
void hs__learning_forget(hs_layout *layout);

/** An iteration has ended: a bracket or a span that is still open is none. */
void hs__learning_interrupt(hs_layout *layout);

/** As news and learn of hs__balance_kind. */
double hs__learning_news(void *layout);
hs_status hs__learning_adopt(void *layout, const double *news, double *cycle);

#endif
