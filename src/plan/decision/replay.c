/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/decision/replay.h"
#include "util/array.h"
#include "util/double_bits.h"
#include <stdlib.h>
#include <string.h>

/* A decider and what it decides about. */
typedef struct replica {
    const hs__trace *trace;
    hs__decider *decider;
    hs__slices slices;
    int64_t *units;   /* that it holds; owned */
    double *load;     /* and their weights; owned */
    size_t weighings; /* weights that came so far */
    size_t replans;   /* and memberships that were planned again */
} replica;

static void replica_end(replica *p)
{
    hs__decider_free(p->decider);
    hs__slices_end(&p->slices);
    free(p->units);
    free(p->load);
}

/* speed: that the functions of sizes are of; NULL: they are paces */
static hs_status replica_start(replica *p, const hs__trace *trace, const double *speed)
{
    *p = (replica){.trace = trace, .slices = trace->slices};
    p->units = hs__array_new((size_t)trace->ranks, sizeof *p->units);
    p->load = hs__array_new((size_t)trace->ranks, sizeof *p->load);
    hs_status status = p->units && p->load ? hs__decider_create(trace->ranks, trace->first, &p->decider) : HS_ERR_NOMEM;
    p->slices.count = p->units;
    if (status == HS_OK && trace->has_slices)
        status = hs__slices_start(&p->slices, trace->memberships, trace->comm, trace->traffic);
    if (status == HS_OK && trace->pace)
        status = hs__slices_by_size(&p->slices, trace->pace, speed, trace->said_bytes);
    if (status != HS_OK)
        replica_end(p);
    return status;
}

static void hold(replica *p, const int64_t *units)
{
    memcpy(p->units, units, (size_t)p->trace->ranks * sizeof *units);
}

/* The weights and memberships that came before phase k. */
static void take_news(replica *p, size_t k)
{
    const hs__trace *trace = p->trace;
    for (; p->weighings < trace->weighings && trace->weighing[p->weighings].before <= k; p->weighings++) {
        hs__decider_weigh(p->decider, !p->slices.prefix);
        hs__slices_weigh(&p->slices, trace->weighing[p->weighings].prefix);
    }
    for (; p->replans < trace->replans && trace->replan[p->replans].before <= k; p->replans++) {
        const hs__trace_replan *replan = &trace->replan[p->replans];
        hs__decider_replan(p->decider);
        hs__slices_replan(&p->slices, replan->memberships, replan->comm, replan->traffic);
    }
}

/* The phase with the units that are held. */
static hs__decide_phase held(replica *p, const hs__decide_phase *recorded)
{
    hs__decide_phase phase = *recorded;
    phase.units = p->units;
    if (p->slices.prefix) {
        hs__slices_loads(&p->slices, p->units, p->load);
        phase.load = p->load;
    }
    if (p->trace->has_slices)
        phase.comm = p->slices.membership[p->slices.present].comm;
    return phase;
}

/* A layout of another kind: it answers what it answered. */
static hs_status recorded_plan(void *layout, const hs__decide_phase *phase, const double *cycle, double *now,
                               double *best)
{
    const hs__trace_entry *entry = layout;
    *now = entry->decision.now;
    *best = entry->decision.best;
    return HS_OK;
}

static int64_t recorded_traffic(const void *layout)
{
    const hs__trace_entry *entry = layout;
    return entry->decision.moved;
}

/* Decides about phase k of the run, as it was. */
static hs_status decide(replica *p, size_t k)
{
    static const hs__decide_kind recorded = {.plan = recorded_plan, .traffic = recorded_traffic};
    const hs__trace_entry *entry = &p->trace->entry[k];
    take_news(p, k);
    hold(p, entry->phase.units);
    hs__decide_phase phase = held(p, &entry->phase);
    if (p->trace->has_slices)
        return hs__decider_phase(p->decider, &phase, &hs__slices_kind, &p->slices);
    return hs__decider_phase(p->decider, &phase, &recorded, (void *)entry);
}

static int same(double a, double b)
{
    return hs__bits_of(a) == hs__bits_of(b);
}

/* Files of earlier versions tell of no drift. */
static int same_drift(const hs__drift *found, const hs__drift *recorded)
{
    return recorded->kind == HS__DRIFT_NONE ||
           (found->kind == recorded->kind && found->rank == recorded->rank && same(found->before, recorded->before) &&
            same(found->after, recorded->after) && found->iterations == recorded->iterations);
}

static int same_decision(const hs__decision *a, const hs__decision *b)
{
    return same(a->now, b->now) && same(a->best, b->best) && same(a->loss, b->loss) && same(a->price, b->price) &&
           same(a->error, b->error) && a->moved == b->moved && same(a->part.step, b->part.step) &&
           a->part.moved == b->part.moved && a->part.left == b->part.left && same(a->part_price, b->part_price) &&
           same_drift(&a->drift, &b->drift);
}

/* The move was carried out. */
static void follow_move(replica *p, double seconds)
{
    hs__decider_moved(p->decider, seconds);
    if (p->trace->has_slices)
        hs__slices_moved(&p->slices);
}

hs_status hs__replay_verify(const hs__trace *trace, int *differs)
{
    replica p;
    hs_status status = replica_start(&p, trace, NULL);
    if (status != HS_OK)
        return status;
    int line = 0;
    for (size_t k = 0; k < trace->entries && status >= 0 && line == 0; k++) {
        const hs__trace_entry *entry = &trace->entry[k];
        status = decide(&p, k);
        if (entry->move_s >= 0 && status == HS_OK)
            follow_move(&p, entry->move_s);
        if ((status == HS_OK) != entry->moves || !same_decision(hs__decider_last(p.decider), &entry->decision))
            line = entry->line;
    }
    replica_end(&p);
    if (status < 0)
        return status;
    *differs = line;
    return HS_OK;
}

hs__replay_outcome hs__replay_measured(const hs__trace *trace)
{
    hs__replay_outcome outcome = {0};
    for (size_t k = 0; k < trace->entries; k++) {
        const hs__trace_entry *entry = &trace->entry[k];
        outcome.seconds += entry->phase.step * (double)entry->phase.iterations;
        if (entry->move_s >= 0) {
            outcome.moving += entry->move_s;
            outcome.moves++;
        }
    }
    outcome.seconds += outcome.moving;
    return outcome;
}

/* What the recorded phase says of the ranks and of messages. */
typedef struct circumstances {
    double *cycle; /* [rank of the run] seconds a unit at pace 1 */
    double *there; /* and by the other's ranks, where that runs */
    hs__step_fit fit;
    double *base, *reported; /* [rank of the other] see report() */
} circumstances;

static void learn(const replica *run, const hs__trace_entry *entry, circumstances *c)
{
    const double *believed = hs__decider_cycles(run->decider);
    const double *pace = hs__slices_sizes(&run->slices) ? run->slices.paces.held : NULL;
    for (int i = 0; i < run->trace->ranks; i++)
        c->cycle[i] = entry->phase.units[i] > 0 && entry->phase.cycle[i] > 0
                          ? entry->phase.cycle[i] * (pace ? pace[i] : 1)
                          : believed[i];
    c->fit = hs__slices_fit(&run->slices, run->slices.believed, run->slices.membership[run->slices.present].comm,
                            c->cycle, entry->phase.step);
}

static void carry_over(const hs__replay_place *there, int ranks, circumstances *c)
{
    for (int i = 0; i < ranks; i++)
        if (there)
            c->there[there->rank[i]] = c->cycle[i] * there->ratio[i];
        else
            c->there[i] = c->cycle[i];
}

/* What a rank would have reported: a cycle time, or without units what its speed has become since it had some. */
static void report(const hs__slices *sizes, const replica *p, circumstances *c)
{
    double *cycle = c->reported;
    hs__slices_paces(sizes, p->units, cycle);
    for (int i = 0; i < p->trace->ranks; i++) {
        if (p->units[i] > 0 || !(c->base[i] > 0))
            c->base[i] = c->there[i];
        cycle[i] = p->units[i] > 0 ? c->there[i] / cycle[i] : c->base[i] > 0 ? c->there[i] / c->base[i] : 0;
    }
}

/* What is supposed. */
typedef struct supposition {
    const hs__replay_place *there; /* NULL: where it ran */
    double charge;
} supposition;

/* One phase as it would have been. */
static hs_status suppose(const hs__slices *sizes, replica *p, const hs__trace_entry *entry, circumstances *c,
                         const supposition *what, hs__replay_outcome *outcome)
{
    hs__decide_phase phase = held(p, &entry->phase);
    report(sizes, p, c);
    phase.cycle = c->reported;
    phase.step =
        c->fit.rest + hs__slices_step(sizes, p->slices.membership[p->slices.present].comm, &c->fit, p->units, c->there);
    if (what->there) {
        phase.move_fixed *= what->there->move;
        phase.move_unit *= what->there->move;
    }
    outcome->seconds += phase.step * (double)phase.iterations;
    hs_status status = hs__decider_phase(p->decider, &phase, &hs__slices_kind, &p->slices);
    if (status != HS_OK)
        return status;
    double cost = what->charge * (phase.move_fixed + phase.move_unit * (double)hs__slices_kind.traffic(&p->slices));
    outcome->seconds += cost;
    outcome->moving += cost;
    outcome->moves++;
    follow_move(p, cost);
    hold(p, p->slices.candidate);
    return HS_OK;
}

static hs_status begin(replica *other, const hs__trace *run)
{
    if (!run)
        return hs__slices_first(&other->slices, other->trace->first, other->units);
    hold(other, run->entry[0].phase.units);
    return HS_OK;
}

static hs_status run_both(replica *run, replica *other, const supposition *what, circumstances *c,
                          hs__replay_outcome *outcome)
{
    hs_status status = HS_OK;
    const hs__slices *sizes =
        what->there ? &other->slices : &run->slices; /* where it ran the run knows most of sizes */
    for (size_t k = 0; k < run->trace->entries && status >= 0; k++) {
        const hs__trace_entry *entry = &run->trace->entry[k];
        take_news(other, k);
        if (k == 0)
            status = begin(other, what->there ? NULL : run->trace);
        if (status >= 0)
            status = decide(run, k);
        if (status < 0)
            break;
        learn(run, entry, c);
        carry_over(what->there, run->trace->ranks, c);
        if (entry->move_s >= 0 && status == HS_OK)
            follow_move(run, entry->move_s);
        status = suppose(sizes, other, entry, c, what, outcome);
    }
    return status < 0 ? status : HS_OK;
}

static hs_status suppose_all(replica *run, replica *other, const supposition *what, hs__replay_outcome *outcome)
{
    size_t ranks = (size_t)run->trace->ranks;
    hs__pool pool = {0};
    circumstances c = {.cycle = hs__pool_new(&pool, ranks, sizeof *c.cycle),
                       .there = hs__pool_new(&pool, ranks, sizeof *c.there),
                       .base = hs__pool_new(&pool, ranks, sizeof *c.base),
                       .reported = hs__pool_new(&pool, ranks, sizeof *c.reported)};
    hs_status status = hs__pool_status(&pool);
    if (status == HS_OK)
        status = run_both(run, other, what, &c, outcome);
    hs__pool_free(&pool);
    return status;
}

hs_status hs__replay_suppose(const hs__trace *trace, const hs__replay_place *there, const hs__decide_rule *rule,
                             double charge, hs__replay_outcome *outcome)
{
    replica run, other;
    const supposition what = {there, charge};
    if (!trace->has_slices)
        return HS_ERR_UNSUPPORTED;
    hs_status status = replica_start(&run, trace, NULL);
    if (status != HS_OK)
        return status;
    status = there ? replica_start(&other, &there->start, there->start.site.speed) : replica_start(&other, trace, NULL);
    if (status == HS_OK) {
        hs__replay_outcome found = {0};
        hs__decider_set_rule(other.decider, rule);
        status = suppose_all(&run, &other, &what, &found);
        replica_end(&other);
        if (status == HS_OK)
            *outcome = found;
    }
    replica_end(&run);
    return status;
}
