/* SPDX-License-Identifier: BSD-3-Clause */
/* Slowest-node-first (reduction-schedule, section 4) is a sort; hosts that compare equal form a class.
 *
 * Times above 0 compare as the integers that their bits are, so hosts are sorted byte by byte, the last byte first: for
 * 100,000 of them a fifth of the time that comparing takes. */
#include "plan/reduction/reduction.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/double_bits.h"
#include <stdlib.h>

enum { BYTES = sizeof(uint64_t), VALUES = 256 };

typedef struct entry {
    uint64_t key; /* grows as the time falls */
    int host;
} entry;

static size_t byte_of(const entry *e, int byte)
{
    return e->key >> (8 * byte) & (VALUES - 1);
}

/* list, sorted by the key; equal ones stay in order. spare: as long. @return where the result is, one of the two */
static entry *sort(entry *list, entry *spare, size_t n)
{
    size_t count[BYTES][VALUES] = {{0}};
    for (size_t i = 0; i < n; i++)
        for (int b = 0; b < BYTES; b++)
            count[b][byte_of(&list[i], b)]++;
    for (int b = 0; b < BYTES; b++) {
        size_t place[VALUES], placed = 0;
        if (count[b][byte_of(&list[0], b)] == n)
            continue; /* the same byte everywhere */
        for (int v = 0; v < VALUES; v++) {
            place[v] = placed;
            placed += count[b][v];
        }
        for (size_t i = 0; i < n; i++)
            spare[place[byte_of(&list[i], b)]++] = list[i];
        entry *sorted = spare;
        spare = list;
        list = sorted;
    }
    return list;
}

hs_status hs__reduction_slowest_first(const double *time, int hosts, int *order)
{
    size_t n = (size_t)hosts;
    entry *list = hs__array_new(2 * n, sizeof *list);
    if (!list)
        return HS_ERR_NOMEM;
    for (int i = 0; i < hosts; i++) {
        list[i].key = ~hs__bits_of(time[i]);
        list[i].host = i;
    }
    const entry *sorted = sort(list, list + n, n);
    for (int i = 0; i < hosts; i++) {
        order[i] = sorted[i].host;
        HS_ASSERT(i == 0 || time[order[i - 1]] > time[order[i]] ||
                  (time[order[i - 1]] == time[order[i]] && order[i - 1] < order[i]));
    }
    free(list);
    return HS_OK;
}

hs_status hs__classes_create(hs__classes *x, int senders, int count)
{
    size_t n = (size_t)count;
    *x = (hs__classes){.senders = senders};
    x->time = hs__pool_new(&x->pool, n, sizeof *x->time);
    x->size = hs__pool_new(&x->pool, n, sizeof *x->size);
    x->first = hs__pool_new(&x->pool, n, sizeof *x->first);
    x->host = hs__pool_new(&x->pool, (size_t)senders, sizeof *x->host);
    return hs__pool_status(&x->pool);
}

hs_status hs__classes_init(hs__classes *x, const double *time, int hosts, const int *order)
{
    hs_status status = hs__classes_create(x, hosts - 1, hosts);
    if (status != HS_OK)
        return status;
    int placed = 0;
    for (int end = hosts; end > 1;) {
        int begin = end - 1;
        while (begin > 1 && time[order[begin - 1]] == time[order[end - 1]])
            begin--;
        x->time[x->count] = time[order[begin]];
        HS_ASSERT(x->count == 0 || x->time[x->count - 1] < x->time[x->count]);
        x->size[x->count] = end - begin;
        x->first[x->count++] = placed;
        for (int k = begin; k < end; k++)
            x->host[placed++] = order[k];
        end = begin;
    }
    HS_ASSERT(placed == x->senders);
    return HS_OK;
}

void hs__classes_free(hs__classes *x)
{
    hs__pool_free(&x->pool);
}
