/* SPDX-License-Identifier: BSD-3-Clause */
/* hs ring: plan a ring on a platform, by the contract of hs-ring(1). */
#include "cli/base/bounds.h"
#include "cli/base/cli.h"
#include "cli/base/hosts.h"
#include "cli/base/progress.h"
#include "cli/base/verbs.h"
#include "cli/plan/ring_held.h"
#include "cli/plan/ring_print.h"
#include "util/array.h"
#include <heteroslice/hs_ring.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const routes_names[] = {"fixed", "free", NULL};
static const char *const share_names[] = {"greedy", "maxmin", "optimal", "kinsol", NULL};
static const char *const search_names[] = {"paper", "best", NULL};

enum { MAX_STEPS = 1000000 }; /* to simulate: what the first steps differ by is then about a millionth of the mean */

typedef struct ring_options {
    const char *path, *order;
    const char *held; /* plan whose units are held; NULL: none */
    int64_t moved;    /* units that move from there */
    hs_ring_params params;
    int64_t steps; /* steps to simulate; 0: none */
    int routes, share, search, overlap, latency, all, as_json;
} ring_options;

/* A number for JSON: null when it is not finite. */
static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

/* With data each member's bytes are told, too. */
static json_t *members_json(const hs_platform *platform, const hs_ring *ring, double data)
{
    json_t *members = json_array();
    for (int k = 0; k < hs_ring_size(ring); k++) {
        json_t *member =
            json_pack("{s:s, s:f, s:I, s:f, s:f}", "host", hs_platform_node_id(platform, hs_ring_host(ring, k)),
                      "share", hs_ring_share_of(ring, k), "units", (json_int_t)hs_ring_units(ring, k), "compute_time",
                      hs_ring_compute_time(ring, k), "comm_time", hs_ring_comm_time(ring, k));
        if (data > 0)
            json_object_set_new(member, "size", json_real(hs_ring_share_of(ring, k) * data));
        json_array_append_new(members, member);
    }
    return members;
}

static json_t *paths_json(const hs_platform *platform, const hs_ring *ring)
{
    json_t *paths = json_array();
    for (int f = 0; f < hs_ring_paths(ring); f++) {
        const hs_ring_path *path = hs_ring_path_at(ring, f);
        json_t *links = json_array();
        for (size_t m = 0; m < path->count; m++)
            json_array_append_new(links, json_string(hs_platform_link_id(platform, path->links[m])));
        json_array_append_new(paths,
                              json_pack("{s:s, s:s, s:o, s:o}", "from", hs_platform_node_id(platform, path->from), "to",
                                        hs_platform_node_id(platform, path->to), "links", links, "bandwidth",
                                        number(path->bandwidth)));
    }
    return paths;
}

static json_t *plan_json(const hs_platform *platform, const hs_ring *ring, const hs_ring_params *params)
{
    json_t *by_size = json_array();
    for (int q = 1; q <= hs_platform_hosts(platform); q++)
        if (isfinite(hs_ring_by_size(ring, q)))
            json_array_append_new(by_size, json_pack("{s:i, s:f}", "hosts", q, "step_time", hs_ring_by_size(ring, q)));
    return json_pack("{s:f, s:f, s:f, s:f, s:o, s:o, s:o}", "step_time", hs_ring_step_time(ring), "work", params->work,
                     "halo", params->halo, "lower_bound", hs_ring_lower_bound(ring), "ring",
                     members_json(platform, ring, params->data), "paths", paths_json(platform, ring), "by_size",
                     by_size);
}

static void print_plan(const hs_platform *platform, const hs_ring *ring, const ring_options *options, double simulated,
                       const hs__bounds *bounds)
{
    char time[32], bound[32];
    hs_quantity_format(hs_ring_step_time(ring), HS_UNIT_TIME, time, sizeof time);
    hs_quantity_format(hs_ring_lower_bound(ring), HS_UNIT_TIME, bound, sizeof bound);
    printf("step time %s, no ring is faster than %s; %d of %d hosts; %s routes, %s bandwidths\n", time, bound,
           hs_ring_size(ring), hs_platform_hosts(platform), routes_names[options->routes], share_names[options->share]);
    cli_print_speeds_by_size(platform, options->params.data);
    if (options->steps > 0) {
        hs_quantity_format(simulated, HS_UNIT_TIME, time, sizeof time);
        printf("simulated: %s per step over %lld steps, with links shared by concurrent messages\n", time,
               (long long)options->steps);
    }
    if (options->held)
        printf("held: %lld of %lld units change hosts\n", (long long)options->moved, (long long)options->params.units);
    cli_ring_print(platform, ring, bounds, options->params.units > 0, options->all);
}

/* Reads "a,b,c" into host indices. On CLI_OK *order is a new array the caller frees. */
static int parse_order(const cli_verb *verb, const hs_platform *platform, const char *text, int **order, int *n)
{
    hs__words ids = {0};
    if (cli_split_list(verb, text, &ids) != CLI_OK)
        return CLI_BAD_INPUT;
    int *list = hs__array_new(ids.count, sizeof *list);
    int code = list ? CLI_OK : cli_bad_value(verb, "out of memory");
    for (size_t k = 0; k < ids.count && code == CLI_OK; k++) {
        list[k] = hs_platform_find_node(platform, ids.item[k]);
        if (list[k] < 0 || list[k] >= hs_platform_hosts(platform))
            code = cli_bad_value(verb, "--order: the platform has no host '%s'", ids.item[k]);
    }
    if (code == CLI_OK) {
        *order = list;
        *n = (int)ids.count;
    } else {
        free(list);
    }
    hs__words_free(&ids);
    return code;
}

static int plan(const cli_verb *verb, const hs_platform *platform, ring_options *options, hs_ring **ring)
{
    hs_error error = {0};
    int *order = NULL, n = 0, code = CLI_OK;
    hs_status status;
    if (options->order) {
        code = parse_order(verb, platform, options->order, &order, &n);
        if (code != CLI_OK)
            return code;
        status = hs_ring_create_given(platform, &options->params, order, n, ring, &error);
        free(order);
    } else {
        status = hs_ring_create(platform, &options->params, ring, &error);
    }
    if (status != HS_OK)
        return cli_fail(verb, options->path, &error);
    if (options->held &&
        cli_ring_turn_to_held(options->held, platform, *ring, options->params.units, &options->moved, &error) != HS_OK)
        return cli_fail(verb, options->held, &error);
    return CLI_OK;
}

/* Prints the plan, simulated when asked to. */
static int report(const cli_verb *verb, const hs_platform *platform, const hs_ring *ring, const ring_options *options)
{
    double simulated = 0;
    hs__bounds bounds;
    if ((options->steps > 0 &&
         hs_ring_simulate(platform, &options->params, ring, options->steps, &simulated) != HS_OK) ||
        hs__bounds_begin(platform, &bounds) != HS_OK)
        return cli_bad_value(verb, "out of memory");
    for (int f = 0; f < hs_ring_paths(ring); f++)
        hs__bounds_add(&bounds, hs_ring_path_at(ring, f)->links, hs_ring_path_at(ring, f)->count);
    cli_progress_end();
    int code = CLI_OK;
    if (options->as_json) {
        json_t *plan = plan_json(platform, ring, &options->params);
        if (plan && options->params.data > 0)
            json_object_set_new(plan, "data", json_real(options->params.data));
        if (plan && options->steps > 0)
            json_object_set_new(plan, "simulated_time", json_real(simulated));
        if (plan && options->held)
            json_object_set_new(plan, "moved_units", json_integer((json_int_t)options->moved));
        cli_name_bounds(plan, &bounds);
        code = cli_print_json(verb, plan);
    } else {
        print_plan(platform, ring, options, simulated, &bounds);
    }
    hs__bounds_end(&bounds);
    return code;
}

static int parse(const cli_verb *verb, int argc, char **argv, ring_options *o)
{
    hs_ring_params *p = &o->params;
    int work_given = 0, halo_given = 0, data_given = 0, minimum_given = 0;
    const cli_option options[] = {
        {.name = "--work", .kind = CLI_QUANTITY, .target = &p->work, .unit = HS_UNIT_WORK, .given = &work_given},
        {.name = "--halo", .kind = CLI_QUANTITY, .target = &p->halo, .unit = HS_UNIT_SIZE, .given = &halo_given},
        {.name = "--data", .kind = CLI_QUANTITY, .target = &p->data, .unit = HS_UNIT_SIZE, .given = &data_given},
        {.name = "--routes", .kind = CLI_CHOICE, .target = &o->routes, .choices = routes_names},
        {.name = "--share", .kind = CLI_CHOICE, .target = &o->share, .choices = share_names},
        {.name = "--search", .kind = CLI_CHOICE, .target = &o->search, .choices = search_names},
        {.name = "--order", .kind = CLI_TEXT, .target = &o->order},
        {.name = "--overlap", .kind = CLI_FLAG, .target = &o->overlap},
        {.name = "--latency", .kind = CLI_FLAG, .target = &o->latency},
        {.name = "--units", .kind = CLI_INTEGER, .target = &p->units, .at_least = 1},
        {.name = "--minimum", .kind = CLI_INTEGER, .target = &p->minimum, .at_least = 1, .given = &minimum_given},
        {.name = "--held", .kind = CLI_TEXT, .target = &o->held},
        {.name = "--budget", .kind = CLI_INTEGER, .target = &p->budget, .at_least = 1},
        {.name = "--simulate", .kind = CLI_INTEGER, .target = &o->steps, .at_least = 1, .at_most = MAX_STEPS},
        {.name = "--all", .kind = CLI_FLAG, .target = &o->all, .excludes = "--json"},
        {.name = "--json", .kind = CLI_FLAG, .target = &o->as_json},
        {.name = NULL}};
    hs_ring_params_init(p);
    o->routes = p->routes;
    o->share = p->share;
    o->search = p->search;
    int code = cli_parse(verb, argc, argv, options, &o->path, 1, NULL);
    if (code != CLI_OK)
        return code;
    if (!o->path)
        return cli_usage(verb, "no platform file given");
    if (!work_given || !halo_given)
        return cli_usage(verb, "%s is missing", work_given ? "--halo" : "--work");
    if (data_given && !(p->data > 0 && p->work > 0))
        return cli_bad_value(verb, "--data requires a size and a work above 0");
    if ((o->held || minimum_given) && p->units == 0)
        return cli_usage(verb, "%s requires --units", o->held ? "--held" : "--minimum");
    if (o->order && o->share == HS_RING_SHARE_GREEDY)
        o->share = HS_RING_SHARE_MAXMIN; /* as hs_ring_create_given() has it, and the table says */
    p->routes = (hs_ring_routes)o->routes;
    p->share = (hs_ring_share)o->share;
    p->search = (hs_ring_search)o->search;
    p->model = o->overlap ? HS_STEP_OVERLAP : HS_STEP_SERIAL;
    p->latency = o->latency ? HS_RING_LATENCY_ADDED : HS_RING_LATENCY_IGNORED;
    return CLI_OK;
}

int cli_ring(const cli_verb *verb, int argc, char **argv)
{
    ring_options options = {0};
    hs_platform *platform = NULL;
    hs_ring *ring = NULL;
    hs_error error;
    int code = parse(verb, argc, argv, &options);
    if (code != CLI_OK)
        return code;
    cli_progress_begin(verb, "searching");
    if (cli_read_platform(options.path, &platform, &error) != HS_OK)
        return cli_fail(verb, options.path, &error);
    code = plan(verb, platform, &options, &ring);
    if (code == CLI_OK)
        code = report(verb, platform, ring, &options);
    hs_ring_free(ring);
    hs_platform_free(platform);
    return code;
}
