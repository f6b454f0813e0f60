/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_BALANCE_TELL_H
#define HS_RUNTIME_BALANCE_TELL_H

/* What was found to drift, to people: a line at level info, and a note for the report. The first rank of a context. */

#include "plan/decision/drift.h"
#include "runtime/session/remeasure.h"

/** @param[in] end  the iteration behind the phase that showed it */
void hs__tell_drift(const hs_context *context, const hs__drift *drift, int64_t end);

/** @param[in] since  the iteration with which messages began to take longer, or less */
void hs__tell_link(const hs_context *context, const hs__link_found *link, int64_t since);
void hs__tell_no_link(const hs_context *context, int64_t since);

#endif
