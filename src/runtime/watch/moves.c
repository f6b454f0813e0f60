/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/watch/moves.h"
#include "runtime/watch/monitor.h"
#include "timeline/events.h"
#include <stdatomic.h>

static struct {
    _Atomic int64_t count, ns, decisions;
} self;

void hs__moves_considered(double now, double best)
{
    int64_t moment = hs__ticks();
    if (hs__monitor_self.watched)
        hs__events_add(
            &(hs__event){.begun = moment, .ended = moment, .kind = HS__EVENT_DECISION, .now = now, .best = best});
    atomic_fetch_add_explicit(&self.decisions, 1, memory_order_relaxed);
}

void hs__moves_add(int64_t begun, int64_t ns)
{
    if (hs__monitor_self.watched)
        hs__events_add(&(hs__event){.begun = begun, .ended = hs__ticks(), .kind = HS__EVENT_MOVE});
    atomic_fetch_add_explicit(&self.count, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&self.ns, ns, memory_order_relaxed);
}

hs__moves hs__moves_made(void)
{
    return (hs__moves){atomic_load_explicit(&self.count, memory_order_relaxed),
                       atomic_load_explicit(&self.ns, memory_order_relaxed),
                       atomic_load_explicit(&self.decisions, memory_order_relaxed)};
}
