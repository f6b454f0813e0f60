/* SPDX-License-Identifier: BSD-3-Clause */
/* Children and tools: how they end, what they said, and which process is which. */
#include "tests/unit.h"

#include "lab/process.h"
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void writes_say_why_they_failed(void **state)
{
    char path[] = "/tmp/hs-process-XXXXXX", text[16] = "";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(lab_write(path, "0::/"), 0);
    assert_int_equal(read(file, text, sizeof text - 1), 4);
    assert_string_equal(text, "0::/");
    close(file);
    unlink(path);
    errno = 0;
    assert_int_equal(lab_write(path, "x"), -1);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(lab_write("/dev/full", "x"), -1);
    assert_int_equal(errno, ENOSPC);
}

static void a_childs_end_is_told(void **state)
{
    pid_t child = fork();
    if (child == 0)
        _exit(7);
    assert_int_equal(lab_wait_child(child), 7);
    child = fork();
    if (child == 0) {
        raise(SIGKILL);
        _exit(0);
    }
    assert_int_equal(lab_wait_child(-1), 128 + SIGKILL);
    assert_int_equal(lab_wait_child(-1), -1);
}

/* The child asks this process to end until that is passed on to it, or to its group. */
static void signals_are_passed_on(void **state)
{
    for (int group = 0; group < 2; group++) {
        struct timespec shortly = {0, 1000000};
        signal(SIGTERM, SIG_IGN);
        pid_t parent = getpid(), child = fork();
        if (child == 0) {
            if (group)
                setpgid(0, 0);
            signal(SIGTERM, SIG_DFL);
            while (getppid() == parent && kill(parent, SIGTERM) == 0)
                nanosleep(&shortly, NULL);
            _exit(0);
        }
        if (group)
            setpgid(child, child);
        assert_int_equal(lab_supervise(child, group ? -child : child), 128 + SIGTERM);
        raise(SIGTERM); /* the child has ended: nobody gets it */
        signal(SIGTERM, SIG_DFL);
    }
}

static char tool[] = "/tmp/hs-tool-XXXXXX";

/* A tool that says its arguments and its input, and ends so. */
static void make_tool(int status)
{
    FILE *file = fopen(tool, "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\necho \"$@\"\ncat\nexit %d\n", status);
    fclose(file);
    chmod(tool, 0700);
}

static void run_tool(const char *commands, const char *name, lab_on_error on_error, int status, const char *said)
{
    char text[300] = "";
    lab_script script = {0};
    FILE *output = tmpfile();
    assert_int_equal(lab_script_open(&script), 0);
    fputs(commands, script.stream);
    assert_int_equal(lab_script_close(&script), 0);
    assert_int_equal(lab_script_run(&script, name, on_error, output), status);
    rewind(output);
    text[fread(text, 1, sizeof text - 1, output)] = '\0';
    assert_string_equal(text, said);
    fclose(output);
    lab_script_free(&script);
}

static void tools_read_scripts(void **state)
{
    int file = mkstemp(tool);
    assert_true(file >= 0);
    close(file);
    make_tool(3);
    run_tool("link a\nlink b\n", tool, LAB_STOP, 3, "-batch -\nlink a\nlink b\n");
    run_tool("link a\n", tool, LAB_GO_ON, 3, "-force -batch -\nlink a\n");
    run_tool("", tool, LAB_STOP, 0, ""); /* nothing to do */
    unlink(tool);
    run_tool("link a\n", "/nowhere/ip", LAB_STOP, 127,
             "cannot start /nowhere/ip (package iproute2): No such file or directory\n");
}

static void the_first_line_is_the_reason(void **state)
{
    static const char *const said[][2] = {{"a\nb\n", "a"}, {"a", "a"}, {"", "ip or tc failed and did not say why"}};
    for (size_t k = 0; k < sizeof said / sizeof *said; k++) {
        hs_error error = {.line = 7};
        FILE *output = tmpfile();
        fputs(said[k][0], output);
        lab_error_from_output(output, HS_ERR_SYSTEM, &error);
        CHECK_ERROR(&error, 0, said[k][1]);
        fclose(output);
    }
}

/* Whatever a process is called. */
static void a_process_is_known_by_its_start(void **state)
{
    lab_identity self = {0}, again = {0}, other = {0};
    assert_int_equal(lab_process_identify(getpid(), &self), 0);
    assert_int_equal(self.group, getpgrp());
    assert_true(self.start > 0);
    prctl(PR_SET_NAME, ") R 1 (2");
    assert_int_equal(lab_process_identify(getpid(), &again), 0);
    assert_true(again.group == self.group && again.start == self.start);
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        setpgid(0, 0);
        pause();
        _exit(0);
    }
    setpgid(child, child);
    assert_int_equal(lab_process_identify(child, &other), 0);
    assert_int_equal(other.group, child);
    assert_true(other.start >= self.start);
    kill(child, SIGKILL);
    assert_int_equal(lab_wait_child(child), 128 + SIGKILL);
    assert_int_equal(lab_process_identify(child, &other), -1);
}

/* By its environment at its start. */
static void processes_bear_marks(void **state)
{
    int ends[2], endless[2];
    char byte;
    assert_int_equal(pipe(ends) | pipe(endless), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(endless[0], STDIN_FILENO);
        dup2(ends[1], STDOUT_FILENO);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        execle("/bin/sh", "sh", "-c", "echo; read line", (char *)NULL,
               (char *[]){"A=1", "HS_TEST_MARK=12", "B=2", NULL});
        _exit(127);
    }
    assert_int_equal(read(ends[0], &byte, 1), 1); /* it is the shell by now */
    assert_true(lab_process_marked(child, "HS_TEST_MARK=12"));
    assert_true(lab_process_marked(child, "B=2"));
    assert_false(lab_process_marked(child, "HS_TEST_MARK=1"));
    assert_false(lab_process_marked(child, "HS_TEST_MARK=123"));
    assert_false(lab_process_marked(child, "MARK=12"));
    kill(child, SIGKILL);
    assert_int_equal(lab_wait_child(child), 128 + SIGKILL);
    assert_false(lab_process_marked(child, "HS_TEST_MARK=12"));
    close(ends[0]);
    close(ends[1]);
    close(endless[0]);
    close(endless[1]);
}

static void a_namespace_that_is_not_there(void **state)
{
    errno = 0;
    assert_int_equal(lab_enter_netns("hs.nobody.h0"), -1);
    assert_int_equal(errno, ENOENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_say_why_they_failed),   cmocka_unit_test(a_childs_end_is_told),
        cmocka_unit_test(signals_are_passed_on),        cmocka_unit_test(tools_read_scripts),
        cmocka_unit_test(the_first_line_is_the_reason), cmocka_unit_test(a_process_is_known_by_its_start),
        cmocka_unit_test(processes_bear_marks),         cmocka_unit_test(a_namespace_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
