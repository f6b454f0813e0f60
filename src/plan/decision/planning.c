/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/decision/planning.h"
#include "util/array.h"
#include "util/assert.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

hs_status hs__planning_start(hs__planning *p, int ranks)
{
    *p = (hs__planning){.ranks = ranks, .cycle = hs__array_new((size_t)ranks, sizeof *p->cycle)};
    return p->cycle ? HS_OK : HS_ERR_NOMEM;
}

void hs__planning_end(hs__planning *p)
{
    free(p->cycle);
    *p = (hs__planning){0};
}

void hs__planning_took(hs__planning *p, double seconds)
{
    HS_ASSERT(seconds >= 0);
    p->takes = seconds;
    p->due = fmax(p->due, seconds);
}

/* Seconds that a step takes at least. */
static double least_step(const hs__planning *p, const hs__decide_phase *phase, const double *cycle)
{
    double units = 0, speed = 0, change = 1;
    for (int i = 0; i < p->ranks; i++) {
        units += hs__phase_load(phase, i);
        if (!isfinite(cycle[i]))
            continue;
        speed += 1 / cycle[i];
        change = fmin(change, cycle[i] / p->cycle[i]); /* 0 where it took no units then; no matter without a plan */
    }
    return p->best > 0 ? fmax(units / speed, change * p->best) : units / speed;
}

int hs__planning_is_due(const hs__planning *p, const hs__decide_phase *phase, const double *cycle, double now,
                        double *best)
{
    *best = fmin(least_step(p, phase, cycle), now);
    double gain = now - *best;
    if (gain < HS__DECIDE_LEAST_GAIN * now) {
        *best = now;
        return 0;
    }
    if (phase->left >= 0 && gain * (double)phase->left < p->takes)
        return 0;
    return p->lost + gain * (double)phase->iterations >= p->due;
}

void hs__planning_made(hs__planning *p, const double *cycle, double best)
{
    memcpy(p->cycle, cycle, (size_t)p->ranks * sizeof *cycle);
    p->best = best;
    p->made = 1;
}

void hs__planning_decided(hs__planning *p, const hs__decision *decision, int moves)
{
    p->lost = moves ? 0 : decision->loss;
    if (p->lost == 0)
        p->due = p->takes;
    else if (p->made)
        p->due = fmax(decision->price, p->lost + p->takes);
    p->made = 0;
}
