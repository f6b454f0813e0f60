/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_TESTS_UNIT_H
#define HS_TESTS_UNIT_H

/* Included by every unit test: cmocka with its prerequisites, and typed checks that print both sides. */

#include "config.h"
#include <heteroslice/hs_status.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/** Fails unless |actual - expected| <= tolerance * max(1, |expected|); NaN always fails. */
#define CHECK_CLOSE(actual, expected, tolerance) \
    check_close_at(actual, expected, tolerance, #actual, __FILE__, __LINE__)

static inline void check_close_at(double actual, double expected, double tolerance, const char *what, const char *file,
                                  int line)
{
    double scale = fabs(expected) > 1 ? fabs(expected) : 1;
    if (actual == expected || fabs(actual - expected) <= tolerance * scale)
        return;
    fprintf(stderr, "%s is %.17g, expected %.17g (tolerance %g)\n", what, actual, expected, tolerance);
    _fail(file, line);
}

/** Fails unless an error has this text and is of this line of a file, 0 where it is of none. */
#define CHECK_ERROR(error, line, text) check_error_at(error, line, text, 1, __FILE__, __LINE__)

/** The same of an error whose text contains these words. */
#define CHECK_ERROR_SAYS(error, line, words) check_error_at(error, line, words, 0, __FILE__, __LINE__)

static inline void check_error_at(const hs_error *error, int of_line, const char *words, int whole, const char *file,
                                  int line)
{
    if (error->line == of_line && (whole ? strcmp(error->text, words) == 0 : strstr(error->text, words) != NULL))
        return;
    fprintf(stderr, "line %d: '%s', expected line %d: '%s'\n", error->line, error->text, of_line, words);
    _fail(file, line);
}

#endif
