/* SPDX-License-Identifier: BSD-3-Clause */
/* Who sent to whom. */
#include "cli/report/html.h"
#include "cli/report/sections.h"
#include "util/array.h"
#include "util/assert.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* EDGE: for the ranks, to the left and below. */
enum { TILES = 48, SIZE = 480, EDGE = 116, TOP = 24, MOST_PAIRS = 20 };

typedef struct matrix {
    const report_run *run;
    int tiles;
    double bytes[TILES][TILES], messages[TILES][TILES], sum, largest;
} matrix;

static void add_message(void *context, int from, int to, double messages, double bytes)
{
    matrix *m = context;
    int i = (int)((int64_t)from * m->tiles / m->run->ranks), j = (int)((int64_t)to * m->tiles / m->run->ranks);
    m->bytes[i][j] += bytes;
    m->messages[i][j] += messages;
    m->sum += bytes;
    m->largest = fmax(m->largest, m->bytes[i][j]);
}

/* A tile's first rank, or that of the next one less 1. */
static int first_rank(const matrix *m, int tile)
{
    int64_t first = ((int64_t)tile * m->run->ranks + m->tiles - 1) / m->tiles;
    HS_ASSERT(first * m->tiles / m->run->ranks == tile); /* as add_message() has it */
    return (int)first;
}

/* The ranks of a tile and their hosts. */
static const char *ranks_of(const matrix *m, int tile, char name[HTML_NAME])
{
    return html_ranks(m->run, first_rank(m, tile), first_rank(m, tile + 1) - 1, name);
}

/* The same, shorter: there may be thousands of tiles. */
static void put_ranks(FILE *out, const matrix *m, int tile)
{
    enum { LETTERS = 40 };
    char name[HTML_NAME];
    ranks_of(m, tile, name);
    html_cut(name, LETTERS);
    html_text(out, name);
}

static void put_tile(FILE *out, const matrix *m, int i, int j)
{
    char bytes[32];
    double step = (double)SIZE / m->tiles;
    fprintf(out,
            "<rect class=\"k1\" fill-opacity=\"%.2f\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>",
            0.15 + 0.85 * m->bytes[i][j] / m->largest, EDGE + j * step, TOP + i * step, step, step);
    put_ranks(out, m, i);
    fputs(" -&gt; ", out);
    put_ranks(out, m, j);
    fprintf(out, ": %s</title></rect>\n", hs_quantity_format(m->bytes[i][j], HS_UNIT_SIZE, bytes, sizeof bytes));
}

/* Beside rows and under columns, where there is room, the first rank, with the host where that is another. */
static void put_ticks(FILE *out, const matrix *m)
{
    enum { LINE = 15, FOOT = 4 };
    double step = (double)SIZE / m->tiles, least = 0;
    char text[HTML_TICK];
    for (int i = 0, before = -1; i < m->tiles; i++) {
        double middle = (i + 0.5) * step;
        if (middle < least)
            continue;
        html_tick(m->run, first_rank(m, i), before, text);
        fprintf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">", EDGE - 6, TOP + middle + FOOT);
        html_text(out, text);
        fprintf(out, "</text><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\" transform=\"rotate(-90)\">",
                -(TOP + SIZE + 6), EDGE + middle + FOOT);
        html_text(out, text);
        fputs("</text>\n", out);
        least = middle + LINE;
        before = first_rank(m, i);
    }
}

static void plot(FILE *out, const matrix *m)
{
    html_figure(out, "f-messages", EDGE + SIZE + 10, TOP + SIZE + EDGE,
                "Bytes sent from each rank (rows) to each rank (columns)");
    fprintf(out,
            "<rect class=\"grid\" fill=\"none\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n"
            "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">from rank</text><text x=\"%d\" y=\"%d\" "
            "text-anchor=\"end\">to rank</text>\n",
            EDGE, TOP, SIZE, SIZE, EDGE - 6, TOP - 6, EDGE - 6, TOP + SIZE + 16);
    put_ticks(out, m);
    for (int i = 0; i < m->tiles; i++)
        for (int j = 0; j < m->tiles; j++)
            if (m->bytes[i][j] > 0)
                put_tile(out, m, i, j);
    html_figure_end(out, "The darker, the more bytes; pointing at a tile shows how many.");
}

typedef struct pair {
    int i, j;
    double bytes;
} pair;

static int by_bytes(const void *x, const void *y)
{
    const pair *a = x, *b = y;
    return a->bytes != b->bytes ? (a->bytes < b->bytes ? 1 : -1) : a->i != b->i ? a->i - b->i : a->j - b->j;
}

static hs_status list_pairs(FILE *out, const matrix *m)
{
    char name[HTML_NAME];
    int n = 0;
    pair *list = hs__array_new((size_t)m->tiles * (size_t)m->tiles, sizeof *list);
    if (!list)
        return HS_ERR_NOMEM;
    for (int i = 0; i < m->tiles; i++)
        for (int j = 0; j < m->tiles; j++)
            if (m->bytes[i][j] > 0)
                list[n++] = (pair){i, j, m->bytes[i][j]};
    qsort(list, (size_t)n, sizeof *list, by_bytes);
    html_table(out, n > MOST_PAIRS ? "The twenty pairs that exchanged most" : "All pairs that exchanged messages",
               "<from rank|<to rank|messages|bytes|share");
    for (int k = 0; k < n && k < MOST_PAIRS; k++) {
        html_row_head(out, ranks_of(m, list[k].i, name));
        fputs("<td class=\"l\">", out);
        html_text(out, ranks_of(m, list[k].j, name));
        fprintf(out, "</td><td>%.0f</td>", m->messages[list[k].i][list[k].j]);
        html_quantity(out, list[k].bytes, HS_UNIT_SIZE);
        html_percent(out, m->sum > 0 ? list[k].bytes / m->sum : 0);
        fputs("</tr>\n", out);
    }
    html_table_end(out);
    free(list);
    return HS_OK;
}

hs_status report_messages(FILE *out, const report_run *run)
{
    matrix *m = hs__array_new(1, sizeof *m);
    if (!m)
        return HS_ERR_NOMEM;
    m->run = run;
    m->tiles = run->ranks < TILES ? run->ranks : TILES;
    report_run_messages(run, add_message, m);
    html_section(out, "messages", "Messages to single ranks; collective calls are not in it.");
    hs_status status = HS_OK;
    if (m->sum > 0) {
        plot(out, m);
        status = list_pairs(out, m);
    } else {
        fputs("<p>No message was sent to a single rank.</p>\n", out);
    }
    html_section_end(out);
    free(m);
    return status;
}
