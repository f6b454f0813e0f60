/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks and phases. */
#include "cli/report/html.h"
#include "cli/report/sections.h"
#include "util/assert.h"
#include <math.h>
#include <string.h>

enum { WIDTH = 720, HEIGHT = 240, LEFT = 72, BASE = 28, BINS = 160, MOST_ROWS = 1000, ENDS = 50, LEVELS = 64 };

/* The ranks in this bin of `bins`, as one row. */
static report_row bin_of(const report_run *run, int bin, int bins, int *first, int *last)
{
    report_row row = {.name = ""};
    *first = (int)((int64_t)bin * run->ranks / bins);
    *last = (int)((int64_t)(bin + 1) * run->ranks / bins) - 1;
    for (int r = *first; r <= *last; r++) {
        row.ranks++;
        for (int k = 0; k < REPORT_KINDS; k++)
            row.seconds[k] += run->rank[r].seconds[k];
    }
    HS_ASSERT(row.ranks > 0);
    return row;
}

/* What the plot shows, for the page's script: each rank by itself where the table below it has all. */
static void put_data(FILE *out, const report_run *run)
{
    int bins = run->ranks < MOST_ROWS ? run->ranks : MOST_ROWS, first, last;
    if (!html_data_begin(out, "ranks"))
        return;
    fprintf(out, ",\"named\":%s,\"x\":[", run->ranks <= MOST_ROWS ? "true" : "false");
    for (int b = 0; b < bins; b++) {
        bin_of(run, b, bins, &first, &last);
        fprintf(out, "%d,", first);
    }
    fprintf(out, "%d],\"edge\":[", run->ranks);
    for (int kind = 0; kind < REPORT_KINDS; kind++) {
        fputs(kind > 0 ? ",[" : "[", out);
        for (int b = 0; b < bins; b++) {
            double edge = 0;
            report_row row = bin_of(run, b, bins, &first, &last);
            for (int k = 0; k <= kind; k++)
                edge += report_mean(&row, (report_kind)k);
            fprintf(out, "%s%.5g", b > 0 ? "," : "", edge);
        }
        fputc(']', out);
    }
    fputc(']', out);
    html_data_end(out);
}

/* Under each bar that has room its first rank, with the host where that is another. */
static void put_ticks(FILE *out, const report_run *run, int bins, double step)
{
    enum { LETTER = 8 };
    double least = 0;
    int first, last, before = -1;
    char text[HTML_TICK];
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">rank</text>\n", LEFT - 6, HEIGHT - 8);
    for (int b = 0; b < bins; b++) {
        bin_of(run, b, bins, &first, &last);
        html_tick(run, first, before, text);
        double x = LEFT + b * step, width = LETTER * (double)strlen(text);
        if (x < least || x + width > WIDTH)
            continue;
        fprintf(out, "<text x=\"%.1f\" y=\"%d\">", x, HEIGHT - 8);
        html_text(out, text);
        fputs("</text>\n", out);
        least = x + width + LETTER;
        before = first;
    }
}

/* One bar for each rank, or for as many neighbours in rank as make BINS bars. */
static void plot(FILE *out, const report_run *run)
{
    int bins = run->ranks < BINS ? run->ranks : BINS;
    double step = (double)(WIDTH - LEFT) / bins, scale = run->wall > 0 ? (HEIGHT - BASE - 10) / run->wall : 0;
    char text[32], name[HTML_NAME];
    html_kinds_key(out);
    html_figure(out, "f-ranks", WIDTH, HEIGHT, "Wall time of each rank by what it went into");
    fprintf(out,
            "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\"/><text x=\"%d\" y=\"18\" "
            "text-anchor=\"end\">%s</text>"
            "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">0</text>\n",
            LEFT, WIDTH, HEIGHT - BASE, HEIGHT - BASE, LEFT - 6,
            hs_quantity_format(run->wall, HS_UNIT_TIME, text, sizeof text), LEFT - 6, HEIGHT - BASE);
    for (int b = 0; b < bins; b++) {
        int first, last;
        report_row row = bin_of(run, b, bins, &first, &last);
        double y = HEIGHT - BASE, gap = step > 4 ? 1 : 0;
        fputs(first == last ? "<g><title>rank " : "<g><title>ranks ", out);
        html_text(out, html_ranks(run, first, last, name));
        fputs("</title>", out);
        for (int k = 0; k < REPORT_KINDS; k++) {
            double height = scale * report_mean(&row, (report_kind)k);
            y -= height;
            if (height >= 0.05)
                fprintf(out, "<rect class=\"k%d\" x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%.1f\"/>", k,
                        LEFT + b * step, y, step - gap, height);
        }
        fputs("</g>\n", out);
    }
    put_ticks(out, run, bins, step);
    html_figure_end(out, bins < run->ranks ? "Each bar of the drawing is the mean of neighbours in rank."
                                           : "One bar for each rank, in order.");
    put_data(out, run);
}

static void put_seconds(FILE *out, double seconds)
{
    fprintf(out, seconds < 9999.5 ? "<td>%.4g</td>" : "<td>%.0f</td>", seconds);
}

static void put_rank(FILE *out, const report_run *run, int r)
{
    const report_row *row = &run->rank[r];
    fprintf(out, "<tr><th scope=\"row\">%d</th><td class=\"l\">", r);
    html_text(out, row->name);
    fputs("</td>", out);
    for (int k = 0; k < REPORT_KINDS; k++)
        put_seconds(out, row->seconds[k]);
    put_seconds(out, report_mean_wall(row));
    fputs("</tr>\n", out);
}

static void list_ranks(FILE *out, const report_run *run)
{
    int all = run->ranks <= MOST_ROWS;
    html_table(out, all ? "Ranks, seconds" : "The first and last ranks, seconds; the report's JSON has all",
               "<rank|<host|start-up|compute|wait|transfer|library|wall");
    for (int r = 0; r < run->ranks; r++)
        if (all || r < ENDS || r >= run->ranks - ENDS)
            put_rank(out, run, r);
    html_table_end(out);
}

typedef struct phase {
    json_int_t level;
    double count, compute, mpi, longest;
} phase;

static int sum_phases(const report_run *run, phase *phases)
{
    int n = 0;
    for (int r = 0; r < run->ranks; r++) {
        size_t i;
        const json_t *one;
        json_array_foreach(json_object_get(json_array_get(json_object_get(run->root, "ranks"), (size_t)r), "phases"), i,
                           one)
        {
            json_int_t level = json_integer_value(json_object_get(one, "level"));
            int k = 0;
            while (k < n && phases[k].level != level)
                k++;
            if (k == LEVELS)
                continue;
            if (k == n)
                phases[n++] = (phase){.level = level};
            double compute = report_number(json_object_get(one, "compute"));
            phases[k].count += report_number(json_object_get(one, "count"));
            phases[k].compute += compute;
            phases[k].longest = fmax(phases[k].longest, compute);
            phases[k].mpi += report_number(json_object_get(one, "mpi"));
        }
    }
    return n;
}

static void list_phases(FILE *out, const report_run *run)
{
    phase phases[LEVELS];
    int n = sum_phases(run, phases);
    if (n == 0) {
        fputs("<p>The program marked no phases; MPI_Pcontrol(16) and above do.</p>\n", out);
        return;
    }
    html_table(out, "Phases that the program marked by MPI_Pcontrol: means over all ranks",
               "<level|times a rank|compute|longest compute|in MPI|load balance");
    for (int k = 0; k < n; k++) {
        const phase *p = &phases[k];
        fprintf(out, "<tr><th scope=\"row\">%lld</th><td>%.4g</td>", (long long)p->level, p->count / run->ranks);
        html_quantity(out, p->compute / run->ranks, HS_UNIT_TIME);
        html_quantity(out, p->longest, HS_UNIT_TIME);
        html_quantity(out, p->mpi / run->ranks, HS_UNIT_TIME);
        html_percent(out, p->longest > 0 ? p->compute / run->ranks / p->longest : 1);
        fputs("</tr>\n", out);
    }
    html_table_end(out);
}

void report_ranks(FILE *out, const report_run *run)
{
    html_section(out, "ranks", NULL);
    plot(out, run);
    list_ranks(out, run);
    list_phases(out, run);
    html_section_end(out);
}
