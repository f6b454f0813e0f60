/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_INTERPOSE_HOOKS_H
#define HS_INTERPOSE_HOOKS_H

/* What a wrapper does before and after the call it forwards, by what the call may do (see calls.txt); call is its
 * number there. What waits is divided in three: what looks again and again, of that what only sends, which soon may
 * as a rule, and the rest. Begin and end stand in one function, since the monitor tells calls apart by their stack
 * frames. */

#include "interpose/waiting.h"
#include "runtime/binding.h"
#include "runtime/monitor.h"

HS__ALWAYS_INLINE void hs__local_begin(int call)
{
    hs__monitor_enter_local();
}

HS__ALWAYS_INLINE void hs__local_end(void)
{
    hs__monitor_leave_local();
}

HS__ALWAYS_INLINE void hs__post_begin(int call)
{
    hs__monitor_enter_hurried(call + 1);
}

HS__ALWAYS_INLINE void hs__post_end(void)
{
    hs__monitor_leave_hurried(0);
}

HS__ALWAYS_INLINE void hs__test_begin(int call)
{
    hs__monitor_enter_hurried(0);
}

#define hs__test_end hs__post_end

HS__ALWAYS_INLINE void hs__wait_begin(int call)
{
    hs__monitor_enter_wait(call + 1);
    if (hs__monitor_self.since >= hs__binding_due)
        hs__binding_step();
    hs__waiting_begin();
}

HS__ALWAYS_INLINE void hs__wait_end(void)
{
    hs__waiting_end();
    hs__monitor_leave_wait();
}

#define hs__look_begin hs__wait_begin

HS__ALWAYS_INLINE void hs__look_end(void)
{
    hs__waiting_end();
    hs__monitor_leave_hurried(1);
}

HS__ALWAYS_INLINE void hs__send_begin(int call)
{
    hs__monitor_enter_hurried(call + 1);
    hs__waiting_begin();
}

#define hs__send_end hs__look_end

/** MPI_Init: read the environment, choose where calls go. */
void hs__init_begin(int call);

/** Begin to account, when MPI is initialised now and this is the library's only or foremost copy in the process. */
void hs__init_end(void);

/** MPI_Finalize: stop to account and tell what was seen, while MPI still works. */
void hs__finalize_begin(int call);

static inline void hs__finalize_end(void)
{
}

/** MPI_Pcontrol: 0 stops accounting, 1 resumes it, HS__FIRST_PHASE and above mark phases, others mean nothing here. */
void hs__pcontrol(int level);

#endif
