/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_WATCH_CALL_BACK_H
#define HS_RUNTIME_WATCH_CALL_BACK_H

/* Functions of the program that this library calls: what they do is the program's. */

#include "runtime/watch/monitor.h"

/** What follows is accounted as outside of this library.
 * @return what hs__call_back_end() needs */
HS__ALWAYS_INLINE uintptr_t hs__call_back_begin(void)
{
    uintptr_t inside = hs__monitor_self.inside;
    if (inside)
        hs__monitor_charge(hs__ticks(), HS__LIBRARY);
    hs__monitor_self.inside = 0;
    return inside;
}

HS__ALWAYS_INLINE void hs__call_back_end(uintptr_t inside)
{
    if (inside)
        hs__monitor_charge(hs__ticks(), HS__COMPUTE);
    hs__monitor_self.inside = inside;
}

#endif
