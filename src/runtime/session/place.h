/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_SESSION_PLACE_H
#define HS_RUNTIME_SESSION_PLACE_H

/* Where the ranks run and in which order they should stand. */

#include "platform/bounds.h"
#include "runtime/session/context.h"
#include <heteroslice/hs_platform.h>

/** Measure or read the platform as context->params say, plan a ring of all hosts and tell every rank its place.
 *
 * Collective. Rank 0 plans and the others take its plan, so that all have the same one.
 * @param[out] order    ranks as they were are those of the communicator; hosts and ring on rank 0 only;
 *                      hs__rank_order_free() frees it
 * @param[out] planner  hs__planner_free() frees it
 * @return the same status on all ranks, with the same text in *error; HS_ERR_TIMEOUT: a rank is missing, which is
 *         reported where there is a text: peers are broken */
hs_status hs__place(hs__peers *peers, const hs_params *params, hs__rank_order *order, hs__planner *planner,
                    hs_error *error);

/** Plan the memberships again, for links of context->planner.platform that have changed: the order of the ranks stays, and
 * those that are there keep their numbers. Collective; no exchange may be under way.
 * @return HS_OK; HS_ERR_NOMEM and others: on all ranks, and nothing has changed */
hs_status hs__place_again(hs_context *context);

/** Measure or read the platform and find every rank's host in it. Collective.
 *
 * @param[out] platform  on rank 0 the platform, which the caller frees, also after a failure; elsewhere it may be set
 *                       too
 * @param[out] host      on rank 0, array of the communicator's size: the host of every rank
 * @param[out] speed     likewise, work units a second that the rank gets
 * @return this rank's status, which the caller must share; HS_ERR_TIMEOUT as of hs__place() */
hs_status hs__place_find(hs__peers *peers, const hs_params *params, hs_platform **platform, int *host, double *speed,
                         hs_error *error);

/** The same on a communicator of the program's, for calls other than hs_init(). Collective.
 * @return as hs__place_find() */
hs_status hs__place_measure(MPI_Comm comm, const hs_params *params, hs_platform **platform, int *host, double *speed,
                            hs_error *error);

/** Log one line, at level info, about links whose bandwidth is only a lower bound and that a plan's routes cross; nothing
 * without any. */
void hs__place_tell_bounds(const hs__bounds *bounds, const char *planner);

#endif
