/* SPDX-License-Identifier: BSD-3-Clause */
/* hs probe, started by mpirun. Every rank takes part; only rank 0 reads the command line, writes and prints. */
#include "config.h"

#include "cli/base/rows.h"
#include "cli/base/verbs.h"
#include "cli/platform/show_sizes.h"
#include "launch/rank.h"
#include "runtime/base/environment.h"
#include "runtime/probe/result.h"
#include "runtime/probe/spot.h"
#include "util/array.h"
#include "util/file.h"
#include "util/letters.h"
#include "util/options.h"
#include "util/plural.h"
#include <heteroslice/hs_probe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct probe_request {
    int code; /* CLI_OK: continue */
    int json, check, all;
    double budget;
    int kernel;
} probe_request;

static const char *const kernels[] = {"stencil", "dgemm", "stream", NULL};

/* On rank 0, the paths. */
typedef struct probe_files {
    const char *output, *readings;
} probe_files;

static probe_request parse(const cli_verb *verb, int argc, char **argv, probe_files *files)
{
    hs_probe_params params;
    hs_probe_params_init(&params);
    probe_request request = {.budget = params.budget, .kernel = (int)params.kernel};
    const cli_option options[] = {
        {.name = "-o", .kind = CLI_OUTPUT, .target = &files->output},
        {.name = "--json", .kind = CLI_FLAG, .target = &request.json},
        {.name = "--readings", .kind = CLI_OUTPUT, .target = &files->readings},
        {.name = "--check", .kind = CLI_FLAG, .target = &request.check},
        {.name = "--all", .kind = CLI_FLAG, .target = &request.all, .excludes = "--json"},
        {.name = "--budget", .kind = CLI_QUANTITY, .target = &request.budget, .unit = HS_UNIT_TIME},
        {.name = "--kernel", .kind = CLI_CHOICE, .target = &request.kernel, .choices = kernels},
        {.name = NULL},
    };
    request.code = cli_parse(verb, argc, argv, options, NULL, 0, NULL);
    if (request.code != CLI_OK)
        return request;
    if (!files->output)
        request.code = cli_usage(verb, "-o FILE is missing");
    else if (request.json && strcmp(files->output, "-") == 0)
        request.code = cli_usage(verb, "--json and -o - both write to standard output");
    else if (request.check && (request.json || strcmp(files->output, "-") == 0))
        request.code = cli_usage(verb, "--check takes a file, and no --json");
    return request;
}

static json_t *json_kernels(const double *speed)
{
    json_t *object = json_object();
    for (int k = 0; k < HS_PROBE_KERNELS; k++)
        if (speed[k] > 0)
            json_object_set_new(object, hs_probe_kernel_name((hs_probe_kernel)k), json_real(speed[k]));
    return object;
}

static json_t *json_host(const hs_probe_result *result, int i)
{
    const hs_probe_host *host = hs_probe_host_at(result, i);
    json_t *ranks = json_array();
    for (int r = 0; r < hs_probe_ranks(result); r++)
        if (hs_probe_host_of(result, r) == i)
            json_array_append_new(ranks, json_integer(r));
    json_t *caches = json_array();
    for (int k = 0; k < 3; k++)
        json_array_append_new(caches, json_integer(host->cache[k]));
    json_t *object = json_pack("{s:s,s:f,s:o,s:o,s:o,s:f,s:f,s:i,s:i,s:i,s:i,s:o,s:I}", "host", host->name, "speed",
                               host->speed[hs_probe_kernel_used(result)], "ranks", ranks, "speeds",
                               json_kernels(host->speed), "cpu_speeds", json_kernels(host->cpu_speed),
                               "instructions_per_second", host->instruction_rate, "cycles_per_second", host->cycle_rate,
                               "cores", host->cores, "cpus", host->cpus, "cpu_kinds", host->cpu_kinds, "bound_cpus",
                               host->bound_cpus, "caches", caches, "memory", (json_int_t)host->memory);
    cli_add_sizes(object, hs_probe_speed_by_size(result, i));
    return object;
}

static json_t *json_link(const hs_probe_result *result, int i, int j)
{
    const hs_probe_link *link = hs_probe_link_between(result, i, j);
    return json_pack("{s:s,s:s,s:f,s:f,s:i,s:s}", "from", hs_probe_host_at(result, i)->name, "to",
                     hs_probe_host_at(result, j)->name, "bandwidth", link->bandwidth, "latency", link->latency,
                     "readings", link->readings, "source", hs_probe_source_name(link->source));
}

static int print_json(const cli_verb *verb, const hs_probe_result *result)
{
    json_t *hosts = json_array(), *links = json_array();
    for (int i = 0; i < hs_probe_hosts(result); i++)
        json_array_append_new(hosts, json_host(result, i));
    for (int i = 0; i < hs_probe_hosts(result); i++)
        for (int j = i + 1; j < hs_probe_hosts(result); j++)
            json_array_append_new(links, json_link(result, i, j));
    return cli_print_json(verb,
                          json_pack("{s:s,s:f,s:i,s:o,s:o}", "kernel",
                                    hs_probe_kernel_name(hs_probe_kernel_used(result)), "time", hs_probe_time(result),
                                    "links_found", hs_probe_links_found(result), "hosts", hosts, "links", links));
}

static double slowness_of_host(const void *result, int i)
{
    return -hs_probe_host_at(result, i)->speed[hs_probe_kernel_used(result)];
}

/* The width of a column of hosts. */
static int name_width(const hs_probe_result *result)
{
    int width = 20;
    for (int i = 0; i < hs_probe_hosts(result); i++)
        width = hs__column_with(width, hs_probe_host_at(result, i)->name);
    return width;
}

static void print_name(const hs_probe_result *result, int host, int width)
{
    const char *name = hs_probe_host_at(result, host)->name;
    printf("%-*s ", hs__field(width, name), name);
}

static void print_hosts(const hs_probe_result *result, const cli_rows *rows)
{
    int width = name_width(result);
    printf("%-*s %5s %6s", width, "host", "ranks", "cores");
    for (int k = 0; k < HS_PROBE_KERNELS; k++)
        printf(" %12s", hs_probe_kernel_name((hs_probe_kernel)k));
    printf(" %12s\n", "undisturbed");
    for (int i = 0; i < hs_probe_hosts(result); i++) {
        const hs_probe_host *host = hs_probe_host_at(result, i);
        char text[32];
        if (!cli_shows_row(rows, i))
            continue;
        print_name(result, i, width);
        printf("%5d %6d", host->ranks, host->cores);
        for (int k = 0; k < HS_PROBE_KERNELS; k++)
            printf(" %12s",
                   host->speed[k] > 0 ? hs_quantity_format(host->speed[k], HS_UNIT_SPEED, text, sizeof text) : "-");
        printf(" %12s\n",
               hs_quantity_format(host->cpu_speed[hs_probe_kernel_used(result)], HS_UNIT_SPEED, text, sizeof text));
    }
    cli_print_rest(rows, "hosts that are no slower");
}

static void print_sizes(const hs_probe_result *result, const cli_rows *rows)
{
    int width = name_width(result);
    printf("\n%-*s %s by size of the host's slice\n", width, "host",
           hs_probe_kernel_name(hs_probe_kernel_used(result)));
    for (int i = 0; i < hs_probe_hosts(result); i++) {
        if (!cli_shows_row(rows, i))
            continue;
        print_name(result, i, width);
        cli_print_sizes(hs_probe_speed_by_size(result, i));
    }
}

/** Two hosts. */
typedef struct pair {
    int from, to;
} pair;

/** The pairs of hosts that are printed. */
typedef struct pairs {
    const hs_probe_result *result;
    pair *item;
} pairs;

static double slowness_of_pair(const void *context, int k)
{
    const pairs *p = context;
    return -hs_probe_link_between(p->result, p->item[k].from, p->item[k].to)->bandwidth;
}

static void print_pair(const hs_probe_result *result, pair ends, int width)
{
    const hs_probe_link *link = hs_probe_link_between(result, ends.from, ends.to);
    char rate[32], delay[32];
    print_name(result, ends.from, width);
    print_name(result, ends.to, width);
    printf("%12s %12s %8d  %s\n", hs_quantity_format(link->bandwidth, HS_UNIT_BANDWIDTH, rate, sizeof rate),
           hs_quantity_format(link->latency, HS_UNIT_TIME, delay, sizeof delay), link->readings,
           hs_probe_source_name(link->source));
}

/* @return CLI_OK, or CLI_BAD_INPUT with one line on stderr when memory runs out */
static int print_links(const cli_verb *verb, const hs_probe_result *result, int all)
{
    int hosts = hs_probe_hosts(result), width = name_width(result), n = 0;
    pairs p = {result, hs__array_new((size_t)hosts * (size_t)hosts, sizeof *p.item)};
    if (!p.item)
        return cli_bad_value(verb, "out of memory");
    for (int i = 0; i < hosts; i++)
        for (int j = i + 1; j < hosts; j++)
            p.item[n++] = (pair){i, j};
    cli_rows rows = cli_choose_rows(n, 2 * CLI_ROWS, all, slowness_of_pair, &p);
    if (n > 0)
        printf("\n%-*s %-*s %12s %12s %8s  %s\n", width, "from", width, "to", "bandwidth", "latency", "readings",
               "source");
    for (int k = 0; k < n; k++)
        if (cli_shows_row(&rows, k))
            print_pair(result, p.item[k], width);
    cli_print_rest(&rows, "pairs that are no slower");
    free(p.item);
    return CLI_OK;
}

static hs_status write_readings(const char *path, const hs_probe_result *result, hs_error *error)
{
    hs__file *file;
    hs_status status = hs__file_create(path, &file, error);
    if (status != HS_OK)
        return status;
    hs__probe_readings(result, hs__file_stream(file));
    return hs__file_commit(file, error);
}

/* On rank 0: write the platform and print the result. */
static int report(const cli_verb *verb, const probe_request *request, const probe_files *files,
                  const hs_probe_result *result)
{
    const char *output = files->output;
    hs_platform *platform = NULL;
    hs_error error = {0};
    hs_status status = hs_probe_platform(result, &platform, &error);
    if (status == HS_OK)
        status = hs_platform_write(platform, output, &error);
    hs_platform_free(platform);
    if (status == HS_OK && files->readings)
        status = write_readings(files->readings, result, &error);
    if (status != HS_OK)
        return cli_fail(verb, NULL, &error);
    if (request->json)
        return print_json(verb, result);
    if (strcmp(output, "-") == 0)
        return CLI_OK;
    int links = hs_probe_links_found(result), n = hs_probe_hosts(result);
    cli_rows rows = cli_choose_rows(n, CLI_ROWS, request->all, slowness_of_host, result);
    print_hosts(result, &rows);
    print_sizes(result, &rows);
    if (print_links(verb, result, request->all) != CLI_OK)
        return CLI_BAD_INPUT;
    if (links > 0)
        printf("\nfound %d link%s between switches%s\n", links - n, hs__plural(links - n),
               hs__probe_cut_short(result) ? " until the time was up; a longer --budget may find more" : "");
    else if (hs__probe_unexplained(result))
        puts("\nno tree of links explains what flows got at the same time: each pair has a link of its own");
    printf("\nwrote %s, measured in %.2f s; speeds are per rank, the platform has those of '%s'\n", output,
           hs_probe_time(result), hs_probe_kernel_name(hs_probe_kernel_used(result)));
    return CLI_OK;
}

/* Whether an output can be written, checked before seconds are spent on measuring. @return -1 when it can */
static int check_output(const cli_verb *verb, const char *output)
{
    hs_error error = {0};
    if (output && hs__file_try(output, &error) != HS_OK)
        return cli_fail(verb, NULL, &error);
    return CLI_OK;
}

static hs_probe_params params_of(const probe_request *request)
{
    const char *emulated = hs__options_environment("HS_LAB_HOST");
    hs_probe_params params;
    hs_probe_params_init(&params);
    params.host_name = emulated && emulated[0] ? emulated : NULL;
    params.budget = request->budget;
    params.kernel = (hs_probe_kernel)request->kernel;
    return params;
}

/* On rank 0: the platform that is to be checked. @return whether there is one; nothing is said where there is no file */
static int read_kept(const cli_verb *verb, const char *path, hs_platform **platform)
{
    hs_error error = {0}, said = {0};
    if (access(path, F_OK) != 0)
        return 0;
    if (hs_platform_read(path, platform, &error) == HS_OK)
        return 1;
    hs_error_set(&said, HS_ERR_PARSE, error.line, "%.200s: measuring anew", error.text);
    cli_fail(verb, path, &said);
    return 0;
}

/* On rank 0. @return whether the file holds now */
static int tell_holds(const cli_verb *verb, hs__holds holds, const char *path, const hs_platform *platform,
                      const char *why)
{
    hs_error error = {0};
    if (holds == HS__HOLDS_REFRESHED && hs_platform_write(platform, path, &error) != HS_OK) {
        cli_fail(verb, NULL, &error);
        return 0;
    }
    if (holds == HS__HOLDS)
        printf("%s still holds\n", path);
    else if (holds == HS__HOLDS_REFRESHED)
        printf("%s holds with the speeds of now: %s\n", path, why);
    else if (why[0])
        fprintf(stderr, "hs %s: %s: measuring anew\n", verb->name, why);
    return holds != HS__HOLDS_NOT;
}

/* On all ranks: whether rank 0's file still holds, if need be with other speeds. */
static int still_holds(const cli_verb *verb, const probe_request *request, const probe_files *files, int rank)
{
    const hs_probe_params params = params_of(request);
    hs_platform *platform = NULL;
    hs_error error = {0};
    char why[300] = "";
    hs__holds holds = HS__HOLDS_NOT;
    int there = rank == 0 && read_kept(verb, files->output, &platform);
    hs_status status = HS_OK;
    MPI_Bcast(&there, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (there)
        status = hs__probe_holds(MPI_COMM_WORLD, &params, platform, files->output, &holds, why, sizeof why, &error);
    if (status == HS_ERR_TIMEOUT)
        MPI_Abort(MPI_COMM_WORLD, CLI_BAD_INPUT); /* a rank is missing, which the library has printed */
    if (rank == 0 && !tell_holds(verb, holds, files->output, platform, why))
        holds = HS__HOLDS_NOT;
    MPI_Bcast(&holds, sizeof holds, MPI_BYTE, 0, MPI_COMM_WORLD);
    hs_platform_free(platform);
    return holds != HS__HOLDS_NOT;
}

/* On all ranks: measure, and tell on rank 0. @return the exit status */
static int measure(const cli_verb *verb, const probe_request *request, const probe_files *files, int rank)
{
    const hs_probe_params params = params_of(request);
    hs_probe_result *result = NULL;
    hs_error error = {0};
    int code = CLI_BAD_INPUT;
    hs_status status = hs_probe_run(MPI_COMM_WORLD, &params, &result, &error);
    if (status == HS_ERR_TIMEOUT)
        MPI_Abort(MPI_COMM_WORLD, code); /* a rank is missing, which the library has printed */
    if (rank == 0 && status != HS_OK)
        cli_fail(verb, NULL, &error);
    else if (rank == 0)
        code = report(verb, request, files, result);
    MPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD);
    hs_probe_result_free(result);
    return code;
}

/* Ranks that their launcher has not connected would each measure while the others do, and write a file of their own. told: before
 * MPI_Init, where Open MPI makes itself the launcher of a rank that has none. */
static int check_world(const cli_verb *verb, hs__launch_rank told)
{
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > 1 || told.ranks <= 1)
        return CLI_OK;
    if (told.rank <= 0)
        cli_bad_value(verb,
                      "%d ranks were started, and each is alone: they need a launcher of " HS_MPI_FLAVOUR
                      ", or srun with the right --mpi",
                      told.ranks);
    return CLI_BAD_INPUT;
}

int cli_probe(const cli_verb *verb, int argc, char **argv)
{
    int rank;
    probe_files files = {NULL, NULL};
    probe_request request = {0};
    hs__launch_rank told = hs__launch_this_rank();
    if (MPI_Init(NULL, NULL) != MPI_SUCCESS)
        return cli_bad_value(verb, "MPI_Init failed");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        hs__environment_complain();
        request = parse(verb, argc, argv, &files);
        if (request.code == CLI_OK)
            request.code = check_world(verb, told);
        if (request.code == CLI_OK)
            request.code = check_output(verb, files.output);
        if (request.code == CLI_OK)
            request.code = check_output(verb, files.readings);
    }
    MPI_Bcast(&request, sizeof request, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (request.code == CLI_OK && !(request.check && still_holds(verb, &request, &files, rank)))
        request.code = measure(verb, &request, &files, rank);
    MPI_Finalize();
    return request.code;
}
