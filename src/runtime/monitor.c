/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/monitor.h"

__thread hs__monitor hs__monitor_self __attribute__((tls_model("initial-exec")));
int hs__monitor_on;

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
    hs__monitor_on = 0;
}

void hs__monitor_read(hs__monitor_times *times)
{
    const hs__monitor *m = &hs__monitor_self;
    int64_t open = m->since ? hs__ticks() - m->since : 0;
    times->compute_ns = hs__ticks_ns(m->compute + (m->inside ? 0 : open));
    times->mpi_ns = hs__ticks_ns(m->mpi + (m->inside ? open : 0));
    times->calls = m->calls;
}
