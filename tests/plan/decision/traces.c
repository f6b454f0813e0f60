/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/plan/decision/traces.h"
#include "plan/decision/slices.h"
#include "util/random.h"
#include <heteroslice/hs_slices.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 4, LEVELS = 4, PHASES = 60, ITERATIONS = 10 };

typedef struct trace {
    trace_family family;
    int ranks, period;
    int64_t units;
    double noise, fixed, unit; /* of a move: seconds, seconds a unit */
    int horizon;               /* the number of iterations is known */
    double level[LEVELS][MOST_RANKS];
    double cycle[PHASES][MOST_RANKS]; /* as they were */
    hs__random random;
} trace;

static double log_between(trace *t, double low, double high)
{
    return exp(hs__random_between(&t->random, log(low), log(high)));
}

static int pick(trace *t, int n)
{
    int i = (int)hs__random_between(&t->random, 0, n);
    return i < n ? i : n - 1;
}

static double step_of(const trace *t, const double *cycle, const int64_t *count)
{
    double longest = 0;
    for (int i = 0; i < t->ranks; i++)
        longest = fmax(longest, cycle[i] * (double)count[i]);
    return longest;
}

static void best_slices(const trace *t, const double *cycle, int64_t *count)
{
    static const double comm[MOST_RANKS];
    if (hs_slices_compute(cycle, comm, t->ranks, t->units, 1, HS_STEP_SERIAL, count, NULL) != HS_OK)
        abort();
}

static trace make(trace_family family, uint64_t seed)
{
    trace t = {.family = family, .random = {seed * 6 + (uint64_t)family + 1}};
    t.ranks = 2 + pick(&t, MOST_RANKS - 1);
    t.units = (int64_t)log_between(&t, 40, 4000);
    t.period = 1 + pick(&t, 20);
    t.noise = pick(&t, 2) ? hs__random_between(&t.random, 0, 0.04) : 0;
    t.horizon = pick(&t, 2);
    for (int i = 0; i < t.ranks; i++)
        t.level[0][i] = log_between(&t, 1, 10) / (double)t.units;
    for (int l = 1; l < LEVELS; l++) {
        memcpy(t.level[l], t.level[0], sizeof t.level[l]);
        t.level[l][pick(&t, t.ranks)] *= log_between(&t, 0.125, 8);
    }
    int64_t count[MOST_RANKS];
    best_slices(&t, t.level[0], count);
    double phase = ITERATIONS * step_of(&t, t.level[0], count);
    t.fixed = phase * log_between(&t, 0.001, 20);
    t.unit = phase * log_between(&t, 0.001, 20) / (double)t.units;
    return t;
}

/* Level of the speeds in phase k; moved: units have moved since the phase before. */
static int next_level(trace *t, int k, int level, int moved)
{
    switch (t->family) {
    case TRACE_BURSTS:
        return level == 0 && pick(t, 8) == 0 ? 1 + pick(t, LEVELS - 1) : 0;
    case TRACE_PERIODIC:
        return k / t->period % 2;
    case TRACE_RANDOM:
        return pick(t, 10) == 0 ? pick(t, LEVELS) : level;
    case TRACE_ADVERSARY:
        return k == 3 || moved ? (level + 1 + pick(t, LEVELS - 1)) % LEVELS : level;
    default:
        return 0;
    }
}

static void set_cycles(trace *t, int k, int level, const int64_t *count)
{
    for (int i = 0; i < t->ranks; i++) {
        t->cycle[k][i] = t->level[level][i] * (1 + t->noise * hs__random_between(&t->random, -1, 1));
        if (t->family == TRACE_FIXED) /* the rank's seconds a step are those of the first level's equal slices */
            t->cycle[k][i] *= count[i] > 0 ? (double)t->units / t->ranks / (double)count[i] : 1;
    }
}

static double move_cost(const trace *t, const int64_t *from, const int64_t *to)
{
    int64_t busiest = hs__moved_units_busiest(t->ranks, from, to);
    return busiest > 0 ? t->fixed + t->unit * (double)busiest : 0;
}

static trace_outcome decide(trace *t)
{
    static const double comm[MOST_RANKS];
    trace_outcome outcome = {0};
    int64_t count[MOST_RANKS];
    hs__slices slices = {.ranks = t->ranks, .units = t->units, .minimum = 1, .model = HS_STEP_SERIAL, .count = count};
    hs__decider *decider;
    if (hs__slices_start(&slices, 1, comm, NULL) != HS_OK ||
        hs__decider_create(t->ranks, t->level[0], &decider) != HS_OK)
        abort();
    best_slices(t, t->level[0], count);
    for (int k = 0, level = 0, moved = 0; k < PHASES; k++) {
        double seen[MOST_RANKS];
        level = next_level(t, k, level, moved);
        set_cycles(t, k, level, count);
        for (int i = 0; i < t->ranks; i++) /* a rank without units compares itself with its first guess */
            seen[i] = count[i] > 0 ? t->cycle[k][i] : t->cycle[k][i] / t->level[0][i];
        hs__decide_phase phase = {ITERATIONS,
                                  seen,
                                  count,
                                  step_of(t, t->cycle[k], count),
                                  t->horizon ? (PHASES - 1 - k) * ITERATIONS : -1,
                                  t->fixed,
                                  t->unit,
                                  NULL,
                                  0,
                                  NULL};
        outcome.total += phase.step * ITERATIONS;
        outcome.phase = fmax(outcome.phase, phase.step * ITERATIONS);
        moved = hs__decider_phase(decider, &phase, &hs__slices_kind, &slices) == HS_OK;
        if (!moved)
            continue;
        double cost = move_cost(t, count, slices.candidate);
        memcpy(count, slices.candidate, (size_t)t->ranks * sizeof *count);
        hs__slices_moved(&slices);
        hs__decider_moved(decider, cost);
        outcome.total += cost;
        outcome.moving += cost;
        outcome.moves++;
    }
    outcome.off = hs__decider_sheet(decider)->off_until > 0;
    hs__decider_free(decider);
    hs__slices_end(&slices);
    return outcome;
}

/* The cheapest way through all phases by the best slices of each level, beginning at those of the first. */
static double hindsight(const trace *t, double *never)
{
    int64_t count[LEVELS][MOST_RANKS];
    double least[LEVELS];
    for (int l = 0; l < LEVELS; l++) {
        best_slices(t, t->level[l], count[l]);
        least[l] = l == 0 ? 0 : INFINITY;
    }
    *never = 0;
    for (int k = 0; k < PHASES; k++) {
        double next[LEVELS];
        for (int l = 0; l < LEVELS; l++) {
            next[l] = INFINITY;
            for (int from = 0; from < LEVELS; from++)
                next[l] = fmin(next[l], least[from] + move_cost(t, count[from], count[l]));
        }
        for (int l = 0; l < LEVELS; l++)
            least[l] = next[l] + ITERATIONS * step_of(t, t->cycle[k], count[l]);
        *never += ITERATIONS * step_of(t, t->cycle[k], count[0]);
    }
    double best = INFINITY;
    for (int l = 0; l < LEVELS; l++)
        best = fmin(best, least[l]);
    return best;
}

trace_outcome trace_run(trace_family family, uint64_t seed)
{
    if (family == TRACE_DECLARED || family == TRACE_WANDERS)
        return wandering_run(family == TRACE_DECLARED ? 5 : 0, seed);
    trace t = make(family, seed);
    trace_outcome outcome = decide(&t);
    if (family == TRACE_FIXED) /* units that move change nothing */
        outcome.hindsight = outcome.never = outcome.total - outcome.moving;
    else
        outcome.hindsight = hindsight(&t, &outcome.never);
    return outcome;
}
