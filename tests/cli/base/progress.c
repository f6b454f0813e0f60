/* SPDX-License-Identifier: BSD-3-Clause */
/* The process that draws the line of progress: there where somebody looks, once, and gone afterwards.
 * tests/cli/progress.sh looks at lines of verbs. */
#include "config.h"

#include "cli/base/progress.h"
#include "tests/unit.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const cli_verb verb = {"ring", "finds a ring", "hs ring PLATFORM", NULL};

/* Whether this process has a child, none of which has ended. */
static int has_child(void)
{
    pid_t ended = waitpid(-1, NULL, WNOHANG);
    assert_true(ended == 0 || (ended < 0 && errno == ECHILD));
    return ended == 0;
}

/* Waits of the drawer that are over at once, as if their time had passed. */
static int waits_left;

/* Of a clock that goes on by a second at each reading. */
static time_t seconds;

int __wrap_clock_gettime(clockid_t clock, struct timespec *time);

int __wrap_clock_gettime(clockid_t clock, struct timespec *time)
{
    *time = (struct timespec){.tv_sec = seconds++};
    return 0;
}

int __real_poll(struct pollfd *events, nfds_t n, int milliseconds);
int __wrap_poll(struct pollfd *events, nfds_t n, int milliseconds);

int __wrap_poll(struct pollfd *events, nfds_t n, int milliseconds)
{
    return waits_left-- > 0 ? 0 : __real_poll(events, n, -1);
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

/* The line as its terminal gets it, of a command that owns the terminal: at once after the first wait, and erased at the end. */
static _Noreturn void be_watched(const char *terminal)
{
    setsid();
    dup2(open(terminal, O_RDWR), STDERR_FILENO); /* which makes it this session's */
    setenv("TERM", "xterm", 1);
    seconds = 0;
    waits_left = 2;
    cli_progress_begin(&verb, "searches");
    int child = has_child();
    char byte;
    _exit(read(STDIN_FILENO, &byte, 1) == 1 && (cli_progress_end(), child) ? 0 : 1);
}

static void a_line_is_drawn_and_erased(void **state)
{
    static const char drawn[] = "\r\033[Khs ring: searches, 1 s\r\033[Khs ring: searches, 2 s", erased[] = "\r\033[K";
    char seen[sizeof drawn] = "";
    size_t length = 0;
    int orders[2], master = posix_openpt(O_RDWR | O_NOCTTY), status;
    assert_true(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0 && pipe(orders) == 0);
    pid_t command = fork();
    if (command == 0) {
        dup2(orders[0], STDIN_FILENO);
        be_watched(ptsname(master));
    }
    while (length < strlen(drawn)) {
        ssize_t got = read(master, seen + length, strlen(drawn) - length);
        assert_true(got > 0);
        length += (size_t)got;
    }
    assert_string_equal(seen, drawn);
    assert_int_equal(write(orders[1], "", 1), 1);
    assert_int_equal(read(master, seen, sizeof seen), strlen(erased));
    assert_memory_equal(seen, erased, strlen(erased));
    assert_int_equal(waitpid(command, &status, 0), command);
    assert_int_equal(status, 0);
    close(orders[0]);
    close(orders[1]);
    close(master);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nobody_looks), cmocka_unit_test(somebody_looks),
                                       cmocka_unit_test(a_line_is_drawn_and_erased)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
