/* SPDX-License-Identifier: BSD-3-Clause */
/* Hosts and links with their use: tables, and on the platform's picture. */
#include "config.h"

#include "cli/report/html.h"
#include "cli/report/sections.h"
#include "platform/draw.h"
#include "platform/labels.h"
#include "platform/platform.h"
#include "util/assert.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 200, DRAWN = 400 };

/** Bytes over each link, and what the run's hosts are in the platform. */
typedef struct use {
    const report_run *run;
    const hs_platform *platform;
    int *node;     /* [hosts of the run]: of the platform, or -1 */
    double *link;  /* [links] bytes */
    double *pair;  /* [hosts * hosts] bytes from i to j at [i * hosts + j] */
    int *by_bytes; /* [links] */
    hs__pool pool;
} use;

static void add_pair(void *context, int from, int to, double messages, double bytes)
{
    use *u = context;
    int i = u->run->host_of[from], j = u->run->host_of[to];
    if (i != j)
        u->pair[(size_t)i * (size_t)u->run->hosts + (size_t)j] += bytes;
}

/* Each pair's bytes go over the links of its route. */
static void follow_routes(use *u)
{
    int n = u->run->hosts;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            hs_route route = {0};
            double bytes = u->pair[(size_t)i * (size_t)n + (size_t)j];
            if (bytes > 0 && u->node[i] >= 0 && u->node[j] >= 0 &&
                hs_platform_route_listed(u->platform, u->node[i], u->node[j], &route) == HS_OK)
                for (size_t k = 0; k < route.count; k++)
                    u->link[route.links[k]] += bytes;
            hs_route_free(&route);
        }
}

static hs_status find_use(const report_run *run, const hs_platform *platform, use *u)
{
    size_t hosts = (size_t)run->hosts, links = (size_t)hs_platform_links(platform);
    *u = (use){.run = run, .platform = platform};
    u->node = hs__pool_new(&u->pool, hosts, sizeof *u->node);
    u->link = hs__pool_new(&u->pool, links, sizeof *u->link);
    u->pair = hs__pool_new(&u->pool, hosts * hosts, sizeof *u->pair);
    u->by_bytes = hs__pool_new(&u->pool, links, sizeof *u->by_bytes);
    if (hs__pool_complete(&u->pool) != HS_OK)
        return HS_ERR_NOMEM;
    for (int h = 0; h < run->hosts; h++)
        u->node[h] = hs__platform_find_host(platform, run->host[h].name);
    report_run_messages(run, add_pair, u);
    follow_routes(u);
    return HS_OK;
}

/* A circle's area is the host's computing, a line's width what went over the link. */
static hs_status draw(FILE *out, const use *u, hs__drawing *drawing)
{
    const double least = 30, most = 900;
    double longest = 0, largest = 0;
    for (int h = 0; h < u->run->hosts; h++)
        longest = fmax(longest, report_mean(&u->run->host[h], REPORT_COMPUTE));
    for (int v = 0; v < hs_platform_hosts(u->platform); v++)
        drawing->area[v] = least;
    for (int h = 0; h < u->run->hosts; h++)
        if (u->node[h] >= 0 && longest > 0)
            drawing->area[u->node[h]] = fmax(least, most * report_mean(&u->run->host[h], REPORT_COMPUTE) / longest);
    for (int l = 0; l < hs_platform_links(u->platform); l++)
        largest = fmax(largest, u->link[l]);
    for (int l = 0; l < hs_platform_links(u->platform); l++)
        drawing->width[l] = u->link[l] > 0 ? 1 + 7 * sqrt(u->link[l] / largest) : 0.5;
    snprintf(drawing->area_caption, sizeof drawing->area_caption, "circle area: time a rank of the host computed");
    snprintf(drawing->width_caption, sizeof drawing->width_caption,
             "line width: bytes that messages took over the link");
    hs_status status = hs__drawing_layout(drawing);
    if (status != HS_OK)
        return status;
    fputs("<figure><div class=\"card scroll\" tabindex=\"0\" role=\"img\" aria-label=\"The platform: hosts, links and "
          "their use; the tables "
          "below have the numbers\">\n",
          out);
    status = hs__drawing_svg(drawing, out);
    fputs("</div><figcaption>Pointing at a host or link shows its name and numbers.</figcaption></figure>\n", out);
    return status;
}

static int by_link(const void *x, const void *y, void *bytes)
{
    int a = *(const int *)x, b = *(const int *)y;
    double left = ((double *)bytes)[a], right = ((double *)bytes)[b];
    return left != right ? (left < right ? 1 : -1) : (a > b) - (a < b);
}

static void list_links(FILE *out, use *u)
{
    int n = hs_platform_links(u->platform);
    if (n == 0)
        return;
    for (int l = 0; l < n; l++)
        u->by_bytes[l] = l;
    qsort_r(u->by_bytes, (size_t)n, sizeof *u->by_bytes, by_link, u->link);
    html_table(out, "Links, by what messages between single ranks took over them; collective calls are not in it",
               "<link|bandwidth|bytes|mean use");
    for (int i = 0; i < n && i < MOST_ROWS && (u->link[u->by_bytes[i]] > 0 || i < 1); i++) {
        int l = u->by_bytes[i];
        double bandwidth = hs_platform_link_bandwidth(u->platform, l);
        char text[32];
        html_row_head(out, hs_platform_link_id(u->platform, l));
        fprintf(out, "<td>%s</td>", hs__label_bandwidth(u->platform, bandwidth, text, sizeof text));
        html_quantity(out, u->link[l], HS_UNIT_SIZE);
        html_percent(out, u->run->run > 0 ? u->link[l] / (bandwidth * u->run->run) : 0);
        fputs("</tr>\n", out);
    }
    html_table_end(out);
}

static hs_status put_platform(FILE *out, const report_run *run, const hs_platform *platform)
{
    use u;
    hs__drawing *drawing = NULL;
    hs_status status = find_use(run, platform, &u);
    if (status == HS_OK && hs_platform_hosts(platform) <= DRAWN)
        status = hs__drawing_create(platform, &drawing);
    if (status == HS_OK && drawing)
        status = draw(out, &u, drawing);
    if (status == HS_OK)
        list_links(out, &u);
    hs__drawing_free(drawing);
    hs__pool_free(&u.pool);
    return status;
}

/* In units of a rank's speed, or seconds. */
static double work_of(const report_row *row, int known)
{
    return row->seconds[REPORT_COMPUTE] * (known ? row->speed / row->ranks : 1);
}

static void list_hosts(FILE *out, const report_run *run)
{
    double work = 0;
    int known = 1;
    for (int h = 0; h < run->hosts; h++)
        known &= run->host[h].speed > 0;
    for (int h = 0; h < run->hosts; h++)
        work += work_of(&run->host[h], known);
    html_table(out, "Hosts: means of their ranks",
               "<host|ranks|speed|share of work|start-up|compute|wait|transfer|library|wall|no core|sent");
    for (int h = 0; h < run->hosts && h < MOST_ROWS; h++) {
        const report_row *row = &run->host[h];
        html_row_head(out, row->name);
        fprintf(out, "<td>%d</td>", row->ranks);
        html_quantity(out, row->speed > 0 ? row->speed : -1, HS_UNIT_SPEED);
        html_percent(out, work > 0 ? work_of(row, known) / work : 0);
        for (int k = 0; k < REPORT_KINDS; k++)
            html_quantity(out, report_mean(row, (report_kind)k), HS_UNIT_TIME);
        html_quantity(out, report_mean_wall(row), HS_UNIT_TIME);
        html_quantity(out, row->queue / row->ranks, HS_UNIT_TIME);
        html_quantity(out, row->sent, HS_UNIT_SIZE);
        fputs("</tr>\n", out);
    }
    html_table_end(out);
    if (run->hosts > MOST_ROWS)
        fprintf(out, "<p>The first %d of %d hosts.</p>\n", MOST_ROWS, run->hosts);
}

hs_status report_hosts(FILE *out, const report_run *run, const hs_platform *platform)
{
    hs_status status = HS_OK;
    html_section(out, "hosts",
                 platform ? NULL
                          : "Without a platform file (--platform, or HS_PLATFORM of the run) there is no picture of "
                            "the network and no use of links.");
    if (platform)
        status = put_platform(out, run, platform);
    list_hosts(out, run);
    html_section_end(out);
    return status;
}
