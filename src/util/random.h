/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_UTIL_RANDOM_H
#define HS_UTIL_RANDOM_H

#include "util/hash.h"

/** A seeded generator (splitmix64) that gives the same numbers on every machine. */
typedef struct hs__random {
    uint64_t state;
} hs__random;

static inline uint64_t hs__random_next(hs__random *random)
{
    return hs__hash_spread(random->state += 0x9e3779b97f4a7c15u);
}

/** A double in [0, 1). */
static inline double hs__random_unit(hs__random *random)
{
    return (double)(hs__random_next(random) >> 11) * 0x1p-53;
}

/** A double from low to high. */
static inline double hs__random_between(hs__random *random, double low, double high)
{
    return low + (high - low) * hs__random_unit(random);
}

/** An integer in [0, n), n >= 1; the bias is below n / 2^64. */
static inline int64_t hs__random_below(hs__random *random, int64_t n)
{
    return (int64_t)(((unsigned __int128)hs__random_next(random) * (uint64_t)n) >> 64);
}

#endif
