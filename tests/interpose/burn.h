/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_TESTS_BURN_H
#define HS_TESTS_BURN_H

#include <time.h>

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Compute for so many seconds of the thread's own time. */
static void compute(double seconds)
{
    volatile double x = 1;
    for (double begun = cpu_seconds(); cpu_seconds() - begun < seconds;)
        for (int k = 0; k < 10000; k++)
            x = x * 0.999999 + 1e-6;
}

#endif
