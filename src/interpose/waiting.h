/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_INTERPOSE_WAITING_H
#define HS_INTERPOSE_WAITING_H

/* Where a call that may wait begins and ends, for runtime/base/waiting.h. */

#include "runtime/base/waiting.h"
#include "runtime/watch/monitor.h"

HS__ALWAYS_INLINE void hs__waiting_begin(uintptr_t frame)
{
    hs__waiting_call *wait = &hs__waiting_self;
    if (hs__waiting.pauses && frame >= wait->frame)
        *wait = (hs__waiting_call){.frame = frame};
}

HS__ALWAYS_INLINE void hs__waiting_end(uintptr_t frame)
{
    if (hs__waiting.pauses && hs__waiting_self.frame == frame)
        hs__waiting_self.frame = 0;
}

#endif
