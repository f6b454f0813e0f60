/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/base/quota.h"
#include "runtime/bind/load.h"
#include "runtime/watch/monitor.h"
#include "util/assert.h"
#include "util/clock.h"
#include <math.h>
#include <time.h>

void hs__load_begin(hs__load_totals *begun)
{
    hs__monitor_times times;
    int64_t ready = hs__quota_queued_ns();
    hs__monitor_read(&times);
    *begun = (hs__load_totals){hs__clock_ns(), times.compute_ns, hs__clock_ns_of(CLOCK_THREAD_CPUTIME_ID), ready,
                               hs__clock_ns_of(CLOCK_PROCESS_CPUTIME_ID)};
}

void hs__load_read(hs__load_totals *begun, hs__load *load)
{
    hs__load_totals now;
    hs__load_begin(&now);
    double running = (double)(now.running - begun->running), ready = (double)(now.ready - begun->ready);
    double others = (double)(now.process - begun->process) - running;
    double compute = (double)(now.compute - begun->compute);
    if (running > 0 && ready > 0)
        compute *= running / (running + ready);
    HS_ASSERT(now.wall >= begun->wall && now.compute >= begun->compute && now.process >= begun->process);
    load->seconds = 1e-9 * (double)(now.wall - begun->wall);
    load->compute = 1e-9 * compute;
    load->width = 1 + (compute > 0 ? (int)lround(fmin(fmax(others / compute, 0), 1e6)) : 0);
    *begun = now;
}
