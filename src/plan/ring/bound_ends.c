/* SPDX-License-Identifier: BSD-3-Clause */
/* What a host's cable forces on every ring over fixed routes. Routes from a host to others begin with an edge of its zone, or in a
 * cluster with its spoke and the backbone, and those to it end so; where there is only one, all cross it. A gateway is left out:
 * routes to and from other zones begin and end at it. */
#include "plan/ring/bound.h"
#include "platform/only_edges.h"
#include "platform/platform.h"
#include "util/assert.h"
#include "util/pool.h"
#include <math.h>

enum { NOBODY = -1, SEVERAL = -2, MAX_SPOKE = 3 };

/* Links in the order of the platform. */
typedef struct cable {
    const int *out, *in;
    int out_count, in_count;
} cable;

static int list_links(const int way[MAX_SPOKE], int *links)
{
    int count = 0;
    for (int i = 0; i < MAX_SPOKE; i++)
        if (way[i] >= 0)
            links[count++] = way[i];
    return count;
}

/* The links that every route from the node crosses, and every one to it; from, to: its only edges. room: [2 MAX_SPOKE] */
static cable cable_of(const hs_platform *platform, int node, int from, int to, int *room)
{
    const hs__node *n = &platform->nodes[node];
    const hs__zone *zone = &platform->zones[n->zone];
    if (zone->spokes && from != HS__NO_ONLY_EDGE) {
        const hs__spoke *spoke = &zone->spokes[n->vertex];
        const int out[] = {spoke->limiter, spoke->up, spoke->up >= 0 ? zone->backbone : -1};
        const int in[] = {spoke->limiter, spoke->down, spoke->down >= 0 ? zone->backbone : -1};
        return (cable){room, room + MAX_SPOKE, list_links(out, room), list_links(in, room + MAX_SPOKE)};
    }
    if (zone->spokes || from < 0 || to < 0)
        return (cable){0};
    const hs__edge *edges = platform->edges;
    return (cable){platform->crossed + edges[from].first, platform->crossed + edges[to].first, edges[from].count,
                   edges[to].count};
}

static int crosses(const int *links, int count, int link)
{
    for (int m = 0; m < count; m++)
        if (links[m] == link)
            return 1;
    return 0;
}

/* Notes whose cable each link is part of: SEVERAL hosts', or one's. */
static void note_owners(const cable *c, int host, int *owner)
{
    for (int m = 0; m < c->out_count; m++)
        owner[c->out[m]] = owner[c->out[m]] == NOBODY || owner[c->out[m]] == host ? host : SEVERAL;
    for (int m = 0; m < c->in_count; m++)
        owner[c->in[m]] = owner[c->in[m]] == NOBODY || owner[c->in[m]] == host ? host : SEVERAL;
}

/* The latency that a route to the host adds to what any other host's cable has. */
static double own_latency(const hs__network *network, const cable *c, int host, const int *owner)
{
    double latency = 0.0;
    for (int m = 0; m < c->in_count; m++)
        latency += owner[c->in[m]] == host ? network->latency[network->order.link_place[c->in[m]]] : 0.0;
    return latency;
}

/* least_end: the least latency at the other end of a route. */
static void tighten(const hs__network *network, const cable *c, double least_end, hs__limits *l, int host)
{
    double latency = 0.0;
    for (int m = 0; m < c->out_count; m++) {
        int e = network->order.link_place[c->out[m]];
        l->widest[host] = fmin(l->widest[host], fmin(network->capacity[e], network->fatpipe[e]));
        l->out[host] = fmin(l->out[host], network->capacity[e]);
        if (crosses(c->in, c->in_count, c->out[m]))
            l->both[host] = fmin(l->both[host], network->capacity[e]);
        latency += network->latency[e];
    }
    l->latency[host] = fmax(l->latency[host], latency + least_end);
}

/* Scratch, by host, but from and to by node of the platform and owner by link. */
typedef struct ends {
    int *from, *to; /* as of hs__only_edges_find() */
    cable *list;
    int *room;
    int *owner;
} ends;

static void bound(const hs__network *network, const ends *of, hs__limits *limits)
{
    const hs_platform *platform = network->platform;
    double least_end = INFINITY;
    for (size_t e = 0; e < platform->link_count; e++)
        of->owner[e] = NOBODY;
    hs__only_edges_find(platform, of->from, of->to);
    for (int i = 0; i < network->hosts; i++) {
        int node = network->order.node[i];
        of->list[i] = cable_of(platform, node, of->from[node], of->to[node], of->room + 2 * MAX_SPOKE * i);
        note_owners(&of->list[i], i, of->owner);
    }
    for (int i = 0; i < network->hosts; i++)
        least_end = fmin(least_end, own_latency(network, &of->list[i], i, of->owner));
    HS_ASSERT(least_end >= 0);
    for (int i = 0; i < network->hosts; i++)
        tighten(network, &of->list[i], least_end, limits, i);
}

hs_status hs__bound_ends(const hs__network *network, hs__limits *limits)
{
    const hs_platform *platform = network->platform;
    size_t hosts = (size_t)network->hosts;
    hs__pool pool = {0};
    ends of = {.from = hs__pool_new(&pool, platform->node_count, sizeof *of.from),
               .to = hs__pool_new(&pool, platform->node_count, sizeof *of.to),
               .list = hs__pool_new(&pool, hosts, sizeof *of.list),
               .room = hs__pool_new(&pool, 2 * MAX_SPOKE * hosts, sizeof *of.room),
               .owner = hs__pool_new(&pool, platform->link_count, sizeof *of.owner)};
    hs_status status = hs__pool_status(&pool);
    if (status == HS_OK)
        bound(network, &of, limits);
    hs__pool_free(&pool);
    return status;
}
