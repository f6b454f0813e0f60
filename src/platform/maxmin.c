/* SPDX-License-Identifier: BSD-3-Clause */
/* All rates grow together until a link is full, whose flows then keep their rate while the others grow on.
 *
 * A link is full at the level remaining / open crossings. That level only grows as flows close, so a heap with stale
 * levels, corrected when they come up, gives the links in order. A FATPIPE link limits each of its flows alone: the
 * slowest FATPIPE link of a flow counts as a link that only this flow crosses. */
#include "platform/maxmin.h"
#include "platform/platform.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/heap.h"
#include "util/pool.h"
#include "util/status.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct hs__filling_link {
    double remaining; /* bytes/s that closed flows leave */
    int open;         /* crossings of flows whose rate still grows */
};

struct hs__filling_entry {
    double level;
    int link;
};

typedef struct hs__filling_link filling_link;
typedef struct hs__filling_entry entry;

static int is_before(const entry *a, const entry *b)
{
    return a->level < b->level || (a->level == b->level && a->link < b->link);
}

HS__HEAP(heap, entry, is_before)

static double level_of(const filling_link *link)
{
    return link->remaining / link->open;
}

/* Link e is full at this level: its open flows keep the rate, and leave their other links to the rest. */
static void close_link(const hs__sharing_graph *g, filling_link *link, int e, double level, double *rate)
{
    for (int i = g->first_on[e]; i < g->first_on[e + 1]; i++) {
        int f = g->on_link[i];
        if (!isinf(rate[f]))
            continue;
        rate[f] = level;
        for (int m = g->first_of[f]; m < g->first_of[f + 1]; m++) {
            link[g->of_flow[m]].remaining -= level;
            link[g->of_flow[m]].open--;
        }
    }
}

void hs__filling_free(hs__filling *filling)
{
    free(filling->heap);
    free(filling->link);
}

/* Whether each flow crosses a full link on which no flow is faster: none can grow without shrinking a slower one.
 * link[] is scratch. */
static int are_fair(const hs__sharing_graph *g, filling_link *link, const double *rate)
{
    for (int e = 0; e < g->links; e++) {
        double sum = 0.0, top = 0.0;
        for (int i = g->first_on[e]; i < g->first_on[e + 1]; i++) {
            sum += rate[g->on_link[i]];
            top = fmax(top, rate[g->on_link[i]]);
        }
        link[e].remaining = sum >= g->capacity[e] * (1 - 1e-9) ? top : INFINITY;
    }
    for (int f = 0; f < g->flows; f++) {
        int is_bound = g->first_of[f] == g->first_of[f + 1];
        for (int i = g->first_of[f]; i < g->first_of[f + 1] && !is_bound; i++)
            is_bound = rate[f] >= link[g->of_flow[i]].remaining * (1 - 1e-9);
        if (!is_bound)
            return 0;
    }
    return 1;
}

hs_status hs__maxmin_rates(const hs__sharing_graph *g, hs__filling *filling, double *rate)
{
    size_t size = 0, links = (size_t)g->links;
    if (hs__array_reserve(&filling->link, &filling->link_room, links + 1, sizeof *filling->link) != 0 ||
        hs__array_reserve(&filling->heap, &filling->heap_room, links + 1, sizeof *filling->heap) != 0)
        return HS_ERR_NOMEM;
    filling_link *link = filling->link;
    entry *heap = filling->heap;
    for (int f = 0; f < g->flows; f++)
        rate[f] = INFINITY;
    for (int e = 0; e < g->links; e++) {
        link[e] = (filling_link){g->capacity[e], g->first_on[e + 1] - g->first_on[e]};
        heap_push(heap, &size, (entry){level_of(&link[e]), e});
    }
    while (size > 0) {
        entry top = heap[0];
        const filling_link *first = &link[top.link];
        if (first->open > 0 && level_of(first) > top.level) {
            heap_replace(heap, size, (entry){level_of(first), top.link});
            continue;
        }
        if (first->open > 0)
            close_link(g, link, top.link, top.level, rate);
        heap_pop(heap, &size);
    }
    HS_ASSERT(hs__rates_fit(g, rate));
    HS_ASSERT(are_fair(g, filling->link, rate));
    return HS_OK;
}

int hs__rates_fit(const hs__sharing_graph *g, const double *rate)
{
    for (int e = 0; e < g->links; e++) {
        double sum = 0.0;
        for (int i = g->first_on[e]; i < g->first_on[e + 1]; i++)
            sum += rate[g->on_link[i]];
        if (sum > g->capacity[e] * (1 + 1e-9))
            return 0;
    }
    return 1;
}

void hs__list_by_link(int links, int flows, const int *first_of, const int *of_flow, int *first_on, int *on_link)
{
    memset(first_on, 0, ((size_t)links + 2) * sizeof *first_on);
    for (int i = 0; i < first_of[flows]; i++)
        first_on[of_flow[i] + 2]++;
    for (int e = 2; e <= links; e++)
        first_on[e] += first_on[e - 1];
    for (int f = 0; f < flows; f++)
        for (int i = first_of[f]; i < first_of[f + 1]; i++)
            on_link[first_on[of_flow[i] + 1]++] = f;
    HS_ASSERT(first_on[links] == first_of[flows]);
}

/* ---- Flows of a platform ---- */

/* The shared links that flow f crosses, numbered as they are met, then a link of its own for the FATPIPE ones. number:
 * of each link of the platform, plus 1; 0: not met yet. @return crossings so far */
static int add_flow(const hs_platform *platform, const int *links, size_t count, int crossings, int *number,
                    double *capacity, int *of_flow, int *used)
{
    double own = INFINITY;
    for (size_t j = 0; j < count; j++) {
        const hs__link *link = &platform->links[links[j]];
        if (link->sharing == HS_FATPIPE) {
            own = fmin(own, link->bandwidth);
            continue;
        }
        if (number[links[j]] == 0) {
            capacity[(*used)++] = link->bandwidth;
            number[links[j]] = *used;
        }
        of_flow[crossings++] = number[links[j]] - 1;
    }
    if (isinf(own))
        return crossings;
    capacity[*used] = own;
    of_flow[crossings] = (*used)++;
    return crossings + 1;
}

hs_status hs_platform_maxmin(const hs_platform *platform, const int *const *links, const size_t *counts, size_t n,
                             double *rate)
{
    HS__RETURN_ERROR_IF_NULL(platform, NULL);
    hs__pool pool = {0};
    size_t room = n;
    for (size_t i = 0; i < n; i++) {
        room += counts[i];
        for (size_t j = 0; j < counts[i]; j++)
            if (links[i][j] < 0 || (size_t)links[i][j] >= platform->link_count)
                return HS_ERR_ARG;
    }
    if (room > INT_MAX / 4)
        return HS_ERR_NOMEM;
    hs__filling filling = {0};
    hs_status status = HS_ERR_NOMEM;
    int *number = hs__pool_new(&pool, platform->link_count, sizeof *number), used = 0;
    int *memory = hs__pool_new(&pool, 3 * room + n + 3, sizeof *memory);
    double *capacity = hs__pool_new(&pool, room, sizeof *capacity);
    if (hs__pool_status(&pool) == HS_OK) {
        int *first_of = memory, *of_flow = first_of + n + 1, *on_link = of_flow + room, *first_on = on_link + room;
        for (size_t i = 0; i < n; i++)
            first_of[i + 1] = add_flow(platform, links[i], counts[i], first_of[i], number, capacity, of_flow, &used);
        hs__list_by_link(used, (int)n, first_of, of_flow, first_on, on_link);
        const hs__sharing_graph graph = {used, (int)n, capacity, first_of, of_flow, first_on, on_link};
        status = hs__maxmin_rates(&graph, &filling, rate);
    }
    hs__filling_free(&filling);
    hs__pool_free(&pool);
    return status;
}
