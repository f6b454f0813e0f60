/* SPDX-License-Identifier: BSD-3-Clause */
/* The links that hosts share: rank 0 asks plan/discover/ for the flows of each round and tells all ranks; all flows of a
 * round are watched in the same slices of time, so what they take from each other adds up. In the end the links found
 * must explain the readings, else there is no network and pairs are measured. */
#include "runtime/probe/run.h"
#include "runtime/probe/stream.h"
#include "util/clock.h"
#include <math.h>

static const double shortest_slice = 16e-3, longest_slice = 60e-3; /* seconds */
static const double round_slices = 4.1;                            /* slices that a round usually takes, in all */
static const double rounds_a_doubling = 6; /* rounds that are usually enough, by the number of hosts */
static const double structure_share =
    0.9; /* of what is left of the budget; pairs have the rest, and what is saved, if that fails */

enum { FEWEST_HOSTS = 4, WATCHED_SLICES = 3 };

_Static_assert((int)HS__FLOWS_TO_ONE <= (int)HS__STREAM_SENDERS && (int)HS__FLOWS_TO_ONE <= (int)HS__REPORT_VALUES,
               "a host receives from so many, and tells of each");

/* This rank's part in the flows of the round: nothing unless it is the first rank of a host that takes part.
 * @param[out] value  what it got from each host that sends to it, in the order of the flows */
static hs_status take_part(hs__probe *probe, double slice, double *value)
{
    const hs__probe_flow *out = NULL;
    int host = probe->host_of[probe->rank], partner = -1, sender[HS__FLOWS_TO_ONE], senders = 0;
    if (probe->first[host] != probe->rank)
        return HS_OK;
    for (int k = 0; k < probe->round.flows; k++) {
        const hs__probe_flow *flow = &probe->round.flow[k];
        if (flow->from == host) {
            out = flow;
            partner = flow->to;
        } else if (flow->to == host) {
            sender[senders++] = probe->first[flow->from];
            partner = flow->from;
        }
    }
    if (partner < 0)
        return HS_OK;
    hs__stream stream = hs__probe_stream(probe, partner, slice, WATCHED_SLICES);
    stream.begin = hs__clock_wall();
    stream.expected = out ? out->rate : 0;
    return hs__stream_run(&stream, out ? probe->first[out->to] : -1, sender, senders, value);
}

/* Rank 0 chooses the flows of the next round, none when the time is up or something went wrong there. */
static hs_status choose_round(hs__probe *probe, double slice, double until)
{
    hs__probe_round *round = &probe->round;
    round->flows = 0;
    double left = (until - probe->elapsed) / (round_slices * slice); /* rounds */
    if (probe->rank == 0 && probe->status == HS_OK && (hs__discovery_probes(probe->discovery) == 0 || left >= 1))
        probe->status = hs__discovery_next(probe->discovery, left, round->flow, &round->flows);
    hs_status status = hs__peers_share(&probe->peers, 0, &round->flows, sizeof round->flows);
    if (status == HS_OK && round->flows > 0)
        status = hs__peers_share(&probe->peers, 0, round->flow, (size_t)round->flows * sizeof *round->flow);
    return status;
}

/* Each flow's rate is what its receiver told of it. */
static void take_rates(const hs__probe *probe, hs__probe_round *round)
{
    for (int k = 0; k < round->flows; k++) {
        int before = 0, to = round->flow[k].to;
        for (int m = 0; m < k; m++)
            before += round->flow[m].to == to;
        round->flow[k].rate = probe->report[probe->first[to]].value[before];
    }
}

static hs_status measure_round(hs__probe *probe, double slice)
{
    double value[HS__FLOWS_TO_ONE] = {0};
    hs__probe_round *round = &probe->round;
    hs_status status = take_part(probe, slice, value);
    if (status == HS_OK)
        status = hs__probe_exchange(probe, value, HS__FLOWS_TO_ONE);
    if (status == HS_OK)
        take_rates(probe, round);
    if (status == HS_OK && probe->rank == 0)
        probe->status = hs__discovery_add(probe->discovery, round->flow, round->flows);
    return status;
}

/* Whether the links found explain what was measured: the same on all ranks. */
static hs_status judge(hs__probe *probe)
{
    hs__fit fit = {0};
    if (probe->rank == 0 && probe->status == HS_OK) {
        probe->status = hs__discovery_conclude(probe->discovery);
        if (probe->status == HS_OK)
            probe->status = hs__discovery_fit(probe->discovery, &fit);
        probe->network = fit.explains;
    }
    return hs__peers_share(&probe->peers, 0, &probe->network, sizeof probe->network);
}

hs_status hs__probe_network(hs__probe *probe)
{
    if (probe->hosts < FEWEST_HOSTS)
        return HS_OK;
    double doublings = ceil(log2(probe->hosts));
    hs_status status = hs__probe_latencies(probe, 0, 2 * (int)doublings);
    double left = fmax(structure_share * (probe->budget - probe->elapsed), 0), until = probe->elapsed + left;
    double slice = fmin(fmax(left / (round_slices * rounds_a_doubling * doublings), shortest_slice), longest_slice);
    while (status == HS_OK) {
        status = choose_round(probe, slice, until);
        if (status != HS_OK || probe->round.flows == 0)
            break;
        status = measure_round(probe, slice);
    }
    return status == HS_OK ? judge(probe) : status;
}
