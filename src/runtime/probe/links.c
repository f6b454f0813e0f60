/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/probe/rounds.h"
#include "runtime/probe/run.h"
#include "runtime/probe/stats.h"
#include "runtime/probe/stream.h"
#include "util/array.h"
#include <math.h>
#include <stdlib.h>

static const double shortest_slice = 20e-3, longest_slice = 100e-3; /* seconds */
static const double slot_slices = 4.1;    /* slices that a slot usually takes, with what surrounds it */
static const double latency_round = 4e-3; /* seconds a round of latencies usually takes */
static const double latency_share = 0.1;  /* of the budget */
static const double doubtful_share = 0.6; /* of all pairs: how many may need a reading alone */

static const double least_alone = 3; /* slots kept for readings alone, however many rounds there are */

/* Flows of a round are all watched for the same short time: what they take from each other adds up. A flow alone is
 * watched until its rate is steady. */
typedef enum slot_kind { SLOT_LATENCY, SLOT_ROUND, SLOT_ALONE } slot_kind;

/* This rank's part: nothing, unless its host has a partner and it is the host's first rank. */
static hs_status take_part(hs__probe *probe, slot_kind kind, int lower_sends, double slice, double *value)
{
    int host = probe->host_of[probe->rank], partner = probe->partner[host];
    *value = 0;
    if (partner < 0 || probe->first[host] != probe->rank)
        return HS_OK;
    hs__stream stream = hs__probe_stream(probe, partner, slice, kind == SLOT_ROUND ? 3 : HS__FLOW_SLICES);
    int sends = (host < partner) == (lower_sends != 0);
    if (kind == SLOT_LATENCY)
        return sends ? hs__stream_echo(&stream) : hs__stream_ping(&stream, value);
    return sends ? hs__stream_run(&stream, stream.peer, NULL, 0, NULL)
                 : hs__stream_run(&stream, -1, &stream.peer, 1, value);
}

/* Measure the pairs in partner[] at the same time and note the readings. */
static hs_status measure_slot(hs__probe *probe, slot_kind kind, int round, int lower_sends, double slice)
{
    double value;
    int n = 0;
    hs_status status = take_part(probe, kind, lower_sends, slice, &value);
    if (status == HS_OK)
        status = hs__probe_exchange(probe, &value, 1);
    if (status != HS_OK)
        return status;
    hs__reading *readings = hs__array_new((size_t)probe->hosts, sizeof *readings);
    for (int i = 0; readings && i < probe->hosts; i++) {
        int j = probe->partner[i];
        if (j > i)
            readings[n++] = (hs__reading){i, j, probe->report[probe->first[lower_sends ? j : i]].value[0]};
    }
    if (!readings)
        probe->status = HS_ERR_NOMEM;
    else if (kind != SLOT_LATENCY)
        probe->status = hs__pairs_add(&probe->pairs, round, readings, n);
    else
        for (int k = 0; k < n && probe->status == HS_OK; k++)
            probe->status = hs__pairs_add_latency(&probe->pairs, &readings[k]);
    free(readings);
    return HS_OK;
}

/* All pairs of a round that may be measured along with others. @return how many there are */
static int pair_up(hs__probe *probe, slot_kind kind, int round)
{
    int n = 0;
    for (int i = 0; i < probe->hosts; i++) {
        int j = hs__tournament_partner(probe->hosts, round, i);
        if (j >= 0 && kind == SLOT_ROUND && !hs__pairs_joins(&probe->pairs, i, j))
            j = -1;
        probe->partner[i] = j;
        n += j > i;
    }
    return n;
}

static void pair_only(hs__probe *probe, int i, int j)
{
    for (int k = 0; k < probe->hosts; k++)
        probe->partner[k] = -1;
    probe->partner[i] = j;
    probe->partner[j] = i;
}

static int from_one(double x, int most)
{
    return x <= 1 ? 1 : x >= most ? most : (int)x;
}

hs_status hs__probe_latencies(hs__probe *probe, int sweep, int most)
{
    int rounds = hs__tournament_rounds(probe->hosts);
    int some = from_one(fmin(latency_share * probe->budget / latency_round, most), rounds);
    hs_status status = HS_OK;
    for (int k = 0; k < some && status == HS_OK; k++) {
        int round = hs__tournament_spread(probe->hosts, some, k);
        if (probe->elapsed > probe->budget && (sweep > 0 || k > 0))
            break;
        pair_up(probe, SLOT_LATENCY, round);
        status = measure_slot(probe, SLOT_LATENCY, round, sweep % 2 == 0, 0);
    }
    return status;
}

/* Whether a slot of this length still fits. */
static int time_left(const hs__probe *probe, double slice)
{
    return probe->elapsed + slot_slices * slice <= probe->budget;
}

static hs_status measure_rounds(hs__probe *probe, int sweep, int some, double slice)
{
    hs_status status = HS_OK;
    for (int k = 0; k < some && status == HS_OK; k++) {
        int round = hs__tournament_spread(probe->hosts, some, k);
        if (!time_left(probe, slice) && (sweep > 0 || k > 0))
            break;
        if (pair_up(probe, SLOT_ROUND, round) > 0)
            status = measure_slot(probe, SLOT_ROUND, round, sweep % 2 == 0, slice);
    }
    return status;
}

static hs_status measure_alone(hs__probe *probe, hs__urgency urgency, int wanted, double slice)
{
    int i, j;
    hs_status status = HS_OK;
    while (status == HS_OK && time_left(probe, slice) && hs__pairs_next_alone(&probe->pairs, urgency, wanted, &i, &j)) {
        pair_only(probe, i, j);
        status = measure_slot(probe, SLOT_ALONE, 0, hs__pairs_alone_count(&probe->pairs, i, j) % 2 == 0, slice);
    }
    return status;
}

/* Urgent pairs are read alone before further readings of the others; useful pairs after enough of those. */
hs_status hs__probe_links(hs__probe *probe, int sweep)
{
    int rounds = hs__tournament_rounds(probe->hosts);
    if (rounds == 0)
        return HS_OK;
    hs_status status = sweep % HS__ENOUGH_READINGS == 0 ? hs__probe_latencies(probe, sweep, rounds) : HS_OK;
    double left = fmax(probe->budget - probe->elapsed, 0);
    double pairs = 0.5 * probe->hosts * (probe->hosts - 1);
    double slots = rounds + (probe->hosts > 3 ? doubtful_share * pairs : 0);
    double slice = fmin(fmax(left / (slot_slices * slots), shortest_slice), longest_slice);
    /* The first sweep keeps time for readings alone; in later ones most pairs, and so most rounds, stay out. */
    double fitting = left / (slot_slices * slice);
    int some = sweep > 0 ? rounds : from_one(fitting - least_alone, rounds);
    double before = probe->elapsed;
    if (status == HS_OK)
        status = measure_rounds(probe, sweep, some, slice);
    if (status == HS_OK && sweep + 1 < HS__ENOUGH_READINGS)
        status = measure_alone(probe, HS__URGENT, sweep + 1, slice);
    if (status == HS_OK && (sweep + 1 >= HS__ENOUGH_READINGS || probe->elapsed == before))
        status = measure_alone(probe, HS__USEFUL, sweep + 1, slice);
    return status;
}
