/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_INTERPOSE_HOOKS_H
#define HS_INTERPOSE_HOOKS_H

/* What a wrapper does before and after the call that it forwards, by the class of the call: local, post, poll, wait,
 * init, finalize (see calls.txt). number is the call's row there. An end returns whether the call was an outermost one.
 * Begin and end stand in the wrapper's own frame, by which the monitor tells calls apart. */

#include "runtime/watch/monitor.h"
#include "runtime/watch/sites.h"

/* ---- Calls that answer from memory: counted, and no clock is read ---- */

HS__ALWAYS_INLINE void hs__local_begin(int number)
{
    hs__monitor_enter_call(1, hs__monitor_frame());
}

HS__ALWAYS_INLINE int hs__local_end(int number)
{
    return hs__monitor_leave_call(hs__monitor_frame());
}

/* ---- Calls that are timed: account.c ---- */

/** frame: the wrapper's; caller: where it returns to. */
void hs__post_enter(uintptr_t frame);
int hs__post_leave(int number, uintptr_t frame, const void *caller);
void hs__poll_enter(uintptr_t frame);
int hs__poll_leave(int number, uintptr_t frame, const void *caller);
void hs__wait_enter(uintptr_t frame);
int hs__wait_leave(int number, uintptr_t frame, const void *caller);

#define HS__TIMED(class)                                                     \
    HS__ALWAYS_INLINE void hs__##class##_begin(int number)                   \
    {                                                                        \
        hs__##class##_enter(hs__monitor_frame());                            \
    }                                                                        \
                                                                             \
    HS__ALWAYS_INLINE int hs__##class##_end(int number)                      \
    {                                                                        \
        return hs__##class##_leave(number, hs__monitor_frame(), HS__CALLER); \
    }
HS__TIMED(post)
HS__TIMED(poll)
HS__TIMED(wait)
#undef HS__TIMED

/** Whether a poll has just ended: a program that now gives its core away waits in a loop of polls. */
int hs__polling(void);

/** It was so, and the program has its core again: that was waiting, and more so if it polls at once. */
void hs__polling_yielded(void);

/** When the library next has work of its own at a call that may wait: at hs__ticks() or later; INT64_MAX: never. */
extern _Atomic int64_t hs__due __attribute__((visibility("hidden")));

/** Do what is due, which is not the program's waiting: bind ranks anew, write metrics. */
void hs__do_due(void);

/* ---- Calls by which MPI begins, ends and is told something ---- */

/** MPI_Init: read the environment, choose where calls go. */
void hs__init_begin(int number);

/** Begin to account, when MPI is initialised now and this is the library's only or foremost copy in the process. */
int hs__init_end(int number);

/** Whether this copy of the library is the one that acts, and is not switched off. */
int hs__acts(void);

/** The same, for a program that has not begun MPI_Init; and choose where calls go. */
int hs__prepare(void);

/** MPI_Finalize: in it the account is closed, and told what was seen, while MPI still works. */
void hs__finalize_enter(int number, uintptr_t frame, const void *caller);
HS__ALWAYS_INLINE void hs__finalize_begin(int number)
{
    hs__finalize_enter(number, hs__monitor_frame(), HS__CALLER);
}

/** All ranks have begun to finalize: forget what they could still look for. */
int hs__finalize_end(int number);

/** MPI_Pcontrol: 0 stops accounting, 1 resumes it, HS__FIRST_PHASE and above mark phases, others mean nothing here. */
void hs__pcontrol_begin(int level);
void hs__pcontrol_end(void);

#endif
