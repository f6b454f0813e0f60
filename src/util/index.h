/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_UTIL_INDEX_H
#define HS_UTIL_INDEX_H

#include <stddef.h>
#include <stdint.h>

/** A hash table from keys, kept elsewhere, to the integers that stand for them. Start with {0}. */
typedef struct hs__index {
    struct hs__index_slot {
        uint64_t hash;
        int value; /* -1: free */
    } * slots;     /* owned */
    size_t room, used;
} hs__index;

/** Whether the key that value stands for equals key. */
typedef int (*hs__index_same)(const void *owner, int value, const void *key);

/** The hash of a text; of three integers. */
uint64_t hs__hash_text(const char *text);
uint64_t hs__hash_triple(int a, int b, int c);

/** The value whose key is the same as key, -1 when there is none.
 * Cost:       O(1) expected. */
int hs__index_find(const hs__index *index, uint64_t hash, hs__index_same same, const void *owner, const void *key);

/** Make room for n more values. @return 0, or -1 when memory is out. */
int hs__index_reserve(hs__index *index, size_t n);

/** Add a value whose key is not there yet; hs__index_reserve() has made room. */
void hs__index_add(hs__index *index, uint64_t hash, int value);

void hs__index_free(hs__index *index);

#endif
