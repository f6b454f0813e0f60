/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/balance/computing.h"
#include "runtime/watch/monitor.h"
#include "util/assert.h"
#include "util/clock.h"
#include <math.h>

static int64_t compute_now(const hs__computing *c)
{
    hs__monitor_times times;
    if (c->bracketed)
        return c->bracket_ns;
    hs__monitor_read(&times);
    return times.compute_ns;
}

/* The number of the calling thread: addresses are used again when a thread has ended. */
static int64_t this_thread(void)
{
    static _Atomic int64_t threads;
    static __thread int64_t own;
    if (own == 0)
        own = ++threads;
    return own;
}

void hs__computing_restart(hs__computing *c)
{
    c->thread = this_thread();
    c->turns = 0;
    c->begun_ns = compute_now(c);
}

void hs__computing_step(hs__computing *c)
{
    c->turns |= c->thread != this_thread();
}

double hs__computing_seconds(const hs__computing *c)
{
    HS_ASSERT(!c->bracketed || c->bracket_ns >= c->begun_ns);
    return c->bracketed || !c->turns ? (double)(compute_now(c) - c->begun_ns) * 1e-9 : NAN;
}

void hs__computing_bracket(hs__computing *c)
{
    if (!c->bracketed) /* what the monitor has seen of the phase does not count any more */
        c->begun_ns = 0;
    c->bracketed = 1;
    c->bracket_begun = hs__clock_ns();
}

void hs__computing_unbracket(hs__computing *c)
{
    if (c->bracket_begun > 0)
        c->bracket_ns += hs__clock_ns() - c->bracket_begun;
    HS_ASSERT(c->bracket_ns >= 0);
    c->bracket_begun = 0;
}
