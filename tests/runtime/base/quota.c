/* SPDX-License-Identifier: BSD-3-Clause */
/* Limits of control groups, read from a folder in the place of /proc and /sys. */
#include "tests/unit.h"

#include "runtime/base/quota.h"
#include <mntent.h>
#include <sched.h>
#include <sys/stat.h>

static char folder[] = "/tmp/hs-quota-XXXXXX";

FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__real_setmntent(const char *path, const char *mode);
FILE *__wrap_setmntent(const char *path, const char *mode);

static const char *elsewhere(const char *path, char *buffer, size_t size)
{
    if (strncmp(path, "/proc/self/", 11) != 0 && strncmp(path, "/sys/", 5) != 0)
        return path;
    snprintf(buffer, size, "%s%s", folder, path);
    return buffer;
}

FILE *__wrap_fopen(const char *path, const char *mode)
{
    char other[4096];
    return __real_fopen(elsewhere(path, other, sizeof other), mode);
}

FILE *__wrap_setmntent(const char *path, const char *mode)
{
    char other[4096];
    return __real_setmntent(elsewhere(path, other, sizeof other), mode);
}

static int make_folder(void **state)
{
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

typedef struct file {
    const char *path, *text;
} file;

enum { FILES = 8 };

static void put_one(const char *name, const char *text)
{
    char path[4096];
    snprintf(path, sizeof path, "%s%s", folder, name);
    for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    FILE *out = __real_fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static void put(const file *files)
{
    assert_int_equal(remove_folder(NULL), 0);
    for (int k = 0; k < FILES && files[k].path; k++)
        put_one(files[k].path, files[k].text);
}

#define V1_MOUNTS                                                                              \
    "tmpfs /sys/fs/cgroup tmpfs rw 0 0\ncgroup /sys/fs/cgroup/cpu cgroup rw,cpu,cpuacct 0 0\n" \
    "cgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0\n"
#define V2_MOUNTS "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n"

static void least_limits(void **state)
{
    static const struct {
        file files[FILES];
        double memory, processors;
    } rows[] = {
        {{{NULL, NULL}}, INFINITY, INFINITY},
        {{{"/proc/self/cgroup", "0::/job\n"}, {"/proc/self/mounts", "proc /proc proc rw 0 0\n"}}, INFINITY, INFINITY},
        {{{"/proc/self/cgroup", "0::/job/step\n"},
          {"/proc/self/mounts", V2_MOUNTS},
          {"/sys/fs/cgroup/job/memory.max", "3000000\n"},
          {"/sys/fs/cgroup/job/step/memory.max", "max\n"},
          {"/sys/fs/cgroup/job/step/cpu.max", "150000 100000\n"}},
         3e6,
         1.5},
        {{{"/proc/self/cgroup", "0::/\n"},
          {"/proc/self/mounts", V2_MOUNTS},
          {"/sys/fs/cgroup/memory.max", "5000\n"},
          {"/sys/fs/cgroup/cpu.max", "max 100000\n"}},
         5000,
         INFINITY},
        {{{"/proc/self/cgroup", "4:memory:/a\n2:cpuacct,cpu:/b/c\n3:cpuset:/\n"},
          {"/proc/self/mounts", V1_MOUNTS},
          {"/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "2000000\n"},
          {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"},
          {"/sys/fs/cgroup/cpu/b/cpu.cfs_quota_us", "50000\n"},
          {"/sys/fs/cgroup/cpu/b/cpu.cfs_period_us", "100000\n"},
          {"/sys/fs/cgroup/cpu/b/c/cpu.cfs_quota_us", "-1\n"},
          {"/sys/fs/cgroup/cpu/b/c/cpu.cfs_period_us", "100000\n"}},
         2e6,
         0.5},
        /* Other controllers, and lines that are none */
        {{{"/proc/self/cgroup", "1:cpuset:/a\n5:memory2,my-memory:/a\nmemory\n"},
          {"/proc/self/mounts", V1_MOUNTS},
          {"/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "2000000\n"},
          {"/sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "50000\n"},
          {"/sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "100000\n"}},
         INFINITY,
         INFINITY},
        {{{"/proc/self/cgroup", "4:memory:/a\n"},
          {"/proc/self/mounts", V1_MOUNTS},
          {"/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "much\n"}},
         INFINITY,
         INFINITY},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t group;
        put(rows[i].files);
        CHECK_CLOSE(hs__quota_memory(), rows[i].memory, 0);
        CHECK_CLOSE(hs__quota_group(&group), rows[i].processors, 1e-12);
    }
}

/* Of this process; a limit counts where it is below them. */
static int own_processors(cpu_set_t *set)
{
    assert_int_equal(sched_getaffinity(0, sizeof *set, set), 0);
    return CPU_COUNT(set);
}

static void processors_are_those_bound_to(void **state)
{
    static const file none[FILES] = {{"/proc/self/mounts", V2_MOUNTS}, {"/proc/self/cgroup", "0::/\n"}},
                      half[FILES] = {{"/proc/self/mounts", V2_MOUNTS},
                                     {"/proc/self/cgroup", "0::/\n"},
                                     {"/sys/fs/cgroup/cpu.max", "50000 100000\n"}};
    cpu_set_t set;
    int bound = own_processors(&set);
    put(none);
    CHECK_CLOSE(hs__quota_processors(), bound, 0);
    put(half);
    CHECK_CLOSE(hs__quota_processors(), 0.5, 0);
}

/* Ranks of one job are known by their groups. */
static void groups_are_told_apart(void **state)
{
    uint64_t one, again, other, none;
    put((const file[FILES]){{"/proc/self/cgroup", "1:cpu:/a\n0::/b\n"}});
    hs__quota_group(&one);
    hs__quota_group(&again);
    put((const file[FILES]){{"/proc/self/cgroup", "1:cpu:/b\n0::/a\n"}});
    hs__quota_group(&other);
    put((const file[FILES]){{NULL, NULL}});
    hs__quota_group(&none);
    assert_true(one == again && one != other && one != none && other != none);
}

static void put_capacity(int cpu, const char *text)
{
    char path[80];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/cpu_capacity", cpu);
    put_one(path, text);
}

/* The mean over the processors that a process may use: 1000, 1008, 1016 ... None unless it is known of each. */
static void the_mean_capacity(void **state)
{
    static const char *const unknown[] = {"0\n", "-5\n", "much\n", ""};
    cpu_set_t set;
    char text[16];
    int bound = own_processors(&set), last = -1, k = 0;
    put((const file[FILES]){{NULL, NULL}});
    CHECK_CLOSE(hs__quota_capacity(), 0, 0);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, &set))
            continue;
        snprintf(text, sizeof text, "%d\n", 1000 + 8 * k++);
        put_capacity(last = cpu, text);
        CHECK_CLOSE(hs__quota_capacity(), k == bound ? 1000 + 4 * (bound - 1) : 0, 1e-12);
    }
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        put_capacity(last, unknown[i]);
        CHECK_CLOSE(hs__quota_capacity(), 0, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(least_limits), cmocka_unit_test(processors_are_those_bound_to),
                                       cmocka_unit_test(groups_are_told_apart), cmocka_unit_test(the_mean_capacity)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
