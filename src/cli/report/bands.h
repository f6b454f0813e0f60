/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_CLI_REPORT_BANDS_H
#define HS_CLI_REPORT_BANDS_H

#include "cli/report/run.h"
#include "plan/decision/trace.h"

/** Slices of a layout over time as bands, one for a rank or for neighbours in rank, at the phases where slices change. Both
 * numbers are bounded, and so is what a page takes to show them. */
typedef struct report_bands {
    const hs__trace *trace; /* borrowed */
    int count;              /* of bands, <= 64 */
    size_t points;          /* <= 400, fewer for many bands */
    double time;            /* of all phases, seconds */
    double *begun;          /* [points] seconds */
    double *edge;           /* [points][count + 1] the part of the units that the ranks before a band hold */
    hs__pool pool;
} report_bands;

/** @param[in] trace  with at least one phase
 * @return HS_OK: report_bands_free() ends it; HS_ERR_NOMEM */
hs_status report_bands_make(const hs__trace *trace, report_bands *bands);
void report_bands_free(report_bands *bands);

/** Seconds that a phase took. */
double report_phase_time(const hs__trace_entry *phase);

/** Host of a band's first rank; NULL: the log does not say, or the report is of another run. */
const char *report_band_host(const report_bands *bands, int band, const report_run *run);

/** A band's ranks and their hosts, as far as the log has them: one rank by its number in the run, as in all other tables, several
 * by those in the layout, which are neighbours. */
void report_band_name(const report_bands *bands, int band, const report_run *run, char *name, size_t size);

#endif
