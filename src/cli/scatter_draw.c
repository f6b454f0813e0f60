/* SPDX-License-Identifier: BSD-3-Clause */
/* The Gantt chart of a divisible-load plan: the master's port on top, a row for each host that takes part, in send
 * order, time from left to right. */
#include "cli/scatter.h"
#include "util/file.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LEFT = 96, RIGHT = 120, TOP = 84, PLOT = 880, ROW = 26, BAR = 18, AXIS = 54 };

typedef struct chart {
    FILE *out;
    const hs_divisible *plan;
    const hs_divisible_params *params;
    int *row;  /* of each host, -1 when it takes no part */
    int rows;  /* lanes of the port, then hosts */
    int lanes; /* of the port: 1, or 2 when it sends and receives at once */
    double end;
} chart;

static const char *const kind_name[] = {"send", "compute", "return"};
static const char *const kind_verb[] = {"receives", "computes", "returns"};

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
    int width = LEFT + PLOT + RIGHT, height = TOP + ROW * c->rows + AXIS;
    fprintf(c->out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
            "font-family=\"sans-serif\" font-size=\"12\">\n"
            "<style>\n"
            ".send{fill:#5b8fd6}.compute{fill:#7cb56b}.return{fill:#e39a3b}.send,.compute,.return{stroke:#fff;"
            "stroke-width:.6}\n"
            ".grid{stroke:#ddd}.axis{stroke:#555}.lane{fill:#f4f4f4}.inside{fill:#fff;text-anchor:middle}\n"
            ".name{text-anchor:end;fill:#222}.small{fill:#666;font-size:11px}.end{stroke:#b33;stroke-dasharray:4 3}\n"
            "</style>\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
            width, height, width, height, width, height);
    fprintf(c->out, "<text x=\"%d\" y=\"26\" font-size=\"16\">%.10g items in %.6g s</text>\n", LEFT, c->params->load,
            c->end);
    for (int k = 0, x = LEFT; k <= (c->params->results > 0.0 ? 2 : 1); k++, x += 110)
        fprintf(c->out,
                "<rect class=\"%s\" x=\"%d\" y=\"42\" width=\"16\" height=\"12\"/>"
                "<text class=\"small\" x=\"%d\" y=\"52\">%s</text>\n",
                kind_name[k], x, x + 22, kind_verb[k]);
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
    double step = tick_step(c->end), bottom = TOP + ROW * c->rows;
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
}

static void draw_names(const chart *c)
{
    static const char *const lane_name[2][2] = {{"port", ""}, {"port out", "port in"}};
    for (int lane = 0; lane < c->lanes; lane++)
        fprintf(c->out,
                "<rect class=\"lane\" x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%d\"/>"
                "<text class=\"name\" x=\"%d\" y=\"%.1f\">%s</text>\n",
                LEFT, y_of(lane), PLOT, BAR, LEFT - 10, y_of(lane) + 13, lane_name[c->lanes - 1][lane]);
    for (int i = 0; i < c->params->hosts; i++) {
        if (c->row[i] < 0)
            continue;
        double items = hs_divisible_load(c->plan, i), y = y_of(c->row[i]) + 13;
        fprintf(c->out,
                "<text class=\"name\" x=\"%d\" y=\"%.1f\">%s %d</text>"
                "<text class=\"small\" x=\"%d\" y=\"%.1f\">%.6g (%.1f%%)</text>\n",
                LEFT - 10, y, c->params->comm_time[i] == 0.0 ? "master" : "host", i, LEFT + PLOT + 10, y, items,
                100.0 * items / c->params->load);
    }
}

static void draw_bar(const chart *c, const hs_divisible_event *e, int row)
{
    double x = x_of(c, e->start), width = x_of(c, e->end) - x;
    fprintf(c->out,
            "<rect class=\"%s\" x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%d\">"
            "<title>host %d %s %.10g items: %.6g to %.6g s</title></rect>\n",
            kind_name[e->what], x, y_of(row), width, BAR, e->host, kind_verb[e->what], e->items, e->start, e->end);
}

static void draw_event(const chart *c, const hs_divisible_event *e)
{
    double width = x_of(c, e->end) - x_of(c, e->start);
    draw_bar(c, e, c->row[e->host]);
    if (e->what == HS_DIVISIBLE_COMPUTE)
        return;
    int lane = e->what == HS_DIVISIBLE_RETURN ? c->lanes - 1 : 0;
    draw_bar(c, e, lane);
    if (width >= 18.0)
        fprintf(c->out, "<text class=\"inside\" x=\"%.2f\" y=\"%.1f\">%d</text>\n", x_of(c, e->start) + width / 2.0,
                y_of(lane) + 13, e->host);
}

static void draw_chart(const chart *c)
{
    int count;
    const hs_divisible_event *event = hs_divisible_events(c->plan, &count);
    draw_head(c);
    draw_axis(c);
    draw_names(c);
    for (int k = 0; k < count; k++)
        draw_event(c, &event[k]);
    fprintf(c->out, "<line class=\"end\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n</svg>\n", LEFT + PLOT, TOP - 6,
            LEFT + PLOT, TOP + ROW * c->rows + 6);
}

hs_status cli_scatter_draw(const char *path, const hs_divisible *plan, const hs_divisible_params *params,
                           hs_error *error)
{
    hs__file *file = NULL;
    chart c = {.plan = plan,
               .params = params,
               .row = calloc((size_t)params->hosts, sizeof *c.row),
               .lanes = params->port == HS_DIVISIBLE_DUPLEX && params->results > 0.0 ? 2 : 1,
               .end = hs_divisible_makespan(plan)};
    if (!c.row)
        return hs_error_set(error, HS_ERR_NOMEM, 0, "out of memory");
    c.rows = c.lanes;
    for (int k = 0; k < params->hosts; k++) {
        int i = hs_divisible_send_host(plan, k);
        c.row[i] = hs_divisible_load(plan, i) > 0.0 ? c.rows++ : -1;
    }
    hs_status status = hs__file_create(path, &file, error);
    if (status == HS_OK) {
        c.out = hs__file_stream(file);
        draw_chart(&c);
        status = hs__file_commit(file, error);
    }
    free(c.row);
    return status;
}
