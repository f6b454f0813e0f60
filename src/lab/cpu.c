/* SPDX-License-Identifier: BSD-3-Clause */
/* Cpu quotas by control groups, version 1 (cpu.cfs_quota_us) or 2 (cpu.max). Groups are heteroslice/LAB/hN for host N,
 * hN.K for core K of a host with several cores, and control for mpirun's own processes. A core's group is a sibling of
 * its host's group: the kernel hands quota to a machine's cpus in slices of 5 ms, so processes under one small quota
 * would run alternately for whole periods. */
#include "config.h"

#include "lab/cpu.h"
#include "lab/lab.h"
#include "lab/process.h"
#include "lab/throttler.h"
#include "util/array.h"
#include "util/assert.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <mntent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The kernel's limits on quota and period, and a period short enough for steady speeds. */
static const double min_quota_us = 1000, default_period_us = 10000, max_period_us = 1000000;

/* Factor on quotas where the throttler enforces the speeds: quotas are then only a safety net. */
static const double quota_slack = 1.5;

static hs_status write_text(const char *path, const char *text, hs_error *error)
{
    if (lab_write(path, text) == 0)
        return HS_OK;
    return hs_error_set(error, HS_ERR_SYSTEM, 0, "cannot write '%s' to %s: %s", text, path, strerror(errno));
}

static int file_has_word(const char *path, const char *word)
{
    char line[1024] = "";
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    if (!fgets(line, sizeof line, file))
        line[0] = '\0';
    fclose(file);
    char *rest = line;
    for (char *item; (item = strsep(&rest, " \n"));)
        if (strcmp(item, word) == 0)
            return 1;
    return 0;
}

int lab_freezer_find(const char *mounts, lab_cpu *freezer)
{
    FILE *table = setmntent(mounts, "r");
    freezer->version = 0;
    for (struct mntent *mount; table && (mount = getmntent(table)) && !freezer->version;)
        if (strcmp(mount->mnt_type, "cgroup2") == 0) {
            freezer->version = 2;
            snprintf(freezer->root, sizeof freezer->root, "%s", mount->mnt_dir);
        }
    if (table)
        endmntent(table);
    return freezer->version == 2;
}

hs_status lab_cpu_find(const char *mounts, lab_cpu *cpu, hs_error *error)
{
    char path[LAB_PATH];
    FILE *table = setmntent(mounts, "r");
    cpu->version = 0;
    for (struct mntent *mount; table && (mount = getmntent(table)) && !cpu->version;) {
        snprintf(path, sizeof path, "%s/cgroup.controllers", mount->mnt_dir);
        if (strcmp(mount->mnt_type, "cgroup") == 0 && hasmntopt(mount, "cpu"))
            cpu->version = 1;
        else if (strcmp(mount->mnt_type, "cgroup2") == 0 && file_has_word(path, "cpu"))
            cpu->version = 2;
        if (cpu->version)
            snprintf(cpu->root, sizeof cpu->root, "%s", mount->mnt_dir);
    }
    if (table)
        endmntent(table);
    if (cpu->version)
        return HS_OK;
    return hs_error_set(error, HS_ERR_SYSTEM, 0, "no control group hierarchy with a cpu controller is mounted");
}

static hs_status find_cpu(lab_cpu *cpu, hs_error *error)
{
    return lab_cpu_find(LAB_MOUNTS, cpu, error);
}

/* Path of a file in a place's group, or of the group itself when file is NULL. */
static void group_path(const lab_cpu *cpu, const char *name, lab_place place, const char *file, char *path)
{
    char group[32] = "control";
    if (place.host != LAB_CONTROL && place.core < 0)
        snprintf(group, sizeof group, "h%d", place.host);
    else if (place.host != LAB_CONTROL)
        snprintf(group, sizeof group, "h%d.%d", place.host, place.core);
    HS_ASSERT(place.host == LAB_CONTROL || place.host >= 0);
    snprintf(path, LAB_PATH, "%s/heteroslice/%s/%s%s%s", cpu->root, name, group, file ? "/" : "", file ? file : "");
}

int lab_freezer_open(const lab_cpu *freezer, const char *name, lab_place place)
{
    char path[LAB_PATH];
    group_path(freezer, name, place, "cgroup.freeze", path);
    return open(path, O_WRONLY | O_CLOEXEC);
}

void lab_cpu_list(const lab_cpu *cpu, const char *name, lab_place place, lab_list *list)
{
    char path[LAB_PATH];
    int process;
    list->count = 0;
    group_path(cpu, name, place, "cgroup.procs", path);
    FILE *file = fopen(path, "r");
    while (file && fscanf(file, "%d", &process) == 1 &&
           hs__array_reserve(&list->process, &list->room, list->count + 1, sizeof(pid_t)) == 0)
        list->process[list->count++] = (pid_t)process;
    if (file)
        fclose(file);
}

static hs_status make_group(const char *path, hs_error *error)
{
    if (mkdir(path, 0755) == 0 || errno == EEXIST)
        return HS_OK;
    return hs_error_set(error, HS_ERR_SYSTEM, 0, "cannot make control group %s: %s", path, strerror(errno));
}

hs_status lab_cpu_set_on(const lab_cpu *cpu, const char *name, lab_place place, double cores, hs_error *error)
{
    char path[LAB_PATH], text[64];
    double period = default_period_us;
    if (cores * period < min_quota_us)
        period = fmin(max_period_us, ceil(min_quota_us / cores));
    double quota = fmax(min_quota_us, round(cores * period));
    HS_ASSERT(period >= default_period_us && period <= max_period_us);
    HS_ASSERT(quota == min_quota_us || fabs(quota / period - cores) <= 1 / period);
    if (cpu->version == 2) {
        group_path(cpu, name, place, "cpu.max", path);
        snprintf(text, sizeof text, "%.0f %.0f", quota, period);
        return write_text(path, text, error);
    }
    group_path(cpu, name, place, "cpu.cfs_period_us", path);
    snprintf(text, sizeof text, "%.0f", period);
    hs_status status = file_has_word(path, text) ? HS_OK : write_text(path, text, error);
    if (status != HS_OK)
        return status;
    group_path(cpu, name, place, "cpu.cfs_quota_us", path);
    snprintf(text, sizeof text, "%.0f", quota);
    return write_text(path, text, error);
}

static hs_status set_host(const lab_cpu *cpu, const lab_cluster *lab, int index, hs_error *error)
{
    const lab_host *host = &lab->host[index];
    double quota = host->quota * host->factor * (lab->throttled ? quota_slack : 1);
    hs_status status = lab_cpu_set_on(cpu, lab->name, (lab_place){index, -1}, quota, error);
    for (int core = 0; host->cores > 1 && core < host->cores && status == HS_OK; core++)
        status = lab_cpu_set_on(cpu, lab->name, (lab_place){index, core}, quota / host->cores, error);
    return status;
}

hs_status lab_cpu_set(const lab_cluster *lab, int host, hs_error *error)
{
    lab_cpu cpu;
    hs_status status = find_cpu(&cpu, error);
    return status == HS_OK ? set_host(&cpu, lab, host, error) : status;
}

/* Give the lab precedence over everything else on the machine: a host reaches its quota only while
 * cores are free. All quotas together leave enough for the rest. */
static hs_status raise_weight(const lab_cpu *cpu, const char *path, hs_error *error)
{
    char file[LAB_PATH + 32];
    snprintf(file, sizeof file, "%s/%s", path, cpu->version == 2 ? "cpu.weight" : "cpu.shares");
    return write_text(file, cpu->version == 2 ? "10000" : "262144", error);
}

/* Let the groups below path have the cpu controller, which version 2 delegates one level at a time. */
static hs_status delegate_cpu(const lab_cpu *cpu, const char *path, hs_error *error)
{
    char file[LAB_PATH + 32];
    if (cpu->version != 2)
        return HS_OK;
    snprintf(file, sizeof file, "%s/cgroup.subtree_control", path);
    return file_has_word(file, "cpu") ? HS_OK : write_text(file, "+cpu", error);
}

/* Make the groups of a host and of its cores in one hierarchy. */
static hs_status make_host_groups(const lab_cpu *cpu, const lab_cluster *lab, int host, hs_error *error)
{
    char path[LAB_PATH];
    int cores = lab->host[host].cores;
    hs_status status = HS_OK;
    for (int core = -1; core < (cores > 1 ? cores : 0) && status == HS_OK; core++) {
        group_path(cpu, lab->name, (lab_place){host, core}, NULL, path);
        status = make_group(path, error);
    }
    return status;
}

/* Make a group that will hold other groups. */
static hs_status make_parent_group(const lab_cpu *cpu, const char *path, hs_error *error)
{
    hs_status status = make_group(path, error);
    if (status == HS_OK)
        status = raise_weight(cpu, path, error);
    return status == HS_OK ? delegate_cpu(cpu, path, error) : status;
}

hs_status lab_cpu_up(const lab_cluster *lab, hs_error *error)
{
    lab_cpu cpu;
    char path[LAB_PATH];
    hs_status status = find_cpu(&cpu, error);
    if (status != HS_OK || (status = delegate_cpu(&cpu, cpu.root, error)) != HS_OK)
        return status;
    snprintf(path, sizeof path, "%s/heteroslice", cpu.root);
    if ((status = make_parent_group(&cpu, path, error)) != HS_OK)
        return status;
    snprintf(path, sizeof path, "%s/heteroslice/%s", cpu.root, lab->name);
    status = make_parent_group(&cpu, path, error);
    group_path(&cpu, lab->name, (lab_place){LAB_CONTROL, -1}, NULL, path);
    if (status == HS_OK)
        status = make_group(path, error);
    for (int i = 0; i < lab->hosts && status == HS_OK; i++)
        if ((status = make_host_groups(&cpu, lab, i, error)) == HS_OK)
            status = set_host(&cpu, lab, i, error);
    return status;
}

hs_status lab_freezer_up(const lab_cluster *lab, hs_error *error)
{
    lab_cpu freezer;
    char path[LAB_PATH];
    if (!lab_freezer_find(LAB_MOUNTS, &freezer))
        return hs_error_set(error, HS_ERR_SYSTEM, 0, "no control groups of version 2 are mounted");
    snprintf(path, sizeof path, "%s/heteroslice", freezer.root);
    hs_status status = make_group(path, error);
    snprintf(path, sizeof path, "%s/heteroslice/%s", freezer.root, lab->name);
    if (status == HS_OK)
        status = make_group(path, error);
    for (int i = 0; i < lab->hosts && status == HS_OK; i++)
        status = make_host_groups(&freezer, lab, i, error);
    return status;
}

hs_status lab_cpu_join(const lab_cluster *lab, lab_place place, hs_error *error)
{
    lab_cpu cpu, freezer;
    char path[LAB_PATH];
    hs_status status = find_cpu(&cpu, error);
    if (status != HS_OK)
        return status;
    group_path(&cpu, lab->name, place, "cgroup.procs", path);
    status = write_text(path, "0", error);
    if (status != HS_OK || !lab->throttled || place.host == LAB_CONTROL || !lab_freezer_find(LAB_MOUNTS, &freezer) ||
        strcmp(freezer.root, cpu.root) == 0)
        return status;
    group_path(&freezer, lab->name, place, "cgroup.procs", path);
    return write_text(path, "0", error);
}

/* Call visit for each process of one group. @return how many there were */
static int visit_group(const char *path, void (*visit)(pid_t process, const char *mark), const char *mark)
{
    char file[LAB_PATH + 400];
    int count = 0, process;
    snprintf(file, sizeof file, "%s/cgroup.procs", path);
    FILE *list = fopen(file, "r");
    if (!list)
        return 0;
    for (; fscanf(list, "%d", &process) == 1; count++)
        if (process > 0)
            visit(process, mark);
    fclose(list);
    return count;
}

/* The same for all the lab's groups. */
static int visit_lab(const char *path, void (*visit)(pid_t process, const char *mark), const char *mark)
{
    char group[LAB_PATH + 300];
    int count = 0;
    DIR *directory = opendir(path);
    if (!directory)
        return 0;
    for (struct dirent *entry; (entry = readdir(directory));)
        if (entry->d_type == DT_DIR && entry->d_name[0] != '.') {
            snprintf(group, sizeof group, "%s/%s", path, entry->d_name);
            count += visit_group(group, visit, mark);
        }
    closedir(directory);
    return count;
}

static void remove_groups(const char *path)
{
    char group[LAB_PATH + 300];
    DIR *directory = opendir(path);
    if (!directory)
        return;
    for (struct dirent *entry; (entry = readdir(directory));)
        if (entry->d_type == DT_DIR && entry->d_name[0] != '.') {
            snprintf(group, sizeof group, "%s/%s", path, entry->d_name);
            rmdir(group);
        }
    closedir(directory);
    rmdir(path);
}

static void end_process(pid_t process, const char *mark)
{
    (void)mark;
    if (process != getpid())
        kill(process, SIGKILL);
}

/* Kill the lab's processes in one hierarchy and remove its groups there. */
static hs_status clear_hierarchy(const char *root, const char *name, int *found, hs_error *error)
{
    char path[LAB_PATH];
    const struct timespec poll_interval = {0, 10 * 1000 * 1000};
    snprintf(path, sizeof path, "%s/heteroslice/%s", root, name);
    *found |= access(path, F_OK) == 0;
    for (int tries = 0; visit_lab(path, end_process, NULL) > 0 && tries < 500; tries++)
        nanosleep(&poll_interval, NULL);
    for (int tries = 0; tries < 100; tries++) {
        remove_groups(path);
        if (access(path, F_OK) != 0)
            break;
        nanosleep(&poll_interval, NULL);
    }
    if (access(path, F_OK) == 0)
        return hs_error_set(error, HS_ERR_SYSTEM, 0,
                            "control group %s cannot be removed: a container may have a lab of this name", path);
    snprintf(path, sizeof path, "%s/heteroslice", root);
    rmdir(path);
    return HS_OK;
}

hs_status lab_cpu_down(const char *name, int *found, hs_error *error)
{
    lab_cpu cpu, freezer;
    hs_error none; /* where no group can be made, as for a lab without network in a container, none is left */
    hs_status status = HS_OK;
    if (find_cpu(&cpu, &none) == HS_OK)
        status = clear_hierarchy(cpu.root, name, found, error);
    if (status == HS_OK && lab_freezer_find(LAB_MOUNTS, &freezer))
        status = clear_hierarchy(freezer.root, name, found, error);
    return status;
}

static void end_if_marked(pid_t process, const char *mark)
{
    if (lab_process_marked(process, mark))
        end_process(process, NULL);
}

void lab_cpu_kill_marked(const char *name, const char *mark)
{
    lab_cpu cpu;
    char path[LAB_PATH];
    hs_error ignored;
    if (find_cpu(&cpu, &ignored) != HS_OK)
        return;
    snprintf(path, sizeof path, "%s/heteroslice/%s", cpu.root, name);
    visit_lab(path, end_if_marked, mark);
}
