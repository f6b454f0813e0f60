/* SPDX-License-Identifier: BSD-3-Clause */
/* Which processes stand under a quota, and what they used. */
#include "config.h"

#include "lab/throttler.h"
#include "util/array.h"
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* More than being woken twice takes, less than a tick. */
static const double longest_waking = 60e-6;

static lab_member *find_member(const lab_unit *unit, pid_t process)
{
    for (size_t i = 0; i < unit->count; i++)
        if (unit->members[i].process == process)
            return &unit->members[i];
    return NULL;
}

static void free_helpers(lab_member *member)
{
    for (size_t i = 0; i < member->helpers; i++)
        close(member->helper[i].file);
    free(member->helper);
    member->helper = NULL;
    member->helpers = member->helper_room = 0;
}

void lab_members_free(lab_unit *unit)
{
    for (size_t i = 0; i < unit->count; i++) {
        if (unit->members[i].waits >= 0)
            close(unit->members[i].waits);
        free_helpers(&unit->members[i]);
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

/* What was known when it cannot be read. */
static double waited_by(const lab_member *member)
{
    double ran, waited;
    return read_schedstat(member->waits, &ran, &waited) ? waited : member->waited;
}

/* Up to this very moment, unlike the first number of schedstat. */
static double used_by(const lab_member *member)
{
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(member->process, &clock) != 0 || clock_gettime(clock, &time) != 0)
        return member->used;
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* What a process used before it was found is nobody's: one that joins waits until it is found. */
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

void lab_members_look(lab_unit *unit, double *used, double *waited)
{
    *used = *waited = 0;
    for (size_t i = 0; i < unit->count; i++) {
        lab_member *member = &unit->members[i];
        double now_used = used_by(member), now_waited = waited_by(member);
        /* Smaller: the number now belongs to another process. */
        *used += now_used > member->used ? now_used - member->used : 0;
        *waited += now_waited > member->waited ? now_waited - member->waited : 0;
        member->used = now_used;
        member->waited = now_waited;
    }
}

static void add_helper(lab_member *member, pid_t thread)
{
    char path[80];
    double waited;
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/schedstat", (long)member->process, (long)thread);
    lab_helper helper = {.file = open(path, O_RDONLY | O_CLOEXEC)};
    if (helper.file < 0)
        return;
    if (!read_schedstat(helper.file, &helper.used, &waited) ||
        hs__array_reserve(&member->helper, &member->helper_room, member->helpers + 1, sizeof helper) != 0)
        close(helper.file);
    else
        member->helper[member->helpers++] = helper;
}

void lab_members_find_helpers(lab_unit *unit)
{
    for (size_t i = 0; i < unit->count; i++) {
        lab_member *member = &unit->members[i];
        char path[64];
        snprintf(path, sizeof path, "/proc/%ld/task", (long)member->process);
        DIR *directory = opendir(path);
        free_helpers(member);
        for (struct dirent *entry; directory && (entry = readdir(directory));) {
            pid_t thread = (pid_t)atol(entry->d_name);
            if (thread > 0 && thread != member->process)
                add_helper(member, thread);
        }
        if (directory)
            closedir(directory);
    }
}

double lab_members_stopping_cost(lab_unit *unit)
{
    double cost = 0, ran, waited;
    for (size_t i = 0; i < unit->count; i++)
        for (size_t k = 0; k < unit->members[i].helpers; k++) {
            lab_helper *helper = &unit->members[i].helper[k];
            if (!read_schedstat(helper->file, &ran, &waited))
                continue;
            cost += ran - helper->used < longest_waking ? ran - helper->used : 0;
            helper->used = ran;
        }
    return cost;
}

/* Process group of a process, from /proc/N/stat: the third field behind the name in parentheses. */
static pid_t group_of(pid_t process)
{
    char path[64], line[512];
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)process);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return -1;
    ssize_t length = read(descriptor, line, sizeof line - 1);
    close(descriptor);
    line[length > 0 ? length : 0] = '\0';
    const char *behind = strrchr(line, ')');
    int group = -1;
    return behind && sscanf(behind + 1, " %*c %*d %d", &group) == 1 ? (pid_t)group : -1;
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
        pid_t process = (pid_t)atol(entry->d_name);
        if (!isdigit((unsigned char)entry->d_name[0]) || !registered(groups, group_count, host, group_of(process)))
            continue;
        if (hs__array_reserve(&list->process, &list->room, list->count + 1, sizeof(pid_t)) != 0)
            break;
        list->process[list->count++] = process;
    }
    if (directory)
        closedir(directory);
}
