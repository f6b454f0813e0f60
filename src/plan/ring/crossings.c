/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/ring/crossings.h"
#include "util/array.h"
#include "util/assert.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

hs_status hs__crossings_init(hs__crossings *crossings, const hs__network *network)
{
    hs__crossings made = {.network = network};
    made.local = hs__array_new((size_t)network->links, sizeof *made.local);
    made.mark = hs__array_new((size_t)network->links, sizeof *made.mark);
    if (!made.local || !made.mark) {
        hs__crossings_free(&made);
        return HS_ERR_NOMEM;
    }
    *crossings = made;
    return HS_OK;
}

void hs__crossings_free(hs__crossings *crossings)
{
    free(crossings->mark);
    free(crossings->local);
    free(crossings->first_on);
    free(crossings->on_link);
    free(crossings->first_of);
    free(crossings->of_message);
    free(crossings->shared);
    free(crossings->capacity);
}

/* Room for every link and crossing that n messages can bring. */
static hs_status reserve(hs__crossings *c, const hs__path *const *path, int n)
{
    size_t most = (size_t)n;
    for (int f = 0; f < n; f++)
        most += (size_t)path[f]->count;
    if (hs__array_reserve(&c->of_message, &c->of_room, most + 1, sizeof *c->of_message) != 0 ||
        hs__array_reserve(&c->on_link, &c->on_room, most + 1, sizeof *c->on_link) != 0 ||
        hs__array_reserve(&c->capacity, &c->capacity_room, most + 1, sizeof *c->capacity) != 0 ||
        hs__array_reserve(&c->shared, &c->shared_room, most + 1, sizeof *c->shared) != 0 ||
        hs__array_reserve(&c->first_of, &c->first_of_room, (size_t)n + 1, sizeof *c->first_of) != 0 ||
        hs__array_reserve(&c->first_on, &c->first_on_room, most + 2, sizeof *c->first_on) != 0)
        return HS_ERR_NOMEM;
    return HS_OK;
}

/* Numbers the links in the order they are first crossed. */
static void list_by_message(hs__crossings *c, const hs__path *const *path, int n)
{
    int entries = 0;
    c->epoch++;
    c->links = 0;
    for (int f = 0; f < n; f++) {
        c->first_of[f] = entries;
        for (int m = 0; m < path[f]->count; m++) {
            int e = path[f]->links[m];
            if (isinf(c->network->capacity[e]))
                continue;
            if (c->mark[e] != c->epoch) {
                c->mark[e] = c->epoch;
                c->local[e] = c->links;
                c->shared[c->links] = e;
                c->capacity[c->links++] = c->network->capacity[e];
            }
            c->of_message[entries++] = c->local[e];
        }
        if (!isinf(path[f]->cap)) {
            c->of_message[entries++] = c->links;
            c->shared[c->links] = -1;
            c->capacity[c->links++] = path[f]->cap;
        }
    }
    c->first_of[n] = entries;
}

static void list_by_link(hs__crossings *c)
{
    int *first = c->first_on;
    memset(first, 0, ((size_t)c->links + 2) * sizeof *first);
    for (int i = 0; i < c->first_of[c->messages]; i++)
        first[c->of_message[i] + 2]++;
    for (int e = 2; e <= c->links; e++)
        first[e] += first[e - 1];
    for (int f = 0; f < c->messages; f++)
        for (int i = c->first_of[f]; i < c->first_of[f + 1]; i++)
            c->on_link[first[c->of_message[i] + 1]++] = f;
    HS_ASSERT(first[c->links] == c->first_of[c->messages]);
}

hs_status hs__crossings_build(hs__crossings *crossings, const hs__path *const *path, int n)
{
    hs_status status = reserve(crossings, path, n);
    if (status != HS_OK)
        return status;
    crossings->messages = n;
    list_by_message(crossings, path, n);
    list_by_link(crossings);
    return HS_OK;
}

int hs__crossings_hold(const hs__crossings *crossings, const double *rate)
{
    for (int e = 0; e < crossings->links; e++) {
        double sum = 0.0;
        for (int i = crossings->first_on[e]; i < crossings->first_on[e + 1]; i++)
            sum += rate[crossings->on_link[i]];
        if (sum > crossings->capacity[e] * (1 + 1e-9))
            return 0;
    }
    return 1;
}
