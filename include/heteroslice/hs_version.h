/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HETEROSLICE_HS_VERSION_H
#define HETEROSLICE_HS_VERSION_H

#include <heteroslice/hs_status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of these headers, by the rules of Semantic Versioning. */
#define HS_VERSION_MAJOR 0
#define HS_VERSION_MINOR 1
#define HS_VERSION_PATCH 0

/** Return the version of the library the program runs with, as "MAJOR.MINOR.PATCH". It may be newer than that of the
 * headers the program was compiled with. (Intel Hyperscan owns the name hs_version.) */
HS_API const char *hs_library_version(void);

#ifdef __cplusplus
}
#endif
#endif
