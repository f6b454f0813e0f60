/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/array.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int (*hs__array_fails)(void);

static int fails(void)
{
    return hs__array_fails && hs__array_fails();
}

void *hs__array_aligned(size_t bytes, size_t alignment)
{
    void *memory = NULL;
    return !fails() && posix_memalign(&memory, alignment, bytes ? bytes : alignment) == 0 ? memory : NULL;
}

void *hs__array_new(size_t n, size_t size)
{
    return fails() ? NULL : calloc(n ? n : 1, size ? size : 1);
}

int hs__array_reserve(void *array, size_t *capacity, size_t needed, size_t size)
{
    if (needed <= *capacity)
        return 0;
    size_t grown = *capacity ? *capacity : 8;
    while (grown < needed) {
        if (grown > SIZE_MAX / 2)
            return -1;
        grown *= 2;
    }
    if (size == 0 || grown > SIZE_MAX / size)
        return -1;
    void *old;
    memcpy(&old, array, sizeof old);
    void *larger = fails() ? NULL : realloc(old, grown * size);
    if (!larger)
        return -1;
    memcpy(array, &larger, sizeof larger);
    *capacity = grown;
    return 0;
}

char *hs__text_copy(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = fails() ? NULL : malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}
