/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/discover/cuts.h"
#include "util/median.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double worst_misfit = 0.4;           /* of one reading: outliers count no more */
static const double noise = 0.12;                 /* misses below this factor are noise */
static const double near_top = 0.85;              /* sums above this part of the largest are readings of the capacity */
static const double lead = 0.4, sure_lead = 0.15; /* gain by which another policy must lead over duplex */

/* How badly a prediction misses a reading; misses beyond a factor of two count alike. */
static double misfit(double predicted, double measured)
{
    double x = fmax(fabs(log(predicted / measured)) - noise, 0);
    return fmin(x * x, worst_misfit);
}

/* -1: the flow does not cross; 0: it leaves the side; 1: it enters it. */
static int way_of(const hs__probe_flow *flow, const unsigned char *side)
{
    return side[flow->from] == side[flow->to] ? -1 : side[flow->to];
}

void hs__cut_tally(hs__discovery *d, const unsigned char *side)
{
    for (int r = 0; r < d->rounds; r++) {
        hs__tally tally = {{0, 0}, {0, 0}, {0, 0}};
        for (size_t f = d->first[r]; f < d->first[r + 1]; f++) {
            int way = way_of(&d->flow[f], side);
            if (way < 0)
                continue;
            tally.sum[way] += d->flow[f].rate;
            tally.top[way] = fmax(tally.top[way], d->flow[f].rate);
            tally.flows[way]++;
        }
        d->tally[r] = tally;
    }
}

/* The median of the values near the largest. */
static double top_of(double *value, int n)
{
    int near = 0;
    double largest = 0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, value[i]);
    for (int i = 0; i < n; i++)
        if (value[i] >= near_top * largest)
            value[near++] = value[i];
    return hs__median(value, near);
}

static double top_flow(hs__discovery *d, const unsigned char *side)
{
    int n = 0;
    for (size_t f = 0; f < d->flows; f++)
        if (way_of(&d->flow[f], side) >= 0)
            d->rate[n++] = d->flow[f].rate;
    return top_of(d->rate, n);
}

void hs__cut_capacity(hs__discovery *d, hs__cut *cut)
{
    if (cut->policy == HS__CUT_FATPIPE) {
        cut->capacity[0] = cut->capacity[1] = top_flow(d, cut->side);
        return;
    }
    for (int way = 0; way < 2; way++) {
        int n = 0;
        for (int r = 0; r < d->rounds; r++) {
            const hs__tally *tally = &d->tally[r];
            if (cut->policy == HS__CUT_SHARED && tally->flows[0] + tally->flows[1] > 0)
                d->value[n++] = tally->sum[0] + tally->sum[1];
            else if (cut->policy == HS__CUT_DUPLEX && tally->flows[way] > 0)
                d->value[n++] = tally->sum[way];
        }
        cut->capacity[way] = top_of(d->value, n);
    }
}

/* A full link leaves all flows what the fastest has; else that and what is free. */
double hs__cut_leaves(const hs__cut *cut, const hs__tally *tally, int way)
{
    double sum = tally->sum[way], top = tally->top[way], capacity = cut->capacity[way];
    int flows = tally->flows[way];
    if (cut->policy == HS__CUT_FATPIPE)
        return capacity;
    if (cut->policy == HS__CUT_SHARED) {
        sum += tally->sum[1 - way];
        flows += tally->flows[1 - way];
        top = fmax(top, tally->top[1 - way]);
    }
    return fmax(capacity / flows, top + capacity - sum);
}

/* Lower bound[] of every flow to what the cut leaves it. Sets tally[]. */
static void apply(hs__discovery *d, const hs__cut *cut)
{
    hs__cut_tally(d, cut->side);
    for (int r = 0; r < d->rounds; r++)
        for (size_t f = d->first[r]; f < d->first[r + 1]; f++) {
            int way = way_of(&d->flow[f], cut->side);
            if (way >= 0)
                d->bound[f] = fmin(d->bound[f], hs__cut_leaves(cut, &d->tally[r], way));
        }
}

/* Set the gains of the cut under its policy, and its capacities. Uses tally[]. */
static void measure_gain(hs__discovery *d, hs__cut *cut)
{
    double round = 0, flow = 0; /* the most that one says for it */
    cut->gain = 0;
    hs__cut_capacity(d, cut);
    for (int r = 0; r < d->rounds; r++) {
        double here = 0;
        if (d->tally[r].flows[0] + d->tally[r].flows[1] == 0)
            continue;
        for (size_t f = d->first[r]; f < d->first[r + 1]; f++) {
            int way = way_of(&d->flow[f], cut->side);
            double rate = d->flow[f].rate;
            double left = way < 0 ? INFINITY : hs__cut_leaves(cut, &d->tally[r], way);
            if (left >= d->bound[f])
                continue;
            double gain = misfit(d->bound[f], rate) - misfit(left, rate);
            here += gain;
            flow = fmax(flow, gain);
        }
        cut->gain += here;
        round = fmax(round, here);
    }
    cut->sure = cut->gain - round;
    cut->likely = cut->gain - flow;
}

double hs__cut_best_policy(hs__discovery *d, hs__cut *cut)
{
    cut->policy = HS__CUT_DUPLEX;
    hs__cut_tally(d, cut->side);
    measure_gain(d, cut);
    hs__cut duplex = *cut, best = *cut;
    for (int policy = HS__CUT_SHARED; policy <= (cut->host < 0 ? HS__CUT_FATPIPE : HS__CUT_SHARED); policy++) {
        cut->policy = (hs__cut_policy)policy;
        measure_gain(d, cut);
        if (cut->gain > duplex.gain + lead && cut->sure > duplex.sure + sure_lead && cut->gain > best.gain)
            best = *cut;
    }
    *cut = best;
    return cut->gain;
}

/* What a flow of round r would get if the link of the host that it leaves (way 0) or enters were wide. */
static double left_by_others(const hs__discovery *d, int r, size_t f, int way)
{
    const hs__cut *other = &d->cut[way == 0 ? d->flow[f].to : d->flow[f].from];
    int sharing = 0;
    for (size_t k = d->first[r]; k < d->first[r + 1]; k++)
        sharing += way_of(&d->flow[k], other->side) == 1 - way;
    return fmin(d->trunk_bound[f], other->capacity[1 - way] / sharing);
}

int hs__host_seen_full(const hs__discovery *d, int host, int way)
{
    const hs__cut *cut = &d->cut[host];
    int seen = 0;
    for (int r = 0; r < d->rounds; r++) {
        double others = 0;
        for (size_t f = d->first[r]; f < d->first[r + 1]; f++)
            if (way_of(&d->flow[f], cut->side) == way)
                others += left_by_others(d, r, f, way);
        seen += others > (1 + hs__widths_alike) * cut->capacity[way];
    }
    return seen;
}

void hs__cuts_bound(hs__discovery *d, int except)
{
    for (size_t f = 0; f < d->flows; f++)
        d->bound[f] = INFINITY;
    for (int c = d->cuts - 1; c >= 0; c--) {
        if (c == d->hosts - 1)
            memcpy(d->trunk_bound, d->bound, d->flows * sizeof *d->bound);
        if (c != except)
            apply(d, &d->cut[c]);
    }
}

double hs__cuts_misfit(const hs__discovery *d)
{
    double sum = 0;
    for (size_t f = 0; f < d->flows; f++)
        sum += misfit(d->bound[f], d->flow[f].rate);
    return sum;
}
