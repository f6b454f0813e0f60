/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_UTIL_MESSAGE_H
#define HS_UTIL_MESSAGE_H

#include <signal.h>

/** Write "heteroslice: TEXT" as a line to standard error, which other ranks and threads share: in one piece, so that no
 * other line stands within it. Text is cut at some 600 bytes. */
void hs__message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** Write lines to standard error, in one piece as well. Where nobody reads a pipe any more, or it is full or closed, nothing
 * happens. */
void hs__message_write(const char *text);

/** For what the library writes in a program: who writes to a pipe or socket that nobody reads any more gets SIGPIPE, of which the
 * program would end. Of the thread, between a begin and its end, such a write just fails. */
typedef struct hs__pipe_guard {
    sigset_t before;
    int pending; /* a SIGPIPE of the program's, which stays */
} hs__pipe_guard;

void hs__pipe_guard_begin(hs__pipe_guard *guard);
void hs__pipe_guard_end(const hs__pipe_guard *guard);

#endif
