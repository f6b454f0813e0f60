/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_LAB_THROTTLER_H
#define HS_LAB_THROTTLER_H

#include "lab/cpu.h"
#include "lab/throttle.h"
#include <stddef.h>

/** A thread beside a process's first one. */
typedef struct lab_helper {
    int file;    /* descriptor of its schedstat */
    double used; /* cpu seconds when last looked at */
} lab_helper;

/** A process under a quota. */
typedef struct lab_member {
    pid_t process;
    int waits;           /* descriptor of its /proc/N/schedstat; -1 when there is none */
    double used, waited; /* cpu seconds, and seconds spent ready but without a core, when last looked at */
    lab_helper *helper;  /* owned */
    size_t helpers, helper_room;
} lab_member;

/** What one quota is for: a host, or a core of a host. */
typedef struct lab_unit {
    lab_place place;
    int cores;
    int freezer;        /* descriptor of the group's cgroup.freeze; -1: stopped by signals */
    double balance;     /* cpu seconds it may use, negative when in debt */
    double unexplained; /* core seconds since it was let run that were neither seen run nor told as waiting */
    int stopped, width; /* width: how many cores its processes wanted when they were last let run */
    lab_member *members;
    size_t count;
} lab_unit;

/** A growing list of processes. */
typedef struct lab_list {
    pid_t *process;
    size_t count, room;
} lab_list;

/** Make the unit's members the listed processes; those it had keep what was seen of them. */
void lab_members_take(lab_unit *unit, const lab_list *list);
void lab_members_free(lab_unit *unit);

/** Seconds the unit's members ran, and were ready without a core, since the last call. */
void lab_members_look(lab_unit *unit, double *used, double *waited);

/** Find the threads of all members anew. */
void lab_members_find_helpers(lab_unit *unit);

/** Seconds that idle threads ran since the last call because the unit was stopped and let run once: every thread is
 * woken for both. What a thread ran beyond that is its own. */
double lab_members_stopping_cost(lab_unit *unit);

/** Fill the list with the processes of the registered groups of one host. */
void lab_members_of_groups(const lab_group *groups, int group_count, int host, lab_list *list);

#endif
