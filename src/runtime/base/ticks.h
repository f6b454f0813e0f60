/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_BASE_TICKS_H
#define HS_RUNTIME_BASE_TICKS_H

/* The cheapest clock of the machine, for a reading at both ends of every MPI call: the time-stamp counter where the
 * kernel itself trusts it as a clock (10 ns a reading where CLOCK_MONOTONIC takes 22), else CLOCK_MONOTONIC. */

#include "util/clock.h"
#include <stdint.h>

/** The clock of the process; ticks.c owns it. */
typedef struct hs__ticks_clock {
    int is_counter; /* 1 once hs__ticks_start() has found the counter to be good */
    double ns_per_tick;
} hs__ticks_clock;

extern hs__ticks_clock hs__ticks_self __attribute__((visibility("hidden")));

/** Choose the clock and measure its rate, which takes 2 ms the first time; calls after that do nothing. Ticks read
 * before and after the first call must not be compared. */
void hs__ticks_start(void);

/** A reading, in ticks since some fixed moment. */
static inline int64_t hs__ticks(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
    if (hs__ticks_self.is_counter)
        return (int64_t)__builtin_ia32_rdtsc();
#endif
    return hs__clock_ns();
}

/** A difference of readings in nanoseconds. */
int64_t hs__ticks_ns(int64_t ticks);

/** The same the other way, after hs__ticks_start(). */
int64_t hs__ticks_of_ns(int64_t ns);

#endif
