/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "util/message.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static sigset_t only_pipe(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    return set;
}

void hs__pipe_guard_begin(hs__pipe_guard *guard)
{
    sigset_t set = only_pipe(), pending;
    sigpending(&pending);
    guard->pending = sigismember(&pending, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &set, &guard->before);
}

void hs__pipe_guard_end(const hs__pipe_guard *guard)
{
    static const struct timespec at_once;
    sigset_t set = only_pipe();
    if (!guard->pending)
        sigtimedwait(&set, NULL, &at_once);
    pthread_sigmask(SIG_SETMASK, &guard->before, NULL);
}

/* Of a process that began without standard error, the descriptor is any file that it has opened since. */
static int has_none;

__attribute__((constructor)) static void look_for_stderr(void)
{
    has_none = fcntl(STDERR_FILENO, F_GETFD) < 0;
}

/* Not by stdio: the program may look whether its stream had an error, may have closed it or write wide characters to it. */
void hs__message_write(const char *text)
{
    size_t length = strlen(text), done = 0;
    ssize_t written = 0;
    hs__pipe_guard guard;
    hs__pipe_guard_begin(&guard);
    while (!has_none && done < length && (written >= 0 || errno == EINTR)) {
        written = write(STDERR_FILENO, text + done, length - done);
        done += written > 0 ? (size_t)written : 0;
    }
    hs__pipe_guard_end(&guard);
}

void hs__message(const char *format, ...)
{
    char line[640] = "heteroslice: ";
    size_t used = strlen(line);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + used, sizeof line - used - 1, format, arguments);
    va_end(arguments);
    memcpy(line + strlen(line), "\n", 2);
    hs__message_write(line);
}
