/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_MONITOR_H
#define HS_RUNTIME_MONITOR_H

/* Where the time of a thread goes: inside MPI (and this library), or outside, which is computing. The wrappers of
 * src/interpose call enter and leave; so does the library at its own doors. Nothing is allocated and nothing is locked.
 *
 * A call inside a call is not seen: the outermost one remembers the stack frame it stands in, and whoever enters from a
 * deeper frame is inside it. A call that never came back, because an error handler threw an exception or jumped, is
 * forgotten as soon as its own frame or one above enters; a depth counter would stay wrong for ever. Enter and leave of
 * one call must therefore stand in one function. Stacks grow downwards on every machine MPI runs on. */

#include "runtime/iterations.h"
#include "runtime/ticks.h"
#include <stdint.h>

typedef struct hs__monitor_times {
    int64_t compute_ns; /* outside MPI since the thread's first call, the present stretch included */
    int64_t mpi_ns;     /* inside */
    int64_t wait_ns;    /* of that, in calls that may not return before others have acted */
    int64_t calls;      /* of the program; calls made by the MPI library or this one inside another do not count */
} hs__monitor_times;

typedef struct hs__monitor {
    int64_t compute, mpi, wait; /* ticks */
    int64_t calls;
    int64_t since;               /* ticks at the last transition; 0 before the first call */
    uintptr_t inside;            /* frame of the outermost call under way; 0 when none is */
    hs__event *event, *last_one; /* where the next call is noted, and the last place; NULL: calls are not noted */
} hs__monitor;

extern __thread hs__monitor hs__monitor_self __attribute__((tls_model("initial-exec")));
extern int hs__monitor_on;

/** The batch of noted calls is full: look through it and begin another. */
void hs__monitor_scan(void);

#define HS__ALWAYS_INLINE static inline __attribute__((always_inline))

HS__ALWAYS_INLINE uintptr_t hs__monitor_frame(void)
{
    return (uintptr_t)__builtin_frame_address(0);
}

/* Returns whether the call is an outermost one. */
HS__ALWAYS_INLINE int hs__monitor_enter_timed(hs__monitor *m)
{
    uintptr_t frame = hs__monitor_frame();
    if (frame < m->inside || !hs__monitor_on)
        return 0;
    int64_t now = hs__ticks();
    if (m->since)
        m->compute += now - m->since;
    m->since = now;
    m->inside = frame;
    return 1;
}

HS__ALWAYS_INLINE void hs__monitor_enter(void)
{
    hs__monitor_enter_timed(&hs__monitor_self);
}

/** The same for a call of the program, which is counted. */
HS__ALWAYS_INLINE void hs__monitor_enter_call(void)
{
    hs__monitor *m = &hs__monitor_self;
    m->calls += hs__monitor_enter_timed(m);
}

/** The same, and the call is part of what repeats from iteration to iteration. */
HS__ALWAYS_INLINE void hs__monitor_enter_step(int call)
{
    hs__monitor *m = &hs__monitor_self;
    if (!hs__monitor_enter_timed(m))
        return;
    m->calls++;
    if (m->event) {
        *m->event = (hs__event){m->compute, m->compute + m->mpi, call};
        if (m->event++ == m->last_one)
            hs__monitor_scan();
    }
}

/** Whether the call that stands in this function is the outermost one. */
HS__ALWAYS_INLINE int hs__monitor_outermost(void)
{
    return hs__monitor_self.inside == hs__monitor_frame();
}

HS__ALWAYS_INLINE void hs__monitor_leave_to(int64_t *waiting)
{
    hs__monitor *m = &hs__monitor_self;
    if (m->inside != hs__monitor_frame())
        return;
    int64_t now = hs__ticks();
    m->mpi += now - m->since;
    *waiting += now - m->since;
    m->since = now;
    m->inside = 0;
}

HS__ALWAYS_INLINE void hs__monitor_leave(void)
{
    int64_t nowhere = 0;
    hs__monitor_leave_to(&nowhere);
}

/** Of a call that may not return before others have acted. */
HS__ALWAYS_INLINE void hs__monitor_leave_wait(void)
{
    hs__monitor_leave_to(&hs__monitor_self.wait);
}

/** A call of the program that answers at once, such as MPI_Comm_rank: counted, but no clock is read. */
HS__ALWAYS_INLINE void hs__monitor_enter_local(void)
{
    hs__monitor *m = &hs__monitor_self;
    uintptr_t frame = hs__monitor_frame();
    if (frame < m->inside || !hs__monitor_on)
        return;
    m->calls++;
    m->inside = frame;
}

HS__ALWAYS_INLINE void hs__monitor_leave_local(void)
{
    if (hs__monitor_self.inside == hs__monitor_frame())
        hs__monitor_self.inside = 0;
}

/** Begin to account. The calling thread's first stretch of computing begins here, another thread's at the end of its
 * first call. Does nothing when it has begun. */
void hs__monitor_start(void);

/** No longer account; a call under way still ends well. */
void hs__monitor_stop(void);

/** Account again after a stop. The stretch between belongs to nothing. */
void hs__monitor_resume(void);

/** Note the calling thread's calls and find its iterations. The thread that initialises MPI. */
void hs__monitor_watch(void);

/** What was found up to now, with the calls of the batch under way. The watched thread. */
const hs__iterations *hs__monitor_iterations(void);

/** The calling thread's times up to now. */
void hs__monitor_read(hs__monitor_times *times);

#endif
