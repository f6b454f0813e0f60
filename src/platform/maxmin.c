/* SPDX-License-Identifier: BSD-3-Clause */
/* Max-min fair sharing by progressive filling: all rates rise together; where a link is full, its flows stop.
 *
 * A shared link e is full at the level (b_e - used_e) / active_e, where used_e is what its stopped flows take and
 * active_e how often its rising flows cross it. That level only grows as other flows stop, so a heap of levels with
 * stale entries put back finds the next full link. A FATPIPE link stops each of its flows at its own bandwidth. */
#include "platform/platform.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/heap.h"
#include <math.h>
#include <stdlib.h>

typedef struct event {
    double level;
    int link; /* this shared link is full, or */
    int flow; /* -1, or this flow has reached its FATPIPE bound */
} event;

typedef struct filling {
    const int *const *links;
    const size_t *counts;
    double *rate;
    double *used;           /* bytes/s of each link taken by stopped flows; owned */
    int64_t *active;        /* crossings of each link by rising flows; owned */
    size_t *first;          /* crossings of link l: flow[first[l] .. first[l + 1]); owned */
    int *flow;              /* owned */
    unsigned char *stopped; /* per flow; owned */
    event *heap;            /* owned */
    size_t heap_count;
} filling;

static void filling_free(filling *f)
{
    free(f->heap);
    free(f->stopped);
    free(f->flow);
    free(f->first);
    free(f->active);
    free(f->used);
}

/* Ties: links before flows, lower indices first. */
static int is_before(const event *a, const event *b)
{
    if (a->level != b->level)
        return a->level < b->level;
    return a->flow != b->flow ? a->flow < b->flow : a->link < b->link;
}

HS__HEAP(heap, event, is_before)

static double level_of(const hs_platform *platform, const filling *f, int link)
{
    return (platform->links[link].bandwidth - f->used[link]) / (double)f->active[link];
}

static void stop_flow(filling *f, int flow, double level)
{
    f->stopped[flow] = 1;
    f->rate[flow] = level;
    for (size_t i = 0; i < f->counts[flow]; i++) {
        f->used[f->links[flow][i]] += level;
        f->active[f->links[flow][i]]--;
    }
}

/* Sorts the crossings by link. */
static hs_status filling_init(const hs_platform *platform, filling *f, size_t n)
{
    size_t links = platform->link_count, crossings = 0;
    for (size_t i = 0; i < n; i++)
        crossings += f->counts[i];
    f->used = hs__array_new(links, sizeof *f->used);
    f->active = hs__array_new(links, sizeof *f->active);
    f->first = hs__array_new(links + 2, sizeof *f->first);
    f->flow = hs__array_new(crossings, sizeof *f->flow);
    f->stopped = hs__array_new(n, sizeof *f->stopped);
    f->heap = hs__array_new(links + n, sizeof *f->heap);
    if (!f->used || !f->active || !f->first || !f->flow || !f->stopped || !f->heap)
        return HS_ERR_NOMEM;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < f->counts[i]; j++)
            f->active[f->links[i][j]]++;
    for (size_t l = 0; l < links; l++)
        f->first[l + 2] = f->first[l + 1] + (size_t)f->active[l];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < f->counts[i]; j++)
            f->flow[f->first[f->links[i][j] + 1]++] = (int)i;
    return HS_OK;
}

static void push_events(const hs_platform *platform, filling *f, size_t n)
{
    for (size_t l = 0; l < platform->link_count; l++)
        if (f->active[l] > 0 && platform->links[l].sharing == HS_SHARED)
            heap_push(f->heap, &f->heap_count, (event){level_of(platform, f, (int)l), (int)l, -1});
    for (size_t i = 0; i < n; i++) {
        double bound = INFINITY;
        for (size_t j = 0; j < f->counts[i]; j++)
            if (platform->links[f->links[i][j]].sharing == HS_FATPIPE)
                bound = fmin(bound, platform->links[f->links[i][j]].bandwidth);
        if (isfinite(bound))
            heap_push(f->heap, &f->heap_count, (event){bound, -1, (int)i});
    }
}

static void fill(const hs_platform *platform, filling *f)
{
    double level = 0;
    while (f->heap_count > 0) {
        event e = heap_pop(f->heap, &f->heap_count);
        if (e.flow >= 0) {
            if (!f->stopped[e.flow])
                stop_flow(f, e.flow, level = fmax(level, e.level));
            continue;
        }
        if (f->active[e.link] == 0)
            continue;
        double now = level_of(platform, f, e.link);
        if (now > e.level) { /* flows have stopped since: it is full later */
            heap_push(f->heap, &f->heap_count, (event){now, e.link, -1});
            continue;
        }
        level = fmax(level, now);
        for (size_t i = f->first[e.link]; i < f->first[e.link + 1]; i++)
            if (!f->stopped[f->flow[i]])
                stop_flow(f, f->flow[i], level);
    }
}

/* Whether every flow has its rate, and no link carries more than it can. */
static int is_shared_out(const hs_platform *platform, const filling *f, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (f->counts[i] > 0 && !f->stopped[i])
            return 0;
    for (size_t l = 0; l < platform->link_count; l++)
        if (platform->links[l].sharing == HS_SHARED && f->used[l] > platform->links[l].bandwidth * (1 + 1e-9))
            return 0;
    return 1;
}

hs_status hs_platform_maxmin(const hs_platform *platform, const int *const *links, const size_t *counts, size_t n,
                             double *rate)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < counts[i]; j++)
            if (links[i][j] < 0 || (size_t)links[i][j] >= platform->link_count)
                return HS_ERR_ARG;
    filling f = {.links = links, .counts = counts, .rate = rate};
    hs_status status = filling_init(platform, &f, n);
    if (status == HS_OK) {
        push_events(platform, &f, n);
        for (size_t i = 0; i < n; i++)
            rate[i] = INFINITY;
        fill(platform, &f);
        HS_ASSERT(is_shared_out(platform, &f, n));
    }
    filling_free(&f);
    return status;
}
