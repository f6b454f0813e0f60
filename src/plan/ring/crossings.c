/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/ring/crossings.h"
#include "util/array.h"
#include <math.h>
#include <stdlib.h>

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
    size_t entries_room = (size_t)n;
    for (int f = 0; f < n; f++)
        entries_room += (size_t)path[f]->count;
    if (hs__array_reserve(&c->of_message, &c->of_room, entries_room + 1, sizeof *c->of_message) != 0 ||
        hs__array_reserve(&c->on_link, &c->on_room, entries_room + 1, sizeof *c->on_link) != 0 ||
        hs__array_reserve(&c->capacity, &c->capacity_room, entries_room + 1, sizeof *c->capacity) != 0 ||
        hs__array_reserve(&c->shared, &c->shared_room, entries_room + 1, sizeof *c->shared) != 0 ||
        hs__array_reserve(&c->first_of, &c->first_of_room, (size_t)n + 1, sizeof *c->first_of) != 0 ||
        hs__array_reserve(&c->first_on, &c->first_on_room, entries_room + 2, sizeof *c->first_on) != 0)
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

hs_status hs__crossings_build(hs__crossings *crossings, const hs__path *const *path, int n)
{
    hs_status status = reserve(crossings, path, n);
    if (status != HS_OK)
        return status;
    crossings->messages = n;
    list_by_message(crossings, path, n);
    hs__list_by_link(crossings->links, n, crossings->first_of, crossings->of_message, crossings->first_on,
                     crossings->on_link);
    return HS_OK;
}

hs__sharing_graph hs__crossings_graph(const hs__crossings *c)
{
    return (hs__sharing_graph){c->links, c->messages, c->capacity, c->first_of, c->of_message, c->first_on, c->on_link};
}
