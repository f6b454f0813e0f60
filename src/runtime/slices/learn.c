/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/slices/learn.h"
#include "util/clock.h"
#include "util/pool.h"
#include <string.h>

/* Readings that tell what one takes. */
enum { TRIALS = 16 };

/* ---- Timing: local ---- */

static double seconds_of_reading(void)
{
    double begun = hs__clock_cpu(), now = begun;
    for (int k = 0; k < TRIALS; k++)
        now = hs__clock_cpu();
    return (now - begun) / TRIALS;
}

/* Of counting what a span takes. */
static double seconds_of_counting(hs__counters *counters)
{
    if (!counters)
        return 0;
    double begun = hs__clock_cpu();
    for (int k = 0; k < TRIALS; k++) {
        hs__counters_start(counters);
        hs__counters_stop(counters);
    }
    return (hs__clock_cpu() - begun) / TRIALS;
}

/* Without a decider there is nobody to learn for, and nothing is timed. */
static hs_status prepare(hs_layout *layout)
{
    hs__learning *l = &layout->learning;
    int64_t units = layout->count[layout->context->rank];
    if (!layout->balancer.decider) {
        l->ready = 1;
        return HS_OK;
    }
    if (hs__unit_times_start(&l->times, units) != HS_OK)
        return hs__context_fail(layout->context, HS_ERR_NOMEM, "hs_unit_begin: no memory for the times of %lld units",
                                (long long)units);
    if (!l->asked)
        l->counters = hs__counters_open();
    l->asked = 1;
    l->sampling = (hs__sampling){
        .reading = seconds_of_reading(), .counting = seconds_of_counting(l->counters), .units = units, .end = units};
    l->ready = 1;
    return HS_OK;
}

static int is_timed(const hs__learning *l)
{
    return l->ready && l->times.units > 0;
}

/* What counters cost lies outside of the readings of the clock. They may still run for a span that came to nothing. */
static void begin_span(hs__learning *l)
{
    hs__counters_stop(l->counters);
    hs__counters_start(l->counters);
    l->begun = hs__clock_cpu();
}

static void end_span(hs__learning *l, int half)
{
    double seconds = hs__sampling_close(&l->sampling, hs__clock_cpu() - l->begun);
    hs__unit_times_add(&l->times, half, l->sampling.first, l->sampling.next - l->sampling.first, seconds);
    hs__counted counted = hs__counters_stop(l->counters);
    if (counted.instructions > 0)
        hs__unit_times_count(&l->times, seconds, counted.instructions);
}

static void break_span(hs__learning *l)
{
    hs__counters_stop(l->counters);
    hs__sampling_break(&l->sampling);
}

static hs_status misuse(hs_layout *layout, int64_t first, int64_t count)
{
    hs__learning *l = &layout->learning;
    break_span(l); /* what it has timed is in doubt */
    if (l->bracketed)
        return hs__context_fail(layout->context, HS_ERR_STATE,
                                "hs_unit_begin: units %lld to %lld have begun, and not ended", (long long)l->first,
                                (long long)(l->first + l->count - 1));
    return hs__context_fail(
        layout->context, HS_ERR_ARG, "hs_unit_begin: %lld units from %lld on, expected 1 or more of %lld from %lld on",
        (long long)count, (long long)first, (long long)layout->count[layout->context->rank], (long long)layout->first);
}

hs_status hs_unit_begin(hs_layout *layout, int64_t first, int64_t count)
{
    HS__RETURN_IF_NULL(layout);
    hs__learning *l = &layout->learning;
    int64_t units = layout->count[layout->context->rank];
    hs__context_clear(layout->context);
    if (l->bracketed || first < layout->first || count < 1 || count > units || first - layout->first > units - count)
        return misuse(layout, first, count);
    hs_status status = l->ready ? HS_OK : prepare(layout);
    l->bracketed = 1;
    l->first = first;
    l->count = count;
    if (is_timed(l) && hs__sampling_begin(&l->sampling, first - layout->first))
        begin_span(l);
    return status;
}

hs_status hs_unit_end(hs_layout *layout)
{
    HS__RETURN_IF_NULL(layout);
    hs__learning *l = &layout->learning;
    hs__context_clear(layout->context);
    if (!l->bracketed)
        return hs__context_fail(layout->context, HS_ERR_STATE, "hs_unit_end: no units have begun");
    l->bracketed = 0;
    if (hs__sampling_end(&l->sampling, l->count))
        end_span(l, (int)(layout->balancer.counts.iterations % 2));
    return HS_OK;
}

void hs__learning_interrupt(hs_layout *layout)
{
    layout->learning.bracketed = 0;
    break_span(&layout->learning);
}

void hs__learning_forget(hs_layout *layout)
{
    hs__learning_interrupt(layout);
    hs__unit_times_end(&layout->learning.times);
    layout->learning.ready = 0;
}

/* ---- Learning: collective ---- */

/* A look at the times of all units may take no larger part of the run than timing them. */
double hs__learning_news(void *place)
{
    hs_layout *layout = place;
    hs__learning *l = &layout->learning;
    double begun = hs__clock_wall();
    if (!hs__unit_times_suffice(&l->times) || begun < l->next_look)
        return 0;
    double news = hs__learned_news(&l->times, hs_layout_get_weights(layout));
    hs__unit_times_fade(&l->times);
    double now = hs__clock_wall();
    l->next_look = now + (now - begun) / HS__SAMPLING_SHARE;
    return news;
}

/* On the way to other weights. */
typedef struct lesson {
    double *before; /* [ranks] what each holds so far */
    double *first;  /* [ranks] seconds a unit as first guessed */
    double *load;   /* [ranks] what each holds by that guess, when there were no weights */
    double *weight; /* of this rank's units */
    hs__pool pool;  /* of them all */
} lesson;

static hs_status allocate(const hs_layout *layout, lesson *s)
{
    size_t ranks = (size_t)layout->context->size;
    s->before = hs__pool_new(&s->pool, ranks, sizeof *s->before);
    s->first = hs__pool_new(&s->pool, ranks, sizeof *s->first);
    s->load = hs__pool_new(&s->pool, ranks, sizeof *s->load);
    s->weight = hs__pool_new(&s->pool, (size_t)layout->count[layout->context->rank], sizeof *s->weight);
    if (hs__pool_status(&s->pool) == HS_OK)
        return HS_OK;
    return hs__context_fail(layout->context, HS_ERR_NOMEM, "hs_balance: no memory for the weights of %lld units",
                            (long long)layout->count[layout->context->rank]);
}

/* The weights of this rank's units so far: before there were any, what the first guess says of the whole slice. */
static void start_from(hs_layout *layout, const double *cycle, lesson *s)
{
    const hs_context *context = layout->context;
    int64_t units = layout->count[context->rank];
    for (int r = 0; r < context->size; r++)
        s->before[r] = layout->weight ? layout->load[r] : (double)layout->count[r];
    if (layout->weight) {
        memcpy(s->weight, hs_layout_get_weights(layout), (size_t)units * sizeof *s->weight);
        return;
    }
    const hs__decide_phase now = {.unit_bytes = hs__layout_kind.unit_bytes(layout)};
    const double *pace = hs__slices_pace(&layout->slices, &now);
    const double *guess = hs__decider_guess(layout->balancer.decider);
    for (int r = 0; r < context->size; r++)
        s->first[r] = guess[r] / (pace ? pace[r] : 1);
    hs__learned_loads(context->size, layout->count, cycle, s->first, s->load);
    for (int64_t u = 0; u < units; u++)
        s->weight[u] = s->load[context->rank] / (double)units;
}

/* Seconds were measured with the weights before. */
static void convert_cycles(const hs_layout *layout, const double *before, double *cycle)
{
    for (int r = 0; r < layout->context->size; r++)
        if (layout->count[r] > 0)
            cycle[r] = layout->load[r] > 0 ? cycle[r] * before[r] / layout->load[r] : 0;
}

hs_status hs__learning_adopt(void *place, const double *news, double *cycle)
{
    hs_layout *layout = place;
    hs__learning *l = &layout->learning;
    double scale = l->times.scale, rate = l->times.rate;
    lesson s = {0};
    hs_status mine = allocate(layout, &s);
    if (mine == HS_OK) {
        start_from(layout, cycle, &s);
        if (news[layout->context->rank] > 0 || !layout->weight)
            hs__learned_weights(&l->times, s.weight);
    }
    hs_status status = hs__layout_reweigh(layout, HS__OP_LEARN, mine, s.weight);
    if (status == HS_OK)
        convert_cycles(layout, s.before, cycle);
    else {
        l->times.scale = scale;
        l->times.rate = rate;
    }
    hs__pool_free(&s.pool);
    return status;
}
