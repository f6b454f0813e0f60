/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_PROBE_FACTS_H
#define HS_RUNTIME_PROBE_FACTS_H

#include <heteroslice/hs_probe.h>

/** Fill cores, cpus, cpu_kinds, bound_cpus, cache and memory of the machine this process runs on, from hwloc where the
 * build has it. What cannot be told stays 0. */
void hs__facts_read(hs_probe_host *host);

/** Hardware counters of the calling thread, from PAPI where build and machine have it. */
typedef struct hs__counters hs__counters;

/** @return NULL when there are none */
hs__counters *hs__counters_start(void);

/** Stop, give what was counted since the start (0 what was not) and free; NULL gives zeros. */
void hs__counters_stop(hs__counters *counters, double *instructions, double *cycles);

#endif
