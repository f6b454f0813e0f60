/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_UTIL_HEAP_H
#define HS_UTIL_HEAP_H

#include "util/assert.h"
#include <stddef.h>

/** Define NAME_push(heap, size, item), NAME_pop(heap, size) and NAME_replace(heap, size, item), which puts the item in
 * the place of the top, for a binary heap in an array of TYPE, the first one on top. is_before(const TYPE *, const TYPE *)
 * tells who comes first. The caller's array has room for what is pushed, and is not empty when something is popped or
 * replaced. All take O(log n) time. */
#define HS__HEAP(NAME, TYPE, is_before)                                        \
    static void NAME##_push(TYPE *heap, size_t *size, TYPE item)               \
    {                                                                          \
        size_t i = (*size)++;                                                  \
        for (; i > 0 && is_before(&item, &heap[(i - 1) / 2]); i = (i - 1) / 2) \
            heap[i] = heap[(i - 1) / 2];                                       \
        heap[i] = item;                                                        \
    }                                                                          \
                                                                               \
    static void NAME##_replace(TYPE *heap, size_t size, TYPE item)             \
    {                                                                          \
        size_t i = 0;                                                          \
        for (size_t child; (child = 2 * i + 1) < size; i = child) {            \
            if (child + 1 < size && is_before(&heap[child + 1], &heap[child])) \
                child++;                                                       \
            if (!is_before(&heap[child], &item))                               \
                break;                                                         \
            heap[i] = heap[child];                                             \
        }                                                                      \
        heap[i] = item;                                                        \
    }                                                                          \
                                                                               \
    static TYPE NAME##_pop(TYPE *heap, size_t *size)                           \
    {                                                                          \
        TYPE top = heap[0];                                                    \
        if (--*size > 0)                                                       \
            NAME##_replace(heap, *size, heap[*size]);                          \
        HS_ASSERT(*size == 0 || !is_before(&heap[0], &top));                   \
        return top;                                                            \
    }

#endif
