/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_TESTS_CLI_BASE_CAPTURE_H
#define HS_TESTS_CLI_BASE_CAPTURE_H

/* What is printed on one of the standard streams between two calls. */

#include "tests/unit.h"
#include <unistd.h>

typedef struct capture {
    FILE *stream;   /* stdout or stderr */
    int file, kept; /* descriptors: where it goes, and what the stream was */
} capture;

static inline capture capture_begin(FILE *stream)
{
    char name[] = "/tmp/hs-capture-XXXXXX";
    capture c = {stream, mkstemp(name), dup(fileno(stream))};
    fflush(stream);
    assert_true(c.file >= 0 && c.kept >= 0 && unlink(name) == 0 && dup2(c.file, fileno(stream)) >= 0);
    return c;
}

static inline void capture_end(capture *c, char *text, size_t size)
{
    fflush(c->stream);
    dup2(c->kept, fileno(c->stream));
    ssize_t length = pread(c->file, text, size - 1, 0);
    text[length > 0 ? length : 0] = '\0';
    close(c->kept);
    close(c->file);
}

#endif
