/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_UTIL_HASH_H
#define HS_UTIL_HASH_H

#include <stddef.h>
#include <stdint.h>

/* 64-bit FNV-1a, and the finalizer of splitmix64, which spreads a number over all bits. */

#define HS__HASH_START UINT64_C(0xcbf29ce484222325)

static inline uint64_t hs__hash_add(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * UINT64_C(0x100000001b3);
}

static inline uint64_t hs__hash_bytes(uint64_t hash, const void *bytes, size_t n)
{
    for (const unsigned char *byte = bytes; n > 0; n--)
        hash = hs__hash_add(hash, *byte++);
    return hash;
}

static inline uint64_t hs__hash_spread(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

#endif
