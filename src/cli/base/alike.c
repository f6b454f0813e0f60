/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/alike.h"
#include "platform/platform.h"
#include "util/pool.h"
#include <stdlib.h>

enum { IN_CLUSTER = -1, LIKE_NOBODY = -2, UNKNOWN = -3 };

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

static void find_beginnings(const hs_platform *p, beginning *list)
{
    for (int i = 0; i < p->hosts; i++)
        list[i] = (beginning){.platform = p,
                              .host = i,
                              .zone = p->nodes[i].zone,
                              .to = hs__platform_in_cluster(p, i) ? IN_CLUSTER : UNKNOWN};
    for (size_t e = 0; e < p->edge_count; e++) {
        const hs__edge *edge = &p->edges[e];
        int from = edge->gw_from < 0 ? p->zones[edge->zone].vertices[edge->from] : -1;
        if (from < 0 || from >= p->hosts)
            continue;
        list[from].to = list[from].to == UNKNOWN ? edge->to : LIKE_NOBODY;
        list[from].links = p->crossed + edge->first;
        list[from].count = edge->count;
    }
    for (size_t e = 0; e < p->edge_count; e++) {
        const int gateway[] = {p->edges[e].gw_from, p->edges[e].gw_to};
        for (int i = 0; i < 2; i++)
            if (gateway[i] >= 0 && gateway[i] < p->hosts)
                list[gateway[i]].to = LIKE_NOBODY;
    }
}

hs_status cli_find_alike(const hs_platform *platform, int *next, char *is_first)
{
    hs__pool pool = {0};
    size_t hosts = (size_t)hs_platform_hosts(platform);
    beginning *list = hs__pool_new(&pool, hosts, sizeof *list);
    if (!list)
        return HS_ERR_NOMEM;
    find_beginnings(platform, list);
    qsort(list, hosts, sizeof *list, by_beginning);
    for (size_t i = 0; i < hosts; i++) {
        int follows = i > 0 && list[i].to >= IN_CLUSTER && compare(&list[i - 1], &list[i]) == 0;
        next[list[i].host] = -1;
        is_first[list[i].host] = (char)!follows;
        if (follows)
            next[list[i - 1].host] = list[i].host;
    }
    hs__pool_free(&pool);
    return HS_OK;
}
