/* SPDX-License-Identifier: BSD-3-Clause */
/* Two readings of the clock cost a tenth of the time a byte takes through shared memory. So after some rounds, from one
 * call that waits to the next, that were all short, most readings are left out: the clock is read where a wait begins,
 * when there is time, and not before what the next message depends on. A short stretch between two readings is divided
 * as those before were.
 *
 * A long one was spent computing, because a long wait would have been seen: while the MPI library waits it looks again
 * and again, and calls hs__monitor_look() every few times, which reads the clock then. That inference is not made where
 * the last wait known to be long was not looked at, nor for more than a part of a thread's time. */
#include "runtime/monitor.h"

enum {
    HURRIED_ROUNDS = 4096, /* then some are measured again */
    UNREAD = 16,
    MOST_INFERRED = 64 /* a part of the time */
};

int hs__monitor_looks;

static void stop_hurrying(hs__monitor *m)
{
    m->hurried = m->unread = 0;
    hs__monitor_begin_row(m);
}

void hs__monitor_hurry(hs__monitor *m)
{
    int64_t mpi = m->mpi - m->first_mpi, wait = m->wait - m->first_wait, all = m->compute - m->first_compute + mpi;
    m->rounds = 0;
    if (m->blind || all <= 0 || m->inferred > (m->compute + m->mpi) / MOST_INFERRED)
        return;
    m->mpi_share = (mpi << 16) / all;
    m->wait_share = (wait << 16) / all;
    m->hurried = 1;
    m->unread = UNREAD;
    m->rounds = HURRIED_ROUNDS;
    m->looked_at = m->calls;
}

void hs__monitor_settle(hs__monitor *m, int64_t now)
{
    int64_t passed = now - m->since, mpi = passed * m->mpi_share >> 16;
    m->unread = UNREAD;
    if (passed > HS__SHORT_ROUND) {
        m->compute += passed;
        m->inferred += passed;
        stop_hurrying(m);
        return;
    }
    m->compute += passed - mpi;
    m->mpi += mpi;
    m->wait += passed * m->wait_share >> 16;
    if (--m->rounds == 0)
        stop_hurrying(m);
}

int hs__monitor_look(void)
{
    hs__monitor *m = &hs__monitor_self;
    if (!m->inside)
        return 0;
    if (m->hurried) {
        int64_t now = hs__ticks(), passed = now - m->since;
        if (m->looked_at != m->calls) { /* the stretch up to this call */
            hs__monitor_settle(m, now);
        } else {
            m->mpi += passed;
            m->wait += passed;
        }
        m->since = now;
    }
    m->looked_at = m->calls;
    return 0;
}
