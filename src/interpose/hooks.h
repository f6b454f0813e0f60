/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_INTERPOSE_HOOKS_H
#define HS_INTERPOSE_HOOKS_H

/* What a wrapper does before and after the call that it forwards, by the class of the call: local, post, poll, wait,
 * init, finalize (see calls.txt). number is the call's row there. An end returns whether the call was an outermost one.
 * Begin and end stand in the wrapper's own frame, by which the monitor tells calls apart. */

#include "interpose/waiting.h"
#include "runtime/watch/monitor.h"
#include "runtime/watch/sites.h"
#include "runtime/watch/watched.h"

/** When the library next has work of its own at a call that may wait: at hs__ticks() or later; INT64_MAX: never. */
extern _Atomic int64_t hs__due __attribute__((visibility("hidden")));

/** Do what is due, which is not the program's waiting: bind ranks anew, write metrics. */
void hs__do_due(void);

/* Answers from memory: counted, and no clock is read. */
HS__ALWAYS_INLINE void hs__local_begin(int number)
{
    hs__monitor_enter_call(1);
}

HS__ALWAYS_INLINE int hs__local_end(int number)
{
    return hs__monitor_leave_call();
}

/* Begins or advances something. */
HS__ALWAYS_INLINE void hs__post_begin(int number)
{
    if (hs__monitor_enter_call(1))
        hs__monitor_charge(hs__ticks(), HS__COMPUTE);
}

HS__ALWAYS_INLINE int hs__post_end(int number)
{
    if (!hs__monitor_leave_call())
        return 0;
    int64_t ticks = hs__monitor_charge(hs__ticks(), HS__TRANSFER);
    hs__watch_note(number, ticks, 0, HS__CALLER);
    return 1;
}

/* Asks whether others have acted. A program that waits in a loop of such calls is outside MPI for some 40 ns between
 * two of them: a stretch so short between two polls in a row is waiting. */
enum { HS__POLLING_LOOP = 512 }; /* ticks */

HS__ALWAYS_INLINE void hs__poll_begin(int number)
{
    const hs__monitor *m = &hs__monitor_self;
    if (!hs__monitor_enter_call(1))
        return;
    int64_t now = hs__ticks();
    int in_loop = m->polled == m->since && now - m->since < HS__POLLING_LOOP;
    hs__monitor_charge(now, in_loop ? HS__WAIT : HS__COMPUTE);
}

HS__ALWAYS_INLINE int hs__poll_end(int number)
{
    hs__monitor *m = &hs__monitor_self;
    if (!hs__monitor_leave_call())
        return 0;
    int64_t ticks = hs__monitor_charge(hs__ticks(), HS__WAIT);
    hs__watch_note(number, ticks, 1, HS__CALLER);
    m->polled = m->since;
    return 1;
}

/* May not return before others have acted. */
HS__ALWAYS_INLINE void hs__wait_begin(int number)
{
    if (hs__monitor_enter_call(1)) {
        hs__monitor_charge(hs__ticks(), HS__COMPUTE);
        if (hs__monitor_self.since >= hs__due)
            hs__do_due();
    }
    hs__waiting_begin();
}

HS__ALWAYS_INLINE int hs__wait_end(int number)
{
    hs__waiting_end();
    if (!hs__monitor_leave_call())
        return 0;
    int64_t ticks = hs__monitor_charge(hs__ticks(), HS__WAIT);
    hs__watch_note(number, ticks, 0, HS__CALLER);
    return 1;
}

/** MPI_Init: read the environment, choose where calls go. */
void hs__init_begin(int number);

/** Begin to account, when MPI is initialised now and this is the library's only or foremost copy in the process. */
int hs__init_end(int number);

/** Whether this copy of the library is the one that acts, and is not switched off. */
int hs__acts(void);

/** The same, for a program that has not begun MPI_Init; and choose where calls go. */
int hs__prepare(void);

/** MPI_Finalize: close the account and tell what was seen, while MPI still works. */
void hs__finalize_begin(int number);

/** All ranks have begun to finalize: forget what they could still look for. */
int hs__finalize_end(int number);

/** MPI_Pcontrol: 0 stops accounting, 1 resumes it, HS__FIRST_PHASE and above mark phases, others mean nothing here. */
void hs__pcontrol_begin(int level);
void hs__pcontrol_end(void);

#endif
