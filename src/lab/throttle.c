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
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const struct timespec poll_interval = {0, 10 * 1000 * 1000};

static char *path_of(const char *name, const char *file, char *path)
{
    size_t used = strlen(lab_directory(name, path));
    snprintf(path + used, LAB_PATH - used, "/%s", file);
    return path;
}

static char *path_of_group(const char *name, const lab_group *group, char *path)
{
    char file[64];
    snprintf(file, sizeof file, "ranks/%d.%ld", group->host, (long)group->group);
    return path_of(name, file, path);
}

int lab_groups(const char *name, lab_group **groups)
{
    char path[LAB_PATH];
    lab_group *list = NULL;
    size_t room = 0;
    int count = 0;
    DIR *directory = opendir(path_of(name, "ranks", path));
    if (!directory)
        return 0;
    for (struct dirent *entry; (entry = readdir(directory));) {
        int host;
        long group;
        if (sscanf(entry->d_name, "%d.%ld", &host, &group) != 2 || host < 0 || group <= 1)
            continue;
        if (hs__array_reserve(&list, &room, (size_t)count + 1, sizeof *list) != 0)
            break;
        list[count++] = (lab_group){host, (pid_t)group};
    }
    closedir(directory);
    *groups = list;
    return count;
}

hs_status lab_throttle_join(const char *name, int host, hs_error *error)
{
    char path[LAB_PATH];
    /* A leader of its session or group has a group of its own already. */
    if (getpgrp() != getpid() && setpgid(0, 0) != 0)
        return hs_error_set(error, HS_ERR_SYSTEM, 0, "cannot make a process group: %s", strerror(errno));
    lab_group group = {host, getpgrp()};
    int descriptor = open(path_of_group(name, &group, path), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor < 0)
        return hs_error_set(error, HS_ERR_SYSTEM, 0, "cannot make %s: %s", path, strerror(errno));
    close(descriptor);
    return HS_OK;
}

void lab_throttle_leave(const char *name, const lab_group *group)
{
    char path[LAB_PATH];
    unlink(path_of_group(name, group, path));
}

/* The throttler holds this lock as long as it lives; the file contains its process number.
 * @return a descriptor; -1 when another process holds the lock or the lab is gone */
static int take_throttler_lock(const char *name)
{
    char path[LAB_PATH];
    int descriptor = open(path_of(name, "throttler", path), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        close(descriptor);
        descriptor = -1;
    }
    return descriptor;
}

int lab_throttle_alive(const char *name)
{
    char path[LAB_PATH];
    if (access(path_of(name, "throttler", path), F_OK) != 0)
        return 0;
    int descriptor = take_throttler_lock(name);
    if (descriptor >= 0)
        close(descriptor);
    return descriptor < 0;
}

/* In the child: leave the caller's terminal, files and locks. */
static void become_throttler(const char *name)
{
    int nothing = open("/dev/null", O_RDWR);
    setsid();
    for (int descriptor = 0; descriptor < 3; descriptor++)
        dup2(nothing, descriptor);
    long max_open = sysconf(_SC_OPEN_MAX);
    for (int descriptor = 3; descriptor < max_open; descriptor++)
        close(descriptor);
    signal(SIGINT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    prctl(PR_SET_NAME, "hs-lab-throttle");
    int lock = chdir("/") == 0 ? take_throttler_lock(name) : -1;
    if (lock >= 0 && ftruncate(lock, 0) == 0 && dprintf(lock, "%ld\n", (long)getpid()) > 0)
        lab_throttler_run(name);
    _exit(0);
}

hs_status lab_throttle_up(const lab_cluster *lab, hs_error *error)
{
    char path[LAB_PATH];
    if (mkdir(path_of(lab->name, "ranks", path), 0700) != 0 && errno != EEXIST)
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
        for (int i = 0; i < count; i++) {
            if (groups[i].group != getpgrp() && kill(-groups[i].group, SIGKILL) == 0)
                living = 1;
            else
                lab_throttle_leave(name, &groups[i]);
        }
        free(groups);
        if (living)
            nanosleep(&poll_interval, NULL);
    }
}

static pid_t throttler_of(const char *name)
{
    char path[LAB_PATH];
    long throttler = 0;
    FILE *file = fopen(path_of(name, "throttler", path), "r");
    if (file && fscanf(file, "%ld", &throttler) != 1)
        throttler = 0;
    if (file)
        fclose(file);
    return throttler > 1 ? (pid_t)throttler : 0;
}

void lab_throttle_down(const char *name)
{
    char path[LAB_PATH];
    end_groups(name);
    for (int tries = 0; tries < 200 && lab_throttle_alive(name); tries++) {
        pid_t throttler = throttler_of(name);
        if (throttler)
            kill(throttler, tries < 100 ? SIGTERM : SIGKILL);
        nanosleep(&poll_interval, NULL);
    }
    unlink(path_of(name, "throttler", path));
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
