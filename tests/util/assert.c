/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/assert.h"
#include "tests/unit.h"
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int evaluated;

static int is_evaluated(int result)
{
    evaluated++;
    return result;
}

/* Two assertions, the second of which fails. */
static void state_both(void)
{
    HS_ASSERT(is_evaluated(1));
    HS_ASSERT(is_evaluated(0) == 1);
}

/* A child with this value of HS_CHECK makes assertions. Returns its wait status; what it said is in said. */
static int child_with(const char *value, void (*assertions)(void), char *said, size_t size)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(ends[1], 2);
        if (value)
            setenv("HS_CHECK", value, 1);
        else
            unsetenv("HS_CHECK");
        assertions();
        _exit(evaluated);
    }
    close(ends[1]);
    size_t length = 0;
    for (ssize_t got; (got = read(ends[0], said + length, size - 1 - length)) > 0;)
        length += (size_t)got;
    said[length] = '\0';
    close(ends[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void a_failed_assertion_says_where_and_aborts(void **state)
{
    char said[512];
    int status = child_with("1", state_both, said, sizeof said);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    assert_memory_equal(said, "heteroslice: ", 13);
    assert_non_null(strstr(said, "assert.c:"));
    assert_non_null(strstr(said, ": assertion failed: is_evaluated(0) == 1\n"));
}

static hs_status check(const int *number, hs_error *error)
{
    return *number == 1 ? HS_OK : hs_error_set(error, HS_ERR_INTERNAL, 0, "number %d is not 1", *number);
}

static void check_numbers(void)
{
    const int one = 1, two = 2;
    HS_ASSERT_SOUND(check, &one);
    HS_ASSERT_SOUND(check, &two);
}

static void a_failed_check_says_what_it_found(void **state)
{
    char said[512];
    int status = child_with("1", check_numbers, said, sizeof said);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    assert_non_null(strstr(said, ": assertion failed: number 2 is not 1\n"));
    assert_true(WIFEXITED(child_with("0", check_numbers, said, sizeof said)));
}

static void conditions_are_not_evaluated_when_checks_are_off(void **state)
{
    static const char *const off[] = {NULL, "0", "many"};
    for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
        char said[512];
        int status = child_with(off[i], state_both, said, sizeof said);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
        assert_string_equal(said, "");
    }
}

/* Last: it reads the flag, which the children of the others read for themselves. */
static void tests_run_with_checks(void **state)
{
    if (!getenv("HS_CHECK"))
        skip(); /* started by hand */
    assert_true(hs__checking());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failed_assertion_says_where_and_aborts),
        cmocka_unit_test(a_failed_check_says_what_it_found),
        cmocka_unit_test(conditions_are_not_evaluated_when_checks_are_off),
        cmocka_unit_test(tests_run_with_checks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
