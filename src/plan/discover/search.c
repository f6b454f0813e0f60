/* SPDX-License-Identifier: BSD-3-Clause */
/* Which cut explains best what the known links do not. At each switch the branches are joined one by one, those first
 * between which flows lost least; each group on the way is a candidate, and the best are improved by moving single
 * branches. */
#include "plan/discover/tree.h"
#include "util/array.h"
#include "util/assert.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double least_gain = 0.3, least_sure = 0.12; /* a cut that is added explains so much */
static const double kept_gain = 0.2, kept_sure = 0.05;   /* and one that stays so much */
static const double suspicious = 0.12;                   /* a cut with this gain is worth a round */
static const double better = 0.02;                       /* gain that is worth moving a branch */

enum { SEEDS = 3 };

typedef struct search {
    hs__discovery *d;
    int node, branches;
    int *branch;         /* of host; owned */
    int *group;          /* of branch; owned */
    double *loss;        /* of flows between groups a and b, added up, [a * branches + b]; owned */
    int *count;          /* of those flows; owned */
    unsigned char *in;   /* of branch: whether it is in the candidate; owned */
    unsigned char *side; /* the candidate by host; owned */
    unsigned char *seed[SEEDS];
    double seed_gain[SEEDS];
    unsigned char *best; /* by host; owned */
    double best_gain, best_sure;
} search;

static void search_free(search *s)
{
    free(s->branch);
    free(s->group);
    free(s->loss);
    free(s->count);
    free(s->in);
    free(s->side);
    free(s->best);
    for (int k = 0; k < SEEDS; k++)
        free(s->seed[k]);
}

static hs_status search_init(search *s, hs__discovery *d)
{
    size_t n = (size_t)d->hosts + 1;
    int complete = 1;
    *s = (search){.d = d, .best_gain = 0};
    s->branch = hs__array_new(n, sizeof(int));
    s->group = hs__array_new(n, sizeof(int));
    s->loss = hs__array_new(n * n, sizeof(double));
    s->count = hs__array_new(n * n, sizeof(int));
    s->in = hs__array_new(n, 1);
    s->side = hs__array_new(n, 1);
    s->best = hs__array_new(n, 1);
    for (int k = 0; k < SEEDS; k++)
        complete &= (s->seed[k] = hs__array_new(n, 1)) != NULL;
    return complete && s->branch && s->group && s->loss && s->count && s->in && s->side && s->best ? HS_OK
                                                                                                   : HS_ERR_NOMEM;
}

/* The gain of the candidate in in[]; 0 when it is no cut of its own. */
static double gain_of(search *s, double *sure)
{
    int size = 0;
    *sure = 0;
    for (int b = 0; b < s->branches; b++)
        size += s->in[b];
    if (size < 2 || size > s->branches - 2 || s->in[s->branches - 1])
        return 0;
    for (int h = 0; h < s->d->hosts; h++)
        s->side[h] = s->in[s->branch[h]];
    return hs__cut_best_policy(s->d, &(hs__cut){.side = s->side, .host = -1}, sure);
}

static void sum_losses(search *s)
{
    int n = s->branches;
    memset(s->loss, 0, (size_t)n * (size_t)n * sizeof *s->loss);
    memset(s->count, 0, (size_t)n * (size_t)n * sizeof *s->count);
    for (size_t f = 0; f < s->d->flows; f++) {
        int a = s->branch[s->d->flow[f].from], b = s->branch[s->d->flow[f].to];
        double loss = fmin(fmax(log(s->d->bound[f] / s->d->flow[f].rate), 0), 1);
        s->loss[a * n + b] += loss;
        s->count[a * n + b]++;
        s->loss[b * n + a] += loss;
        s->count[b * n + a]++;
    }
}

/* The two groups that lose least between them; groups that never met last. @return 0 when one group is left */
static int nearest(const search *s, int *a, int *b)
{
    double least = INFINITY;
    int n = s->branches;
    *a = *b = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i && s->group[i] == i; j++) {
            int k = i * n + j;
            if (s->group[j] != j)
                continue;
            double mean = s->count[k] ? s->loss[k] / s->count[k] - 1e-3 * fmin(s->count[k], 9) : 2;
            if (mean < least) {
                least = mean;
                *a = j;
                *b = i;
            }
        }
    return isfinite(least);
}

static void join(search *s, int a, int b)
{
    int n = s->branches;
    for (int i = 0; i < n; i++) {
        s->loss[a * n + i] += s->loss[b * n + i];
        s->loss[i * n + a] = s->loss[a * n + i];
        s->count[a * n + i] += s->count[b * n + i];
        s->count[i * n + a] = s->count[a * n + i];
        if (s->group[i] == b)
            s->group[i] = a;
    }
}

static void keep_seed(search *s, double gain)
{
    int least = 0;
    for (int k = 1; k < SEEDS; k++)
        if (s->seed_gain[k] < s->seed_gain[least])
            least = k;
    if (gain <= s->seed_gain[least])
        return;
    s->seed_gain[least] = gain;
    memcpy(s->seed[least], s->in, (size_t)s->branches);
}

/* in[] becomes group a or, when that holds the last branch, its complement. */
static void take_group(search *s, int a)
{
    int last = s->group[s->branches - 1] == a;
    for (int b = 0; b < s->branches; b++)
        s->in[b] = (s->group[b] == a) != last;
}

static void find_seeds(search *s)
{
    int a, b;
    double sure;
    for (int k = 0; k < SEEDS; k++)
        s->seed_gain[k] = 0;
    for (int i = 0; i < s->branches; i++)
        s->group[i] = i;
    sum_losses(s);
    while (nearest(s, &a, &b)) {
        join(s, a, b);
        take_group(s, a);
        double gain = gain_of(s, &sure);
        keep_seed(s, gain);
    }
    for (int i = 1; i < s->branches; i++)
        HS_ASSERT(s->group[i] == s->group[0]); /* all are joined in the end */
}

/* Move single branches as long as that gains. */
static double climb(search *s, double *sure)
{
    double gain = gain_of(s, sure), before;
    do {
        before = gain;
        for (int b = 0; b + 1 < s->branches; b++) {
            double other_sure, other;
            s->in[b] ^= 1;
            other = gain_of(s, &other_sure);
            if (other > gain + better) {
                gain = other;
                *sure = other_sure;
            } else {
                s->in[b] ^= 1;
            }
        }
    } while (gain > before);
    HS_ASSERT(gain_of(s, &(double){0}) >= gain - 1e-9);
    return gain;
}

static void search_node(search *s, int node)
{
    s->node = node;
    s->branches = hs__tree_branches(s->d, node, s->branch);
    if (s->branches < 4)
        return;
    find_seeds(s);
    for (int k = 0; k < SEEDS; k++) {
        double sure;
        if (s->seed_gain[k] <= 0)
            continue;
        memcpy(s->in, s->seed[k], (size_t)s->branches);
        double gain = climb(s, &sure);
        if (gain <= s->best_gain)
            continue;
        s->best_gain = gain;
        s->best_sure = sure;
        for (int h = 0; h < s->d->hosts; h++)
            s->best[h] = s->in[s->branch[h]];
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

hs_status hs__search(hs__discovery *d, int *found)
{
    search s;
    hs_status status = search_init(&s, d);
    *found = 0;
    d->suspected = 0;
    while (status == HS_OK) {
        s.best_gain = 0;
        hs__cuts_bound(d, -1);
        for (int node = d->hosts - 1; node < d->cuts; node++)
            search_node(&s, node < d->hosts ? -1 : node);
        if (s.best_gain < least_gain || s.best_sure < least_sure)
            break;
        hs__cut cut = {.side = s.best, .host = -1};
        cut.gain = hs__cut_best_policy(d, &cut, &s.best_sure);
        HS_ASSERT(fits(d, cut.side, -1)); /* cuts are nested or apart */
        status = hs__tree_add(d, &cut);
        ++*found;
    }
    if (status == HS_OK && s.best_gain > suspicious && d->suspicions < 2 * ceil(log2(d->hosts))) {
        memcpy(d->suspect, s.best, (size_t)d->hosts);
        d->suspected = 1;
        d->suspicions++;
    }
    search_free(&s);
    return status;
}

/* Move single hosts across the cut as long as that gains. @return how many */
static int move_hosts(hs__discovery *d, int c)
{
    hs__cut *cut = &d->cut[c];
    int moved = 0;
    double sure, gain = hs__cut_best_policy(d, cut, &sure);
    for (int h = 1; h < d->hosts; h++) {
        hs__cut other = *cut;
        other.side[h] ^= 1;
        double now = fits(d, other.side, c) ? hs__cut_best_policy(d, &other, &sure) : -1;
        if (now > gain + better) {
            *cut = other;
            gain = now;
            moved++;
        } else {
            cut->side[h] ^= 1;
        }
    }
    cut->gain = hs__cut_best_policy(d, cut, &cut->sure);
    return moved;
}

hs_status hs__search_repair(hs__discovery *d, int *changed)
{
    *changed = 0;
    for (int c = d->cuts - 1; c >= d->hosts; c--) {
        hs__cuts_bound(d, c);
        *changed += move_hosts(d, c);
        if (d->cut[c].gain < kept_gain || d->cut[c].sure < kept_sure) {
            hs__tree_remove(d, c);
            ++*changed;
        }
    }
    hs__tree_link(d);
    return HS_OK;
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
        cut->full[0] = cut->full[1] = cut->both = 0;
        hs__cut_tally(d, cut->side);
        for (int r = 0; r < d->rounds; r++) {
            cut->both += d->tally[r].flows[0] > 0 && d->tally[r].flows[1] > 0;
            for (int way = 0; way < 2; way++)
                cut->full[way] += hs__cut_is_full(d, cut, r, way);
        }
    }
}
