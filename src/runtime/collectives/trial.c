/* SPDX-License-Identifier: BSD-3-Clause */
/* Trial of the library's schedule against ours. A size class of an operation and root begins with two calls of the
 * library: one that makes connections, one that is timed. Only when our plan is predicted to take 10 % less do calls of
 * ours and of the library alternate, so that disturbances of the machine affect both; our first call is not counted.
 * Ours is taken when its median is 10 % less and it won all pairs but one. The trial ends early when one is far better.
 *
 * All ranks begin together and the slowest one's time counts, so all ranks decide alike. */
#include "runtime/base/environment.h"
#include "runtime/collectives/collectives.h"
#include "util/assert.h"
#include "util/median.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double gain = 0.90, /* of the library's time: predicted, and then measured */
    clear = 0.75,                /* the longest call over the shortest of the other: better by far */
    hopeless = 1.50;

/* Short calls are noisy, but many do not take long. If both were equally fast, ours would win 8 of 9 pairs, or be the
 * five fastest of ten, once in fifty and once in 250 times. */
enum { LONG_CLASS = 16 /* from 64 KiB on */, LONG_PAIRS = 5, LONG_CLEAR = 3, SHORT_CLEAR = 5 };

/* Calls 0 and 1 are the library's, 2 is ours and does not count either, then 3 ours, 4 the library's, ... */
static int is_ours(int call)
{
    return call == 2 || (call > 2 && call % 2 == 1);
}

hs__trial hs__trial_begin(const hs__comm_state *state, const hs__collective_entry *entry)
{
    if (entry->phase != HS__PHASE_TIMED)
        return (hs__trial){.ours = entry->phase == HS__PHASE_TAKE};
    PMPI_Barrier(state->internal);
    return (hs__trial){.ours = is_ours(entry->timed), .begin = PMPI_Wtime()};
}

static double median(const double *seconds, int n)
{
    double sorted[HS__TIMED_PAIRS];
    memcpy(sorted, seconds, (size_t)n * sizeof *sorted);
    return hs__median(sorted, n);
}

hs__collective_phase hs__trial_judge(const hs__collective_entry *e, int pairs)
{
    HS_ASSERT(pairs >= 1 && pairs <= HS__TIMED_PAIRS);
    int is_long = e->size_class >= LONG_CLASS, clear_after = is_long ? LONG_CLEAR : SHORT_CLEAR, won = 0;
    double longest = 0.0, shortest = INFINITY, library_longest = 0.0, library_shortest = INFINITY;
    for (int k = 0; k < pairs; k++) {
        longest = fmax(longest, e->ours_s[k]);
        shortest = fmin(shortest, e->ours_s[k]);
        library_longest = fmax(library_longest, e->library_s[k]);
        library_shortest = fmin(library_shortest, e->library_s[k]);
        won += e->ours_s[k] < e->library_s[k];
    }
    if (pairs >= clear_after && longest <= clear * library_shortest)
        return HS__PHASE_TAKE;
    if ((is_long || pairs >= clear_after) && shortest >= hopeless * library_longest)
        return HS__PHASE_PASS;
    if (pairs < (is_long ? LONG_PAIRS : HS__TIMED_PAIRS))
        return HS__PHASE_TIMED;
    return won >= pairs - 1 && median(e->ours_s, pairs) <= gain * median(e->library_s, pairs) ? HS__PHASE_TAKE
                                                                                              : HS__PHASE_PASS;
}

static void tell_decision(const hs__collective_entry *e, int pairs)
{
    static const char *const names[] = {"reduce", "broadcast", "all-reduce"};
    char root[32] = "", library[48] = "", ours[32] = "";
    if (e->root >= 0)
        snprintf(root, sizeof root, ", root %d", e->root);
    if (e->timed > 0)
        snprintf(library, sizeof library, "the library's %.6f s, ", median(e->library_s, pairs > 0 ? pairs : 1));
    if (pairs > 0)
        snprintf(ours, sizeof ours, "ours %.6f s, ", median(e->ours_s, pairs));
    hs__environment_log(HS__LOG_INFO, "%s of %lld bytes%s: %s%spredicted %.6f s: %s", names[e->kind],
                        1LL << e->size_class, root, library, ours, e->part.expected,
                        e->phase == HS__PHASE_TAKE ? "taken" : "passed");
}

void hs__trial_skip(hs__comm_state *state, hs__collective_entry *entry)
{
    if (entry->phase != HS__PHASE_TIMED)
        return;
    entry->phase = hs__comm_state_plan(state, entry) ? HS__PHASE_TAKE : HS__PHASE_PASS;
    if (state->rank == 0)
        tell_decision(entry, 0);
}

void hs__trial_end(hs__comm_state *state, hs__collective_entry *entry, const hs__trial *turn, int64_t bytes)
{
    if (entry->phase != HS__PHASE_TIMED)
        return;
    double scale = (double)(1LL << entry->size_class) / (double)bytes; /* sizes of a class may differ */
    double mine = (PMPI_Wtime() - turn->begin) * scale, slowest = mine;
    int call = entry->timed++, pairs = 0;
    HS_ASSERT(turn->ours == is_ours(call) && call <= 2 * HS__TIMED_PAIRS + 1);
    PMPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, state->internal);
    if (call == 1) {
        entry->library_s[0] = slowest;
        if (!hs__comm_state_plan(state, entry) || entry->part.expected > gain * slowest)
            entry->phase = HS__PHASE_PASS;
    } else if (call > 2 && call % 2 == 1) {
        pairs = (call - 1) / 2;
        entry->ours_s[pairs - 1] = slowest;
        entry->phase = hs__trial_judge(entry, pairs);
    } else if (call > 2) {
        entry->library_s[call / 2 - 1] = slowest;
    }
    if (state->rank == 0 && entry->phase != HS__PHASE_TIMED)
        tell_decision(entry, pairs);
}
