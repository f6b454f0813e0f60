/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_UTIL_PLURAL_H
#define HS_UTIL_PLURAL_H

/** The ending of a noun behind its number: "1 host", "2 hosts". */
static inline const char *hs__plural(long long count)
{
    return count == 1 ? "" : "s";
}

#endif
