/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_LAB_CPU_H
#define HS_LAB_CPU_H

#include "lab/lab.h"

/** Where the cpu controller is. */
typedef struct lab_cpu {
    int version; /* 1 or 2 */
    char root[LAB_PATH / 4];
} lab_cpu;

/** Look for a cpu controller in a table of mounts such as /proc/self/mounts.
 * @return HS_OK; HS_ERR_SYSTEM when there is none */
hs_status lab_cpu_find(const char *mounts, lab_cpu *cpu, hs_error *error);

/** Give a place `cores` cpu seconds per second. The period is 10 ms, or longer when the quota would otherwise be less
 * than the kernel's minimum. */
hs_status lab_cpu_set_on(const lab_cpu *cpu, const char *name, lab_place place, double cores, hs_error *error);

#define LAB_MOUNTS "/proc/self/mounts"

/** Look for control groups of version 2: their freezer stops processes without their noticing. No controller is needed.
 * @return 1 when they are mounted, else 0 */
int lab_freezer_find(const char *mounts, lab_cpu *freezer);

/** Open the freezer of a place, for writing "1" (stop) or "0" (continue). @return a descriptor; -1 on failure */
int lab_freezer_open(const lab_cpu *freezer, const char *name, lab_place place);

struct lab_list;

/** Fill the list with the processes of a place. */
void lab_cpu_list(const lab_cpu *cpu, const char *name, lab_place place, struct lab_list *list);

#endif
