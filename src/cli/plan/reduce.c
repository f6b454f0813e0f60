/* SPDX-License-Identifier: BSD-3-Clause */
/* hs reduce: the schedule of a reduction over hosts with unequal send times. */
#include "cli/plan/reduce.h"
#include "cli/base/bounds.h"
#include "cli/base/hosts.h"
#include "cli/base/progress.h"
#include "cli/base/rows.h"
#include "cli/base/transfer_times.h"
#include "cli/base/verbs.h"
#include "util/array.h"
#include "util/plural.h"
#include "util/status.h"
#include <stdio.h>
#include <stdlib.h>

static const char *const method_names[] = {"snf", "paper", "optimal", NULL};

typedef struct request {
    const char *platform, *times, *gantt;
    double bytes;
    int64_t budget;
    int method, all, json, bytes_given;
} request;

/* The hosts, typed or of a platform; owned. */
typedef struct reducers {
    size_t count;
    double *time;
    hs_platform *platform; /* NULL: they were typed */
    json_t *names;         /* of its hosts */
    hs__bounds bounds;     /* of the routes that the times are of */
} reducers;

static void reducers_free(reducers *hosts)
{
    free(hosts->time);
    hs__bounds_end(&hosts->bounds);
    json_decref(hosts->names);
    hs_platform_free(hosts->platform);
}

static json_t *schedule_json(const hs_reduction *plan)
{
    int count;
    const hs_transfer *m = hs_reduction_transfers(plan, &count);
    json_t *list = json_array();
    for (int k = 0; k < count; k++)
        json_array_append_new(list, json_pack("{s:i,s:i,s:f,s:f}", "from", m[k].from, "to", m[k].to, "start",
                                              m[k].start, "end", m[k].end));
    return list;
}

static int print_json(const cli_verb *verb, const hs_reduction *plan, const reducers *hosts)
{
    json_t *object = json_object();
    json_object_set_new(object, "makespan", json_real(hs_reduction_makespan(plan)));
    json_object_set_new(object, "root", json_integer(hs_reduction_root(plan)));
    json_object_set_new(object, "schedule", schedule_json(plan));
    json_object_set_new(object, "explored", json_integer(hs_reduction_explored(plan)));
    json_object_set_new(object, "lower_bound", json_real(hs_reduction_lower_bound(plan)));
    json_object_set_new(object, "optimal", json_boolean(hs_reduction_is_optimal(plan)));
    cli_name_hosts(object, hosts->names);
    cli_name_bounds(object, &hosts->bounds);
    return cli_print_json(verb, object);
}

static double transfer_end(const void *transfers, int k)
{
    return ((const hs_transfer *)transfers)[k].end;
}

static void print_table(const hs_reduction *plan, const reducers *from, int all)
{
    int count, hosts = hs_reduction_hosts(plan), wide = cli_host_width(from->names, 6);
    char number[16];
    double makespan = hs_reduction_makespan(plan), bound = hs_reduction_lower_bound(plan);
    const hs_transfer *m = hs_reduction_transfers(plan, &count);
    cli_rows rows = cli_choose_rows(count, CLI_ROWS, all, transfer_end, m);
    printf("makespan %.6g s for %d host%s, the result is at host %s", makespan, hosts, hs__plural(hosts),
           cli_host_name(from->names, hs_reduction_root(plan), number));
    if (hs_reduction_is_optimal(plan))
        printf(" (optimal)\n");
    else
        printf(" (no schedule takes less than %.6g s: at most %.2f%% off)\n", bound, 100.0 * (makespan / bound - 1.0));
    if (hs_reduction_explored(plan) > 0)
        printf("%lld partial schedules explored\n", (long long)hs_reduction_explored(plan));
    if (count > 0)
        printf("\n%*s %*s %12s %12s\n", wide, "from", wide, "to", "start (s)", "end (s)");
    for (int k = 0; k < count; k++) {
        if (!cli_shows_row(&rows, k))
            continue;
        cli_print_host(from->names, m[k].from, wide);
        cli_print_host(from->names, m[k].to, wide + 1);
        printf(" %12.6g %12.6g\n", m[k].start, m[k].end);
    }
    cli_print_rest(&rows, "transfers that end no later");
    cli_print_bounds(&from->bounds);
}

static int check_request(const cli_verb *verb, const request *r)
{
    if (r->platform && r->times)
        return cli_usage(verb, "a platform file and --times exclude each other");
    if (!r->platform && !r->times)
        return cli_usage(verb, "--times is missing");
    if (r->platform ? !r->bytes_given : r->bytes_given)
        return cli_usage(verb, r->platform ? "--bytes is missing" : "--bytes requires a platform file");
    return cli_check_drawing(verb, "--gantt", r->gantt, r->json);
}

/* The times of the hosts, typed or from the platform's routes. */
static int read_times(const cli_verb *verb, const request *r, reducers *hosts)
{
    hs_error error;
    if (!r->platform)
        return cli_quantity_list(verb, "--times", r->times, HS_UNIT_TIME, &hosts->time, &hosts->count);
    if (cli_read_platform(r->platform, &hosts->platform, &error) != HS_OK)
        return cli_fail(verb, r->platform, &error);
    hosts->count = (size_t)hs_platform_hosts(hosts->platform);
    hosts->names = cli_host_names(hosts->platform);
    hosts->time = hs__array_new(hosts->count, sizeof *hosts->time);
    hs_status status = hosts->time ? hs__bounds_begin(hosts->platform, &hosts->bounds) : HS_ERR_NOMEM;
    if (status != HS_OK)
        hs__error_status(&error, status);
    else
        status = cli_send_times(hosts->platform, r->bytes, hosts->time, &hosts->bounds, &error);
    return status == HS_OK ? CLI_OK : cli_fail(verb, r->platform, &error);
}

static int plan_and_print(const cli_verb *verb, const request *r, const reducers *hosts)
{
    hs_reduction *plan = NULL;
    hs_error error;
    int code = CLI_OK;
    if (hs_reduction_create(hosts->time, (int)hosts->count, (hs_reduction_method)r->method, r->budget, &plan, &error) !=
        HS_OK)
        return cli_fail(verb, r->platform, &error);
    cli_progress_end();
    if (r->gantt && cli_reduce_draw(r->gantt, plan, hosts->time, hosts->names, &error) != HS_OK)
        code = cli_fail(verb, NULL, &error);
    else if (r->json)
        code = print_json(verb, plan, hosts);
    else if (!cli_is_standard(r->gantt))
        print_table(plan, hosts, r->all);
    hs_reduction_free(plan);
    return code;
}

int cli_reduce(const cli_verb *verb, int argc, char **argv)
{
    request r = {.method = HS_REDUCTION_OPTIMAL};
    const cli_option options[] = {
        {.name = "--times", .kind = CLI_TEXT, .target = &r.times},
        {.name = "--bytes", .kind = CLI_QUANTITY, .target = &r.bytes, .unit = HS_UNIT_SIZE, .given = &r.bytes_given},
        {.name = "--method", .kind = CLI_CHOICE, .target = &r.method, .choices = method_names},
        {.name = "--budget", .kind = CLI_INTEGER, .target = &r.budget, .at_least = 1},
        {.name = "--gantt", .kind = CLI_OUTPUT, .target = &r.gantt},
        {.name = "--all", .kind = CLI_FLAG, .target = &r.all, .excludes = "--json"},
        {.name = "--json", .kind = CLI_FLAG, .target = &r.json},
        {.name = NULL},
    };
    reducers hosts = {0};
    int code = cli_parse(verb, argc, argv, options, &r.platform, 1, NULL);
    if (code != CLI_OK)
        return code;
    if ((code = check_request(verb, &r)) != CLI_OK)
        return code;
    cli_progress_begin(verb, "searching");
    code = read_times(verb, &r, &hosts);
    if (code == CLI_OK)
        code = plan_and_print(verb, &r, &hosts);
    reducers_free(&hosts);
    return code;
}
