/* SPDX-License-Identifier: BSD-3-Clause */
/* hs rebalance: new sizes for a column layout with the fewest blocks moved, by the contract of hs-rebalance(1). */
#include "cli/plan/rebalance.h"
#include "cli/base/hosts.h"
#include "cli/base/rows.h"
#include "cli/base/speeds.h"
#include "cli/base/verbs.h"
#include "util/plural.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const method_names[] = {"exact", "greedy", "slides", NULL};
static const char *const model_names[] = {"constant", "owners", NULL};

typedef struct request {
    const char *path, *speeds, *file, *svg;
    int method, model, all, json, row_cost_given;
    double row_cost, tolerance;
} request;

char *cli_operation_text(const hs_rebalance_operation *op, char *text, size_t size)
{
    long long from = op->from, to = op->to, count = op->count;
    if (op->kind == HS_REBALANCE_COLUMN)
        snprintf(text, size, "%lld matrix column%s from column %lld to column %lld", count, hs__plural(count), from,
                 to);
    else if (op->kind == HS_REBALANCE_SLIDE)
        snprintf(text, size, "column %lld: border %d slides %lld row%s %s", from, op->border, llabs(count),
                 hs__plural(llabs(count)), count > 0 ? "down" : "up");
    else if (count == 1)
        snprintf(text, size, "row %lld moves %s row %lld", from, to > from ? "below" : "above", to);
    else
        snprintf(text, size, "rows %lld to %lld move %s row %lld", from, from + count - 1,
                 to > from ? "below" : "above", to);
    return text;
}

static json_t *operation_json(const hs_rebalance_operation *op)
{
    json_int_t from = op->from, to = op->to, count = op->count;
    if (op->kind == HS_REBALANCE_SLIDE)
        return json_pack("{s:s, s:I, s:i, s:I}", "op", "slide", "column", from, "border", op->border, "rows", count);
    return json_pack("{s:s, s:I, s:I, s:I}", "op", op->kind == HS_REBALANCE_COLUMN ? "column" : "row", "from", from,
                     "to", to, "count", count);
}

static json_t *layout_json(const hs_column_layout *l, json_t *names)
{
    json_t *columns = json_array();
    for (int c = 0; c < l->columns; c++) {
        json_t *rectangles = json_array();
        for (int k = l->first[c]; k < l->first[c + 1]; k++)
            json_array_append_new(rectangles,
                                  json_pack("{s:i, s:I}", "host", l->host[k], "height", (json_int_t)l->height[k]));
        json_array_append_new(columns,
                              json_pack("{s:I, s:o}", "width", (json_int_t)l->width[c], "rectangles", rectangles));
    }
    return json_pack("{s:o, s:O*}", "columns", columns, "hosts", names);
}

/* A cost, as an integer number of blocks where it is one (--row-cost may be a fraction). */
static json_t *cost_json(double cost)
{
    return cost == floor(cost) && cost < 0x1p53 ? json_integer((json_int_t)cost) : json_real(cost);
}

static int print_json(const cli_verb *verb, const hs_rebalance *plan, json_t *names)
{
    hs_column_layout after;
    json_t *operations = json_array(), *object = json_object();
    hs_rebalance_layout(plan, &after);
    for (int k = 0; k < hs_rebalance_operations(plan); k++)
        json_array_append_new(operations, operation_json(hs_rebalance_operation_at(plan, k)));
    json_object_set_new(object, "operations", operations);
    json_object_set_new(object, "cost", cost_json(hs_rebalance_cost(plan)));
    json_object_set_new(object, "cost_slides_only", cost_json(hs_rebalance_cost_slides_only(plan)));
    json_object_set_new(object, "blocks_moved", json_integer(hs_rebalance_blocks_moved(plan)));
    json_object_set_new(object, "layout", layout_json(&after, names));
    return cli_print_json(verb, object);
}

/* Operations are carried out in their order: of many, the first ones are printed. */
static double no_value(const void *plan, int k)
{
    return 0;
}

/** A layout before and after. */
typedef struct layouts {
    const hs_column_layout *before, *after;
} layouts;

static double height_change(const void *context, int k)
{
    const layouts *l = context;
    return fabs((double)l->after->height[k] - (double)l->before->height[k]);
}

static void print_layouts(const hs_column_layout *before, const hs_column_layout *after, const json_t *names, int all)
{
    int wide = cli_host_width(names, 4);
    layouts both = {before, after};
    cli_rows rows = cli_choose_rows(after->first[after->columns], CLI_ROWS, all, height_change, &both);
    printf("\ncolumn       width -> after    %*s      height -> after\n", wide, "host");
    for (int c = 0; c < after->columns; c++)
        for (int k = after->first[c], named = 0; k < after->first[c + 1]; k++) {
            if (!cli_shows_row(&rows, k))
                continue;
            if (!named++)
                printf("%6d  %10lld -> %-10lld", c, (long long)before->width[c], (long long)after->width[c]);
            else
                printf("%6s  %24s", "", "");
            cli_print_host(names, after->host[k], wide + 2);
            printf("  %10lld -> %lld\n", (long long)before->height[k], (long long)after->height[k]);
        }
    cli_print_rest(&rows, "rectangles whose heights change no more");
}

static void print_table(const hs_column_layout *before, const hs_rebalance *plan, const json_t *names, int all)
{
    char text[128];
    int operations = hs_rebalance_operations(plan);
    hs_column_layout after;
    hs_rebalance_layout(plan, &after);
    printf("%d operation%s, cost %.10g blocks (slides only: %.10g); %lld blocks change their owner\n", operations,
           hs__plural(operations), hs_rebalance_cost(plan), hs_rebalance_cost_slides_only(plan),
           (long long)hs_rebalance_blocks_moved(plan));
    cli_rows rows = cli_choose_rows(operations, CLI_ROWS, all, no_value, plan);
    for (int k = 0; k < operations; k++)
        if (cli_shows_row(&rows, k))
            printf("%4d  %s\n", k + 1, cli_operation_text(hs_rebalance_operation_at(plan, k), text, sizeof text));
    cli_print_rest(&rows, "operations after these");
    print_layouts(before, &after, names, all);
}

/* Make the plan. Planning by speeds also sets layout->delta, the rows each rectangle receives. */
static hs_status make_plan(const request *r, cli_layout *layout, const double *speed, int hosts, hs_rebalance **plan,
                           hs_error *error)
{
    hs_rebalance_params params;
    hs_rebalance_params_init(&params);
    params.method = (hs_rebalance_method)r->method;
    params.model = (hs_rebalance_model)r->model;
    params.tolerance = r->tolerance;
    if (r->row_cost_given)
        params.row_cost = r->row_cost;
    hs_column_layout before = cli_layout_view(layout), after;
    if (!speed)
        return hs_rebalance_create(&before, layout->delta, &params, plan, error);
    hs_status status = hs_rebalance_create_speeds(&before, speed, hosts, &params, plan, error);
    if (status != HS_OK)
        return status;
    hs_rebalance_layout(*plan, &after);
    for (int k = 0; k < before.first[before.columns]; k++)
        layout->delta[k] = after.height[k] - before.height[k];
    return HS_OK;
}

static int plan_and_print(const cli_verb *verb, const request *r, cli_layout *layout, const double *speed, int hosts)
{
    hs_rebalance *plan = NULL;
    hs_error error = {0, ""};
    if (make_plan(r, layout, speed, hosts, &plan, &error) != HS_OK)
        return cli_fail(verb, r->path, &error);
    hs_column_layout before = cli_layout_view(layout);
    int code = CLI_OK;
    if (r->svg && cli_rebalance_draw(r->svg, layout, plan, &error) != HS_OK)
        code = cli_fail(verb, NULL, &error);
    else if (r->json)
        code = print_json(verb, plan, layout->names);
    else if (!cli_is_standard(r->svg))
        print_table(&before, plan, layout->names, r->all);
    hs_rebalance_free(plan);
    return code;
}

/* Either the file's deltas or the given speeds determine the new sizes, not both. */
static int check_source(const cli_verb *verb, const request *r, const cli_layout *layout)
{
    int speeds = r->speeds || r->file;
    if (speeds != layout->has_delta)
        return CLI_OK;
    return cli_bad_value(verb, "%s: rectangles have %s", r->path,
                         speeds ? "a \"delta\": speeds cannot be given too"
                                : "no \"delta\": expected --speeds or --speeds-file");
}

static int read_and_plan(const cli_verb *verb, const request *r)
{
    cli_layout layout = {0};
    hs_error error = {0, ""};
    double *speed = NULL;
    int hosts = 0;
    if (cli_layout_read(r->path, &layout, &error) != HS_OK)
        return cli_fail(verb, r->path, &error);
    int code = check_source(verb, r, &layout);
    if (code == CLI_OK && (r->speeds || r->file))
        code = cli_read_speeds(verb, r->speeds, r->file, &speed, &hosts);
    if (code == CLI_OK)
        code = plan_and_print(verb, r, &layout, speed, hosts);
    free(speed);
    cli_layout_free(&layout);
    return code;
}

int cli_rebalance(const cli_verb *verb, int argc, char **argv)
{
    request r = {0};
    int tolerance_given = 0;
    const cli_option options[] = {
        {.name = "--speeds", .kind = CLI_TEXT, .target = &r.speeds},
        {.name = "--speeds-file", .kind = CLI_TEXT, .target = &r.file},
        {.name = "--row-cost",
         .kind = CLI_QUANTITY,
         .target = &r.row_cost,
         .unit = HS_UNIT_WORK,
         .given = &r.row_cost_given},
        {.name = "--model", .kind = CLI_CHOICE, .target = &r.model, .choices = model_names},
        {.name = "--method", .kind = CLI_CHOICE, .target = &r.method, .choices = method_names},
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
    int code = cli_parse(verb, argc, argv, options, &r.path, 1, NULL);
    if (code != CLI_OK)
        return code;
    if (!r.path)
        return cli_usage(verb, "no layout file given");
    if ((code = cli_check_drawing(verb, "--svg", r.svg, r.json)) != CLI_OK)
        return code;
    if ((r.speeds || r.file) && (code = cli_check_speeds(verb, r.speeds, r.file)) != CLI_OK)
        return code;
    if (tolerance_given && !r.speeds && !r.file)
        return cli_usage(verb, "--tolerance requires speeds");
    if (r.row_cost_given && r.model == HS_REBALANCE_OWNERS)
        return cli_usage(verb, "--row-cost requires --model constant");
    return read_and_plan(verb, &r);
}
