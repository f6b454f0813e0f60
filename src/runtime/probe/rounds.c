/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/probe/rounds.h"
#include "util/array.h"
#include "util/assert.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct named_rank {
    const char *name;
    int rank;
} named_rank;

static int compare(const void *a, const void *b)
{
    const named_rank *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->rank > y->rank) - (x->rank < y->rank);
}

int hs__group_hosts(const char *names, int stride, int ranks, int *host_of, int *first)
{
    int hosts = 0, lowest = 0;
    named_rank *sorted = hs__array_new((size_t)ranks, sizeof *sorted);
    if (!sorted)
        return -1;
    for (int r = 0; r < ranks; r++)
        sorted[r] = (named_rank){names + (size_t)r * (size_t)stride, r};
    qsort(sorted, (size_t)ranks, sizeof *sorted, compare);
    /* For a start each rank gets the lowest rank of its host; host numbers follow in rank order. */
    for (int k = 0; k < ranks; k++) {
        if (k == 0 || strcmp(sorted[k].name, sorted[k - 1].name) != 0)
            lowest = sorted[k].rank;
        host_of[sorted[k].rank] = lowest;
    }
    for (int r = 0; r < ranks; r++) {
        if (host_of[r] == r) {
            first[hosts] = r;
            host_of[r] = hosts++;
        } else {
            host_of[r] = host_of[host_of[r]];
        }
    }
    for (int r = 0; r < ranks; r++)
        HS_ASSERT(host_of[r] >= 0 && host_of[r] < hosts && first[host_of[r]] <= r);
    free(sorted);
    return hosts;
}

int hs__tournament_rounds(int n)
{
    return n < 2 ? 0 : n % 2 ? n : n - 1;
}

int hs__tournament_partner(int n, int round, int i)
{
    int rounds = hs__tournament_rounds(n);
    if (rounds == 0)
        return -1;
    if (i == rounds) {
        /* Of an even number of players, the last one meets i with 2 i = round (mod rounds); rounds is odd. */
        return round % 2 ? (round + rounds) / 2 : round / 2;
    }
    int partner = (round - i + rounds) % rounds;
    HS_ASSERT(i < rounds && (round - partner + rounds) % rounds == i); /* each is the other's partner */
    if (partner != i)
        return partner;
    return rounds < n ? rounds : -1;
}

int hs__tournament_spread(int n, int some, int k)
{
    return (int)((int64_t)k * hs__tournament_rounds(n) / some);
}
