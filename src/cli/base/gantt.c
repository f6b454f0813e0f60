/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/gantt.h"
#include "cli/base/hosts.h"
#include "platform/xml_text.h"
#include "util/assert.h"
#include <math.h>
#include <string.h>

double cli_gantt_x(const cli_gantt *chart, double time)
{
    HS_ASSERT(time >= 0 && time <= chart->end * (1 + 1e-6));
    return chart->left + chart->plot * time / chart->end;
}

void cli_gantt_host(const cli_gantt *c, int host)
{
    char number[16];
    const char *name = cli_host_name(c->names, host, number);
    hs__xml_put(c->out, name, strlen(name));
}

double cli_gantt_y(int row)
{
    return CLI_GANTT_TOP + CLI_GANTT_ROW * row + (CLI_GANTT_ROW - CLI_GANTT_BAR) / 2.0;
}

static int bottom_of(const cli_gantt *chart)
{
    return CLI_GANTT_TOP + CLI_GANTT_ROW * chart->rows;
}

void cli_gantt_open(const cli_gantt *chart, const char *style)
{
    int width = chart->left + chart->plot + chart->right, height = bottom_of(chart) + CLI_GANTT_AXIS;
    fprintf(chart->out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
            "font-family=\"sans-serif\" font-size=\"12\">\n"
            "<style>\n%s\n"
            ".grid{stroke:#ddd}.axis{stroke:#555}.inside{fill:#fff;text-anchor:middle;font-size:11px}\n"
            ".name{text-anchor:end;fill:#222}.small{fill:#666;font-size:11px}.end{stroke:#b33;stroke-dasharray:4 3}\n"
            "</style>\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
            width, height, width, height, style, width, height);
}

static double tick_step(double end)
{
    double power = pow(10.0, floor(log10(end))), ratio = end / power;
    if (ratio > 5.0)
        return power;
    return ratio > 2.0 ? power / 2.0 : power / 5.0;
}

void cli_gantt_axis(const cli_gantt *chart)
{
    double step = tick_step(chart->end);
    int bottom = bottom_of(chart);
    HS_ASSERT(chart->end / step > 3.9 && chart->end / step < 10.1);
    for (int k = 0; k * step <= chart->end * (1.0 + 1e-9); k++) {
        double x = cli_gantt_x(chart, k * step);
        fprintf(chart->out,
                "<line class=\"grid\" x1=\"%.2f\" y1=\"%d\" x2=\"%.2f\" y2=\"%d\"/>"
                "<text class=\"small\" x=\"%.2f\" y=\"%d\" text-anchor=\"middle\">%.6g</text>\n",
                x, CLI_GANTT_TOP, x, bottom, x, bottom + 18, k * step);
    }
    fprintf(chart->out,
            "<line class=\"axis\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>"
            "<text class=\"small\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">seconds</text>\n",
            chart->left, bottom, chart->left + chart->plot, bottom, chart->left + chart->plot / 2, bottom + 38);
}

void cli_gantt_close(const cli_gantt *chart)
{
    int x = chart->left + chart->plot;
    fprintf(chart->out, "<line class=\"end\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n</svg>\n", x, CLI_GANTT_TOP - 6,
            x, bottom_of(chart) + 6);
}
