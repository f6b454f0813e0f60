/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_CLI_REPORT_HTML_H
#define HS_CLI_REPORT_HTML_H

#include "cli/report/run.h"
#include <heteroslice/hs_units.h>

/* The parts that all sections of a report share. Every plot is a picture in SVG, so that a page prints, can be read
 * aloud, and shows all without a script; under each plot its numbers are a table. Where the program was built with
 * uPlot, a script in the page draws plots against time or rank over their pictures on a screen, to zoom into. Nothing
 * is loaded from elsewhere. */

/** Write text so that HTML reads it back. */
void html_text(FILE *out, const char *text);

/** Write the run's command line as a shell takes it; PROGRAM where it is not known. */
void html_command(FILE *out, const report_run *run);

/** Cut a text of more than so many bytes after its last whole letter in UTF-8 that fits, and put an ellipsis there, for which there
 * must be room: bytes + 4 in all. What snprintf() cut to a buffer's size is whole again with bytes = size - 4. */
void html_cut(char *text, size_t bytes);

/** Begin the document: its style, title and the links to its sections; then the end. */
void html_begin(FILE *out, const char *title);
void html_end(FILE *out);

/** Begin the section of this id, which is also its anchor, with its heading and a sentence under that; NULL: none.
 * html_section_end() ends it. */
void html_section(FILE *out, const char *id, const char *note);
void html_section_end(FILE *out);

/** Begin a table that scrolls sideways where it is too wide. head: column names separated by '|'; a name that begins with
 * '<' is aligned to the left. */
void html_table(FILE *out, const char *caption, const char *head);
void html_table_end(FILE *out);

/** A cell with a quantity; "-" when it is below 0, which stands for one that is not known. */
void html_quantity(FILE *out, double value, hs_unit unit);

/** A cell with a share in per cent. */
void html_percent(FILE *out, double share);

/** The head of a row. */
void html_row_head(FILE *out, const char *text);

/** Begin a figure whose picture is width x height units of its own and is called so; html_figure_end() ends it with a caption.
 * id is unique in the document. */
void html_figure(FILE *out, const char *id, double width, double height, const char *title);
void html_figure_end(FILE *out, const char *caption);

/** Begin the numbers of a plot of this kind for the page's script, behind the figure that shows them; html_data_end()
 * ends them. What stands between are further members of a JSON object, each behind a comma; script.js says which.
 * @return whether there is a script */
int html_data_begin(FILE *out, const char *kind);
void html_data_end(FILE *out);

/** What a plot writes where rank r begins, short: "12 on n1", or "12" where its host is that of rank `before`; before <
 * 0: of none. */
enum { HTML_TICK = 24 };
void html_tick(const report_run *run, int r, int before, char text[HTML_TICK]);

/** Ranks first to last and their hosts: "3 on a1", "0 to 7 on n0", "0 to 15, from n0 to n1"; cut where there is no room. */
enum { HTML_NAME = 96 };
const char *html_ranks(const report_run *run, int first, int last, char name[HTML_NAME]);

/** The key of colours of the kinds of time. */
void html_kinds_key(FILE *out);

#endif
