/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_MONITOR_H
#define HS_RUNTIME_MONITOR_H

/* Where the time of a thread goes: inside MPI (and this library), or outside, which is computing. The wrappers of
 * src/interpose call enter and leave; so does the library at its own doors. Nothing is allocated and nothing is locked.
 */

#include "runtime/clock.h"
#include <stdint.h>

typedef struct hs__monitor_times {
    int64_t compute_ns; /* outside MPI since the thread's first call, the present stretch included */
    int64_t mpi_ns;     /* inside */
    int64_t calls;      /* of the program; calls made by the MPI library or this one inside another do not count */
} hs__monitor_times;

typedef struct hs__monitor {
    hs__monitor_times times;
    int64_t since; /* clock at the last transition; 0 before the first call */
    int depth;     /* of nested calls */
} hs__monitor;

extern __thread hs__monitor hs__monitor_self __attribute__((tls_model("initial-exec")));

static inline void hs__monitor_enter(void)
{
    hs__monitor *m = &hs__monitor_self;
    if (m->depth++ > 0)
        return;
    int64_t now = hs__clock_ns();
    if (m->since)
        m->times.compute_ns += now - m->since;
    m->since = now;
}

/** The same for a call of the program, which is counted. */
static inline void hs__monitor_enter_call(void)
{
    hs__monitor_self.times.calls += hs__monitor_self.depth == 0;
    hs__monitor_enter();
}

static inline void hs__monitor_leave(void)
{
    hs__monitor *m = &hs__monitor_self;
    if (--m->depth > 0)
        return;
    int64_t now = hs__clock_ns();
    m->times.mpi_ns += now - m->since;
    m->since = now;
}

/** The calling thread's times up to now. */
void hs__monitor_read(hs__monitor_times *times);

#endif
