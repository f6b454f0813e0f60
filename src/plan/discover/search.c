/* SPDX-License-Identifier: BSD-3-Clause */
/* Which cut explains best what the known links do not. At each switch its branches are parted so that flows across lose most,
 * from random beginnings, and by the ends of flows that one round held up alike; the best of these candidates are improved by
 * moving single branches. */
#include "plan/discover/tree.h"
#include "util/assert.h"
#include "util/pool.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double least_sure = 0.12;                 /* a cut that is added explains so much without its best round */
static const double kept_gain = 0.2, kept_sure = 0.05; /* and one that stays so much */
static const double suspicious = 0.1; /* a cut that explains so much without its best flow is worth a round */
static const double better = 0.02;    /* gain that is worth moving a branch */
static const double held_up = 0.75;   /* a flow that gets less than this part of what is left to it */
static const double alike = 0.85;     /* rates that differ by less may be the same */

enum { STARTS = 16, SEEDS = 6 };

typedef struct search {
    hs__discovery *d;
    int branches;
    int *branch;          /* of host */
    double *loss;         /* of flows between branches a and b, added up, [a * branches + b] */
    int *count;           /* of those flows */
    hs__probe_flow *held; /* scratch: of one round */
    unsigned char *in;    /* of branch: whether it is in the candidate */
    unsigned char *side;  /* the candidate by host */
    unsigned char *seed[SEEDS];
    double seed_gain[SEEDS];
    unsigned char *best, *suspect; /* by host: the best cut that can be added, the most likely of the others */
    double best_gain, suspect_likely;
    hs__pool pool; /* has all arrays */
} search;

static hs_status search_init(search *s, hs__discovery *d)
{
    size_t n = (size_t)d->hosts + 1;
    *s = (search){.d = d, .best_gain = 0};
    s->branch = hs__pool_new(&s->pool, n, sizeof(int));
    s->loss = hs__pool_new(&s->pool, n * n, sizeof(double));
    s->count = hs__pool_new(&s->pool, n * n, sizeof(int));
    s->held = hs__pool_new(&s->pool, n, sizeof *s->held);
    s->in = hs__pool_new(&s->pool, n, 1);
    s->side = hs__pool_new(&s->pool, n, 1);
    s->best = hs__pool_new(&s->pool, n, 1);
    s->suspect = hs__pool_new(&s->pool, n, 1);
    for (int k = 0; k < SEEDS; k++)
        s->seed[k] = hs__pool_new(&s->pool, n, 1);
    return hs__pool_complete(&s->pool);
}

/* The candidate in in[] with its gains: none when it is no cut of its own. */
static hs__cut judge(search *s)
{
    int size = 0;
    hs__cut cut = {.side = s->side, .host = -1};
    for (int b = 0; b < s->branches; b++)
        size += s->in[b];
    if (size < 2 || size > s->branches - 2 || s->in[s->branches - 1])
        return cut;
    for (int h = 0; h < s->d->hosts; h++)
        s->side[h] = s->in[s->branch[h]];
    hs__cut_best_policy(s->d, &cut);
    return cut;
}

/* Of flows between each two branches. @return the mean loss */
static double sum_losses(search *s)
{
    int n = s->branches, flows = 0;
    double sum = 0;
    memset(s->loss, 0, (size_t)n * (size_t)n * sizeof *s->loss);
    memset(s->count, 0, (size_t)n * (size_t)n * sizeof *s->count);
    for (size_t f = 0; f < s->d->flows; f++) {
        int a = s->branch[s->d->flow[f].from], b = s->branch[s->d->flow[f].to];
        double loss = fmin(fmax(log(s->d->bound[f] / s->d->flow[f].rate), 0), 1);
        if (a == b)
            continue;
        s->loss[a * n + b] = s->loss[b * n + a] += loss;
        s->count[a * n + b] = ++s->count[b * n + a];
        sum += loss;
        flows++;
    }
    HS_ASSERT(sum >= 0 && sum <= flows);
    return flows ? sum / flows : 0;
}

/* Keep the candidate in in[] if it is among the best. */
static void keep_seed(search *s)
{
    int least = 0;
    double gain = judge(s).gain;
    for (int k = 1; k < SEEDS; k++)
        if (s->seed_gain[k] < s->seed_gain[least])
            least = k;
    if (gain <= s->seed_gain[least])
        return;
    s->seed_gain[least] = gain;
    memcpy(s->seed[least], s->in, (size_t)s->branches);
}

/* How much more than `usual` each, added up, flows would lose across the candidate if branch b changed its side. */
static double turning_gains(const search *s, int b, double usual)
{
    double gain = 0;
    for (int other = 0, k = b * s->branches; other < s->branches; other++, k++)
        gain += (s->in[other] == s->in[b] ? 1 : -1) * (s->loss[k] - usual * s->count[k]);
    return gain;
}

/* A random candidate across which flows lose more than usual: single branches change their side as long as that adds to it. */
static void part_by_losses(search *s, double usual)
{
    int last = s->branches - 1, turned;
    for (int b = 0; b < last; b++)
        s->in[b] = hs__random_below(&s->d->random, 2) != 0;
    s->in[last] = 0;
    do {
        turned = 0;
        for (int b = 0; b < last; b++)
            if (turning_gains(s, b, usual) > 1e-9) {
                s->in[b] ^= 1;
                turned = 1;
            }
    } while (turned);
    HS_ASSERT(!s->in[last]);
}

static int by_rate(const void *a, const void *b)
{
    double x = ((const hs__probe_flow *)a)->rate, y = ((const hs__probe_flow *)b)->rate;
    return (x > y) - (x < y);
}

/* The flows of round r between branches that got clearly less than the known links leave them, by rate. @return their number */
static int list_held(search *s, int r)
{
    int n = 0;
    for (size_t f = s->d->first[r]; f < s->d->first[r + 1]; f++) {
        const hs__probe_flow *flow = &s->d->flow[f];
        if (s->branch[flow->from] != s->branch[flow->to] && flow->rate < held_up * s->d->bound[f])
            s->held[n++] = *flow;
    }
    HS_ASSERT(n <= s->d->hosts);
    qsort(s->held, (size_t)n, sizeof *s->held, by_rate);
    return n;
}

/* in[] becomes the branches at one end of the flows, way 0: that send and do not get; the others when the last one does. */
static void take_ends(search *s, const hs__probe_flow *flow, int n, int way)
{
    memset(s->in, 0, (size_t)s->branches);
    for (int k = 0; k < n; k++)
        s->in[s->branch[way ? flow[k].to : flow[k].from]] = 1;
    for (int k = 0; k < n; k++)
        s->in[s->branch[way ? flow[k].from : flow[k].to]] = 0;
    unsigned char flip = s->in[s->branches - 1];
    for (int b = 0; b < s->branches; b++)
        s->in[b] ^= flip;
    HS_ASSERT(!s->in[s->branches - 1]);
}

/* Flows that one link holds up get the same from it, and cross it: their ends are on different sides. */
static void part_by_round(search *s, int r)
{
    int n = list_held(s, r);
    for (int first = 0, last; first < n; first = last) {
        for (last = first; last < n && alike * s->held[last].rate <= s->held[first].rate; last++)
            ;
        for (int way = 0; way < 2 && last - first > 1; way++) {
            take_ends(s, s->held + first, last - first, way);
            keep_seed(s);
        }
    }
}

static void find_seeds(search *s)
{
    static const double usual[] = {0.5, 1, 1.5, 2}; /* of the mean loss: few large losses, or many small ones */
    double mean = sum_losses(s);
    for (int k = 0; k < SEEDS; k++)
        s->seed_gain[k] = 0;
    for (int start = 0; start < STARTS; start++) {
        part_by_losses(s, usual[start % 4] * mean);
        keep_seed(s);
    }
    for (int r = 0; r < s->d->rounds; r++)
        part_by_round(s, r);
}

/* Move single branches as long as that gains. */
static hs__cut climb(search *s)
{
    hs__cut cut = judge(s);
    double before;
    do {
        before = cut.gain;
        for (int b = 0; b + 1 < s->branches; b++) {
            s->in[b] ^= 1;
            hs__cut other = judge(s);
            if (other.gain > cut.gain + better)
                cut = other;
            else
                s->in[b] ^= 1;
        }
    } while (cut.gain > before);
    HS_ASSERT(judge(s).gain >= cut.gain - 1e-9);
    return cut;
}

/* Keep the candidate in in[] if it is the best that can be added, or the most likely of the others. */
static void keep_best(search *s, const hs__cut *cut)
{
    int sure = cut->gain >= hs__least_gain && cut->sure >= least_sure;
    double value = sure ? cut->gain : cut->likely, *most = sure ? &s->best_gain : &s->suspect_likely;
    if (value <= *most)
        return;
    *most = value;
    for (int h = 0; h < s->d->hosts; h++)
        (sure ? s->best : s->suspect)[h] = s->in[s->branch[h]];
}

static void search_node(search *s, int node)
{
    s->branches = hs__tree_branches(s->d, node, s->branch);
    if (s->branches < 4)
        return;
    find_seeds(s);
    for (int k = 0; k < SEEDS; k++) {
        if (s->seed_gain[k] <= 0)
            continue;
        memcpy(s->in, s->seed[k], (size_t)s->branches);
        hs__cut cut = climb(s);
        keep_best(s, &cut);
    }
}

/* Whether a side is a cut of its own beside all others. */
static int fits(const hs__discovery *d, const unsigned char *side, int except)
{
    for (int c = 0; c < d->cuts; c++) {
        int seen[4] = {0, 0, 0, 0}, kinds = 0;
        if (c == except)
            continue;
        for (int h = 0; h < d->hosts; h++)
            seen[2 * side[h] + d->cut[c].side[h]] = 1;
        for (int k = 0; k < 4; k++)
            kinds += seen[k];
        if (kinds != 3)
            return 0;
    }
    return 1;
}

hs_status hs__cuts_search(hs__discovery *d, int *found)
{
    search s;
    hs_status status = search_init(&s, d);
    *found = 0;
    d->suspected = 0;
    while (status == HS_OK) {
        s.best_gain = s.suspect_likely = 0;
        hs__cuts_bound(d, -1);
        for (int node = d->hosts - 1; node < d->cuts; node++)
            search_node(&s, node < d->hosts ? -1 : node);
        if (s.best_gain == 0)
            break;
        hs__cut cut = {.side = s.best, .host = -1};
        hs__cut_best_policy(d, &cut);
        HS_ASSERT(fits(d, cut.side, -1)); /* cuts are nested or apart */
        status = hs__tree_add(d, &cut);
        ++*found;
    }
    if (status == HS_OK && s.suspect_likely > suspicious && d->suspicions < 2 * ceil(log2(d->hosts))) {
        memcpy(d->suspect, s.suspect, (size_t)d->hosts);
        d->suspected = 1;
    }
    hs__pool_free(&s.pool);
    return status;
}

/* Move single hosts across the cut as long as that gains. @return how many */
static int move_hosts(hs__discovery *d, int c)
{
    hs__cut *cut = &d->cut[c];
    int moved = 0;
    hs__cut_best_policy(d, cut);
    for (int h = 1; h < d->hosts; h++) {
        hs__cut other = *cut;
        other.side[h] ^= 1;
        if (fits(d, other.side, c) && hs__cut_best_policy(d, &other) > cut->gain + better) {
            *cut = other;
            moved++;
        } else {
            cut->side[h] ^= 1;
        }
    }
    return moved;
}

int hs__cuts_repair(hs__discovery *d)
{
    int changed = 0;
    for (int c = d->cuts - 1; c >= d->hosts; c--) {
        hs__cuts_bound(d, c);
        changed += move_hosts(d, c);
        if (d->cut[c].gain < kept_gain || d->cut[c].sure < kept_sure) {
            hs__tree_remove(d, c);
            changed++;
        }
    }
    hs__tree_link(d);
    return changed;
}

static const double hidden = 1.15; /* a trunk that leaves a flow less than this hides the host's own link */
static const double binding = 1.1; /* links that leave a flow at most this much more than the least are bottlenecks */

int hs__cut_is_full(const hs__discovery *d, const hs__cut *cut, int r, int way)
{
    int bound = 0, flows = 0;
    for (size_t f = d->first[r]; f < d->first[r + 1]; f++) {
        const hs__probe_flow *flow = &d->flow[f];
        if (cut->side[flow->from] == cut->side[flow->to] || cut->side[flow->to] != way)
            continue;
        flows++;
        bound += hs__cut_leaves(cut, &d->tally[r], way) <= binding * d->bound[f] &&
                 (cut->host < 0 || d->trunk_bound[f] > hidden * flow->rate);
    }
    return flows > 0 && 2 * bound >= flows;
}

void hs__cuts_count_full(hs__discovery *d)
{
    hs__cuts_bound(d, -1);
    for (int c = 0; c < d->cuts; c++) {
        hs__cut *cut = &d->cut[c];
        cut->full[0] = cut->full[1] = 0;
        hs__cut_tally(d, cut->side);
        for (int r = 0; r < d->rounds; r++)
            for (int way = 0; way < 2; way++)
                cut->full[way] += hs__cut_is_full(d, cut, r, way);
    }
}
