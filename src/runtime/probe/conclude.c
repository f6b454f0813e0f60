/* SPDX-License-Identifier: BSD-3-Clause */
/* What was measured becomes the result, the same on all ranks: rank 0 knows the network and tells the others. */
#include "runtime/probe/result.h"
#include "runtime/probe/run.h"
#include "util/array.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The function goes through the speed by the wall clock at the kernel's own size, which the others are compared with. */
static void conclude_sizes(const hs__probe *probe, hs_probe_result *result, int i)
{
    const hs__sized_speed *sized = &probe->sized[i * HS__PROBE_SIZES];
    hs__sized_speed reading[HS__PROBE_SIZES];
    hs_speed_point *point = &result->point[i * HS__PROBE_SIZES];
    hs_speed_function *function = &result->by_size[i];
    double memory = probe->room[i].memory, speed = result->host[i].speed[probe->kernel];
    int n = 0;
    for (int k = 0; k < HS__PROBE_SIZES; k++)
        if (sized[k].size > 0 && sized[0].size > 0 && speed > 0)
            reading[n++] = sized[k];
    *function = (hs_speed_function){point, n > 1 ? hs__speeds_falling(reading, n, point) : 0, INFINITY};
    double own = hs_speed_at(function, sized[0].size);
    for (int k = 0; k < function->points; k++)
        point[k].speed *= speed / own;
    if (memory > 0)
        function->max_size = memory;
}

static void conclude_hosts(const hs__probe *probe, hs_probe_result *result)
{
    for (int i = 0; i < probe->hosts; i++) {
        hs_probe_host *host = &result->host[i];
        for (int k = 0; k < HS_PROBE_KERNELS; k++) {
            host->speed[k] = probe->speed[k] ? hs__samples_median(&probe->speed[k][i]) : 0;
            host->cpu_speed[k] = probe->cpu_speed[k] ? hs__samples_median(&probe->cpu_speed[k][i]) : 0;
        }
        host->instruction_rate = probe->instruction_rate[i];
        host->cycle_rate = probe->cycle_rate[i];
        conclude_sizes(probe, result, i);
    }
}

/* On rank 0: divide the latencies measured among the links. */
static hs_status set_latencies(hs__probe *probe)
{
    int n = probe->hosts;
    double *latency = hs__array_new((size_t)n * (size_t)n, sizeof *latency);
    if (!latency)
        return HS_ERR_NOMEM;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            latency[i * n + j] = latency[j * n + i] = hs__pairs_latency(&probe->pairs, i, j);
    hs__discovery_latencies(probe->discovery, latency);
    free(latency);
    return HS_OK;
}

/* Rank 0's links, on all ranks. */
static hs_status share_cuts(hs__probe *probe, hs_probe_result *result)
{
    const hs__cut *cut = probe->rank == 0 ? hs__discovery_cuts(probe->discovery, &result->cuts) : NULL;
    hs_status status = hs__peers_share(&probe->peers, 0, &result->cuts, sizeof result->cuts);
    size_t n = (size_t)result->cuts, hosts = (size_t)probe->hosts;
    if (status != HS_OK)
        return status;
    result->cut = hs__array_new(n, sizeof *result->cut);
    result->sides = hs__array_new(n * hosts, 1);
    status = hs__peers_agree(&probe->peers, result->cut && result->sides ? HS_OK : HS_ERR_NOMEM, NULL);
    for (size_t c = 0; c < n && cut && status == HS_OK; c++) {
        result->cut[c] = cut[c];
        memcpy(result->sides + c * hosts, cut[c].side, hosts);
    }
    if (status == HS_OK)
        status = hs__peers_share(&probe->peers, 0, result->cut, n * sizeof *result->cut);
    if (status == HS_OK)
        status = hs__peers_share(&probe->peers, 0, result->sides, n * hosts);
    for (size_t c = 0; c < n && result->cut; c++)
        result->cut[c].side = result->sides + c * hosts;
    return status;
}

/* As measured; or else what the links on the way add up to, but no less than the shortest measured. */
static double latency_between(const hs__probe *probe, const hs_probe_result *result, int i, int j, double shortest)
{
    double sum = 0, measured = hs__pairs_latency(&probe->pairs, i, j);
    if (measured > 0)
        return measured;
    for (int c = 0; c < result->cuts; c++)
        if (result->cut[c].side[i] != result->cut[c].side[j])
            sum += result->cut[c].latency;
    return fmax(sum, shortest);
}

static double shortest_latency(const hs__probe *probe)
{
    double shortest = INFINITY;
    for (int j = 1; j < probe->hosts; j++)
        for (int i = 0; i < j; i++)
            if (hs__pairs_latency(&probe->pairs, i, j) > 0)
                shortest = fmin(shortest, hs__pairs_latency(&probe->pairs, i, j));
    return shortest;
}

/* One flow between two hosts, by the links found, the slower way. */
static void conclude_pair(const hs__probe *probe, hs_probe_result *result, int i, int j, double shortest)
{
    hs_probe_link *link = &result->link[hs__pair_number(i, j)];
    int there = 0, back = 0;
    double to = hs__cuts_bandwidth(result->cut, result->cuts, i, j, &there);
    double from = hs__cuts_bandwidth(result->cut, result->cuts, j, i, &back);
    const hs__cut *narrow = &result->cut[to <= from ? there : back];
    int way = narrow->side[to <= from ? j : i];
    *link = (hs_probe_link){.bandwidth = fmin(to, from),
                            .latency = latency_between(probe, result, i, j, shortest),
                            .readings = narrow->full[way],
                            .source = HS_PROBE_INFERRED};
    if (!isfinite(narrow->high[way]))
        link->source = narrow->low[way] > 0 ? HS_PROBE_CONTENDED : HS_PROBE_ESTIMATED;
}

static hs_status conclude_network(hs__probe *probe, hs_probe_result *result)
{
    double shortest = shortest_latency(probe);
    hs_status status = hs__peers_agree(&probe->peers, probe->rank == 0 ? set_latencies(probe) : HS_OK, NULL);
    if (status == HS_OK)
        status = share_cuts(probe, result);
    for (int j = 1; j < probe->hosts && status == HS_OK; j++)
        for (int i = 0; i < j; i++)
            conclude_pair(probe, result, i, j, shortest);
    return status;
}

hs_status hs__probe_conclude(hs__probe *probe, hs_probe_result *result)
{
    hs_status status = HS_OK;
    result->ranks = probe->ranks;
    result->kernel = probe->kernel;
    result->time = probe->elapsed;
    result->when = (int64_t)time(NULL);
    conclude_hosts(probe, result);
    if (probe->network)
        status = conclude_network(probe, result);
    else if (probe->hosts > 1)
        status = hs__pairs_conclude(&probe->pairs, result->link);
    if (!probe->peers.broken) {
        hs_status shared = hs__peers_share(&probe->peers, 0, &result->when, sizeof result->when);
        status = shared == HS_OK ? status : shared;
    }
    result->readings = probe->discovery;
    probe->discovery = NULL;
    return status;
}
