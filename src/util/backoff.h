/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_UTIL_BACKOFF_H
#define HS_UTIL_BACKOFF_H

/* How to wait without taking the processor from the process that is waited for: first yield, then nap in proportion to
 * the time waited. The caller resets that time when anything has happened. */

#include <stdint.h>

/** How long to nap before the next look after so many nanoseconds without anything happening; 0: let others run. */
int64_t hs__backoff_nap_ns(int64_t waited_ns);

/** Nap so long. Any thread. @return whether it was time to */
int hs__backoff_nap(int64_t waited_ns);

/** One nap, or one sched_yield. Any thread. */
void hs__backoff_pause(int64_t waited_ns);

#endif
