/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/alike.h"
#include "platform/only_edges.h"
#include "platform/platform.h"
#include "util/assert.h"
#include "util/pool.h"
#include <stdlib.h>

enum { IN_CLUSTER = -1, LIKE_NOBODY = -2 };

/* How the routes of a host begin. */
typedef struct beginning {
    const hs_platform *platform;
    int host, zone;
    int to; /* the vertex behind its only edge, or one of the above */
    const int *links;
    int count;
} beginning;

static int compare_numbers(const hs__link *a, const hs__link *b)
{
    if (a->latency != b->latency)
        return a->latency < b->latency ? -1 : 1;
    return (a->bandwidth > b->bandwidth) - (a->bandwidth < b->bandwidth);
}

/* 0: the hosts are alike, unless they are LIKE_NOBODY. */
static int compare(const beginning *a, const beginning *b)
{
    if (a->zone != b->zone)
        return a->zone - b->zone;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    if (a->count != b->count)
        return a->count - b->count;
    int order = 0;
    for (int m = 0; m < a->count && order == 0; m++)
        order = compare_numbers(&a->platform->links[a->links[m]], &b->platform->links[b->links[m]]);
    return order;
}

static int by_beginning(const void *left, const void *right)
{
    const beginning *a = left, *b = right;
    int order = compare(a, b);
    return order ? order : a->host - b->host;
}

/* only: the edge of the host, as of hs__only_edges_find(). */
static beginning beginning_of(const hs_platform *p, int host, int only)
{
    beginning b = {.platform = p, .host = host, .zone = p->nodes[host].zone, .to = LIKE_NOBODY};
    int in_cluster = hs__platform_in_cluster(p, host);
    if (in_cluster && only == HS__NO_EDGE)
        b.to = IN_CLUSTER;
    if (in_cluster || only < 0)
        return b;
    b.to = p->edges[only].to;
    b.links = p->crossed + p->edges[only].first;
    b.count = p->edges[only].count;
    return b;
}

static void list_alike(beginning *list, size_t hosts, int *next, char *is_first)
{
    qsort(list, hosts, sizeof *list, by_beginning);
    for (size_t i = 0; i < hosts; i++) {
        int follows = i > 0 && list[i].to >= IN_CLUSTER && compare(&list[i - 1], &list[i]) == 0;
        HS_ASSERT(!follows || list[i - 1].host < list[i].host);
        next[list[i].host] = -1;
        is_first[list[i].host] = (char)!follows;
        if (follows)
            next[list[i - 1].host] = list[i].host;
    }
}

hs_status hs__platform_find_alike(const hs_platform *platform, int *next, char *is_first)
{
    hs__pool pool = {0};
    size_t hosts = (size_t)hs_platform_hosts(platform);
    beginning *list = hs__pool_new(&pool, hosts, sizeof *list);
    int *from = hs__pool_new(&pool, platform->node_count, sizeof *from);
    int *to = hs__pool_new(&pool, platform->node_count, sizeof *to);
    hs_status status = hs__pool_status(&pool);
    if (status == HS_OK)
        hs__only_edges_find(platform, from, to);
    for (size_t i = 0; i < hosts && status == HS_OK; i++)
        list[i] = beginning_of(platform, (int)i, from[i]);
    if (status == HS_OK)
        list_alike(list, hosts, next, is_first);
    hs__pool_free(&pool);
    return status;
}
