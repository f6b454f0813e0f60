/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/balance/length.h"
#include "plan/decision/decide.h"
#include "util/assert.h"
#include <math.h>

/* Measuring and deciding may take this share of the run: half of what is promised, to leave room for bad days. */
#define OVERHEAD_SHARE 0.0025

/* How far the estimate of what a phase costs follows the last one. */
#define OVERHEAD_SMOOTHING 0.25

/* A phase that only confirms a suspicion may be shorter than others, since a drift is expensive while it lasts. */
#define CONFIRMING_PHASE_S 0.05

/* A phase is never longer than this many times the shortest, so that a drift is seen in time. */
#define LONGEST_STRETCH 16

/* A phase has at most so many times the iterations of the one before it: a first step may be nothing like those that
 * follow, where units grow, or where it was half over when measuring began. */
#define LONGEST_GROWTH 16

int64_t hs__phase_length_next(hs__phase_length *length, double step, double overhead, int64_t iterations, int hurries)
{
    HS_ASSERT(step >= 0 && overhead >= 0 && iterations >= 1);
    /* One long wait in an exchange says little about the next one, and a phase made long for it sees a drift late. */
    double before = length->overhead_s, least = HS__DECIDE_SHORTEST_PHASE_S;
    length->overhead_s = before > 0 ? before + OVERHEAD_SMOOTHING * (fmin(overhead, 2 * before) - before) : overhead;
    length->seconds =
        hurries ? CONFIRMING_PHASE_S : fmin(fmax(length->overhead_s / OVERHEAD_SHARE, least), LONGEST_STRETCH * least);
    double wanted = step > 0 ? ceil(length->seconds / step) : 1;
    double most = fmin(LONGEST_GROWTH * (double)iterations, 1e9);
    length->calibrating = wanted > most;
    HS_ASSERT(length->overhead_s >= 0 && length->seconds > 0);
    return wanted < 1 ? 1 : (int64_t)fmin(wanted, most);
}
