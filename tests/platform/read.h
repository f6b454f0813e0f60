/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_TESTS_PLATFORM_READ_H
#define HS_TESTS_PLATFORM_READ_H

#include "tests/unit.h"
#include <heteroslice/hs_platform.h>

/** A platform file of the source tree, by its name from the top. The caller frees it. */
static inline hs_platform *read_platform(const char *name)
{
    char path[4096];
    hs_platform *p = NULL;
    hs_error error = {0, ""};
    snprintf(path, sizeof path, "%s/%s", getenv("HS_TEST_SRCDIR"), name);
    if (hs_platform_read(path, &p, &error) != HS_OK) {
        fprintf(stderr, "%s:%d: %s\n", path, error.line, error.text);
        fail();
    }
    return p;
}

#endif
