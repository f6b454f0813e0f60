/* SPDX-License-Identifier: BSD-3-Clause */
/* Register process groups with the hosts of a lab without network; start and end the throttler. */
#include "config.h"

#include "lab/process.h"
#include "lab/throttle.h"
#include "util/array.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const struct timespec poll_interval = {0, 10 * 1000 * 1000};

static char *path_of_group(const char *name, const lab_group *group, char *path)
{
    char file[96];
    snprintf(file, sizeof file, "ranks/%d.%ld.%llu", group->host, (long)group->group, group->start);
    return lab_file(name, file, path);
}

/* Whether a process of the group has the lab's name in its environment. */
static int has_member(const char *name, pid_t group)
{
    char mark[LAB_NAME_MAX + 32];
    lab_identity identity;
    int found = 0;
    snprintf(mark, sizeof mark, LAB_MEMBER "=%s", name);
    DIR *directory = opendir("/proc");
    for (struct dirent *entry; directory && !found && (entry = readdir(directory));) {
        pid_t process = (pid_t)atol(entry->d_name);
        found = process > 0 && lab_process_identify(process, &identity) == 0 && identity.group == group &&
                lab_process_marked(process, mark);
    }
    if (directory)
        closedir(directory);
    return found;
}

/* Whether the group is still the one that was registered: its number may have been given to others since. */
static int is_alive(const char *name, const lab_group *group)
{
    lab_identity leader;
    if (lab_process_identify(group->group, &leader) == 0)
        return leader.start == group->start;
    return kill(-group->group, 0) == 0 && has_member(name, group->group);
}

int lab_groups(const char *name, lab_group **groups)
{
    char path[LAB_PATH];
    lab_group *list = NULL;
    size_t room = 0;
    int count = 0;
    DIR *directory = opendir(lab_file(name, "ranks", path));
    if (!directory)
        return 0;
    for (struct dirent *entry; (entry = readdir(directory));) {
        lab_group group;
        long number;
        if (sscanf(entry->d_name, "%d.%ld.%llu", &group.host, &number, &group.start) != 3 || group.host < 0 ||
            number <= 1)
            continue;
        group.group = (pid_t)number;
        if (!is_alive(name, &group))
            unlink(path_of_group(name, &group, path));
        else if (hs__array_reserve(&list, &room, (size_t)count + 1, sizeof *list) == 0)
            list[count++] = group;
    }
    closedir(directory);
    *groups = list;
    return count;
}

hs_status lab_throttle_join(const char *name, int host, hs_error *error)
{
    char path[LAB_PATH];
    lab_identity self;
    /* A leader of its session or group has a group of its own already. */
    if (getpgrp() != getpid() && setpgid(0, 0) != 0)
        return hs_error_set(error, HS_ERR_SYSTEM, 0, "cannot make a process group: %s", strerror(errno));
    if (lab_process_identify(getpid(), &self) != 0 || setenv(LAB_MEMBER, name, 1) != 0)
        return hs_error_set(error, HS_ERR_SYSTEM, 0, "cannot tell when this process started");
    lab_group group = {host, self.group, self.start};
    int descriptor = open(path_of_group(name, &group, path), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor < 0)
        return hs_error_set(error, HS_ERR_SYSTEM, 0, "cannot make %s: %s", path, strerror(errno));
    close(descriptor);
    return HS_OK;
}

/* The throttler holds this lock as long as it lives; the file contains its process number.
 * @return a descriptor; -1 when another process holds the lock or the lab is gone */
static int take_throttler_lock(const char *name)
{
    char path[LAB_PATH];
    int descriptor = open(lab_file(name, "throttler", path), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        close(descriptor);
        descriptor = -1;
    }
    return descriptor;
}

int lab_throttle_alive(const char *name)
{
    char path[LAB_PATH];
    if (access(lab_file(name, "throttler", path), F_OK) != 0)
        return 0;
    int descriptor = take_throttler_lock(name);
    if (descriptor >= 0)
        close(descriptor);
    return descriptor < 0;
}

hs_status lab_throttle_check(const lab_cluster *lab, hs_error *error)
{
    if (!lab->throttled || lab_throttle_alive(lab->name))
        return HS_OK;
    return hs_error_set(error, HS_ERR_STATE, 0, "the lab's throttler has ended; make the lab again");
}

/* Close what the caller had open, however high its numbers are: the limit may be lower by now, or a thousand million. */
static void close_all_but(int kept)
{
    DIR *directory = opendir("/proc/self/fd");
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        int descriptor = atoi(entry->d_name);
        if (descriptor > STDERR_FILENO && descriptor != kept && descriptor != dirfd(directory))
            close(descriptor);
    }
    if (directory)
        closedir(directory);
}

/* A descriptor for each process and thread of the lab is more than the usual limit. */
static void raise_limit(void)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0)
        return;
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
}

/* In the child: leave the caller's terminal, files and locks. That of the lab goes last: should the caller be killed, whoever
 * gets it next finds a throttler to end. */
static void become_throttler(const char *name)
{
    int nothing = open("/dev/null", O_RDWR);
    setsid();
    for (int descriptor = 0; descriptor < 3; descriptor++)
        dup2(nothing, descriptor);
    signal(SIGINT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    prctl(PR_SET_NAME, "hs-lab-throttle");
    raise_limit();
    lab_identity self;
    int lock = chdir("/") == 0 && lab_process_identify(getpid(), &self) == 0 ? take_throttler_lock(name) : -1;
    if (lock < 0 || ftruncate(lock, 0) != 0 || dprintf(lock, "%ld %llu\n", (long)getpid(), self.start) <= 0)
        _exit(0);
    close_all_but(lock);
    lab_throttler_run(name);
    _exit(0);
}

hs_status lab_throttle_up(const lab_cluster *lab, hs_error *error)
{
    char path[LAB_PATH];
    if (mkdir(lab_file(lab->name, "ranks", path), 0700) != 0 && errno != EEXIST)
        return hs_error_set(error, HS_ERR_SYSTEM, 0, "cannot make %s: %s", path, strerror(errno));
    pid_t child = fork();
    if (child == 0)
        become_throttler(lab->name);
    if (child < 0)
        return hs_error_set(error, HS_ERR_SYSTEM, 0, "cannot start a process: %s", strerror(errno));
    for (int tries = 0; tries < 500; tries++) {
        if (lab_throttle_alive(lab->name))
            return HS_OK;
        nanosleep(&poll_interval, NULL);
    }
    return hs_error_set(error, HS_ERR_SYSTEM, 0, "the lab's throttler did not start");
}

static void end_groups(const char *name)
{
    for (int tries = 0, living = 1; living && tries < 200; tries++) {
        lab_group *groups = NULL;
        int count = lab_groups(name, &groups);
        living = 0;
        for (int i = 0; i < count; i++)
            living |= groups[i].group != getpgrp() && kill(-groups[i].group, SIGKILL) == 0;
        free(groups);
        if (living)
            nanosleep(&poll_interval, NULL);
    }
}

/* Send the throttler a signal. The descriptor keeps meaning the process that is looked at here. */
static void signal_throttler(const char *name, int signal)
{
    char path[LAB_PATH];
    long process = 0;
    unsigned long long start = 0;
    lab_identity found;
    FILE *file = fopen(lab_file(name, "throttler", path), "r");
    int known = file && fscanf(file, "%ld %llu", &process, &start) == 2 && process > 1;
    if (file)
        fclose(file);
    int descriptor = known ? (int)syscall(SYS_pidfd_open, (pid_t)process, 0) : -1;
    if (descriptor < 0)
        return;
    if (lab_process_identify((pid_t)process, &found) == 0 && found.start == start)
        syscall(SYS_pidfd_send_signal, descriptor, signal, NULL, 0);
    close(descriptor);
}

void lab_throttle_down(const char *name)
{
    char path[LAB_PATH];
    end_groups(name);
    for (int tries = 0; tries < 200 && lab_throttle_alive(name); tries++) {
        signal_throttler(name, tries < 100 ? SIGTERM : SIGKILL);
        nanosleep(&poll_interval, NULL);
    }
    unlink(lab_file(name, "throttler", path));
}

void lab_throttle_kill_marked(const char *name, const char *mark)
{
    lab_group *groups = NULL;
    int count = lab_groups(name, &groups);
    for (int i = 0; i < count; i++)
        if (lab_process_marked(groups[i].group, mark))
            kill(-groups[i].group, SIGKILL);
    free(groups);
}
