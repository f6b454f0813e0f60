/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_LAB_THROTTLE_H
#define HS_LAB_THROTTLE_H

/* The life of the throttler: a process that holds hosts to their speeds by stopping and continuing their processes. In
 * a lab without network it finds them by files: a process that joins a host creates ranks/HOST.GROUP.START in the lab's
 * directory, the group it leads and when it started: a later process with the same number is not mistaken for it. */

#include "lab/lab.h"

/** A process group that joined a host. */
typedef struct lab_group {
    int host;
    pid_t group;
    unsigned long long start; /* of the leader */
} lab_group;

/** Read which groups are registered. Those that have ended are unregistered. *groups is a new array the caller frees.
 * @return their number; 0 when there are none or without memory */
int lab_groups(const char *name, lab_group **groups);

/** Register the calling process's group with a host. */
hs_status lab_throttle_join(const char *name, int host, hs_error *error);

/** Start the throttler; it ends when the lab's state file is removed. */
hs_status lab_throttle_up(const lab_cluster *lab, hs_error *error);

/** Whether the throttler runs. */
int lab_throttle_alive(const char *name);

/** Whether programs can be started on the lab: without its throttler, hosts that were stopped stay so.
 * @return HS_OK; HS_ERR_STATE */
hs_status lab_throttle_check(const lab_cluster *lab, hs_error *error);

/** Kill all registered groups and end the throttler. */
void lab_throttle_down(const char *name);

/** Kill the groups whose leader has `mark`, a "variable=value", in its environment. */
void lab_throttle_kill_marked(const char *name, const char *mark);

/** Be the throttler; returns when the lab is gone. */
void lab_throttler_run(const char *name);

#endif
