/* SPDX-License-Identifier: BSD-3-Clause */
/* Who sent to whom. */
#include "cli/report/html.h"
#include "cli/report/sections.h"
#include "util/array.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TILES = 48, SIZE = 480, LEFT = 70, TOP = 20, MOST_PAIRS = 20 };

typedef struct matrix {
    int tiles, ranks;
    double bytes[TILES][TILES], messages[TILES][TILES], sum, largest;
} matrix;

static void add_message(void *context, int from, int to, double messages, double bytes)
{
    matrix *m = context;
    int i = (int)((int64_t)from * m->tiles / m->ranks), j = (int)((int64_t)to * m->tiles / m->ranks);
    m->bytes[i][j] += bytes;
    m->messages[i][j] += messages;
    m->sum += bytes;
    m->largest = fmax(m->largest, m->bytes[i][j]);
}

/* The ranks of a tile: "7", or "8 to 15". */
static const char *ranks_of(const matrix *m, int tile, char *text, size_t size)
{
    int first = (int)(((int64_t)tile * m->ranks + m->tiles - 1) / m->tiles),
        last = (int)(((int64_t)(tile + 1) * m->ranks - 1) / m->tiles);
    if (first == last)
        snprintf(text, size, "%d", first);
    else
        snprintf(text, size, "%d to %d", first, last);
    return text;
}

static void plot(FILE *out, const matrix *m)
{
    char from[32], to[32], bytes[32];
    double step = (double)SIZE / m->tiles;
    html_figure(out, "f-messages", LEFT + SIZE + 10, TOP + SIZE + 30,
                "Bytes sent from each rank (rows) to each rank (columns)");
    fprintf(out, "<rect class=\"grid\" fill=\"none\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", LEFT, TOP, SIZE,
            SIZE);
    for (int i = 0; i < m->tiles; i++)
        for (int j = 0; j < m->tiles; j++)
            if (m->bytes[i][j] > 0)
                fprintf(out,
                        "<rect class=\"k1\" fill-opacity=\"%.2f\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                        "height=\"%.1f\"><title>%s -&gt; %s: "
                        "%s</title></rect>\n",
                        0.15 + 0.85 * m->bytes[i][j] / m->largest, LEFT + j * step, TOP + i * step, step, step,
                        ranks_of(m, i, from, sizeof from), ranks_of(m, j, to, sizeof to),
                        hs_quantity_format(m->bytes[i][j], HS_UNIT_SIZE, bytes, sizeof bytes));
    fprintf(
        out,
        "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">from 0</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\">%d</text>"
        "<text x=\"%d\" y=\"%d\">to 0</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\">%d</text>\n",
        LEFT - 6, TOP + 12, LEFT - 6, TOP + SIZE, m->ranks - 1, LEFT, TOP + SIZE + 18, LEFT + SIZE, TOP + SIZE + 18,
        m->ranks - 1);
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
    char text[32];
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
               "<from|<to|messages|bytes|share");
    for (int k = 0; k < n && k < MOST_PAIRS; k++) {
        html_row_head(out, ranks_of(m, list[k].i, text, sizeof text));
        fprintf(out, "<td class=\"l\">%s</td><td>%.0f</td>", ranks_of(m, list[k].j, text, sizeof text),
                m->messages[list[k].i][list[k].j]);
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
    m->ranks = run->ranks;
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
