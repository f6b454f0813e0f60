/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_QUOTA_H
#define HS_RUNTIME_QUOTA_H

/** Processors this process may use at once: those it is bound to, and no more than its control groups' quotas (version
 * 1 and 2) give it. May be a fraction. Always above 0. */
double hs__quota_processors(void);

#endif
