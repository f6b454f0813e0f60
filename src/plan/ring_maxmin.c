/* SPDX-License-Identifier: BSD-3-Clause */
/* Max-min fairness by progressive filling (shared-ring-2003, 4.3, Method 1): all rates grow together until a link is
 * full, whose messages then keep their rate while the others grow on.
 *
 * A link fills at level remaining / open messages. Levels only grow as messages close, so a heap with stale levels,
 * corrected when they come up, pops the links in order. A message's own limit (FATPIPE) is a link of its own. */
#include "plan/ring_share.h"
#include "util/array.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct shared_link {
    double remaining; /* bytes/s that closed messages leave */
    int open;         /* crossings of messages whose rate still grows */
    int first;        /* its crossings are crossing[first ..] */
    int crossings;
} shared_link;

typedef struct entry {
    double level;
    int link;
} entry;

struct hs__sharing {
    const hs__network *network;
    int *local; /* [link of the platform] index in `link`, valid where mark equals epoch */
    unsigned *mark;
    unsigned epoch;
    shared_link *link; /* links crossed, then the messages' own limits */
    entry *heap;
    int *crossing; /* messages by link */
    size_t link_capacity, heap_capacity, crossing_capacity;
    int links, heap_size;
};

hs_status hs__sharing_create(const hs__network *network, hs__sharing **sharing)
{
    hs__sharing *s = hs__array_new(1, sizeof *s);
    if (!s)
        return HS_ERR_NOMEM;
    s->network = network;
    s->local = hs__array_new((size_t)network->links, sizeof *s->local);
    s->mark = hs__array_new((size_t)network->links, sizeof *s->mark);
    if (!s->local || !s->mark) {
        hs__sharing_free(s);
        return HS_ERR_NOMEM;
    }
    *sharing = s;
    return HS_OK;
}

void hs__sharing_free(hs__sharing *sharing)
{
    if (!sharing)
        return;
    free(sharing->crossing);
    free(sharing->heap);
    free(sharing->link);
    free(sharing->mark);
    free(sharing->local);
    free(sharing);
}

static int add_link(hs__sharing *s, double capacity)
{
    if (hs__array_reserve(&s->link, &s->link_capacity, (size_t)s->links + 1, sizeof *s->link) != 0)
        return -1;
    s->link[s->links] = (shared_link){.remaining = capacity};
    return s->links++;
}

/* Numbers the links the messages share and counts how often each is crossed. The own limits come last, one for each
 * message that has one, in order. */
static hs_status number_links(hs__sharing *s, const hs__path *const *path, int n, size_t *crossings)
{
    s->epoch++;
    s->links = 0;
    *crossings = 0;
    for (int f = 0; f < n; f++)
        for (int m = 0; m < path[f]->count; m++) {
            int e = path[f]->links[m];
            if (isinf(s->network->capacity[e]))
                continue;
            if (s->mark[e] != s->epoch) {
                s->mark[e] = s->epoch;
                s->local[e] = add_link(s, s->network->capacity[e]);
                if (s->local[e] < 0)
                    return HS_ERR_NOMEM;
            }
            s->link[s->local[e]].crossings++;
            ++*crossings;
        }
    for (int f = 0; f < n; f++)
        if (!isinf(path[f]->cap)) {
            int own = add_link(s, path[f]->cap);
            if (own < 0)
                return HS_ERR_NOMEM;
            s->link[own].crossings = 1;
            ++*crossings;
        }
    return HS_OK;
}

static void add_crossing(hs__sharing *s, int l, int message)
{
    s->crossing[s->link[l].first + s->link[l].open++] = message;
}

/* Fills crossing[] by link. */
static void list_crossings(hs__sharing *s, const hs__path *const *path, int n)
{
    int own = s->links, first = 0;
    for (int f = 0; f < n; f++)
        own -= !isinf(path[f]->cap);
    for (int l = 0; l < s->links; l++) {
        s->link[l].first = first;
        first += s->link[l].crossings;
    }
    for (int f = 0; f < n; f++) {
        for (int m = 0; m < path[f]->count; m++)
            if (!isinf(s->network->capacity[path[f]->links[m]]))
                add_crossing(s, s->local[path[f]->links[m]], f);
        if (!isinf(path[f]->cap))
            add_crossing(s, own++, f);
    }
}

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

static double level_of(const shared_link *link)
{
    return link->remaining / link->open;
}

static void build_heap(hs__sharing *s)
{
    s->heap_size = s->links;
    for (int l = 0; l < s->links; l++)
        s->heap[l] = (entry){level_of(&s->link[l]), l};
    for (int i = s->heap_size / 2 - 1; i >= 0; i--)
        sift_down(s->heap, s->heap_size, i);
}

/* A message stops growing: it gives its links the rate back that nobody else will take. */
static void close_message(hs__sharing *s, const hs__path *path, double level)
{
    for (int m = 0; m < path->count; m++)
        if (!isinf(s->network->capacity[path->links[m]])) {
            shared_link *link = &s->link[s->local[path->links[m]]];
            link->remaining -= level;
            link->open--;
        }
}

static void fill(hs__sharing *s, const hs__path *const *path, double *rate)
{
    while (s->heap_size > 0) {
        entry *top = s->heap;
        shared_link *link = &s->link[top->link];
        if (link->open > 0 && level_of(link) > top->level) {
            top->level = level_of(link);
            sift_down(s->heap, s->heap_size, 0);
            continue;
        }
        double level = top->level;
        int own = link->open > 0;
        s->heap[0] = s->heap[--s->heap_size];
        sift_down(s->heap, s->heap_size, 0);
        for (int c = 0; own && c < link->crossings; c++) {
            int f = s->crossing[link->first + c];
            if (isinf(rate[f])) {
                rate[f] = level;
                close_message(s, path[f], level);
            }
        }
    }
}

hs_status hs__share_maxmin(hs__sharing *s, const hs__path *const *path, int n, double *rate)
{
    size_t crossings;
    hs_status status = number_links(s, path, n, &crossings);
    if (status != HS_OK)
        return status;
    if (hs__array_reserve(&s->crossing, &s->crossing_capacity, crossings, sizeof *s->crossing) != 0 ||
        hs__array_reserve(&s->heap, &s->heap_capacity, (size_t)s->links + 1, sizeof *s->heap) != 0)
        return HS_ERR_NOMEM;
    list_crossings(s, path, n);
    for (int f = 0; f < n; f++)
        rate[f] = INFINITY;
    build_heap(s);
    fill(s, path, rate);
    return HS_OK;
}
