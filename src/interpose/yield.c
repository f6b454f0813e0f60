/* SPDX-License-Identifier: BSD-3-Clause */
/* What the MPI library calls when it has looked in vain (Open MPI), or to look (MPICH on UCX). */
#include "config.h"

#include "interpose/waiting.h"
#include <dlfcn.h>
#include <heteroslice/hs_status.h>
#include <sched.h>

/* The function of that name behind ours, remembered in *known. A library that is there for a plugin alone is not among
 * those that RTLD_NEXT searches. */
static void *behind(void **known, const char *name, const char *library)
{
    void *function = __atomic_load_n(known, __ATOMIC_RELAXED);
    if (function)
        return function;
    function = dlsym(RTLD_NEXT, name);
    void *plugin = function ? NULL : dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    if (plugin)
        function = dlsym(plugin, name);
    __atomic_store_n(known, function, __ATOMIC_RELAXED);
    return function;
}

/* Whether the thread waits for others to act. */
static int waits(const hs__waiting_place *place)
{
    return hs__monitor_frame() < place->frame;
}

HS_API int sched_yield(void)
{
    static void *next;
    int (*function)(void);
    hs__waiting_place *place = &hs__waiting_self;
    if (hs__waiting_in_yield && waits(place) && !hs__pause_yields(&place->pause)) {
        hs__pause_longer(&place->pause);
        return 0;
    }
    *(void **)&function = behind(&next, "sched_yield", "libc.so.6");
    return function();
}

HS_API unsigned ucp_worker_progress(void *worker);

HS_API unsigned ucp_worker_progress(void *worker)
{
    static void *next;
    unsigned (*function)(void *);
    hs__waiting_place *place = &hs__waiting_self;
    *(void **)&function = behind(&next, "ucp_worker_progress", "libucp.so.0");
    if (!__atomic_load_n(&hs__waiting_sees_looks, __ATOMIC_RELAXED))
        __atomic_store_n(&hs__waiting_sees_looks, 1, __ATOMIC_RELAXED);
    unsigned events = function(worker);
    if (!events && waits(place))
        hs__pause_once(&place->pause);
    return events;
}
