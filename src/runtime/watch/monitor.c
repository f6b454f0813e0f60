/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/watch/monitor.h"
#include "util/assert.h"

__thread hs__monitor hs__monitor_self __attribute__((tls_model("initial-exec")));
hs__account hs__monitor_account;

/* Compute + transfer + wait + library, in ticks. */
static int64_t accounted(const hs__monitor *m)
{
    return m->ticks[HS__COMPUTE] + m->ticks[HS__TRANSFER] + m->ticks[HS__WAIT] + m->ticks[HS__LIBRARY];
}

void hs__monitor_start(void)
{
    if (hs__monitor_account.begun)
        return;
    hs__ticks_start();
    hs__monitor_resume();
}

void hs__monitor_stop(void)
{
    hs__account *account = &hs__monitor_account;
    if (!account->on)
        return;
    hs__monitor_charge(hs__ticks(), HS__COMPUTE);
    account->run += hs__monitor_self.since - account->begun;
    HS_ASSERT(!hs__monitor_self.noted || accounted(&hs__monitor_self) == account->run);
    account->begun = INT64_MAX;
    account->on = 0;
    hs__monitor_self.inside = 0;
}

void hs__monitor_resume(void)
{
    hs__account *account = &hs__monitor_account;
    if (account->on)
        return;
    account->begun = hs__monitor_self.since = hs__ticks();
    account->on = 1;
}

void hs__monitor_watch(void)
{
    hs__monitor_self.noted = &hs__monitor_account.noted;
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

static void scan(hs__noted *noted)
{
    HS_ASSERT(is_ordered(noted));
    hs__iterations_scan(&hs__monitor_account.iterations, noted);
    noted->n = 0;
    if (hs__monitor_account.on)
        hs__monitor_charge(hs__ticks(), HS__LIBRARY);
}

void hs__monitor_note(int call)
{
    const hs__monitor *m = &hs__monitor_self;
    hs__noted *noted = m->noted;
    if (!noted)
        return;
    noted->call[noted->n] = (uint16_t)call;
    noted->reading[noted->n] = (hs__clock_reading){m->ticks[HS__COMPUTE], accounted(m)};
    if (++noted->n == HS__EVENTS)
        scan(noted);
}

const hs__iterations *hs__monitor_iterations(void)
{
    hs__account *account = &hs__monitor_account;
    if (hs__monitor_self.noted) {
        account->iterations.waits = 0; /* no batch comes after this one */
        scan(&account->noted);
    }
    return &account->iterations;
}

void hs__monitor_read(hs__monitor_times *times)
{
    const hs__monitor *m = &hs__monitor_self;
    int64_t compute = m->ticks[HS__COMPUTE];
    if (hs__monitor_account.on && !m->inside && m->since >= hs__monitor_account.begun)
        compute += hs__ticks() - m->since;
    *times = (hs__monitor_times){hs__ticks_ns(compute),
                                 hs__ticks_ns(m->ticks[HS__TRANSFER]),
                                 hs__ticks_ns(m->ticks[HS__WAIT]),
                                 hs__ticks_ns(m->ticks[HS__LIBRARY]),
                                 m->calls,
                                 m->readings};
    HS_ASSERT(times->compute_ns >= 0 && times->transfer_ns >= 0 && times->wait_ns >= 0 && times->library_ns >= 0);
}

int64_t hs__monitor_run_ns(void)
{
    const hs__account *account = &hs__monitor_account;
    return hs__ticks_ns(account->run + (account->on ? hs__ticks() - account->begun : 0));
}
