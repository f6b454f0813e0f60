/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/monitor.h"
#include "runtime/hot.h"
#include <string.h>

__thread hs__monitor hs__monitor_self __attribute__((tls_model("initial-exec")));
HS__HOT int hs__monitor_on;

hs__reading hs__monitor_readings[HS__EVENTS + 1];
static hs__event noted[HS__EVENTS];
static size_t count;
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
    count = 0;
    m->event = m->ring + 1;
    m->event[-1].reading = HS__EVENTS + 1; /* none */
    m->reading = 0;
    hs__monitor_note_reading(m);
}

void hs__monitor_watch(void)
{
    begin_batch(&hs__monitor_self);
}

static void empty_ring(hs__monitor *m)
{
    size_t n = (size_t)(m->event - m->ring) - 1;
    memcpy(noted + count, m->ring + 1, n * sizeof *noted);
    count += n;
    m->ring[0] = m->ring[n];
    m->event = m->ring + 1;
}

static void scan(hs__monitor *m)
{
    hs__iterations_scan(&iterations, noted, hs__monitor_readings, count);
    begin_batch(m);
}

void hs__monitor_keep(void)
{
    hs__monitor *m = &hs__monitor_self;
    empty_ring(m);
    if (count + HS__RING > HS__EVENTS)
        scan(m);
}

const hs__iterations *hs__monitor_iterations(void)
{
    if (hs__monitor_self.event) {
        iterations.waits = 0;
        empty_ring(&hs__monitor_self);
        scan(&hs__monitor_self);
    }
    return &iterations;
}

void hs__monitor_read(hs__monitor_times *times)
{
    hs__monitor *m = &hs__monitor_self;
    if (m->hurried && !m->inside)
        hs__monitor_read_before(m);
    int64_t open = m->since ? hs__ticks() - m->since : 0;
    times->compute_ns = hs__ticks_ns(m->compute + (m->inside ? 0 : open));
    times->mpi_ns = hs__ticks_ns(m->mpi + (m->inside ? open : 0));
    times->wait_ns = hs__ticks_ns(m->wait);
    times->calls = m->calls;
}
