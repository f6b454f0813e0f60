/* SPDX-License-Identifier: BSD-3-Clause */
/* The Gantt chart of a reduction: a row per host, the root on top, the others by decreasing end of the message they
 * send, so that the tree reads from top to bottom. A dark bar is the message a host sends and names its receiver; light
 * bars are messages it receives. */
#include "cli/base/gantt.h"
#include "cli/plan/reduce.h"
#include "util/assert.h"
#include "util/file.h"
#include "util/plural.h"
#include "util/status.h"
#include <stdio.h>
#include <stdlib.h>

enum { LEFT = 110, PLOT = 860, RIGHT = 110, BAR = CLI_GANTT_BAR };

typedef struct chart {
    cli_gantt gantt;
    const hs_transfer *transfer;
    const double *time;
    double makespan;
    int *row; /* row of each host */
    int hosts, root;
} chart;

static void draw_head(const chart *c)
{
    cli_gantt_open(&c->gantt, ".send{fill:#3f74bf}.receive{fill:#bcd3ee}.send,.receive{stroke:#fff;stroke-width:.6}\n"
                              ".arrow{stroke:#99a;stroke-width:.8;fill:none}");
    fprintf(c->gantt.out, "<text x=\"%d\" y=\"26\" font-size=\"16\">Reduction of %d host%s to host ", LEFT, c->hosts,
            hs__plural(c->hosts));
    cli_gantt_host(&c->gantt, c->root);
    fprintf(c->gantt.out,
            " in %.6g s</text>\n"
            "<rect class=\"send\" x=\"%d\" y=\"42\" width=\"16\" height=\"12\"/>"
            "<text class=\"small\" x=\"%d\" y=\"52\">sends its partial result to the named host</text>\n"
            "<rect class=\"receive\" x=\"%d\" y=\"42\" width=\"16\" height=\"12\"/>"
            "<text class=\"small\" x=\"%d\" y=\"52\">receives and combines</text>\n",
            c->makespan, LEFT, LEFT + 22, LEFT + 270, LEFT + 292);
}

static void draw_names(const chart *c)
{
    for (int i = 0; i < c->hosts; i++) {
        double y = cli_gantt_y(c->row[i]) + 13;
        fprintf(c->gantt.out, "<text class=\"name\" x=\"%d\" y=\"%.1f\">host ", LEFT - 10, y);
        cli_gantt_host(&c->gantt, i);
        fprintf(c->gantt.out, "%s</text><text class=\"small\" x=\"%d\" y=\"%.1f\">t = %.6g</text>\n",
                i == c->root ? " (root)" : "", LEFT + PLOT + 10, y, c->time[i]);
    }
}

static void draw_bar(const chart *c, const hs_transfer *m, const char *kind, int row)
{
    fprintf(c->gantt.out,
            "<rect class=\"%s\" x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%d\">"
            "<title>host ",
            kind, cli_gantt_x(&c->gantt, m->start), cli_gantt_y(row),
            cli_gantt_x(&c->gantt, m->end) - cli_gantt_x(&c->gantt, m->start), BAR);
    cli_gantt_host(&c->gantt, m->from);
    fputs(" to host ", c->gantt.out);
    cli_gantt_host(&c->gantt, m->to);
    fprintf(c->gantt.out, ": %.6g to %.6g s</title></rect>\n", m->start, m->end);
}

static void draw_message(const chart *c, const hs_transfer *m)
{
    int from = c->row[m->from], to = c->row[m->to];
    double x = cli_gantt_x(&c->gantt, m->end), width = x - cli_gantt_x(&c->gantt, m->start);
    draw_bar(c, m, "receive", to);
    draw_bar(c, m, "send", from);
    fprintf(c->gantt.out, "<path class=\"arrow\" d=\"M%.2f %.1fL%.2f %.1f\"/>\n", x, cli_gantt_y(from), x,
            cli_gantt_y(to) + (from > to ? BAR : 0));
    if (width < 20.0)
        return;
    fprintf(c->gantt.out, "<text class=\"inside\" x=\"%.2f\" y=\"%.1f\">", x - width / 2.0, cli_gantt_y(from) + 13);
    cli_gantt_host(&c->gantt, m->to);
    fputs("</text>\n", c->gantt.out);
}

/* Assign rows: the root on top, the others by decreasing end of the message they send. */
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
        HS_ASSERT(last >= 0);
        done[last] = 1;
        c->row[c->transfer[last].from] = row;
    }
    free(done);
    return 1;
}

hs_status cli_reduce_draw(const char *path, const hs_reduction *plan, const double *time, const json_t *names,
                          hs_error *error)
{
    hs__file *file = NULL;
    int count;
    const hs_transfer *transfers = hs_reduction_transfers(plan, &count);
    chart c = {.transfer = transfers,
               .time = time,
               .makespan = hs_reduction_makespan(plan),
               .row = calloc((size_t)hs_reduction_hosts(plan), sizeof *c.row),
               .hosts = hs_reduction_hosts(plan),
               .root = hs_reduction_root(plan),
               .gantt = {.left = LEFT,
                         .plot = PLOT,
                         .right = RIGHT,
                         .rows = hs_reduction_hosts(plan),
                         .end = count > 0 ? hs_reduction_makespan(plan) : 1.0,
                         .names = names}};
    if (!c.row || !find_rows(&c)) {
        free(c.row);
        return hs__error_status(error, HS_ERR_NOMEM);
    }
    hs_status status = hs__file_create(path, &file, error);
    if (status == HS_OK) {
        c.gantt.out = hs__file_stream(file);
        draw_head(&c);
        cli_gantt_axis(&c.gantt);
        draw_names(&c);
        for (int k = 0; k < count; k++)
            draw_message(&c, &c.transfer[k]);
        cli_gantt_close(&c.gantt);
        status = hs__file_commit(file, error);
    }
    free(c.row);
    return status;
}
