/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_TESTS_RUNTIME_REPORT_TOLD_H
#define HS_TESTS_RUNTIME_REPORT_TOLD_H

/* What a report prints, with one blank where there are several. */

#include "tests/unit.h"

typedef struct told {
    char *text;
    size_t size;
    FILE *file;
} told;

/** @return where to print to */
static inline FILE *told_file(told *t)
{
    t->file = open_memstream(&t->text, &t->size);
    assert_non_null(t->file);
    return t->file;
}

/** Fails unless this was printed; frees it. */
static inline void told_check(told *t, const char *expected)
{
    assert_int_equal(fclose(t->file), 0);
    char *out = t->text;
    for (const char *in = t->text; *in; in++)
        if (*in != ' ' || (in[1] != ' ' && in[1] != '\n'))
            *out++ = *in;
    *out = '\0';
    assert_string_equal(t->text, expected);
    free(t->text);
}

#endif
