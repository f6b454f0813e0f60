/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_TESTS_CLOCK_H
#define HS_TESTS_CLOCK_H

/* Clocks that a test puts forward, by whole seconds: computing takes no time, so other load on the machine cannot bend what the library
 * measures. For programs linked with -Wl,--wrap=clock_gettime; the MPI library keeps its own clock. */

#include <mpi.h>
#include <time.h>

int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);

static double clock_ahead;     /* seconds, by which this rank's clock is ahead */
static double clock_cpu_ahead; /* and the CPU time of its thread */

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
    int code = __real_clock_gettime(clock, now);
    if (clock == CLOCK_MONOTONIC)
        now->tv_sec += (time_t)clock_ahead;
    if (clock == CLOCK_THREAD_CPUTIME_ID)
        now->tv_sec += (time_t)clock_cpu_ahead;
    return code;
}

static inline void clock_pass(double seconds)
{
    clock_ahead += seconds;
}

/* A barrier: the ranks go on when the last of them has come. */
static inline void clock_meet(void)
{
    MPI_Allreduce(MPI_IN_PLACE, &clock_ahead, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}

#endif
