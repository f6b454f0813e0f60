/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_UTIL_WORDS_H
#define HS_UTIL_WORDS_H

#include <stddef.h>

/** A command line as it is put together. Starts as {0}. */
typedef struct hs__words {
    char **item; /* owned, as are the texts; after the first word it ends with NULL */
    size_t count, room;
    int failed; /* memory was out: some words are missing */
} hs__words;

/** Add a copy of text. */
void hs__words_add(hs__words *words, const char *text);

/** Release the words; the list itself is the caller's. */
void hs__words_free(hs__words *words);

/** Whether a shell takes the text as one word, as it stands, only in quotes. */
int hs__word_needs_quotes(const char *text);

#endif
