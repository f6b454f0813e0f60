/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/clock.h"
#include "runtime/kernels.h"
#include "runtime/monitor.h"
#include "runtime/move.h"
#include "util/array.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Measuring and deciding may take this share of the run: half of what is promised, to leave room for bad days. */
#define OVERHEAD_SHARE 0.0025

/* A phase lasts at least so long: enough scheduler ticks and quota periods for a steady reading. One that only confirms
 * a suspicion may be shorter, since a drift is expensive while it lasts. */
#define SHORTEST_PHASE_S 0.2
#define CONFIRMING_PHASE_S 0.05

/* A phase is never longer than this many times the shortest, so that a drift is seen in time. */
#define LONGEST_STRETCH 16

/* Until a move has been measured it is taken to cost this much (all ranks wait for the last one, and find their pace
 * again afterwards), plus this much a byte: a slow network, for caution. */
#define GUESSED_FIXED_S 50e-3
#define GUESSED_BYTE_S (1 / 5e6)

/* Records travel for so many iterations, or for a phase if that is shorter, before they are waited for: ranks that are
 * not neighbours need not be at the same iteration, and waiting for the last of them at each phase would put them in
 * step. */
#define LAG 2

/* How long an idle rank measures its own speed: a share of the phase, within limits. */
#define IDLE_SHARE 0.05
#define SHORTEST_IDLE_S 5e-3
#define LONGEST_IDLE_S 50e-3

/* Fields of a record's time[]. */
enum { CYCLE, STEP, OVERHEAD };

static int64_t compute_now(const hs_layout *layout)
{
    hs__monitor_times times;
    if (layout->bracketed)
        return layout->bracket_ns;
    hs__monitor_read(&times);
    return times.compute_ns;
}

void hs__phase_begin(hs_layout *layout)
{
    hs__phase_state *phase = &layout->phase;
    phase->begun = layout->stats.iterations;
    phase->wall_ns = hs__clock_ns();
    phase->compute_ns = compute_now(layout);
    phase->overhead_ns = 0;
    phase->collecting = 0;
    phase->until = layout->decider ? phase->begun + 1 : INT64_MAX;
    if (layout->phase_seconds <= 0)
        layout->phase_seconds = SHORTEST_PHASE_S;
}

void hs_compute_begin(hs_layout *layout)
{
    layout->bracketed = 1;
    layout->bracket_begun = hs__clock_ns();
}

void hs_compute_end(hs_layout *layout)
{
    layout->bracket_ns += hs__clock_ns() - layout->bracket_begun;
}

/* The phase as this rank saw it. */
static hs__record summarize(hs_layout *layout)
{
    hs__phase_state *phase = &layout->phase;
    int64_t iterations = layout->stats.iterations - phase->begun, count = layout->count[layout->context->rank];
    double compute_s = (double)(compute_now(layout) - phase->compute_ns) * 1e-9;
    double wall_s = (double)(hs__clock_ns() - phase->wall_ns) * 1e-9;
    hs__record record = {HS__OP_BALANCE, HS_OK, {layout->stats.iterations, layout->stats.moves}, {0}};
    record.time[CYCLE] = count > 0 ? compute_s / (double)(iterations * count) : layout->idle_ratio;
    record.time[STEP] = wall_s / (double)iterations;
    record.time[OVERHEAD] = (double)phase->overhead_ns * 1e-9;
    layout->stats.compute_s += compute_s;
    phase->iterations = iterations;
    return record;
}

/* A rank without units has no cycle time to report. It computes a little on its own, a small part of the phase, and
 * compares that with the first time: so a host that was left out because it was slow is seen to recover. */
static void measure_idle(hs_layout *layout)
{
    if (layout->count[layout->context->rank] > 0)
        return;
    if (!layout->idle_kernel)
        layout->idle_kernel = hs__kernel_create(HS_PROBE_STENCIL);
    if (!layout->idle_kernel)
        return;
    double seconds = fmin(fmax(IDLE_SHARE * layout->phase_seconds, SHORTEST_IDLE_S), LONGEST_IDLE_S);
    double flop = 0, elapsed;
    int64_t begun = hs__clock_ns();
    do {
        flop += hs__kernel_run(layout->idle_kernel);
        elapsed = (double)(hs__clock_ns() - begun) * 1e-9;
    } while (elapsed < seconds);
    double speed = flop / elapsed;
    if (layout->idle_speed <= 0)
        layout->idle_speed = speed;
    layout->idle_ratio = speed > 0 ? layout->idle_speed / speed : 0;
}

static int64_t lag(int64_t length)
{
    return length < 1 ? 1 : length < LAG ? length : LAG;
}

/* Ends a phase: says what this rank saw and begins the next phase; the program goes on while the records travel. */
static hs_status collect(hs_layout *layout)
{
    hs__phase_state *phase = &layout->phase;
    hs__record record = summarize(layout);
    hs_status status = hs__gather_start(layout->context, layout, &record);
    if (status != HS_OK)
        return status;
    hs__phase_begin(layout);
    phase->collecting = 1;
    phase->until = layout->stats.iterations + lag(phase->length);
    return HS_UNCHANGED;
}

static double longest_step(const hs_context *context, const int64_t *count)
{
    double step = 0;
    for (int r = 0; r < context->size; r++)
        if (count[r] > 0)
            step = fmax(step, context->gathering.all[r].time[STEP]);
    return step;
}

/* What a phase costs where it counts: the rank everybody waits for is the one that waits least itself. */
static double least_overhead(const hs_context *context, const int64_t *count)
{
    double least = INFINITY;
    for (int r = 0; r < context->size; r++)
        if (count[r] > 0)
            least = fmin(least, context->gathering.all[r].time[OVERHEAD]);
    return least;
}

/* How many iterations the next phase takes: from records that are the same on all ranks, so all ranks agree. */
static int64_t next_length(hs_layout *layout)
{
    const hs_context *context = layout->context;
    double step = longest_step(context, layout->count);
    double overhead = least_overhead(context, layout->count);
    /* One long wait in an exchange says little about the next one: the estimate at most doubles at a time. */
    layout->overhead_s = layout->overhead_s > 0 ? fmin(overhead, 2 * layout->overhead_s) : overhead;
    overhead = layout->overhead_s;
    double wanted = fmin(fmax(overhead / OVERHEAD_SHARE, SHORTEST_PHASE_S), LONGEST_STRETCH * SHORTEST_PHASE_S);
    if (hs__decider_hurries(layout->decider))
        wanted = CONFIRMING_PHASE_S;
    layout->phase_seconds = wanted;
    double iterations = step > 0 ? ceil(wanted / step) : 1;
    return iterations < 1 ? 1 : iterations > 1e9 ? 1000000000 : (int64_t)iterations;
}

static double bytes_per_unit(const hs_layout *layout)
{
    double bytes = 0;
    for (size_t a = 0; a < layout->array_count; a++)
        bytes += (double)layout->arrays[a].unit_bytes;
    return bytes;
}

static hs_status ask_decider(hs_layout *layout, int64_t *count)
{
    const hs_context *context = layout->context;
    double *cycle = hs__array_new((size_t)context->size, sizeof *cycle);
    if (!cycle)
        return HS_ERR_NOMEM;
    for (int r = 0; r < context->size; r++)
        cycle[r] = context->gathering.all[r].time[CYCLE];
    hs__decide_phase phase = {
        .iterations = layout->phase.iterations,
        .cycle = cycle,
        .count = layout->count,
        .step = longest_step(context, layout->count),
        .move_fixed = layout->move_fixed_s > 0 ? layout->move_fixed_s : GUESSED_FIXED_S,
        .move_unit = layout->move_unit_s > 0 ? layout->move_unit_s : GUESSED_BYTE_S * bytes_per_unit(layout),
    };
    hs_status status = hs__decider_phase(layout->decider, &phase, count);
    free(cycle);
    return status;
}

/* Learns what a move costs from the slowest rank's time for it. */
static hs_status learn_cost(hs_layout *layout, double seconds, int64_t busiest)
{
    hs__record record = {HS__OP_MOVE, HS_OK, {0}, {seconds}};
    hs_status status = hs__agree(layout->context, &record, NULL);
    if (status != HS_OK)
        return status;
    double slowest = 0;
    for (int r = 0; r < layout->context->size; r++)
        slowest = fmax(slowest, layout->context->gathering.all[r].time[0]);
    layout->move_fixed_s = 0.2 * slowest;
    layout->move_unit_s = busiest > 0 ? 0.8 * slowest / (double)busiest : layout->move_unit_s;
    return HS_OK;
}

static hs_status carry_out(hs_layout *layout, const int64_t *count)
{
    hs_context *context = layout->context;
    int64_t begun = hs__clock_ns();
    int64_t moved = hs__moved_units(context->size, layout->count, count);
    int64_t busiest = hs__moved_units_busiest(context->size, layout->count, count);
    hs_status status = hs__move(layout, count);
    if (status == HS_OK)
        status = learn_cost(layout, (double)(hs__clock_ns() - begun) * 1e-9, busiest);
    if (status != HS_OK)
        return status;
    if (layout->count[context->rank] > 0)
        layout->idle_speed = layout->idle_ratio = 0; /* should it be left out again, it starts from its speed then */
    layout->stats.moves++;
    layout->stats.moved_units += moved;
    layout->stats.moved_bytes += (int64_t)((double)moved * bytes_per_unit(layout));
    int64_t spent = hs__clock_ns() - begun;
    layout->stats.move_s += (double)spent * 1e-9;
    layout->move_ns += spent;
    if (context->rank == 0)
        hs__context_log(context, HS__LOG_INFO, "moved %lld of %lld units at iteration %lld", (long long)moved,
                        (long long)layout->units, (long long)layout->stats.iterations);
    return HS_OK;
}

static void warn_if_blind(hs_layout *layout)
{
    hs__monitor_times times;
    hs__monitor_read(&times);
    if (layout->bracketed || times.calls > 0 || layout->warned_blind || layout->context->size == 1)
        return;
    layout->warned_blind = 1;
    hs__context_log(
        layout->context, HS__LOG_WARN,
        "no MPI call of the program was seen, so waiting counts as computing: link libheteroslice before the MPI "
        "library, or use hs_compute_begin() and hs_compute_end()");
}

/* Ends the exchange of a phase. Ranks that are not at the same iteration will never be in step again. */
static hs_status finish_records(hs_context *context)
{
    static const char *const names[HS__RECORD_VALUES] = {"iteration", "number of moves"};
    hs_status status = hs__gather_finish(context, names);
    if (status == HS_ERR_MISMATCH)
        context->gathering.broken = 1;
    return status;
}

/* Sets the end of the present phase, which may have begun some iterations ago. */
static void set_length(hs_layout *layout, int64_t length)
{
    layout->phase.length = length;
    layout->phase.until = layout->phase.begun + length;
    if (layout->phase.until <= layout->stats.iterations)
        layout->phase.until = layout->stats.iterations + 1;
}

/* The records are there: decides, and moves when it pays. */
static hs_status decide(hs_layout *layout)
{
    hs_context *context = layout->context;
    int64_t begun = hs__clock_ns();
    layout->phase.collecting = 0;
    hs_status status = finish_records(context);
    if (status != HS_OK)
        return status;
    warn_if_blind(layout);
    int64_t *count = hs__array_new((size_t)context->size, sizeof *count);
    if (!count)
        return HS_ERR_NOMEM;
    /* The first phase is one iteration long and runs on cold caches: it only tells how long a phase should be. */
    status = layout->stats.phases++ > 0 ? ask_decider(layout, count) : HS_UNCHANGED;
    int64_t length = next_length(layout);
    layout->stats.decide_s += (double)(hs__clock_ns() - begun) * 1e-9;
    if (context->rank == 0)
        hs__context_log(context, HS__LOG_DEBUG,
                        "iteration %lld: step %.3g s, overhead %.3g s, next phase %lld iterations%s",
                        (long long)layout->stats.iterations, longest_step(context, layout->count),
                        least_overhead(context, layout->count), (long long)length,
                        hs__decider_hurries(layout->decider) ? ", a drift is suspected" : "");
    if (status == HS_OK) {
        status = carry_out(layout, count);
        hs__phase_begin(layout);
    }
    set_length(layout, length);
    free(count);
    measure_idle(layout);
    return status;
}

hs_status hs__balance_settle(hs_context *context)
{
    if (context->gathering.broken)
        return hs__context_fail(context, HS_ERR_STATE, "an earlier collective call has failed");
    if (!context->gathering.owner)
        return HS_OK;
    hs_layout *layout = context->gathering.owner;
    hs_status status = finish_records(context);
    /* Its next call takes fresh records: these are about to be overwritten. */
    hs__phase_begin(layout);
    return status;
}

hs_status hs_balance(hs_layout *layout)
{
    if (++layout->stats.iterations < layout->phase.until)
        return HS_UNCHANGED;
    hs__monitor_enter();
    int64_t begun = hs__clock_ns(), moving = layout->move_ns;
    hs__context_clear(layout->context);
    hs_status status = HS_OK;
    if (!layout->phase.collecting)
        status = hs__balance_settle(layout->context); /* another layout's records may be under way */
    if (status == HS_OK)
        status = layout->phase.collecting ? decide(layout) : collect(layout);
    /* A great drift is expensive while it lasts: what was seen since the suspicion confirms it, and is waited for. */
    if (status == HS_UNCHANGED && hs__decider_hurries(layout->decider)) {
        if (!layout->phase.collecting)
            status = collect(layout);
        if (status == HS_UNCHANGED)
            status = decide(layout);
    }
    layout->phase.overhead_ns += hs__clock_ns() - begun - (layout->move_ns - moving);
    hs__monitor_leave();
    return status;
}
