/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_TESTS_SAID_H
#define HS_TESTS_SAID_H

/* What is said on standard error between two calls. */

#include "tests/mpi.h"

typedef struct said {
    int file, kept; /* descriptors: where it goes, and what standard error was */
} said;

static inline said said_begin(void)
{
    char name[] = "/tmp/hs-said-XXXXXX";
    said s = {mkstemp(name), dup(STDERR_FILENO)};
    REQUIRE(s.file >= 0 && s.kept >= 0 && unlink(name) == 0 && dup2(s.file, STDERR_FILENO) >= 0);
    return s;
}

static inline void said_end(said *s, char *text, size_t size)
{
    REQUIRE(dup2(s->kept, STDERR_FILENO) >= 0);
    ssize_t length = pread(s->file, text, size - 1, 0);
    REQUIRE(length >= 0);
    text[length] = '\0';
    close(s->kept);
    close(s->file);
}

#endif
