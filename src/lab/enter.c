/* SPDX-License-Identifier: BSD-3-Clause */
/* Turn the calling process into one of an emulated host. `ip netns exec` cannot be used: it mounts a new /sys, which hides
 * the control groups; here only the network devices in it are those of the host. */
#include "config.h"

#include "lab/lab.h"
#include "lab/process.h"
#include "lab/throttle.h"
#include "util/status.h"
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define HOSTS_FILE "/etc/hosts"

/* Show the network devices of this namespace in /sys, where MPICH's UCX looks for them. A system that does not let us
 * goes on without, since Open MPI asks the kernel instead. */
static void mount_devices(const char *name)
{
    static const char *const folders[] = {"/class/net", "/devices/virtual/net"};
    char path[LAB_PATH], source[LAB_PATH + 64], target[64];
    mkdir(lab_file(name, "sys", path), 0700);
    if (mount("sysfs", path, "sysfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) != 0)
        return;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(source, sizeof source, "%s%s", path, folders[i]);
        snprintf(target, sizeof target, "/sys%s", folders[i]);
        mount(source, target, NULL, MS_BIND, NULL);
    }
    umount2(path, MNT_DETACH);
}

/* Mount the lab's hosts file over /etc/hosts. */
static int mount_hosts(const char *name)
{
    char path[LAB_PATH];
    if (access(lab_file(name, LAB_HOSTS, path), R_OK) != 0 || access(HOSTS_FILE, F_OK) != 0)
        return 0;
    return mount(path, HOSTS_FILE, NULL, MS_BIND, NULL);
}

/* Mounts are seen by this process and its children only. */
static int mount_all(const char *name)
{
    if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) != 0)
        return -1;
    mount_devices(name);
    return mount_hosts(name);
}

hs_status lab_join(const lab_cluster *lab, lab_place place, hs_error *error)
{
    const struct timespec noticed = {0, 50 * 1000 * 1000};
    hs_status status = HS_OK;
    if (lab->network)
        status = lab_cpu_join(lab, place, error);
    else if (place.host != LAB_CONTROL)
        status = lab_throttle_join(lab->name, place.host, error);
    /* The throttler lists processes every 20 or 40 ms. Until it has found this one, nothing limits it. */
    if (status == HS_OK && lab->throttled && place.host != LAB_CONTROL)
        nanosleep(&noticed, NULL);
    return status;
}

static int take_name(const char *name)
{
    char users[64], groups[64];
    if (geteuid() == 0)
        return unshare(CLONE_NEWUTS) != 0 || sethostname(name, strlen(name)) != 0;
    snprintf(users, sizeof users, "%ld %ld 1", (long)geteuid(), (long)geteuid());
    snprintf(groups, sizeof groups, "%ld %ld 1", (long)getegid(), (long)getegid());
    return unshare(CLONE_NEWUSER | CLONE_NEWUTS) != 0 || lab_write("/proc/self/setgroups", "deny") != 0 ||
           lab_write("/proc/self/uid_map", users) != 0 || lab_write("/proc/self/gid_map", groups) != 0 ||
           sethostname(name, strlen(name)) != 0;
}

/* Without root, setting a host name needs a user namespace (one that maps the user to himself). Some systems forbid
 * that; then only HS_LAB_HOST names the host. A child tries first, since a partial success cannot be undone. */
static void take_name_if_allowed(const char *name)
{
    pid_t child = fork();
    if (child == 0)
        _exit(take_name(name));
    if (child > 0 && lab_wait_child(child) == 0)
        take_name(name);
}

hs_status lab_name_place(const lab_cluster *lab, int host, hs_error *error)
{
    if (setenv("HS_LAB", lab->name, 1) != 0 || setenv("HS_LAB_HOST", lab->host[host].id, 1) != 0)
        return hs__error_status(error, HS_ERR_NOMEM);
    return HS_OK;
}

hs_status lab_enter(const lab_cluster *lab, int host, hs_error *error)
{
    char netns[64];
    const char *name = lab->host[host].name;
    hs_status status = lab_name_place(lab, host, error);
    if (status != HS_OK)
        return status;
    if (!lab->network) {
        take_name_if_allowed(name);
        return HS_OK;
    }
    lab_netns_of_host(lab->name, host, netns, sizeof netns);
    if (lab_enter_netns(netns) != 0)
        return hs_error_set(error, HS_ERR_SYSTEM, 0, "cannot enter namespace %s: %s", netns, strerror(errno));
    if (unshare(CLONE_NEWUTS) != 0 || sethostname(name, strlen(name)) != 0)
        return hs_error_set(error, HS_ERR_SYSTEM, 0, "cannot take the host name %s: %s", name, strerror(errno));
    if (mount_all(lab->name) != 0)
        return hs_error_set(error, HS_ERR_SYSTEM, 0, "cannot mount the lab's hosts file: %s", strerror(errno));
    return HS_OK;
}
