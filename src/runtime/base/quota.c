/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/base/quota.h"
#include "util/hash.h"
#include <math.h>
#include <mntent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 1024 };

/* Processors' worth of time of one group, INFINITY without a limit. */
static double group_quota(const char *directory)
{
    char path[PATH_SIZE + 32], limit[32] = "";
    double period = 0, quota = 0;
    snprintf(path, sizeof path, "%s/cpu.max", directory);
    FILE *file = fopen(path, "re");
    if (file) {
        int read = fscanf(file, "%31s %lf", limit, &period);
        fclose(file);
        return read == 2 && strcmp(limit, "max") != 0 && period > 0 ? atof(limit) / period : INFINITY;
    }
    const char *const names[] = {"cpu.cfs_quota_us", "cpu.cfs_period_us"};
    double *const values[] = {&quota, &period};
    for (int k = 0; k < 2; k++) {
        snprintf(path, sizeof path, "%s/%s", directory, names[k]);
        file = fopen(path, "re");
        if (!file || fscanf(file, "%lf", values[k]) != 1)
            quota = -1;
        if (file)
            fclose(file);
    }
    return quota > 0 && period > 0 ? quota / period : INFINITY;
}

/* The least of a group and all above it, up to the root of its tree. */
static double tree_quota(const char *root, const char *group)
{
    char path[PATH_SIZE];
    double least = INFINITY;
    if (snprintf(path, sizeof path, "%s%s", root, group) >= (int)sizeof path)
        return least;
    while (strlen(path) > strlen(root)) {
        least = fmin(least, group_quota(path));
        *strrchr(path, '/') = '\0';
    }
    return fmin(least, group_quota(root));
}

/* Where the tree with the cpu controller is mounted. @return 0 when it is nowhere */
static int find_root(int version, char *root)
{
    FILE *mounts = setmntent("/proc/self/mounts", "re");
    struct mntent entry, *mount;
    char buffer[4 * PATH_SIZE];
    int found = 0;
    while (mounts && !found && (mount = getmntent_r(mounts, &entry, buffer, sizeof buffer))) {
        if (version == 2)
            found = strcmp(mount->mnt_type, "cgroup2") == 0;
        else
            found = strcmp(mount->mnt_type, "cgroup") == 0 && hasmntopt(mount, "cpu") != NULL;
        if (found)
            found = snprintf(root, PATH_SIZE, "%s", mount->mnt_dir) < PATH_SIZE;
    }
    if (mounts)
        endmntent(mounts);
    return found;
}

static double least_quota(void)
{
    char line[PATH_SIZE], root[PATH_SIZE];
    double least = INFINITY;
    FILE *file = fopen("/proc/self/cgroup", "re");
    while (file && fgets(line, sizeof line, file)) {
        /* "0::/group", "1:cpu,cpuacct:/group" */
        char *controllers = strchr(line, ':'), *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group)
            continue;
        *group++ = '\0';
        group[strcspn(group, "\n")] = '\0';
        int version = controllers[1] ? 1 : 2;
        int has_cpu = version == 2 || strcmp(controllers, ":cpu") == 0 || strncmp(controllers, ":cpu,", 5) == 0 ||
                      strstr(controllers, ",cpu,") ||
                      (strlen(controllers) > 4 && strcmp(controllers + strlen(controllers) - 4, ",cpu") == 0);
        if (has_cpu && find_root(version, root))
            least = fmin(least, tree_quota(root, strcmp(group, "/") == 0 ? "" : group));
    }
    if (file)
        fclose(file);
    return least;
}

/* 0: the kernel tells none. */
static double capacity_of(int cpu)
{
    char path[64];
    double capacity = 0;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/cpu_capacity", cpu);
    FILE *file = fopen(path, "re");
    if (file && fscanf(file, "%lf", &capacity) != 1)
        capacity = 0;
    if (file)
        fclose(file);
    return capacity > 0 ? capacity : 0;
}

double hs__quota_capacity(void)
{
    cpu_set_t set;
    double sum = 0;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 0;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        double capacity = CPU_ISSET(cpu, &set) ? capacity_of(cpu) : 0;
        if (CPU_ISSET(cpu, &set) && capacity == 0)
            return 0;
        sum += capacity;
    }
    return sum / CPU_COUNT(&set);
}

double hs__quota_processors(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    int bound = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return fmin(bound > 0 ? bound : 1, least_quota());
}

double hs__quota_group(uint64_t *group)
{
    uint64_t hash = HS__HASH_START; /* of all the groups this process is in */
    FILE *file = fopen("/proc/self/cgroup", "re");
    for (int c; file && (c = getc(file)) != EOF;)
        hash = hs__hash_add(hash, (uint64_t)c);
    if (file)
        fclose(file);
    *group = hash;
    return least_quota();
}
