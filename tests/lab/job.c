/* SPDX-License-Identifier: BSD-3-Clause */
/* What a launcher is told of a job on a lab without network, and how the job ends. The launcher is a script that writes down its
 * words and variables. */
#include "tests/lab/saved.h"
#include "tests/short_of_memory.h"

#include <signal.h>
#include <sys/stat.h>

static char launcher_file[] = "/tmp/hs-launcher-XXXXXX", told_file[] = "/tmp/hs-told-XXXXXX";
static const int hosts[] = {1, 0}; /* b with two cores, then a */
static char *const program[] = {"./a", "x y", NULL};

static int begin(void **state)
{
    int launcher = mkstemp(launcher_file), told = mkstemp(told_file);
    if (launcher < 0 || told < 0 || close(launcher) != 0 || close(told) != 0)
        return -1;
    return saved_begin(state);
}

static int end(void **state)
{
    unlink(launcher_file);
    unlink(told_file);
    return saved_end(state);
}

static void write_launcher(const char *last)
{
    FILE *file = fopen(launcher_file, "w");
    assert_non_null(file);
    fprintf(file,
            "#!/bin/sh\nprintf '%%s|' \"$@\" >%s\necho >>%s\n"
            "echo \"$HS_RANKS $%s ${LD_PRELOAD-none} ${%s-none}\" >>%s\necho $%s >>%s\n%s\n",
            told_file, told_file, LAB_PLACES, LAB_PRELOAD, told_file, LAB_RUN, told_file, last);
    fclose(file);
    chmod(launcher_file, 0700);
}

static hs_status run_on(const lab_cluster *lab, int ranks, const char *preload, int *exit_status, hs_error *error)
{
    char *words[] = {"-v"};
    const hs__words options = {.item = words, .count = 1};
    const hs__launcher launcher = {HS__LAUNCHER_HYDRA, launcher_file};
    const lab_job job = {.lab = lab,
                         .selected = hosts,
                         .selected_count = 2,
                         .ranks = ranks,
                         .launcher = &launcher,
                         .options = &options,
                         .program = program,
                         .self = "/nowhere/hs",
                         .preload = preload};
    return lab_run(&job, exit_status, error);
}

static hs_status run(int ranks, const char *preload, int *exit_status, hs_error *error)
{
    lab_cluster *lab = saved_read();
    hs_status status = run_on(lab, ranks, preload, exit_status, error);
    lab_free(lab);
    return status;
}

/* The launcher's words, and its number of ranks, their places, what it preloads itself and what ranks do; and whose job it is. */
static void check_told(const char *ranks, const char *second_line)
{
    char first[400] = "", second[400] = "", third[40] = "", expected[400];
    FILE *file = fopen(told_file, "r");
    assert_non_null(file);
    assert_non_null(fgets(first, sizeof first, file));
    assert_non_null(fgets(second, sizeof second, file));
    assert_non_null(fgets(third, sizeof third, file));
    fclose(file);
    snprintf(expected, sizeof expected, "-bind-to|none|-v|-n|%s|/nowhere/hs|lab|rank|%s|./a|x y|\n", ranks, saved_name);
    assert_string_equal(first, expected);
    assert_string_equal(second, second_line);
    snprintf(expected, sizeof expected, "%ld\n", (long)getpid());
    assert_string_equal(third, expected);
}

static void a_rank_per_core_in_the_order_of_hosts(void **state)
{
    int result = -1;
    hs_error error;
    saved_make(0);
    unsetenv("LD_PRELOAD");
    setenv(LAB_RUN, "of a job around this one", 1);
    write_launcher("exit 5");
    assert_int_equal(run(0, NULL, &result, &error), HS_OK);
    assert_int_equal(result, 5);
    check_told("3", "3 1,1,0 none none\n");
    assert_int_equal(run(5, NULL, &result, &error), HS_OK);
    check_told("5", "5 1,1,0,1,1 none none\n");
    assert_int_equal(run(1, NULL, &result, &error), HS_OK);
    check_told("1", "1 1 none none\n");
}

/* What is the lab's own is for the launcher, too; what the user preloads is for ranks only. */
static void ranks_preload_what_the_user_does(void **state)
{
    int result = -1;
    hs_error error;
    saved_make(0);
    write_launcher("exit 0");
    assert_int_equal(run(1, "libm.so.6", &result, &error), HS_OK);
    check_told("1", "1 1 libm.so.6 libm.so.6\n");
    setenv("LD_PRELOAD", "libdl.so.2", 1);
    assert_int_equal(run(1, "libm.so.6", &result, &error), HS_OK);
    check_told("1", "1 1 libm.so.6 libm.so.6:libdl.so.2\n");
    assert_int_equal(run(1, NULL, &result, &error), HS_OK);
    check_told("1", "1 1 none libdl.so.2\n");
    setenv("LD_PRELOAD", "", 1);
    assert_int_equal(run(1, NULL, &result, &error), HS_OK);
    check_told("1", "1 1 none none\n");
    unsetenv("LD_PRELOAD");
    assert_int_equal(result, 0);
}

static hs_status run_short_of_memory(const void *lab)
{
    int result;
    hs_error error = {.line = 7};
    hs_status status = run_on(lab, 1, NULL, &result, &error);
    if (status != HS_OK)
        CHECK_ERROR(&error, 0, "out of memory");
    return status;
}

static void a_job_needs_memory(void **state)
{
    saved_make(0);
    write_launcher("exit 0");
    lab_cluster *lab = saved_read();
    assert_true(fail_each_allocation(run_short_of_memory, lab) > 2);
    lab_free(lab);
}

static void how_a_launcher_ends(void **state)
{
    int result = -1;
    hs_error error;
    saved_make(0);
    write_launcher("kill -TERM $$");
    assert_int_equal(run(1, NULL, &result, &error), HS_OK);
    assert_int_equal(result, 128 + SIGTERM);
    unlink(launcher_file);
    assert_int_equal(run(1, NULL, &result, &error), HS_OK);
    assert_int_equal(result, 127);
}

/* The agent is a link to hs itself, by which it knows the lab. */
static void launchers_find_an_agent(void **state)
{
    int result = -1;
    char path[LAB_PATH], target[64] = "";
    struct stat facts;
    hs_error error;
    saved_make(0);
    write_launcher("exit 0");
    unlink(lab_file(saved_name, LAB_AGENT, path));
    assert_int_equal(symlink("/old", path), 0);
    assert_int_equal(run(1, NULL, &result, &error), HS_OK);
    assert_int_equal(readlink(path, target, sizeof target - 1), strlen("/nowhere/hs"));
    assert_string_equal(target, "/nowhere/hs");
    assert_int_equal(stat(lab_file(saved_name, "tmp", path), &facts), 0);
    assert_true(S_ISDIR(facts.st_mode));
}

static void what_cannot_start_is_said(void **state)
{
    const hs__launcher srun = {HS__LAUNCHER_SRUN, launcher_file};
    int result = -1;
    hs_error error;
    saved_make(0);
    lab_cluster *lab = saved_read();
    lab_job job = {.lab = lab,
                   .selected = hosts,
                   .selected_count = 2,
                   .launcher = &srun,
                   .program = program,
                   .self = "/nowhere/hs"};
    assert_int_equal(lab_run(&job, &result, &error), HS_ERR_UNSUPPORTED);
    CHECK_ERROR_SAYS(&error, 0, "srun");
    lab->throttled = 1; /* and no throttler runs */
    assert_int_equal(lab_run(&job, &result, &error), HS_ERR_STATE);
    CHECK_ERROR_SAYS(&error, 0, "throttler has ended");
    assert_int_equal(result, -1);
    lab_free(lab);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rank_per_core_in_the_order_of_hosts),
        cmocka_unit_test(ranks_preload_what_the_user_does),
        cmocka_unit_test(a_job_needs_memory),
        cmocka_unit_test(how_a_launcher_ends),
        cmocka_unit_test(launchers_find_an_agent),
        cmocka_unit_test(what_cannot_start_is_said),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
