/* SPDX-License-Identifier: BSD-3-Clause */
/* The links: rank 0 asks plan/discover/ for the flows of each round and tells everybody; all flows of a round are
 * watched for the same short time, so what they take from each other adds up. */
#include "runtime/base/backoff.h"
#include "runtime/probe/rounds.h"
#include "runtime/probe/run.h"
#include "runtime/probe/stream.h"
#include "util/array.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double shortest_slice = 16e-3, longest_slice = 100e-3; /* seconds */
static const double slot_slices = 4.1;    /* slices that a round usually takes, with what surrounds it */
static const double latency_round = 4e-3; /* seconds a round of latencies usually takes */
static const double latency_share = 0.1;  /* of the budget */
static const double fewest_rounds = 6, rounds_a_doubling = 4; /* of flows, by the number of hosts */
static const double exchange_slices = 3.3;

enum { WATCHED_SLICES = 3 };

static hs__stream stream_to(const hs__probe *probe, int host, int partner, double slice)
{
    return (hs__stream){.comm = probe->comm,
                        .peer = probe->first[partner],
                        .slice = slice,
                        .most = WATCHED_SLICES,
                        .latency = probe->latency[host * probe->hosts + partner],
                        .memory = probe->memory};
}

static int is_first(const hs__probe *probe)
{
    return probe->first[probe->host_of[probe->rank]] == probe->rank;
}

/* ---- Latencies ---- */

static hs_status take_latency(hs__probe *probe, int partner, double *value)
{
    int host = probe->host_of[probe->rank];
    *value = 0;
    if (partner < 0 || !is_first(probe))
        return HS_OK;
    hs__stream stream = stream_to(probe, host, partner, 0);
    return host < partner ? hs__stream_ping(&stream, value) : hs__stream_echo(&stream);
}

static hs_status latency_slot(hs__probe *probe, int round)
{
    double value;
    int n = probe->hosts;
    hs_status status = take_latency(probe, hs__tournament_partner(n, round, probe->host_of[probe->rank]), &value);
    if (status == HS_OK)
        status = hs__probe_exchange(probe, &value, 1);
    for (int i = 0; i < n && status == HS_OK; i++) {
        int j = hs__tournament_partner(n, round, i);
        if (j > i)
            probe->latency[i * n + j] = probe->latency[j * n + i] = probe->report[probe->first[i]].value[0];
    }
    return status;
}

static hs_status measure_latencies(hs__probe *probe)
{
    int rounds = hs__tournament_rounds(probe->hosts);
    double enough = 2 * ceil(log2(probe->hosts)); /* a tree needs no more */
    int some = (int)fmin(fmax(fmin(latency_share * probe->budget / latency_round, enough), 1), rounds);
    hs_status status = HS_OK;
    for (int k = 0; k < some && status == HS_OK; k++)
        if (k == 0 || probe->elapsed <= probe->budget)
            status = latency_slot(probe, hs__tournament_spread(probe->hosts, some, k));
    return status;
}

/* ---- Flows ---- */

/* This rank's part in the flows of the round: nothing unless it is the first rank of a host that takes part. */
static hs_status take_part(hs__probe *probe, double slice, double *value)
{
    const hs__probe_flow *in = NULL, *out = NULL;
    int host = probe->host_of[probe->rank];
    *value = 0;
    for (int k = 0; k < probe->round.flows && is_first(probe); k++) {
        const hs__probe_flow *flow = &probe->round.flow[k];
        in = flow->to == host ? flow : in;
        out = flow->from == host ? flow : out;
    }
    if (!in && !out)
        return HS_OK;
    hs__stream stream = stream_to(probe, host, in ? in->from : out->to, slice);
    if (in && out)
        return hs__stream_exchange(&stream, fmax(in->rate, out->rate), exchange_slices * slice, value);
    return in ? hs__stream_receive(&stream, value) : hs__stream_send(&stream);
}

/* Rank 0 chooses the flows of the next round, none when the time is up. */
static hs_status choose_round(hs__probe *probe, double slice, int first)
{
    hs__probe_round *round = &probe->round;
    if (probe->rank == 0)
        round->flows = first || probe->elapsed + slot_slices * slice <= probe->budget
                           ? hs__discovery_next(probe->discovery, round->flow)
                           : 0;
    hs_status status = hs__backoff_share(probe->comm, 0, &round->flows, sizeof round->flows);
    if (status == HS_OK && round->flows > 0)
        status = hs__backoff_share(probe->comm, 0, round->flow, round->flows * (int)sizeof *round->flow);
    return status;
}

static hs_status measure_round(hs__probe *probe, double slice)
{
    double value;
    hs__probe_round *round = &probe->round;
    hs_status status = take_part(probe, slice, &value);
    if (status == HS_OK)
        status = hs__probe_exchange(probe, &value, 1);
    for (int k = 0; k < round->flows && status == HS_OK; k++) {
        hs__probe_flow *flow = &round->flow[k];
        flow->rate = probe->report[probe->first[flow->to]].value[0];
        probe->readings[hs__pair_number(flow->from, flow->to)] += flow->rate > 0;
    }
    if (status == HS_OK && probe->rank == 0)
        probe->status = hs__discovery_add(probe->discovery, round->flow, round->flows);
    return status;
}

hs_status hs__probe_links(hs__probe *probe)
{
    if (probe->hosts < 2)
        return HS_OK;
    hs_status status = measure_latencies(probe);
    double left = fmax(probe->budget - probe->elapsed, 0);
    double rounds = fewest_rounds + rounds_a_doubling * ceil(log2(probe->hosts));
    double slice = fmin(fmax(left / (slot_slices * rounds), shortest_slice), longest_slice);
    for (int k = 0; status == HS_OK; k++) {
        status = choose_round(probe, slice, k == 0);
        if (status != HS_OK || probe->round.flows == 0)
            break;
        status = measure_round(probe, slice);
    }
    return status;
}
