/* SPDX-License-Identifier: BSD-3-Clause */
/* The process that draws the line of progress: there where somebody looks, once, and gone afterwards. tests/cli/progress.sh looks at
 * what it draws. */
#include "config.h"

#include "cli/base/progress.h"
#include "tests/unit.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

static const cli_verb verb = {"ring", "finds a ring", "hs ring PLATFORM", NULL};

/* Whether this process has a child, none of which has ended. */
static int has_child(void)
{
    pid_t ended = waitpid(-1, NULL, WNOHANG);
    assert_true(ended == 0 || (ended < 0 && errno == ECHILD));
    return ended == 0;
}

static void nobody_looks(void **state)
{
    int kept = dup(STDERR_FILENO), nothing = open("/dev/null", O_WRONLY);
    setenv("TERM", "xterm", 1);
    dup2(nothing, STDERR_FILENO);
    cli_progress_begin(&verb, "searches");
    int child = has_child();
    cli_progress_end();
    dup2(kept, STDERR_FILENO);
    close(kept);
    close(nothing);
    assert_false(child);
}

/* With this terminal on standard error: whether there is a child after a first, and a second begin, and after the end. */
static void check_terminal(const char *kind, int expected)
{
    int children[4], kept = dup(STDERR_FILENO), master = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    int terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
    assert_true(terminal >= 0);
    if (kind)
        setenv("TERM", kind, 1);
    else
        unsetenv("TERM");
    dup2(terminal, STDERR_FILENO);
    for (int round = 0; round < 2; round++) {
        cli_progress_begin(&verb, "searches");
        cli_progress_begin(&verb, "searches on"); /* it is drawn already */
        children[2 * round] = has_child();
        cli_progress_end();
        cli_progress_end();
        children[2 * round + 1] = has_child();
    }
    dup2(kept, STDERR_FILENO);
    close(kept);
    close(terminal);
    close(master);
    for (int k = 0; k < 4; k++)
        assert_int_equal(children[k], k % 2 ? 0 : expected);
}

static void somebody_looks(void **state)
{
    check_terminal("xterm", 1);
    check_terminal("dumb", 0);
    check_terminal(NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nobody_looks), cmocka_unit_test(somebody_looks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
