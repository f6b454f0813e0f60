/* SPDX-License-Identifier: BSD-3-Clause */
/* Which processes stand under a quota, and what they used. */
#include "config.h"

#include "lab/keeper.h"
#include "util/array.h"
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static lab_member *find_member(const lab_unit *unit, pid_t process)
{
    for (size_t i = 0; i < unit->count; i++)
        if (unit->members[i].process == process)
            return &unit->members[i];
    return NULL;
}

void lab_members_free(lab_unit *unit)
{
    for (size_t i = 0; i < unit->count; i++)
        if (unit->members[i].waits >= 0)
            close(unit->members[i].waits);
    free(unit->members);
    unit->members = NULL;
    unit->count = 0;
}

/* The second number of schedstat, nanoseconds; what was known when it cannot be read. */
static double waited_by(const lab_member *member)
{
    char text[96];
    ssize_t length = member->waits < 0 ? -1 : pread(member->waits, text, sizeof text - 1, 0);
    if (length <= 0)
        return member->waited;
    text[length] = '\0';
    const char *second = strchr(text, ' ');
    return second ? 1e-9 * (double)strtoull(second, NULL, 10) : member->waited;
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
    lab_member member = {process, open(path, O_RDONLY | O_CLOEXEC), 0, 0};
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
            known->waits = -1;
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
