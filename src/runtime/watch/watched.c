/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/watch/watched.h"
#include "runtime/watch/monitor.h"
#include "runtime/watch/sites.h"
#include "timeline/events.h"
#include "util/assert.h"
#include "util/hash.h"

static struct {
    hs__noted noted;
    hs__iterations iterations;
    hs__function_time functions[HS__FUNCTIONS];
} self;

/* Values of a thread's `watched`. */
enum { WATCHED = 1, CLOSELY };

void hs__watch(void)
{
    hs__monitor_self.watched = WATCHED;
}

void hs__watch_closely(void)
{
    if (hs__monitor_self.watched)
        hs__monitor_self.watched = CLOSELY;
}

/* Whether time goes on from call to call, and no call computes longer than it takes. */
static int is_ordered(const hs__noted *noted)
{
    const hs__clock_reading *reading = noted->reading;
    for (size_t i = 1; i < noted->n; i++) {
        int64_t computed = reading[i].compute - reading[i - 1].compute;
        if (computed < 0 || reading[i].time - reading[i - 1].time < computed)
            return 0;
    }
    return noted->n <= HS__EVENTS;
}

static void scan(void)
{
    HS_ASSERT(is_ordered(&self.noted));
    hs__iterations_scan(&self.iterations, &self.noted);
    self.noted.n = 0;
    if (hs__monitor_account.on)
        hs__monitor_charge(hs__ticks(), HS__LIBRARY);
}

/* Calls of one function from two places are two calls of an iteration. */
static inline void note_call(int number, const void *caller)
{
    const hs__monitor *m = &hs__monitor_self;
    hs__noted *noted = &self.noted;
    noted->call[noted->n] = (uint16_t)hs__hash_spread((uintptr_t)caller ^ (uintptr_t)number);
    noted->reading[noted->n] = (hs__clock_reading){m->ticks[HS__COMPUTE], hs__monitor_accounted(m)};
    if (++noted->n == HS__EVENTS)
        scan();
}

/* Apart, so that without HS_TRACE and HS_SITES a call costs one comparison and no stack frame. */
static __attribute__((noinline)) void note_closely(int number, int64_t ticks, int polls, const void *caller)
{
    hs__events_call(number, ticks, hs__monitor_self.since);
    hs__sites_call(number, ticks, caller);
    if (!polls)
        note_call(number, caller);
}

void hs__watch_note(int number, int64_t ticks, int polls, const void *caller)
{
    if (!hs__monitor_self.watched) {
        hs__sites_call_other(number, ticks, caller);
        return;
    }
    self.functions[number].count++;
    self.functions[number].ticks += ticks;
    if (__builtin_expect(hs__monitor_self.watched == CLOSELY, 0))
        note_closely(number, ticks, polls, caller);
    else if (!polls)
        note_call(number, caller);
}

const hs__function_time *hs__watch_functions(void)
{
    return self.functions;
}

int64_t hs__watch_calls(void)
{
    int64_t count = 0;
    for (int k = 0; k < HS__FUNCTIONS; k++)
        count += self.functions[k].count;
    return count;
}

const hs__iterations *hs__watch_iterations(void)
{
    if (hs__monitor_self.watched) {
        self.iterations.waits = 0; /* no batch comes after this one */
        scan();
    }
    return &self.iterations;
}
