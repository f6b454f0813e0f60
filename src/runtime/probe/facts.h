/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_PROBE_FACTS_H
#define HS_RUNTIME_PROBE_FACTS_H

#include <heteroslice/hs_probe.h>

/** Bytes that a host's slice may take up; 0 where it cannot be told. */
typedef struct hs__room {
    double second, last; /* the part of a rank, when each has as much: of the second-level and of the largest caches */
    double memory;       /* of the machine, or as much of it as control groups leave */
    double unused;       /* of that, in no use now: the part of a rank */
} hs__room;

/** Fill cores, cpus, cpu_kinds, bound_cpus, cache and memory of the machine this process runs on, which host->ranks ranks
 * share, from hwloc where the build has it. What cannot be told stays 0. */
void hs__facts_read(hs_probe_host *host, hs__room *room);

#endif
