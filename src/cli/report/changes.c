/* SPDX-License-Identifier: BSD-3-Clause */
/* Settings and versions of a run, and what changed since older ones. */
#include "cli/report/html.h"
#include "cli/report/sections.h"
#include "util/plural.h"
#include <math.h>
#include <string.h>

/* ---- Settings ---- */

static const char *program_text(const report_run *run, const char *key)
{
    const char *text = json_string_value(json_object_get(json_object_get(run->root, "program"), key));
    return text ? text : "not in the report";
}

static void put_entry(FILE *out, const char *name, const char *text)
{
    fprintf(out, "<dt>%s</dt><dd>", name);
    html_text(out, text);
    fputs("</dd>\n", out);
}

void report_settings(FILE *out, const report_run *run)
{
    size_t i;
    const json_t *one, *program = json_object_get(run->root, "program");
    html_section(out, "settings", NULL);
    fputs("<dl>\n<dt>Command line</dt><dd><code>", out);
    html_command(out, run);
    fputs("</code></dd>\n", out);
    put_entry(out, "Started (UTC)", program_text(run, "started"));
    put_entry(out, "HeteroSlice", program_text(run, "heteroslice"));
    put_entry(out, "MPI library", program_text(run, "mpi"));
    put_entry(out, "Report", run->path);
    fputs("</dl>\n", out);
    if (json_array_size(json_object_get(program, "settings")) > 0) {
        html_table(out, "Variables of the library that were set", "<name|<value");
        json_array_foreach(json_object_get(program, "settings"), i, one)
        {
            const char *name = json_string_value(json_object_get(one, "name")),
                       *value = json_string_value(json_object_get(one, "value"));
            html_row_head(out, name ? name : "");
            fputs("<td class=\"w\">", out);
            html_text(out, value ? value : "");
            fputs("</td></tr>\n", out);
        }
        html_table_end(out);
    }
    html_section_end(out);
}

/* ---- Changes ---- */

/* A number that is compared; the unit is HS_UNIT_NUMBER for shares. */
typedef struct compared {
    const char *name;
    double value;
    hs_unit unit;
} compared;

enum { COMPARED = 12 };

static compared compared_at(const report_run *run, int i)
{
    const compared all[COMPARED] = {{"wall time", run->wall, HS_UNIT_TIME},
                                    {"start-up", report_mean(&run->all, REPORT_STARTUP), HS_UNIT_TIME},
                                    {"compute", report_mean(&run->all, REPORT_COMPUTE), HS_UNIT_TIME},
                                    {"wait", report_mean(&run->all, REPORT_WAIT), HS_UNIT_TIME},
                                    {"transfer", report_mean(&run->all, REPORT_TRANSFER), HS_UNIT_TIME},
                                    {"library", report_mean(&run->all, REPORT_LIBRARY), HS_UNIT_TIME},
                                    {"balanced it would take", run->balanced, HS_UNIT_TIME},
                                    {"sent", run->all.sent, HS_UNIT_SIZE},
                                    {"parallel efficiency", run->parallel, HS_UNIT_NUMBER},
                                    {"load balance", run->load_balance, HS_UNIT_NUMBER},
                                    {"communication efficiency", run->communication, HS_UNIT_NUMBER},
                                    {"lost to imbalance", run->lost, HS_UNIT_NUMBER}};
    return all[i];
}

static void put_row(FILE *out, int i, const report_run *run, const report_run *older, int n)
{
    const compared own = compared_at(run, i);
    html_row_head(out, own.name);
    for (int k = -1; k < n; k++) {
        double value = k < 0 ? own.value : compared_at(&older[k], i).value;
        if (own.unit == HS_UNIT_NUMBER)
            html_percent(out, value);
        else
            html_quantity(out, value, own.unit);
        if (k >= 0 && own.unit == HS_UNIT_NUMBER)
            fprintf(out, "<td>%+.1f points</td>", 100 * (own.value - value));
        else if (k >= 0 && value > 0)
            fprintf(out, "<td>%+.1f %%</td>", 100 * (own.value / value - 1));
        else if (k >= 0)
            fputs("<td>-</td>", out);
    }
    fputs("</tr>\n", out);
}

static void put_difference(FILE *out, const char *name, const char *now, const char *then)
{
    fputs("<li><code>", out);
    html_text(out, name);
    fputs("</code>: ", out);
    html_text(out, now);
    fputs(", before: ", out);
    html_text(out, then);
    fputs("</li>\n", out);
}

/* What ran, where that differs. */
static void put_program(FILE *out, const report_run *run, const report_run *old)
{
    static const char *const key[] = {"heteroslice", "mpi"}, *const name[] = {"HeteroSlice", "MPI library"};
    const json_t *now = json_object_get(json_object_get(run->root, "program"), "command"),
                 *then = json_object_get(json_object_get(old->root, "program"), "command");
    if (now && then && !json_equal(now, then)) {
        fputs("<li><code>Command line</code>: <code>", out);
        html_command(out, run);
        fputs("</code>, before: <code>", out);
        html_command(out, old);
        fputs("</code></li>\n", out);
    }
    for (size_t k = 0; k < sizeof key / sizeof *key; k++)
        if (strcmp(program_text(run, key[k]), program_text(old, key[k])) != 0)
            put_difference(out, name[k], program_text(run, key[k]), program_text(old, key[k]));
}

/* Settings of either run that are not as in the other. */
static void put_settings(FILE *out, const report_run *run, const report_run *old, const report_run *listed)
{
    size_t i;
    const json_t *one;
    json_array_foreach(json_object_get(json_object_get(listed->root, "program"), "settings"), i, one)
    {
        const char *name = json_string_value(json_object_get(one, "name"));
        const char *now = name ? report_setting(run, name) : NULL, *then = name ? report_setting(old, name) : NULL;
        if (!name || (now && then && (strcmp(now, then) == 0 || listed == old)))
            continue;
        put_difference(out, name, now ? now : "not set", then ? then : "not set");
    }
}

/* Hosts that came, went, or were faster or slower by a tenth. */
static void put_hosts(FILE *out, const report_run *run, const report_run *old)
{
    for (int pass = 0; pass < 2; pass++) {
        const report_run *these = pass ? old : run, *those = pass ? run : old;
        for (int h = 0; h < these->hosts; h++) {
            const report_row *a = &these->host[h], *b = NULL;
            for (int k = 0; k < those->hosts && !b; k++)
                b = strcmp(those->host[k].name, a->name) == 0 ? &those->host[k] : NULL;
            double now = a->speed / a->ranks, then = b ? b->speed / b->ranks : 0;
            int known = now > 0 && then > 0;
            if (b && (pass || !known || fabs(now - then) <= 0.1 * then))
                continue;
            fputs("<li>host ", out);
            html_text(out, a->name);
            if (b)
                fprintf(out, ": a rank is %.2f times as fast as before</li>\n", now / then);
            else
                fputs(pass ? ": no longer there</li>\n" : ": new</li>\n", out);
        }
    }
}

void report_changes(FILE *out, const report_run *run, const report_run *older, int n)
{
    html_section(out, "changes", n > 0 ? NULL : "One run only: hs report NEW.json OLD.json ... compares.");
    if (n > 0) {
        fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Comparison\"><table><caption>This run "
              "and older ones; a change "
              "is of this run from the older one</caption>\n<thead><tr><th scope=\"col\" class=\"l\">what</th><th "
              "scope=\"col\">",
              out);
        html_text(out, run->path);
        for (int k = 0; k < n; k++) {
            fputs("</th><th scope=\"col\">", out);
            html_text(out, older[k].path);
            fputs("</th><th scope=\"col\">change", out);
        }
        fputs("</th></tr></thead>\n<tbody>\n", out);
        for (int i = 0; i < COMPARED; i++)
            put_row(out, i, run, older, n);
        html_table_end(out);
    }
    for (int k = 0; k < n; k++) {
        fputs("<p>Since ", out);
        html_text(out, older[k].path);
        fputs(" (", out);
        html_text(out, program_text(&older[k], "started"));
        fprintf(out, ", %d rank%s of %d host%s):</p>\n<ul>\n<li>now %d rank%s of %d host%s</li>\n", older[k].ranks,
                hs__plural(older[k].ranks), older[k].hosts, hs__plural(older[k].hosts), run->ranks,
                hs__plural(run->ranks), run->hosts, hs__plural(run->hosts));
        put_program(out, run, &older[k]);
        put_settings(out, run, &older[k], run);
        put_settings(out, run, &older[k], &older[k]);
        put_hosts(out, run, &older[k]);
        fputs("</ul>\n", out);
    }
    html_section_end(out);
}
