/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_BALANCE_TELL_H
#define HS_RUNTIME_BALANCE_TELL_H

/* What people are told of balancing a layout. Where it is the same on all ranks, by the first rank of the context. */

#include "plan/decision/decide.h"
#include "plan/decision/drift.h"
#include "runtime/session/remeasure.h"

/* ---- What was found to drift: a line at level info, and a note for the report ---- */

/** @param[in] end  the iteration behind the phase that showed it */
void hs__tell_drift(const hs_context *context, const hs__drift *drift, int64_t end);

/** @param[in] since  the iteration with which messages began to take longer, or less */
void hs__tell_link(const hs_context *context, const hs__link_found *link, int64_t since);
void hs__tell_no_link(const hs_context *context, int64_t since);

/* ---- What was decided ---- */

/** What the moves of a layout have cost and brought, if any phase was decided upon; at level info. */
void hs__tell_sheet(const hs_context *context, const hs__balance_sheet *sheet);

/** Balancing has gone off, because moving did not help, or is on again.
 * @param[in] lost  seconds that it would have saved */
void hs__tell_off(const hs_context *context, const hs__balance_sheet *sheet, double lost);

/** A phase, at level debug.
 * @param[in] step, overhead  seconds of an iteration, and what the phase cost
 * @param[in] length          iterations of the next phase
 * @param[in] hurries         a drift is suspected */
void hs__tell_phase(const hs_context *context, int64_t iteration, double step, double overhead, int64_t length,
                    const hs__decision *decision, int hurries);

/* ---- What a rank cannot see ---- */

/** Threads take turns in ending iterations. */
void hs__tell_turns(const hs_context *context);

/** No call of MPI was seen. */
void hs__tell_blind(const hs_context *context);

#endif
