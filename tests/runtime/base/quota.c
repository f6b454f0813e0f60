/* SPDX-License-Identifier: BSD-3-Clause */
/* Limits of control groups, read from a folder in the place of /proc and /sys. */
#include "runtime/base/quota.h"
#include "tests/unit.h"
#include <mntent.h>
#include <sys/stat.h>

static char folder[] = "/tmp/hs-quota-XXXXXX";

FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__real_setmntent(const char *path, const char *mode);
FILE *__wrap_setmntent(const char *path, const char *mode);

static const char *elsewhere(const char *path, char *buffer, size_t size)
{
    if (strncmp(path, "/proc/self/", 11) != 0 && strncmp(path, "/sys/fs/cgroup", 14) != 0)
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

static void put(const file *files)
{
    assert_int_equal(remove_folder(NULL), 0);
    for (int k = -1; k < FILES && (k < 0 || files[k].path); k++) {
        char path[4096];
        snprintf(path, sizeof path, "%s%s", folder, k < 0 ? "/" : files[k].path);
        for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
            *slash = '\0';
            mkdir(path, 0700);
            *slash = '/';
        }
        FILE *out = k < 0 ? NULL : __real_fopen(path, "w");
        if (out) {
            fputs(files[k].text, out);
            fclose(out);
        }
    }
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(least_limits)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
