/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_WATCH_MONITOR_H
#define HS_RUNTIME_WATCH_MONITOR_H

/* Where the time of a thread goes. The clock is read when a call of MPI, or of this library, begins and when it ends:
 * what lies between two calls is computing, what lies inside one is of the call's kind.
 *
 * Only outermost calls count. One remembers its stack frame, and a call in a deeper frame is inside it. A call left by
 * an exception or a jump is forgotten when its own frame or one above enters again; a counter of depth would stay wrong.
 * So a call is entered and left in the same function. Stacks grow downwards on every machine that MPI runs on. */

#include "runtime/base/ticks.h"
#include <stdint.h>

typedef enum hs__time_kind {
    HS__COMPUTE,  /* outside of MPI and of this library */
    HS__TRANSFER, /* in MPI calls that begin or advance something */
    HS__WAIT,     /* in MPI calls that may not return before others have acted, or that ask whether they have */
    HS__LIBRARY,  /* in calls of this library, and in its own work inside MPI calls */
    HS__TIME_KINDS
} hs__time_kind;

typedef struct hs__monitor_times {
    int64_t compute_ns;                       /* the present stretch included */
    int64_t transfer_ns, wait_ns, library_ns; /* in calls that have ended */
    int64_t calls; /* the program's calls of MPI; those that MPI or this library makes do not count */
} hs__monitor_times;

/** One thread's account. */
typedef struct hs__monitor {
    uintptr_t inside; /* frame of the outermost call under way; 0 when there is none */
    int64_t since;    /* ticks at the last reading of the clock */
    int64_t polled;   /* the same when a call that polls ended last */
    int64_t ticks[HS__TIME_KINDS];
    int64_t calls;
    int watched; /* its timed calls are noted, and how: see watched.h */
} hs__monitor;

/** The process's account; monitor.c owns it. */
typedef struct hs__account {
    _Atomic int on;        /* calls are accounted */
    _Atomic int64_t begun; /* ticks when that began, or began again: stretches that began before do not count */
    int64_t run;           /* ticks accounted before that; of the thread that stops and resumes */
    int64_t queue;         /* nanoseconds of that, when stopped, for which the thread was ready and had no core */
} hs__account;

extern __thread hs__monitor hs__monitor_self __attribute__((tls_model("initial-exec"), visibility("hidden")));
extern hs__account hs__monitor_account __attribute__((visibility("hidden")));

#define HS__ALWAYS_INLINE static inline __attribute__((always_inline))

HS__ALWAYS_INLINE uintptr_t hs__monitor_frame(void)
{
    return (uintptr_t)__builtin_frame_address(0);
}

/** A call in the function of this frame begins. counted: it is the program's. @return whether it is an outermost one */
HS__ALWAYS_INLINE int hs__monitor_enter_call(int counted, uintptr_t frame)
{
    hs__monitor *m = &hs__monitor_self;
    if (frame < m->inside || !hs__monitor_account.on)
        return 0;
    m->inside = frame;
    m->calls += counted;
    return 1;
}

/** The call in the function of this frame ends. @return whether it is an outermost one */
HS__ALWAYS_INLINE int hs__monitor_leave_call(uintptr_t frame)
{
    hs__monitor *m = &hs__monitor_self;
    if (m->inside != frame)
        return 0;
    m->inside = 0;
    return 1;
}

/** The clock was read now: the stretch since the last reading was of this kind. @return its ticks; 0: it does not count */
HS__ALWAYS_INLINE int64_t hs__monitor_charge(int64_t now, hs__time_kind kind)
{
    hs__monitor *m = &hs__monitor_self;
    int64_t stretch = m->since >= hs__monitor_account.begun ? now - m->since : 0;
    m->ticks[kind] += stretch;
    m->since = now;
    return stretch;
}

/** Ticks of every kind. */
HS__ALWAYS_INLINE int64_t hs__monitor_accounted(const hs__monitor *m)
{
    return m->ticks[HS__COMPUTE] + m->ticks[HS__TRANSFER] + m->ticks[HS__WAIT] + m->ticks[HS__LIBRARY];
}

/** A call of this library. */
HS__ALWAYS_INLINE void hs__monitor_enter(void)
{
    if (hs__monitor_enter_call(0, hs__monitor_frame()))
        hs__monitor_charge(hs__ticks(), HS__COMPUTE);
}

HS__ALWAYS_INLINE void hs__monitor_leave(void)
{
    if (hs__monitor_leave_call(hs__monitor_frame()))
        hs__monitor_charge(hs__ticks(), HS__LIBRARY);
}

/** Begin to account, if that has not begun; any thread. Another thread's first stretch begins at the end of its first call. */
void hs__monitor_start(void);

/** Outside of any call: account nothing from here on, or again. */
void hs__monitor_stop(void);
void hs__monitor_resume(void);

/** The calling thread's times up to now. */
void hs__monitor_read(hs__monitor_times *times);

/** Nanoseconds accounted up to now: the sum of the watched thread's times. */
int64_t hs__monitor_run_ns(void);

#endif
