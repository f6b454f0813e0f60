/* SPDX-License-Identifier: BSD-3-Clause */
/* The Gantt chart of a divisible-load plan: the master's port on top, a row for each host that takes part, in send
 * order, time from left to right. */
#include "cli/base/gantt.h"
#include "cli/plan/scatter.h"
#include "util/assert.h"
#include "util/file.h"
#include "util/status.h"
#include <stdio.h>
#include <stdlib.h>

enum { LEFT = 96, PLOT = 880, RIGHT = 120, BAR = CLI_GANTT_BAR };

typedef struct chart {
    cli_gantt gantt; /* rows: lanes of the port, then hosts */
    const hs_divisible *plan;
    const hs_divisible_params *params;
    int *row;  /* row of each host; -1: it takes no part */
    int lanes; /* lanes of the port: 1, or 2 when it sends and receives at once */
} chart;

static const char *const kind_name[] = {"send", "compute", "return"};
static const char *const kind_verb[] = {"receives", "computes", "returns"};

static void draw_head(const chart *c)
{
    cli_gantt_open(&c->gantt, ".send{fill:#5b8fd6}.compute{fill:#7cb56b}.return{fill:#e39a3b}"
                              ".send,.compute,.return{stroke:#fff;stroke-width:.6}.lane{fill:#f4f4f4}");
    fprintf(c->gantt.out, "<text x=\"%d\" y=\"26\" font-size=\"16\">%.10g items in %.6g s</text>\n", LEFT,
            c->params->load, c->gantt.end);
    for (int k = 0, x = LEFT; k <= (c->params->results > 0.0 ? 2 : 1); k++, x += 110)
        fprintf(c->gantt.out,
                "<rect class=\"%s\" x=\"%d\" y=\"42\" width=\"16\" height=\"12\"/>"
                "<text class=\"small\" x=\"%d\" y=\"52\">%s</text>\n",
                kind_name[k], x, x + 22, kind_verb[k]);
}

static void draw_names(const chart *c)
{
    static const char *const lane_name[2][2] = {{"port", ""}, {"port out", "port in"}};
    for (int lane = 0; lane < c->lanes; lane++)
        fprintf(c->gantt.out,
                "<rect class=\"lane\" x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%d\"/>"
                "<text class=\"name\" x=\"%d\" y=\"%.1f\">%s</text>\n",
                LEFT, cli_gantt_y(lane), PLOT, BAR, LEFT - 10, cli_gantt_y(lane) + 13, lane_name[c->lanes - 1][lane]);
    for (int i = 0; i < c->params->hosts; i++) {
        if (c->row[i] < 0)
            continue;
        double items = hs_divisible_load(c->plan, i), y = cli_gantt_y(c->row[i]) + 13;
        fprintf(c->gantt.out, "<text class=\"name\" x=\"%d\" y=\"%.1f\">%s ", LEFT - 10, y,
                c->params->comm_time[i] == 0.0 ? "master" : "host");
        cli_gantt_host(&c->gantt, i);
        fprintf(c->gantt.out, "</text><text class=\"small\" x=\"%d\" y=\"%.1f\">%.6g (%.1f%%)</text>\n",
                LEFT + PLOT + 10, y, items, 100.0 * items / c->params->load);
    }
}

static void draw_bar(const chart *c, const hs_divisible_event *e, int row)
{
    double x = cli_gantt_x(&c->gantt, e->start), width = cli_gantt_x(&c->gantt, e->end) - x;
    fprintf(c->gantt.out,
            "<rect class=\"%s\" x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%d\">"
            "<title>host ",
            kind_name[e->what], x, cli_gantt_y(row), width, BAR);
    cli_gantt_host(&c->gantt, e->host);
    fprintf(c->gantt.out, " %s %.10g items: %.6g to %.6g s</title></rect>\n", kind_verb[e->what], e->items, e->start,
            e->end);
}

static void draw_event(const chart *c, const hs_divisible_event *e)
{
    double width = cli_gantt_x(&c->gantt, e->end) - cli_gantt_x(&c->gantt, e->start);
    HS_ASSERT(c->row[e->host] >= c->lanes && c->row[e->host] < c->gantt.rows);
    draw_bar(c, e, c->row[e->host]);
    if (e->what == HS_DIVISIBLE_COMPUTE)
        return;
    int lane = e->what == HS_DIVISIBLE_RETURN ? c->lanes - 1 : 0;
    draw_bar(c, e, lane);
    if (width < 18.0)
        return;
    fprintf(c->gantt.out, "<text class=\"inside\" x=\"%.2f\" y=\"%.1f\">",
            cli_gantt_x(&c->gantt, e->start) + width / 2.0, cli_gantt_y(lane) + 13);
    cli_gantt_host(&c->gantt, e->host);
    fputs("</text>\n", c->gantt.out);
}

static void draw_chart(const chart *c)
{
    int count;
    const hs_divisible_event *event = hs_divisible_events(c->plan, &count);
    draw_head(c);
    cli_gantt_axis(&c->gantt);
    draw_names(c);
    for (int k = 0; k < count; k++)
        draw_event(c, &event[k]);
    cli_gantt_close(&c->gantt);
}

hs_status cli_scatter_draw(const char *path, const hs_divisible *plan, const hs_divisible_params *params,
                           const json_t *names, hs_error *error)
{
    hs__file *file = NULL;
    chart c = {
        .plan = plan,
        .params = params,
        .row = calloc((size_t)params->hosts, sizeof *c.row),
        .lanes = params->port == HS_DIVISIBLE_DUPLEX && params->results > 0.0 ? 2 : 1,
        .gantt = {.left = LEFT, .plot = PLOT, .right = RIGHT, .end = hs_divisible_makespan(plan), .names = names}};
    if (!c.row)
        return hs__error_status(error, HS_ERR_NOMEM);
    c.gantt.rows = c.lanes;
    for (int k = 0; k < params->hosts; k++) {
        int i = hs_divisible_send_host(plan, k);
        c.row[i] = hs_divisible_load(plan, i) > 0.0 ? c.gantt.rows++ : -1;
    }
    hs_status status = hs__file_create(path, &file, error);
    if (status == HS_OK) {
        c.gantt.out = hs__file_stream(file);
        draw_chart(&c);
        status = hs__file_commit(file, error);
    }
    free(c.row);
    return status;
}
