/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_UTIL_ARRAY_H
#define HS_UTIL_ARRAY_H

#include <stddef.h>

/** Tests set it, to let an allocation fail; NULL otherwise. Asked by all functions below. */
extern int (*hs__array_fails)(void);

/** Return an array of n zeroed elements of size bytes, at least one byte, NULL when memory is out or the size
 * overflows. */
void *hs__array_new(size_t n, size_t size);

/** Like hs__array_new(), not zeroed, beginning at a multiple of alignment: a power of two of at least a pointer's size. */
void *hs__array_aligned(size_t bytes, size_t alignment);

/** Make room for `needed` elements of size bytes in *array (capacity in *capacity, grown by doubling).
 * @return 0, or -1 when memory is out: *array and *capacity are then as before. */
int hs__array_reserve(void *array, size_t *capacity, size_t needed, size_t size);

/** A copy of text on the heap; NULL when memory is out. */
char *hs__text_copy(const char *text);

#endif
