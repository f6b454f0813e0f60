/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_TESTS_COMMA_LOCALE_H
#define HS_TESTS_COMMA_LOCALE_H

/* A locale whose numbers have commas, as a program may set. */

#include "tests/unit.h"
#include "util/path.h"
#include <locale.h>
#include <stdlib.h>

/** Set such a locale: one that is installed, or one made for the moment. The test is skipped where there is none. */
static inline void comma_locale_begin(void)
{
    char folder[] = "/tmp/hs-locale-XXXXXX", command[128];
    if (!setlocale(LC_ALL, "de_DE.UTF-8")) {
        assert_non_null(mkdtemp(folder));
        snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >/dev/null 2>&1", folder);
        if (system(command) == 0) {
            setenv("LOCPATH", folder, 1);
            setlocale(LC_ALL, "de_DE.UTF-8");
            unsetenv("LOCPATH");
        }
        hs__path_remove(folder);
    }
    if (strcmp(localeconv()->decimal_point, ",") != 0)
        skip();
}

static inline void comma_locale_end(void)
{
    setlocale(LC_ALL, "C");
}

#endif
