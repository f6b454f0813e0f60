/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/decision/promise.h"
#include "util/array.h"
#include "util/assert.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Records travel for up to a phase: when new weights come, so many decisions still rest on phases under the old ones. */
#define STALE_PHASES 2

struct hs__decider {
    int ranks;
    hs__decide_rule rule;
    hs__readings readings;
    hs__promise promise; /* of the last move */
    double loss;
    int parted; /* a part of the present gain was moved */
    int64_t last_iterations;
    int64_t steady_weights; /* decisions since the weights changed */
    hs__decision verdict;   /* of the last phase */
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
    d->steady_weights = STALE_PHASES;
    d->cycle_then = hs__array_new(p, sizeof *d->cycle_then);
    d->load_then = hs__array_new(p, sizeof *d->load_then);
    hs_status reading = hs__readings_start(&d->readings, ranks, cycle);
    hs_status promising = hs__promise_start(&d->promise, ranks);
    hs_status watching = hs__drifts_start(&d->drifts, ranks);
    if (reading != HS_OK || promising != HS_OK || watching != HS_OK || !d->cycle_then || !d->load_then) {
        hs__decider_free(d);
        return HS_ERR_NOMEM;
    }
    *out = d;
    return HS_OK;
}

void hs__decider_free(hs__decider *d)
{
    if (!d)
        return;
    free(d->cycle_then);
    free(d->load_then);
    hs__readings_end(&d->readings);
    hs__promise_end(&d->promise);
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
    return d->readings.cycle;
}

const double *hs__decider_guess(const hs__decider *d)
{
    return d->readings.first;
}

void hs__decider_speeds(const hs__decider *d, const double *scale, double *speed)
{
    hs__readings_speeds(&d->readings, scale, speed);
}

static void forget_loss(hs__decider *d)
{
    d->loss = 0;
    d->parted = 0;
}

void hs__decider_weigh(hs__decider *d, int first_time)
{
    d->comparable = 0;
    d->promise.phases = 0;
    d->steady_weights = 0;
    if (!first_time)
        return;
    forget_loss(d);
    hs__drifts_forget(&d->drifts);
    d->compared = 0;
    hs__readings_forget(&d->readings);
}

void hs__decider_replan(hs__decider *d)
{
    hs__drifts_replan(&d->drifts);
    d->promise.phases = 0; /* what was promised is of other messages */
}

int hs__decider_hurries(const hs__decider *d)
{
    return hs__readings_urgent(&d->readings);
}

/* The longest computation of a step, which is as uncertain as the cycle times are. */
static double computing(const hs__decider *d, const hs__decide_phase *phase)
{
    double longest = 0;
    for (int i = 0; i < d->ranks; i++)
        if (hs__phase_load(phase, i) > 0)
            longest =
                fmax(longest, hs__phase_load(phase, i) * d->readings.cycle[i] / hs__readings_pace(&d->readings, i));
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
    size_t bytes = (size_t)d->ranks * sizeof *d->cycle_then;
    if (!phase->load)
        return;
    if (!d->compared) {
        memcpy(d->cycle_then, d->readings.cycle, bytes);
        memcpy(d->load_then, phase->load, bytes);
        d->compared = 1;
    }
    d->verdict.slower = most_grown(d->ranks, d->cycle_then, d->readings.cycle);
    d->verdict.heavier = most_grown(d->ranks, d->load_then, phase->load);
}

/* Holds the last move to its promise, and counts what it brought. */
static void watch_move(hs__decider *d, const hs__decide_phase *phase, int confirmed)
{
    d->comparable = d->comparable && !confirmed;
    if (d->comparable)
        d->sheet.brought += (d->promise.step - phase->step) * (double)phase->iterations;
    if (hs__promise_watch(&d->promise, &d->readings, phase, confirmed) && d->promise.caution >= 1 << HS__DECIDE_GIVE_UP)
        d->sheet.off_until = d->promise.caution * fmax(0, d->sheet.cost - d->sheet.brought);
}

static double price_of(const hs__decider *d, const hs__decide_phase *phase, int64_t moved)
{
    double cost = phase->move_fixed + phase->move_unit * (double)moved;
    return d->rule.cost * fmax(d->promise.caution * cost, d->sheet.off_until);
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
    hs__promise_make(&d->promise, &d->readings, phase, gain, d->comparable);
    d->compared = 0;
    d->sheet.off_until = 0;
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
        if (kind->part(layout, d->readings.cycle, best + left, &part) != HS_OK || !part_pays(d, phase, &part, least))
            continue;
        kind->take_part(layout, d->readings.cycle);
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
    int confirmed = hs__readings_take(&d->readings, phase, kind, layout);
    watch_move(d, phase, confirmed);
    *v = (hs__decision){.error = hs__readings_error(&d->readings, phase), .drift = hs__drifts_phase(&d->drifts, phase)};
    tell_apart(d, phase);
    int64_t unseen = confirmed ? d->last_iterations : 0; /* the phase that was only suspected was lost as well */
    d->last_iterations = phase->iterations;
    hs_status status = kind->plan(layout, phase, d->readings.cycle, &v->now, &v->best);
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
    if (v->moved == 0)
        return HS_UNCHANGED;
    if (!pays(phase, d->loss, gain, v->price))
        return move_part(d, phase, kind, layout, least);
    note_move(d, phase, gain);
    forget_loss(d);
    return HS_OK;
}
