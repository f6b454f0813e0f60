/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/decision/speeds.h"
#include "plan/decision/decide.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/median.h"
#include "util/pool.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The noise of fewer readings is not known. */
enum { LEAST_READINGS = 3 };

/* What other targets cost the program, as a share of a phase: it moves its units whatever they are, and how many more is not
 * known. Of 2,000 series of 30 phases on six ranks whose readings were off by up to 3 % (5 %, 10 %) the targets of 0
 * (2, 91) changed; with a price of 0, which no broken promise raises, of 22 (142, 367). */
#define MOVE_SHARE 0.2

struct hs__speeds {
    int ranks, readings;
    hs__pool pool;
    double *first, *speed;
    double *work, *seconds; /* since the last reading; work: a share of all seconds of a phase */
    double *cycle, *load, *ratio;
    int64_t *units;
    hs__decider *decider;
};

static double sum_of(const double *value, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += value[i];
    return sum;
}

/* How long a step takes now by the present targets, and by those of the cycle times. */
static hs_status plan(void *layout, const hs__decide_phase *phase, const double *cycle, double *now, double *best)
{
    const hs__speeds *s = layout;
    double all = sum_of(s->speed, s->ranks), fastest = 0;
    (void)phase;
    if (s->readings < LEAST_READINGS)
        return HS_UNCHANGED;
    *now = 0;
    for (int i = 0; i < s->ranks; i++)
        if (isfinite(cycle[i])) {
            *now = fmax(*now, s->speed[i] / all * cycle[i]);
            fastest += 1 / cycle[i];
        }
    *best = 1 / fastest;
    HS_ASSERT(*best <= *now * (1 + 1e-9));
    return HS_OK;
}

static int64_t traffic(const void *layout)
{
    (void)layout;
    return 1; /* how many units the program will move is not known; some */
}

static const hs__decide_kind kind = {.plan = plan, .traffic = traffic};

static hs_status start_decider(hs__speeds *s)
{
    for (int i = 0; i < s->ranks; i++)
        s->cycle[i] = s->first[i] > 0 ? 1 / s->first[i] : INFINITY;
    return hs__decider_create(s->ranks, s->cycle, &s->decider);
}

hs_status hs__speeds_create(int ranks, const double *speed, hs__speeds **out)
{
    size_t n = (size_t)ranks;
    hs__speeds *s = hs__array_new(1, sizeof *s);
    if (!s)
        return HS_ERR_NOMEM;
    s->ranks = ranks;
    double **array[] = {&s->first, &s->speed, &s->work, &s->seconds, &s->cycle, &s->load, &s->ratio};
    for (size_t k = 0; k < sizeof array / sizeof *array; k++)
        *array[k] = hs__pool_new(&s->pool, n, sizeof **array[k]);
    s->units = hs__pool_new(&s->pool, n, sizeof *s->units);
    hs_status status = hs__pool_status(&s->pool);
    if (status == HS_OK) {
        memcpy(s->first, speed, n * sizeof *speed);
        memcpy(s->speed, speed, n * sizeof *speed);
        status = start_decider(s);
    }
    if (status == HS_OK)
        *out = s;
    else
        hs__speeds_free(s);
    return status;
}

void hs__speeds_free(hs__speeds *s)
{
    if (!s)
        return;
    hs__decider_free(s->decider);
    hs__pool_free(&s->pool);
    free(s);
}

const double *hs__speeds_now(const hs__speeds *s)
{
    return s->speed;
}

/* Cycle times in the unit of the first guess, and what a step took with the parts as they were. @return how many are known */
static int read_cycles(hs__speeds *s, double *step)
{
    double targets = sum_of(s->speed, s->ranks), work = sum_of(s->work, s->ranks);
    int known = 0;
    for (int i = 0; i < s->ranks; i++) {
        s->units[i] = s->first[i] > 0 && s->work[i] > 0 && s->seconds[i] > 0;
        s->load[i] = s->units[i] ? s->speed[i] / targets : 0;
        s->cycle[i] = s->units[i] ? s->seconds[i] / s->work[i] : 0;
        if (s->units[i])
            s->ratio[known++] = s->cycle[i] * s->first[i];
    }
    double middle = hs__median(s->ratio, known);
    *step = 0;
    for (int i = 0; i < s->ranks; i++)
        if (s->units[i]) {
            s->cycle[i] /= middle;
            *step = fmax(*step, s->work[i] / work * s->cycle[i]);
        }
    return known;
}

hs_status hs__speeds_phase(hs__speeds *s, const double *share, const double *seconds)
{
    double all = sum_of(seconds, s->ranks), shares = sum_of(share, s->ranks), longest = 0, step;
    for (int i = 0; i < s->ranks && shares > 0; i++) {
        s->work[i] += share[i] / shares * all;
        s->seconds[i] += seconds[i];
        longest = fmax(longest, s->seconds[i]);
    }
    if (longest < HS__DECIDE_SHORTEST_PHASE_S)
        return HS_UNCHANGED;
    int known = read_cycles(s, &step);
    memset(s->work, 0, (size_t)s->ranks * sizeof *s->work);
    memset(s->seconds, 0, (size_t)s->ranks * sizeof *s->seconds);
    if (known < 2)
        return HS_UNCHANGED;
    s->readings++;
    const hs__decide_phase phase = {.iterations = 1,
                                    .cycle = s->cycle,
                                    .units = s->units,
                                    .step = step,
                                    .left = -1,
                                    .move_fixed = MOVE_SHARE * step,
                                    .load = s->load};
    hs_status status = hs__decider_phase(s->decider, &phase, &kind, s);
    const double *cycle = hs__decider_cycles(s->decider);
    for (int i = 0; status == HS_OK && i < s->ranks; i++)
        s->speed[i] = 1 / cycle[i]; /* 0 for a rank that stays at 0 */
    if (status == HS_OK)
        hs__decider_moved(s->decider, phase.move_fixed);
    return status;
}
