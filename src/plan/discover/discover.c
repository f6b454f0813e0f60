/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/discover/discover.h"
#include "plan/discover/tree.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/median.h"
#include "util/sort.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double least_better = 0.02; /* what another tree must explain more */

void hs__discovery_free(hs__discovery *d)
{
    if (!d)
        return;
    for (int c = 0; c < d->cuts; c++)
        free(d->cut[c].side);
    free(d->cut);
    free(d->flow);
    free(d->bound);
    free(d->trunk_bound);
    free(d->first);
    free(d->tally);
    free(d->value);
    free(d->rate);
    free(d->suspect);
    free(d->met);
    free(d->host_policy);
    free(d);
}

static hs_status reserve(hs__discovery *d, int n)
{
    size_t flows = d->flows + (size_t)n, rounds = (size_t)d->rounds + 1;
    return hs__array_reserve(&d->flow, &d->flow_room, flows, sizeof *d->flow) == 0 &&
                   hs__array_reserve(&d->bound, &d->bound_room, flows, sizeof *d->bound) == 0 &&
                   hs__array_reserve(&d->trunk_bound, &d->trunk_bound_room, flows, sizeof *d->trunk_bound) == 0 &&
                   hs__array_reserve(&d->rate, &d->rate_room, flows, sizeof *d->rate) == 0 &&
                   hs__array_reserve(&d->first, &d->first_room, rounds + 1, sizeof *d->first) == 0 &&
                   hs__array_reserve(&d->tally, &d->tally_room, rounds, sizeof *d->tally) == 0 &&
                   hs__array_reserve(&d->value, &d->value_room, rounds + (size_t)d->hosts, sizeof *d->value) == 0
               ? HS_OK
               : HS_ERR_NOMEM;
}

hs_status hs__discovery_create(int n, hs__discovery **discovery)
{
    hs__discovery *d = hs__array_new(1, sizeof *d);
    if (!d)
        return HS_ERR_NOMEM;
    d->hosts = n;
    d->random.state = 1;
    d->suspect = hs__array_new((size_t)n, 1);
    d->met = hs__array_new((size_t)n * (size_t)n, 1);
    d->host_policy = hs__array_new((size_t)n, sizeof *d->host_policy);
    unsigned char *side = hs__array_new((size_t)n, 1);
    hs_status status = d->suspect && d->met && d->host_policy && side && reserve(d, 1) == HS_OK ? HS_OK : HS_ERR_NOMEM;
    for (int h = 0; h < n && status == HS_OK; h++) {
        side[h] = 1;
        status = hs__tree_add(d, &(hs__cut){.side = side, .host = h, .parent = -1});
        side[h] = 0;
    }
    free(side);
    if (status == HS_OK) {
        d->first[0] = 0;
        *discovery = d;
    } else {
        hs__discovery_free(d);
    }
    return status;
}

/* The capacities of the hosts' own links: what they carried when they carried most. Each is judged as if all others were
 * duplex: of two that share both ways alike, the first would explain all that the second could. */
static void measure_hosts(hs__discovery *d)
{
    for (int h = 0; h < d->hosts; h++) {
        d->cut[h].policy = HS__CUT_DUPLEX;
        hs__cut_tally(d, d->cut[h].side);
        hs__cut_capacity(d, &d->cut[h]);
    }
    for (int h = 0; h < d->hosts; h++) {
        hs__cut judged = d->cut[h];
        hs__cuts_bound(d, h);
        hs__cut_best_policy(d, &judged);
        d->host_policy[h] = judged.policy;
    }
    for (int h = 0; h < d->hosts; h++) {
        if (d->host_policy[h] == HS__CUT_DUPLEX)
            continue;
        d->cut[h].policy = d->host_policy[h];
        hs__cut_tally(d, d->cut[h].side);
        hs__cut_capacity(d, &d->cut[h]);
    }
}

/* What the readings and the number of links say against the present tree. */
static double cost(hs__discovery *d)
{
    hs__cuts_bound(d, -1);
    return hs__cuts_misfit(d) + hs__least_gain * (d->cuts - d->hosts);
}

/* Find all cuts between switches anew, and keep them when they explain more: early cuts rest on few readings. */
static hs_status start_over(hs__discovery *d, int *better)
{
    int kept = d->cuts - d->hosts, found;
    double before = cost(d);
    hs__cut *old = hs__array_new((size_t)kept, sizeof *old);
    if (!old)
        return HS_ERR_NOMEM;
    memcpy(old, d->cut + d->hosts, (size_t)kept * sizeof *old);
    d->cuts = d->hosts;
    hs__tree_link(d);
    hs_status status = hs__cuts_search(d, &found);
    if (status == HS_OK)
        hs__cuts_repair(d);
    *better = status == HS_OK && cost(d) < before - least_better;
    for (int c = *better ? 0 : d->hosts; c < (*better ? kept : d->cuts); c++)
        free(*better ? old[c].side : d->cut[c].side);
    if (!*better) {
        d->cuts = d->hosts + kept;
        memcpy(d->cut + d->hosts, old, (size_t)kept * sizeof *old);
        hs__tree_link(d);
    }
    free(old);
    return status;
}

hs_status hs__discovery_add(hs__discovery *d, const hs__probe_flow *flow, int n)
{
    int found = 0, better = 0;
    hs_status status = reserve(d, n);
    if (status != HS_OK)
        return status;
    for (int k = 0; k < n; k++) {
        d->probes++;
        d->met[(size_t)flow[k].from * (size_t)d->hosts + (size_t)flow[k].to] = 1;
        if (flow[k].rate > 0)
            d->flow[d->flows++] = flow[k];
    }
    d->first[++d->rounds] = d->flows;
    measure_hosts(d);
    int changed = hs__cuts_repair(d);
    status = hs__cuts_search(d, &found);
    if (status == HS_OK && (d->rounds % 4 == 0 || found)) {
        changed += found;
        status = start_over(d, &better);
        if (status == HS_OK)
            status = hs__cuts_search(d, &found);
    }
    hs__cuts_count_full(d);
    d->quiet = changed || found || better || d->suspected ? 0 : d->quiet + 1;
    return status;
}

int hs__discovery_ended(const hs__discovery *d)
{
    return d->ended;
}

int hs__discovery_probes(const hs__discovery *d)
{
    return d->probes;
}

int hs__discovery_rounds(const hs__discovery *d)
{
    return d->rounds;
}

int hs__discovery_round(const hs__discovery *d, int r, const hs__probe_flow **flow)
{
    HS_ASSERT(r >= 0 && r < d->rounds);
    *flow = d->flow + d->first[r];
    return (int)(d->first[r + 1] - d->first[r]);
}

const hs__cut *hs__discovery_cuts(const hs__discovery *d, int *count)
{
    *count = d->cuts;
    return d->cut;
}

/* What the cut carried in the rounds in which it was the bottleneck, over what it should carry. @return how many */
static int collect_ratios(hs__discovery *d, const hs__cut *cut, int way, double *ratio)
{
    int n = 0;
    hs__cut_tally(d, cut->side);
    for (int r = 0; r < d->rounds; r++) {
        const hs__tally *tally = &d->tally[r];
        if (tally->flows[way] == 0 || !hs__cut_is_full(d, cut, r, way))
            continue;
        double sum = tally->sum[way] + (cut->policy == HS__CUT_SHARED ? tally->sum[1 - way] : 0);
        if (cut->policy == HS__CUT_FATPIPE)
            sum /= tally->flows[way];
        ratio[n++] = sum / cut->capacity[way];
    }
    return n;
}

/* 90 % of medians are within so many standard errors of independent readings; those of a link are not quite independent. */
static const double interval = 1.645 * 1.25 * 1.4;
static const double least_half = 0.01;   /* of an interval's width, a part of the bandwidth */
static const double usual_spread = 0.06; /* of a reading, until enough of them tell */
static const double unlike = 0.5;        /* two ways that differ by more are not, however few readings say so */
static const double kind = 0.9;          /* hosts whose links differ by less are of one kind */
enum { FEW = 5, POLISH = 4, LATENCY_SWEEPS = 20, SURE = 3 };
enum { SEEN = 2 }; /* rounds that show a link full: one may be explained by a link that was not found */

/* Correct the capacity by the median ratio, and give it an interval from the median distance to it. */
static void polish(hs__discovery *d, hs__cut *cut, int way)
{
    double *ratio = d->value;
    int n = collect_ratios(d, cut, way, ratio);
    cut->full[way] = n;
    cut->low[way] = cut->capacity[way];
    cut->high[way] = INFINITY;
    if (n == 0)
        return;
    hs__sort_doubles(ratio, (size_t)n);
    double middle = ratio[n / 2]; /* of two the larger: disturbances lower readings more often than they raise them */
    for (int k = 0; k < n; k++)
        ratio[k] = fabs(ratio[k] - middle);
    double spread =
        1.48 * hs__median(ratio, n) * n / (n - 0.8); /* the median of few distances is too small by so much */
    if (n < FEW)
        spread = fmax(spread, usual_spread);
    cut->capacity[way] *= middle;
    double half = interval * spread / sqrt(n);
    cut->low[way] = cut->capacity[way] * fmax(1 - half, 0.1);
    cut->high[way] = cut->capacity[way] * (1 + half);
}

/* One duplex link has one capacity: the directions differ only when enough readings say so. Of directions known alike
 * the faster counts, since disturbances only slow flows. */
static void join_directions(const hs__discovery *d, hs__cut *cut)
{
    double out = cut->capacity[0], in = cut->capacity[1], joint = fmax(out, in);
    int least = cut->full[0] < cut->full[1] ? cut->full[0] : cut->full[1];
    if (cut->host >= 0 && fabs(out - in) > hs__widths_alike * joint &&
        hs__host_seen_full(d, cut->host, in < out) < SEEN)
        least = 0;
    if (least >= SURE ? fabs(out - in) > hs__widths_alike * joint : least > 0 && fmin(out, in) < unlike * joint)
        return;
    if (least > 0 && fabs(out - in) <= hs__widths_alike * joint)
        joint = (out * cut->full[0] + in * cut->full[1]) / (cut->full[0] + cut->full[1]);
    cut->capacity[0] = cut->capacity[1] = joint;
}

/* A host that sent or received nothing is like itself the other way, one without a reading like the others. */
static void complete(hs__discovery *d)
{
    int n = 0;
    for (int h = 0; h < d->hosts; h++)
        if (d->cut[h].capacity[0] > 0)
            d->value[n++] = d->cut[h].capacity[0];
    double usual = hs__median(d->value, n);
    for (int c = 0; c < d->cuts; c++) {
        hs__cut *cut = &d->cut[c];
        double most = fmax(cut->capacity[0], cut->capacity[1]);
        for (int way = 0; way < 2; way++) {
            if (cut->capacity[way] > 0)
                continue;
            cut->capacity[way] = most > 0 ? most : usual;
            cut->low[way] = 0;
            cut->high[way] = INFINITY;
        }
        if (cut->policy == HS__CUT_DUPLEX)
            join_directions(d, cut);
    }
}

static void set_known(hs__cut *cut, double capacity, double half)
{
    for (int way = 0; way < 2; way++) {
        cut->capacity[way] = capacity;
        cut->low[way] = capacity * fmax(1 - half, 0.1);
        cut->high[way] = capacity * (1 + half);
    }
}

/* Hosts come in kinds: those whose links differ by less than the error of a reading get the mean of their kind. */
static hs_status join_hosts(hs__discovery *d)
{
    int n = 0;
    hs__ranked *sorted = hs__array_new((size_t)d->hosts, sizeof *sorted);
    if (!sorted)
        return HS_ERR_NOMEM;
    for (int h = 0; h < d->hosts; h++)
        if (d->cut[h].capacity[0] == d->cut[h].capacity[1] && d->cut[h].full[0] + d->cut[h].full[1] > 0)
            sorted[n++] = (hs__ranked){d->cut[h].capacity[0], h};
    hs__rank_largest_first(sorted, (size_t)n);
    for (int first = 0, last; first < n; first = last) {
        double sum = 0, weight = 0;
        for (last = first; last < n && sorted[last].value > kind * sorted[first].value; last++) {
            const hs__cut *cut = &d->cut[sorted[last].index];
            int full = cut->full[0] + cut->full[1];
            sum += full * sorted[last].value;
            weight += full;
        }
        for (int k = first; k < last; k++)
            set_known(&d->cut[sorted[k].index], sum / weight, fmax(interval * usual_spread / sqrt(weight), least_half));
    }
    free(sorted);
    return HS_OK;
}

/* The cut takes the mean of what is left of the latencies across it. left[] is NAN where nothing was measured. */
static void settle_latency(const hs__discovery *d, hs__cut *cut, double *left)
{
    int n = d->hosts, pairs = 0;
    double sum = 0, before = cut->latency;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (cut->side[i] != cut->side[j] && !isnan(left[i * n + j])) {
                sum += left[i * n + j];
                pairs++;
            }
    if (pairs)
        cut->latency = fmax(before + sum / pairs, 0);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (cut->side[i] != cut->side[j])
                left[i * n + j] -= cut->latency - before;
}

void hs__discovery_latencies(hs__discovery *d, double *latency)
{
    for (int k = 0; k < d->hosts * d->hosts; k++)
        if (latency[k] <= 0)
            latency[k] = NAN;
    for (int sweep = 0; sweep < LATENCY_SWEEPS; sweep++)
        for (int c = 0; c < d->cuts; c++)
            settle_latency(d, &d->cut[c], latency);
}

hs_status hs__discovery_conclude(hs__discovery *d)
{
    for (int k = 0; k < POLISH; k++) {
        hs__cuts_bound(d, -1);
        for (int c = 0; c < d->cuts; c++)
            for (int way = 0; way < 2; way++)
                polish(d, &d->cut[c], way);
    }
    hs__cuts_bound(d, -1);
    complete(d);
    return join_hosts(d);
}
