/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_CLI_GANTT_H
#define HS_CLI_GANTT_H

#include <heteroslice/hs_platform.h>
#include <stdio.h>

/* What the Gantt charts of hs scatter and hs reduce have in common: rows of bars under a legend, time from left to
 * right. Lengths are pixels. */

enum { CLI_GANTT_TOP = 84, CLI_GANTT_ROW = 26, CLI_GANTT_BAR = 18, CLI_GANTT_AXIS = 54 };

typedef struct cli_gantt {
    FILE *out;
    int left, plot, right; /* widths of the names, the bars, and what stands behind them */
    int rows;
    double end;                  /* seconds, > 0: where the plot ends */
    const hs_platform *platform; /* whose names the hosts have; NULL: numbers */
} cli_gantt;

double cli_gantt_x(const cli_gantt *chart, double time);

/** Put a host's name or number, as XML. */
void cli_gantt_host(const cli_gantt *chart, int host);

/** The upper edge of a row's bar. */
double cli_gantt_y(int row);

/** The opening tag, the common classes (grid, axis, name, small, inside, end) and those of style (CSS). */
void cli_gantt_open(const cli_gantt *chart, const char *style);

/** Ticks at 5 to 10 round times, the axis and its unit. */
void cli_gantt_axis(const cli_gantt *chart);

/** The line at the end and the closing tag. */
void cli_gantt_close(const cli_gantt *chart);

#endif
