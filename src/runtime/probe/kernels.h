/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_PROBE_KERNELS_H
#define HS_RUNTIME_PROBE_KERNELS_H

/* The small computations that speeds are measured with. No MPI. */

#include "runtime/probe/stats.h"
#include <heteroslice/hs_probe.h>

typedef struct hs__kernel hs__kernel;

/** Whether this build has the kernel. */
int hs__kernel_exists(hs_probe_kernel kernel);

/** @return NULL when memory is out or the build lacks the kernel; freed with hs__kernel_free() */
hs__kernel *hs__kernel_create(hs_probe_kernel kernel);
void hs__kernel_free(hs__kernel *kernel);

/** The same computation with more or less data: at most so many bytes, and what can be written in so many seconds.
 * @return NULL, too, when that is not enough for one row, product or element */
hs__kernel *hs__kernel_create_sized(hs_probe_kernel kernel, double bytes, double seconds);

/** Let a kernel with more data compute with at most so many bytes of it. @return 0 when it has less, or these are too few */
int hs__kernel_resize(hs__kernel *kernel, double bytes);

/** Bytes of data that it computes with, over and over. */
double hs__kernel_bytes(const hs__kernel *kernel);

/** Compute one batch, some 50 us of work. @return its flop */
double hs__kernel_run(hs__kernel *kernel);

/** Whether to forget the batches of earlier calls. */
typedef enum hs__kernel_history { HS__KERNEL_ANEW, HS__KERNEL_ON } hs__kernel_history;

/** Run batches for some seconds of wall-clock time, at least two of them, after one that does not count.
 *
 * @param[in,out] share  gets a point after each batch: the thread's CPU time over wall-clock time, both since their
 *                       clocks began; its slope is the part of a processor this thread gets */
void hs__kernel_time(hs__kernel *kernel, hs__kernel_history history, double seconds, hs__line *share);

/** Flop per second of the thread's CPU time in the batch that is slower than one hundredth of those timed: what the
 * thread does while nobody else uses its core's other hardware thread, its caches or, in a virtual machine, its core.
 */
double hs__kernel_speed(hs__kernel *kernel);

/** Flop per second of the thread's CPU time over all batches timed: of data that caches hold in part, some batches are
 * fast. */
double hs__kernel_mean_speed(const hs__kernel *kernel);

#endif
