/* SPDX-License-Identifier: BSD-3-Clause */
/* Slowest-node-first (reduction-schedule, section 4) is a sort; hosts that compare equal form a class. */
#include "plan/reduction.h"
#include "util/array.h"
#include <stdlib.h>

typedef struct entry {
    double time;
    int host;
} entry;

static int compare(const void *left, const void *right)
{
    const entry *a = left, *b = right;
    if (a->time != b->time)
        return a->time > b->time ? -1 : 1;
    return a->host < b->host ? -1 : 1;
}

hs_status hs__reduction_slowest_first(const double *time, int hosts, int *order)
{
    entry *list = hs__array_new((size_t)hosts, sizeof *list);
    if (!list)
        return HS_ERR_NOMEM;
    for (int i = 0; i < hosts; i++)
        list[i] = (entry){time[i], i};
    qsort(list, (size_t)hosts, sizeof *list, compare);
    for (int i = 0; i < hosts; i++)
        order[i] = list[i].host;
    free(list);
    return HS_OK;
}

hs_status hs__classes_init(hs__classes *x, const double *time, int hosts, const int *order)
{
    size_t n = (size_t)hosts;
    *x = (hs__classes){.senders = hosts - 1,
                       .time = hs__array_new(n, sizeof *x->time),
                       .size = hs__array_new(n, sizeof *x->size),
                       .first = hs__array_new(n, sizeof *x->first),
                       .host = hs__array_new(n, sizeof *x->host)};
    if (!x->time || !x->size || !x->first || !x->host) {
        hs__classes_free(x);
        return HS_ERR_NOMEM;
    }
    int placed = 0;
    for (int end = hosts; end > 1;) {
        int begin = end - 1;
        while (begin > 1 && time[order[begin - 1]] == time[order[end - 1]])
            begin--;
        x->time[x->count] = time[order[begin]];
        x->size[x->count] = end - begin;
        x->first[x->count++] = placed;
        for (int k = begin; k < end; k++)
            x->host[placed++] = order[k];
        end = begin;
    }
    return HS_OK;
}

void hs__classes_free(hs__classes *x)
{
    free(x->host);
    free(x->first);
    free(x->size);
    free(x->time);
    *x = (hs__classes){0};
}
