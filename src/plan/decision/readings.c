/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/decision/readings.h"
#include "util/assert.h"
#include <math.h>
#include <string.h>

/* A suspicion is worth hurrying for when the reading is off by this factor: hurrying makes all ranks wait for each
 * other once, which costs about a tenth of a second at worst, and less is lost to a small drift in an ordinary phase.
 */
#define URGENT 1.25

/* What a rank shows at the size that it came to last. */
typedef struct hs__arrival {
    int64_t units;       /* that it holds */
    double before, mean; /* cycle time at pace 1: at the size before, 0 when that is not known, and since */
    int phases;          /* since, at most HS__DECIDE_FRESH_PHASES */
} arrival;

hs_status hs__readings_start(hs__readings *r, int ranks, const double *cycle)
{
    size_t p = (size_t)ranks;
    *r = (hs__readings){.ranks = ranks};
    r->window = hs__pool_new(&r->pool, p, sizeof *r->window);
    r->arrival = hs__pool_new(&r->pool, p, sizeof *r->arrival);
    r->first = hs__pool_new(&r->pool, p, sizeof *r->first);
    r->cycle = hs__pool_new(&r->pool, p, sizeof *r->cycle);
    r->anchor = hs__pool_new(&r->pool, p, sizeof *r->anchor);
    hs_status status = hs__pool_complete(&r->pool);
    if (status != HS_OK)
        return status;
    memcpy(r->first, cycle, p * sizeof *r->first);
    memcpy(r->cycle, cycle, p * sizeof *r->cycle);
    return HS_OK;
}

void hs__readings_end(hs__readings *r)
{
    hs__pool_free(&r->pool);
}

void hs__readings_forget(hs__readings *r)
{
    memset(r->window, 0, (size_t)r->ranks * sizeof *r->window);
    memset(r->anchor, 0, (size_t)r->ranks * sizeof *r->anchor);
    memset(r->arrival, 0, (size_t)r->ranks * sizeof *r->arrival);
}

int hs__readings_urgent(const hs__readings *r)
{
    for (int i = 0; i < r->ranks; i++) {
        const hs__speed_window *w = &r->window[i];
        if (w->suspect > 0 && fmax(w->suspect / w->mean, w->mean / w->suspect) > URGENT)
            return 1;
    }
    return 0;
}

double hs__readings_pace(const hs__readings *r, int i)
{
    return r->pace ? r->pace[i] : 1;
}

double hs__readings_error(const hs__readings *r, const hs__decide_phase *phase)
{
    double worst = 0;
    for (int i = 0; i < r->ranks; i++)
        if (hs__phase_load(phase, i) > 0)
            worst = fmax(worst, hs__speed_window_error(&r->window[i]));
    return worst;
}

void hs__readings_speeds(const hs__readings *r, const double *scale, double *speed)
{
    double sum = 0;
    int n = 0;
    for (int i = 0; i < r->ranks; i++)
        if (r->window[i].mean > 0 && speed[i] > 0) {
            sum += log(r->cycle[i] * (scale ? scale[i] : 1));
            n++;
        }
    for (int i = 0; i < r->ranks; i++)
        if (r->window[i].mean > 0 && speed[i] > 0)
            speed[i] = exp(sum / n) / r->cycle[i];
}

/* How much slower than first guessed a unit is, in the middle of the ranks that know: turns an idle rank's ratio into
 * seconds. The mean of logarithms weighs 2x and 1/2x alike. */
static double guess_scale(const hs__readings *r, const int64_t *units)
{
    double sum = 0;
    int n = 0;
    for (int i = 0; i < r->ranks; i++)
        if (units[i] > 0 && isfinite(r->first[i]) && r->window[i].mean > 0) {
            sum += log(r->cycle[i] / r->first[i]);
            n++;
        }
    return n > 0 ? exp(sum / n) : 1;
}

/* All ranks take so many times as long: those without units would, too. */
static void follow(hs__readings *r, double factor)
{
    HS_ASSERT(factor > 0 && isfinite(factor));
    for (int i = 0; i < r->ranks; i++) {
        r->anchor[i] *= factor;
        hs__speed_window_scale(&r->window[i], factor);
    }
}

/* Which ranks came to another size, having been measured at the one before. */
static void notice_sizes(hs__readings *r, const hs__decide_phase *phase)
{
    for (int i = 0; i < r->ranks; i++) {
        arrival *a = &r->arrival[i];
        if (phase->units[i] != a->units)
            *a = (arrival){.before = phase->units[i] > 0 && a->units > 0 ? r->window[i].mean : 0};
        a->units = phase->units[i];
    }
}

/* How many times as long as before rank i takes at its new size; 0: it is not known yet, or it takes as long. A confirmed change
 * is known at once, a smaller one after some phases. */
static double factor_since(hs__readings *r, int i, double reading, int changed)
{
    arrival *a = &r->arrival[i];
    if (!(a->before > 0) || a->phases >= HS__DECIDE_FRESH_PHASES)
        return 0;
    a->phases++;
    a->mean += (reading - a->mean) / a->phases;
    if (changed)
        return r->window[i].mean / a->before;
    double factor = a->mean / a->before;
    return a->phases == HS__DECIDE_FRESH_PHASES && fabs(factor - 1) > HS__DECIDE_LEAST_GAIN ? factor : 0;
}

/* Takes in the reading of rank i. @return 1 when it confirmed a lasting change of speed that the size does not explain */
static int take_reading(hs__readings *r, int i, double reading, const hs__decide_kind *kind, void *layout)
{
    hs__speed_window *w = &r->window[i];
    int changed = hs__speed_window_add(w, reading);
    double factor = kind->explains ? factor_since(r, i, reading, changed) : 0;
    if (!(factor > 0) || !kind->explains(layout, i, factor))
        return changed;
    hs__speed_window_scale(w, r->arrival[i].before / w->mean);
    r->arrival[i].phases = HS__DECIDE_FRESH_PHASES; /* what comes now is the host's doing */
    return 0;
}

/* How many times as long as before units take on all ranks that work, by what none of them escaped: the work has changed, or a
 * machine that they share. Windows follow at once, or noise would decide which of them see the change. A single rank
 * cannot tell. */
static double common_change(const hs__readings *r, const hs__decide_phase *phase)
{
    double least = INFINITY, most = 0;
    int working = 0;
    for (int i = 0; i < r->ranks; i++)
        if (phase->units[i] > 0 && phase->cycle[i] > 0 && r->window[i].mean > 0) {
            double off = phase->cycle[i] * hs__readings_pace(r, i) / r->window[i].mean;
            working++;
            least = fmin(least, off);
            most = fmax(most, off);
        }
    return working < 2 ? 1 : least > 1 ? least : most < 1 ? most : 1;
}

/* Takes in the readings of the ranks with units. @return 1 when one of them confirmed a lasting change */
static int take_working(hs__readings *r, const hs__decide_phase *phase, const hs__decide_kind *kind, void *layout)
{
    int confirmed = 0;
    for (int i = 0; i < r->ranks; i++)
        if (phase->units[i] > 0 && phase->cycle[i] > 0) {
            confirmed += take_reading(r, i, phase->cycle[i] * hs__readings_pace(r, i), kind, layout);
            r->anchor[i] = r->cycle[i] = r->window[i].mean;
        }
    return confirmed > 0;
}

int hs__readings_take(hs__readings *r, const hs__decide_phase *phase, const hs__decide_kind *kind, void *layout)
{
    r->pace = kind->pace ? kind->pace(layout, phase) : NULL;
    notice_sizes(r, phase);
    follow(r, common_change(r, phase));
    int confirmed = take_working(r, phase, kind, layout);
    double scale = guess_scale(r, phase->units);
    for (int i = 0; i < r->ranks; i++)
        if (phase->units[i] == 0 && phase->cycle[i] > 0 && isfinite(r->first[i])) {
            double anchor = r->anchor[i] > 0 ? r->anchor[i] : r->first[i] * scale;
            confirmed |= hs__speed_window_add(&r->window[i], phase->cycle[i] * anchor);
            r->cycle[i] = r->window[i].mean;
        } else if (phase->units[i] > 0 && r->window[i].mean <= 0 && isfinite(r->first[i])) {
            r->cycle[i] = r->first[i] * scale; /* all that it held weighed nothing */
        }
    return confirmed;
}
