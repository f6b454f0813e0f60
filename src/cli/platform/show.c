/* SPDX-License-Identifier: BSD-3-Clause */
/* hs show: the contents of a platform file as tables, JSON or a drawing, a route between two of its nodes, or the
 * bandwidths of concurrent flows. */
#include "cli/base/cli.h"
#include "cli/base/rows.h"
#include "cli/base/verbs.h"
#include "cli/platform/show_flows.h"
#include "cli/platform/show_groups.h"
#include "cli/platform/show_ring.h"
#include "cli/platform/show_sizes.h"
#include "platform/draw.h"
#include "util/file.h"
#include "util/letters.h"
#include "util/plural.h"
#include "util/status.h"
#include <heteroslice/hs_platform.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Width of a column of n ids under a heading. */
static int column_width(const hs_platform *platform, const char *(*id)(const hs_platform *, int), int n,
                        const char *heading)
{
    int width = (int)strlen(heading);
    for (int i = 0; i < n; i++)
        width = hs__column_with(width, id(platform, i));
    return width;
}

static void print_link(const hs_platform *platform, int link, int width)
{
    char bandwidth[32], latency[32];
    hs_quantity_format(hs_platform_link_bandwidth(platform, link), HS_UNIT_BANDWIDTH, bandwidth, sizeof bandwidth);
    hs_quantity_format(hs_platform_link_latency(platform, link), HS_UNIT_TIME, latency, sizeof latency);
    const char *id = hs_platform_link_id(platform, link);
    printf("%-*s  %12s  %9s  %s%s\n", hs__field(width, id), id, bandwidth, latency, cli_sharing_name(platform, link),
           hs_platform_link_at_least(platform, link) ? "  bandwidth at least this" : "");
}

static void print_sizes(const hs_platform *platform, int width)
{
    int rows = 0;
    for (int v = 0; v < hs_platform_hosts(platform); v++) {
        const hs_speed_function *function = hs_platform_host_speed_function(platform, v);
        if (!cli_has_sizes(function))
            continue;
        if (rows++ == 0)
            printf("\n%-*s  SPEED OF A CORE BY SIZE OF THE SLICE\n", width, "HOST");
        printf("%-*s  ", hs__field(width, hs_platform_node_id(platform, v)), hs_platform_node_id(platform, v));
        cli_print_sizes(function);
    }
}

static void print_tables(const hs_platform *platform)
{
    int hosts = hs_platform_hosts(platform), routers = hs_platform_routers(platform);
    int links = hs_platform_links(platform);
    int width = column_width(platform, hs_platform_node_id, hosts, "HOST");
    printf("%d host%s, %d router%s, %d link%s\n\n%-*s  %12s  %5s\n", hosts, hs__plural(hosts), routers,
           hs__plural(routers), links, hs__plural(links), width, "HOST", "SPEED", "CORES");
    for (int v = 0; v < hosts; v++) {
        char speed[32];
        hs_quantity_format(hs_platform_host_speed(platform, v), HS_UNIT_SPEED, speed, sizeof speed);
        const char *id = hs_platform_node_id(platform, v);
        printf("%-*s  %12s  %5d\n", hs__field(width, id), id, speed, hs_platform_host_cores(platform, v));
    }
    print_sizes(platform, width);
    if (routers)
        printf("\nROUTER\n");
    for (int v = hosts; v < hosts + routers; v++)
        printf("%s\n", hs_platform_node_id(platform, v));
    width = column_width(platform, hs_platform_link_id, links, "LINK");
    if (links)
        printf("\n%-*s  %12s  %9s  %s\n", width, "LINK", "BANDWIDTH", "LATENCY", "SHARING");
    for (int l = 0; l < links; l++)
        print_link(platform, l, width);
}

static json_t *link_json(const hs_platform *platform, int link)
{
    json_t *object = json_pack("{s:s, s:f, s:f, s:s}", "id", hs_platform_link_id(platform, link), "bandwidth",
                               hs_platform_link_bandwidth(platform, link), "latency",
                               hs_platform_link_latency(platform, link), "sharing", cli_sharing_name(platform, link));
    if (hs_platform_link_at_least(platform, link))
        json_object_set_new(object, "at_least", json_true());
    return object;
}

static json_t *host_json(const hs_platform *platform, int host)
{
    json_t *object = json_pack("{s:s, s:f, s:i}", "id", hs_platform_node_id(platform, host), "speed",
                               hs_platform_host_speed(platform, host), "cores", hs_platform_host_cores(platform, host));
    cli_add_sizes(object, hs_platform_host_speed_function(platform, host));
    return object;
}

static json_t *platform_json(const hs_platform *platform)
{
    int count = hs_platform_hosts(platform), routers = hs_platform_routers(platform);
    json_t *hosts = json_array(), *router_ids = json_array(), *links = json_array();
    for (int v = 0; v < count; v++)
        json_array_append_new(hosts, host_json(platform, v));
    for (int v = count; v < count + routers; v++)
        json_array_append_new(router_ids, json_string(hs_platform_node_id(platform, v)));
    for (int l = 0; l < hs_platform_links(platform); l++)
        json_array_append_new(links, link_json(platform, l));
    return json_pack("{s:o, s:o, s:o}", "hosts", hosts, "routers", router_ids, "links", links);
}

static json_t *route_json(const hs_platform *platform, const hs_route *route)
{
    json_t *links = json_array();
    for (size_t i = 0; i < route->count; i++)
        json_array_append_new(links, json_string(hs_platform_link_id(platform, route->links[i])));
    return json_pack("{s:o, s:f, s:o}", "links", links, "latency", route->latency, "bandwidth",
                     isfinite(route->bandwidth) ? json_real(route->bandwidth) : json_null());
}

static void print_route(const hs_platform *platform, const char *const *ends, const hs_route *route)
{
    char latency[32], bandwidth[32];
    int width = (int)strlen("LINK");
    for (size_t i = 0; i < route->count; i++)
        width = hs__column_with(width, hs_platform_link_id(platform, route->links[i]));
    hs_quantity_format(route->latency, HS_UNIT_TIME, latency, sizeof latency);
    if (route->count == 0) {
        printf("%s to %s: no links\n", ends[0], ends[1]);
        return;
    }
    hs_quantity_format(route->bandwidth, HS_UNIT_BANDWIDTH, bandwidth, sizeof bandwidth);
    printf("%s to %s: %zu link%s, %s, %s\n\n%-*s  %12s  %9s  %s\n", ends[0], ends[1], route->count,
           hs__plural((long long)route->count), bandwidth, latency, width, "LINK", "BANDWIDTH", "LATENCY", "SHARING");
    for (size_t i = 0; i < route->count; i++)
        print_link(platform, route->links[i], width);
}

static int show_route(const cli_verb *verb, const char *path, const hs_platform *platform, const char *const *ends,
                      int as_json)
{
    hs_route route = {0};
    int nodes[2], code;
    for (int i = 0; i < 2; i++) {
        nodes[i] = hs_platform_find_node(platform, ends[i]);
        if (nodes[i] < 0)
            return cli_bad_value(verb, "%s: no host or router '%.80s'", path, ends[i]);
    }
    hs_status status = hs_platform_route_listed(platform, nodes[0], nodes[1], &route);
    if (status != HS_OK) {
        code = cli_bad_value(verb, "%s: '%.80s' to '%.80s': %s", path, ends[0], ends[1], hs_status_text(status));
    } else if (as_json) {
        code = cli_print_json(verb, route_json(platform, &route));
    } else {
        print_route(platform, ends, &route);
        code = CLI_OK;
    }
    hs_route_free(&route);
    return code;
}

/* Writes a drawing to a file that appears whole or not at all. */
static int draw(const cli_verb *verb, const hs_platform *platform, const cli_ring_plan *plan, const char *path,
                hs_status (*put)(const hs__drawing *drawing, FILE *stream))
{
    hs__drawing *drawing = NULL;
    hs__file *file = NULL;
    hs_error error;
    hs_status status = hs__drawing_create(platform, &drawing);
    if (status == HS_OK && plan)
        status = cli_ring_plan_draw(plan, drawing);
    if (status != HS_OK)
        hs__error_status(&error, status);
    else
        status = hs__file_create(path, &file, &error);
    if (status == HS_OK && (status = put(drawing, hs__file_stream(file))) != HS_OK) {
        hs__error_status(&error, status);
        hs__file_discard(file);
    } else if (status == HS_OK) {
        status = hs__file_commit(file, &error);
    }
    hs__drawing_free(drawing);
    return status == HS_OK ? CLI_OK : cli_fail(verb, NULL, &error);
}

/* Make the requested drawings, with the ring of a plan when one is given. */
static int draw_all(const cli_verb *verb, const hs_platform *platform, const char *ring, const char *dot,
                    const char *svg)
{
    cli_ring_plan plan = {0};
    hs_error error;
    int code = CLI_OK;
    if (ring && cli_ring_plan_read(ring, platform, &plan, &error) != HS_OK)
        return cli_fail(verb, ring, &error);
    if (dot)
        code = draw(verb, platform, ring ? &plan : NULL, dot, hs__drawing_dot);
    if (svg && code == CLI_OK)
        code = draw(verb, platform, ring ? &plan : NULL, svg, hs__drawing_svg);
    cli_ring_plan_free(&plan);
    return code;
}

int cli_show(const cli_verb *verb, int argc, char **argv)
{
    const char *path = NULL, *ends[2] = {NULL, NULL}, *dot = NULL, *svg = NULL, *ring = NULL, *flows = NULL;
    int as_json = 0, all = 0;
    const cli_option options[] = {{.name = "--route", .kind = CLI_TEXT_PAIR, .target = ends, .excludes = "--flows"},
                                  {.name = "--dot", .kind = CLI_OUTPUT, .target = &dot},
                                  {.name = "--ring", .kind = CLI_TEXT, .target = &ring},
                                  {.name = "--svg", .kind = CLI_OUTPUT, .target = &svg},
                                  {.name = "--json", .kind = CLI_FLAG, .target = &as_json},
                                  {.name = "--all", .kind = CLI_FLAG, .target = &all},
                                  {.name = "--flows", .kind = CLI_TEXT, .target = &flows},
                                  {.name = NULL}};
    int code = cli_parse(verb, argc, argv, options, &path, 1, NULL);
    if (code != CLI_OK)
        return code;
    if (!path)
        return cli_usage(verb, "no platform file given");
    if ((dot || svg) && (ends[0] || flows || as_json))
        return cli_usage(verb, "a drawing excludes --route, --flows and --json");
    if (all && (ends[0] || flows || dot || svg))
        return cli_usage(verb, "--all excludes --route, --flows and drawings");
    if (ring && !dot && !svg)
        return cli_usage(verb, "--ring requires --svg or --dot");
    hs_platform *platform;
    hs_error error;
    if (cli_read_platform(path, &platform, &error) != HS_OK)
        return cli_fail(verb, path, &error);
    int long_tables = hs_platform_hosts(platform) > CLI_ROWS || hs_platform_links(platform) > 2 * CLI_ROWS;
    if (dot || svg)
        code = draw_all(verb, platform, ring, dot, svg);
    else if (ends[0])
        code = show_route(verb, path, platform, ends, as_json);
    else if (flows)
        code = cli_show_flows(verb, path, platform, flows, as_json);
    else if (as_json)
        code = cli_print_json(verb, platform_json(platform));
    else if (long_tables && !all)
        code = cli_show_groups(verb, platform);
    else
        print_tables(platform);
    hs_platform_free(platform);
    return code;
}
