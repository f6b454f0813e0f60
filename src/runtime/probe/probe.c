/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/base/environment.h"
#include "runtime/base/host_names.h"
#include "runtime/base/parked_buffer.h"
#include "runtime/base/world_handle.h"
#include "runtime/probe/facts.h"
#include "runtime/probe/result.h"
#include "runtime/probe/rounds.h"
#include "runtime/probe/run.h"
#include "runtime/probe/stream.h"
#include "runtime/watch/library.h"
#include "util/array.h"
#include "util/clock.h"
#include "util/options.h"
#include "util/reserved.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double speed_share = 0.3;      /* of the budget: one reading of speeds */
static const double longest_speeds = 1;     /* seconds of one reading of speeds */
static const double shortest_block = 20e-3; /* seconds of one kernel */
static const double steady = 0.04;          /* readings that differ by less are steady */

static const char CALL[] = "measuring hosts and links"; /* in error texts */

void hs_probe_params_init(hs_probe_params *params)
{
    hs__options options;
    hs__options_read(&options, hs__options_environment, NULL, NULL, NULL);
    *params = (hs_probe_params){
        .budget = options.probe_budget, .kernel = HS_PROBE_STENCIL, .every_kernel = 1, .timeout = options.timeout};
}

hs_status hs__probe_exchange(hs__probe *probe, const double *values, int n)
{
    hs__probe_report *mine = &probe->report[probe->ranks];
    *mine = (hs__probe_report){.elapsed = hs__clock_wall() - probe->begin, .status = probe->status};
    for (int k = 0; k < n; k++)
        mine->value[k] = values[k];
    hs_status status = hs__peers_gather(&probe->peers, probe->report, sizeof *probe->report);
    if (status != HS_OK)
        return status;
    probe->elapsed = probe->report[0].elapsed;
    for (int r = 0; r < probe->ranks; r++)
        status = (hs_status)fmin((double)status, probe->report[r].status);
    return status;
}

hs__stream hs__probe_stream(const hs__probe *probe, int partner, double slice, int most)
{
    return (hs__stream){.peers = &probe->peers,
                        .peer = probe->first[partner],
                        .slice = slice,
                        .most = most,
                        .latency = hs__pairs_latency(&probe->pairs, probe->host_of[probe->rank], partner),
                        .memory = probe->memory};
}

static hs_status check(const hs_probe_params *params, hs_probe_result **result, hs_error *error)
{
    if (!result)
        return hs_error_set(error, HS_ERR_ARG, 0, "result is NULL");
    if (!(params->budget >= 0 && isfinite(params->budget)))
        return hs_error_set(error, HS_ERR_ARG, 0, "a budget of %g s is not finite and at least 0", params->budget);
    if (!(params->timeout >= 0 && isfinite(params->timeout)))
        return hs_error_set(error, HS_ERR_ARG, 0, "a time-out of %g s is not finite and at least 0", params->timeout);
    if (!hs_probe_kernel_name(params->kernel))
        return hs_error_set(error, HS_ERR_ARG, 0, "there is no kernel number %d", (int)params->kernel);
    if (!hs__kernel_exists(params->kernel))
        return hs_error_set(error, HS_ERR_UNSUPPORTED, 0, "this build has no BLAS, so it cannot measure dgemm");
    if (params->host_name && strlen(params->host_name) >= HS__HOST_NAME_SIZE)
        return hs_error_set(error, HS_ERR_ARG, 0, "the host name is longer than %d bytes", HS__HOST_NAME_SIZE - 1);
    if (params->host_name && !params->host_name[0])
        return hs_error_set(error, HS_ERR_ARG, 0, "the host name is empty");
    return hs__reserved_check(params->reserved, sizeof params->reserved / sizeof *params->reserved, error);
}

static hs_status find_hosts(hs__probe *probe, const char *own, hs_probe_result *result)
{
    char *names = NULL;
    result->host_of = hs__array_new((size_t)probe->ranks, sizeof *result->host_of);
    probe->first = hs__array_new((size_t)probe->ranks, sizeof *probe->first);
    probe->report = hs__array_new((size_t)probe->ranks + 1, sizeof *probe->report);
    probe->host_of = result->host_of;
    hs_status status = probe->host_of && probe->first && probe->report ? HS_OK : HS_ERR_NOMEM;
    status = hs__peers_agree(&probe->peers, status, NULL);
    if (status == HS_OK)
        status = hs__host_names_gather(&probe->peers, own, &names);
    if (status != HS_OK)
        goto out;
    probe->hosts = hs__group_hosts(names, HS__HOST_NAME_SIZE, probe->ranks, probe->host_of, probe->first);
    result->host = probe->hosts > 0 ? hs__array_new((size_t)probe->hosts, sizeof *result->host) : NULL;
    result->hosts = result->host ? probe->hosts : 0;
    status = result->host ? HS_OK : HS_ERR_NOMEM;
    for (int i = 0; i < result->hosts && status == HS_OK; i++) {
        result->host[i].first_rank = probe->first[i];
        result->host[i].name = hs__text_copy(names + (size_t)probe->first[i] * HS__HOST_NAME_SIZE);
        status = result->host[i].name ? HS_OK : HS_ERR_NOMEM;
    }
    for (int r = 0; r < probe->ranks && status == HS_OK; r++)
        result->host[probe->host_of[r]].ranks++;
    status = hs__peers_agree(&probe->peers, status, NULL);
out:
    hs__park_buffer(names, probe->peers.broken);
    return status;
}

/* All memory, up front, so that nothing but MPI can fail while measuring. */
static hs_status allocate(hs__probe *probe, int every_kernel, hs_probe_result *result)
{
    size_t hosts = (size_t)probe->hosts;
    int complete = 1;
    for (int k = 0; k < HS_PROBE_KERNELS; k++) {
        if (!hs__kernel_exists((hs_probe_kernel)k) || (!every_kernel && k != (int)probe->kernel))
            continue;
        probe->kernels[k] = hs__kernel_create((hs_probe_kernel)k);
        probe->speed[k] = hs__array_new(hosts, sizeof(hs__samples));
        probe->cpu_speed[k] = hs__array_new(hosts, sizeof(hs__samples));
        complete &= probe->kernels[k] && probe->speed[k] && probe->cpu_speed[k];
    }
    probe->instruction_rate = hs__array_new(hosts, sizeof(double));
    probe->cycle_rate = hs__array_new(hosts, sizeof(double));
    probe->sized = hs__array_new(hosts * HS__PROBE_SIZES, sizeof *probe->sized);
    probe->partner = hs__array_new(hosts, sizeof(int));
    probe->round.flow = hs__array_new(hosts, sizeof *probe->round.flow);
    result->link = hs__array_new(hosts * (hosts - 1) / 2, sizeof *result->link);
    result->by_size = hs__array_new(hosts, sizeof *result->by_size);
    result->point = hs__array_new(hosts * HS__PROBE_SIZES, sizeof *result->point);
    complete &= result->by_size && result->point;
    complete &= probe->instruction_rate && probe->cycle_rate && probe->sized && probe->partner && probe->round.flow &&
                result->link;
    if (probe->hosts > 1 && probe->first[probe->host_of[probe->rank]] == probe->rank) {
        probe->memory = hs__array_new(1, sizeof *probe->memory);
        complete &= probe->memory != NULL;
    }
    if (!complete || (probe->rank == 0 && hs__discovery_create(probe->hosts, &probe->discovery) != HS_OK))
        return HS_ERR_NOMEM;
    return hs__pairs_init(&probe->pairs, probe->hosts);
}

/* What a first rank tells of its host. */
typedef struct host_facts {
    hs_probe_host host; /* without a name */
    hs__room room;
} host_facts;

/* Facts of each host, from its first rank. */
static hs_status gather_facts(hs__probe *probe, hs_probe_result *result)
{
    size_t ranks = (size_t)probe->ranks;
    host_facts *all = hs__array_new(ranks + 1, sizeof *all);
    probe->room = hs__array_new((size_t)probe->hosts, sizeof *probe->room);
    hs_status status = hs__peers_agree(&probe->peers, all && probe->room ? HS_OK : HS_ERR_NOMEM, NULL);
    if (status == HS_OK) {
        int own = probe->host_of[probe->rank];
        all[ranks].host.ranks = result->host[own].ranks;
        if (probe->first[own] == probe->rank)
            hs__facts_read(&all[ranks].host, &all[ranks].room);
        status = hs__peers_gather(&probe->peers, all, sizeof *all);
    }
    for (int i = 0; i < probe->hosts && status == HS_OK; i++) {
        const host_facts *facts = &all[probe->first[i]];
        hs_probe_host known = result->host[i];
        result->host[i] = facts->host;
        result->host[i].name = known.name;
        result->host[i].first_rank = known.first_rank;
        probe->room[i] = facts->room;
    }
    hs__park_buffer(all, probe->peers.broken);
    return status;
}

/* Seconds each kernel computes: the one used for half the time, the others for equal parts of the rest. @return their
 * sum */
static double plan_speeds(const hs__probe *probe, double *seconds)
{
    int others = -1;
    double total = fmin(speed_share * probe->budget, longest_speeds), sum = 0;
    for (int k = 0; k < HS_PROBE_KERNELS; k++)
        others += probe->kernels[k] != NULL;
    for (int k = 0; k < HS_PROBE_KERNELS; k++) {
        double part = k == (int)probe->kernel ? (others ? 0.5 : 1) : 0.5 / others;
        seconds[k] = probe->kernels[k] ? fmax(part * total, shortest_block) : 0;
        sum += seconds[k];
    }
    return sum;
}

/* Speeds once, the network or else links in some sweeps; then both again until they are steady or the time is up. */
static hs_status measure(hs__probe *probe)
{
    double seconds[HS_PROBE_KERNELS], sum = plan_speeds(probe, seconds), before = -1;
    hs_status status = hs__probe_speeds(probe, seconds);
    if (status == HS_OK)
        status = hs__probe_sizes(probe);
    if (status == HS_OK)
        status = hs__probe_network(probe);
    for (int sweep = 0; status == HS_OK && probe->elapsed > before; sweep++) {
        int links = !probe->network && (sweep == 0 || !hs__pairs_steady(&probe->pairs, steady));
        before = probe->elapsed;
        if (links)
            status = hs__probe_links(probe, sweep);
        if (status == HS_OK && !hs__probe_speeds_steady(probe, steady) &&
            (!links || sweep % HS__ENOUGH_READINGS == HS__ENOUGH_READINGS - 1) && probe->elapsed + sum <= probe->budget)
            status = hs__probe_speeds(probe, seconds);
    }
    return status == HS_OK ? hs__probe_exchange(probe, NULL, 0) : status;
}

static void release(hs__probe *probe)
{
    int broken = probe->peers.broken;
    for (int k = 0; k < HS_PROBE_KERNELS; k++) {
        hs__kernel_free(probe->kernels[k]);
        free(probe->speed[k]);
        free(probe->cpu_speed[k]);
    }
    free(probe->first);
    free(probe->partner);
    free(probe->round.flow);
    free(probe->instruction_rate);
    free(probe->cycle_rate);
    free(probe->room);
    free(probe->sized);
    hs__park_buffer(probe->report, broken);
    hs__park_buffer(probe->memory, broken);
    hs__discovery_free(probe->discovery);
    hs__pairs_free(&probe->pairs);
    hs__peers_close(&probe->peers);
    if (!broken)
        PMPI_Comm_free(&probe->peers.comm);
}

/* Rank 0's choices hold for all. */
static hs_status share_params(hs__probe *probe, const hs_probe_params *params, int *every_kernel)
{
    double choice[3] = {params->budget, params->kernel, params->every_kernel != 0};
    hs_status status = hs__peers_share(&probe->peers, 0, choice, sizeof choice);
    probe->budget = choice[0];
    probe->kernel = (hs_probe_kernel)choice[1];
    *every_kernel = (int)choice[2];
    return status;
}

/* The measurement proper, when all ranks have agreed on the arguments. */
static hs_status run(hs__probe *probe, const hs_probe_params *params, hs_probe_result *result, hs_error *error)
{
    int every_kernel = 0;
    hs_status status = share_params(probe, params, &every_kernel);
    if (status == HS_OK)
        status = find_hosts(probe, params->host_name, result);
    if (status == HS_OK)
        status = hs__peers_agree(&probe->peers, allocate(probe, every_kernel, result), NULL);
    if (status == HS_OK)
        status = gather_facts(probe, result);
    if (status == HS_OK)
        status = measure(probe);
    if (status == HS_OK)
        status = hs__peers_agree(&probe->peers, hs__probe_conclude(probe, result), NULL);
    if (status == HS_ERR_UNREACHABLE)
        hs_error_set(error, status, 0, "%s: no data came through between any two hosts", CALL);
    return status;
}

/* Measure on a duplicate of the program's communicator. */
static hs_status run_apart(MPI_Comm copy, double timeout, const hs_probe_params *params, hs_probe_result *result,
                           hs_error *error)
{
    hs__probe probe = {.begin = hs__clock_wall()};
    hs_status status = hs__peers_open(&probe.peers, copy, timeout, 1);
    PMPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
    PMPI_Comm_rank(copy, &probe.rank);
    PMPI_Comm_size(copy, &probe.ranks);
    status = hs__peers_agree(&probe.peers, status, error);
    if (status == HS_OK)
        status = run(&probe, params, result, error);
    if (status == HS_ERR_TIMEOUT)
        hs__peers_report_missing(&probe.peers, CALL, error);
    probe.peers.broken |= status == HS_ERR_MPI;
    release(&probe);
    return status;
}

/* All ranks are there with good arguments: duplicate the communicator, and measure. */
static hs_status duplicate_and_run(hs__peers *program, const hs_probe_params *params, hs_probe_result *result,
                                   hs_error *error)
{
    MPI_Comm copy;
    hs_status status = hs__peers_duplicate(program, &copy);
    return status == HS_OK ? run_apart(copy, program->timeout, params, result, error) : status;
}

/* As hs_probe_run(). */
static hs_status agree_and_run(MPI_Comm comm, const hs_probe_params *params, hs_probe_result **result, hs_error *error)
{
    hs_probe_params defaults;
    hs_probe_result *made = hs__array_new(1, sizeof *made);
    hs__peers program;
    hs_error own = {0};
    if (!params) {
        hs_probe_params_init(&defaults);
        params = &defaults;
    }
    hs_status status = hs__peers_check(comm, CALL, error);
    if (status != HS_OK) {
        hs_probe_result_free(made);
        return status;
    }
    status = check(params, result, &own);
    if (status == HS_OK && !made)
        status = HS_ERR_NOMEM;
    double timeout = params->timeout > 0 && isfinite(params->timeout) ? params->timeout : hs__environment()->timeout;
    (void)hs__peers_open(&program, hs__world_of(comm), timeout, 0);
    status = hs__peers_agree(&program, status, &own);
    if (status == HS_OK)
        status = duplicate_and_run(&program, params, made, &own);
    if (status == HS_ERR_TIMEOUT && !own.text[0])
        hs__peers_report_missing(&program, CALL, &own);
    if (status == HS_OK) {
        *result = made;
        made = NULL;
    } else {
        hs_error_set(error, status, 0, "%s", own.text[0] ? own.text : hs_status_text(status));
    }
    hs_probe_result_free(made);
    hs__peers_close(&program);
    return status;
}

hs_status hs_probe_run(MPI_Comm comm, const hs_probe_params *params, hs_probe_result **result, hs_error *error)
{
    fenv_t program;
    hs__library_enter(&program);
    hs_status status = agree_and_run(comm, params, result, error);
    hs__library_leave(&program);
    return status;
}
