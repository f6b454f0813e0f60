/* SPDX-License-Identifier: BSD-3-Clause */
/* Slices over time, with every move: why, what it cost, what it brought. From the log of decisions. */
#include "cli/report/bands.h"
#include "cli/report/html.h"
#include "cli/report/sections.h"
#include "util/plural.h"

enum { WIDTH = 720, HEIGHT = 220, LEFT = 88, BASE = 28, NAME = 160, MOST_MOVES = 1000 };

/* The upper or lower edge of a band, as steps from left to right or back. */
static void put_edge(FILE *out, const report_bands *b, int band, int back, double scale)
{
    for (size_t i = 0; i < b->points; i++) {
        size_t p = back ? b->points - 1 - i : i;
        double from = LEFT + scale * b->begun[p], to = LEFT + scale * (p + 1 < b->points ? b->begun[p + 1] : b->time);
        double y = 10 + (HEIGHT - BASE - 10) * b->edge[p * (size_t)(b->count + 1) + (size_t)band];
        fprintf(out, "%s%.1f %.1fH%.1f", i == 0 && !back ? "M" : "L", back ? to : from, y, back ? from : to);
    }
}

/* Beside each band that has room, where it begins: the host of its first rank, or its ranks where that is not known. */
static void put_names(FILE *out, const report_bands *b, const report_run *run)
{
    enum { LINE = 15, LETTERS = 9 };
    double least = 0;
    for (int band = 0; band < b->count; band++) {
        double y = 14 + (HEIGHT - BASE - 10) * (b->edge[band] + b->edge[band + 1]) / 2;
        if (b->edge[band + 1] <= b->edge[band] || y < least)
            continue;
        char name[NAME];
        const char *host = report_band_host(b, band, run);
        if (host)
            snprintf(name, sizeof name, "%s", host);
        else
            report_band_name(b, band, run, name, sizeof name);
        html_cut(name, LETTERS);
        fprintf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">", LEFT - 6, y);
        html_text(out, name);
        fputs("</text>\n", out);
        least = y + LINE;
    }
}

/* A line for each move; of those that stand within a unit of the picture, the first. */
static void put_moves(FILE *out, const hs__trace *trace, double scale)
{
    double begun = 0, drawn = -1;
    for (size_t i = 0; i < trace->entries; i++) {
        begun += report_phase_time(&trace->entry[i]);
        if (!trace->entry[i].moves || scale * begun < drawn + 1)
            continue;
        drawn = scale * begun;
        fprintf(out, "<line class=\"mark\" x1=\"%.1f\" x2=\"%.1f\" y1=\"4\" y2=\"%d\"/>\n", LEFT + drawn, LEFT + drawn,
                HEIGHT - BASE);
    }
}

/* The same for the page's script. */
static void put_data(FILE *out, const hs__trace *trace, const report_bands *b)
{
    double begun = 0;
    if (!html_data_begin(out, "slices"))
        return;
    fputs(",\"x\":[", out);
    for (size_t p = 0; p < b->points; p++)
        fprintf(out, "%.6g,", b->begun[p]);
    fprintf(out, "%.6g],\"edge\":[", b->time);
    for (int band = 1; band <= b->count; band++)
        for (size_t p = 0; p < b->points; p++)
            fprintf(out, "%s%.4g%s", p == 0 ? "[" : ",", b->edge[p * (size_t)(b->count + 1) + (size_t)band],
                    p + 1 < b->points ? ""
                    : band < b->count ? "],"
                                      : "]");
    fputs("],\"mark\":[", out);
    for (size_t i = 0, moves = 0; i < trace->entries && moves < MOST_MOVES; i++) {
        begun += report_phase_time(&trace->entry[i]);
        if (trace->entry[i].moves)
            fprintf(out, "%s%.6g", moves++ ? "," : "", begun);
    }
    fputc(']', out);
    html_data_end(out);
}

static hs_status plot(FILE *out, const report_run *run, const hs__trace *trace, int number)
{
    char id[32], text[32], name[NAME];
    report_bands bands;
    hs_status status = report_bands_make(trace, &bands);
    if (status != HS_OK)
        return status;
    double scale = bands.time > 0 ? (WIDTH - LEFT) / bands.time : 0;
    snprintf(id, sizeof id, "f-slices-%d", number);
    html_figure(out, id, WIDTH, HEIGHT, "Each rank's part of the units over time");
    for (int b = 0; b < bands.count; b++) {
        fprintf(out, "<path class=\"k%d\" fill-opacity=\"%s\" d=\"", b % 2 ? 3 : 1, b % 4 < 2 ? ".85" : ".6");
        put_edge(out, &bands, b, 0, scale);
        put_edge(out, &bands, b + 1, 1, scale);
        report_band_name(&bands, b, run, name, sizeof name);
        fputs("Z\"><title>", out);
        html_text(out, name);
        fputs("</title></path>\n", out);
    }
    put_moves(out, trace, scale);
    put_names(out, &bands, run);
    fprintf(out, "<text x=\"%d\" y=\"%d\">0 s</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n", LEFT,
            HEIGHT - 8, WIDTH, HEIGHT - 8, hs_quantity_format(bands.time, HS_UNIT_TIME, text, sizeof text));
    html_figure_end(
        out, "Ranks of the layout from top to bottom, a band's height is its part of the units; dashed: units moved.");
    put_data(out, trace, &bands);
    report_bands_free(&bands);
    return HS_OK;
}

/* The mean step from this phase up to the next move. */
static double step_after(const hs__trace *trace, size_t from)
{
    double seconds = 0, iterations = 0;
    for (size_t i = from; i < trace->entries; i++) {
        seconds += report_phase_time(&trace->entry[i]);
        iterations += (double)trace->entry[i].phase.iterations;
        if (trace->entry[i].moves)
            break;
    }
    return iterations > 0 ? seconds / iterations : -1;
}

/* Why units moved, and the price of what moved: where that is a part of the way, not those of the whole. */
static void put_reason(FILE *out, const hs__decision *decision)
{
    char now[32], best[32], part[32];
    int whole = decision->part.moved == 0;
    fprintf(out, "<td class=\"w\">a step takes %s, %s is possible",
            hs_quantity_format(decision->now, HS_UNIT_TIME, now, sizeof now),
            hs_quantity_format(decision->best, HS_UNIT_TIME, best, sizeof best));
    if (!whole)
        fprintf(out, "; a part of the way: %s",
                hs_quantity_format(decision->part.step, HS_UNIT_TIME, part, sizeof part));
    fputs("</td>", out);
    html_quantity(out, whole ? decision->price : decision->part_price, HS_UNIT_TIME);
}

static void list_moves(FILE *out, const hs__trace *trace)
{
    double begun = 0;
    int moves = 0, listed = 0;
    for (size_t i = 0; i < trace->entries; i++)
        moves += trace->entry[i].moves != 0;
    if (moves == 0) {
        fprintf(out, "<p>Nothing moved in %zu phase%s: no gain was worth its price.</p>\n", trace->entries,
                hs__plural((long long)trace->entries));
        return;
    }
    if (moves > MOST_MOVES)
        fprintf(out, "<p>The first %d of %d moves.</p>\n", MOST_MOVES, moves);
    html_table(out, "Moves: why, the price, and what they brought",
               "<after iteration|at|<why|price foreseen|price|step before|step after|saved a step");
    for (size_t i = 0; i < trace->entries; i++) {
        const hs__trace_entry *e = &trace->entry[i];
        begun += report_phase_time(e);
        if (!e->moves || listed == MOST_MOVES)
            continue;
        listed++;
        double after = step_after(trace, i + 1);
        fprintf(out, "<tr><th scope=\"row\">%lld</th>", (long long)e->iteration);
        html_quantity(out, begun, HS_UNIT_TIME);
        put_reason(out, &e->decision);
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

hs_status report_slices(FILE *out, const report_run *run, const hs__traces *traces)
{
    hs_status status = HS_OK;
    html_section(out, "slices",
                 traces ? NULL
                        : "No log of decisions was given. HS_LOG_DECISIONS=FILE makes a solver that calls hs_balance() "
                          "write one, and hs report --decisions FILE reads it.");
    report_drifts(out, run);
    for (size_t t = 0; traces && t < traces->count && status == HS_OK; t++) {
        const hs__trace *trace = &traces->trace[t];
        fprintf(out, "<h3>Layout %d: %d rank%s, %zu phase%s</h3>\n", trace->layout, trace->ranks,
                hs__plural(trace->ranks), trace->entries, hs__plural((long long)trace->entries));
        if (trace->entries > 0) {
            status = plot(out, run, trace, (int)t);
            list_moves(out, trace);
        }
    }
    html_section_end(out);
    return status;
}
