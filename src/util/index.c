/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/index.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/hash.h"
#include <stdlib.h>
#include <string.h>

uint64_t hs__hash_text(const char *text)
{
    return hs__hash_spread(hs__hash_bytes(HS__HASH_START, text, strlen(text)));
}

uint64_t hs__hash_triple(int a, int b, int c)
{
    return hs__hash_spread(hs__hash_spread((uint64_t)(unsigned)a << 32 | (unsigned)b) + (unsigned)c);
}

int hs__index_find(const hs__index *index, uint64_t hash, hs__index_same same, const void *owner, const void *key)
{
    if (index->room == 0)
        return -1;
    for (size_t i = hash & (index->room - 1); index->slots[i].value >= 0; i = (i + 1) & (index->room - 1))
        if (index->slots[i].hash == hash && same(owner, index->slots[i].value, key))
            return index->slots[i].value;
    return -1;
}

int hs__index_reserve(hs__index *index, size_t n)
{
    hs__index grown = {.room = index->room ? index->room : 64};
    while (grown.room < 2 * (index->used + n))
        grown.room *= 2;
    if (grown.room == index->room)
        return 0;
    grown.slots = hs__array_new(grown.room, sizeof *grown.slots);
    if (!grown.slots)
        return -1;
    for (size_t i = 0; i < grown.room; i++)
        grown.slots[i].value = -1;
    for (size_t i = 0; i < index->room; i++)
        if (index->slots[i].value >= 0)
            hs__index_add(&grown, index->slots[i].hash, index->slots[i].value);
    free(index->slots);
    *index = grown;
    return 0;
}

void hs__index_add(hs__index *index, uint64_t hash, int value)
{
    size_t i = hash & (index->room - 1);
    while (index->slots[i].value >= 0)
        i = (i + 1) & (index->room - 1);
    index->slots[i].hash = hash;
    index->slots[i].value = value;
    index->used++;
    HS_ASSERT(2 * index->used <= index->room); /* a search for what is not there ends at a free slot */
}

void hs__index_free(hs__index *index)
{
    free(index->slots);
    *index = (hs__index){0};
}
