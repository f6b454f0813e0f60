/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/balance/balance.h"
#include "runtime/balance/links.h"
#include "runtime/balance/log.h"
#include "runtime/balance/tell.h"
#include "runtime/base/waiting.h"
#include "runtime/watch/library.h"
#include "runtime/watch/moves.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/clock.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Until a move has been measured it is taken to cost this much (all ranks wait for the last one, and find their pace
 * again afterwards), plus this much a byte where nothing was measured: a slow network, for caution. */
#define GUESSED_FIXED_S 50e-3
#define GUESSED_BYTE_S (1 / 5e6)

/* Fields of a record's time[]. */
enum { CYCLE, STEP, OVERHEAD, NEWS };

static void phase_begin(hs__balancer *b)
{
    hs__phase_state *phase = &b->phase;
    phase->begun = b->counts.iterations;
    phase->wall_ns = hs__clock_ns();
    hs__computing_restart(&b->computing);
    phase->overhead_ns = phase->library_ns = 0;
    phase->work = 0;
    phase->work_until = phase->begun;
    b->held = b->load ? b->load[b->context->rank] : 0;
    phase->collecting = phase->delivered = 0;
}

/* Tell base/waiting.h whether this layout counts, and whether this rank has units of it. */
static void count_layout(hs__balancer *b, int counted)
{
    int working = counted && b->units[b->context->rank] > 0;
    hs__waiting_count_layouts(counted - b->counted, working - b->working);
    b->counted = counted;
    b->working = working;
}

static const hs__slices *slices_of(const hs__balancer *b)
{
    return b->kind->slices ? b->kind->slices(b->layout) : NULL;
}

hs_status hs__balancer_start(hs__balancer *b, const double *cycle)
{
    hs_status status = HS_OK;
    if (b->context->params.mode == HS_BALANCE_ON && b->context->size > 1) {
        b->records = hs__array_new((size_t)b->context->size, sizeof *b->records);
        b->cycle = hs__array_new((size_t)b->context->size, sizeof *b->cycle);
        b->news = hs__array_new((size_t)b->context->size, sizeof *b->news);
        status = b->records && b->cycle && b->news ? hs__planning_start(&b->planning, b->context->size) : HS_ERR_NOMEM;
        if (status == HS_OK)
            status = hs__decider_create(b->context->size, cycle, &b->decider);
    }
    if (status != HS_OK)
        return status;
    if (b->decider && b->context->rank == 0)
        b->logged = hs__log_layout(b->context, cycle, slices_of(b), b->periodic);
    else if (b->decider)
        hs__log_forget();
    b->plans = b->context->planner.plans;
    phase_begin(b);
    b->phase.until = b->decider ? 0 : INT64_MAX;
    return HS_OK;
}

void hs__balancer_end(hs__balancer *b)
{
    if (b->decider)
        hs__tell_sheet(b->context, hs__decider_sheet(b->decider));
    hs__gather_disown(b->context, b);
    count_layout(b, 0);
    hs__decider_free(b->decider);
    hs__planning_end(&b->planning);
    hs__idle_end(&b->idle);
    free(b->records);
    free(b->cycle);
    free(b->news);
}

/* Weight x iterations of the phase so far. */
static double work_done(const hs__balancer *b)
{
    const hs__phase_state *phase = &b->phase;
    if (!b->load)
        return (double)(b->counts.iterations - phase->begun) * (double)b->units[b->context->rank];
    return phase->work + b->held * (double)(b->counts.iterations - phase->work_until);
}

/* Seconds that this rank has computed in the phase; 0: not known. Threads take turns once where one makes a layout and
 * another one balances it; from the second time on that is told. */
static double computed(hs__balancer *b)
{
    double seconds = hs__computing_seconds(&b->computing);
    if (!isnan(seconds))
        return seconds;
    if (++b->turns == 2)
        hs__tell_turns(b->context);
    return 0;
}

/* The phase as this rank saw it. */
static hs__record summarize(hs__balancer *b)
{
    hs__phase_state *phase = &b->phase;
    int64_t iterations = b->counts.iterations - phase->begun, units = b->units[b->context->rank];
    double compute_s = computed(b);
    double wall_s = (double)(hs__clock_ns() - phase->wall_ns) * 1e-9;
    hs__record record = {b->kind->operation, HS_OK, {b->counts.iterations, b->counts.moves}, {0}};
    record.time[CYCLE] = units == 0 ? b->idle.ratio : work_done(b) > 0 ? compute_s / work_done(b) : 0;
    record.time[STEP] = (wall_s - (double)phase->library_ns * 1e-9) / (double)iterations;
    record.time[OVERHEAD] = (double)phase->overhead_ns * 1e-9;
    record.time[NEWS] = b->kind->news ? b->kind->news(b->layout) : 0;
    b->counts.compute_s += compute_s;
    phase->iterations = iterations;
    return record;
}

static int64_t lag(const hs__balancer *b, int64_t length)
{
    return length < 1 ? 1 : length < b->kind->lag ? length : b->kind->lag;
}

/* Units may have come or gone. */
static void notice_units(hs__balancer *b)
{
    count_layout(b, 1);
    if (b->units[b->context->rank] > 0)
        hs__idle_forget(&b->idle);
}

/* Another call, say of another layout, needed the place of the records, which wait here for the next step. */
static void deliver(void *balancer, const hs__record *all)
{
    hs__balancer *b = balancer;
    memcpy(b->records, all, (size_t)b->context->size * sizeof *all);
    HS_ASSERT(b->phase.collecting && !b->phase.delivered);
    b->phase.delivered = 1;
}

/* Wait for the records of the phase; no exchange is under way afterwards. */
static hs_status receive(hs__balancer *b)
{
    hs_status status = HS_OK;
    if (!b->phase.delivered) {
        status = hs__gather_finish(b->context);
        if (status == HS_OK)
            deliver(b, b->context->gathering.all);
    }
    HS_ASSERT(b->phase.collecting); /* records came only because they were sent */
    b->phase.collecting = b->phase.delivered = 0;
    return status == HS_OK ? hs__gather_settle(b->context, hs__operation_name(b->kind->operation)) : status;
}

/* Of the call of this library that is under way: what it took since the moment that was accounted last. */
static void account(hs__balancer *b)
{
    hs__phase_state *phase = &b->phase;
    int64_t now = hs__clock_ns(), begun = b->accounted_ns;
    int64_t spent = now - begun - (b->move_ns - b->accounted_move_ns);
    phase->overhead_ns += spent;
    phase->library_ns += now - (begun > phase->wall_ns ? begun : phase->wall_ns);
    b->counts.decide_s += (double)spent * 1e-9;
    b->accounted_ns = now;
    b->accounted_move_ns = b->move_ns;
}

/* Ends a phase: sends what this rank measured and begins the next phase; the program continues meanwhile. */
static hs_status collect(hs__balancer *b)
{
    static const char *const names[HS__RECORD_VALUES] = {"iteration", "number of moves"};
    hs__phase_state *phase = &b->phase;
    HS_ASSERT(!phase->collecting && b->counts.iterations > phase->begun);
    account(b); /* the call may have decided about the phase before */
    hs__record record = summarize(b);
    hs_status status = hs__gather_start(b->context, &record, names, b, deliver);
    if (status != HS_OK)
        return status;
    phase_begin(b);
    phase->collecting = 1;
    phase->until = b->counts.iterations + lag(b, phase->length);
    return HS_UNCHANGED;
}

static double longest_step(const hs__balancer *b)
{
    double step = 0;
    for (int r = 0; r < b->context->size; r++)
        if (b->units[r] > 0)
            step = fmax(step, b->records[r].time[STEP]);
    return step;
}

/* The overhead of a phase on the critical path: the rank that the others wait for is the one that waits least. */
static double least_overhead(const hs__balancer *b)
{
    double least = INFINITY;
    for (int r = 0; r < b->context->size; r++)
        if (b->units[r] > 0)
            least = fmin(least, b->records[r].time[OVERHEAD]);
    return least;
}

static hs_status agree(const hs__balancer *b, double seconds, hs_status mine)
{
    hs__record record = {b->kind->operation, mine == HS_ERR_NOMEM ? mine : HS_OK, {0}, {seconds}};
    hs_status all = hs__agree(b->context, &record, NULL);
    return all < 0 ? all : mine < 0 ? HS_UNCHANGED : mine;
}

hs_status hs__balancer_agree(const hs__balancer *b, hs_status mine)
{
    return agree(b, 0, mine);
}

hs_status hs__balancer_plan(hs__balancer *b, const hs__decide_phase *phase, const double *cycle, double now,
                            double *best, hs_status (*make)(void *layout, const double *cycle, double *step))
{
    double step = 0;
    if (!hs__planning_is_due(&b->planning, phase, cycle, now, best))
        return HS_OK;
    int64_t begun = hs__clock_ns();
    hs_status mine = make(b->layout, cycle, &step);
    hs_status status = agree(b, (double)(hs__clock_ns() - begun) * 1e-9, mine);
    if (status >= 0)
        hs__planning_took(&b->planning, hs__gathered_most(b->context, 0));
    if (status == HS_OK) {
        *best = step;
        hs__planning_made(&b->planning, cycle, step);
    }
    return status;
}

/* Takes in what the ranks have seen: cycle times, and what units weigh when any rank has learned that. */
static hs_status learn(hs__balancer *b)
{
    int learned = 0;
    for (int r = 0; r < b->context->size; r++) {
        b->cycle[r] = b->records[r].time[CYCLE];
        b->news[r] = b->records[r].time[NEWS];
        learned = learned || b->news[r] > 0;
    }
    return learned ? b->kind->learn(b->layout, b->news, b->cycle) : HS_OK;
}

/* As measured, or as guessed before any move: where steps show that links are faster than said, so are moves. */
static hs__move_cost move_cost(const hs__balancer *b)
{
    const hs__slices *slices = slices_of(b);
    double byte_s = b->byte_s > 0 ? b->byte_s * (slices ? hs__slices_message_scale(slices) : 1) : GUESSED_BYTE_S;
    hs__move_cost cost = b->move_cost;
    if (cost.fixed <= 0)
        cost.fixed = GUESSED_FIXED_S;
    if (cost.unit <= 0)
        cost.unit = byte_s * b->kind->unit_bytes(b->layout);
    return cost;
}

void hs__balancer_set_byte_time(hs__balancer *b, double byte_s)
{
    if (b->byte_s > 0 && byte_s > 0)
        b->move_cost.unit *= byte_s / b->byte_s;
    b->byte_s = byte_s;
}

static hs_status ask_decider(hs__balancer *b)
{
    const hs_context *context = b->context;
    const hs__slices *slices = slices_of(b);
    const hs__move_cost cost = move_cost(b);
    hs__decide_phase phase = {
        .iterations = b->phase.iterations,
        .cycle = b->cycle,
        .units = b->units,
        .step = longest_step(b),
        .left = b->counts.iterations <= b->horizon ? b->horizon - b->counts.iterations : -1,
        .move_fixed = cost.fixed,
        .move_unit = cost.unit,
        .load = b->load,
        .unit_bytes = slices && slices->paces.pace ? b->kind->unit_bytes(b->layout) : 0,
    };
    if (slices)
        phase.comm = slices->membership[slices->present].comm;
    hs_status status = hs__decider_phase(b->decider, &phase, &b->kind->decide, b->layout);
    const hs__decision *decision = hs__decider_last(b->decider);
    if (status >= 0)
        hs__decider_speeds(b->decider, context->order.speed, context->speed);
    hs__planning_decided(&b->planning, decision, status == HS_OK);
    if (context->rank == 0 && status >= 0)
        hs__moves_considered(decision->now, decision->best);
    hs__tell_drift(context, &decision->drift, b->phase.begun); /* which the next phase began with */
    hs__links_suspect(b, &decision->drift, phase.iterations, b->phase.begun);
    if (b->logged && status >= 0)
        hs__log_phase(b->logged, context->size, b->counts.iterations, &phase, decision, status == HS_OK);
    return status;
}

/* Learns what a move costs from the slowest rank's time for it. */
static void learn_cost(hs__balancer *b, int64_t busiest)
{
    double slowest = hs__gathered_most(b->context, HS__MOVE_SECONDS);
    hs__decider_moved(b->decider, slowest);
    if (b->logged)
        hs__log_moved(b->logged, slowest);
    b->move_cost = move_cost(b);
    hs__move_cost_learn(&b->move_cost, (double)busiest, slowest);
}

static hs_status carry_out(hs__balancer *b)
{
    int64_t ticks = hs__ticks(), begun = hs__clock_ns(), busiest = b->kind->decide.traffic(b->layout);
    hs_status status = b->kind->carry_out(b->layout);
    if (status != HS_OK)
        return status;
    learn_cost(b, busiest);
    notice_units(b);
    b->counts.moves++;
    int64_t spent = hs__clock_ns() - begun;
    b->counts.move_s += (double)spent * 1e-9;
    b->move_ns += spent;
    hs__moves_add(ticks, spent);
    return HS_OK;
}

/* Sets the end of the present phase, which may have begun some iterations ago. */
static void set_length(hs__balancer *b, int64_t length)
{
    HS_ASSERT(length >= 0);
    b->phase.length = length;
    b->phase.until = b->phase.begun + length;
}

/* No call of MPI was seen, so waiting cannot be told from computing. */
static void warn_if_blind(hs__balancer *b)
{
    hs__monitor_times times;
    hs__monitor_read(&times);
    if (b->computing.bracketed || times.calls > 0 || b->warned_blind || b->context->size == 1)
        return;
    b->warned_blind = 1;
    hs__tell_blind(b->context);
}

/* Say once when balancing goes off, because moving did not help, and once when it is on again. */
static void tell_off(hs__balancer *b)
{
    const hs__balance_sheet *sheet = hs__decider_sheet(b->decider);
    int off = sheet->off_until > 0;
    if (off != b->told_off)
        hs__tell_off(b->context, sheet, hs__decider_last(b->decider)->loss);
    b->told_off = off;
}

/* The length of the next phase, in iterations; from records, which are the same on all ranks. */
static int64_t next_length(hs__balancer *b)
{
    double step = longest_step(b), overhead = least_overhead(b);
    int hurries = hs__decider_hurries(b->decider);
    int64_t length = hs__phase_length_next(&b->length, step, overhead, b->phase.iterations, hurries);
    hs__tell_phase(b->context, b->counts.iterations, step, overhead, length, hs__decider_last(b->decider), hurries);
    return length;
}

/* The records are there: decides, and moves when it pays. */
static hs_status decide(hs__balancer *b)
{
    hs_status status = receive(b);
    if (status != HS_OK)
        return status;
    warn_if_blind(b);
    /* The first phase is one iteration long and runs on cold caches: it, too, only shows how long a phase should be. */
    int informs = b->counts.phases++ > 0 && !b->length.calibrating;
    status = informs ? learn(b) : HS_UNCHANGED;
    hs__links_adopt(b);
    if (status == HS_OK)
        status = ask_decider(b);
    int64_t length = next_length(b);
    tell_off(b);
    if (status == HS_OK) {
        status = carry_out(b);
        phase_begin(b);
    } else if (status == HS_UNCHANGED && hs__links_due(b)) {
        status = hs__links_measure(b);
        status = status == HS_OK ? HS_UNCHANGED : status; /* no unit has moved */
        phase_begin(b);
    }
    set_length(b, length);
    if (b->units[b->context->rank] == 0)
        hs__idle_measure(&b->idle, b->length.seconds);
    return status;
}

void hs__balancer_restart(hs__balancer *b)
{
    phase_begin(b);
    notice_units(b);
    if (b->decider)
        set_length(b, b->phase.length);
}

void hs__balancer_weigh(hs__balancer *b, const double *load, int64_t units, const double *weight)
{
    int first_time = !b->load;
    b->phase.work = work_done(b);
    b->phase.work_until = b->counts.iterations;
    b->load = load;
    b->held = load[b->context->rank];
    if (b->decider)
        hs__decider_weigh(b->decider, first_time);
    if (b->logged)
        hs__log_weights(b->logged, units, weight);
    if (first_time) /* what was measured so far is seconds a unit */
        hs__balancer_restart(b);
}

int hs__balancer_may_move(const hs__balancer *b)
{
    return b->counts.iterations + 1 >= b->phase.until && (b->phase.collecting || hs__decider_hurries(b->decider));
}

hs_status hs__balancer_step(hs__balancer *b)
{
    fenv_t program;
    hs__context_clear(b->context);
    hs__computing_step(&b->computing);
    if (++b->counts.iterations < b->phase.until)
        return HS_UNCHANGED;
    hs__library_enter(&program);
    b->accounted_ns = hs__clock_ns();
    b->accounted_move_ns = b->move_ns;
    const char *call = hs__operation_name(b->kind->operation);
    hs_status status = hs__context_check_mpi(b->context, call);
    if (status == HS_OK && !b->phase.collecting)
        status = hs__gather_settle(b->context, call); /* another layout's records may be under way */
    if (status == HS_OK)
        status = b->phase.collecting ? decide(b) : collect(b);
    /* A short phase is over when its predecessor's records have arrived. A great drift is expensive while it lasts:
     * what was seen since the suspicion confirms it, and is waited for. When links were measured, nothing was seen since. */
    int hurry = hs__decider_hurries(b->decider), seen = b->counts.iterations > b->phase.begun;
    if (status == HS_UNCHANGED && !b->phase.collecting && seen && (hurry || b->phase.until <= b->counts.iterations))
        status = collect(b);
    if (status == HS_UNCHANGED && b->phase.collecting && hurry)
        status = decide(b);
    account(b);
    hs__library_leave(&program);
    return status;
}
