/* SPDX-License-Identifier: BSD-3-Clause */
/* The processes under a quota, and the cpu time they used. */
#include "config.h"

#include "lab/process.h"
#include "lab/throttler.h"
#include "util/array.h"
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Seconds: longer than two wake-ups take, shorter than a tick. */
static const double max_wakeup_time = 60e-6;

static lab_member *find_member(const lab_unit *unit, pid_t process)
{
    for (size_t i = 0; i < unit->count; i++)
        if (unit->members[i].process == process)
            return &unit->members[i];
    return NULL;
}

static void free_threads(lab_member *member)
{
    for (size_t i = 0; i < member->thread_count; i++)
        close(member->threads[i].file);
    free(member->threads);
    member->threads = NULL;
    member->thread_count = member->thread_room = 0;
}

void lab_members_free(lab_unit *unit)
{
    for (size_t i = 0; i < unit->count; i++) {
        if (unit->members[i].waits >= 0)
            close(unit->members[i].waits);
        free_threads(&unit->members[i]);
    }
    free(unit->members);
    unit->members = NULL;
    unit->count = 0;
}

/* The first two numbers of schedstat, as seconds run and waited. @return 0 when it cannot be read */
static int read_schedstat(int file, double *ran, double *waited)
{
    char text[96], *second;
    ssize_t length = file < 0 ? -1 : pread(file, text, sizeof text - 1, 0);
    if (length <= 0)
        return 0;
    text[length] = '\0';
    *ran = 1e-9 * (double)strtoull(text, &second, 10);
    *waited = 1e-9 * (double)strtoull(second, NULL, 10);
    return 1;
}

/* Seconds a process was ready without a core; the last sample when it cannot be read. */
static double waited_by(const lab_member *member)
{
    double ran, waited;
    return read_schedstat(member->waits, &ran, &waited) ? waited : member->waited;
}

/* Cpu seconds up to now; the first number of schedstat is only up to the last switch. */
static double used_by(const lab_member *member)
{
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(member->process, &clock) != 0 || clock_gettime(clock, &time) != 0)
        return member->used;
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Time a process used before it was found is not counted: lab_join() waits until the throttler has found it. */
static lab_member new_member(pid_t process)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/schedstat", (long)process);
    lab_member member = {.process = process, .waits = open(path, O_RDONLY | O_CLOEXEC)};
    member.used = used_by(&member);
    member.waited = waited_by(&member);
    return member;
}

void lab_members_take(lab_unit *unit, const lab_list *list)
{
    lab_member *fresh = hs__array_new(list->count, sizeof *fresh);
    if (!fresh)
        return;
    for (size_t i = 0; i < list->count; i++) {
        lab_member *known = find_member(unit, list->process[i]);
        fresh[i] = known ? *known : new_member(list->process[i]);
        if (known)
            *known = (lab_member){.waits = -1};
    }
    lab_members_free(unit);
    unit->members = fresh;
    unit->count = list->count;
}

void lab_members_sample(lab_unit *unit, double *used, double *waited)
{
    *used = *waited = 0;
    for (size_t i = 0; i < unit->count; i++) {
        lab_member *member = &unit->members[i];
        double now_used = used_by(member), now_waited = waited_by(member);
        /* Smaller values: the process number now belongs to another process. */
        *used += now_used > member->used ? now_used - member->used : 0;
        *waited += now_waited > member->waited ? now_waited - member->waited : 0;
        member->used = now_used;
        member->waited = now_waited;
    }
}

static void add_thread(lab_member *member, pid_t id)
{
    char path[80];
    double waited;
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/schedstat", (long)member->process, (long)id);
    lab_thread thread = {.file = open(path, O_RDONLY | O_CLOEXEC)};
    if (thread.file < 0)
        return;
    if (!read_schedstat(thread.file, &thread.used, &waited) ||
        hs__array_reserve(&member->threads, &member->thread_room, member->thread_count + 1, sizeof thread) != 0)
        close(thread.file);
    else
        member->threads[member->thread_count++] = thread;
}

void lab_members_find_threads(lab_unit *unit)
{
    for (size_t i = 0; i < unit->count; i++) {
        lab_member *member = &unit->members[i];
        char path[64];
        snprintf(path, sizeof path, "/proc/%ld/task", (long)member->process);
        DIR *directory = opendir(path);
        free_threads(member);
        for (struct dirent *entry; directory && (entry = readdir(directory));) {
            pid_t id = (pid_t)atol(entry->d_name);
            if (id > 0 && id != member->process)
                add_thread(member, id);
        }
        if (directory)
            closedir(directory);
    }
}

double lab_members_stopping_cost(lab_unit *unit)
{
    double cost = 0, ran, waited;
    for (size_t i = 0; i < unit->count; i++)
        for (size_t k = 0; k < unit->members[i].thread_count; k++) {
            lab_thread *thread = &unit->members[i].threads[k];
            if (!read_schedstat(thread->file, &ran, &waited))
                continue;
            cost += ran - thread->used < max_wakeup_time ? ran - thread->used : 0;
            thread->used = ran;
        }
    return cost;
}

static int registered(const lab_group *groups, int group_count, int host, pid_t group)
{
    for (int i = 0; i < group_count; i++)
        if (groups[i].host == host && groups[i].group == group)
            return 1;
    return 0;
}

void lab_members_of_groups(const lab_group *groups, int group_count, int host, lab_list *list)
{
    list->count = 0;
    DIR *directory = group_count > 0 ? opendir("/proc") : NULL;
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        lab_identity identity;
        pid_t process = (pid_t)atol(entry->d_name);
        if (!isdigit((unsigned char)entry->d_name[0]) || lab_process_identify(process, &identity) != 0 ||
            !registered(groups, group_count, host, identity.group))
            continue;
        if (hs__array_reserve(&list->process, &list->room, list->count + 1, sizeof(pid_t)) != 0)
            break;
        list->process[list->count++] = process;
    }
    if (directory)
        closedir(directory);
}
