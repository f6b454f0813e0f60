/* SPDX-License-Identifier: BSD-3-Clause */
/* hs run: find the hosts, read or measure the platform, choose the number of ranks per host and their order, start. */
#include "config.h"

#include "cache/cache.h"
#include "cli/base/rows.h"
#include "cli/base/verbs.h"
#include "cli/start/program_mpi.h"
#include "cli/start/run.h"
#include "lab/lab.h"
#include "platform/platform.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/letters.h"
#include "util/options.h"
#include "util/plural.h"
#include "util/processors.h"
#include "util/status.h"
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *run_variable(const char *name)
{
    const char *value = hs__options_environment(name);
    return value && *value ? value : NULL;
}

/* A handler of signals can reach nothing but such variables. */
static char temporary[RUN_TEMPORARIES][RUN_PATH];
static volatile sig_atomic_t temporaries;

static void remove_temporaries(void)
{
    for (; temporaries > 0; temporaries--)
        unlink(temporary[temporaries - 1]);
}

static void remove_and_end(int number)
{
    remove_temporaries();
    signal(number, SIG_DFL);
    raise(number);
}

/* While a program runs, lab_supervise() passes signals on in place of this. */
static void remove_when_interrupted(void)
{
    static const int ends[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (signal(ends[i], SIG_IGN) != SIG_IGN)
            signal(ends[i], remove_and_end);
}

int run_temporary(const char *folder, const char *name, char *path)
{
    if (snprintf(path, RUN_PATH, "%s/%s-XXXXXX", folder, name) >= RUN_PATH) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int descriptor = mkstemp(path);
    HS_ASSERT(temporaries < RUN_TEMPORARIES);
    if (descriptor >= 0) {
        snprintf(temporary[temporaries], RUN_PATH, "%s", path);
        temporaries++;
    }
    return descriptor;
}

/* ---- Hosts ---- */

static hs_status this_machine(hs__hosts *hosts, hs_error *error)
{
    char name[256] = "localhost";
    int cpus = hs__processors_own();
    gethostname(name, sizeof name - 1);
    hs__host *host = hs__hosts_add(hosts, name, cpus);
    if (!host)
        return hs__error_status(error, HS_ERR_NOMEM);
    host->cores = cpus;
    host->memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    return HS_OK;
}

static hs_status lab_hosts(const char *name, hs__hosts *hosts, char *platform, hs_error *error)
{
    lab_cluster *lab = NULL;
    hs_status status = lab_load(name, &lab, error);
    if (status == HS_OK && !lab->network)
        status = hs_error_set(error, HS_ERR_UNSUPPORTED, 0, "lab '%s' has no network, so ranks cannot be placed on it",
                              name);
    for (int i = 0; status == HS_OK && i < lab->hosts; i++) {
        hs__host *host = hs__hosts_add(hosts, lab->host[i].name, lab->host[i].cores);
        char *id = host ? hs__text_copy(lab->host[i].id) : NULL;
        if (id) {
            free(host->id);
            host->id = id;
        } else {
            status = hs__error_status(error, HS_ERR_NOMEM);
        }
    }
    if (status == HS_OK)
        snprintf(platform, RUN_PATH, "%s", lab->platform);
    lab_free(lab);
    return status;
}

static hs_status platform_hosts(const char *path, hs__hosts *hosts, hs_error *error)
{
    hs_platform *platform = NULL;
    hs_status status = hs_platform_read(path, &platform, error);
    for (int h = 0; status == HS_OK && h < hs_platform_hosts(platform); h++)
        if (!hs__hosts_add(hosts, hs_platform_node_id(platform, h), hs_platform_host_cores(platform, h)))
            status = hs__error_status(error, HS_ERR_NOMEM);
    hs_platform_free(platform);
    return status;
}

/* "name:4" is read as the launcher reads it that will get these hosts. */
static hs__colon colon_rule(const char *mpi)
{
    hs__launcher launcher = {0};
    if (hs__launcher_find(mpi, run_variable("MPIEXEC"), &launcher, NULL) != HS_OK)
        return HS__COLON_SLOTS;
    hs__launcher_kind kind = launcher.kind;
    hs__launcher_free(&launcher);
    return kind == HS__LAUNCHER_ORTE || kind == HS__LAUNCHER_PRRTE ? HS__COLON_REFUSED : HS__COLON_SLOTS;
}

/* Standard input may be a pipe or a socket, which no path opens. */
static hs_status hostfile_hosts(const run_request *request, hs__hosts *hosts, hs_error *error)
{
    FILE *file = cli_open(request->hostfile, error);
    hs_status status = file ? hs__hosts_read_stream(file, colon_rule(request->launched), hosts, error) : HS_ERR_IO;
    cli_close(file);
    return status;
}

/* What the user calls the platform file: what is read once is kept under a name of our own. */
static const char *name_of(const run_request *request, const char *platform)
{
    return cli_is_stream(request->platform) ? request->platform : platform;
}

/* Find the hosts: those of a lab, a hostfile, a queueing system, a given platform, or only this machine; the first that
 * applies. */
static int find_hosts(const cli_verb *verb, const run_request *request, hs__hosts *hosts, char *platform)
{
    hs_error error = {0};
    const char *file = NULL;
    hs_status status;
    if (request->lab)
        status = lab_hosts(request->lab, hosts, platform, &error);
    else if ((file = request->hostfile))
        status = hostfile_hosts(request, hosts, &error);
    else if ((status = hs__hosts_allocated(run_variable, hosts, &file, &error)) == HS_OK && hosts->count == 0)
        status = platform[0] ? platform_hosts(file = platform, hosts, &error) : this_machine(hosts, &error);
    return status == HS_OK ? CLI_OK : cli_fail(verb, file == platform ? name_of(request, platform) : file, &error);
}

/* ---- Plan ---- */

static void run_plan_free(run_plan *plan)
{
    free(plan->count);
    free(plan->placement);
    free(plan->order);
}

/* A rank with several threads is as fast as so many cores. */
static hs__placement_host describe_host(const hs__host *host, double speed, int64_t cores, int64_t max_ranks)
{
    if (host->cores > 0 && host->cores < cores)
        cores = host->cores;
    int64_t threads = host->threads < cores ? host->threads : cores, ranks = cores / threads;
    return (hs__placement_host){speed * (double)threads, (double)ranks, max_ranks};
}

/* How many ranks a host gets when nobody says how many there are. */
static int64_t usual_ranks(const hs__placement_host *host)
{
    int64_t cores = host->speed > 0 ? (int64_t)host->cores : 0;
    return cores < host->max_ranks ? cores : host->max_ranks;
}

static hs_status describe_hosts(const run_request *request, const hs_platform *platform, const hs__hosts *hosts,
                                int *node, run_plan *plan, hs_error *error)
{
    for (size_t i = 0; i < hosts->count; i++) {
        const hs__host *host = &hosts->item[i];
        node[i] = hs__platform_find_host(platform, host->id);
        if (node[i] < 0)
            node[i] = hs__platform_find_host(platform, host->name);
        if (node[i] < 0)
            return hs_error_set(error, HS_ERR_ARG, 0, "host '%s' is not in the platform", host->id);
        int64_t max_ranks = host->max_ranks;
        if (request->memory > 0 && host->memory > 0 && host->memory / request->memory < (double)max_ranks)
            max_ranks = (int64_t)(host->memory / request->memory);
        plan->placement[i] = describe_host(host, hs_platform_host_speed(platform, node[i]),
                                           hs_platform_host_cores(platform, node[i]), max_ranks);
        plan->ranks += request->ranks > 0 ? 0 : usual_ranks(&plan->placement[i]);
    }
    plan->ranks += request->ranks;
    return HS_OK;
}

/* Whether all ranks have a host, and each host that has ranks is in the order, once. */
static int is_sound(const run_plan *plan, int hosts)
{
    int64_t all = 0, ordered = 0;
    double slowest = 0;
    for (int i = 0; i < hosts; i++) {
        all += plan->count[i];
        if (plan->count[i] > plan->placement[i].max_ranks)
            return 0;
        if (plan->count[i] > 0)
            slowest = fmax(slowest, hs__placement_time(&plan->placement[i], plan->count[i]));
    }
    for (int k = 0; k < plan->used; k++)
        ordered += plan->count[plan->order[k]];
    return all == plan->ranks && ordered == all && fabs(slowest - plan->slowest) <= 1e-9 * slowest;
}

static void no_room(int64_t ranks, hs_error *error)
{
    hs_error_set(error, HS_ERR_INFEASIBLE, 0, "%lld rank%s not fit on the hosts", (long long)ranks,
                 ranks == 1 ? " does" : "s do");
}

static int make_plan(const cli_verb *verb, const run_request *request, const char *path, const hs__hosts *hosts,
                     run_plan *plan)
{
    hs_platform *platform = NULL;
    hs_error error = {0};
    const char *file = path;
    int n = (int)hosts->count, *node = hs__array_new(hosts->count, sizeof *node);
    *plan = (run_plan){.count = hs__array_new(hosts->count, sizeof *plan->count),
                       .placement = hs__array_new(hosts->count, sizeof *plan->placement),
                       .order = hs__array_new(hosts->count, sizeof *plan->order)};
    hs_status status = node && plan->count && plan->placement && plan->order ? HS_OK : HS_ERR_NOMEM;
    if (status == HS_OK)
        status = hs_platform_read(path, &platform, &error);
    if (status == HS_OK)
        status = describe_hosts(request, platform, hosts, node, plan, &error);
    if (status == HS_OK) {
        status = hs__placement_counts(plan->placement, n, plan->ranks, plan->count, &plan->slowest);
        file = status == HS_OK ? path : NULL;
        if (status == HS_ERR_INFEASIBLE)
            no_room(plan->ranks, &error);
    }
    if (status == HS_OK)
        status = hs__placement_order(platform, node, plan->placement, plan->count, n, request->halo, plan->order,
                                     &plan->used, &error);
    if (status != HS_OK && !error.text[0])
        hs__error_status(&error, status);
    HS_ASSERT(status != HS_OK || is_sound(plan, n));
    hs_platform_free(platform);
    free(node);
    return status == HS_OK ? CLI_OK : cli_fail(verb, file ? name_of(request, file) : NULL, &error);
}

/* Seconds that the host at this place of the order takes. */
static double used_time(const void *context, int k)
{
    const run_plan *plan = context;
    int i = plan->order[k];
    return hs__placement_time(&plan->placement[i], plan->count[i]);
}

/** A placement that is printed. */
typedef struct printed {
    const hs__hosts *hosts;
    const run_plan *plan;
} printed;

static void print_host(FILE *out, const void *context, int i)
{
    fputs(((const printed *)context)->hosts->item[i].id, out);
}

static int host_with_ranks(const void *context, int k)
{
    return ((const printed *)context)->plan->order[k];
}

static int print_plan(const cli_verb *verb, const run_request *request, const hs__hosts *hosts, const run_plan *plan)
{
    const printed context = {hosts, plan};
    json_t *list = json_array();
    cli_rows rows = cli_choose_rows(plan->used, CLI_ROWS, request->all, used_time, plan);
    int width = 20;
    for (int k = 0; k < plan->used; k++)
        width = hs__column_with(width, hosts->item[plan->order[k]].id);
    if (!request->json)
        printf("%-*s %6s %6s %12s %12s\n", width, "HOST", "RANKS", "CORES", "SPEED", "RELATIVE");
    for (int k = 0; k < plan->used; k++) {
        int i = plan->order[k];
        const hs__placement_host *host = &plan->placement[i];
        double time = hs__placement_time(host, plan->count[i]);
        char speed[32];
        if (request->json)
            json_array_append_new(list, json_pack("{s:s,s:I,s:f,s:f,s:f}", "host", hosts->item[i].id, "ranks",
                                                  (json_int_t)plan->count[i], "cores", host->cores, "speed",
                                                  host->speed, "time", time));
        else if (cli_shows_row(&rows, k))
            printf("%-*s %6lld %6g %12s %10.1f %%\n", hs__field(width, hosts->item[i].id), hosts->item[i].id,
                   (long long)plan->count[i], host->cores,
                   hs_quantity_format(host->speed, HS_UNIT_SPEED, speed, sizeof speed), 100 * time / plan->slowest);
    }
    if (request->json)
        return cli_print_json(
            verb, json_pack("{s:I,s:f,s:o}", "ranks", (json_int_t)plan->ranks, "time", plan->slowest, "hosts", list));
    json_decref(list);
    cli_print_rest(&rows, "hosts that take no longer");
    printf("%lld rank%s; RELATIVE: time a host needs when all ranks have equal work, relative to the slowest host\n",
           (long long)plan->ranks, hs__plural(plan->ranks));
    cli_print_left_out((int)hosts->count, plan->used, host_with_ranks, request->all, print_host, &context);
    return CLI_OK;
}

/* ---- Command line ---- */

static int parse(const cli_verb *verb, int argc, char **argv, run_request *r)
{
    int rest, max_age_given = 0;
    const cli_option options[] = {
        {.name = "-n", .kind = CLI_INTEGER, .target = &r->ranks, .at_least = 1, .at_most = 1 << 24},
        {.name = "--platform", .kind = CLI_TEXT, .target = &r->platform},
        {.name = "--hostfile", .kind = CLI_TEXT, .target = &r->hostfile},
        {.name = "--lab", .kind = CLI_TEXT, .target = &r->lab, .excludes = "--hostfile"},
        {.name = "--mpirun", .kind = CLI_TEXT, .target = &r->mpirun},
        {.name = "--memory", .kind = CLI_QUANTITY, .target = &r->memory, .unit = HS_UNIT_SIZE},
        {.name = "--halo", .kind = CLI_QUANTITY, .target = &r->halo, .unit = HS_UNIT_TIME},
        {.name = "--measure", .kind = CLI_FLAG, .target = &r->measure, .excludes = "--max-age"},
        {.name = "--max-age",
         .kind = CLI_QUANTITY,
         .target = &r->max_age,
         .unit = HS_UNIT_TIME,
         .given = &max_age_given},
        {.name = "--keep", .kind = CLI_FLAG, .target = &r->keep},
        {.name = "--all", .kind = CLI_FLAG, .target = &r->all, .excludes = "--json"},
        {.name = "--dry-run", .kind = CLI_FLAG, .target = &r->dry_run},
        {.name = "--json", .kind = CLI_FLAG, .target = &r->json},
        {.name = NULL}};
    int code = cli_parse(verb, argc, argv, options, NULL, 0, &rest);
    if (code != CLI_OK)
        return code;
    r->program = argv + rest;
    if (r->platform && (r->measure || max_age_given))
        return cli_usage(verb, "--platform excludes %s", r->measure ? "--measure" : "--max-age");
    if (r->platform && !r->platform[0])
        return cli_bad_value(verb, "--platform takes a file, not ''");
    if ((r->json || r->all) && !r->dry_run)
        return cli_usage(verb, "%s requires --dry-run", r->json ? "--json" : "--all");
    if (rest >= argc && !r->dry_run)
        return cli_usage(verb, "no program given (expected after --)");
    for (int k = rest; k < argc; k++)
        if (strcmp(argv[k], ":") == 0) /* to every launcher the begin of another program */
            return cli_usage(verb, "starts one program, not several with ':' between them");
    return CLI_OK;
}

/* Find out which MPI library the program is linked to, and refuse one that is linked to several. */
static int find_mpi(const cli_verb *verb, run_request *r)
{
    hs__mpi_flavour launched = HS__MPI_NONE, flavour = HS__MPI_NONE;
    if (r->program[0])
        flavour = cli_program_mpi(r->program[0], &launched);
    r->mpi = hs__mpi_name(flavour);
    r->launched = hs__mpi_name(launched);
    if (flavour == HS__MPI_NONE || r->mpi)
        return CLI_OK;
    return cli_bad_value(verb, "%s is linked to both Open MPI and MPICH, itself or by its libraries", r->program[0]);
}

/* Before anything is measured: whether the ranks that are asked for may be started at all. */
static int check_ranks(const cli_verb *verb, const run_request *request, const hs__hosts *hosts)
{
    int64_t room = 0;
    for (size_t i = 0; i < hosts->count && room < request->ranks; i++)
        room = hosts->item[i].max_ranks < request->ranks ? room + hosts->item[i].max_ranks : request->ranks;
    if (room >= request->ranks)
        return CLI_OK;
    hs_error error;
    no_room(request->ranks, &error);
    return cli_fail(verb, NULL, &error);
}

/* Before anything is measured: whether the program is there, where its hosts are this machine. Launchers may find it in the working
 * folder, too, and their options may choose another folder, or take a program of their own. */
static int check_program(const cli_verb *verb, const run_request *request, const hs__hosts *hosts)
{
    const char *program = request->program[0];
    char path[PATH_MAX], own[256] = "";
    gethostname(own, sizeof own - 1);
    int here = request->lab || (hosts->count == 1 && strcmp(hosts->item[0].id, own) == 0);
    if (!here || request->mpirun || program[0] == '-' || cli_find_program(program, path) || cli_is_program(program))
        return CLI_OK;
    return cli_cannot_start(verb->name, program);
}

/* What the command that a report advises says of hosts: files that are there again, and names that need no quotes. */
static void tell_hosts(const run_request *request)
{
    const char *option[] = {"--hostfile", "--platform"}, *file[] = {request->hostfile, request->platform};
    char text[RUN_PATH] = "";
    size_t used = 0;
    for (int k = 0; k < 2 && used < sizeof text; k++)
        if (file[k] && !cli_is_stream(file[k]) && !hs__word_needs_quotes(file[k]))
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %s", used ? " " : "", option[k], file[k]);
    if (used > 0 && used < sizeof text)
        setenv("HS_RUN_HOSTS", text, 1);
    else
        unsetenv("HS_RUN_HOSTS");
}

/* A measurement made before is checked by the ranks: the preload library looks whether HS_CACHE says so. */
static void tell_ranks(const run_measurement *found)
{
    const char *use = run_variable("HS_CACHE");
    if (found->cached)
        setenv("HS_CACHE", "run", 1);
    else if (use && strcmp(use, "run") == 0)
        unsetenv("HS_CACHE");
}

int cli_run(const cli_verb *verb, int argc, char **argv)
{
    run_request request = {.halo = 0.05, .max_age = HS__CACHE_MAX_AGE};
    hs__hosts hosts = {0};
    run_plan plan = {0};
    char platform[RUN_PATH] = "", whole[RUN_PATH], input[RUN_PATH] = "";
    int code = parse(verb, argc, argv, &request);
    if (code != CLI_OK || (code = find_mpi(verb, &request)) != CLI_OK)
        return code;
    const char *given = request.platform ? request.platform : run_variable("HS_PLATFORM");
    remove_when_interrupted();
    if (cli_is_stream(request.platform)) {
        given = input;
        if ((code = run_keep_input(verb, request.platform, input)) != CLI_OK)
            goto out;
    }
    if (given && !request.measure)
        snprintf(platform, sizeof platform, "%s", given);
    code = find_hosts(verb, &request, &hosts, platform);
    if (code == CLI_OK && (given || request.measure)) /* in place of the file that a lab was made of */
        snprintf(platform, sizeof platform, "%s", request.measure ? "" : given);
    run_measurement found = {0};
    if (code == CLI_OK)
        code = check_ranks(verb, &request, &hosts);
    if (code == CLI_OK && !request.dry_run)
        code = check_program(verb, &request, &hosts);
    if (code == CLI_OK && !request.dry_run)
        code = run_find_launcher(verb, &request, 0, &request.launcher);
    if (code == CLI_OK)
        code = run_find_platform(verb, &request, &hosts, platform, &found);
    if (found.unknown)
        goto out;
    if (code == CLI_OK)
        code = make_plan(verb, &request, platform, &hosts, &plan);
    if (code == CLI_OK && request.dry_run)
        code = print_plan(verb, &request, &hosts, &plan);
    if (code == CLI_OK && !request.dry_run) {
        tell_ranks(&found);
        tell_hosts(&request);
        code = run_launch(verb, &request, &hosts, plan.count, plan.order, plan.used,
                          realpath(platform, whole) ? whole : platform, request.program);
    }
out:
    remove_temporaries();
    hs__launcher_free(&request.launcher);
    run_plan_free(&plan);
    hs__hosts_free(&hosts);
    return code;
}
