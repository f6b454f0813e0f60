/* SPDX-License-Identifier: BSD-3-Clause */
/* Becoming a process of an emulated host. With network, `ip netns exec` is not used: it mounts a new /sys, which hides
 * the control groups. */
#include "config.h"

#include "lab/lab.h"
#include "lab/process.h"
#include "lab/throttle.h"
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <time.h>
#include <unistd.h>

#define HOSTS_FILE "/etc/hosts"

/* The lab's hosts file is seen in place of the machine's, in this process and its children only. */
static int mount_hosts(const char *name)
{
    char path[LAB_PATH];
    size_t used = strlen(lab_directory(name, path));
    snprintf(path + used, sizeof path - used, "/hosts");
    if (access(path, R_OK) != 0 || access(HOSTS_FILE, F_OK) != 0)
        return 0;
    if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) != 0)
        return -1;
    return mount(path, HOSTS_FILE, NULL, MS_BIND, NULL);
}

hs_status lab_join(const lab_cluster *lab, lab_place place, hs_error *error)
{
    const struct timespec noticed = {0, 50 * 1000 * 1000};
    hs_status status = HS_OK;
    if (lab->network)
        status = lab_cpu_join(lab, place, error);
    else if (place.host != LAB_CONTROL)
        status = lab_throttle_join(lab->name, place.host, error);
    /* The keeper looks for new processes every 20 or 40 ms; until then there would be no limit. */
    if (status == HS_OK && lab->steady && place.host != LAB_CONTROL)
        nanosleep(&noticed, NULL);
    return status;
}

static int write_map(const char *path, const char *text)
{
    int descriptor = open(path, O_WRONLY | O_CLOEXEC);
    if (descriptor < 0)
        return -1;
    ssize_t written = write(descriptor, text, strlen(text));
    close(descriptor);
    return written == (ssize_t)strlen(text) ? 0 : -1;
}

static int take_name(const char *name)
{
    char users[64], groups[64];
    if (geteuid() == 0)
        return unshare(CLONE_NEWUTS) != 0 || sethostname(name, strlen(name)) != 0;
    snprintf(users, sizeof users, "%ld %ld 1", (long)geteuid(), (long)geteuid());
    snprintf(groups, sizeof groups, "%ld %ld 1", (long)getegid(), (long)getegid());
    return unshare(CLONE_NEWUSER | CLONE_NEWUTS) != 0 || write_map("/proc/self/setgroups", "deny") != 0 ||
           write_map("/proc/self/uid_map", users) != 0 || write_map("/proc/self/gid_map", groups) != 0 ||
           sethostname(name, strlen(name)) != 0;
}

/* A host name of its own without root needs a user namespace, in which we stay who we are. Where the system forbids
 * that, HS_LAB_HOST alone tells the host. A child tries first: half of these steps could not be undone. */
static void take_name_if_allowed(const char *name)
{
    pid_t child = fork();
    if (child == 0)
        _exit(take_name(name));
    if (child > 0 && lab_wait_child(child) == 0)
        take_name(name);
}

hs_status lab_enter(const lab_cluster *lab, int host, hs_error *error)
{
    char space[64];
    const char *name = lab->host[host].name;
    if (setenv("HS_LAB_HOST", lab->host[host].id, 1) != 0)
        return hs_error_set(error, HS_ERR_NOMEM, 0, "out of memory");
    if (!lab->network) {
        take_name_if_allowed(name);
        return HS_OK;
    }
    lab_netns_of_host(lab->name, host, space, sizeof space);
    if (lab_enter_netns(space) != 0)
        return hs_error_set(error, HS_ERR_SYSTEM, 0, "cannot enter namespace %s: %s", space, strerror(errno));
    if (unshare(CLONE_NEWUTS) != 0 || sethostname(name, strlen(name)) != 0)
        return hs_error_set(error, HS_ERR_SYSTEM, 0, "cannot take the host name %s: %s", name, strerror(errno));
    if (mount_hosts(lab->name) != 0)
        return hs_error_set(error, HS_ERR_SYSTEM, 0, "cannot mount the lab's hosts file: %s", strerror(errno));
    return HS_OK;
}
