/* SPDX-License-Identifier: BSD-3-Clause */
/* Hosts and links that became slow, or fast again, told apart. */
#include "cli/report/html.h"
#include "cli/report/sections.h"
#include <string.h>

static void put_name(FILE *out, const report_run *run, const json_t *drift, const char *of)
{
    char text[400];
    const json_t *rank = json_object_get(drift, "rank");
    json_int_t r = json_is_integer(rank) ? json_integer_value(rank) : -1;
    const char *link = json_string_value(json_object_get(drift, "link"));
    if (strcmp(of, "link") == 0)
        snprintf(text, sizeof text, "link %s", link ? link : "?");
    else if (strcmp(of, "host") == 0 && r >= 0 && r < run->ranks)
        snprintf(text, sizeof text, "host %s (rank %d)", run->rank[r].name, (int)r);
    else
        snprintf(text, sizeof text, "%s", strcmp(of, "host") == 0 ? "a host" : "messages, by a link that is not known");
    html_cut(text, sizeof text - 4);
    html_row_head(out, text);
}

static void put_drift(FILE *out, const report_run *run, const json_t *drift)
{
    const char *of = json_string_value(json_object_get(drift, "of"));
    hs_unit unit = of && strcmp(of, "link") == 0 ? HS_UNIT_BANDWIDTH : HS_UNIT_TIME;
    put_name(out, run, drift, of ? of : "");
    fprintf(out, "<td>%.0f</td>", report_number(json_object_get(drift, "iteration")));
    html_quantity(out, report_number(json_object_get(drift, "before")), unit);
    html_quantity(out, report_number(json_object_get(drift, "after")), unit);
    fputs("</tr>\n", out);
}

void report_drifts(FILE *out, const report_run *run)
{
    const json_t *drifts = json_object_get(run->root, "drifts");
    if (json_array_size(drifts) == 0)
        return;
    html_table(out,
               "What changed lastingly: seconds a unit of a host, seconds of a step by messages, bandwidth of a link",
               "<what|since iteration|before|after");
    for (size_t k = 0; k < json_array_size(drifts); k++)
        put_drift(out, run, json_array_get(drifts, k));
    html_table_end(out);
}
