/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/watch/monitor.h"
#include "runtime/base/hot.h"
#include "runtime/watch/repeat.h"
#include <string.h>

__thread hs__monitor hs__monitor_self __attribute__((tls_model("initial-exec"))) = {
    .next = &hs__nothing_expected, .counted = &hs__nothing_expected, .unseen = -1};
HS__HOT int hs__monitor_on;

hs__noted hs__monitor_batch;
static hs__iterations iterations;

void hs__monitor_start(void)
{
    if (hs__monitor_on)
        return;
    hs__ticks_start();
    hs__monitor_self.since = hs__ticks();
    hs__monitor_on = 1;
}

void hs__monitor_stop(void)
{
    hs__monitor *m = &hs__monitor_self;
    if (hs__monitor_expects(m))
        hs__repeat_end(m);
    if (m->hurried) {
        hs__monitor_settle(m, hs__ticks());
        hs__monitor_calm(m);
    }
    hs__monitor_on = 0;
}

void hs__monitor_resume(void)
{
    if (hs__monitor_self.since)
        hs__monitor_self.since = hs__ticks();
    hs__monitor_on = 1;
}

static void begin_batch(hs__monitor *m)
{
    m->note = hs__monitor_batch.call;
    hs__monitor_batch.reading[0].next = 0;
    hs__monitor_batch.readings = 1;
    hs__monitor_note_reading(m);
}

void hs__monitor_watch(void)
{
    hs__monitor_self.last_note = hs__monitor_batch.call + HS__EVENTS - 1;
    begin_batch(&hs__monitor_self);
}

void hs__monitor_note_all(hs__monitor *m, const uint16_t *calls, size_t n)
{
    while (n > 0) {
        size_t room = (size_t)(m->last_note - m->note) + 1, some = n < room ? n : room;
        memcpy(m->note, calls, some * sizeof *calls);
        m->note += some;
        calls += some;
        n -= some;
        if (some == room)
            hs__monitor_scan();
    }
}

void hs__monitor_scan(void)
{
    hs__iterations_scan(&iterations, &hs__monitor_batch, (size_t)(hs__monitor_self.note - hs__monitor_batch.call));
    begin_batch(&hs__monitor_self);
}

const hs__iterations *hs__monitor_iterations(void)
{
    if (hs__monitor_self.note) {
        iterations.waits = 0;
        hs__monitor_scan();
    }
    return &iterations;
}

void hs__monitor_read(hs__monitor_times *times)
{
    hs__monitor *m = &hs__monitor_self;
    if (hs__monitor_expects(m))
        hs__repeat_turn(m, 0);
    if (m->hurried && !m->inside)
        hs__monitor_read_before(m);
    int64_t open = m->since ? hs__ticks() - m->since : 0;
    times->compute_ns = hs__ticks_ns(m->compute + (m->inside ? 0 : open));
    times->mpi_ns = hs__ticks_ns(m->mpi + (m->inside ? open : 0));
    times->wait_ns = hs__ticks_ns(m->wait);
    times->calls = m->calls;
}
