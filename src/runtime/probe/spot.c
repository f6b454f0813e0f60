/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/probe/spot.h"
#include "runtime/base/host_names.h"
#include "runtime/base/parked_buffer.h"
#include "runtime/base/peers.h"
#include "runtime/probe/kernels.h"
#include "runtime/probe/rounds.h"
#include "runtime/probe/stream.h"
#include "util/array.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* A look: seconds of computing, and of a flow at the rate expected. Two periods of a quota of 10 ms at first; what does not
 * agree then is worth a longer look, as measuring anew takes longer still. */
static const struct {
    double compute, flow;
} looks[] = {{20e-3, 10e-3}, {200e-3, 100e-3}};
enum { LOOKS = sizeof looks / sizeof *looks };

/* What a rank tells of a look. */
typedef struct seen {
    double speed, rate; /* rate of the flow that it received, if any */
} seen;

/* A look in progress. What MPI may still use when peers are broken is parked. */
typedef struct spot_run {
    hs__peers peers; /* on a duplicate; owned */
    int rank, ranks, hosts;
    char *names;          /* of the hosts of all ranks; owned, parked */
    int *host_of, *first; /* of ranks, of hosts (lowest rank); owned */
    const char **name;    /* of hosts; owned, borrowed names */
    int *on;              /* ranks of hosts; owned */
    double *speed;        /* of hosts; owned */
    int flows;
    hs__probe_flow *flow;      /* what is expected, then what was seen; owned */
    double *expected;          /* of flows; owned */
    hs__kernel *kernel;        /* owned */
    hs__stream_memory *memory; /* owned, parked; first ranks only */
    seen *report;              /* of all ranks, and last of this one; owned, parked */
} spot_run;

/* ---- Memory ---- */

static void look_free(spot_run *look)
{
    int broken = look->peers.broken;
    hs__park_buffer(look->names, broken);
    hs__park_buffer(look->memory, broken);
    hs__park_buffer(look->report, broken);
    free(look->host_of);
    free(look->first);
    free(look->name);
    free(look->on);
    free(look->speed);
    free(look->flow);
    free(look->expected);
    hs__kernel_free(look->kernel);
    hs__peers_close(&look->peers);
    if (!broken)
        PMPI_Comm_free(&look->peers.comm);
}

static hs_status allocate(spot_run *look, hs_probe_kernel kernel)
{
    size_t ranks = (size_t)look->ranks;
    look->host_of = hs__array_new(ranks, sizeof *look->host_of);
    look->first = hs__array_new(ranks, sizeof *look->first);
    look->name = hs__array_new(ranks, sizeof *look->name);
    look->on = hs__array_new(ranks, sizeof *look->on);
    look->speed = hs__array_new(ranks, sizeof *look->speed);
    look->flow = hs__array_new(ranks, sizeof *look->flow);
    look->expected = hs__array_new(ranks, sizeof *look->expected);
    look->report = hs__array_new(ranks + 1, sizeof *look->report);
    look->kernel = hs__kernel_create(kernel);
    if (!look->host_of || !look->first || !look->name || !look->on || !look->speed || !look->flow || !look->expected ||
        !look->report || !look->kernel)
        return HS_ERR_NOMEM;
    look->hosts = hs__group_hosts(look->names, HS__HOST_NAME_SIZE, look->ranks, look->host_of, look->first);
    if (look->hosts < 0)
        return HS_ERR_NOMEM;
    for (int i = 0; i < look->hosts; i++)
        look->name[i] = look->names + (size_t)look->first[i] * HS__HOST_NAME_SIZE;
    for (int r = 0; r < look->ranks; r++)
        look->on[look->host_of[r]]++;
    int sends = look->hosts > 1 && look->first[look->host_of[look->rank]] == look->rank;
    if (sends)
        look->memory = hs__array_new(1, sizeof *look->memory);
    return sends && !look->memory ? HS_ERR_NOMEM : HS_OK;
}

/* ---- Rank 0: what to look at, and what it means ---- */

/* The flows of a round, and what the platform says they get; none when there is no route. */
static hs_status choose_flows(spot_run *look, const hs_platform *platform, int turn)
{
    int rounds = hs__tournament_rounds(look->hosts), n = 0;
    for (int i = 0; i < look->hosts; i++) {
        int j = rounds > 0 ? hs__tournament_partner(look->hosts, turn % rounds, i) : -1;
        if (j > i)
            look->flow[n++] = turn / 2 % 2 ? (hs__probe_flow){j, i, 0} : (hs__probe_flow){i, j, 0};
    }
    hs_status status = n > 0 ? hs__spot_expect(platform, look->name, look->flow, n, look->expected) : HS_OK;
    look->flows = 0;
    for (int k = 0; k < n && status == HS_OK; k++)
        if (look->expected[k] > 0 && isfinite(look->expected[k])) { /* a file may have routes without links */
            look->expected[look->flows] = look->expected[k];
            look->flow[look->flows++] = (hs__probe_flow){look->flow[k].from, look->flow[k].to, look->expected[k]};
        }
    return status;
}

/* The last look may refresh. */
static hs__holds judge(spot_run *look, int last, hs_platform *platform, const char *file, char *why, size_t size)
{
    for (int i = 0; i < look->hosts; i++)
        look->speed[i] = 0;
    for (int r = 0; r < look->ranks; r++)
        look->speed[look->host_of[r]] += look->report[r].speed / look->on[look->host_of[r]];
    for (int k = 0; k < look->flows; k++)
        look->flow[k].rate = look->report[look->first[look->flow[k].to]].rate;
    const hs__spot spot = {look->hosts, look->flows, look->name, look->on, look->speed, look->flow, look->expected};
    if (hs__spot_agrees(&spot, platform, file, why, size))
        return HS__HOLDS;
    return last && hs__spot_refresh(&spot, platform) ? HS__HOLDS_REFRESHED : HS__HOLDS_NOT;
}

/* ---- All ranks ---- */

static double read_speed(hs__kernel *kernel, double seconds)
{
    hs__line share = {0};
    hs__kernel_time(kernel, HS__KERNEL_ANEW, seconds, &share);
    return hs__kernel_speed(kernel) * hs__line_slope(&share);
}

/* This rank's part in the flows: nothing unless it is a host's first rank. */
static hs_status take_part(spot_run *look, double seconds, double *rate)
{
    int host = look->host_of[look->rank];
    for (int k = 0; k < look->flows && look->first[host] == look->rank; k++) {
        const hs__probe_flow *flow = &look->flow[k];
        if (flow->from != host && flow->to != host)
            continue;
        const hs__stream stream = {.peers = &look->peers,
                                   .peer = look->first[flow->from == host ? flow->to : flow->from],
                                   .memory = look->memory};
        return flow->from == host ? hs__stream_burst_send(&stream, flow->rate * seconds)
                                  : hs__stream_burst_receive(&stream, flow->rate * seconds, rate);
    }
    return HS_OK;
}

/* The flows that rank 0 has chosen, and when to begin. */
static hs_status share_flows(spot_run *look)
{
    hs_status status = hs__peers_share(&look->peers, 0, &look->flows, sizeof look->flows);
    return status == HS_OK && look->flows > 0
               ? hs__peers_share(&look->peers, 0, look->flow, (size_t)look->flows * sizeof *look->flow)
               : status;
}

/* Look number k. holds and why are rank 0's. */
static hs_status look_once(spot_run *look, int k, hs_platform *platform, int turn, const char *file, hs__holds *holds,
                           char *why, size_t size)
{
    seen *mine = &look->report[look->ranks];
    hs_status known = look->rank == 0 ? choose_flows(look, platform, turn) : HS_OK;
    hs_status status = share_flows(look);
    if (status != HS_OK)
        return status;
    *mine = (seen){read_speed(look->kernel, looks[k].compute), 0};
    status = take_part(look, looks[k].flow, &mine->rate);
    if (status == HS_OK)
        status = hs__peers_gather(&look->peers, look->report, sizeof *look->report);
    look->peers.broken |= status != HS_OK;
    if (status != HS_OK || look->rank > 0)
        return status;
    *holds = known == HS_OK ? judge(look, k == LOOKS - 1, platform, file, why, size) : HS__HOLDS_NOT;
    if (known != HS_OK)
        snprintf(why, size, "%.100s: %s", file,
                 known == HS_ERR_UNREACHABLE ? "not all hosts are connected" : hs_status_text(known));
    return HS_OK;
}

static hs_status look_around(spot_run *look, const hs_probe_params *params, hs_platform *platform, const char *file,
                             hs__holds *holds, char *why, size_t size)
{
    hs_status status = hs__host_names_gather(&look->peers, params->host_name, &look->names);
    if (status == HS_OK)
        status = hs__peers_agree(&look->peers, allocate(look, params->kernel), NULL);
    int turn = (int)(time(NULL) & 0xffff);
    for (int k = 0; k < LOOKS && status == HS_OK && *holds == HS__HOLDS_NOT; k++) {
        status = look_once(look, k, platform, turn, file, holds, why, size);
        if (status == HS_OK)
            status = hs__peers_share(&look->peers, 0, holds, sizeof *holds);
    }
    return status;
}

hs_status hs__probe_holds(MPI_Comm comm, const hs_probe_params *params, hs_platform *platform, const char *file,
                          hs__holds *holds, char *why, size_t size, hs_error *error)
{
    static const char call[] = "checking hosts and links";
    hs__peers program;
    MPI_Comm copy;
    spot_run look = {0};
    *holds = HS__HOLDS_NOT;
    (void)hs__peers_open(&program, comm, params->timeout, 0);
    hs_status status = hs__peers_duplicate(&program, &copy);
    if (status == HS_ERR_TIMEOUT)
        hs__peers_report_missing(&program, call, error);
    hs__peers_close(&program);
    if (status != HS_OK)
        return status;
    PMPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
    PMPI_Comm_rank(copy, &look.rank);
    PMPI_Comm_size(copy, &look.ranks);
    status = hs__peers_open(&look.peers, copy, params->timeout, 1);
    status = hs__peers_agree(&look.peers, status, NULL);
    if (status == HS_OK)
        status = look_around(&look, params, platform, file, holds, why, size);
    if (status == HS_ERR_TIMEOUT)
        hs__peers_report_missing(&look.peers, call, error);
    look_free(&look);
    return status;
}
