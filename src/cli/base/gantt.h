/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_CLI_BASE_GANTT_H
#define HS_CLI_BASE_GANTT_H

#include <jansson.h>
#include <stdio.h>

/* The common parts of the Gantt charts of hs scatter and hs reduce: rows of bars under a legend, time from left to
 * right. Lengths are pixels. */

enum { CLI_GANTT_TOP = 84, CLI_GANTT_ROW = 26, CLI_GANTT_BAR = 18, CLI_GANTT_AXIS = 54 };

typedef struct cli_gantt {
    FILE *out;
    int left, plot, right; /* widths of the names, of the bars, and of the notes after them */
    int rows;
    double end;          /* seconds, > 0: where the plot ends */
    const json_t *names; /* as cli_host_name() takes them */
} cli_gantt;

double cli_gantt_x(const cli_gantt *chart, double time);

/** Write a host's name or number, escaped for XML. */
void cli_gantt_host(const cli_gantt *chart, int host);

/** Upper edge of a row's bar. */
double cli_gantt_y(int row);

/** Write the opening tag, the common classes (grid, axis, name, small, inside, end) and those of style (CSS). */
void cli_gantt_open(const cli_gantt *chart, const char *style);

/** Draw the axis, its unit, and ticks at 5 to 10 round times. */
void cli_gantt_axis(const cli_gantt *chart);

/** Draw the line at the end and write the closing tag. */
void cli_gantt_close(const cli_gantt *chart);

#endif
