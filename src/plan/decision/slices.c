/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/decision/slices.h"
#include "plan/slices/weighted.h"
#include "util/assert.h"
#include <math.h>
#include <string.h>

/* Messages that seem to take more times what bandwidths promise are not all there is to a step: the rest stays whoever takes
 * part. They may take any part of it: what travels in a step takes no longer than the step. */
#define MOST_SCALE 4.0

/* Another membership has to be so much better than the best slices of this one: the model is coarser there. */
#define MEMBERSHIP_GAIN 0.03

/* So much of a step may be noise. */
#define HIDDEN 0.03

/* Phases after a move that tell what its steps take. */
#define JUDGED 2

/* Step times this close are equal: then fewer bytes on shared links win, so that nothing rests on perfect overlap. */
#define TIE 0.01

hs_status hs__slices_start(hs__slices *s, int memberships, const double *comm, const double *traffic)
{
    size_t ranks = (size_t)s->ranks;
    s->most_memberships = memberships > s->most_memberships ? memberships : s->most_memberships;
    s->membership = hs__pool_new(&s->pool, (size_t)s->most_memberships, sizeof *s->membership);
    s->comm = hs__pool_new(&s->pool, (size_t)s->most_memberships * ranks, sizeof *s->comm);
    s->candidate = hs__pool_new(&s->pool, ranks, sizeof *s->candidate);
    s->trial = hs__pool_new(&s->pool, ranks, sizeof *s->trial);
    s->scratch = hs__pool_new(&s->pool, HS__SLICES_SCRATCH(ranks), sizeof *s->scratch);
    s->exposed_comm = hs__pool_new(&s->pool, ranks, sizeof *s->exposed_comm);
    if (hs__pool_status(&s->pool) != HS_OK) {
        hs__slices_end(s);
        return HS_ERR_NOMEM;
    }
    s->believed = HS_STEP_SERIAL;
    hs__slices_replan(s, memberships, comm, traffic);
    return HS_OK;
}

void hs__slices_replan(hs__slices *s, int memberships, const double *comm, const double *traffic)
{
    size_t ranks = (size_t)s->ranks;
    HS_ASSERT(memberships >= s->memberships && memberships <= s->most_memberships);
    if (comm)
        memcpy(s->comm, comm, (size_t)memberships * ranks * sizeof *s->comm);
    for (int m = 0; m < memberships; m++)
        s->membership[m] = (hs__slices_membership){.comm = s->comm + (size_t)m * ranks,
                                                   .traffic = traffic ? traffic[m] : 0,
                                                   .fit = {s->model == HS_STEP_SERIAL, 1, 0}};
    s->memberships = memberships;
    s->scale = 1;
    s->testing = 0; /* what was promised is of other messages */
}

void hs__slices_end(hs__slices *s)
{
    hs__pool_free(&s->pool);
    s->membership = NULL;
    s->paces.pace = NULL;
    s->comm = s->exposed_comm = NULL;
    s->candidate = s->trial = s->scratch = NULL;
}

void hs__slices_moved(hs__slices *s)
{
    s->testing = 1;
    memcpy(s->promised, s->foretold, sizeof s->promised);
    s->present = s->chosen;
    s->step = (hs__speed_window){0};
    hs__slices_leave_sizes(s);
}

void hs__slices_weigh(hs__slices *s, const double *prefix)
{
    s->prefix = prefix;
    s->step = (hs__speed_window){0};
    s->testing = 0; /* what was promised is of other weights */
    if (s->paces.pace)
        memset(s->paces.former_bytes, 0,
               (size_t)s->ranks * sizeof *s->paces.former_bytes); /* and so were the sizes before */
}

/* The weight of `count` units from first on. */
static double load_of(const hs__slices *s, int64_t first, int64_t count)
{
    HS_ASSERT(!s->prefix || (first >= 0 && count >= 0 && first <= s->units - count));
    return s->prefix ? s->prefix[first + count] - s->prefix[first] : (double)count;
}

void hs__slices_loads(const hs__slices *s, const int64_t *count, double *load)
{
    int64_t first = 0;
    for (int i = 0; i < s->ranks; first += count[i++])
        load[i] = load_of(s, first, count[i]);
}

double hs__slices_step(const hs__slices *s, const double *comm, const hs__step_fit *fit, const int64_t *count,
                       const double *cycle)
{
    double longest = 0;
    int64_t first = 0;
    for (int i = 0; i < s->ranks; first += count[i++]) {
        if (count[i] == 0)
            continue;
        double compute = hs__slices_seconds(s, i, cycle[i], load_of(s, first, count[i])),
               messages = fit->scale * comm[i];
        longest = fmax(longest, fmax(compute, messages) + fit->exposed * fmin(compute, messages));
    }
    return longest;
}

/* The largest part of the messages that a step of this length leaves exposed. */
static double fit_exposed(const hs__slices *s, const double *comm, const double *cycle, double step)
{
    double exposed = 1;
    int64_t first = 0;
    for (int i = 0; i < s->ranks; first += s->count[i++]) {
        double compute = hs__slices_seconds(s, i, cycle[i], load_of(s, first, s->count[i]));
        double less = s->count[i] > 0 ? fmin(compute, comm[i]) : 0;
        if (less > 0)
            exposed = fmin(exposed, (step - fmax(compute, comm[i])) / less);
    }
    return fmax(exposed, 0);
}

/* The largest scale at which steps with or without overlap take no longer than this. */
static double fit_scale(const hs__slices *s, const double *comm, const double *cycle, double step, int exposed)
{
    double scale = INFINITY;
    int64_t first = 0;
    for (int i = 0; i < s->ranks; first += s->count[i++])
        if (s->count[i] > 0 && comm[i] > 0) {
            double compute = hs__slices_seconds(s, i, cycle[i], load_of(s, first, s->count[i]));
            scale = fmin(scale, (step - (exposed ? compute : 0)) / comm[i]);
        }
    return isfinite(scale) ? fmin(scale, MOST_SCALE) : 1;
}

hs__step_fit hs__slices_fit(const hs__slices *s, hs_step_model model, const double *comm, const double *cycle,
                            double step)
{
    const hs__step_fit silent = {0, 0, 0}, overlapped = {0, 1, 0}, serial = {1, 1, 0};
    hs__step_fit fit = overlapped;
    double least = hs__slices_step(s, comm, &overlapped, s->count, cycle);
    if (model == HS_STEP_OVERLAP || step < least) {
        fit.scale = fit_scale(s, comm, cycle, step, 0);
        if (step < (1 + HIDDEN) * hs__slices_step(s, comm, &silent, s->count, cycle))
            fit.scale = fmin(fit.scale, s->scale); /* no more is known than that they fit in */
    } else if (step < hs__slices_step(s, comm, &serial, s->count, cycle)) {
        fit.exposed = fit_exposed(s, comm, cycle, step);
    } else {
        fit = serial;
        fit.scale = fit_scale(s, comm, cycle, step, 1);
    }
    fit.rest = fmax(0, step - hs__slices_step(s, comm, &fit, s->count, cycle));
    HS_ASSERT(fit.exposed >= 0 && fit.exposed <= 1 && fit.scale >= 0);
    return fit;
}

double hs__slices_message_scale(const hs__slices *s)
{
    return fmin(s->membership[s->present].fit.scale, 1);
}

/* A move is a test of both models, once two phases have told what its steps take. */
static void judge_models(hs__slices *s)
{
    double told = s->step.mean;
    hs_step_model other = s->believed == HS_STEP_SERIAL ? HS_STEP_OVERLAP : HS_STEP_SERIAL;
    if (!s->testing || s->step.readings != JUDGED)
        return;
    double off = fabs(log(told / s->promised[s->believed])), other_off = fabs(log(told / s->promised[other]));
    if (off > HIDDEN && other_off < off)
        s->believed = other;
    s->testing = 0;
}

/* Takes in how long a step was. */
static void learn(hs__slices *s, const hs__decide_phase *phase, const double *cycle)
{
    hs__slices_membership *m = &s->membership[s->present];
    if (!(phase->step > 0))
        return;
    hs__speed_window_add(&s->step, phase->step);
    judge_models(s);
    m->fit = hs__slices_fit(s, s->believed, m->comm, cycle, s->step.mean);
    m->tried = 1;
    if (s->believed == HS_STEP_OVERLAP)
        s->scale = m->fit.scale;
}

static hs__slices_task task_of(const hs__slices *s, const double *cycle)
{
    return (hs__slices_task){.prefix = s->prefix,
                             .cycle_time = cycle,
                             .comm_time = s->exposed_comm,
                             .sizes = hs__slices_sizes(s),
                             .hosts = s->ranks,
                             .units = s->units,
                             .minimum = s->minimum};
}

/* The best slices of a membership when its messages are exposed or not; the better of both ways is what the fit says.
 * @return whether there are any: they are the trial */
static int cut(hs__slices *s, const double *comm, const hs__step_fit *fit, const double *cycle, hs_step_model model)
{
    for (int i = 0; i < s->ranks; i++) {
        double part = model == HS_STEP_OVERLAP ? fit->scale : fit->scale * fit->exposed;
        s->exposed_comm[i] = isfinite(comm[i]) ? part * comm[i] : INFINITY;
    }
    const hs__slices_task task = task_of(s, cycle);
    return hs__slices_cut(&task, model, s->count, s->trial, NULL, s->scratch) == HS_OK;
}

hs_status hs__slices_first(hs__slices *s, const double *cycle, int64_t *count)
{
    for (int i = 0; i < s->ranks; i++)
        s->exposed_comm[i] = isfinite(cycle[i]) ? 0 : INFINITY;
    const hs__slices_task task = task_of(s, cycle);
    return hs__slices_cut(&task, HS_STEP_SERIAL, NULL, count, NULL, s->scratch);
}

/* What is best so far. */
typedef struct best_cut {
    double step, traffic;
    int membership;
} best_cut;

/* Whether a cut takes the place of the best so far. */
static int better(const hs__slices *s, const best_cut *best, const best_cut *other)
{
    if (best->membership < 0)
        return 1;
    if (best->membership == other->membership)
        return other->step < best->step;
    if (best->membership == s->present)
        return other->step < (1 - MEMBERSHIP_GAIN) * best->step;
    return other->traffic < best->traffic ? other->step <= (1 + TIE) * best->step
                                          : other->step < (1 - TIE) * best->step;
}

static void try_membership(hs__slices *s, int index, const double *cycle, best_cut *best)
{
    const hs__slices_membership *m = &s->membership[index];
    const hs__step_fit *fit = m->tried ? &m->fit : &s->membership[s->present].fit;
    for (hs_step_model model = HS_STEP_SERIAL; model <= HS_STEP_OVERLAP; model++) {
        if (!cut(s, m->comm, fit, cycle, model))
            continue;
        best_cut found = {hs__slices_step(s, m->comm, fit, s->trial, cycle) + fit->rest, m->traffic, index};
        if (!better(s, best, &found))
            continue;
        *best = found;
        memcpy(s->candidate, s->trial, (size_t)s->ranks * sizeof *s->trial);
    }
}

/* What each model says of the candidate, from the steps measured now. */
static void foretell(hs__slices *s, const double *cycle)
{
    const double *comm = s->membership[s->present].comm, *next = s->membership[s->chosen].comm;
    for (hs_step_model model = HS_STEP_SERIAL; model <= HS_STEP_OVERLAP; model++) {
        hs__step_fit fit = hs__slices_fit(s, model, comm, cycle, s->step.mean);
        s->foretold[model] = hs__slices_step(s, next, &fit, s->candidate, cycle) + fit.rest;
    }
}

/* The present membership first: another one has to be clearly better. Needs no memory. */
static hs_status plan(void *layout, const hs__decide_phase *phase, const double *cycle, double *now, double *best_step)
{
    hs__slices *s = layout;
    best_cut best = {INFINITY, INFINITY, -1};
    learn(s, phase, cycle);
    const hs__slices_membership *present = &s->membership[s->present];
    try_membership(s, s->present, cycle, &best);
    for (int m = 0; m < s->memberships; m++)
        if (m != s->present)
            try_membership(s, m, cycle, &best);
    if (best.membership < 0)
        return HS_UNCHANGED;
    HS_ASSERT(hs_slices_check(s->candidate, s->ranks, s->units, s->minimum, NULL) == HS_OK);
    s->chosen = best.membership;
    foretell(s, cycle);
    *now = hs__slices_step(s, present->comm, &present->fit, s->count, cycle) + present->fit.rest;
    *best_step = best.step;
    return HS_OK;
}

static int64_t traffic(const void *layout)
{
    const hs__slices *s = layout;
    return hs__moved_units_busiest(s->ranks, s->count, s->candidate);
}

/* Within the membership that is held: another one moves at once or not at all. */
static hs_status part(void *layout, const double *cycle, double step, hs__decide_part *found)
{
    hs__slices *s = layout;
    const double *comm = s->membership[s->present].comm;
    const hs__step_fit *fit = &s->membership[s->present].fit;
    for (int i = 0; i < s->ranks; i++)
        s->exposed_comm[i] = isfinite(comm[i]) ? fit->scale * comm[i] : INFINITY;
    const hs__slices_task task = task_of(s, cycle);
    if (hs__slices_near(&task, fit->exposed, step - fit->rest, s->count, s->trial, s->scratch) != HS_OK)
        return HS_UNCHANGED;
    *found = (hs__decide_part){hs__slices_step(s, comm, fit, s->trial, cycle) + fit->rest,
                               hs__moved_units_busiest(s->ranks, s->count, s->trial),
                               hs__moved_units_busiest(s->ranks, s->trial, s->candidate)};
    return HS_OK;
}

static void take_part(void *layout, const double *cycle)
{
    hs__slices *s = layout;
    memcpy(s->candidate, s->trial, (size_t)s->ranks * sizeof *s->trial);
    s->chosen = s->present;
    foretell(s, cycle);
}

const hs__decide_kind hs__slices_kind = {hs__slices_pace, hs__slices_explain, plan, traffic, part, take_part};

/* Units that rank i holds under both cuts, given where its slices begin. */
static int64_t kept(int64_t from_first, int64_t from_count, int64_t to_first, int64_t to_count)
{
    int64_t first = from_first > to_first ? from_first : to_first;
    int64_t end = from_first + from_count < to_first + to_count ? from_first + from_count : to_first + to_count;
    return end > first ? end - first : 0;
}

int64_t hs__moved_units_busiest(int ranks, const int64_t *from, const int64_t *to)
{
    int64_t busiest = 0, from_first = 0, to_first = 0;
    for (int i = 0; i < ranks; i++) {
        int64_t stays = kept(from_first, from[i], to_first, to[i]);
        int64_t traffic = (from[i] - stays) + (to[i] - stays); /* at most all units, however many */
        busiest = traffic > busiest ? traffic : busiest;
        from_first += from[i];
        to_first += to[i];
    }
    return busiest;
}

int64_t hs__moved_units(int ranks, const int64_t *from, const int64_t *to)
{
    int64_t moved = 0, from_first = 0, to_first = 0;
    for (int i = 0; i < ranks; i++) {
        moved += to[i] - kept(from_first, from[i], to_first, to[i]);
        from_first += from[i];
        to_first += to[i];
    }
    return moved;
}
