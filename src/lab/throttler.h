/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_LAB_THROTTLER_H
#define HS_LAB_THROTTLER_H

#include "lab/account.h"
#include "lab/cpu.h"
#include "lab/throttle.h"
#include <stddef.h>

/** A thread of a process, other than its first one. */
typedef struct lab_thread {
    int file;    /* descriptor of its schedstat */
    double used; /* cpu seconds at the last sample */
} lab_thread;

/** A process under a quota. */
typedef struct lab_member {
    pid_t process;
    int waits;           /* descriptor of its /proc/N/schedstat; -1 when there is none */
    double used, waited; /* at the last sample: cpu seconds, and seconds spent ready but without a core */
    lab_thread *threads; /* owned */
    size_t thread_count, thread_room;
} lab_member;

/** The holder of a quota: a host, or a core of a host. */
typedef struct lab_unit {
    lab_place place;
    int freezer; /* descriptor of the group's cgroup.freeze; -1: stopped by signals */
    int stopped;
    lab_account account;
    lab_member *members;
    size_t count;
} lab_unit;

/** A growing list of processes. */
typedef struct lab_list {
    pid_t *process;
    size_t count, room;
} lab_list;

/** Make the listed processes the unit's members; members that stay keep their samples. */
void lab_members_take(lab_unit *unit, const lab_list *list);
void lab_members_free(lab_unit *unit);

/** Sample the unit's members: seconds they ran, and seconds they were ready without a core, since the last call. */
void lab_members_sample(lab_unit *unit, double *used, double *waited);

/** List the threads of all members again. */
void lab_members_find_threads(lab_unit *unit);

/** Seconds that idle threads ran since the last call because the unit was stopped and continued once, which wakes every
 * thread twice. Longer runs of a thread are its own work and do not count. */
double lab_members_stopping_cost(lab_unit *unit);

/** Fill the list with the processes of the registered groups of one host. */
void lab_members_of_groups(const lab_group *groups, int group_count, int host, lab_list *list);

#endif
