/* SPDX-License-Identifier: BSD-3-Clause */
#include <heteroslice/hs_version.h>

#define TEXT(number) #number
#define DOTTED(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)

const char *hs_library_version(void)
{
    return DOTTED(HS_VERSION_MAJOR, HS_VERSION_MINOR, HS_VERSION_PATCH);
}
