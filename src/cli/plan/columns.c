/* SPDX-License-Identifier: BSD-3-Clause */
/* hs columns: rectangles for hosts of unequal speed, by the contract of hs-columns(1). */
#include "cli/base/hosts.h"
#include "cli/base/rows.h"
#include "cli/base/tiles.h"
#include "cli/base/verbs.h"
#include "plan/by_size/hosts.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/file.h"
#include "util/plural.h"
#include <heteroslice/hs_columns.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const objective_names[] = {"sum", "max", NULL};
static const char *const method_names[] = {"columns", "recursive", NULL};

typedef struct request {
    const char *platform, *speeds, *file, *svg;
    int objective, method, all, json;
    int64_t blocks;
    double tolerance, data; /* data: bytes of the square, 0: not given */
} request;

/* A length: an integer when counted in blocks, else a fraction of the unit square's side. */
static json_t *size_json(const request *r, double size)
{
    HS_ASSERT(r->blocks == 0 || size == floor(size));
    return r->blocks > 0 ? json_integer((json_int_t)size) : json_real(size);
}

static json_t *columns_json(const request *r, const hs_columns *plan)
{
    json_t *columns = json_array();
    for (int c = 0; c < hs_columns_columns(plan); c++) {
        json_t *rectangles = json_array();
        int first = hs_columns_first(plan, c);
        for (int k = first; k < hs_columns_first(plan, c + 1); k++) {
            const hs_rectangle *t = hs_columns_rectangle(plan, k);
            json_array_append_new(rectangles,
                                  json_pack("{s:i, s:o}", "host", t->host, "height", size_json(r, t->height)));
        }
        json_array_append_new(columns,
                              json_pack("{s:o, s:o}", "width", size_json(r, hs_columns_rectangle(plan, first)->width),
                                        "rectangles", rectangles));
    }
    return columns;
}

static json_t *rectangles_json(const request *r, const hs_columns *plan)
{
    json_t *rectangles = json_array();
    for (int k = 0; k < hs_columns_count(plan); k++) {
        const hs_rectangle *t = hs_columns_rectangle(plan, k);
        json_array_append_new(rectangles, json_pack("{s:i, s:o, s:o, s:o, s:o}", "host", t->host, "x",
                                                    size_json(r, t->x), "y", size_json(r, t->y), "width",
                                                    size_json(r, t->width), "height", size_json(r, t->height)));
    }
    return rectangles;
}

static int print_json(const cli_verb *verb, const request *r, const hs_columns *plan, const cli_hosts *hosts)
{
    json_t *object = json_object();
    json_object_set_new(object, "half_perimeter_sum", size_json(r, hs_columns_half_perimeter_sum(plan)));
    json_object_set_new(object, "half_perimeter_max", size_json(r, hs_columns_half_perimeter_max(plan)));
    json_object_set_new(object, "lower_bound", size_json(r, hs_columns_lower_bound(plan)));
    json_object_set_new(object, "optimal", json_boolean(hs_columns_is_optimal(plan)));
    if (r->blocks > 0)
        json_object_set_new(object, "largest_load", json_real(hs_columns_largest_load(plan)));
    if (hs_columns_columns(plan) > 0)
        json_object_set_new(object, "columns", columns_json(r, plan));
    else
        json_object_set_new(object, "rectangles", rectangles_json(r, plan));
    cli_name_hosts(object, hosts->names);
    if (r->data > 0)
        json_object_set_new(object, "data", json_real(r->data));
    return cli_print_json(verb, object);
}

static void print_summary(const request *r, const hs_columns *plan, int hosts)
{
    int count = hs_columns_count(plan), columns = hs_columns_columns(plan);
    printf("%d rectangle%s", count, hs__plural(count));
    if (columns > 0)
        printf(" in %d column%s", columns, hs__plural(columns));
    if (r->blocks > 0)
        printf(" on %lld x %lld blocks", (long long)r->blocks, (long long)r->blocks);
    if (count < hosts)
        printf(", %d host%s without an area", hosts - count, hs__plural(hosts - count));
    printf("\nhalf perimeters: sum %.6g, largest %.6g; no tiling has a %s below %.6g%s\n",
           hs_columns_half_perimeter_sum(plan), hs_columns_half_perimeter_max(plan), objective_names[r->objective],
           hs_columns_lower_bound(plan), hs_columns_is_optimal(plan) ? "; optimal" : "");
    if (r->blocks > 0)
        printf("largest area/speed: %.6g\n", hs_columns_largest_load(plan));
}

/** A tiling that is printed. */
typedef struct printed {
    const json_t *names; /* of the hosts */
    const hs_columns *plan;
} printed;

static void print_host(FILE *out, const void *context, int host)
{
    char number[16];
    fputs(cli_host_name(((const printed *)context)->names, host, number), out);
}

static int host_with_area(const void *context, int k)
{
    return hs_columns_rectangle(((const printed *)context)->plan, k)->host;
}

static double half_perimeter(const void *plan, int k)
{
    const hs_rectangle *t = hs_columns_rectangle(plan, k);
    return t->width + t->height;
}

static void print_table(const request *r, const hs_columns *plan, const cli_hosts *hosts)
{
    double side = r->blocks > 0 ? (double)r->blocks : 1;
    int c = -1, named = -1, count = hs_columns_count(plan), wide = cli_host_width(hosts->names, 6);
    cli_rows rows = cli_choose_rows(count, CLI_ROWS, r->all, half_perimeter, plan);
    const printed context = {hosts->names, plan};
    print_summary(r, plan, hosts->count);
    if (hosts->platform)
        cli_print_speeds_by_size(hosts->platform, r->data);
    printf("\n%s  %*s  %12s  %12s  %12s  %12s  %12s  %8s\n", hs_columns_columns(plan) ? "column" : "", wide, "host",
           "speed", "x", "y", "width", "height", "area");
    for (int k = 0; k < count; k++) {
        const hs_rectangle *t = hs_columns_rectangle(plan, k);
        if (hs_columns_columns(plan) > c + 1 && k == hs_columns_first(plan, c + 1))
            c++;
        if (!cli_shows_row(&rows, k))
            continue;
        if (c > named)
            printf("%6d", named = c);
        else
            printf("%*s", hs_columns_columns(plan) ? 6 : 0, "");
        cli_print_host(hosts->names, t->host, wide + 2);
        printf("  %12.6g  %12.6g  %12.6g  %12.6g  %12.6g  %7.3f%%\n", hosts->speed[t->host], t->x, t->y, t->width,
               t->height, 100 * t->width * t->height / (side * side));
    }
    cli_print_rest(&rows, "rectangles that receive no more");
    cli_print_left_out(hosts->count, count, host_with_area, r->all, print_host, &context);
}

static hs_status draw(const request *r, const hs_columns *plan, const json_t *names, hs_error *error)
{
    hs__file *file = NULL;
    hs_status status = hs__file_create(r->svg, &file, error);
    if (status != HS_OK)
        return status;
    FILE *out = hs__file_stream(file);
    double side = r->blocks > 0 ? (double)r->blocks : 1;
    cli_panel panel = {24, 76, 640, 640, side, side, names};
    char text[160];
    snprintf(text, sizeof text, "%d rectangle%s, half perimeters: sum %.6g, largest %.6g", hs_columns_count(plan),
             hs__plural(hs_columns_count(plan)), hs_columns_half_perimeter_sum(plan),
             hs_columns_half_perimeter_max(plan));
    cli_tiles_begin(out, 688, 740, text);
    for (int k = 0; k < hs_columns_count(plan); k++) {
        const hs_rectangle *t = hs_columns_rectangle(plan, k);
        if (r->blocks > 0)
            snprintf(text, sizeof text, "%.0f x %.0f", t->width, t->height);
        else
            snprintf(text, sizeof text, "%.3g%%", 100 * t->width * t->height);
        cli_tiles_draw(out, &panel, t, text);
    }
    if (r->blocks > 0)
        snprintf(text, sizeof text, "%lld x %lld blocks; each rectangle: host, blocks", (long long)r->blocks,
                 (long long)r->blocks);
    else
        snprintf(text, sizeof text, "the unit square; each rectangle: host, share of the area");
    cli_tiles_frame(out, &panel, text);
    cli_tiles_end(out);
    return hs__file_commit(file, error);
}

/* Gives each host the speed it has with the slice that takes as long as the others'. */
static hs_status take_speeds_by_size(const request *r, cli_hosts *hosts, hs_error *error)
{
    hs__by_size sizes;
    hs_status status = hs__by_size_init(&sizes, hosts->platform, r->data, r->data, error);
    if (status != HS_OK)
        return status;
    memcpy(hosts->speed, sizes.speed, (size_t)hosts->count * sizeof *hosts->speed);
    hs__by_size_free(&sizes);
    return HS_OK;
}

enum { ROUNDS = 16 }; /* plans tried until whole blocks keep to all largest slices */

/* By what part the bytes of a rectangle are above its host's largest slice: 1 when they are not. */
static double excess(const request *r, const hs_rectangle *t, const hs_platform *platform)
{
    const double rounding = 1e-9;
    double side = r->blocks > 0 ? (double)r->blocks : 1, size = t->width * t->height / (side * side) * r->data;
    double most = platform ? hs_platform_host_speed_function(platform, t->host)->max_size : INFINITY;
    return size > most * (1 + rounding) ? size / most : 1;
}

/* Whole blocks may round an area up beyond the largest slice of its host: slows such hosts down. */
static int slow_down(const request *r, const hs_columns *plan, const hs_platform *platform, double *speed)
{
    int slowed = 0;
    for (int k = 0; k < hs_columns_count(plan); k++) {
        const hs_rectangle *t = hs_columns_rectangle(plan, k);
        double above = excess(r, t, platform);
        speed[t->host] /= above;
        slowed |= above > 1;
    }
    return slowed;
}

static hs_status find_plan(const request *r, const cli_hosts *hosts, hs_columns **plan)
{
    hs_columns_params params = {.objective = (hs_columns_objective)r->objective,
                                .method = (hs_columns_method)r->method,
                                .blocks = r->blocks,
                                .tolerance = r->tolerance};
    double *speed = hs__array_new((size_t)hosts->count, sizeof *speed);
    if (!speed)
        return HS_ERR_NOMEM;
    memcpy(speed, hosts->speed, (size_t)hosts->count * sizeof *speed);
    hs_status status = hs_columns_create(speed, hosts->count, &params, plan);
    for (int round = 1; round < ROUNDS && status == HS_OK && slow_down(r, *plan, hosts->platform, speed); round++) {
        hs_columns_free(*plan);
        *plan = NULL;
        status = hs_columns_create(speed, hosts->count, &params, plan);
    }
    free(speed);
    return status;
}

static hs_status check_limits(const request *r, const hs_columns *plan, const hs_platform *platform, hs_error *error)
{
    for (int k = 0; k < hs_columns_count(plan); k++) {
        const hs_rectangle *t = hs_columns_rectangle(plan, k);
        double above = excess(r, t, platform);
        if (above > 1)
            return hs_error_set(error, HS_ERR_INFEASIBLE, 0,
                                "whole blocks give host '%s' %.3g times its largest slice: try more blocks",
                                hs_platform_node_id(platform, t->host), above);
    }
    return HS_OK;
}

static int plan_and_print(const cli_verb *verb, const request *r, const cli_hosts *hosts)
{
    hs_columns *plan = NULL;
    hs_error error;
    hs_status status = find_plan(r, hosts, &plan);
    if (status != HS_OK) {
        hs_error_set(&error, status, 0, "%s",
                     status == HS_ERR_INFEASIBLE ? "all speeds are 0" : hs_status_text(status));
        return cli_fail(verb, r->platform ? r->platform : r->file, &error);
    }
    int code = CLI_OK;
    if (check_limits(r, plan, hosts->platform, &error) != HS_OK)
        code = cli_fail(verb, r->platform, &error);
    else if (r->svg && draw(r, plan, hosts->names, &error) != HS_OK)
        code = cli_fail(verb, NULL, &error);
    else if (r->json)
        code = print_json(verb, r, plan, hosts);
    else if (!cli_is_standard(r->svg))
        print_table(r, plan, hosts);
    hs_columns_free(plan);
    return code;
}

int cli_columns(const cli_verb *verb, int argc, char **argv)
{
    request r = {0};
    int data_given = 0, tolerance_given = 0;
    const cli_option options[] = {
        {.name = "--speeds", .kind = CLI_TEXT, .target = &r.speeds},
        {.name = "--speeds-file", .kind = CLI_TEXT, .target = &r.file},
        {.name = "--data", .kind = CLI_QUANTITY, .target = &r.data, .unit = HS_UNIT_SIZE, .given = &data_given},
        {.name = "--objective", .kind = CLI_CHOICE, .target = &r.objective, .choices = objective_names},
        {.name = "--method", .kind = CLI_CHOICE, .target = &r.method, .choices = method_names},
        {.name = "--blocks", .kind = CLI_INTEGER, .target = &r.blocks, .at_least = 1, .at_most = HS_COLUMNS_MAX_BLOCKS},
        {.name = "--tolerance",
         .kind = CLI_QUANTITY,
         .target = &r.tolerance,
         .unit = HS_UNIT_NUMBER,
         .given = &tolerance_given},
        {.name = "--svg", .kind = CLI_OUTPUT, .target = &r.svg},
        {.name = "--all", .kind = CLI_FLAG, .target = &r.all, .excludes = "--json"},
        {.name = "--json", .kind = CLI_FLAG, .target = &r.json},
        {.name = NULL},
    };
    int code = cli_parse(verb, argc, argv, options, &r.platform, 1, NULL);
    if (code != CLI_OK)
        return code;
    if ((code = cli_check_drawing(verb, "--svg", r.svg, r.json)) != CLI_OK ||
        (code = cli_check_hosts(verb, r.platform, r.speeds, r.file)) != CLI_OK)
        return code;
    if (tolerance_given && r.blocks == 0)
        return cli_usage(verb, "--tolerance requires --blocks");
    if (data_given && !r.platform)
        return cli_usage(verb, "--data requires a platform file");
    if (data_given && !(r.data > 0))
        return cli_bad_value(verb, "--data requires a size above 0");
    cli_hosts hosts = {0};
    hs_error error;
    code = cli_read_hosts(verb, r.platform, r.speeds, r.file, &hosts);
    if (code == CLI_OK && r.data > 0 && take_speeds_by_size(&r, &hosts, &error) != HS_OK)
        code = cli_fail(verb, r.platform, &error);
    if (code == CLI_OK)
        code = plan_and_print(verb, &r, &hosts);
    cli_hosts_free(&hosts);
    return code;
}
