/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/decision/decide.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/speed_window.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A suspicion is worth hurrying for when the reading is off by this factor: hurrying makes all ranks wait for each
 * other once, which costs about a tenth of a second at worst, and less is lost to a small drift in an ordinary phase.
 */
#define URGENT 1.25

/* When computing followed a move no more than this, all cycle times have changed because ranks take as long as before,
 * whatever they hold: no speed has. */
#define UNMOVED 0.25

/* Records travel for up to a phase: when new weights come, so many decisions still rest on phases under the old ones. */
#define STALE_PHASES 2

/* What a rank shows at the size that it came to last. */
typedef struct arrival {
    int64_t units;       /* that it holds */
    double before, mean; /* cycle time at pace 1: at the size before, 0 when that is not known, and since */
    int phases;          /* since, at most HS__DECIDE_FRESH_PHASES */
} arrival;

struct hs__decider {
    int ranks;
    hs__decide_rule rule;
    hs__speed_window *window; /* one a rank */
    const double *pace;       /* of the phase that is decided upon; NULL: 1; lent by the kind */
    arrival *arrival;         /* one a rank */
    double *first, *cycle;
    double *anchor; /* the cycle a rank had when it was last left with no units; 0: it never had any */
    double loss, caution;
    int parted; /* a part of the present gain was moved */
    int64_t last_iterations;
    int64_t steady_weights; /* decisions since the weights changed */
    int judging;            /* phases until the last move is judged, 0: none waits */
    double judged_gain;     /* seconds that the move brought in the phases judged so far */
    int64_t judged_iterations;
    double step_before, promised;
    double *cycle_before,
        *load_before;     /* of ranks with a reading in the last phase before the move, at pace 1; else 0 */
    hs__decision verdict; /* of the last phase */
    hs__balance_sheet sheet;
    int comparable;                 /* no speed and no weight has changed since the last move */
    int compared;                   /* the next two are filled */
    double *cycle_then, *load_then; /* at the first phase since the last move, where units have weights */
    hs__drifts drifts;
};

hs_status hs__decider_create(int ranks, const double *cycle, hs__decider **out)
{
    size_t p = (size_t)ranks;
    hs__decider *d = hs__array_new(1, sizeof *d);
    if (!d)
        return HS_ERR_NOMEM;
    d->ranks = ranks;
    d->rule = (hs__decide_rule){HS__DECIDE_LEAST_GAIN, 1};
    d->caution = 1;
    d->steady_weights = STALE_PHASES;
    d->window = hs__array_new(p, sizeof *d->window);
    d->first = hs__array_new(p, sizeof *d->first);
    d->cycle = hs__array_new(p, sizeof *d->cycle);
    d->anchor = hs__array_new(p, sizeof *d->anchor);
    d->arrival = hs__array_new(p, sizeof *d->arrival);
    d->cycle_then = hs__array_new(p, sizeof *d->cycle_then);
    d->load_then = hs__array_new(p, sizeof *d->load_then);
    d->cycle_before = hs__array_new(p, sizeof *d->cycle_before);
    d->load_before = hs__array_new(p, sizeof *d->load_before);
    hs_status watching = hs__drifts_start(&d->drifts, ranks);
    if (watching != HS_OK || !d->cycle_before || !d->load_before || !d->cycle_then || !d->load_then || !d->anchor ||
        !d->window || !d->first || !d->cycle || !d->arrival) {
        hs__decider_free(d);
        return HS_ERR_NOMEM;
    }
    memcpy(d->first, cycle, p * sizeof *d->first);
    memcpy(d->cycle, cycle, p * sizeof *d->cycle);
    *out = d;
    return HS_OK;
}

void hs__decider_free(hs__decider *d)
{
    if (!d)
        return;
    free(d->window);
    free(d->first);
    free(d->cycle);
    free(d->anchor);
    free(d->arrival);
    free(d->cycle_then);
    free(d->load_then);
    free(d->cycle_before);
    free(d->load_before);
    hs__drifts_end(&d->drifts);
    free(d);
}

void hs__decider_set_rule(hs__decider *d, const hs__decide_rule *rule)
{
    d->rule = *rule;
}

const hs__balance_sheet *hs__decider_sheet(const hs__decider *d)
{
    return &d->sheet;
}

void hs__decider_moved(hs__decider *d, double seconds)
{
    d->sheet.moves++;
    d->sheet.cost += seconds;
}

const hs__decision *hs__decider_last(const hs__decider *d)
{
    return &d->verdict;
}

const double *hs__decider_cycles(const hs__decider *d)
{
    return d->cycle;
}

static void forget_loss(hs__decider *d)
{
    d->loss = 0;
    d->parted = 0;
}

void hs__decider_weigh(hs__decider *d, int first_time)
{
    d->comparable = 0;
    d->judging = 0;
    d->steady_weights = 0;
    if (!first_time)
        return;
    forget_loss(d);
    hs__drifts_forget(&d->drifts);
    d->compared = 0;
    memset(d->window, 0, (size_t)d->ranks * sizeof *d->window);
    memset(d->anchor, 0, (size_t)d->ranks * sizeof *d->anchor);
    memset(d->arrival, 0, (size_t)d->ranks * sizeof *d->arrival);
}

void hs__decider_replan(hs__decider *d)
{
    hs__drifts_replan(&d->drifts);
    d->judging = 0; /* what was promised is of other messages */
}

int hs__decider_hurries(const hs__decider *d)
{
    for (int i = 0; i < d->ranks; i++) {
        const hs__speed_window *w = &d->window[i];
        if (w->suspect > 0 && fmax(w->suspect / w->mean, w->mean / w->suspect) > URGENT)
            return 1;
    }
    return 0;
}

/* How much slower than first guessed a unit is, in the middle of the ranks that know: turns an idle rank's ratio into
 * seconds. The mean of logarithms weighs 2x and 1/2x alike. */
static double guess_scale(const hs__decider *d, const int64_t *units)
{
    double sum = 0;
    int n = 0;
    for (int i = 0; i < d->ranks; i++)
        if (units[i] > 0 && isfinite(d->first[i]) && d->cycle[i] > 0) {
            sum += log(d->cycle[i] / d->first[i]);
            n++;
        }
    return n > 0 ? exp(sum / n) : 1;
}

/* A unit is so many times the work that it was: idle ranks would need so many times longer, too. */
static void scale_idle(hs__decider *d, const hs__decide_phase *phase, double factor)
{
    for (int i = 0; i < d->ranks; i++)
        if (phase->units[i] == 0) {
            d->anchor[i] *= factor;
            hs__speed_window_scale(&d->window[i], factor);
        }
}

static double pace_of(const hs__decider *d, int i)
{
    return d->pace ? d->pace[i] : 1;
}

/* Which ranks came to another size, having been measured at the one before. */
static void notice_sizes(hs__decider *d, const hs__decide_phase *phase)
{
    for (int i = 0; i < d->ranks; i++) {
        arrival *a = &d->arrival[i];
        if (phase->units[i] != a->units)
            *a = (arrival){.before = phase->units[i] > 0 && a->units > 0 ? d->window[i].mean : 0};
        a->units = phase->units[i];
    }
}

/* How many times as long as before rank i takes at its new size; 0: it is not known yet, or it takes as long. A confirmed change
 * is known at once, a smaller one after some phases. */
static double factor_since(hs__decider *d, int i, double reading, int changed)
{
    arrival *a = &d->arrival[i];
    if (!(a->before > 0) || a->phases >= HS__DECIDE_FRESH_PHASES)
        return 0;
    a->phases++;
    a->mean += (reading - a->mean) / a->phases;
    if (changed)
        return d->window[i].mean / a->before;
    double factor = a->mean / a->before;
    return a->phases == HS__DECIDE_FRESH_PHASES && fabs(factor - 1) > HS__DECIDE_LEAST_GAIN ? factor : 0;
}

/* Takes in the reading of rank i. @return 1 when it confirmed a lasting change of speed that the size does not explain */
static int take_reading(hs__decider *d, int i, double reading, const hs__decide_kind *kind, void *layout)
{
    hs__speed_window *w = &d->window[i];
    int changed = hs__speed_window_add(w, reading);
    double factor = kind->explains ? factor_since(d, i, reading, changed) : 0;
    if (!(factor > 0) || !kind->explains(layout, i, factor))
        return changed;
    hs__speed_window_scale(w, d->arrival[i].before / w->mean);
    d->arrival[i].phases = HS__DECIDE_FRESH_PHASES; /* what comes now is the host's doing */
    return 0;
}

/* Readings of the ranks with units. When all of them change at once in one direction, it is the work that changed, by
 * what no rank escaped. A single rank cannot tell. */
static int take_working(hs__decider *d, const hs__decide_phase *phase, const hs__decide_kind *kind, void *layout)
{
    int working = 0, confirmed = 0;
    double least = INFINITY, most = 0;
    for (int i = 0; i < d->ranks; i++)
        if (phase->units[i] > 0 && phase->cycle[i] > 0) {
            double before = d->window[i].mean;
            working++;
            if (take_reading(d, i, phase->cycle[i] * pace_of(d, i), kind, layout)) {
                confirmed++;
                least = fmin(least, d->window[i].mean / before);
                most = fmax(most, d->window[i].mean / before);
            }
            d->anchor[i] = d->cycle[i] = d->window[i].mean;
        }
    if (working > 1 && confirmed == working && (least > 1 || most < 1))
        scale_idle(d, phase, least > 1 ? least : most);
    return confirmed > 0;
}

/* Updates the windows and the estimates; returns 1 when some rank's lasting change was just confirmed. */
static int take_readings(hs__decider *d, const hs__decide_phase *phase, const hs__decide_kind *kind, void *layout)
{
    notice_sizes(d, phase);
    int confirmed = take_working(d, phase, kind, layout);
    double scale = guess_scale(d, phase->units);
    for (int i = 0; i < d->ranks; i++)
        if (phase->units[i] == 0 && phase->cycle[i] > 0 && isfinite(d->first[i])) {
            double anchor = d->anchor[i] > 0 ? d->anchor[i] : d->first[i] * scale;
            confirmed |= hs__speed_window_add(&d->window[i], phase->cycle[i] * anchor);
            d->cycle[i] = d->window[i].mean;
        }
    return confirmed;
}

/* The weight that rank i holds. */
static double load_of(const hs__decide_phase *phase, int i)
{
    return phase->load ? phase->load[i] : (double)phase->units[i];
}

/* The relative error of the least known reading among ranks with work. */
static double uncertainty(const hs__decider *d, const hs__decide_phase *phase)
{
    double worst = 0;
    for (int i = 0; i < d->ranks; i++)
        if (load_of(phase, i) > 0)
            worst = fmax(worst, hs__speed_window_error(&d->window[i]));
    return worst;
}

/* The longest computation of a step, which is as uncertain as the cycle times are. */
static double computing(const hs__decider *d, const hs__decide_phase *phase)
{
    double longest = 0;
    for (int i = 0; i < d->ranks; i++)
        if (load_of(phase, i) > 0)
            longest = fmax(longest, load_of(phase, i) * d->cycle[i] / pace_of(d, i));
    return longest;
}

static hs__change most_grown(int ranks, const double *then, const double *now)
{
    hs__change most = {0, 0};
    for (int i = 0; i < ranks; i++)
        if (then[i] > 0 && isfinite(then[i]) && now[i] > fmax(1, most.factor) * then[i])
            most = (hs__change){i, now[i] / then[i]};
    return most;
}

/* A slice that weighs more is told from a host that takes longer for the same weight. */
static void tell_apart(hs__decider *d, const hs__decide_phase *phase)
{
    size_t bytes = (size_t)d->ranks * sizeof *d->cycle;
    if (!phase->load)
        return;
    if (!d->compared) {
        memcpy(d->cycle_then, d->cycle, bytes);
        memcpy(d->load_then, phase->load, bytes);
        d->compared = 1;
    }
    d->verdict.slower = most_grown(d->ranks, d->cycle_then, d->cycle);
    d->verdict.heavier = most_grown(d->ranks, d->load_then, phase->load);
}

/* What a phase shows of the last move, from the ranks that computed both before and after it. */
typedef struct after_move {
    double followed; /* 0: ranks take as long as before; 1: as long as the units that they hold now took before */
    double grown;    /* seconds by which the longest computation exceeds what these units took before */
} after_move;

static after_move look_back(const hs__decider *d, const hs__decide_phase *phase)
{
    double as_before = 0, as_units = 0, longest = 0, expected = 0;
    for (int i = 0; i < d->ranks; i++) {
        double load = load_of(phase, i);
        if (!(load > 0 && phase->cycle[i] > 0 && d->load_before[i] > 0))
            continue;
        double promised = d->cycle_before[i] / pace_of(d, i), off = log(phase->cycle[i] / promised);
        as_before += fabs(off + log(load / d->load_before[i]));
        as_units += fabs(off);
        longest = fmax(longest, load * phase->cycle[i]);
        expected = fmax(expected, load * promised);
    }
    return (after_move){as_before > 0 ? as_before / (as_before + as_units) : 0, longest - expected};
}

static void judge(hs__decider *d)
{
    double gained = d->judged_gain / (double)d->judged_iterations;
    d->caution *= gained < 0.5 * d->promised ? 2 : 0.5;
    d->caution = fmin(fmax(d->caution, 1), HS__DECIDE_MAX_CAUTION);
    HS_ASSERT(d->caution >= 1 && d->caution <= HS__DECIDE_MAX_CAUTION);
    d->sheet.given_up = d->caution >= 1 << HS__DECIDE_GIVE_UP && d->sheet.brought < d->sheet.cost;
}

/* Holds the last move to its promise once enough phases have gone by. */
static void watch_move(hs__decider *d, const hs__decide_phase *phase, int confirmed)
{
    double less = d->step_before - phase->step;
    d->comparable = d->comparable && !confirmed;
    if (d->comparable)
        d->sheet.brought += less * (double)phase->iterations;
    if (d->judging == 0)
        return;
    after_move seen = look_back(d, phase);
    if (confirmed && seen.followed > UNMOVED) { /* speeds changed meanwhile: nothing can be learnt */
        d->judging = 0;
        return;
    }
    d->judged_gain += (less + seen.followed * seen.grown) * (double)phase->iterations;
    d->judged_iterations += phase->iterations;
    if (--d->judging == 0)
        judge(d);
}

static double price_of(const hs__decider *d, const hs__decide_phase *phase, int64_t moved)
{
    return d->rule.cost * d->caution * (phase->move_fixed + phase->move_unit * (double)moved);
}

/* Whether what was lost so far, and what is still to come if that is known, is worth the price. */
static int pays(const hs__decide_phase *phase, double loss, double gain, double price)
{
    return loss >= price && (phase->left < 0 || gain * (double)phase->left >= price);
}

static void note_move(hs__decider *d, const hs__decide_phase *phase, double gain)
{
    HS_ASSERT(gain >= 0 && d->loss >= gain);
    d->comparable = d->steady_weights > STALE_PHASES;
    d->judging = d->comparable ? HS__DECIDE_JUDGE_PHASES : 0;
    d->judged_gain = 0;
    d->judged_iterations = 0;
    d->step_before = phase->step;
    for (int i = 0; i < d->ranks; i++) {
        int known = load_of(phase, i) > 0 && phase->cycle[i] > 0;
        d->load_before[i] = known ? load_of(phase, i) : 0;
        d->cycle_before[i] = known ? d->cycle[i] : 0;
    }
    d->promised = gain;
    d->compared = 0;
}

/* Whether a part pays that is worth its price, as decide.h says; counts what is left of the loss. */
static int part_pays(hs__decider *d, const hs__decide_phase *phase, const hs__decide_part *part, double least)
{
    hs__decision *v = &d->verdict;
    double gain = v->now - part->step, share = fmin(gain / (v->now - v->best), 1);
    double price = price_of(d, phase, part->moved), extra = price + price_of(d, phase, part->left) - v->price;
    if (gain < least || !(price + extra <= share * v->price) || !pays(phase, share * d->loss, gain, price))
        return 0;
    note_move(d, phase, gain);
    d->loss += 2 * extra - share * d->loss;
    d->parted = 1;
    v->part = *part;
    v->part_price = price;
    return 1;
}

/* Moves a part of the way if any pays, the one of most gain. */
static hs_status move_part(hs__decider *d, const hs__decide_phase *phase, const hs__decide_kind *kind, void *layout,
                           double least)
{
    double best = d->verdict.best, gain = d->verdict.now - best, left = gain / 2;
    if (!kind->part || d->parted)
        return HS_UNCHANGED;
    while (left / 2 > HS__DECIDE_LEAST_GAIN * d->verdict.now)
        left /= 2;
    for (; left > 0 && left < gain; left *= 2) { /* it may be 0 or infinite as step times may be */
        hs__decide_part part;
        if (kind->part(layout, d->cycle, best + left, &part) != HS_OK || !part_pays(d, phase, &part, least))
            continue;
        kind->take_part(layout, d->cycle);
        return HS_OK;
    }
    return HS_UNCHANGED;
}

/* What the phase took, and how much less it could have. */
static void add_to_sheet(hs__decider *d, const hs__decide_phase *phase, double gain)
{
    d->sheet.seconds += phase->step * (double)phase->iterations;
    d->sheet.lost += fmin(fmax(gain, 0), phase->step) * (double)phase->iterations;
    HS_ASSERT(d->sheet.lost <= d->sheet.seconds * (1 + 1e-9));
}

hs_status hs__decider_phase(hs__decider *d, const hs__decide_phase *phase, const hs__decide_kind *kind, void *layout)
{
    hs__decision *v = &d->verdict;
    d->steady_weights++;
    d->pace = kind->pace ? kind->pace(layout, phase) : NULL;
    int confirmed = take_readings(d, phase, kind, layout);
    watch_move(d, phase, confirmed);
    *v = (hs__decision){.error = uncertainty(d, phase),
                        .drift = hs__drifts_phase(&d->drifts, phase->iterations, phase->cycle, phase->units,
                                                  phase->load, phase->comm, phase->step)};
    tell_apart(d, phase);
    int64_t unseen = confirmed ? d->last_iterations : 0; /* the phase that was only suspected was lost as well */
    d->last_iterations = phase->iterations;
    hs_status status = kind->plan(layout, phase, d->cycle, &v->now, &v->best);
    if (status != HS_OK)
        return status;
    double gain = v->now - v->best, least = fmax(d->rule.least_gain * v->now, 2 * v->error * computing(d, phase));
    add_to_sheet(d, phase, gain);
    if (gain < least) {
        forget_loss(d);
        return HS_UNCHANGED;
    }
    v->loss = d->loss += gain * (double)(phase->iterations + unseen);
    v->moved = kind->traffic(layout);
    v->price = price_of(d, phase, v->moved);
    if (v->moved == 0 || d->sheet.given_up)
        return HS_UNCHANGED;
    if (!pays(phase, d->loss, gain, v->price))
        return move_part(d, phase, kind, layout, least);
    note_move(d, phase, gain);
    forget_loss(d);
    return HS_OK;
}
