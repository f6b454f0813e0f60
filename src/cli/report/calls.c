/* SPDX-License-Identifier: BSD-3-Clause */
/* The slowest calls, by function and by the place that called it. */
#include "cli/report/html.h"
#include "cli/report/sections.h"
#include "cli/report/source.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/path.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FUNCTIONS = 512, MOST_CALLS = 20 };

/* ---- Functions ---- */

typedef struct function {
    const char *name;
    double calls, time, longest;
    int rank; /* that was longest in it */
} function;

static int by_time(const void *x, const void *y)
{
    const function *a = x, *b = y;
    return a->time != b->time ? (a->time < b->time ? 1 : -1) : strcmp(a->name, b->name);
}

static int sum_functions(const report_run *run, function *list)
{
    int n = 0;
    for (int r = 0; r < run->ranks; r++) {
        size_t i;
        const json_t *one;
        json_array_foreach(json_object_get(json_array_get(json_object_get(run->root, "ranks"), (size_t)r), "functions"),
                           i, one)
        {
            const char *name = json_string_value(json_object_get(one, "name"));
            double time = report_number(json_object_get(one, "time"));
            int k = 0;
            while (name && k < n && strcmp(list[k].name, name) != 0)
                k++;
            if (!name || k == FUNCTIONS)
                continue;
            if (k == n)
                list[n++] = (function){.name = name};
            list[k].calls += report_number(json_object_get(one, "calls"));
            list[k].time += time;
            list[k].rank = time > list[k].longest ? r : list[k].rank;
            list[k].longest = fmax(list[k].longest, time);
        }
    }
    HS_ASSERT(n <= FUNCTIONS);
    return n;
}

static void put_row(FILE *out, const report_run *run, double calls, double time, double longest, json_int_t rank,
                    double wall)
{
    char name[HTML_NAME];
    fprintf(out, "<td>%.0f</td>", calls);
    html_quantity(out, time, HS_UNIT_TIME);
    html_percent(out, wall > 0 ? time / wall : 0);
    html_quantity(out, calls > 0 ? time / calls : -1, HS_UNIT_TIME);
    html_quantity(out, longest, HS_UNIT_TIME);
    fputs("<td class=\"l\">", out);
    if (rank >= 0 && rank < run->ranks)
        html_text(out, html_ranks(run, (int)rank, (int)rank, name));
    fputs("</td></tr>\n", out);
}

static hs_status put_functions(FILE *out, const report_run *run, double wall)
{
    function *list = hs__array_new(FUNCTIONS, sizeof *list);
    if (!list)
        return HS_ERR_NOMEM;
    int n = sum_functions(run, list);
    qsort(list, (size_t)n, sizeof *list, by_time);
    if (n == 0) {
        fputs("<p>The report has no times by function.</p>\n", out);
    } else {
        html_table(out, "Functions of MPI by the time in them, all ranks together",
                   "<function|calls|time|of all wall time|a call|longest in one rank|<rank");
        for (int k = 0; k < n && k < MOST_CALLS; k++) {
            html_row_head(out, list[k].name);
            put_row(out, run, list[k].calls, list[k].time, list[k].longest, list[k].rank, wall);
        }
        html_table_end(out);
    }
    free(list);
    return HS_OK;
}

/* ---- Call sites ---- */

static const char *text_of(const json_t *site, const char *key)
{
    const char *text = json_string_value(json_object_get(site, key));
    return text ? text : "";
}

static double number_of(const json_t *site, const char *key)
{
    return report_number(json_object_get(site, key));
}

/* "exchange, halo.c:12" where the source is known, else "exchange+0x2b, solver" or "solver+0x1a2b"; and which threads call. */
static void put_place(FILE *out, const json_t *site, const report_source *source)
{
    const char *symbol = text_of(site, "symbol"), *object = hs__path_name(text_of(site, "object"));
    fputs("<td class=\"l\">", out);
    html_text(out, source->function[0] ? source->function : symbol);
    if (source->line[0]) {
        fputs(source->function[0] ? ", " : "", out);
        html_text(out, source->line);
    } else if (symbol[0] && !source->function[0]) {
        fprintf(out, "+0x%llx, ", (long long)json_integer_value(json_object_get(site, "symbol_offset")));
        html_text(out, object);
    } else {
        fputs(source->function[0] ? ", " : "", out);
        html_text(out, object[0] ? object : "unloaded code");
        fprintf(out, "+0x%llx", (long long)source->offset);
    }
    fputs(strcmp(text_of(site, "threads"), "other") == 0 ? " (other threads)</td>" : "</td>", out);
}

static void put_sites(FILE *out, const report_run *run, double wall)
{
    const json_t *list = json_object_get(run->root, "call_sites"), *site;
    report_source source[MOST_CALLS] = {{.object = NULL}};
    double left_out = number_of(run->root, "call_sites_left_out");
    int n = 0;
    for (; n < MOST_CALLS && (size_t)n < json_array_size(list); n++) {
        site = json_array_get(list, (size_t)n);
        source[n].object = text_of(site, "object");
        source[n].offset = json_integer_value(json_object_get(site, "offset"));
    }
    if (n == 0)
        return;
    report_find_sources(source, n, run);
    html_table(out, "Places that call MPI by the time in the calls, all ranks together",
               "<function|<called from|calls|time|of all wall time|a call|longest in one rank|<rank");
    for (int k = 0; k < n; k++) {
        site = json_array_get(list, (size_t)k);
        html_row_head(out, text_of(site, "function"));
        put_place(out, site, &source[k]);
        put_row(out, run, number_of(site, "calls"), number_of(site, "time"), number_of(site, "longest"),
                json_integer_value(json_object_get(site, "longest_rank")), wall);
    }
    html_table_end(out);
    if (left_out > 0)
        fprintf(out, "<p>%.0f calls came from more places than a rank keeps, and are not in this table.</p>\n",
                left_out);
}

hs_status report_calls(FILE *out, const report_run *run)
{
    double wall = report_mean_wall(&run->all) * run->ranks;
    html_section(out, "calls", NULL);
    hs_status status = put_functions(out, run, wall);
    put_sites(out, run, wall);
    html_section_end(out);
    return status;
}
