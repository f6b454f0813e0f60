/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_TESTS_FUZZ_H
#define HS_TESTS_FUZZ_H

/* A target takes one input of any bytes: it must end, and leave nothing behind. libFuzzer calls it with inputs that it
 * makes up (tests/fuzz/run), and corpus.c with those that are checked in. */

#include <heteroslice/hs_status.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** The path of a file in memory that holds the input, until the next call. */
const char *fuzz_file(const uint8_t *data, size_t size);

/** The input as text that the caller frees; it ends at a byte 0. */
char *fuzz_text(const uint8_t *data, size_t size);

/** Let setting(NAME, VALUE) see each line "NAME=VALUE" of text, whose ends of lines and "=" are overwritten. */
void fuzz_settings(char *text, void (*setting)(const char *name, const char *value));

/** An error of the caller's: says something, in one line without control bytes. */
void fuzz_check_error(const hs_error *error);

/** Ends the program where a condition does not hold, in every build. */
#define FUZZ_CHECK(condition)                                                       \
    do {                                                                            \
        if (!(condition)) {                                                         \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                                \
        }                                                                           \
    } while (0)

#endif
