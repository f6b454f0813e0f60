/* SPDX-License-Identifier: BSD-3-Clause */
/* Work that gathers in a heap which wanders through the units, as particles do. Records of a phase are decided upon one
 * phase later, as in a run whose phases are one iteration long. */
#include "plan/decision/slices.h"
#include "plan/slices/weighted.h"
#include "tests/plan/decision/traces.h"
#include "util/random.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 6, MOST_UNITS = 300, PHASES = 80, GATHERED = 40, EVERY = 4, CUTS = PHASES / EVERY };

typedef struct heap {
    int ranks, declare; /* phases from one declaration to the next; 0: never */
    int64_t units;
    double noise, fixed, unit; /* of a move: seconds, seconds a unit */
    double cycle[MOST_RANKS];
    double height, width, begin, pace; /* of the heap, in units, and units a phase */
    double prefix[PHASES + 1][MOST_UNITS + 1];
    hs__random random;
} heap;

static double log_between(heap *h, double low, double high)
{
    return exp(hs__random_between(&h->random, log(low), log(high)));
}

/* The units are a closed line. */
static void weigh(const heap *h, int phase, double *prefix)
{
    double weight[MOST_UNITS], n = (double)h->units, centre = h->begin + h->pace * phase;
    for (int u = 0; u < h->units; u++) {
        double away = remainder(u - centre, n) / h->width;
        weight[u] = 1 + h->height * fmin(1, (double)phase / GATHERED) * exp(-away * away / 2);
    }
    if (hs__weights_sum(weight, h->units, prefix) != HS_OK)
        abort();
}

static double load_of(const double *prefix, const int64_t *count, int rank)
{
    int64_t first = 0;
    for (int i = 0; i < rank; i++)
        first += count[i];
    return prefix[first + count[rank]] - prefix[first];
}

static double step_of(const heap *h, const double *prefix, const int64_t *count)
{
    double longest = 0;
    for (int i = 0; i < h->ranks; i++)
        longest = fmax(longest, load_of(prefix, count, i) * h->cycle[i]);
    return longest;
}

static void best_slices(const heap *h, const double *prefix, int64_t *count)
{
    static const double comm[MOST_RANKS];
    int64_t scratch[HS__SLICES_SCRATCH(MOST_RANKS)];
    const hs__slices_task task = {.prefix = prefix,
                                  .cycle_time = h->cycle,
                                  .comm_time = comm,
                                  .hosts = h->ranks,
                                  .units = h->units,
                                  .minimum = 1};
    if (hs__slices_cut(&task, HS_STEP_SERIAL, NULL, count, NULL, scratch) != HS_OK)
        abort();
}

static void make(heap *h, int declare, uint64_t seed)
{
    int64_t count[MOST_RANKS];
    *h = (heap){.declare = declare, .random = {seed}};
    h->ranks = 3 + (int)hs__random_between(&h->random, 0, 3.999);
    h->units = (int64_t)hs__random_between(&h->random, 150, MOST_UNITS);
    h->noise = hs__random_between(&h->random, 0, 0.04);
    h->height = log_between(h, 2, 20);
    h->width = hs__random_between(&h->random, 0.03, 0.12) * (double)h->units;
    h->begin = hs__random_between(&h->random, 0, (double)h->units);
    h->pace = hs__random_between(&h->random, -1, 1);
    for (int i = 0; i < h->ranks; i++)
        h->cycle[i] = log_between(h, 1, 4) / (double)h->units;
    for (int k = 0; k <= PHASES; k++)
        weigh(h, k, h->prefix[k]);
    best_slices(h, h->prefix[0], count);
    double phase = step_of(h, h->prefix[0], count);
    h->fixed = phase * log_between(h, 0.005, 0.05);
    h->unit = phase * log_between(h, 0.005, 0.5) / (double)h->units;
}

static double move_cost(const heap *h, const int64_t *from, const int64_t *to)
{
    int64_t busiest = hs__moved_units_busiest(h->ranks, from, to);
    return busiest > 0 ? h->fixed + h->unit * (double)busiest : 0;
}

/* A run, and what it knows. */
typedef struct run {
    hs__slices slices;
    hs__decider *decider;
    int64_t count[MOST_RANKS];
    double load[MOST_RANKS];                        /* as declared last */
    double seen[MOST_RANKS], next_seen[MOST_RANKS]; /* of the phase before, and of this one */
    double step;                                    /* of the phase before; 0: units have moved since */
} run;

static void declare(run *r, const double *prefix, int first_time)
{
    hs__decider_weigh(r->decider, first_time);
    hs__slices_weigh(&r->slices, prefix);
    hs__slices_loads(&r->slices, r->count, r->load);
}

static void start(run *r, const heap *h)
{
    *r = (run){.slices = {.ranks = h->ranks, .units = h->units, .minimum = 1, .model = HS_STEP_SERIAL}};
    r->slices.count = r->count;
    best_slices(h, h->prefix[0], r->count);
    if (hs__slices_start(&r->slices, 1, NULL, NULL) != HS_OK ||
        hs__decider_create(h->ranks, h->cycle, &r->decider) != HS_OK)
        abort();
    for (int i = 0; i < h->ranks; i++)
        r->load[i] = (double)r->count[i];
    if (h->declare > 0)
        declare(r, h->prefix[0], 1);
}

/* @return seconds of the phase */
static double compute(run *r, heap *h, int k)
{
    double longest = 0;
    for (int i = 0; i < h->ranks; i++) {
        double seconds =
            load_of(h->prefix[k], r->count, i) * h->cycle[i] * (1 + h->noise * hs__random_between(&h->random, -1, 1));
        r->next_seen[i] = r->count[i] > 0 ? seconds / r->load[i] : 1;
        longest = fmax(longest, seconds);
    }
    return longest;
}

/* @return seconds of the move, 0: there was none */
static double decide(run *r, const heap *h)
{
    const hs__decide_phase phase = {.iterations = 1,
                                    .cycle = r->seen,
                                    .units = r->count,
                                    .step = r->step,
                                    .left = -1,
                                    .move_fixed = h->fixed,
                                    .move_unit = h->unit,
                                    .load = h->declare > 0 ? r->load : NULL};
    if (!(r->step > 0) || hs__decider_phase(r->decider, &phase, &hs__slices_kind, &r->slices) != HS_OK)
        return 0;
    double cost = move_cost(h, r->count, r->slices.candidate);
    memcpy(r->count, r->slices.candidate, (size_t)h->ranks * sizeof *r->count);
    hs__slices_moved(&r->slices);
    hs__slices_loads(&r->slices, r->count, r->load);
    hs__decider_moved(r->decider, cost);
    return cost;
}

static void play(heap *h, trace_outcome *o)
{
    run r;
    start(&r, h);
    for (int k = 0; k < PHASES; k++) {
        double seconds = compute(&r, h, k);
        if (h->declare > 0 && (k + 1) % h->declare == 0)
            declare(&r, h->prefix[k + 1], 0);
        double cost = decide(&r, h);
        memcpy(r.seen, r.next_seen, sizeof r.seen);
        r.step = cost > 0 ? 0 : seconds;
        o->total += seconds + cost;
        o->moving += cost;
        o->moves += cost > 0;
        o->phase = fmax(o->phase, seconds);
    }
    o->off = hs__decider_sheet(r.decider)->off_until > 0;
    hs__decider_free(r.decider);
    hs__slices_end(&r.slices);
}

/* The cheapest way through all phases by the best slices of some, beginning at those of the first. */
static void hindsight(const heap *h, trace_outcome *o)
{
    int64_t count[CUTS][MOST_RANKS];
    double least[CUTS], next[CUTS];
    for (int c = 0; c < CUTS; c++) {
        best_slices(h, h->prefix[EVERY * c], count[c]);
        least[c] = c == 0 ? 0 : INFINITY;
    }
    for (int k = 0; k < PHASES; k++) {
        o->never += step_of(h, h->prefix[k], count[0]);
        for (int c = 0; c < CUTS; c++) {
            next[c] = INFINITY;
            for (int from = 0; from < CUTS; from++)
                next[c] = fmin(next[c], least[from] + move_cost(h, count[from], count[c]));
            next[c] += step_of(h, h->prefix[k], count[c]);
        }
        memcpy(least, next, sizeof least);
    }
    o->hindsight = INFINITY;
    for (int c = 0; c < CUTS; c++)
        o->hindsight = fmin(o->hindsight, least[c]);
}

trace_outcome wandering_run(int declare_every, uint64_t seed)
{
    heap h;
    trace_outcome outcome = {0};
    make(&h, declare_every, seed);
    play(&h, &outcome);
    hindsight(&h, &outcome);
    return outcome;
}
