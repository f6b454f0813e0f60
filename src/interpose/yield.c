/* SPDX-License-Identifier: BSD-3-Clause */
/* What the MPI library calls when it has looked in vain. */
#include "config.h"

#include "interpose/waiting.h"
#include <dlfcn.h>
#include <heteroslice/hs_status.h>
#include <sched.h>

HS_API int sched_yield(void)
{
    static int (*next)(void);
    hs__waiting_place *place = &hs__waiting_self;
    if (hs__monitor_frame() < place->frame) {
        hs__pause_once(&place->pause);
        return 0;
    }
    int (*function)(void) = __atomic_load_n(&next, __ATOMIC_RELAXED);
    if (!function) {
        *(void **)&function = dlsym(RTLD_NEXT, "sched_yield");
        __atomic_store_n(&next, function, __ATOMIC_RELAXED);
    }
    return function();
}
