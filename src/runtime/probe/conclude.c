/* SPDX-License-Identifier: BSD-3-Clause */
/* What was measured becomes the result, the same on all ranks: rank 0 concludes on the network and tells the others. */
#include "runtime/base/backoff.h"
#include "runtime/probe/result.h"
#include "runtime/probe/rounds.h"
#include "runtime/probe/run.h"
#include "util/array.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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
    }
}

/* Rank 0's cuts, on all ranks. */
static hs_status share_cuts(hs__probe *probe, hs_probe_result *result)
{
    const hs__cut *cut = probe->rank == 0 ? hs__discovery_cuts(probe->discovery, &result->cuts) : NULL;
    hs_status status = hs__backoff_share(probe->comm, 0, &result->cuts, sizeof result->cuts);
    size_t n = (size_t)result->cuts, hosts = (size_t)probe->hosts;
    if (status != HS_OK)
        return status;
    result->cut = hs__array_new(n, sizeof *result->cut);
    result->sides = hs__array_new(n * hosts, 1);
    status = hs__backoff_agree(probe->comm, result->cut && result->sides ? HS_OK : HS_ERR_NOMEM, NULL);
    for (size_t c = 0; c < n && cut && status == HS_OK; c++) {
        result->cut[c] = cut[c];
        memcpy(result->sides + c * hosts, cut[c].side, hosts);
    }
    for (size_t c = 0; c < n && status == HS_OK; c++) {
        status = hs__backoff_share(probe->comm, 0, &result->cut[c], sizeof *result->cut);
        if (status == HS_OK)
            status = hs__backoff_share(probe->comm, 0, result->sides + c * hosts, probe->hosts);
        result->cut[c].side = result->sides + c * hosts;
    }
    return status;
}

/* As measured, or else what the links on the way add up to, or at least the best that was measured anywhere. */
static double latency_between(const hs__probe *probe, const hs_probe_result *result, int i, int j)
{
    int n = probe->hosts;
    double sum = 0, least = INFINITY;
    if (probe->latency[i * n + j] > 0)
        return probe->latency[i * n + j];
    for (int c = 0; c < result->cuts; c++)
        if (result->cut[c].side[i] != result->cut[c].side[j])
            sum += result->cut[c].latency;
    for (int k = 0; k < n * n; k++)
        if (probe->latency[k] > 0)
            least = fmin(least, probe->latency[k]);
    return fmax(sum, least);
}

/* The way between two hosts, by the links found; what was measured between these two counts as such. */
static void conclude_pair(const hs__probe *probe, hs_probe_result *result, int i, int j)
{
    size_t pair = hs__pair_number(i, j);
    hs_probe_link *link = &result->link[pair];
    int least = 0;
    link->bandwidth = hs__cuts_bandwidth(result->cut, result->cuts, i, j, &least);
    link->readings = probe->readings[pair];
    link->latency = latency_between(probe, result, i, j);
    const hs__cut *narrow = &result->cut[least];
    link->source = link->readings > 0 ? HS_PROBE_TOGETHER : HS_PROBE_INFERRED;
    if (!isfinite(narrow->high[narrow->side[j]]))
        link->source = narrow->low[narrow->side[j]] > 0 ? HS_PROBE_CONTENDED : HS_PROBE_ESTIMATED;
}

hs_status hs__probe_conclude(hs__probe *probe, hs_probe_result *result)
{
    hs_status status = HS_OK;
    result->ranks = probe->ranks;
    result->kernel = probe->kernel;
    result->time = probe->elapsed;
    result->when = (int64_t)time(NULL);
    conclude_hosts(probe, result);
    if (probe->hosts < 2)
        return HS_OK;
    if (probe->rank == 0) {
        status = hs__discovery_conclude(probe->discovery);
        hs__discovery_latencies(probe->discovery, probe->latency);
        result->probes = hs__discovery_probes(probe->discovery);
    }
    status = hs__backoff_agree(probe->comm, status, NULL);
    if (status == HS_OK)
        status = hs__backoff_share(probe->comm, 0, &result->probes, sizeof result->probes);
    if (status == HS_OK)
        status = hs__backoff_share(probe->comm, 0, &result->when, sizeof result->when);
    if (status == HS_OK)
        status = share_cuts(probe, result);
    for (int j = 1; j < probe->hosts && status == HS_OK; j++)
        for (int i = 0; i < j; i++)
            conclude_pair(probe, result, i, j);
    return status;
}
