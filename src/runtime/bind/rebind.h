/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_BIND_REBIND_H
#define HS_RUNTIME_BIND_REBIND_H

/* When to bind the ranks of a node anew, and to which cores: the planner of plan/binding/binding.h under the rule of decide.h.
 * No MPI, no clock.
 *
 * Only the ranks' shares of the node's work count, which stay what they are when all of it gets faster: a step of the
 * rule is the time the node takes for a microsecond of work, a rank's cycle its share of that. */

#include <heteroslice/hs_status.h>

typedef struct hs__rebind hs__rebind;

/** @param[in] speed    [cores], copied, as are the others
 * @param[in] allowed, now  [ranks * cores], as in plan/binding/binding.h
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__rebind_create(int ranks, int cores, const double *speed, const char *allowed, const char *now,
                            hs__rebind **rebind);
void hs__rebind_free(hs__rebind *rebind);

/** Take in one reading of all ranks under the present binding.
 * @param[in] seconds  it lasted
 * @param[in] compute  [ranks], >= 0: seconds each computed in it on the cores it is bound to
 * @param[in] width    [ranks], >= 1: threads that did so
 * @return HS_OK: the present binding is a new one; HS_UNCHANGED; HS_ERR_NOMEM */
hs_status hs__rebind_phase(hs__rebind *rebind, double seconds, const double *compute, const int *width);

/** The present binding, lent. */
const char *hs__rebind_set(const hs__rebind *rebind);

/** What the present binding was expected to bring: time of a step as part of the one before. 1: it is the first. */
double hs__rebind_promise(const hs__rebind *rebind);

#endif
