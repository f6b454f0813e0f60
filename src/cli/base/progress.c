/* SPDX-License-Identifier: BSD-3-Clause */
/* The line that says what takes long. A process of its own draws it: planners call nobody back, and what forks or enters
 * namespaces, as hs lab does, should have no second thread and be interrupted by no timer. */
#include "config.h"

#include "cli/base/progress.h"
#include "util/clock.h"
#include "util/options.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FIRST_MS = 2000, NEXT_MS = 1000 };

/* The process that draws, and our end of a connection to it. */
static struct {
    pid_t child;
    int connection;
} drawer;

static int is_terminal(void)
{
    const char *kind = hs__options_environment("TERM");
    return isatty(STDERR_FILENO) && kind && strcmp(kind, "dumb") != 0;
}

/* What ends the command ends the drawer by the connection, after it has erased the line. */
static void ignore_interrupts(void)
{
    const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTTOU};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        signal(ends[i], SIG_IGN);
}

/* A command that dies closes the connection, unless it left a process behind that holds it, such as the lab's throttler. */
static int is_over(int connection, pid_t command, int milliseconds)
{
    struct pollfd event = {.fd = connection, .events = POLLIN};
    return poll(&event, 1, milliseconds) != 0 || getppid() != command;
}

static void draw(int connection, pid_t command, const char *verb, const char *what)
{
    int64_t begin = hs__clock_ns();
    int drawn = 0;
    ignore_interrupts();
    while (!is_over(connection, command, drawn ? NEXT_MS : FIRST_MS)) {
        if (tcgetpgrp(STDERR_FILENO) != getpgrp())
            continue;
        dprintf(STDERR_FILENO, "\r\033[Khs %s: %s, %.0f s", verb, what, 1e-9 * (double)(hs__clock_ns() - begin));
        drawn = 1;
    }
    if (drawn)
        dprintf(STDERR_FILENO, "\r\033[K");
    _exit(0);
}

void cli_progress_begin(const cli_verb *verb, const char *what)
{
    int ends[2];
    pid_t command = getpid();
    if (drawer.child > 0 || !is_terminal() || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return;
    pid_t child = fork();
    if (child == 0) {
        close(ends[1]);
        draw(ends[0], command, verb->name, what);
    }
    close(ends[0]);
    if (child < 0) {
        close(ends[1]);
        return;
    }
    drawer.child = child;
    drawer.connection = ends[1];
}

void cli_progress_end(void)
{
    if (drawer.child <= 0)
        return;
    shutdown(drawer.connection, SHUT_RDWR);
    close(drawer.connection);
    while (waitpid(drawer.child, NULL, 0) < 0 && errno == EINTR)
        ;
    drawer.child = 0;
}
