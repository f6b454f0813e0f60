/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_CLI_REPORT_SECTIONS_H
#define HS_CLI_REPORT_SECTIONS_H

#include "cli/report/run.h"
#include "plan/decision/trace.h"

/* The sections of a report, each with its heading, in the order of the document. */

/** traces NULL: no log of decisions. */
void report_summary(FILE *out, const report_run *run, const hs__traces *traces);
void report_time(FILE *out, const report_run *run);

/** Hosts and links with their use. platform NULL: there is no file of it. @return HS_OK; HS_ERR_NOMEM */
hs_status report_hosts(FILE *out, const report_run *run, const hs_platform *platform);

/** Hosts and links that became slow, a table of the next section; nothing without any. */
void report_drifts(FILE *out, const report_run *run);

/** Slices and moves. traces NULL: no log of decisions. @return HS_OK; HS_ERR_NOMEM */
hs_status report_slices(FILE *out, const report_run *run, const hs__traces *traces);

/** Calls of partitioners: who asked for what, and what was reached. */
void report_partitions(FILE *out, const report_run *run);

void report_ranks(FILE *out, const report_run *run);

/** @return HS_OK; HS_ERR_NOMEM */
hs_status report_messages(FILE *out, const report_run *run);

/** @return HS_OK; HS_ERR_NOMEM */
hs_status report_calls(FILE *out, const report_run *run);

void report_settings(FILE *out, const report_run *run);

/** What changed from the older runs, n of them, to this one. */
void report_changes(FILE *out, const report_run *run, const report_run *older, int n);

#endif
