/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/watch/moves.h"
#include "runtime/watch/monitor.h"
#include "timeline/events.h"
#include <stdatomic.h>

static struct {
    _Atomic int64_t count, ns;
} self;

static void record(int64_t ticks, hs__event event)
{
    if (!hs__monitor_self.watched)
        return;
    event.ended = hs__ticks();
    event.begun = event.ended - ticks;
    hs__events_add(&event);
}

void hs__moves_considered(double now, double best)
{
    record(0, (hs__event){.kind = HS__EVENT_DECISION, .now = now, .best = best});
}

void hs__moves_add(int64_t ns)
{
    record(hs__ticks_of_ns(ns), (hs__event){.kind = HS__EVENT_MOVE});
    atomic_fetch_add_explicit(&self.count, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&self.ns, ns, memory_order_relaxed);
}

hs__moves hs__moves_made(void)
{
    return (hs__moves){atomic_load_explicit(&self.count, memory_order_relaxed),
                       atomic_load_explicit(&self.ns, memory_order_relaxed)};
}
