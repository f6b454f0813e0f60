/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/decision/promise.h"
#include "util/assert.h"
#include <math.h>

/* When computing followed a move no more than this, all cycle times have changed because ranks take as long as before,
 * whatever they hold: no speed has. */
#define UNMOVED 0.25

hs_status hs__promise_start(hs__promise *p, int ranks)
{
    *p = (hs__promise){.caution = 1};
    p->cycle = hs__pool_new(&p->pool, (size_t)ranks, sizeof *p->cycle);
    p->load = hs__pool_new(&p->pool, (size_t)ranks, sizeof *p->load);
    return hs__pool_complete(&p->pool);
}

void hs__promise_end(hs__promise *p)
{
    hs__pool_free(&p->pool);
}

void hs__promise_make(hs__promise *p, const hs__readings *readings, const hs__decide_phase *phase, double gain,
                      int judged)
{
    p->phases = judged ? HS__DECIDE_JUDGE_PHASES : 0;
    p->gained = 0;
    p->iterations = 0;
    p->step = phase->step;
    p->gain = gain;
    for (int i = 0; i < readings->ranks; i++) {
        double load = hs__phase_load(phase, i);
        int known = load > 0 && phase->cycle[i] > 0;
        p->load[i] = known ? load : 0;
        p->cycle[i] = known ? readings->cycle[i] : 0;
    }
}

/* What a phase shows of the last move, from the ranks that computed both before and after it. */
typedef struct after_move {
    double followed; /* 0: ranks take as long as before; 1: as long as the units that they hold now took before */
    double grown;    /* seconds by which the longest computation exceeds what these units took before */
} after_move;

static after_move look_back(const hs__promise *p, const hs__readings *readings, const hs__decide_phase *phase)
{
    double as_before = 0, as_units = 0, longest = 0, expected = 0;
    for (int i = 0; i < readings->ranks; i++) {
        double load = hs__phase_load(phase, i);
        if (!(load > 0 && phase->cycle[i] > 0 && p->load[i] > 0))
            continue;
        double promised = p->cycle[i] / hs__readings_pace(readings, i), off = log(phase->cycle[i] / promised);
        as_before += fabs(off + log(load / p->load[i]));
        as_units += fabs(off);
        longest = fmax(longest, load * phase->cycle[i]);
        expected = fmax(expected, load * promised);
    }
    return (after_move){as_before > 0 ? as_before / (as_before + as_units) : 0, longest - expected};
}

static int judge(hs__promise *p)
{
    int broken = p->gained / (double)p->iterations < 0.5 * p->gain;
    p->caution *= broken ? 2 : 0.5;
    p->caution = fmin(fmax(p->caution, 1), HS__DECIDE_MAX_CAUTION);
    HS_ASSERT(p->caution >= 1 && p->caution <= HS__DECIDE_MAX_CAUTION);
    return broken;
}

int hs__promise_watch(hs__promise *p, const hs__readings *readings, const hs__decide_phase *phase, int confirmed)
{
    if (p->phases == 0)
        return 0;
    after_move seen = look_back(p, readings, phase);
    if (confirmed && seen.followed > UNMOVED) { /* speeds changed meanwhile: nothing can be learnt */
        p->phases = 0;
        return 0;
    }
    p->gained += (p->step - phase->step + seen.followed * seen.grown) * (double)phase->iterations;
    p->iterations += phase->iterations;
    return --p->phases == 0 && judge(p);
}
