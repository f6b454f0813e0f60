/* SPDX-License-Identifier: BSD-3-Clause */
/* Slices over time, with every move: why, what it cost, what it brought. From the log of decisions. */
#include "cli/report/html.h"
#include "cli/report/sections.h"
#include "util/assert.h"
#include <math.h>

enum { WIDTH = 720, HEIGHT = 220, LEFT = 60, BASE = 28, BANDS = 64, POINTS = 400 };

static double length_of(const hs__trace_entry *e)
{
    return (double)e->phase.iterations * e->phase.step;
}

static double time_of(const hs__trace *trace)
{
    double time = 0;
    for (size_t i = 0; i < trace->entries; i++)
        time += length_of(&trace->entry[i]);
    return time;
}

/* The part of all units that the ranks before the first of a band hold. */
static double share_before(const hs__trace *trace, const hs__trace_entry *e, int band, int bands)
{
    int64_t before = 0, all = 0;
    for (int r = 0; r < trace->ranks; r++) {
        before += (int64_t)r * bands / trace->ranks < band ? e->phase.units[r] : 0;
        all += e->phase.units[r];
    }
    HS_ASSERT(before >= 0 && before <= all);
    return all > 0 ? (double)before / (double)all : 0;
}

/* The upper or lower edge of a band, as steps from left to right or back. */
static void put_edge(FILE *out, const hs__trace *trace, int band, int bands, int back, double scale)
{
    size_t stride = trace->entries / POINTS + 1;
    double begun = back ? time_of(trace) : 0;
    for (size_t i = 0; i < trace->entries; i++) {
        const hs__trace_entry *e = &trace->entry[back ? trace->entries - 1 - i : i];
        double end = begun + (back ? -length_of(e) : length_of(e));
        if (i % stride == 0 || i + 1 == trace->entries) {
            double y = 10 + (HEIGHT - BASE - 10) * share_before(trace, e, band, bands);
            fprintf(out, "L%.1f %.1fL%.1f %.1f", LEFT + scale * begun, y, LEFT + scale * end, y);
        }
        begun = end;
    }
}

static void plot(FILE *out, const hs__trace *trace, int number)
{
    char id[32], text[32];
    int bands = trace->ranks < BANDS ? trace->ranks : BANDS;
    double whole = time_of(trace), scale = whole > 0 ? (WIDTH - LEFT) / whole : 0, begun = 0;
    snprintf(id, sizeof id, "f-slices-%d", number);
    html_figure(out, id, WIDTH, HEIGHT, "Each rank's part of the units over time");
    for (int b = 0; b < bands; b++) {
        fprintf(out, "<path class=\"k%d\" fill-opacity=\"%s\" d=\"M%d %.1f", b % 2 ? 3 : 1, b % 4 < 2 ? ".85" : ".6",
                LEFT, 10 + (HEIGHT - BASE - 10) * share_before(trace, &trace->entry[0], b, bands));
        put_edge(out, trace, b, bands, 0, scale);
        put_edge(out, trace, b + 1, bands, 1, scale);
        fprintf(out, "Z\"><title>%s %d</title></path>\n", bands == trace->ranks ? "rank" : "ranks from",
                (int)(((int64_t)b * trace->ranks + bands - 1) / bands));
    }
    for (size_t i = 0; i < trace->entries; i++) {
        begun += length_of(&trace->entry[i]);
        if (trace->entry[i].moves)
            fprintf(out, "<line class=\"mark\" x1=\"%.1f\" x2=\"%.1f\" y1=\"4\" y2=\"%d\"/>\n", LEFT + scale * begun,
                    LEFT + scale * begun, HEIGHT - BASE);
    }
    fprintf(
        out,
        "<text x=\"%d\" y=\"20\" text-anchor=\"end\">rank 0</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\">%d</text>"
        "<text x=\"%d\" y=\"%d\">0 s</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n",
        LEFT - 6, LEFT - 6, HEIGHT - BASE, trace->ranks - 1, LEFT, HEIGHT - 8, WIDTH, HEIGHT - 8,
        hs_quantity_format(whole, HS_UNIT_TIME, text, sizeof text));
    html_figure_end(out, "Ranks from top to bottom, a band's height is its part of the units; dashed: units moved.");
}

/* The mean step from this phase up to the next move. */
static double step_after(const hs__trace *trace, size_t from)
{
    double seconds = 0, iterations = 0;
    for (size_t i = from; i < trace->entries; i++) {
        seconds += length_of(&trace->entry[i]);
        iterations += (double)trace->entry[i].phase.iterations;
        if (trace->entry[i].moves)
            break;
    }
    return iterations > 0 ? seconds / iterations : -1;
}

static void list_moves(FILE *out, const hs__trace *trace)
{
    char now[32], best[32];
    double begun = 0;
    int moves = 0;
    for (size_t i = 0; i < trace->entries; i++)
        moves += trace->entry[i].moves != 0;
    if (moves == 0) {
        fprintf(out, "<p>Nothing moved in %zu phases: no gain was worth its price.</p>\n", trace->entries);
        return;
    }
    html_table(out, "Moves: why, the price, and what they brought",
               "<after iteration|at|<why|price foreseen|price|step before|step after|saved a step");
    for (size_t i = 0; i < trace->entries; i++) {
        const hs__trace_entry *e = &trace->entry[i];
        begun += length_of(e);
        if (!e->moves)
            continue;
        double after = step_after(trace, i + 1);
        fprintf(out, "<tr><th scope=\"row\">%lld</th>", (long long)e->iteration);
        html_quantity(out, begun, HS_UNIT_TIME);
        fprintf(out, "<td class=\"w\">a step takes %s, %s is possible</td>",
                hs_quantity_format(e->decision.now, HS_UNIT_TIME, now, sizeof now),
                hs_quantity_format(e->decision.best, HS_UNIT_TIME, best, sizeof best));
        html_quantity(out, e->decision.price, HS_UNIT_TIME);
        html_quantity(out, e->move_s >= 0 ? e->move_s : -1, HS_UNIT_TIME);
        html_quantity(out, e->phase.step, HS_UNIT_TIME);
        html_quantity(out, after, HS_UNIT_TIME);
        if (after > 0 && e->phase.step > 0)
            html_percent(out, 1 - after / e->phase.step);
        else
            fputs("<td>-</td>", out);
        fputs("</tr>\n", out);
    }
    html_table_end(out);
}

void report_slices(FILE *out, const hs__traces *traces)
{
    html_section(out, "slices",
                 traces ? NULL
                        : "No log of decisions was given. HS_LOG_DECISIONS=FILE makes a solver that calls hs_balance() "
                          "write one, and hs report --decisions FILE reads it.");
    for (size_t t = 0; traces && t < traces->count; t++) {
        const hs__trace *trace = &traces->trace[t];
        fprintf(out, "<h3>Layout %d: %d ranks, %zu phases</h3>\n", trace->layout, trace->ranks, trace->entries);
        if (trace->entries > 0) {
            plot(out, trace, (int)t);
            list_moves(out, trace);
        }
    }
    html_section_end(out);
}
