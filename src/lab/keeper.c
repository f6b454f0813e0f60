/* SPDX-License-Identifier: BSD-3-Clause */
/* The keeper of duty cycles: a token bucket of cpu time per host. Each tick pays in the host's quota and takes out what
 * its processes used; in debt they are stopped, out of debt they go on. */
#include "config.h"

#include "lab/duty.h"
#include "util/array.h"
#include <ctype.h>
#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const long tick_ns = 2 * 1000 * 1000;
static const double deepest_bucket = 0.030; /* seconds of quota a host that had to wait for a core may catch up */
/* Which groups are there is looked at every 20 ms, which processes every 200 ms and when groups came. */
enum { TICKS_PER_SCAN = 10, SCANS_PER_SEARCH = 10 };

typedef struct lab_member {
    pid_t process, group;
    int host;
    double used; /* cpu seconds when last looked at */
} lab_member;

typedef struct lab_keeper {
    const char *name;
    lab_cluster *lab;
    ino_t state; /* of the state file that was read: it is replaced, never changed */
    lab_group *groups;
    int group_count;
    lab_member *members;
    size_t member_count, member_room;
    double *balance; /* per host, cpu seconds */
    int *stopped;    /* per host */
} lab_keeper;

static volatile sig_atomic_t asked_to_end;

static void ask_to_end(int signal)
{
    (void)signal;
    asked_to_end = 1;
}

static double seconds_of(const struct timespec *time)
{
    return (double)time->tv_sec + 1e-9 * (double)time->tv_nsec;
}

/* Cpu time of a process, -1 when it is gone. */
static double used_by(pid_t process)
{
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0)
        return -1;
    return seconds_of(&time);
}

/* Read the state again when it was replaced. @return 0 when the lab is gone */
static int refresh_state(lab_keeper *keeper)
{
    char path[LAB_PATH];
    struct stat facts;
    hs_error ignored;
    lab_cluster *fresh = NULL;
    size_t used = strlen(lab_directory(keeper->name, path));
    snprintf(path + used, sizeof path - used, "/state.json");
    if (stat(path, &facts) != 0)
        return 0;
    if (keeper->lab && facts.st_ino == keeper->state)
        return 1;
    if (lab_load(keeper->name, &fresh, &ignored) != HS_OK)
        return 0;
    lab_free(keeper->lab);
    keeper->lab = fresh;
    keeper->state = facts.st_ino;
    return 1;
}

/* Process group of a process, from /proc/N/stat: the third field behind the name in parentheses. */
static pid_t group_of(pid_t process)
{
    char path[64], line[512];
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)process);
    FILE *file = fopen(path, "r");
    if (!file)
        return -1;
    size_t length = fread(line, 1, sizeof line - 1, file);
    fclose(file);
    line[length] = '\0';
    char *behind = strrchr(line, ')');
    int group = -1;
    if (behind && sscanf(behind + 1, " %*c %*d %d", &group) != 1)
        group = -1;
    return (pid_t)group;
}

static double known_use(const lab_keeper *keeper, pid_t process)
{
    for (size_t i = 0; i < keeper->member_count; i++)
        if (keeper->members[i].process == process)
            return keeper->members[i].used;
    return 0;
}

static const lab_group *registered(const lab_keeper *keeper, pid_t group)
{
    for (int i = 0; i < keeper->group_count; i++)
        if (keeper->groups[i].group == group)
            return &keeper->groups[i];
    return NULL;
}

/* Which processes are in registered groups now. */
static void scan_members(lab_keeper *keeper)
{
    lab_member *fresh = NULL;
    size_t count = 0, room = 0;
    DIR *directory = keeper->group_count > 0 ? opendir("/proc") : NULL;
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        if (!isdigit((unsigned char)entry->d_name[0]))
            continue;
        pid_t process = (pid_t)atol(entry->d_name);
        const lab_group *group = registered(keeper, group_of(process));
        if (!group || group->host >= keeper->lab->hosts)
            continue;
        if (hs__array_reserve(&fresh, &room, count + 1, sizeof *fresh) != 0)
            break;
        fresh[count++] = (lab_member){process, group->group, group->host, known_use(keeper, process)};
    }
    if (directory)
        closedir(directory);
    free(keeper->members);
    keeper->members = fresh;
    keeper->member_count = count;
}

static void scan(lab_keeper *keeper, int search)
{
    int known = keeper->group_count;
    free(keeper->groups);
    keeper->groups = NULL;
    keeper->group_count = lab_groups(keeper->name, &keeper->groups);
    for (int i = 0; i < keeper->group_count; i++)
        if (kill(-keeper->groups[i].group, 0) != 0)
            lab_duty_leave(keeper->name, &keeper->groups[i]);
    if (search || keeper->group_count != known)
        scan_members(keeper);
}

static void signal_host(const lab_keeper *keeper, int host, int signal)
{
    for (int i = 0; i < keeper->group_count; i++)
        if (keeper->groups[i].host == host)
            kill(-keeper->groups[i].group, signal);
}

static void settle(lab_keeper *keeper, double elapsed)
{
    for (int i = 0; i < keeper->lab->hosts; i++) {
        double quota = keeper->lab->host[i].quota * keeper->lab->host[i].factor, limit = quota * deepest_bucket;
        keeper->balance[i] += quota * elapsed;
        if (keeper->balance[i] > limit)
            keeper->balance[i] = limit;
    }
    for (size_t i = 0; i < keeper->member_count; i++) {
        lab_member *member = &keeper->members[i];
        double used = used_by(member->process);
        if (used < member->used)
            continue;
        keeper->balance[member->host] -= used - member->used;
        member->used = used;
    }
    for (int i = 0; i < keeper->lab->hosts; i++) {
        int stop = keeper->balance[i] < 0;
        /* Said again at each tick in debt: a group may be new. */
        if (stop)
            signal_host(keeper, i, SIGSTOP);
        else if (keeper->stopped[i])
            signal_host(keeper, i, SIGCONT);
        keeper->stopped[i] = stop;
    }
}

void lab_keep(const char *name)
{
    lab_keeper keeper = {.name = name};
    struct timespec now, before, tick = {0, tick_ns};
    struct sigaction action = {.sa_handler = ask_to_end};
    sigaction(SIGTERM, &action, NULL);
    if (!refresh_state(&keeper))
        return;
    keeper.balance = hs__array_new((size_t)keeper.lab->hosts, sizeof *keeper.balance);
    keeper.stopped = hs__array_new((size_t)keeper.lab->hosts, sizeof *keeper.stopped);
    clock_gettime(CLOCK_MONOTONIC, &before);
    for (int ticks = 0; keeper.balance && keeper.stopped && !asked_to_end && refresh_state(&keeper); ticks++) {
        if (ticks % TICKS_PER_SCAN == 0)
            scan(&keeper, ticks % (TICKS_PER_SCAN * SCANS_PER_SEARCH) == 0);
        clock_gettime(CLOCK_MONOTONIC, &now);
        settle(&keeper, seconds_of(&now) - seconds_of(&before));
        before = now;
        nanosleep(&tick, NULL);
    }
    for (int i = 0; i < keeper.lab->hosts; i++)
        signal_host(&keeper, i, SIGCONT);
    lab_free(keeper.lab);
    free(keeper.groups);
    free(keeper.members);
    free(keeper.balance);
    free(keeper.stopped);
}
