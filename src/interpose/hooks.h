/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_INTERPOSE_HOOKS_H
#define HS_INTERPOSE_HOOKS_H

/* What a wrapper does before and after the call it forwards, by what the call may do (see calls.txt); call is its
 * number there. What waits is divided in three: what looks again and again, of that what only sends, which soon may
 * as a rule, and the rest. Begin and end stand in one function, since the monitor tells calls apart by their stack
 * frames. */

#include "interpose/waiting.h"
#include "runtime/bind/bind.h"
#include "runtime/watch/monitor.h"

/* ---- What may go by without a reading of the clock (see runtime/watch/hurry.c) ---- */

HS__ALWAYS_INLINE int hs__post_goes_by(int call)
{
    return hs__monitor_send_goes_by();
}

HS__ALWAYS_INLINE void hs__post_gone_by(int call)
{
    hs__monitor_send_gone_by(call + 1);
}

HS__ALWAYS_INLINE void hs__test_gone_by(int call)
{
    hs__monitor_send_gone_by(0);
}

HS__ALWAYS_INLINE int hs__look_goes_by(int call)
{
    return hs__monitor_wait_goes_by(call + 1);
}

HS__ALWAYS_INLINE void hs__look_gone_by(int call)
{
    hs__monitor_wait_gone_by();
}

#define hs__test_goes_by hs__post_goes_by
#define hs__send_goes_by hs__post_goes_by
#define hs__send_gone_by hs__post_gone_by

/* The rest never does. */
HS__ALWAYS_INLINE int hs__local_goes_by(int call)
{
    return 0;
}

HS__ALWAYS_INLINE void hs__local_gone_by(int call)
{
}

#define hs__wait_goes_by hs__local_goes_by
#define hs__wait_gone_by hs__local_gone_by
#define hs__init_goes_by hs__local_goes_by
#define hs__init_gone_by hs__local_gone_by
#define hs__finalize_goes_by hs__local_goes_by
#define hs__finalize_gone_by hs__local_gone_by

/* Where the long way of a wrapper stands: aside, so that the short one is short, where there is one. It is jumped to,
 * so that both stand in one stack frame. */
#define HS__ASIDE static __attribute__((noinline))
#define HS__post_ASIDE HS__ASIDE
#define HS__test_ASIDE HS__ASIDE
#define HS__look_ASIDE HS__ASIDE
#define HS__send_ASIDE HS__ASIDE
#define HS__local_ASIDE HS__ALWAYS_INLINE
#define HS__wait_ASIDE HS__ALWAYS_INLINE
#define HS__init_ASIDE HS__ALWAYS_INLINE
#define HS__finalize_ASIDE HS__ALWAYS_INLINE

/* ---- What may not ---- */

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
    hs__monitor_enter_call(call + 1);
}

HS__ALWAYS_INLINE void hs__post_end(void)
{
    hs__monitor_leave();
}

HS__ALWAYS_INLINE void hs__test_begin(int call)
{
    hs__monitor_enter_call(0);
}

#define hs__test_end hs__post_end

HS__ALWAYS_INLINE void hs__wait_begin(int call)
{
    hs__monitor_enter_wait(call + 1, hs__monitor_looks);
    if (hs__monitor_self.since >= hs__bind.due)
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
    hs__monitor_leave_look();
}

HS__ALWAYS_INLINE void hs__send_begin(int call)
{
    hs__monitor_enter_call(call + 1);
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
