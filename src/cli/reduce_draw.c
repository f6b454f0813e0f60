/* SPDX-License-Identifier: BSD-3-Clause */
/* The Gantt chart of a reduction: a row a host, the root on top, the others by decreasing end of their own message, so
 * that the tree reads from top to bottom. A dark bar is the host's own message and names its receiver; light bars are
 * messages it receives. */
#include "cli/reduce.h"
#include "util/file.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LEFT = 110, RIGHT = 110, TOP = 84, PLOT = 860, ROW = 26, BAR = 18, AXIS = 54 };

typedef struct chart {
    FILE *out;
    const hs_transfer *transfer;
    const double *time;
    int *row; /* of each host */
    int hosts, root;
    double end;
} chart;

static double x_of(const chart *c, double time)
{
    return LEFT + PLOT * time / c->end;
}

static double y_of(int row)
{
    return TOP + ROW * row + (ROW - BAR) / 2.0;
}

static void draw_head(const chart *c)
{
    int width = LEFT + PLOT + RIGHT, height = TOP + ROW * c->hosts + AXIS;
    fprintf(c->out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
            "font-family=\"sans-serif\" font-size=\"12\">\n"
            "<style>\n"
            ".send{fill:#3f74bf}.receive{fill:#bcd3ee}.send,.receive{stroke:#fff;stroke-width:.6}\n"
            ".grid{stroke:#ddd}.axis{stroke:#555}.arrow{stroke:#99a;stroke-width:.8;fill:none}\n"
            ".inside{fill:#fff;text-anchor:middle;font-size:11px}.name{text-anchor:end;fill:#222}\n"
            ".small{fill:#666;font-size:11px}.end{stroke:#b33;stroke-dasharray:4 3}\n"
            "</style>\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
            width, height, width, height, width, height);
    fprintf(c->out,
            "<text x=\"%d\" y=\"26\" font-size=\"16\">Reduction of %d host%s to host %d in %.6g s</text>\n"
            "<rect class=\"send\" x=\"%d\" y=\"42\" width=\"16\" height=\"12\"/>"
            "<text class=\"small\" x=\"%d\" y=\"52\">sends its partial result to the host named</text>\n"
            "<rect class=\"receive\" x=\"%d\" y=\"42\" width=\"16\" height=\"12\"/>"
            "<text class=\"small\" x=\"%d\" y=\"52\">receives and combines</text>\n",
            LEFT, c->hosts, c->hosts == 1 ? "" : "s", c->root, c->end, LEFT, LEFT + 22, LEFT + 270, LEFT + 292);
}

/* A round step that gives 5 to 10 ticks. */
static double tick_step(double end)
{
    double power = pow(10.0, floor(log10(end))), ratio = end / power;
    if (ratio > 5.0)
        return power;
    return ratio > 2.0 ? power / 2.0 : power / 5.0;
}

static void draw_axis(const chart *c)
{
    double step = tick_step(c->end), bottom = TOP + ROW * c->hosts;
    for (int k = 0; k * step <= c->end * (1.0 + 1e-9); k++) {
        double x = x_of(c, k * step);
        fprintf(c->out,
                "<line class=\"grid\" x1=\"%.2f\" y1=\"%d\" x2=\"%.2f\" y2=\"%.0f\"/>"
                "<text class=\"small\" x=\"%.2f\" y=\"%.0f\" text-anchor=\"middle\">%.6g</text>\n",
                x, TOP, x, bottom, x, bottom + 18, k * step);
    }
    fprintf(c->out,
            "<line class=\"axis\" x1=\"%d\" y1=\"%.0f\" x2=\"%d\" y2=\"%.0f\"/>"
            "<text class=\"small\" x=\"%d\" y=\"%.0f\" text-anchor=\"middle\">seconds</text>\n",
            LEFT, bottom, LEFT + PLOT, bottom, LEFT + PLOT / 2, bottom + 38);
    for (int i = 0; i < c->hosts; i++)
        fprintf(c->out,
                "<text class=\"name\" x=\"%d\" y=\"%.1f\">host %d%s</text>"
                "<text class=\"small\" x=\"%d\" y=\"%.1f\">t = %.6g</text>\n",
                LEFT - 10, y_of(c->row[i]) + 13, i, i == c->root ? " (root)" : "", LEFT + PLOT + 10,
                y_of(c->row[i]) + 13, c->time[i]);
}

static void draw_bar(const chart *c, const hs_transfer *m, const char *kind, int row)
{
    fprintf(c->out,
            "<rect class=\"%s\" x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%d\">"
            "<title>host %d to host %d: %.6g to %.6g s</title></rect>\n",
            kind, x_of(c, m->start), y_of(row), x_of(c, m->end) - x_of(c, m->start), BAR, m->from, m->to, m->start,
            m->end);
}

static void draw_message(const chart *c, const hs_transfer *m)
{
    int from = c->row[m->from], to = c->row[m->to];
    double x = x_of(c, m->end), width = x - x_of(c, m->start);
    draw_bar(c, m, "receive", to);
    draw_bar(c, m, "send", from);
    fprintf(c->out, "<path class=\"arrow\" d=\"M%.2f %.1fL%.2f %.1f\"/>\n", x, y_of(from), x,
            y_of(to) + (from > to ? BAR : 0));
    if (width >= 20.0)
        fprintf(c->out, "<text class=\"inside\" x=\"%.2f\" y=\"%.1f\">%d</text>\n", x - width / 2.0, y_of(from) + 13,
                m->to);
}

/* The root on top, then the hosts whose messages end last. */
static int find_rows(chart *c)
{
    char *done = calloc((size_t)c->hosts, 1);
    if (!done)
        return 0;
    c->row[c->root] = 0;
    for (int row = 1; row < c->hosts; row++) {
        int last = -1;
        for (int k = 0; k < c->hosts - 1; k++)
            if (!done[k] && (last < 0 || c->transfer[k].end > c->transfer[last].end))
                last = k;
        done[last] = 1;
        c->row[c->transfer[last].from] = row;
    }
    free(done);
    return 1;
}

hs_status cli_reduce_draw(const char *path, const hs_reduction *plan, const double *time, hs_error *error)
{
    hs__file *file = NULL;
    int count;
    chart c = {.transfer = hs_reduction_transfers(plan, &count),
               .time = time,
               .row = calloc((size_t)hs_reduction_hosts(plan), sizeof *c.row),
               .hosts = hs_reduction_hosts(plan),
               .root = hs_reduction_root(plan),
               .end = count > 0 ? hs_reduction_makespan(plan) : 1.0};
    if (!c.row || !find_rows(&c)) {
        free(c.row);
        return hs_error_set(error, HS_ERR_NOMEM, 0, "out of memory");
    }
    hs_status status = hs__file_create(path, &file, error);
    if (status == HS_OK) {
        c.out = hs__file_stream(file);
        draw_head(&c);
        draw_axis(&c);
        for (int k = 0; k < count; k++)
            draw_message(&c, &c.transfer[k]);
        fprintf(c.out, "<line class=\"end\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n</svg>\n", LEFT + PLOT, TOP - 6,
                LEFT + PLOT, TOP + ROW * c.hosts + 6);
        status = hs__file_commit(file, error);
    }
    free(c.row);
    return status;
}
