/* SPDX-License-Identifier: BSD-3-Clause */
/* hs lab: an emulated cluster on this machine. */
#include "config.h"

#include "cli/base/cli.h"
#include "cli/base/progress.h"
#include "cli/base/rows.h"
#include "cli/base/verbs.h"
#include "cli/start/lab_run.h"
#include "lab/lab.h"
#include "lab/process.h"
#include "util/letters.h"
#include "util/plural.h"
#include "util/processors.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double default_core_share = 0.7;

int cli_lab_name(const cli_verb *verb, const char *name)
{
    if (lab_name_valid(name))
        return CLI_OK;
    return cli_bad_value(verb, "--name takes 1 to %d letters, digits, '-' or '_', not '%s'", LAB_NAME_MAX, name);
}

static int positive_number(const cli_verb *verb, const char *what, const char *text, double *value)
{
    char *end;
    double number = strtod(text, &end);
    if (end == text || *end || !isfinite(number) || !(number > 0))
        return cli_bad_value(verb, "%s: expected a number above 0, not '%s'", what, text);
    *value = number;
    return CLI_OK;
}

/* Whether this process may make network namespaces: root of a container may not. A child tries. */
static int may_make_networks(void)
{
    pid_t child = fork();
    if (child == 0)
        _exit(unshare(CLONE_NEWNET) != 0);
    return child < 0 || lab_wait_child(child) == 0;
}

static int make_lab(const cli_verb *verb, lab_plan *plan)
{
    hs_error error = {0};
    hs_platform *platform = NULL;
    lab_cluster *lab = NULL;
    hs_status status = cli_read_platform(plan->path, &platform, &error);
    if (status != HS_OK)
        return cli_fail(verb, plan->path, &error);
    if (cli_is_stream(plan->path))
        plan->path = NULL;
    plan->platform = platform;
    cli_progress_begin(verb, "starting hosts");
    status = lab_up(plan, &lab, &error);
    cli_progress_end();
    if (status == HS_OK)
        printf("lab '%s' is up: %d host%s, %d router%s, %d link%s\n", lab->name, lab->hosts, hs__plural(lab->hosts),
               lab->routers, hs__plural(lab->routers), lab->links, hs__plural(lab->links));
    lab_free(lab);
    hs_platform_free(platform);
    return status == HS_OK ? CLI_OK : cli_fail(verb, NULL, &error);
}

static int run_up(const cli_verb *verb, int argc, char **argv)
{
    const char *name = LAB_DEFAULT_NAME, *cpus = NULL, *rate_scale = NULL, *platform;
    int code, cores = hs__processors_own();
    int no_network = 0;
    lab_plan plan = {.cpus = default_core_share * cores, .rate_scale = 1};
    const cli_option options[] = {{.name = "--name", .kind = CLI_TEXT, .target = &name},
                                  {.name = "--cpus", .kind = CLI_TEXT, .target = &cpus},
                                  {.name = "--rate-scale", .kind = CLI_TEXT, .target = &rate_scale},
                                  {.name = "--no-network", .kind = CLI_FLAG, .target = &no_network},
                                  {0}};
    code = cli_parse(verb, argc, argv, options, &platform, 1, NULL);
    if (code != CLI_OK)
        return code;
    if (!platform)
        return cli_usage(verb, "no platform file given");
    if ((code = cli_lab_name(verb, name)) != CLI_OK)
        return code;
    if (cpus && (code = positive_number(verb, "--cpus", cpus, &plan.cpus)) != CLI_OK)
        return code;
    if (rate_scale && (code = positive_number(verb, "--rate-scale", rate_scale, &plan.rate_scale)) != CLI_OK)
        return code;
    if (plan.cpus > cores)
        return cli_bad_value(verb, "--cpus: expected at most %d, the usable cores of this machine, not %g", cores,
                             plan.cpus);
    if (geteuid() != 0 && !no_network)
        return cli_bad_value(
            verb, "needs root for namespaces and quotas; --no-network emulates only speeds and needs no root");
    if (!no_network && !may_make_networks())
        return cli_bad_value(verb, "root may make no network namespaces here, as in a container without "
                                   "CAP_SYS_ADMIN; --no-network emulates only speeds and needs no root");
    plan.path = platform;
    plan.name = name;
    plan.network = !no_network;
    return make_lab(verb, &plan);
}

static int run_down(const cli_verb *verb, int argc, char **argv)
{
    const char *name = LAB_DEFAULT_NAME;
    int code;
    hs_error error = {0};
    const cli_option options[] = {{.name = "--name", .kind = CLI_TEXT, .target = &name}, {0}};
    code = cli_parse(verb, argc, argv, options, NULL, 0, NULL);
    if (code != CLI_OK || (code = cli_lab_name(verb, name)) != CLI_OK)
        return code;
    cli_progress_begin(verb, "ending what runs there");
    hs_status status = lab_down(name, &error);
    cli_progress_end();
    return status == HS_OK ? CLI_OK : cli_fail(verb, NULL, &error);
}

/* Something of a lab gets a multiple of what it was made with. */
typedef hs_status run_change_of(const char *name, const char *what, double factor, hs_error *error);

static int run_change(const cli_verb *verb, int argc, char **argv, run_change_of *change, const char *expected)
{
    const char *name = LAB_DEFAULT_NAME, *positionals[2];
    int code;
    double factor;
    hs_error error = {0};
    const cli_option options[] = {{.name = "--name", .kind = CLI_TEXT, .target = &name}, {0}};
    code = cli_parse(verb, argc, argv, options, positionals, 2, NULL);
    if (code != CLI_OK || (code = cli_lab_name(verb, name)) != CLI_OK)
        return code;
    if (!positionals[1])
        return cli_usage(verb, "expected %s", expected);
    if ((code = positive_number(verb, "FACTOR", positionals[1], &factor)) != CLI_OK)
        return code;
    return change(name, positionals[0], factor, &error) == HS_OK ? CLI_OK : cli_fail(verb, NULL, &error);
}

static int run_speed(const cli_verb *verb, int argc, char **argv)
{
    return run_change(verb, argc, argv, lab_speed, "HOST and FACTOR, a multiple of the host's speed in the file");
}

static int run_link(const cli_verb *verb, int argc, char **argv)
{
    return run_change(verb, argc, argv, lab_link_change,
                      "LINK and FACTOR, a multiple of the bandwidth that the lab began with");
}

static const char *address_of(const lab_cluster *lab, int host, char *text, size_t size)
{
    snprintf(text, size, lab->network ? "10.77.0.%d" : "127.0.0.1", host + 1);
    return text;
}

static json_t *describe_hosts(const lab_cluster *lab)
{
    json_t *hosts = json_array();
    for (int i = 0; i < lab->hosts; i++) {
        char netns[64], address[32];
        const lab_host *host = &lab->host[i];
        lab_netns_of_host(lab->name, i, netns, sizeof netns);
        json_array_append_new(hosts, json_pack("{s:s, s:s, s:f, s:i, s:f, s:f, s:s, s:s}", "host", host->id, "name",
                                               host->name, "speed", host->speed, "cores", host->cores, "quota",
                                               host->quota * host->factor, "factor", host->factor, "namespace",
                                               lab->network ? netns : "", "address",
                                               address_of(lab, i, address, sizeof address)));
    }
    return hosts;
}

static json_t *describe_links(const lab_cluster *lab)
{
    json_t *links = json_array();
    for (int i = 0; i < lab->links; i++) {
        const lab_link *link = &lab->link[i];
        json_array_append_new(links, json_pack("{s:s, s:f, s:f, s:s, s:s, s:s}", "link", link->id, "bandwidth",
                                               link->bandwidth * link->factor, "factor", link->factor, "sharing",
                                               link->sharing == HS_FATPIPE ? "FATPIPE" : "SHARED", "namespace",
                                               link->netns, "device", link->device));
    }
    return links;
}

static double changed(const void *lab, int host)
{
    return fabs(log(((const lab_cluster *)lab)->host[host].factor));
}

static void print_table(const lab_cluster *lab, int all)
{
    char text[32], address[32];
    int width = 24;
    cli_rows rows = cli_choose_rows(lab->hosts, CLI_ROWS, all, changed, lab);
    for (int i = 0; i < lab->hosts; i++)
        width = hs__column_with(width, lab->host[i].id);
    printf("lab '%s': %s, %s%s\n", lab->name, lab->platform, lab->ready ? "up" : "incomplete",
           lab->network ? "" : ", no network");
    printf("%-*s %12s %6s %8s %8s  %s\n", width, "host", "speed", "cores", "quota", "factor", "address");
    for (int i = 0; i < lab->hosts; i++) {
        const lab_host *host = &lab->host[i];
        if (!cli_shows_row(&rows, i))
            continue;
        printf("%-*s %12s %6d %8.4f %8.4g  %s\n", hs__field(width, host->id), host->id,
               hs_quantity_format(host->speed, HS_UNIT_SPEED, text, sizeof text), host->cores,
               host->quota * host->factor, host->factor, address_of(lab, i, address, sizeof address));
    }
    cli_print_rest(&rows, "hosts whose speed has changed no more");
}

static int run_status(const cli_verb *verb, int argc, char **argv)
{
    const char *name = LAB_DEFAULT_NAME;
    int code, json = 0, all = 0;
    hs_error error = {0};
    lab_cluster *lab = NULL;
    const cli_option options[] = {{.name = "--name", .kind = CLI_TEXT, .target = &name},
                                  {.name = "--all", .kind = CLI_FLAG, .target = &all, .excludes = "--json"},
                                  {.name = "--json", .kind = CLI_FLAG, .target = &json},
                                  {0}};
    code = cli_parse(verb, argc, argv, options, NULL, 0, NULL);
    if (code != CLI_OK || (code = cli_lab_name(verb, name)) != CLI_OK)
        return code;
    if (lab_load(name, &lab, &error) != HS_OK)
        return cli_fail(verb, NULL, &error);
    if (json)
        code = cli_print_json(verb,
                              json_pack("{s:s, s:s, s:b, s:b, s:f, s:o, s:o}", "name", lab->name, "platform",
                                        lab->platform, "network", lab->network, "ready", lab->ready, "rate_scale",
                                        lab->rate_scale, "hosts", describe_hosts(lab), "links", describe_links(lab)));
    else
        print_table(lab, all);
    lab_free(lab);
    return code;
}

const cli_verb cli_lab_verbs[] = {
    {"lab up", "make an emulated cluster from a platform file",
     "hs lab up PLATFORM [--name LAB] [--cpus X] [--rate-scale X] [--no-network]", run_up},
    {"lab down", "remove it and everything in it", "hs lab down [--name LAB]", run_down},
    {"lab status", "show its hosts and links", "hs lab status [--name LAB] [--all | --json]", run_status},
    {"lab run", "start an MPI program on it",
     "hs lab run [--name LAB] [-n N] [--hosts A,B,...] [--mpirun OPTIONS] -- PROGRAM [ARGUMENT ...]", cli_lab_run},
    {"lab exec", "start any program on one host", "hs lab exec [--name LAB] HOST -- PROGRAM [ARGUMENT ...]",
     cli_lab_exec},
    {"lab speed", "make a host FACTOR times as fast as in the file", "hs lab speed [--name LAB] HOST FACTOR",
     run_speed},
    {"lab link", "give a link FACTOR times the bandwidth that the lab began with",
     "hs lab link [--name LAB] LINK FACTOR", run_link},
    {NULL, NULL, NULL, NULL},
};

static int print_overview(const cli_verb *verb)
{
    printf("hs %s: %s\nusage: %s\n\n", verb->name, verb->summary, verb->usage);
    for (const cli_verb *subverb = cli_lab_verbs; subverb->name; subverb++)
        printf("  %-60s\n      %s\n", subverb->usage, subverb->summary);
    return CLI_OK;
}

int cli_lab(const cli_verb *verb, int argc, char **argv)
{
    static const char subcommands[] = "up, down, status, run, exec, speed or link";
    if (argc < 2)
        return cli_usage(verb, "no subcommand given (expected %s)", subcommands);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return print_overview(verb);
    for (const cli_verb *subverb = cli_lab_verbs; subverb->name; subverb++)
        if (strcmp(subverb->name + strlen("lab "), argv[1]) == 0)
            return subverb->run(subverb, argc - 1, argv + 1);
    if (strcmp(argv[1], "rank") == 0)
        return cli_lab_rank(argc - 1, argv + 1);
    hs__suggestion s = {.word = argv[1]};
    for (const cli_verb *subverb = cli_lab_verbs; subverb->name; subverb++)
        hs__suggest(&s, subverb->name + strlen("lab "));
    hs__suggest(&s, "--help");
    return cli_unknown_subcommand(verb, &s, subcommands);
}
