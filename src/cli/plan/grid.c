/* SPDX-License-Identifier: BSD-3-Clause */
/* hs grid: hosts of unequal speed on an R x C grid, by the contract of hs-grid(1). */
#include "cli/base/hosts.h"
#include "cli/base/rows.h"
#include "cli/base/tiles.h"
#include "cli/base/verbs.h"
#include "util/assert.h"
#include "util/file.h"
#include "util/plural.h"
#include <ctype.h>
#include <errno.h>
#include <heteroslice/hs_grid.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct request {
    const char *platform, *speeds, *file, *shape, *svg;
    int rows, columns, all, json;
    int64_t blocks;
} request;

/* Parse "RxC", both at least 1. @return 0; -1 when it is anything else */
static int read_shape(request *r)
{
    char *end;
    if (!isdigit((unsigned char)r->shape[0]))
        return -1;
    errno = 0;
    long rows = strtol(r->shape, &end, 10);
    if ((*end != 'x' && *end != 'X') || !isdigit((unsigned char)end[1]))
        return -1;
    long columns = strtol(end + 1, &end, 10);
    if (*end || errno || rows < 1 || columns < 1 || rows > HS_GRID_MAX_HOSTS || columns > HS_GRID_MAX_HOSTS / rows)
        return -1;
    r->rows = (int)rows;
    r->columns = (int)columns;
    return 0;
}

static json_t *sizes_json(const request *r, const hs_grid *grid, int n, double (*size)(const hs_grid *, int))
{
    json_t *list = json_array();
    for (int k = 0; k < n; k++)
        json_array_append_new(list, r->blocks ? json_integer((json_int_t)size(grid, k)) : json_real(size(grid, k)));
    return list;
}

static int print_json(const cli_verb *verb, const request *r, const hs_grid *grid, const cli_hosts *hosts)
{
    json_t *assignment = json_array(), *object = json_object();
    for (int i = 0; i < r->rows; i++) {
        json_t *row = json_array();
        for (int j = 0; j < r->columns; j++)
            json_array_append_new(row, json_integer(hs_grid_host(grid, i, j)));
        json_array_append_new(assignment, row);
    }
    json_object_set_new(object, "value", json_real(hs_grid_value(grid)));
    json_object_set_new(object, "rows", sizes_json(r, grid, r->rows, hs_grid_row));
    json_object_set_new(object, "columns", sizes_json(r, grid, r->columns, hs_grid_column));
    json_object_set_new(object, "assignment", assignment);
    json_object_set_new(object, "optimal", json_boolean(hs_grid_is_optimal(grid)));
    cli_name_hosts(object, hosts->names);
    return cli_print_json(verb, object);
}

/* Fraction of time in which a host computes while the slowest host is always busy. */
static double busy_part(const request *r, const hs_grid *grid, const double *speed, int i, int j)
{
    double area = hs_grid_row(grid, i) * hs_grid_column(grid, j), done = (double)r->blocks * (double)r->blocks;
    double rate = r->blocks ? area * hs_grid_value(grid) / done : area;
    double busy = area > 0 ? rate / speed[hs_grid_host(grid, i, j)] : 0;
    HS_ASSERT(busy >= 0 && busy <= 1 + 1e-6);
    return busy;
}

/* Every height and width, and the host at each place. */
static void print_places(const request *r, const hs_grid *grid, const cli_hosts *hosts)
{
    int wide = cli_host_width(hosts->names, 10);
    printf("%12s", "");
    for (int j = 0; j < r->columns; j++)
        printf("  %*.6g", wide, hs_grid_column(grid, j));
    putchar('\n');
    for (int i = 0; i < r->rows; i++) {
        printf("%12.6g", hs_grid_row(grid, i));
        for (int j = 0; j < r->columns; j++)
            cli_print_host(hosts->names, hs_grid_host(grid, i, j), wide + 2);
        putchar('\n');
    }
}

/** A grid that is printed, with the hosts on it. */
typedef struct printed {
    const request *r;
    const hs_grid *grid;
    const cli_hosts *hosts;
} printed;

/* The part of time in which the host at place k, row by row, has nothing to do. */
static double idle_part(const void *context, int k)
{
    const printed *p = context;
    return 1 - busy_part(p->r, p->grid, p->hosts->speed, k / p->r->columns, k % p->r->columns);
}

static void print_sizes(const char *what, const char *size_name, const hs_grid *grid, int n,
                        double (*size)(const hs_grid *, int))
{
    double least = size(grid, 0), most = least;
    for (int k = 1; k < n; k++) {
        least = fmin(least, size(grid, k));
        most = fmax(most, size(grid, k));
    }
    printf("%d %s%s with %s of %.6g to %.6g\n", n, what, hs__plural(n), size_name, least, most);
}

/* A large grid: the range of sizes, and the hosts that wait longest. */
static void print_idlest(const request *r, const hs_grid *grid, const cli_hosts *hosts)
{
    int wide = cli_host_width(hosts->names, 10), n = r->rows * r->columns;
    printed p = {r, grid, hosts};
    cli_rows rows = cli_choose_rows(n, CLI_ROWS, 0, idle_part, &p);
    print_sizes("row", "heights", grid, r->rows, hs_grid_row);
    print_sizes("column", "widths", grid, r->columns, hs_grid_column);
    printf("\n%*s  %6s  %6s  %12s  %8s\n", wide, "host", "row", "column", "speed", "busy");
    for (int k = 0; k < n; k++) {
        int host = hs_grid_host(grid, k / r->columns, k % r->columns);
        if (!cli_shows_row(&rows, k))
            continue;
        cli_print_host(hosts->names, host, wide);
        printf("  %6d  %6d  %12.6g  %7.3f%%\n", k / r->columns, k % r->columns, hosts->speed[host],
               100 * (1 - idle_part(&p, k)));
    }
    cli_print_rest(&rows, "hosts that wait no longer");
}

static void print_table(const request *r, const hs_grid *grid, const cli_hosts *hosts)
{
    double sum = 0;
    int n = r->rows * r->columns;
    for (int k = 0; k < n; k++)
        sum += hosts->speed[k];
    HS_ASSERT(hs_grid_value(grid) <= sum * (1 + 1e-9));
    printf("%d x %d grid%s: value %.6g of %.6g, %.2f %% of the hosts' speed\n\n", r->rows, r->columns,
           hs_grid_is_optimal(grid) ? " (optimal)" : "", hs_grid_value(grid), sum, 100 * hs_grid_value(grid) / sum);
    if (r->all || n <= CLI_ROWS)
        print_places(r, grid, hosts);
    else
        print_idlest(r, grid, hosts);
}

static hs_status draw(const request *r, const hs_grid *grid, const cli_hosts *hosts, hs_error *error)
{
    hs__file *file = NULL;
    hs_status status = hs__file_create(r->svg, &file, error);
    if (status != HS_OK)
        return status;
    FILE *out = hs__file_stream(file);
    double wide = 0, high = 0, y = 0;
    char text[160];
    for (int j = 0; j < r->columns; j++)
        wide += hs_grid_column(grid, j);
    for (int i = 0; i < r->rows; i++)
        high += hs_grid_row(grid, i);
    cli_panel panel = {24, 76, 640, 640, wide, high, hosts->names};
    snprintf(text, sizeof text, "%d x %d grid of value %.6g", r->rows, r->columns, hs_grid_value(grid));
    cli_tiles_begin(out, 688, 740, text);
    for (int i = 0; i < r->rows; i++) {
        double x = 0;
        for (int j = 0; j < r->columns; j++) {
            hs_rectangle t = {hs_grid_host(grid, i, j), x, y, hs_grid_column(grid, j), hs_grid_row(grid, i)};
            snprintf(text, sizeof text, "%.1f%% busy", 100 * busy_part(r, grid, hosts->speed, i, j));
            cli_tiles_draw(out, &panel, &t, text);
            x += t.width;
        }
        y += hs_grid_row(grid, i);
    }
    cli_tiles_frame(out, &panel, "each rectangle: host, busy fraction of the slowest host's time");
    cli_tiles_end(out);
    return hs__file_commit(file, error);
}

static int plan_and_print(const cli_verb *verb, const request *r, const cli_hosts *hosts)
{
    hs_grid *grid = NULL;
    hs_error error;
    const char *file = r->platform ? r->platform : r->file;
    if (hosts->count != r->rows * r->columns) {
        hs_error_set(&error, HS_ERR_ARG, 0, "%d %s given, expected %d for a %d x %d grid", hosts->count,
                     r->platform ? "hosts" : "speeds", r->rows * r->columns, r->rows, r->columns);
        return cli_fail(verb, file, &error);
    }
    hs_status status = hs_grid_create(hosts->speed, r->rows, r->columns, r->blocks, &grid);
    if (status != HS_OK) {
        hs_error_set(&error, status, 0, "%s",
                     status == HS_ERR_INFEASIBLE ? "all speeds are 0" : hs_status_text(status));
        return cli_fail(verb, file, &error);
    }
    int code = CLI_OK;
    if (r->svg && draw(r, grid, hosts, &error) != HS_OK)
        code = cli_fail(verb, NULL, &error);
    else if (r->json)
        code = print_json(verb, r, grid, hosts);
    else if (!cli_is_standard(r->svg))
        print_table(r, grid, hosts);
    hs_grid_free(grid);
    return code;
}

int cli_grid(const cli_verb *verb, int argc, char **argv)
{
    request r = {0};
    const cli_option options[] = {
        {.name = "--speeds", .kind = CLI_TEXT, .target = &r.speeds},
        {.name = "--speeds-file", .kind = CLI_TEXT, .target = &r.file},
        {.name = "--shape", .kind = CLI_TEXT, .target = &r.shape},
        {.name = "--blocks", .kind = CLI_INTEGER, .target = &r.blocks, .at_least = 1, .at_most = HS_GRID_MAX_BLOCKS},
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
    if (!r.shape)
        return cli_usage(verb, "--shape is missing");
    if (read_shape(&r) != 0)
        return cli_bad_value(verb, "--shape takes ROWSxCOLUMNS, at most %d hosts, not '%s'", HS_GRID_MAX_HOSTS,
                             r.shape);
    cli_hosts hosts = {0};
    code = cli_read_hosts(verb, r.platform, r.speeds, r.file, &hosts);
    if (code == CLI_OK)
        code = plan_and_print(verb, &r, &hosts);
    cli_hosts_free(&hosts);
    return code;
}
