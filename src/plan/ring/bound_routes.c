/* SPDX-License-Identifier: BSD-3-Clause */
/* What fixed routes force on every ring. A link that all routes from a host cross is shared by its two messages, and if
 * all routes to it cross the link as well, by four. A link cuts hosts apart when the pairs whose routes avoid it, both
 * ways, do not connect them: a ring over several of those parts has at least two edges between parts, each of which
 * sends one or two messages over the link. */
#include "plan/ring/bound.h"
#include "util/pool.h"
#include <math.h>
#include <string.h>

enum { MAX_FOR_CUTS = 256 };

typedef struct route_survey {
    hs__network *network;
    hs__limits *limits;
    int *host, hosts; /* those that can compute */
    int *from, *to;   /* [link] how many routes from, to the present host cross it */
    unsigned char
        *crosses; /* [(link * hosts + a) * hosts + b], a < b: messages between a and b over the link, 0 .. 2 */
} route_survey;

static double width_of(const hs__network *network, const hs__path *path)
{
    double width = path->cap;
    for (int m = 0; m < path->count; m++)
        width = fmin(width, network->capacity[path->links[m]]);
    return width;
}

/* Counts a path on its links, a link that it crosses twice once. */
static void count_links(const hs__path *path, int *count, int so_far)
{
    for (int m = 0; m < path->count; m++)
        if (count[path->links[m]] == so_far)
            count[path->links[m]]++;
}

/* The limits of one host from its routes to and from all others. */
static hs_status survey_host(route_survey *s, int a)
{
    int host = s->host[a], routes = 0;
    double widest = 0.0, latency = INFINITY;
    hs__limits *l = s->limits;
    memset(s->from, 0, (size_t)s->network->links * sizeof *s->from);
    memset(s->to, 0, (size_t)s->network->links * sizeof *s->to);
    for (int b = 0; b < s->hosts; b++) {
        const hs__path *ahead, *back;
        if (b == a)
            continue;
        hs_status status = hs__network_route(s->network, host, s->host[b], &ahead);
        if (status == HS_OK)
            status = hs__network_route(s->network, s->host[b], host, &back);
        if (status != HS_OK)
            return status;
        if (!ahead || !back)
            continue;
        count_links(ahead, s->from, routes);
        count_links(back, s->to, routes);
        routes++;
        widest = fmax(widest, width_of(s->network, ahead));
        latency = fmin(latency, ahead->latency);
    }
    l->widest[host] = fmin(l->widest[host], widest);
    l->latency[host] = routes ? fmax(l->latency[host], latency) : 0.0;
    for (int e = 0; e < s->network->links && routes; e++) {
        if (s->from[e] == routes)
            l->out[host] = fmin(l->out[host], s->network->capacity[e]);
        if (s->from[e] == routes && s->to[e] == routes)
            l->both[host] = fmin(l->both[host], s->network->capacity[e]);
    }
    return HS_OK;
}

/* Notes for every pair how many of its two messages cross each link; pairs without routes cross all. */
static hs_status survey_pairs(route_survey *s)
{
    size_t n = (size_t)s->hosts;
    for (size_t a = 0; a < n; a++)
        for (size_t b = a + 1; b < n; b++)
            for (int way = 0; way < 2; way++) {
                const hs__path *path;
                hs_status status = hs__network_route(s->network, s->host[way ? b : a], s->host[way ? a : b], &path);
                if (status != HS_OK)
                    return status;
                for (int m = 0; path && m < path->count; m++) {
                    unsigned char *seen = &s->crosses[((size_t)path->links[m] * n + a) * n + b];
                    *seen = (unsigned char)(*seen & 1 && way ? 3 : *seen | 1 << way);
                }
            }
    return HS_OK;
}

static int crossings(const route_survey *s, int e, int a, int b)
{
    size_t n = (size_t)s->hosts, low = (size_t)(a < b ? a : b), high = (size_t)(a < b ? b : a);
    int ways = s->crosses[((size_t)e * n + low) * n + high];
    return (ways & 1) + (ways >> 1 & 1);
}

/* Numbers the parts that pairs avoiding the link connect, in part[], and finds the least number of messages that a pair
 * of different parts sends over it.
 * @return the number of parts */
static int find_parts(const route_survey *s, int e, int *part, int *stack, int *least)
{
    int parts = 0;
    for (int i = 0; i < s->hosts; i++)
        part[i] = -1;
    for (int i = 0; i < s->hosts; i++) {
        int depth = 0;
        if (part[i] >= 0)
            continue;
        part[i] = parts;
        stack[depth++] = i;
        while (depth > 0) {
            int a = stack[--depth];
            for (int b = 0; b < s->hosts; b++)
                if (part[b] < 0 && crossings(s, e, a, b) == 0) {
                    part[b] = parts;
                    stack[depth++] = b;
                }
        }
        parts++;
    }
    *least = 2;
    for (int a = 0; a < s->hosts && parts > 1; a++)
        for (int b = a + 1; b < s->hosts; b++)
            if (part[a] != part[b] && crossings(s, e, a, b) < *least)
                *least = crossings(s, e, a, b);
    return parts;
}

static hs_status find_cuts(route_survey *s, hs__ring_cuts *cuts)
{
    hs__pool pool = {0};
    int *part = hs__pool_new(&pool, (size_t)s->hosts, sizeof *part),
        *stack = hs__pool_new(&pool, (size_t)s->hosts, sizeof *stack);
    int *side = hs__pool_new(&pool, (size_t)s->network->hosts, sizeof *side), least;
    hs_status status = hs__pool_status(&pool);
    for (int e = 0; e < s->network->links && status == HS_OK; e++) {
        if (isinf(s->network->capacity[e]) || find_parts(s, e, part, stack, &least) < 2)
            continue;
        for (int a = 0; a < s->hosts; a++)
            side[s->host[a]] = part[a];
        status = hs__ring_cuts_add(cuts, s->network->capacity[e], 2 * least, side, s->network->hosts);
    }
    hs__pool_free(&pool);
    return status;
}

hs_status hs__bound_routes(hs__network *network, hs__limits *limits, hs__ring_cuts *cuts)
{
    hs__pool pool = {0};
    size_t hosts = (size_t)network->hosts, links = (size_t)network->links;
    route_survey s = {.network = network, .limits = limits};
    s.host = hs__pool_new(&pool, hosts, sizeof *s.host);
    s.from = hs__pool_new(&pool, links, sizeof *s.from);
    s.to = hs__pool_new(&pool, links, sizeof *s.to);
    hs_status status = hs__pool_status(&pool);
    if (status != HS_OK)
        goto out;
    for (int i = 0; i < network->hosts; i++)
        if (network->speed[i] > 0)
            s.host[s.hosts++] = i;
    for (int a = 0; a < s.hosts && status == HS_OK; a++)
        status = survey_host(&s, a);
    if (status != HS_OK || s.hosts > MAX_FOR_CUTS || s.hosts < 2)
        goto out;
    size_t n = (size_t)s.hosts;
    s.crosses = hs__pool_new(&pool, links * n * n, 1);
    status = s.crosses ? survey_pairs(&s) : HS_ERR_NOMEM;
    if (status == HS_OK)
        status = find_cuts(&s, cuts);
out:
    hs__pool_free(&pool);
    return status;
}
