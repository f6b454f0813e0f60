/* SPDX-License-Identifier: BSD-3-Clause */
/* The groups of a lab: made, written to, entered, emptied and removed, in either version of control groups. */
#include "tests/lab/fake_groups.h"
#include "tests/lab/saved.h"
#include "tests/lab/waiting_child.h"

#include "lab/process.h"
#include <signal.h>
#include <time.h>

int __wrap_nanosleep(const struct timespec *time, struct timespec *left);

/* Meanwhile the kernel forgets processes that have been killed. */
static const char *forgotten_in;

int __wrap_nanosleep(const struct timespec *time, struct timespec *left)
{
    if (forgotten_in)
        fake_put(forgotten_in, "cgroup.procs", "");
    forgotten_in = NULL;
    return 0;
}

static int begin(void **state)
{
    fake_begin();
    return saved_begin(state);
}

static int end(void **state)
{
    fake_end();
    return saved_end(state);
}

static const char *in_lab(const char *hierarchy, const char *group)
{
    static char path[LAB_PATH / 4];
    snprintf(path, sizeof path, "%s/heteroslice/%s%s%s", hierarchy, saved_name, group[0] ? "/" : "", group);
    return path;
}

/* Hosts a (one core) and b (two), each with half of one real core. */
static lab_cluster *lab_with(const char *mounts, int throttled)
{
    fake_mount(mounts);
    saved_make(1);
    lab_cluster *lab = saved_read();
    lab->throttled = throttled;
    return lab;
}

static void take_down(int expected_found)
{
    int found = 0;
    hs_error error;
    assert_int_equal(lab_cpu_down(saved_name, &found, &error), HS_OK);
    assert_int_equal(found, expected_found);
    assert_false(fake_has("/cpu", "heteroslice") || fake_has("/two", "heteroslice"));
}

static void a_group_for_each_host_and_core(void **state)
{
    hs_error error;
    lab_cluster *lab = lab_with(FAKE_VERSION_2, 0);
    assert_int_equal(lab_cpu_up(lab, &error), HS_OK);
    assert_string_equal(fake_get("/cpu", "cgroup.subtree_control"), "+cpu");
    assert_string_equal(fake_get("/cpu/heteroslice", "cgroup.subtree_control"), "+cpu");
    assert_string_equal(fake_get("/cpu/heteroslice", "cpu.weight"), "10000");
    assert_string_equal(fake_get(in_lab("/cpu", ""), "cgroup.subtree_control"), "+cpu");
    assert_string_equal(fake_get(in_lab("/cpu", ""), "cpu.weight"), "10000");
    assert_string_equal(fake_get(in_lab("/cpu", "h0"), "cpu.max"), "5000 10000");
    assert_string_equal(fake_get(in_lab("/cpu", "h1"), "cpu.max"), "5000 10000");
    assert_string_equal(fake_get(in_lab("/cpu", "h1.0"), "cpu.max"), "2500 10000");
    assert_string_equal(fake_get(in_lab("/cpu", "h1.1"), "cpu.max"), "2500 10000");
    assert_string_equal(fake_get(in_lab("/cpu", "control"), "cpu.max"), "");
    assert_false(fake_has(in_lab("/cpu", "h0.0"), "") || fake_has(in_lab("/cpu", "h1.2"), ""));
    assert_false(fake_has(in_lab("/cpu", "h2"), ""));
    lab->host[1].factor = 0.8;
    assert_int_equal(lab_cpu_set(lab, 1, &error), HS_OK);
    assert_string_equal(fake_get(in_lab("/cpu", "h1"), "cpu.max"), "4000 10000");
    assert_string_equal(fake_get(in_lab("/cpu", "h1.1"), "cpu.max"), "2000 10000");
    assert_int_equal(lab_cpu_up(lab, &error), HS_OK); /* what an interrupted start left is no hindrance */
    lab_free(lab);
    take_down(1);
    take_down(0);
}

/* A quota is only a safety net where the throttler holds the speeds. Version 2 without a controller has the freezers. */
static void freezers_are_of_version_2(void **state)
{
    hs_error error;
    lab_cluster *lab = lab_with(FAKE_BOTH, 1);
    assert_int_equal(lab_cpu_up(lab, &error), HS_OK);
    assert_string_equal(fake_get("/cpu/heteroslice", "cpu.shares"), "262144");
    assert_string_equal(fake_get("/cpu/heteroslice", "cgroup.subtree_control"), "");
    assert_string_equal(fake_get(in_lab("/cpu", "h0"), "cpu.cfs_period_us"), "10000");
    assert_string_equal(fake_get(in_lab("/cpu", "h0"), "cpu.cfs_quota_us"), "7500");
    assert_string_equal(fake_get(in_lab("/cpu", "h1.1"), "cpu.cfs_quota_us"), "3750");
    assert_false(fake_has("/two", "heteroslice"));
    assert_int_equal(lab_freezer_up(lab, &error), HS_OK);
    assert_true(fake_has(in_lab("/two", "h0"), "") && fake_has(in_lab("/two", "h1.1"), ""));
    assert_false(fake_has(in_lab("/two", "h0.0"), "") || fake_has(in_lab("/two", "h1.2"), ""));
    lab_free(lab);
    take_down(1);
}

static void check_joined(const char *group, const char *in_cpu, const char *in_two)
{
    assert_string_equal(fake_get(in_lab("/cpu", group), "cgroup.procs"), in_cpu);
    if (in_two)
        assert_string_equal(fake_get(in_lab("/two", group), "cgroup.procs"), in_two);
    fake_put(in_lab("/cpu", group), "cgroup.procs", "");
    if (in_two)
        fake_put(in_lab("/two", group), "cgroup.procs", "");
}

/* "0" is the process that writes it. */
static void who_joins_is_in_both_hierarchies(void **state)
{
    hs_error error;
    lab_cluster *lab = lab_with(FAKE_BOTH, 1);
    assert_int_equal(lab_cpu_up(lab, &error), HS_OK);
    assert_int_equal(lab_freezer_up(lab, &error), HS_OK);
    assert_int_equal(lab_cpu_join(lab, (lab_place){0, -1}, &error), HS_OK);
    check_joined("h0", "0", "0");
    assert_int_equal(lab_cpu_join(lab, (lab_place){1, 1}, &error), HS_OK);
    check_joined("h1.1", "0", "0");
    assert_int_equal(lab_cpu_join(lab, (lab_place){LAB_CONTROL, -1}, &error), HS_OK);
    check_joined("control", "0", NULL);
    lab->throttled = 0;
    assert_int_equal(lab_cpu_join(lab, (lab_place){0, -1}, &error), HS_OK);
    check_joined("h0", "0", "");
    assert_int_equal(lab_cpu_join(lab, (lab_place){2, -1}, &error), HS_ERR_SYSTEM);
    CHECK_ERROR_SAYS(&error, 0, "cannot write '0' to /tmp/hs-groups-");
    lab_free(lab);
    take_down(1);
}

static void processes_are_killed(void **state)
{
    char processes[64];
    hs_error error;
    lab_cluster *lab = lab_with(FAKE_VERSION_2, 0);
    pid_t of_run = waiting_child(LAB_RUN "=12", NULL, 0), of_other = waiting_child(LAB_RUN "=123", NULL, 0);
    assert_int_equal(lab_cpu_up(lab, &error), HS_OK);
    snprintf(processes, sizeof processes, "%ld\n%ld\n%ld\n", (long)getpid(), (long)of_other, (long)of_run);
    fake_put(in_lab("/cpu", "h1.1"), "cgroup.procs", processes);
    lab_cpu_kill_marked(saved_name, LAB_RUN "=12");
    assert_int_equal(lab_wait_child(of_run), 128 + SIGKILL);
    assert_int_equal(kill(of_other, 0), 0);
    forgotten_in = in_lab("/cpu", "h1.1");
    take_down(1);
    assert_null(forgotten_in); /* it waited until the group was empty */
    assert_int_equal(lab_wait_child(of_other), 128 + SIGKILL);
    lab_free(lab);
}

static void what_cannot_be_is_said(void **state)
{
    char other[LAB_PATH];
    int found = 0;
    hs_error error;
    lab_cluster *lab = lab_with("", 1);
    assert_int_equal(lab_cpu_up(lab, &error), HS_ERR_SYSTEM);
    CHECK_ERROR_SAYS(&error, 0, "no control group hierarchy with a cpu controller");
    assert_int_equal(lab_cpu_join(lab, (lab_place){0, -1}, &error), HS_ERR_SYSTEM);
    assert_int_equal(lab_cpu_set(lab, 0, &error), HS_ERR_SYSTEM);
    assert_int_equal(lab_cpu_down(saved_name, &found, &error), HS_OK); /* so that a lab without network can go */
    assert_int_equal(found, 0);
    assert_int_equal(lab_freezer_up(lab, &error), HS_ERR_SYSTEM);
    CHECK_ERROR_SAYS(&error, 0, "no control groups of version 2");
    fake_mount(FAKE_VERSION_2);
    fake_put("/cpu", "heteroslice", "a file");
    assert_int_equal(lab_cpu_up(lab, &error), HS_ERR_SYSTEM);
    assert_int_equal(lab_freezer_up(lab, &error), HS_ERR_SYSTEM);
    CHECK_ERROR_SAYS(&error, 0, "cannot make control group ");
    unlink(fake_path(fake_root, "cpu/heteroslice", other));
    assert_int_equal(lab_cpu_up(lab, &error), HS_OK);
    fake_put(in_lab("/cpu", "h0"), "stays", "");
    assert_int_equal(lab_cpu_down(saved_name, &found, &error), HS_ERR_SYSTEM);
    CHECK_ERROR_SAYS(&error, 0, " cannot be removed");
    assert_int_equal(found, 1);
    lab_free(lab);
}

/* The whole lab goes, found by its name once its description is gone. Only root can have made groups. */
static void groups_go_with_the_lab(void **state)
{
    hs_error error;
    lab_cluster *lab = lab_with(FAKE_BOTH, 1);
    int root = geteuid() == 0;
    for (int described = 1; described >= 0; described--) {
        assert_int_equal(lab_cpu_up(lab, &error), HS_OK);
        assert_int_equal(lab_freezer_up(lab, &error), HS_OK);
        assert_int_equal(lab_down(saved_name, &error), root || described ? HS_OK : HS_ERR_STATE);
        assert_int_equal(fake_has("/cpu", "heteroslice"), !root);
        assert_int_equal(fake_has("/two", "heteroslice"), !root);
    }
    assert_int_equal(lab_down(saved_name, &error), HS_ERR_STATE);
    lab_free(lab);
    take_down(!root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_group_for_each_host_and_core),   cmocka_unit_test(freezers_are_of_version_2),
        cmocka_unit_test(who_joins_is_in_both_hierarchies), cmocka_unit_test(processes_are_killed),
        cmocka_unit_test(groups_go_with_the_lab),           cmocka_unit_test(what_cannot_be_is_said),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
