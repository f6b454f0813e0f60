/* SPDX-License-Identifier: BSD-3-Clause */
/* Quotas are written as both versions of control groups expect, tried on plain directories. */
#include "tests/unit.h"

#include "lab/cpu.h"
#include "lab/throttler.h"
#include <sys/stat.h>
#include <unistd.h>

static char top[] = "/tmp/hs-cpu-XXXXXX";

static void put(const char *file, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", top, file);
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fputs(text, stream);
    fclose(stream);
}

static void expect_file(const char *file, const char *expected)
{
    char path[256], text[128] = "";
    snprintf(path, sizeof path, "%s/%s", top, file);
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    assert_non_null(fgets(text, sizeof text, stream));
    fclose(stream);
    assert_string_equal(text, expected);
}

static int make_tree(void **state)
{
    static const char *const folders[] = {"", "/heteroslice", "/heteroslice/x", "/heteroslice/x/h0",
                                          "/heteroslice/x/h0.1"};
    (void)state;
    if (!mkdtemp(top))
        return -1;
    for (size_t i = 1; i < sizeof folders / sizeof *folders; i++) {
        char path[256];
        snprintf(path, sizeof path, "%s%s", top, folders[i]);
        if (mkdir(path, 0700) != 0)
            return -1;
    }
    return 0;
}

static int remove_tree(void **state)
{
    char command[300];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", top);
    return system(command);
}

static void find_by_mounts(void **state)
{
    lab_cpu cpu;
    char mounts[256], text[512];
    hs_error error;
    (void)state;
    snprintf(mounts, sizeof mounts, "%s/mounts", top);
    put("mounts", "cgroup /sys/a cgroup rw,cpuset 0 0\ncgroup /sys/b cgroup rw,cpuacct,cpu 0 0\n");
    assert_int_equal(lab_cpu_find(mounts, &cpu, &error), HS_OK);
    assert_int_equal(cpu.version, 1);
    assert_string_equal(cpu.root, "/sys/b");
    put("mounts", "cgroup /sys/a cgroup rw,cpuacct 0 0\ncgroup2 /sys/u cgroup2 rw 0 0\n");
    assert_int_equal(lab_cpu_find(mounts, &cpu, &error), HS_ERR_SYSTEM);
    snprintf(text, sizeof text, "cgroup2 %s cgroup2 rw 0 0\n", top);
    put("mounts", text);
    put("cgroup.controllers", "cpuset io\n");
    assert_int_equal(lab_cpu_find(mounts, &cpu, &error), HS_ERR_SYSTEM);
    put("cgroup.controllers", "cpuset cpu io\n");
    assert_int_equal(lab_cpu_find(mounts, &cpu, &error), HS_OK);
    assert_int_equal(cpu.version, 2);
    assert_string_equal(cpu.root, top);
    assert_int_equal(lab_cpu_find("/no/such/table", &cpu, &error), HS_ERR_SYSTEM);
}

static void quotas(void **state)
{
    static const struct {
        double cores;
        const char *version_2, *period, *quota;
    } rows[] = {
        {0.4, "4000 10000", "10000", "4000"},       {0.1, "1000 10000", "10000", "1000"},
        {2.5, "25000 10000", "10000", "25000"},     {0.05, "1000 20000", "20000", "1000"},
        {0.001, "1000 1000000", "1000000", "1000"}, {0, "1000 1000000", "1000000", "1000"},
    };
    lab_cpu cpu = {0};
    hs_error error;
    (void)state;
    snprintf(cpu.root, sizeof cpu.root, "%s", top);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        put("heteroslice/x/h0/cpu.max", "");
        cpu.version = 2;
        assert_int_equal(lab_cpu_set_on(&cpu, "x", (lab_place){0, -1}, rows[i].cores, &error), HS_OK);
        expect_file("heteroslice/x/h0/cpu.max", rows[i].version_2);
        put("heteroslice/x/h0.1/cpu.cfs_period_us", "");
        put("heteroslice/x/h0.1/cpu.cfs_quota_us", "");
        cpu.version = 1;
        assert_int_equal(lab_cpu_set_on(&cpu, "x", (lab_place){0, 1}, rows[i].cores, &error), HS_OK);
        expect_file("heteroslice/x/h0.1/cpu.cfs_period_us", rows[i].period);
        expect_file("heteroslice/x/h0.1/cpu.cfs_quota_us", rows[i].quota);
    }
    assert_int_equal(lab_cpu_set_on(&cpu, "x", (lab_place){7, -1}, 1, &error), HS_ERR_SYSTEM);
    CHECK_ERROR_SAYS(&error, 0, "h7");
}

static void processes_of_a_group(void **state)
{
    lab_cpu cpu = {.version = 2};
    lab_list list = {0};
    (void)state;
    snprintf(cpu.root, sizeof cpu.root, "%s", top);
    put("heteroslice/x/h0/cgroup.procs", "12\n7\n345\n");
    put("heteroslice/x/h0.1/cgroup.procs", "");
    lab_cpu_list(&cpu, "x", (lab_place){0, -1}, &list);
    assert_int_equal(list.count, 3);
    assert_true(list.process[0] == 12 && list.process[1] == 7 && list.process[2] == 345);
    lab_cpu_list(&cpu, "x", (lab_place){0, 1}, &list);
    assert_int_equal(list.count, 0);
    lab_cpu_list(&cpu, "x", (lab_place){0, -1}, &list);
    lab_cpu_list(&cpu, "x", (lab_place){8, -1}, &list); /* there is no such group */
    assert_int_equal(list.count, 0);
    free(list.process);
}

static void freezers(void **state)
{
    lab_cpu freezer;
    char mounts[256], text[512];
    (void)state;
    snprintf(mounts, sizeof mounts, "%s/mounts", top);
    put("mounts", "cgroup /sys/b cgroup rw,cpu 0 0\n");
    assert_false(lab_freezer_find(mounts, &freezer));
    snprintf(text, sizeof text,
             "cgroup /sys/b cgroup rw,cpu 0 0\ncgroup2 %s cgroup2 rw 0 0\ncgroup2 /b cgroup2 rw 0 0\n", top);
    put("mounts", text);
    assert_true(lab_freezer_find(mounts, &freezer));
    assert_string_equal(freezer.root, top);
    assert_int_equal(lab_freezer_open(&freezer, "x", (lab_place){0, 1}), -1);
    put("heteroslice/x/h0.1/cgroup.freeze", "");
    int file = lab_freezer_open(&freezer, "x", (lab_place){0, 1});
    assert_true(file >= 0);
    assert_int_equal(write(file, "1", 1), 1);
    close(file);
    expect_file("heteroslice/x/h0.1/cgroup.freeze", "1");
    assert_false(lab_freezer_find("/no/such/table", &freezer));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(find_by_mounts), cmocka_unit_test(quotas),
                                       cmocka_unit_test(processes_of_a_group), cmocka_unit_test(freezers)};
    return cmocka_run_group_tests(tests, make_tree, remove_tree);
}
