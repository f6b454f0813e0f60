/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_REPORT_DRIFTS_H
#define HS_RUNTIME_REPORT_DRIFTS_H

/* Hosts, links and messages that became slower or faster in the run, as the report tells them. */

#include "runtime/report/report.h"

/** What this process noted, as a JSON array. */
json_t *hs__drifts_json(void);

/** Bring the lists of all ranks together. @param lists  [ranks]; NULL: unknown. @return a new array */
json_t *hs__drifts_merge(json_t *const *lists, int ranks);

/** Tell what this process noted, a line each. */
void hs__drifts_print(FILE *out, const hs__rank_report *ranks, int n);

#endif
