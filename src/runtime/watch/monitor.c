/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/watch/monitor.h"
#include "runtime/base/quota.h"
#include "util/assert.h"
#include <pthread.h>

__thread hs__monitor hs__monitor_self __attribute__((tls_model("initial-exec")));
hs__account hs__monitor_account;

static void begin(void)
{
    hs__ticks_start();
    hs__monitor_resume();
}

void hs__monitor_start(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, begin);
}

void hs__monitor_stop(void)
{
    hs__account *account = &hs__monitor_account;
    if (!account->on)
        return;
    hs__monitor_charge(hs__ticks(), HS__COMPUTE);
    account->run += hs__monitor_self.since - account->begun;
    HS_ASSERT(!hs__monitor_self.watched || hs__monitor_accounted(&hs__monitor_self) == account->run);
    account->begun = INT64_MAX;
    account->on = 0;
    account->queue += hs__quota_queued_ns();
    hs__monitor_self.inside = 0;
}

void hs__monitor_resume(void)
{
    hs__account *account = &hs__monitor_account;
    if (account->on)
        return;
    account->queue -= hs__quota_queued_ns();
    hs__monitor_self.since = hs__ticks();
    account->begun = hs__monitor_self.since;
    account->on = 1;
}

void hs__monitor_read(hs__monitor_times *times)
{
    const hs__monitor *m = &hs__monitor_self;
    int64_t compute = m->ticks[HS__COMPUTE];
    if (hs__monitor_account.on && !m->inside && m->since >= hs__monitor_account.begun)
        compute += hs__ticks() - m->since;
    *times = (hs__monitor_times){hs__ticks_ns(compute), hs__ticks_ns(m->ticks[HS__TRANSFER]),
                                 hs__ticks_ns(m->ticks[HS__WAIT]), hs__ticks_ns(m->ticks[HS__LIBRARY]), m->calls};
    HS_ASSERT(times->compute_ns >= 0 && times->transfer_ns >= 0 && times->wait_ns >= 0 && times->library_ns >= 0);
}

int64_t hs__monitor_run_ns(void)
{
    const hs__account *account = &hs__monitor_account;
    return hs__ticks_ns(account->run + (account->on ? hs__ticks() - account->begun : 0));
}
