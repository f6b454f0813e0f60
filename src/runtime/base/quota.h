/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_BASE_QUOTA_H
#define HS_RUNTIME_BASE_QUOTA_H

#include <stdint.h>

/** Processors this process may use at once: those it is bound to, and no more than its control groups' quotas (version
 * 1 and 2) give it. May be a fraction. Always above 0. */
double hs__quota_processors(void);

/** How fast the processors are that this process is bound to, in the mean, by the kernel's capacities (1024: the fastest kind);
 * 0 where it tells none. */
double hs__quota_capacity(void);

/** The quota alone, INFINITY where there is none, and a number that tells control groups apart. */
double hs__quota_group(uint64_t *group);

/** Nanoseconds that the calling thread was ready to run and had no core; 0 where the kernel does not say. */
int64_t hs__quota_queued_ns(void);

/** Bytes of memory that the control groups leave this process, INFINITY where they do not say. */
double hs__quota_memory(void);

#endif
