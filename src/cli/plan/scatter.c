/* SPDX-License-Identifier: BSD-3-Clause */
/* hs scatter: plan how a master distributes independent items over a star or bus and collects the results. */
#include "cli/plan/scatter.h"
#include "cli/base/bounds.h"
#include "cli/base/hosts.h"
#include "cli/base/progress.h"
#include "cli/base/rows.h"
#include "cli/base/transfer_times.h"
#include "cli/base/verbs.h"
#include "util/array.h"
#include "util/plural.h"
#include "util/status.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const order_names[] = {"best", "given", "fifo", "lifo", "sport", "exact", NULL};
static const char *const port_names[] = {"one-port", "duplex", NULL};

typedef struct request {
    const char *platform, *root, *cycle_times, *comm, *latency, *startup, *collect, *gantt;
    double load, results, item_work, item_bytes;
    int64_t rounds;
    int order, port, integer, choose_master, all, json, load_given, work_given, bytes_given;
} request;

/* What is known of each host, from the command line or a platform; owned. */
typedef struct lists {
    hs_platform *platform;
    json_t *names;     /* of its hosts */
    hs__bounds bounds; /* of the routes from the master */
    double *cycle_time, *comm_time, *latency, *startup;
    int *collect;
    size_t hosts;
} lists;

static void lists_free(lists *x)
{
    free(x->cycle_time);
    free(x->comm_time);
    free(x->latency);
    free(x->startup);
    free(x->collect);
    hs__bounds_end(&x->bounds);
    json_decref(x->names);
    hs_platform_free(x->platform);
}

/* Reads one list; its length must be that of the cycle times. */
static int read_list(const cli_verb *verb, const char *option, const char *text, lists *x, double **values)
{
    size_t count = 0;
    if (!text)
        return CLI_OK;
    int code = cli_quantity_list(verb, option, text, HS_UNIT_TIME, values, &count);
    if (code != CLI_OK)
        return code;
    if (values == &x->cycle_time)
        x->hosts = count;
    if (count == x->hosts)
        return CLI_OK;
    return cli_bad_value(verb, "%s has %zu value%s, expected one for each of %zu host%s%s", option, count,
                         hs__plural(count), x->hosts, hs__plural(x->hosts),
                         values == &x->comm_time ? " (0 for the master's own)" : "");
}

/* Read --collect, a list of hosts. The planner checks that each occurs once. */
static int read_collect(const cli_verb *verb, const char *text, lists *x)
{
    double *values = NULL;
    size_t count = 0;
    if (!text)
        return CLI_OK;
    int code = cli_quantity_list(verb, "--collect", text, HS_UNIT_NUMBER, &values, &count);
    if (code != CLI_OK)
        return code;
    if (count != x->hosts)
        code = cli_bad_value(verb, "--collect names %zu host%s, expected %zu", count, hs__plural(count), x->hosts);
    else if (!(x->collect = hs__array_new(count, sizeof *x->collect)))
        code = cli_bad_value(verb, "out of memory");
    for (size_t k = 0; k < count && code == CLI_OK; k++) {
        x->collect[k] = values[k] < (double)x->hosts ? (int)values[k] : -1;
        if (values[k] != (double)x->collect[k])
            code = cli_bad_value(verb, "--collect: value %zu: expected a host from 0 to %zu, not %g", k + 1,
                                 x->hosts - 1, values[k]);
    }
    free(values);
    return code;
}

/* The host that holds the items: the first one unless another is named. */
static hs_status find_root(const request *r, const hs_platform *platform, int *root, hs_error *error)
{
    *root = r->root ? hs_platform_find_node(platform, r->root) : 0;
    if (*root < 0 || *root >= hs_platform_hosts(platform))
        return hs_error_set(error, HS_ERR_ARG, 0, "no host '%.80s'", r->root);
    return HS_OK;
}

/* Hosts of speed 0 are off: the lists are those of all others. */
static hs_status keep_computing(const request *r, lists *x, hs_error *error)
{
    size_t on = 0;
    for (int v = 0; v < hs_platform_hosts(x->platform); v++) {
        double speed = hs_platform_host_speed(x->platform, v) * hs_platform_host_cores(x->platform, v);
        if (!(speed > 0)) {
            json_array_remove(x->names, on);
            continue;
        }
        x->cycle_time[on] = r->item_work / speed;
        x->comm_time[on] = x->comm_time[v];
        x->latency[on++] = x->latency[v];
    }
    x->hosts = on;
    return on > 0 ? HS_OK : hs_error_set(error, HS_ERR_INFEASIBLE, 0, "every host has speed 0");
}

static hs_status fill_from_platform(const request *r, lists *x, hs_error *error)
{
    int root;
    x->hosts = (size_t)hs_platform_hosts(x->platform);
    x->names = cli_host_names(x->platform);
    x->cycle_time = hs__array_new(x->hosts, sizeof *x->cycle_time);
    x->comm_time = hs__array_new(x->hosts, sizeof *x->comm_time);
    x->latency = hs__array_new(x->hosts, sizeof *x->latency);
    if (!x->cycle_time || !x->comm_time || !x->latency || hs__bounds_begin(x->platform, &x->bounds) != HS_OK)
        return hs__error_status(error, HS_ERR_NOMEM);
    hs_status status = find_root(r, x->platform, &root, error);
    if (status == HS_OK)
        status = cli_times_from(x->platform, root, r->item_bytes, x->latency, x->comm_time, &x->bounds, error);
    return status == HS_OK ? keep_computing(r, x, error) : status;
}

static int read_platform(const cli_verb *verb, const request *r, lists *x)
{
    hs_error error;
    if (cli_read_platform(r->platform, &x->platform, &error) != HS_OK || fill_from_platform(r, x, &error) != HS_OK)
        return cli_fail(verb, r->platform, &error);
    return CLI_OK;
}

static int read_lists(const cli_verb *verb, const request *r, lists *x)
{
    int code =
        r->platform ? read_platform(verb, r, x) : read_list(verb, "--cycle-times", r->cycle_times, x, &x->cycle_time);
    if (code == CLI_OK)
        code = read_list(verb, "--comm", r->comm, x, &x->comm_time);
    if (code == CLI_OK)
        code = read_list(verb, "--latency", r->latency, x, &x->latency);
    if (code == CLI_OK)
        code = read_list(verb, "--startup", r->startup, x, &x->startup);
    if (code == CLI_OK)
        code = read_collect(verb, r->collect, x);
    return code;
}

static json_t *order_json(const hs_divisible *plan, int (*host)(const hs_divisible *, int))
{
    json_t *list = json_array();
    for (int k = 0; k < hs_divisible_hosts(plan); k++)
        json_array_append_new(list, json_integer(host(plan, k)));
    return list;
}

static json_t *items_json(double items, int integer)
{
    return integer ? json_integer((json_int_t)llround(items)) : json_real(items);
}

static json_t *loads_json(const hs_divisible *plan, int integer)
{
    json_t *list = json_array();
    for (int i = 0; i < hs_divisible_hosts(plan); i++)
        json_array_append_new(list, items_json(hs_divisible_load(plan, i), integer));
    return list;
}

static json_t *left_out_json(const hs_divisible *plan)
{
    json_t *list = json_array();
    for (int i = 0; i < hs_divisible_hosts(plan); i++)
        if (!(hs_divisible_load(plan, i) > 0.0))
            json_array_append_new(list, json_integer(i));
    return list;
}

static json_t *installments_json(const hs_divisible *plan, int integer)
{
    json_t *rounds = json_array();
    for (int r = 0; r < hs_divisible_rounds(plan); r++) {
        json_t *list = json_array();
        for (int i = 0; i < hs_divisible_hosts(plan); i++)
            json_array_append_new(list, items_json(hs_divisible_installment(plan, r, i), integer));
        json_array_append_new(rounds, list);
    }
    return rounds;
}

static int print_json(const cli_verb *verb, const request *r, const hs_divisible *plan, int master, const lists *x)
{
    json_t *object = json_object();
    json_object_set_new(object, "makespan", json_real(hs_divisible_makespan(plan)));
    json_object_set_new(object, "loads", loads_json(plan, r->integer));
    json_object_set_new(object, "send_order", order_json(plan, hs_divisible_send_host));
    json_object_set_new(object, "collect_order", order_json(plan, hs_divisible_collect_host));
    json_object_set_new(object, "left_out", left_out_json(plan));
    json_object_set_new(object, "lower_bound", json_real(hs_divisible_lower_bound(plan)));
    json_object_set_new(object, "optimal", json_boolean(hs_divisible_optimal(plan)));
    if (r->rounds > 1)
        json_object_set_new(object, "installments", installments_json(plan, r->integer));
    if (r->choose_master)
        json_object_set_new(object, "master", json_integer(master));
    cli_name_hosts(object, x->names);
    cli_name_bounds(object, &x->bounds);
    return cli_print_json(verb, object);
}

/* Start of a host's first event of a kind, and end of its last one. @return whether there is any */
static int span(const hs_divisible *plan, hs_divisible_what what, int host, double *start, double *end)
{
    int count, found = 0;
    const hs_divisible_event *event = hs_divisible_events(plan, &count);
    for (int k = 0; k < count; k++) {
        if (event[k].what != what || event[k].host != host)
            continue;
        if (!found++)
            *start = event[k].start;
        *end = event[k].end;
    }
    return found;
}

static void print_span(const hs_divisible *plan, hs_divisible_what what, int host)
{
    double start, end;
    if (span(plan, what, host, &start, &end))
        printf("  %11.6g %11.6g", start, end);
    else
        printf("  %11s %11s", "-", "-");
}

static void print_host(const request *r, const hs_divisible *plan, int host, const json_t *names, int width)
{
    double items = hs_divisible_load(plan, host);
    cli_print_host(names, host, width);
    printf(r->integer ? " %12.0f %6.2f%%" : " %12.6g %6.2f%%", items, 100.0 * items / r->load);
    print_span(plan, HS_DIVISIBLE_SEND, host);
    print_span(plan, HS_DIVISIBLE_COMPUTE, host);
    if (r->results > 0.0)
        print_span(plan, HS_DIVISIBLE_RETURN, host);
    putchar('\n');
}

static double sent_load(const void *plan, int k)
{
    return hs_divisible_load(plan, hs_divisible_send_host(plan, k));
}

/* The hosts at these places of an order that are used, or not, behind a label; of many the first ones. No line without any. */
static void print_names(const char *label, const hs_divisible *plan, const json_t *names, int all,
                        int (*host)(const hs_divisible *, int), int (*is_named)(const hs_divisible *, int))
{
    char number[16];
    int named = 0, others = 0;
    for (int k = 0; k < hs_divisible_hosts(plan); k++) {
        int v = host(plan, k);
        if (!is_named(plan, v))
            continue;
        if (named == 0)
            fputs(label, stdout);
        if (all || named < CLI_ROWS)
            printf(" %s", cli_host_name(names, v, number));
        else
            others++;
        named++;
    }
    if (others > 0)
        printf(" and %d more", others);
    if (named > 0)
        putchar('\n');
}

static int is_unused(const hs_divisible *plan, int host)
{
    return !(hs_divisible_load(plan, host) > 0.0);
}

/* The master's own results stay where they are. */
static int returns(const hs_divisible *plan, int host)
{
    double start, end;
    return span(plan, HS_DIVISIBLE_RETURN, host, &start, &end);
}

static void print_table(const request *r, const hs_divisible *plan, int master, const lists *x)
{
    const json_t *names = x->names;
    int hosts = hs_divisible_hosts(plan), wide = cli_host_width(names, 5), used = 0;
    int finds_orders = r->order == HS_DIVISIBLE_BEST || r->order == HS_DIVISIBLE_EXACT;
    while (used < hosts && sent_load(plan, used) > 0.0)
        used++;
    cli_rows rows = cli_choose_rows(used, CLI_ROWS, r->all, sent_load, plan);
    printf("makespan %.6g s for %.10g items on %d host%s (%s%s; no schedule %s %.6g s)\n\n",
           hs_divisible_makespan(plan), r->load, hosts, hs__plural(hosts), port_names[r->port],
           !hs_divisible_optimal(plan) ? ""
           : finds_orders              ? ", optimal"
                                       : ", optimal with these orders",
           hs_divisible_rounds(plan) > 1 ? "in one installment takes less than" : "takes less than",
           hs_divisible_lower_bound(plan));
    if (r->choose_master)
        printf("host %d holds the data\n", master);
    if (hs_divisible_rounds(plan) > 1)
        printf("%d installments; times are first start and last end\n", hs_divisible_rounds(plan));
    printf("%*s        items   share  %23s  %23s%s\n", wide, "host", "receives from to (s)", "computes from to (s)",
           r->results > 0.0 ? "     returns from to (s)" : "");
    for (int k = 0; k < used; k++)
        if (cli_shows_row(&rows, k))
            print_host(r, plan, hs_divisible_send_host(plan, k), names, wide);
    cli_print_rest(&rows, "hosts that get no more items");
    print_names("\nunused hosts (they would delay the end, or no item was left for them):", plan, names, r->all,
                hs_divisible_send_host, is_unused);
    print_names("results are collected, in this order, from", plan, names, r->all, hs_divisible_collect_host, returns);
    cli_print_bounds(&x->bounds);
}

static int plan_and_print(const cli_verb *verb, const request *r, lists *x)
{
    hs_divisible_params params;
    hs_divisible *plan = NULL;
    hs_error error;
    int master = -1, code = CLI_OK;
    hs_divisible_params_init(&params);
    params.hosts = (int)x->hosts;
    params.cycle_time = x->cycle_time;
    params.comm_time = x->comm_time;
    params.latency = x->latency;
    params.startup = x->startup;
    params.load = r->load;
    params.results = r->results;
    params.port = (hs_divisible_port)r->port;
    params.order = (hs_divisible_order)r->order;
    params.items = r->integer ? HS_DIVISIBLE_INTEGER : HS_DIVISIBLE_REAL;
    params.collect_order = x->collect;
    params.rounds = (int)r->rounds;
    hs_status status = HS_OK;
    if (r->choose_master)
        status = hs_divisible_choose_master(&params, &master, x->comm_time, &error);
    if (status == HS_OK)
        status = hs_divisible_create(&params, &plan, &error);
    if (status != HS_OK)
        return cli_fail(verb, NULL, &error);
    cli_progress_end();
    if (r->gantt && cli_scatter_draw(r->gantt, plan, &params, x->names, &error) != HS_OK)
        code = cli_fail(verb, NULL, &error);
    else if (r->json)
        code = print_json(verb, r, plan, master, x);
    else if (!cli_is_standard(r->gantt))
        print_table(r, plan, master, x);
    hs_divisible_free(plan);
    return code;
}

/* A platform file stands for the lists of times. */
static int check_request(const cli_verb *verb, const request *r)
{
    int typed = r->cycle_times || r->comm || r->latency;
    if (r->platform && (typed || r->choose_master))
        return cli_usage(verb, "a platform file and %s exclude each other",
                         r->choose_master ? "--choose-master" : "--cycle-times, --comm, --latency");
    if (r->platform && (!r->work_given || !r->bytes_given))
        return cli_usage(verb, "%s is missing", r->work_given ? "--item-bytes" : "--item-work");
    if (!r->platform && (r->root || r->work_given || r->bytes_given))
        return cli_usage(verb, "%s requires a platform file",
                         r->root         ? "--root"
                         : r->work_given ? "--item-work"
                                         : "--item-bytes");
    if (!r->platform && (!r->cycle_times || !r->comm))
        return cli_usage(verb, "%s is missing", r->cycle_times ? "--comm" : "--cycle-times");
    if (!r->load_given)
        return cli_usage(verb, "--load is missing");
    if (r->collect && order_names[r->order][0] != 'g')
        return cli_usage(verb, "--collect requires --order given");
    return cli_check_drawing(verb, "--gantt", r->gantt, r->json);
}

int cli_scatter(const cli_verb *verb, int argc, char **argv)
{
    request r = {.rounds = 1};
    const cli_option options[] = {
        {.name = "--cycle-times", .kind = CLI_TEXT, .target = &r.cycle_times},
        {.name = "--comm", .kind = CLI_TEXT, .target = &r.comm},
        {.name = "--root", .kind = CLI_TEXT, .target = &r.root},
        {.name = "--item-work",
         .kind = CLI_QUANTITY,
         .target = &r.item_work,
         .unit = HS_UNIT_WORK,
         .given = &r.work_given},
        {.name = "--item-bytes",
         .kind = CLI_QUANTITY,
         .target = &r.item_bytes,
         .unit = HS_UNIT_SIZE,
         .given = &r.bytes_given},
        {.name = "--latency", .kind = CLI_TEXT, .target = &r.latency},
        {.name = "--startup", .kind = CLI_TEXT, .target = &r.startup},
        {.name = "--load", .kind = CLI_QUANTITY, .target = &r.load, .unit = HS_UNIT_NUMBER, .given = &r.load_given},
        {.name = "--results", .kind = CLI_QUANTITY, .target = &r.results, .unit = HS_UNIT_NUMBER},
        {.name = "--integer", .kind = CLI_FLAG, .target = &r.integer},
        {.name = "--order", .kind = CLI_CHOICE, .target = &r.order, .choices = order_names},
        {.name = "--collect", .kind = CLI_TEXT, .target = &r.collect},
        {.name = "--master", .kind = CLI_CHOICE, .target = &r.port, .choices = port_names},
        {.name = "--rounds", .kind = CLI_INTEGER, .target = &r.rounds, .at_least = 1, .at_most = INT32_MAX},
        {.name = "--choose-master", .kind = CLI_FLAG, .target = &r.choose_master},
        {.name = "--gantt", .kind = CLI_OUTPUT, .target = &r.gantt},
        {.name = "--all", .kind = CLI_FLAG, .target = &r.all, .excludes = "--json"},
        {.name = "--json", .kind = CLI_FLAG, .target = &r.json},
        {.name = NULL},
    };
    int code = cli_parse(verb, argc, argv, options, &r.platform, 1, NULL);
    if (code != CLI_OK)
        return code;
    if ((code = check_request(verb, &r)) != CLI_OK)
        return code;
    lists x = {0};
    cli_progress_begin(verb, "searching");
    code = read_lists(verb, &r, &x);
    if (code == CLI_OK)
        code = plan_and_print(verb, &r, &x);
    lists_free(&x);
    return code;
}
