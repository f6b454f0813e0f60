/* SPDX-License-Identifier: BSD-3-Clause */
/* hs reduce: the schedule of a reduction on hosts that need different times to send. */
#include "cli/reduce.h"
#include "cli/verbs.h"
#include <stdio.h>
#include <stdlib.h>

static const char *const method_names[] = {"snf", "paper", "optimal", NULL};

typedef struct request {
    const char *times, *gantt;
    int64_t budget;
    int method, json;
} request;

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

static int print_json(const cli_verb *verb, const hs_reduction *plan)
{
    json_t *object = json_object();
    json_object_set_new(object, "makespan", json_real(hs_reduction_makespan(plan)));
    json_object_set_new(object, "root", json_integer(hs_reduction_root(plan)));
    json_object_set_new(object, "schedule", schedule_json(plan));
    json_object_set_new(object, "explored", json_integer(hs_reduction_explored(plan)));
    json_object_set_new(object, "lower_bound", json_real(hs_reduction_lower_bound(plan)));
    json_object_set_new(object, "optimal", json_boolean(hs_reduction_is_optimal(plan)));
    return cli_print_json(verb, object);
}

static void print_table(const hs_reduction *plan)
{
    int count, hosts = hs_reduction_hosts(plan);
    double makespan = hs_reduction_makespan(plan), bound = hs_reduction_lower_bound(plan);
    const hs_transfer *m = hs_reduction_transfers(plan, &count);
    printf("makespan %.6g s for %d host%s, the result is at host %d", makespan, hosts, hosts == 1 ? "" : "s",
           hs_reduction_root(plan));
    if (hs_reduction_is_optimal(plan))
        printf(" (optimal)\n");
    else
        printf(" (no schedule takes less than %.6g s: at most %.2f%% off)\n", bound, 100.0 * (makespan / bound - 1.0));
    if (hs_reduction_explored(plan) > 0)
        printf("%lld partial schedules explored\n", (long long)hs_reduction_explored(plan));
    if (count > 0)
        printf("\n%6s %6s %12s %12s\n", "from", "to", "start (s)", "end (s)");
    for (int k = 0; k < count; k++)
        printf("%6d %6d %12.6g %12.6g\n", m[k].from, m[k].to, m[k].start, m[k].end);
}

int cli_reduce(const cli_verb *verb, int argc, char **argv)
{
    request r = {.method = HS_REDUCTION_OPTIMAL};
    const cli_option options[] = {
        {.name = "--times", .kind = CLI_TEXT, .target = &r.times},
        {.name = "--method", .kind = CLI_CHOICE, .target = &r.method, .choices = method_names},
        {.name = "--budget", .kind = CLI_INTEGER, .target = &r.budget, .at_least = 1},
        {.name = "--gantt", .kind = CLI_TEXT, .target = &r.gantt},
        {.name = "--json", .kind = CLI_FLAG, .target = &r.json},
        {.name = NULL},
    };
    hs_reduction *plan = NULL;
    hs_error error;
    double *time = NULL;
    size_t hosts = 0;
    int n, done;
    int code = cli_parse(verb, argc, argv, options, NULL, 0, &n, NULL, &done);
    if (code != CLI_OK || done)
        return code;
    if (!r.times)
        return cli_usage(verb, "--times is missing");
    if ((code = cli_check_drawing(verb, "--gantt", r.gantt, r.json)) != CLI_OK)
        return code;
    code = cli_quantity_list(verb, "--times", r.times, HS_UNIT_TIME, &time, &hosts);
    if (code != CLI_OK)
        return code;
    if (hs_reduction_create(time, (int)hosts, (hs_reduction_method)r.method, r.budget, &plan, &error) != HS_OK)
        code = cli_fail(verb, NULL, &error);
    else if (r.gantt && cli_reduce_draw(r.gantt, plan, time, &error) != HS_OK)
        code = cli_fail(verb, NULL, &error);
    else if (r.json)
        code = print_json(verb, plan);
    else if (!cli_is_stdout(r.gantt))
        print_table(plan);
    hs_reduction_free(plan);
    free(time);
    return code;
}
