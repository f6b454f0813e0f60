/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_UTIL_DOUBLE_BITS_H
#define HS_UTIL_DOUBLE_BITS_H

#include <stdint.h>
#include <string.h>

/* Non-negative doubles are ordered as their bit patterns, so a bisection over these ends at neighbours, in 64 steps at
 * most. */

static inline uint64_t hs__bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double hs__double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
