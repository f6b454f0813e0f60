/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_TESTS_LAB_FAKE_GROUPS_H
#define HS_TESTS_LAB_FAKE_GROUPS_H

/* Control groups as folders of plain files, which need no root: what the kernel would do is written down. Linked with --wrap of
 * setmntent, mkdir and rmdir. */

#include "lab/cpu.h"
#include "tests/unit.h"
#include "util/path.h"
#include <mntent.h>
#include <sys/stat.h>
#include <unistd.h>

static char fake_root[] = "/tmp/hs-groups-XXXXXX", fake_table[sizeof fake_root + 8];

static const char *const fake_files[] = {"cgroup.freeze",     "cgroup.procs",     "cgroup.subtree_control",
                                         "cpu.cfs_period_us", "cpu.cfs_quota_us", "cpu.max",
                                         "cpu.shares",        "cpu.weight"};
enum { FAKE_FILES = sizeof fake_files / sizeof *fake_files };

FILE *__real_setmntent(const char *table, const char *mode);
FILE *__wrap_setmntent(const char *table, const char *mode);
int __real_mkdir(const char *path, mode_t mode);
int __wrap_mkdir(const char *path, mode_t mode);
int __real_rmdir(const char *path);
int __wrap_rmdir(const char *path);

static inline char *fake_path(const char *folder, const char *file, char *path)
{
    snprintf(path, LAB_PATH, "%s%s%s", folder, file[0] ? "/" : "", file);
    return path;
}

/* The files that the kernel makes in a group, empty. */
static inline void fake_fill(const char *folder)
{
    char path[LAB_PATH];
    for (int k = 0; k < FAKE_FILES; k++)
        fclose(fopen(fake_path(folder, fake_files[k], path), "w"));
}

FILE *__wrap_setmntent(const char *table, const char *mode)
{
    return __real_setmntent(strcmp(table, LAB_MOUNTS) == 0 ? fake_table : table, mode);
}

int __wrap_mkdir(const char *path, mode_t mode)
{
    int failed = __real_mkdir(path, mode);
    if (!failed && strncmp(path, fake_root, strlen(fake_root)) == 0)
        fake_fill(path);
    return failed;
}

int __wrap_rmdir(const char *folder)
{
    char path[LAB_PATH];
    if (strncmp(folder, fake_root, strlen(fake_root)) == 0)
        for (int k = 0; k < FAKE_FILES; k++)
            unlink(fake_path(folder, fake_files[k], path));
    return __real_rmdir(folder);
}

/* In a hierarchy, such as "/cpu". */
static inline void fake_put(const char *hierarchy, const char *file, const char *text)
{
    char folder[LAB_PATH / 2], path[LAB_PATH];
    snprintf(folder, sizeof folder, "%s%s", fake_root, hierarchy);
    FILE *stream = fopen(fake_path(folder, file, path), "w");
    assert_non_null(stream);
    fputs(text, stream);
    fclose(stream);
}

static inline const char *fake_get(const char *hierarchy, const char *file)
{
    static char text[128];
    char folder[LAB_PATH / 2], path[LAB_PATH];
    snprintf(folder, sizeof folder, "%s%s", fake_root, hierarchy);
    FILE *stream = fopen(fake_path(folder, file, path), "r");
    assert_non_null(stream);
    text[fread(text, 1, sizeof text - 1, stream)] = '\0';
    fclose(stream);
    return text;
}

static inline int fake_has(const char *hierarchy, const char *file)
{
    char folder[LAB_PATH / 2], path[LAB_PATH];
    snprintf(folder, sizeof folder, "%s%s", fake_root, hierarchy);
    return access(fake_path(folder, file, path), F_OK) == 0;
}

/* What is mounted: %s stands for the folder, each time. */
static inline void fake_mount(const char *format)
{
    FILE *table = fopen(fake_table, "w");
    assert_non_null(table);
    for (; *format; format += format[0] == '%' ? 2 : 1)
        if (format[0] == '%')
            fputs(fake_root, table);
        else
            fputc(*format, table);
    fclose(table);
}

/* Two hierarchies without a group: /cpu with the controller, /two without. */
static inline void fake_begin(void)
{
    char path[LAB_PATH];
    assert_non_null(mkdtemp(fake_root));
    snprintf(fake_table, sizeof fake_table, "%s/mounts", fake_root);
    assert_int_equal(mkdir(fake_path(fake_root, "cpu", path), 0700), 0);
    assert_int_equal(mkdir(fake_path(fake_root, "two", path), 0700), 0);
    fake_put("/cpu", "cgroup.controllers", "cpu memory\n");
}

static inline void fake_end(void)
{
    hs__path_remove(fake_root);
}

#define FAKE_VERSION_2 "cgroup2 %s/cpu cgroup2 rw 0 0\n"
#define FAKE_BOTH "cgroup %s/cpu cgroup rw,cpu 0 0\ncgroup2 %s/two cgroup2 rw 0 0\n"

#endif
