/* SPDX-License-Identifier: BSD-3-Clause */
/* The sentence, and where the time went. */
#include "cli/report/html.h"
#include "cli/report/sections.h"
#include "util/advice.h"
#include "util/assert.h"
#include <math.h>
#include <string.h>

#define GIVE_PARTS                                                                                                   \
    "Give each rank a part of the data by its speed: hs_balance() in the solver's loop does it and moves the data, " \
    "hs_counts() and hs weights give the shares to a program that moves its own."
#define SEND_LESS                                                                                                    \
    "Fewer and larger ones, or computing while they are under way, would help: the <a href=\"#calls\">slowest calls" \
    "</a> tell where."

static hs__run_facts find_facts(const report_run *run, const hs__traces *traces)
{
    hs__run_facts facts = {.ranks = run->ranks,
                           .hosts = run->hosts,
                           .lost = run->lost,
                           .communicating = run->communicating,
                           .calls_balance = run->all.decisions > 0,
                           .logs_decisions = traces != NULL,
                           .balance = report_setting(run, "HS_BALANCE"),
                           .platform = report_setting(run, "HS_PLATFORM"),
                           .reorder = report_setting(run, "HS_REORDER"),
                           .lab = report_setting(run, "HS_LAB"),
                           .run_hosts = report_setting(run, "HS_RUN_HOSTS")};
    for (int h = 0; h < run->hosts; h++)
        hs__advice_add_host(&facts, run->host[h].ranks, run->host[h].queue, run->run);
    return facts;
}

static const char *advice_text(const hs__run_facts *facts)
{
    switch (hs__advice_choose(facts)) {
    case HS__ADVISE_FEWER_RANKS:
        return "Ranks were ready but had no core for much of the time: more processes than cores. Start fewer ranks on "
               "such hosts, or let hs run place them:";
    case HS__ADVISE_NOTHING:
        return "Nothing to do: the work is balanced and messages cost little.";
    case HS__ADVISE_BALANCING:
        return "Balancing was switched off or planned only once. Do this:";
    case HS__ADVISE_DECISIONS:
        return facts->logs_decisions
                   ? "The program calls hs_balance() already: <a href=\"#slices\">its decisions</a> tell what was "
                     "moved, and why no more was."
                   : "The program calls hs_balance() already. Do this: log its decisions, which tell why no more was "
                     "moved.";
    case HS__ADVISE_MORE_ON_FASTER:
        return "Do this: more ranks on faster hosts.";
    case HS__ADVISE_PARTS:
        return facts->hosts > 1 ? "Ranks are placed by speed already. " GIVE_PARTS
                                : "All ranks are on one host. " GIVE_PARTS;
    case HS__ADVISE_REORDERING:
        return "The work is balanced; the time is lost in messages. Do this: ranks in an order that suits the "
               "network.";
    default:
        return facts->hosts > 1 ? "The work is balanced; the time is lost in messages, even with HS_REORDER. " SEND_LESS
                                : "The work is balanced; the time is lost in messages. " SEND_LESS;
    }
}

static void put_advice(FILE *out, const report_run *run, const hs__traces *traces)
{
    char command[HS__ADVICE_SIZE];
    const hs__run_facts facts = find_facts(run, traces);
    fprintf(out, "<p>%s</p>\n", advice_text(&facts));
    if (!hs__advice_command(&facts, command)[0])
        return;
    fputs("<pre>", out);
    html_text(out, command);
    fputc(' ', out);
    html_command(out, run);
    fputs("</pre>\n", out);
}

void report_summary(FILE *out, const report_run *run, const hs__traces *traces)
{
    char wall[32], balanced[32];
    html_section(out, "summary", NULL);
    fprintf(out,
            "<p class=\"lead\">The run took <strong>%s</strong> on %d rank%s of %d host%s; <strong>%.0f %%</strong> "
            "was lost to imbalance; "
            "balanced it would take <strong>%s</strong>.</p>\n",
            hs_quantity_format(run->wall, HS_UNIT_TIME, wall, sizeof wall), run->ranks, run->ranks > 1 ? "s" : "",
            run->hosts, run->hosts > 1 ? "s" : "", 100 * run->lost,
            hs_quantity_format(run->balanced, HS_UNIT_TIME, balanced, sizeof balanced));
    fprintf(out, "<p>Parallel efficiency %.0f %% = load balance %.0f %% x communication efficiency %.0f %%.</p>\n",
            100 * run->parallel, 100 * run->load_balance, 100 * run->communication);
    put_advice(out, run, traces);
    html_section_end(out);
}

static const char *const explained[REPORT_KINDS] = {
    "in MPI_Init, with the library's preparations", "between calls of MPI",
    "in calls that wait for others, and in MPI_Finalize until all have begun it",
    "in calls that begin or advance a message", "in this library, its readings of the clock included"};

enum { WIDTH = 720, HEIGHT = 34 };

/* A bar in which every kind of time has its part; scale: units of the picture for a second. */
static void put_bar(FILE *out, double scale, const report_row *row)
{
    double x = 0;
    for (int k = 0; k < REPORT_KINDS; k++) {
        double width = scale * report_mean(row, (report_kind)k);
        if (width >= 0.05)
            fprintf(out, "<rect class=\"k%d\" x=\"%.1f\" y=\"2.0\" width=\"%.1f\" height=\"%d.0\"/>", k, x, width,
                    HEIGHT - 4);
        x += width;
    }
    fputc('\n', out);
}

void report_time(FILE *out, const report_run *run)
{
    char text[32];
    double wall = report_mean_wall(&run->all), sum = 0;
    html_section(out, "time", "Mean over all ranks; the parts add up to the wall time.");
    html_kinds_key(out);
    html_figure(out, "f-time", WIDTH, HEIGHT, "Parts of the wall time");
    if (wall > 0)
        put_bar(out, WIDTH / wall, &run->all);
    html_figure_end(out, "Left to right in the order of the table.");
    html_table(out, "Wall time by what it went into", "<part|seconds|share|<what it is");
    for (int k = 0; k < REPORT_KINDS; k++) {
        double mean = report_mean(&run->all, (report_kind)k);
        sum += mean;
        html_row_head(out, report_kind_names[k]);
        fprintf(out, "<td>%.6f</td>", mean);
        html_percent(out, wall > 0 ? mean / wall : 0);
        fprintf(out, "<td class=\"w\">%s</td></tr>\n", explained[k]);
    }
    HS_ASSERT(fabs(sum - wall) <= 1e-9 * wall);
    html_row_head(out, "wall time");
    fprintf(out, "<td>%.6f</td>", wall);
    html_percent(out, wall > 0 ? 1 : 0);
    fprintf(out, "<td class=\"w\">of the mean rank; the longest took %s</td></tr>\n",
            hs_quantity_format(run->wall, HS_UNIT_TIME, text, sizeof text));
    html_table_end(out);
    if (run->all.queue / run->ranks > 0.01 * wall)
        fprintf(
            out,
            "<p>Ranks were ready but had no core for %s on average. That counts as what they were in, mostly compute "
            "and wait; it looks like imbalance, and no other division of the work mends it.</p>\n",
            hs_quantity_format(run->all.queue / run->ranks, HS_UNIT_TIME, text, sizeof text));
    html_section_end(out);
}
