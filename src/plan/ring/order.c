/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "plan/ring/order.h"
#include "util/assert.h"
#include "util/random.h"
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 10 };

/* A host, router or link. */
typedef struct element {
    int number; /* on the platform */
    int kind;
    double size, latency;
    uint64_t colour;
    const char *id;
} element;

typedef struct listing {
    const hs_platform *platform;
    int nodes, links;
    element *element;        /* nodes, then links */
    uint64_t *colour, *seen; /* [node or nodes + link] in this round, and what is around */
} listing;

static int by_size(const void *left, const void *right)
{
    const element *a = left, *b = right;
    if (a->kind != b->kind)
        return a->kind - b->kind;
    if (a->size != b->size)
        return a->size > b->size ? -1 : 1;
    return (a->latency > b->latency) - (a->latency < b->latency);
}

static int by_all(const void *left, const void *right)
{
    const element *a = left, *b = right;
    int order = by_size(a, b);
    if (order == 0)
        order = (a->colour > b->colour) - (a->colour < b->colour);
    return order ? order : strverscmp(a->id, b->id);
}

static uint64_t mix(uint64_t a, uint64_t b)
{
    hs__random random = {a * 0x9e3779b97f4a7c15u + b};
    return hs__random_next(&random);
}

static void list(listing *l, const double *speed)
{
    int hosts = hs_platform_hosts(l->platform);
    enum { HOST, ROUTER, LINK };
    for (int v = 0; v < l->nodes; v++)
        l->element[v] = (element){.number = v,
                                  .kind = v < hosts ? HOST : ROUTER,
                                  .size = v < hosts ? speed[v] : 0.0,
                                  .id = hs_platform_node_id(l->platform, v)};
    for (int e = 0; e < l->links; e++)
        l->element[l->nodes + e] = (element){.number = l->nodes + e,
                                             .kind = LINK + (int)hs_platform_link_sharing(l->platform, e),
                                             .size = hs_platform_link_bandwidth(l->platform, e),
                                             .latency = hs_platform_link_latency(l->platform, e),
                                             .id = hs_platform_link_id(l->platform, e)};
}

/* First colours: numbers of the classes of equal elements, which other units do not change. */
static void colour_by_size(listing *l)
{
    size_t count = (size_t)(l->nodes + l->links);
    uint64_t class = 0;
    qsort(l->element, count, sizeof *l->element, by_size);
    for (size_t i = 0; i < count; i++) {
        class += i > 0 && by_size(&l->element[i - 1], &l->element[i]) != 0;
        l->colour[l->element[i].number] = class;
    }
}

/* A round: the colour of every node and link takes in those around it. Sums, because no order among these is known. */
static void refine(listing *l, const hs_arc *arc, size_t arcs)
{
    size_t count = (size_t)(l->nodes + l->links);
    memset(l->seen, 0, count * sizeof *l->seen);
    for (const hs_arc *a = arc; a < arc + arcs; a++) {
        uint64_t crossed = a->count, ends = mix(l->colour[a->from], l->colour[a->to]);
        for (size_t m = 0; m < a->count; m++) {
            crossed = mix(crossed, l->colour[l->nodes + a->links[m]]);
            l->seen[l->nodes + a->links[m]] += mix(ends, m);
        }
        l->seen[a->from] += mix(crossed, l->colour[a->to]);
        l->seen[a->to] += mix(~crossed, l->colour[a->from]);
    }
    for (size_t i = 0; i < count; i++)
        l->colour[i] = mix(l->colour[i], l->seen[i]);
}

static hs_status sort(listing *l, const double *speed)
{
    const hs_arc *arc;
    size_t arcs, count = (size_t)(l->nodes + l->links);
    hs_status status = hs_platform_arcs(l->platform, &arc, &arcs);
    if (status != HS_OK && status != HS_ERR_UNSUPPORTED)
        return status;
    list(l, speed);
    colour_by_size(l);
    for (int round = 0; round < ROUNDS && status == HS_OK; round++)
        refine(l, arc, arcs);
    for (size_t i = 0; i < count; i++)
        l->element[i].colour = l->colour[l->element[i].number];
    qsort(l->element, count, sizeof *l->element, by_all);
    return HS_OK;
}

static void number(hs__ring_order *order, const listing *l)
{
    for (int i = 0; i < l->nodes; i++) {
        order->node[i] = l->element[i].number;
        order->node_place[order->node[i]] = i;
        HS_ASSERT((order->node[i] < hs_platform_hosts(l->platform)) == (i < hs_platform_hosts(l->platform)));
    }
    for (int i = 0; i < l->links; i++) {
        order->link[i] = l->element[l->nodes + i].number - l->nodes;
        order->link_place[order->link[i]] = i;
    }
    for (int i = 0; i < l->nodes; i++)
        HS_ASSERT(order->node[order->node_place[i]] == i); /* a permutation */
    for (int i = 0; i < l->links; i++)
        HS_ASSERT(order->link[order->link_place[i]] == i);
}

hs_status hs__ring_order_init(hs__ring_order *order, const hs_platform *platform, const double *speed)
{
    int nodes = hs_platform_hosts(platform) + hs_platform_routers(platform), links = hs_platform_links(platform);
    size_t count = (size_t)nodes + (size_t)links;
    hs__pool scratch = {0};
    listing l = {.platform = platform,
                 .nodes = nodes,
                 .links = links,
                 .element = hs__pool_new(&scratch, count, sizeof *l.element),
                 .colour = hs__pool_new(&scratch, count, sizeof *l.colour),
                 .seen = hs__pool_new(&scratch, count, sizeof *l.seen)};
    hs__ring_order made = {0};
    made.node = hs__pool_new(&made.pool, (size_t)nodes, sizeof *made.node);
    made.link = hs__pool_new(&made.pool, (size_t)links, sizeof *made.link);
    made.node_place = hs__pool_new(&made.pool, (size_t)nodes, sizeof *made.node_place);
    made.link_place = hs__pool_new(&made.pool, (size_t)links, sizeof *made.link_place);
    hs_status status = scratch.failed ? HS_ERR_NOMEM : hs__pool_status(&made.pool);
    if (status == HS_OK)
        status = sort(&l, speed);
    if (status == HS_OK) {
        number(&made, &l);
        *order = made;
    } else {
        hs__ring_order_free(&made);
    }
    hs__pool_free(&scratch);
    return status;
}

void hs__ring_order_free(hs__ring_order *order)
{
    hs__pool_free(&order->pool);
}
