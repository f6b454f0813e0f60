/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_UTIL_UNITS_H
#define HS_UTIL_UNITS_H

#include <locale.h>

/** strtod in the C locale, whatever locale the host program has set: a file reads the same everywhere. */
double hs__strtod_c(const char *text, char **end);

/** From here on this thread prints numbers as the C locale does: the host program's may have commas, which no reader of a file
 * takes. @return what hs__c_locale_leave() takes to end that */
locale_t hs__c_locale_enter(void);
void hs__c_locale_leave(locale_t before);

/** Whether a value other than 0 lies between 1e-100 and 1e100 base units: so far from the ends of double precision that
 * planners may multiply and divide such values. Zero, negative values and NaN do not. */
int hs__quantity_in_range(double value);

#endif
