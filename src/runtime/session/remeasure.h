/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_SESSION_REMEASURE_H
#define HS_RUNTIME_SESSION_REMEASURE_H

/* The links between the ring's hosts measured again, in a few short rounds of flows, while the program waits; what has
 * changed goes into the platform, and memberships are planned again. */

#include "runtime/session/context.h"

enum { HS__LINK_ID = 64 };

/** What was found: the same on all ranks. */
typedef struct hs__link_found {
    int named, shared;      /* a link has changed; and its twin alike */
    double before, after;   /* bytes/s */
    char id[HS__LINK_ID];   /* of the link, cut off */
    char host[HS__LINK_ID]; /* the only host whose flows cross it, cut off; "": there are several */
} hs__link_found;

/** Measure, name the link, and plan again when there is one. Collective; no exchange may be under way.
 * @return HS_OK; HS_UNCHANGED: no link explains what was measured, or none is known; errors: nothing has changed, and after
 *         HS_ERR_TIMEOUT and HS_ERR_MPI nothing collective works any more */
hs_status hs__remeasure(hs_context *context, hs__link_found *found);

#endif
