/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_INTERPOSE_WAITING_H
#define HS_INTERPOSE_WAITING_H

/* Where a call that may wait begins and ends, for runtime/base/waiting.h. */

#include "runtime/base/waiting.h"
#include "runtime/watch/monitor.h"

HS__ALWAYS_INLINE void hs__waiting_begin(void)
{
    hs__waiting_call *wait = &hs__waiting_self;
    if (hs__waiting.pauses && hs__monitor_frame() >= wait->frame)
        *wait = (hs__waiting_call){.frame = hs__monitor_frame()};
}

HS__ALWAYS_INLINE void hs__waiting_end(void)
{
    if (hs__waiting.pauses && hs__waiting_self.frame == hs__monitor_frame())
        hs__waiting_self.frame = 0;
}

#endif
