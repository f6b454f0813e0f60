/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_UTIL_SUGGEST_H
#define HS_UTIL_SUGGEST_H

/** The known word that a misspelt one probably means. Starts as {.word = WORD}. */
typedef struct hs__suggestion {
    const char *word;    /* as typed; borrowed */
    const char *nearest; /* the best candidate so far, NULL: none is near; borrowed */
    int distance;        /* its edit distance */
} hs__suggestion;

/** Consider a candidate: it is near when a third of its letters, or one, are inserted, left out, replaced or swapped
 * with their neighbour (optimal string alignment). Among equals the first one stays.
 * Cost:       O(length of both), words of more than 63 letters are never near. */
void hs__suggest(hs__suggestion *suggestion, const char *candidate);

#endif
