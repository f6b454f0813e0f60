/* SPDX-License-Identifier: BSD-3-Clause */
/* Command lines put together word by word. */
#include "util/words.h"
#include "util/array.h"
#include "util/assert.h"
#include <stdlib.h>
#include <string.h>

void hs__words_add(hs__words *words, const char *text)
{
    char *copy = hs__text_copy(text);
    if (!copy || hs__array_reserve(&words->item, &words->room, words->count + 2, sizeof *words->item) != 0) {
        free(copy);
        words->failed = 1;
        return;
    }
    words->item[words->count++] = copy;
    words->item[words->count] = NULL;
    HS_ASSERT(words->count < words->room);
}

void hs__words_free(hs__words *words)
{
    for (size_t i = 0; i < words->count; i++)
        free(words->item[i]);
    free(words->item);
}

int hs__word_needs_quotes(const char *text)
{
    return !text[0] || strpbrk(text, " \t\n\"'\\$`*?;&|<>()[]{}#~!") != NULL;
}
