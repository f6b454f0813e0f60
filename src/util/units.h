/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_UTIL_UNITS_H
#define HS_UTIL_UNITS_H

/** strtod in the C locale, whatever locale the host program has set: a file reads the same everywhere. */
double hs__strtod_c(const char *text, char **end);

#endif
