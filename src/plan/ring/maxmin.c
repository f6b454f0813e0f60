/* SPDX-License-Identifier: BSD-3-Clause */
/* Max-min fairness by progressive filling (shared-ring-2003, 4.3, Method 1): all rates grow together until a link is
 * full, whose messages then keep their rate while the others grow on.
 *
 * A link fills at level remaining / open messages. Levels only grow as messages close, so a heap with stale levels,
 * corrected when they come up, pops the links in order. */
#include "plan/ring/share.h"
#include "util/array.h"
#include "util/assert.h"
#include <math.h>
#include <string.h>

struct hs__filling_link {
    double remaining; /* bytes/s that closed messages leave */
    int open;         /* crossings of messages whose rate still grows */
};

struct hs__filling_entry {
    double level;
    int link;
};

typedef struct hs__filling_link filling_link;
typedef struct hs__filling_entry entry;

static int before(const entry *a, const entry *b)
{
    return a->level < b->level || (a->level == b->level && a->link < b->link);
}

static void sift_down(entry *heap, int size, int at)
{
    entry moved = heap[at];
    for (int child = 2 * at + 1; child < size; child = 2 * at + 1) {
        if (child + 1 < size && before(&heap[child + 1], &heap[child]))
            child++;
        if (!before(&heap[child], &moved))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moved;
}

static double level_of(const filling_link *link)
{
    return link->remaining / link->open;
}

static void start(const hs__crossings *c, filling_link *link, entry *heap)
{
    for (int e = 0; e < c->links; e++) {
        link[e] = (filling_link){c->capacity[e], c->first_on[e + 1] - c->first_on[e]};
        heap[e] = (entry){level_of(&link[e]), e};
    }
    for (int i = c->links / 2 - 1; i >= 0; i--)
        sift_down(heap, c->links, i);
}

/* Link e is full at this level: its open messages keep the rate, and leave their other links to the rest. */
static void close_link(const hs__crossings *c, filling_link *link, int e, double level, double *rate)
{
    for (int i = c->first_on[e]; i < c->first_on[e + 1]; i++) {
        int f = c->on_link[i];
        if (!isinf(rate[f]))
            continue;
        rate[f] = level;
        for (int m = c->first_of[f]; m < c->first_of[f + 1]; m++) {
            link[c->of_message[m]].remaining -= level;
            link[c->of_message[m]].open--;
        }
    }
}

static void fill(const hs__crossings *c, filling_link *link, entry *heap, double *rate)
{
    int size = c->links;
    while (size > 0) {
        const filling_link *top = &link[heap[0].link];
        if (top->open > 0 && level_of(top) > heap[0].level) {
            heap[0].level = level_of(top);
        } else {
            if (top->open > 0)
                close_link(c, link, heap[0].link, heap[0].level, rate);
            heap[0] = heap[--size];
        }
        sift_down(heap, size, 0);
    }
}

hs_status hs__share_maxmin(hs__sharing *s, const hs__path *const *path, int n, double *rate)
{
    hs__crossings *c = &s->crossings;
    hs_status status = hs__crossings_build(c, path, n);
    if (status != HS_OK)
        return status;
    if (hs__array_reserve(&s->filling, &s->filling_room, (size_t)c->links + 1, sizeof *s->filling) != 0 ||
        hs__array_reserve(&s->heap, &s->heap_room, (size_t)c->links + 1, sizeof *s->heap) != 0)
        return HS_ERR_NOMEM;
    for (int f = 0; f < n; f++)
        rate[f] = INFINITY;
    start(c, s->filling, s->heap);
    fill(c, s->filling, s->heap, rate);
    HS_ASSERT(hs__crossings_hold(c, rate));
    return HS_OK;
}
