/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_UTIL_UNITS_H
#define HS_UTIL_UNITS_H

/** strtod in the C locale, whatever locale the host program has set: a file reads the same everywhere. */
double hs__strtod_c(const char *text, char **end);

/** Whether a value other than 0 lies between 1e-100 and 1e100 base units: so far from the ends of double precision that
 * planners may multiply and divide such values. Zero, negative values and NaN do not. */
int hs__quantity_in_range(double value);

#endif
