/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/base/quota.h"
#include "util/hash.h"
#include "util/processors.h"
#include <math.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 1024 };

/* What the control groups of one controller limit: of one group, INFINITY without a limit. */
typedef struct controller {
    const char *name;
    double (*limit)(const char *directory);
} controller;

static FILE *open_in(const char *directory, const char *name)
{
    char path[PATH_SIZE + 32];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return fopen(path, "re");
}

/* Reads one number of a file. @return 0 when there is none, such as for "max" */
static int read_number(const char *directory, const char *name, double *value)
{
    FILE *file = open_in(directory, name);
    int read = file ? fscanf(file, "%lf", value) : 0;
    if (file)
        fclose(file);
    return read == 1;
}

/* Processors' worth of time. */
static double group_quota(const char *directory)
{
    char limit[32] = "";
    double period = 0, quota = 0;
    FILE *file = open_in(directory, "cpu.max");
    if (file) {
        int read = fscanf(file, "%31s %lf", limit, &period);
        fclose(file);
        return read == 2 && strcmp(limit, "max") != 0 && period > 0 ? atof(limit) / period : INFINITY;
    }
    if (!read_number(directory, "cpu.cfs_quota_us", &quota) || !read_number(directory, "cpu.cfs_period_us", &period))
        return INFINITY;
    return quota > 0 && period > 0 ? quota / period : INFINITY;
}

/* Bytes. */
static double group_memory(const char *directory)
{
    double bytes;
    if (!read_number(directory, "memory.max", &bytes) && !read_number(directory, "memory.limit_in_bytes", &bytes))
        return INFINITY;
    return bytes > 0 ? bytes : INFINITY;
}

static const controller cpu_time = {"cpu", group_quota}, memory = {"memory", group_memory};

/* The least of a group and all above it, up to the root of its tree. */
static double tree_limit(const controller *c, const char *root, const char *group)
{
    char path[PATH_SIZE];
    double least = INFINITY;
    if (snprintf(path, sizeof path, "%s%s", root, group) >= (int)sizeof path)
        return least;
    while (strlen(path) > strlen(root)) {
        least = fmin(least, c->limit(path));
        *strrchr(path, '/') = '\0';
    }
    return fmin(least, c->limit(root));
}

/* Where the tree with the controller is mounted. @return 0 when it is nowhere */
static int find_root(const controller *c, int version, char *root)
{
    FILE *mounts = setmntent("/proc/self/mounts", "re");
    struct mntent entry, *mount;
    char buffer[4 * PATH_SIZE];
    int found = 0;
    while (mounts && !found && (mount = getmntent_r(mounts, &entry, buffer, sizeof buffer))) {
        if (version == 2)
            found = strcmp(mount->mnt_type, "cgroup2") == 0;
        else
            found = strcmp(mount->mnt_type, "cgroup") == 0 && hasmntopt(mount, c->name) != NULL;
        if (found)
            found = snprintf(root, PATH_SIZE, "%s", mount->mnt_dir) < PATH_SIZE;
    }
    if (mounts)
        endmntent(mounts);
    return found;
}

/* Whether a list such as "cpu,cpuacct" has the name. */
static int has_name(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (; *list; list += strcspn(list, ","), list += *list == ',')
        if (strncmp(list, name, length) == 0 && (list[length] == ',' || list[length] == '\0'))
            return 1;
    return 0;
}

static double least_limit(const controller *c)
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
        if ((version == 2 || has_name(controllers + 1, c->name)) && find_root(c, version, root))
            least = fmin(least, tree_limit(c, root, strcmp(group, "/") == 0 ? "" : group));
    }
    if (file)
        fclose(file);
    return least;
}

/* 0: the kernel tells none. */
static double capacity_of(int cpu)
{
    char directory[64];
    double capacity;
    snprintf(directory, sizeof directory, "/sys/devices/system/cpu/cpu%d", cpu);
    return read_number(directory, "cpu_capacity", &capacity) && capacity > 0 ? capacity : 0;
}

double hs__quota_capacity(void)
{
    const hs__processors own = hs__processors_of(0);
    int count = hs__processors_count(&own);
    double sum = 0;
    for (int cpu = 0; cpu < HS__PROCESSORS_MAX; cpu++) {
        double capacity = hs__processors_hold(&own, cpu) ? capacity_of(cpu) : 0;
        if (hs__processors_hold(&own, cpu) && capacity == 0)
            return 0;
        sum += capacity;
    }
    return count > 0 ? sum / count : 0;
}

double hs__quota_processors(void)
{
    return fmin(hs__processors_own(), least_limit(&cpu_time));
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
    return least_limit(&cpu_time);
}

int64_t hs__quota_queued_ns(void)
{
    long long ran, queued = 0;
    FILE *file = fopen("/proc/thread-self/schedstat", "re");
    if (file && fscanf(file, "%lld %lld", &ran, &queued) != 2)
        queued = 0;
    if (file)
        fclose(file);
    return queued;
}

double hs__quota_memory(void)
{
    return least_limit(&memory);
}
