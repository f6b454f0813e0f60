/* SPDX-License-Identifier: BSD-3-Clause */
/* What fixed routes force on every ring. A link that all routes from a host cross is shared by its two messages, and if
 * all routes to it cross the link as well, by four. A link cuts hosts apart when the pairs whose routes avoid it, both
 * ways, do not connect them: a ring over several of those parts has at least two edges between parts, each of which
 * sends one or two messages over the link. */
#include "plan/ring/blocks.h"
#include "plan/ring/bound.h"
#include "util/assert.h"
#include "util/pool.h"
#include <math.h>
#include <string.h>

enum { MAX_FOR_CUTS = 256 };

/* Links that all routes from a host so far cross, or all to it. */
typedef struct common_links {
    int *link, count;
} common_links;

typedef struct route_survey {
    hs__network *network;
    hs__limits *limits;
    int *host, hosts; /* those that can compute */
    int *near;        /* [hosts] the same, those of a switch together: routes between these are the widest, as a rule */
    common_links from, to;
    unsigned *mark, marked; /* [link] the last mark set, and that in use */
    hs_route ahead, back;   /* scratch */
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

/* A route that the network does not keep: it need not be asked again. The path lies in `route`. */
static hs_status find_path(const hs__network *network, int from, int to, hs_route *route, hs__path *path)
{
    const hs__ring_order *order = &network->order;
    hs_status status = hs_platform_route(network->platform, order->node[from], order->node[to], route);
    for (size_t m = 0; m < route->count; m++)
        route->links[m] = order->link_place[route->links[m]];
    *path = (hs__path){.links = route->links, .count = (int)route->count};
    hs__network_measure(network, path);
    return status;
}

/* Leaves of the common links those that a route crosses, or begins with all of the first one. */
static void keep_crossed(route_survey *s, common_links *common, const hs__path *path, int is_first)
{
    int kept = 0;
    s->marked++;
    for (int m = 0; m < path->count; m++) {
        int e = path->links[m];
        if (is_first && s->mark[e] != s->marked)
            common->link[kept++] = e;
        s->mark[e] = s->marked;
    }
    for (int i = 0; !is_first && i < common->count; i++)
        if (s->mark[common->link[i]] == s->marked)
            common->link[kept++] = common->link[i];
    HS_ASSERT(is_first || kept <= common->count);
    common->count = kept;
}

/* The least capacity of the links that all routes from a host cross, and of those that all routes to it cross, too. */
static void find_least_common(route_survey *s, double *out, double *both)
{
    *out = *both = INFINITY;
    s->marked++;
    for (int i = 0; i < s->to.count; i++)
        s->mark[s->to.link[i]] = s->marked;
    for (int i = 0; i < s->from.count; i++) {
        int e = s->from.link[i];
        *out = fmin(*out, s->network->capacity[e]);
        if (s->mark[e] == s->marked)
            *both = fmin(*both, s->network->capacity[e]);
    }
}

/* The limits of one host, at a place of near[], from its routes to and from all others, until no further route can make them
 * tighter than they are. */
static hs_status survey_host(route_survey *s, int place)
{
    int host = s->near[place], routes = 0, is_over = 0;
    double widest = 0.0, latency = INFINITY, out = INFINITY, both = INFINITY;
    hs__limits *l = s->limits;
    for (int k = 1; k < s->hosts && !is_over; k++) {
        int step = k % 2 ? k / 2 + 1 : s->hosts - k / 2; /* to either side in turn */
        int other = s->near[(place + step) % s->hosts];
        hs__path ahead, back;
        hs_status status = find_path(s->network, host, other, &s->ahead, &ahead);
        if (status == HS_OK)
            status = find_path(s->network, other, host, &s->back, &back);
        if (status == HS_ERR_UNREACHABLE)
            continue;
        if (status != HS_OK)
            return status;
        keep_crossed(s, &s->from, &ahead, routes == 0);
        keep_crossed(s, &s->to, &back, routes == 0);
        routes++;
        widest = fmax(widest, width_of(s->network, &ahead));
        latency = fmin(latency, ahead.latency);
        find_least_common(s, &out, &both);
        is_over =
            widest >= l->widest[host] && latency <= l->latency[host] && out >= l->out[host] && both >= l->both[host];
    }
    HS_ASSERT(out <= both); /* what both ways cross, the way out does */
    l->widest[host] = fmin(l->widest[host], widest);
    l->latency[host] = routes ? fmax(l->latency[host], latency) : 0.0;
    l->out[host] = fmin(l->out[host], out);
    l->both[host] = fmin(l->both[host], both);
    return HS_OK;
}

/* Lists in near[] the hosts as the hierarchy has them, and behind them those that the fastest one has no route to. */
static hs_status list_near(route_survey *s)
{
    hs__table table;
    hs__ring_blocks blocks;
    int count = 0;
    hs_status status = hs__table_init(&table, s->network, NULL);
    if (status != HS_OK)
        return status;
    status = hs__ring_blocks_init(&blocks, &table, 0);
    if (status == HS_OK) {
        for (; count < blocks.hosts; count++)
            s->near[count] = blocks.order[count];
        for (int i = 0; i < s->hosts; i++)
            if (blocks.place[s->host[i]] < 0)
                s->near[count++] = s->host[i];
        HS_ASSERT(count == s->hosts);
        hs__ring_blocks_free(&blocks);
    }
    hs__table_free(&table);
    return status;
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
    s.near = hs__pool_new(&pool, hosts, sizeof *s.near);
    s.from.link = hs__pool_new(&pool, links, sizeof *s.from.link);
    s.to.link = hs__pool_new(&pool, links, sizeof *s.to.link);
    s.mark = hs__pool_new(&pool, links, sizeof *s.mark);
    hs_status status = hs__pool_status(&pool);
    if (status != HS_OK)
        goto out;
    for (int i = 0; i < network->hosts; i++)
        if (network->speed[i] > 0)
            s.host[s.hosts++] = i;
    status = hs__bound_ends(network, limits);
    if (status == HS_OK)
        status = list_near(&s);
    for (int place = 0; place < s.hosts && status == HS_OK; place++)
        status = survey_host(&s, place);
    if (status != HS_OK || s.hosts > MAX_FOR_CUTS || s.hosts < 2)
        goto out;
    size_t n = (size_t)s.hosts;
    s.crosses = hs__pool_new(&pool, links * n * n, 1);
    status = s.crosses ? survey_pairs(&s) : HS_ERR_NOMEM;
    if (status == HS_OK)
        status = find_cuts(&s, cuts);
out:
    hs_route_free(&s.back);
    hs_route_free(&s.ahead);
    hs__pool_free(&pool);
    return status;
}
