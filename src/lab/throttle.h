/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_LAB_THROTTLE_H
#define HS_LAB_THROTTLE_H

/* The keeper, a process that holds hosts to their speeds by stopping and continuing what runs on them; and, for a lab
 * without root and network, how it learns of that: a process that joins a host leaves a file ranks/HOST.GROUP in the
 * lab's directory. */

#include "lab/lab.h"

/** A process group of a host. */
typedef struct lab_group {
    int host;
    pid_t group;
} lab_group;

/** Read which groups are registered, gone ones included. *groups is a new array the caller frees.
 * @return their number, 0 when there are none or memory is out */
int lab_groups(const char *name, lab_group **groups);

/** Make the calling process's group one of host's. */
hs_status lab_throttle_join(const char *name, int host, hs_error *error);

/** Forget a group that has ended. */
void lab_throttle_leave(const char *name, const lab_group *group);

/** Start the keeper; it ends when the lab's state is removed. */
hs_status lab_throttle_up(const lab_cluster *lab, hs_error *error);

/** Whether the keeper runs. */
int lab_throttle_alive(const char *name);

/** End all registered groups and the keeper. */
void lab_throttle_down(const char *name);

/** End those groups whose leader's environment holds "variable=value". */
void lab_throttle_kill_marked(const char *name, const char *mark);

/** The keeper: returns when the lab is gone. */
void lab_throttler_run(const char *name);

#endif
