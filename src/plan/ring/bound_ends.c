/* SPDX-License-Identifier: BSD-3-Clause */
/* What a host's cable forces on every ring over fixed routes. Routes from a host to others begin with an edge of its zone, or in a
 * cluster with its spoke and the backbone, and those to it end so; where there is only one, all cross it. A gateway is left out:
 * routes to and from other zones begin and end at it. */
#include "plan/ring/bound.h"
#include "platform/platform.h"
#include "util/pool.h"
#include <math.h>

enum { NO_EDGE = -1, NO_ONLY_EDGE = -2, NOBODY = -1, SEVERAL = -2, MAX_SPOKE = 3 };

/* The only edge from and to each node. */
typedef struct only_edges {
    int *from, *to; /* [node] NO_EDGE: none, NO_ONLY_EDGE: several, or the node is a gateway */
} only_edges;

/* Links in the order of the platform. */
typedef struct cable {
    const int *out, *in;
    int out_count, in_count;
} cable;

static void note(int *only, int edge)
{
    *only = *only == NO_EDGE ? edge : NO_ONLY_EDGE;
}

static void find_only_edges(const hs_platform *platform, only_edges *only)
{
    for (size_t v = 0; v < platform->node_count; v++)
        only->from[v] = only->to[v] = NO_EDGE;
    for (size_t e = 0; e < platform->edge_count; e++) {
        const hs__edge *edge = &platform->edges[e];
        const int *vertices = platform->zones[edge->zone].vertices;
        if (edge->gw_from < 0) {
            note(&only->from[vertices[edge->from]], (int)e);
            note(&only->to[vertices[edge->to]], (int)e);
        }
    }
    for (size_t e = 0; e < platform->edge_count; e++) {
        const int gateway[] = {platform->edges[e].gw_from, platform->edges[e].gw_to};
        for (int i = 0; i < 2; i++)
            if (gateway[i] >= 0)
                only->from[gateway[i]] = only->to[gateway[i]] = NO_ONLY_EDGE;
    }
}

static int list_links(const int way[MAX_SPOKE], int *links)
{
    int count = 0;
    for (int i = 0; i < MAX_SPOKE; i++)
        if (way[i] >= 0)
            links[count++] = way[i];
    return count;
}

/* The links that every route from the node crosses, and every one to it. room: [2 MAX_SPOKE] */
static cable cable_of(const hs_platform *platform, const only_edges *only, int node, int *room)
{
    const hs__node *n = &platform->nodes[node];
    const hs__zone *zone = &platform->zones[n->zone];
    int from = only->from[node], to = only->to[node];
    if (zone->spokes && from != NO_ONLY_EDGE) {
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

hs_status hs__bound_ends(const hs__network *network, hs__limits *limits)
{
    const hs_platform *platform = network->platform;
    hs__pool pool = {0};
    int room[2 * MAX_SPOKE];
    double least_end = INFINITY;
    only_edges only = {hs__pool_new(&pool, platform->node_count, sizeof *only.from),
                       hs__pool_new(&pool, platform->node_count, sizeof *only.to)};
    int *owner = hs__pool_new(&pool, platform->link_count, sizeof *owner); /* [link], as the platform has them */
    hs_status status = hs__pool_status(&pool);
    if (status != HS_OK)
        goto out;
    find_only_edges(platform, &only);
    for (size_t e = 0; e < platform->link_count; e++)
        owner[e] = NOBODY;
    for (int i = 0; i < network->hosts; i++) {
        cable c = cable_of(platform, &only, network->order.node[i], room);
        note_owners(&c, i, owner);
    }
    for (int i = 0; i < network->hosts; i++) {
        cable c = cable_of(platform, &only, network->order.node[i], room);
        least_end = fmin(least_end, own_latency(network, &c, i, owner));
    }
    for (int i = 0; i < network->hosts; i++) {
        cable c = cable_of(platform, &only, network->order.node[i], room);
        tighten(network, &c, least_end, limits, i);
    }
out:
    hs__pool_free(&pool);
    return status;
}
