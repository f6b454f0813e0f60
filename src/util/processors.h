/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_UTIL_PROCESSORS_H
#define HS_UTIL_PROCESSORS_H

#include <sched.h>

enum { HS__PROCESSORS_MAX = 8192 }; /* the most that Linux can be built for (NR_CPUS) */

/** Processors that a process is bound to. One cpu_set_t holds 1024, and the kernel refuses a set that is smaller than
 * what it may have. */
typedef struct hs__processors {
    cpu_set_t set[HS__PROCESSORS_MAX / (8 * sizeof(cpu_set_t))];
} hs__processors;

/** Those of a process, 0: the calling thread; none where the kernel does not say. */
hs__processors hs__processors_of(pid_t process);

/** How many the calling thread is bound to, at least 1. */
int hs__processors_own(void);

int hs__processors_count(const hs__processors *processors);
int hs__processors_hold(const hs__processors *processors, int cpu);

/** Add those of another set. */
void hs__processors_add(hs__processors *processors, const hs__processors *others);

#endif
