/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_BIND_LOAD_H
#define HS_RUNTIME_BIND_LOAD_H

/* How much a rank computes, regardless of who shares its core.
 *
 * A thread computes C seconds of a stretch of time outside MPI. It ran for U seconds of it and was ready but not
 * running, because others had the core, for Q: so it computed C U / (U + Q) seconds. (Asleep it is in MPI.) What the
 * process's other threads ran over these seconds is how many of them compute. */

#include <stdint.h>

/** One stretch of time. */
typedef struct hs__load {
    double seconds; /* it lasted */
    double compute; /* seconds that the thread computed on a core of its own */
    int width;      /* threads that compute, >= 1 */
} hs__load;

/** The clocks when a stretch began; nanoseconds. */
typedef struct hs__load_totals {
    int64_t wall, compute, running, ready, process;
} hs__load_totals;

/** Begin a stretch: the calling thread's and its process's, by monitor.h and the kernel's accounts. Where the kernel
 * does not say how long a thread was ready (schedstat), it counts as running. */
void hs__load_begin(hs__load_totals *begun);

/** What was computed since the stretch began, and begin another. The same thread. */
void hs__load_read(hs__load_totals *begun, hs__load *load);

#endif
