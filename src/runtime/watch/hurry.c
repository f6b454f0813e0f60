/* SPDX-License-Identifier: BSD-3-Clause */
/* Two readings of the clock cost a tenth of the time a byte takes through shared memory. So after some rounds, from one
 * call that waits to the next, that were all short, the clock is read only every so many calls, where a wait begins. A
 * stretch between two readings is divided as those before were, at the pace that calls had then.
 *
 * What it took much longer was spent computing, because a long wait would have been seen: while the MPI library waits
 * it looks again and again, and calls hs__monitor_look() every few times, which reads the clock once a wait is not
 * short. That inference is not made where the last wait known to be long was not looked at, nor for more than a part of
 * a thread's time. */
#include "runtime/base/hot.h"
#include "runtime/watch/monitor.h"

enum {
    HURRIED_READINGS = 512,                        /* then some rounds are measured again */
    UNREAD = 128,                                  /* calls at most; as many again that only send */
    LONGEST_UNREAD = 2 * UNREAD * HS__SHORT_ROUND, /* ticks these may take, as a rule */
    FEW_LOOKS = 16,                                /* are less than two microseconds, as a rule */
    MOST_INFERRED = 8,                             /* a part of the time */
    MOST_YIELDING = 32                             /* the same where others were let run */
};

HS__HOT int hs__monitor_looks;

void hs__monitor_calm(hs__monitor *m)
{
    if (hs__monitor_expects(m))
        hs__repeat_end(m);
    m->hurried = m->recording = 0;
    m->least_wait = m->least_send = 0;
    m->rounds = 0;
}

static void leave_out_readings(hs__monitor *m)
{
    int64_t unread = LONGEST_UNREAD / (m->pace + 1);
    unread = unread < UNREAD ? unread : UNREAD;
    m->settled = m->calls;
    if (hs__monitor_expects(m))
        return; /* all others are read */
    m->least_wait = m->calls + unread;
    m->least_send = m->least_wait + unread;
}

void hs__monitor_hurry(hs__monitor *m)
{
    int64_t mpi = m->mpi - m->first_mpi, wait = m->wait - m->first_wait, all = m->compute - m->first_compute + mpi;
    m->rounds = 0;
    int most = m->yielded ? MOST_YIELDING : MOST_INFERRED;
    if (m->blind || all <= 0 || m->inferred > (m->compute + m->mpi) / most)
        return;
    m->mpi_share = (mpi << 16) / all;
    m->wait_share = (wait << 16) / all;
    m->pace = all / (m->calls - m->first_calls);
    m->hurried = 1;
    m->rounds = HURRIED_READINGS;
    leave_out_readings(m);
}

void hs__monitor_settle(hs__monitor *m, int64_t now)
{
    int64_t passed = now - m->since, expected = (m->calls - m->settled) * m->pace, longer = passed - expected;
    int computed = longer > HS__SHORT_ROUND + expected / 2;
    if (computed) {
        m->compute += longer;
        m->inferred += longer;
        passed -= longer;
    }
    int64_t mpi = passed * m->mpi_share >> 16;
    m->compute += passed - mpi;
    m->mpi += mpi;
    m->wait += passed * m->wait_share >> 16;
    if (computed || --m->rounds == 0)
        hs__monitor_calm(m);
    else
        leave_out_readings(m);
}

void hs__monitor_leave_calmed(hs__monitor *m)
{
    m->wait += hs__monitor_read_after(m);
    m->hurried_call = 0;
}

/* Whether this is look number `few` of the call, or a later one, and its readings are left out. An earlier one has no
 * time: a reading would delay the answer that may be there. */
static inline int has_looked(hs__monitor *m, int few)
{
    int64_t call = hs__monitor_calls(m);
    if (m->looked_at != call) {
        m->looked_at = call;
        m->looks = 0;
    }
    return ++m->looks >= few && (m->hurried || m->unseen == m->calls);
}

/* The first looks, of which the last was number `few`, took as long as the next `as_many`. */
static void look(hs__monitor *m, int few, int as_many)
{
    int64_t now = hs__ticks(), begun = m->since;
    if (m->settled_at != m->calls) { /* the stretch up to this wait */
        if (m->looks == few)
            m->few_looked = now;
        if (m->looks < few + as_many)
            return;
        begun = 2 * m->few_looked - now > begun ? 2 * m->few_looked - now : begun;
        m->settled_at = m->calls;
        hs__monitor_settle(m, begun);
    }
    m->mpi += now - begun;
    m->wait += now - begun;
    m->since = now;
    hs__monitor_note_reading(m);
}

int hs__monitor_look(void)
{
    hs__monitor *m = &hs__monitor_self;
    hs__monitor_begin_yields(m);
    if (!hs__monitor_in_call(m) || m->yields || !has_looked(m, FEW_LOOKS))
        return 0;
    if (hs__monitor_expects(m))
        hs__repeat_interrupt(m);
    look(m, FEW_LOOKS, FEW_LOOKS);
    return 0;
}

void hs__monitor_look_yielding(hs__monitor *m)
{
    if (has_looked(m, 1))
        look(m, 1, HS__FEW_YIELDS);
}
