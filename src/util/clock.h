/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_UTIL_CLOCK_H
#define HS_UTIL_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline double hs__clock_seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline int64_t hs__clock_ns_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/** Nanoseconds of wall-clock time since some fixed moment. */
static inline int64_t hs__clock_ns(void)
{
    return hs__clock_ns_of(CLOCK_MONOTONIC);
}

/** A span in nanoseconds; a span too long for that becomes 146 years. */
static inline int64_t hs__clock_span_ns(double seconds)
{
    return seconds < 4e9 ? (int64_t)(seconds * 1e9) : INT64_MAX / 2;
}

/** Seconds of wall-clock time since some fixed moment. */
static inline double hs__clock_wall(void)
{
    return hs__clock_seconds(CLOCK_MONOTONIC);
}

/** Seconds of CPU time of the calling thread. */
static inline double hs__clock_cpu(void)
{
    return hs__clock_seconds(CLOCK_THREAD_CPUTIME_ID);
}

#endif
