/* SPDX-License-Identifier: BSD-3-Clause */
/* What a timed call is accounted as, by its class: both ends of it, apart from the wrappers, of which there are hundreds. */
#include "interpose/hooks.h"
#include "interpose/waiting.h"
#include "runtime/watch/watched.h"

/* A program that waits in a loop of calls that poll is outside MPI for some 40 ns between two of them: a stretch so short
 * between two polls in a row is waiting. */
enum { POLLING_LOOP = 512 }; /* ticks */

/* polls: see hs__watch_note(). @return whether the call was an outermost one */
HS__ALWAYS_INLINE int leave(int number, uintptr_t frame, const void *caller, hs__time_kind kind, int polls)
{
    if (!hs__monitor_leave_call(frame))
        return 0;
    hs__watch_note(number, hs__monitor_charge(hs__ticks(), kind), polls, caller);
    return 1;
}

/* ---- Begins or advances something ---- */

void hs__post_enter(uintptr_t frame)
{
    if (hs__monitor_enter_call(1, frame))
        hs__monitor_charge(hs__ticks(), HS__COMPUTE);
}

int hs__post_leave(int number, uintptr_t frame, const void *caller)
{
    return leave(number, frame, caller, HS__TRANSFER, 0);
}

/* ---- Asks whether others have acted ---- */

/* Whether the stretch that ends now began with the end of a poll, and was too short for anything else. */
static int in_loop(int64_t now)
{
    const hs__monitor *m = &hs__monitor_self;
    return m->polled == m->since && now - m->since < POLLING_LOOP;
}

void hs__poll_enter(uintptr_t frame)
{
    if (!hs__monitor_enter_call(1, frame))
        return;
    int64_t now = hs__ticks();
    hs__monitor_charge(now, in_loop(now) ? HS__WAIT : HS__COMPUTE);
}

int hs__poll_leave(int number, uintptr_t frame, const void *caller)
{
    hs__monitor *m = &hs__monitor_self;
    if (!leave(number, frame, caller, HS__WAIT, 1))
        return 0;
    m->polled = m->since;
    return 1;
}

/* A thread that has never polled, of a library perhaps, may ask before MPI_Init has chosen the clock. */
int hs__polling(void)
{
    const hs__monitor *m = &hs__monitor_self;
    return !m->inside && m->polled && in_loop(hs__ticks());
}

void hs__polling_yielded(void)
{
    hs__monitor *m = &hs__monitor_self;
    hs__monitor_charge(hs__ticks(), HS__WAIT);
    m->polled = m->since;
}

/* ---- May not return before others have acted ---- */

void hs__wait_enter(uintptr_t frame)
{
    if (hs__monitor_enter_call(1, frame)) {
        hs__monitor_charge(hs__ticks(), HS__COMPUTE);
        if (hs__monitor_self.since >= hs__due)
            hs__do_due();
    }
    hs__waiting_begin(frame);
}

int hs__wait_leave(int number, uintptr_t frame, const void *caller)
{
    hs__waiting_end(frame);
    return leave(number, frame, caller, HS__WAIT, 0);
}
