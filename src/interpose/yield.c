/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that the MPI library, or the program, calls after a poll that found nothing (Open MPI), or to poll (MPICH on UCX). */
#include "config.h"

#include "interpose/hooks.h"
#include "interpose/waiting.h"
#include "util/backoff.h"
#include "util/elf.h"
#include <dlfcn.h>
#include <heteroslice/hs_status.h>
#include <sched.h>

/* The functions that ours hide; NULL until the first call. */
static struct {
    void *yield, *progress;
} self;

/* The next function of that name after ours, remembered in *known. RTLD_NEXT does not search a library that was loaded for a
 * plugin alone. */
static void *find_next(void **known, const char *name, const char *library)
{
    void *function = __atomic_load_n(known, __ATOMIC_RELAXED);
    if (function)
        return function;
    function = dlsym(RTLD_NEXT, name);
    if (!function)
        function = hs__elf_loaded(library, name);
    __atomic_store_n(known, function, __ATOMIC_RELAXED);
    return function;
}

/* Whether the thread is in a call that may wait; not in a test, nor in a yield of the program's own. */
static int waits(void)
{
    return hs__waiting.pauses && hs__monitor_frame() < hs__waiting_self.frame;
}

HS_API int sched_yield(void)
{
    int (*function)(void);
    if (waits()) {
        hs__waiting_call *wait = &hs__waiting_self;
        if (wait->polls > 1) /* nothing was found in the last one */
            wait->quiet_polls = 0;
        wait->polls = 0;
        if (hs__waiting_nap())
            return 0;
    }
    *(void **)&function = find_next(&self.yield, "sched_yield", "libc.so.6");
    int polling = hs__polling(), result = function();
    if (polling)
        hs__polling_yielded();
    return result;
}

HS_API unsigned ucp_worker_progress(void *worker);

HS_API unsigned ucp_worker_progress(void *worker)
{
    unsigned (*function)(void *);
    *(void **)&function = find_next(&self.progress, "ucp_worker_progress", "libucp.so.0");
    if (!hs__waiting.polls_by_ucx)
        hs__waiting.polls_by_ucx = 1;
    unsigned events = function(worker);
    if (events)
        hs__waiting_self.quiet_polls = 0;
    else if (waits() && !hs__waiting_nap())
        hs__backoff_pause(0);
    return events;
}
