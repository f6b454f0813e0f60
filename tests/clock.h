/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_TESTS_CLOCK_H
#define HS_TESTS_CLOCK_H

/* Clocks that a test puts forward: computing takes no time, so other load on the machine cannot bend what the library
 * measures, but by the real time that passes, too; steps take seconds, or the clock is stopped. For programs linked
 * with -Wl,--wrap=clock_gettime; the MPI library keeps its own clock. */

#include <mpi.h>
#include <time.h>

int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);

static double clock_ahead;     /* seconds, by which this rank's clock is ahead */
static double clock_cpu_ahead; /* and the CPU time of its thread */

static struct timespec clock_stopped; /* since when no real time passes */

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
    int code = __real_clock_gettime(clock, now);
    double ahead = clock == CLOCK_MONOTONIC ? clock_ahead : clock == CLOCK_THREAD_CPUTIME_ID ? clock_cpu_ahead : 0;
    if (clock == CLOCK_MONOTONIC && clock_stopped.tv_sec > 0)
        *now = clock_stopped;
    long long ns = now->tv_nsec + (long long)((ahead - (double)(time_t)ahead) * 1e9);
    now->tv_sec += (time_t)ahead + ns / 1000000000;
    now->tv_nsec = ns % 1000000000;
    return code;
}

static inline void clock_pass(double seconds)
{
    clock_ahead += seconds;
}

/* From here on only clock_pass() puts the clock forward. */
static inline void clock_stop(void)
{
    __real_clock_gettime(CLOCK_MONOTONIC, &clock_stopped);
}

/* A barrier: the ranks go on when the last of them has come. */
static inline void clock_meet(void)
{
    MPI_Allreduce(MPI_IN_PLACE, &clock_ahead, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}

#endif
