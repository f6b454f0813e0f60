/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_UTIL_SORT_H
#define HS_UTIL_SORT_H

#include <stddef.h>
#include <stdint.h>

/** Sort n values, the least first. */
void hs__sort_doubles(double *value, size_t n);
void hs__sort_int64s(int64_t *value, size_t n);

/** Likewise. @return the place of one that equals the one before it; 0 when all differ */
size_t hs__sort_ints(int *value, size_t n);

/** A value, and the number of what it is of. */
typedef struct hs__ranked {
    double value;
    int index;
} hs__ranked;

/** Sort the least value first, or the largest, and the lowest index first among equals. */
void hs__rank_least_first(hs__ranked *list, size_t n);
void hs__rank_largest_first(hs__ranked *list, size_t n);

#endif
