/* SPDX-License-Identifier: BSD-3-Clause */
/* Random platforms of three levels in the manner of Tiers (Doar, "A better model for generating test networks",
 * Globecom '96), for the experiments of shared-ring-2003, section 5.1.
 *
 * The WAN is a minimum spanning tree of routers placed at random; each MAN is another one, joined to a WAN router; each
 * LAN is a router on a MAN router, with hosts around it. Links beyond a tree join routers at random, most of them
 * inside the WAN. Tiers makes every LAN node and the paper picks some of them as hosts; here only those that are picked
 * are made. */
#include "platform/platform.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/plural.h"
#include "util/random.h"
#include "util/status.h"
#include <stdio.h>
#include <stdlib.h>

/* Speeds of the paper's kind of machines, LINPACK flop/s: Pentium Pro 200 MHz to Pentium 4 1.7 GHz. */
static const double speeds[] = {23e6, 34e6, 43e6, 48e6, 69e6, 76e6, 86e6, 98e6, 114e6, 137e6};

/* Bandwidths, bytes/s, of the links seen between two levels: Ethernet of 10 and 100 Mbit/s in a LAN, leased lines of
 * 34 to 155 Mbit/s in cities, and long-distance links, of which other traffic leaves a part. */
enum { LAN_LINK, LAN_MAN_LINK, MAN_LINK, MAN_WAN_LINK, WAN_LINK, LINK_KINDS };
static const double bandwidths[LINK_KINDS][4] = {[LAN_LINK] = {1.1e6, 1.2e6, 9.6e6, 11.6e6},
                                                 [LAN_MAN_LINK] = {1.2e6, 3.9e6, 8.7e6, 11.5e6},
                                                 [MAN_LINK] = {4.1e6, 8.0e6, 15.4e6, 18.6e6},
                                                 [MAN_WAN_LINK] = {2.4e6, 4.2e6, 7.8e6, 12.3e6},
                                                 [WAN_LINK] = {1.9e6, 5.2e6, 10.1e6, 19.3e6}};

typedef enum network { LAN, MAN, WAN } network;

typedef struct place {
    network level;
    int64_t x, y;
    int group; /* MAN routers: which MAN */
} place;

typedef struct maker {
    hs_platform *platform;
    hs_error *error;
    hs__random random;
    int hosts, routers; /* in all */
    int wan, man;       /* routers of these levels come first, the LAN routers are the rest */
    place *places;      /* of the routers; owned */
} maker;

static int kind_of(network a, network b)
{
    if (a == b)
        return a == WAN ? WAN_LINK : a == MAN ? MAN_LINK : LAN_LINK;
    return a == LAN || b == LAN ? LAN_MAN_LINK : MAN_WAN_LINK;
}

/* Joins two nodes by a link of a random bandwidth of its kind, named after both. */
static hs_status join(maker *m, int from, int to, int kind)
{
    char id[64];
    int link;
    snprintf(id, sizeof id, "%.30s-%.30s", hs_platform_node_id(m->platform, from),
             hs_platform_node_id(m->platform, to));
    double bandwidth = bandwidths[kind][hs__random_below(&m->random, 4)];
    hs_status status = hs_platform_add_link(m->platform, id, bandwidth, 0, HS_SHARED, &link, m->error);
    return status == HS_OK ? hs_platform_add_edge(m->platform, from, to, link, m->error) : status;
}

static hs_status join_routers(maker *m, int a, int b)
{
    return join(m, m->hosts + a, m->hosts + b, kind_of(m->places[a].level, m->places[b].level));
}

static int are_joined(const maker *m, int a, int b)
{
    return hs__platform_find_edge(m->platform, 0, m->hosts + a, m->hosts + b) >= 0;
}

static int64_t distance(const place *a, const place *b)
{
    return (a->x - b->x) * (a->x - b->x) + (a->y - b->y) * (a->y - b->y);
}

/* Prim's algorithm over routers [first, end). Ties go to the lowest pair. */
static hs_status span(maker *m, int first, int end)
{
    int n = end - first;
    int *nearest = hs__array_new((size_t)n, sizeof *nearest); /* in the tree, for those outside; -1 in the tree */
    hs_status status = nearest ? HS_OK : hs__error_status(m->error, HS_ERR_NOMEM);
    for (int i = 0; i < n && nearest; i++)
        nearest[i] = i ? first : -1;
    for (int joined = 1; joined < n && status == HS_OK; joined++) {
        int next = -1;
        for (int i = 0; i < n; i++)
            if (nearest[i] >= 0 && (next < 0 || distance(&m->places[first + i], &m->places[nearest[i]]) <
                                                    distance(&m->places[first + next], &m->places[nearest[next]])))
                next = i;
        status = join_routers(m, nearest[next], first + next);
        nearest[next] = -1;
        for (int i = 0; i < n; i++)
            if (nearest[i] >= 0 && distance(&m->places[first + i], &m->places[first + next]) <
                                       distance(&m->places[first + i], &m->places[nearest[i]]))
                nearest[i] = first + next;
    }
    free(nearest);
    return status;
}

static hs_status add_router(maker *m, int router, const char *name, int number, place at)
{
    char id[32];
    snprintf(id, sizeof id, "%s%d", name, number);
    m->places[router] = at;
    return hs_platform_add_router(m->platform, id, NULL, m->error);
}

/* A random place in a square. Distances count only within one WAN or MAN, so it does not matter where that lies. */
static place random_place(maker *m, network level, int64_t side)
{
    int64_t x = hs__random_below(&m->random, side);
    int64_t y = hs__random_below(&m->random, side);
    return (place){.level = level, .x = x, .y = y};
}

static hs_status make_wan(maker *m)
{
    enum { SIDE = 1 << 21 };
    hs_status status = HS_OK;
    for (int w = 0; w < m->wan && status == HS_OK; w++)
        status = add_router(m, w, "wan", w, random_place(m, WAN, SIDE));
    return status == HS_OK ? span(m, 0, m->wan) : status;
}

/* MANs of about six routers, each joined to a WAN router. */
static hs_status make_mans(maker *m)
{
    enum { SIDE = 1 << 13, SIZE = 6 };
    int end = m->wan + m->man, mans = (m->man + SIZE - 1) / SIZE;
    hs_status status = HS_OK;
    for (int group = 0, first = m->wan; first < end && status == HS_OK; group++) {
        int next = m->wan + (int)((int64_t)m->man * (group + 1) / mans);
        int gateway = (int)hs__random_below(&m->random, m->wan);
        for (int r = first; r < next && status == HS_OK; r++) {
            place at = random_place(m, MAN, SIDE);
            at.group = group;
            status = add_router(m, r, "man", r - m->wan, at);
        }
        if (status == HS_OK)
            status = span(m, first, next);
        if (status == HS_OK)
            status = join_routers(m, gateway, first + (int)hs__random_below(&m->random, next - first));
        first = next;
    }
    return status;
}

/* LAN routers hang on random MAN routers, or on WAN ones when there is no MAN, or on the first LAN router. */
static hs_status make_lans(maker *m)
{
    hs_status status = HS_OK;
    int first = m->wan + m->man;
    for (int r = first; r < m->routers && status == HS_OK; r++) {
        status = add_router(m, r, "lan", r - first, (place){.level = LAN});
        if (status != HS_OK)
            break;
        if (m->man)
            status = join_routers(m, m->wan + (int)hs__random_below(&m->random, m->man), r);
        else if (m->wan)
            status = join_routers(m, (int)hs__random_below(&m->random, m->wan), r);
        else if (r > first)
            status = join_routers(m, first, r);
    }
    return status;
}

/* Hosts go round the LANs once, then to random ones. */
static hs_status place_hosts(maker *m)
{
    hs_status status = HS_OK;
    int lans = m->routers - m->wan - m->man;
    for (int h = 0; h < m->hosts && status == HS_OK; h++) {
        int lan = h < lans ? h : (int)hs__random_below(&m->random, lans);
        status = join(m, m->hosts + m->wan + m->man + lan, h, LAN_LINK);
    }
    return status;
}

/* A random pair of routers that one more link may join: half of the time two of the WAN, else two of one MAN, a MAN and
 * the WAN, or a LAN and a MAN. */
static void draw_pair(maker *m, int *a, int *b)
{
    int64_t kind = hs__random_below(&m->random, 8);
    if (kind < 4 && m->wan > 1) {
        *a = (int)hs__random_below(&m->random, m->wan);
        *b = (int)hs__random_below(&m->random, m->wan);
    } else if (kind < 6 && m->man > 0) {
        *a = m->wan + (int)hs__random_below(&m->random, m->man);
        *b = kind < 5 ? m->wan + (int)hs__random_below(&m->random, m->man) : (int)hs__random_below(&m->random, m->wan);
        if (kind < 5 && m->places[*a].group != m->places[*b].group)
            *b = *a;
    } else {
        *a =
            m->man ? m->wan + (int)hs__random_below(&m->random, m->man) : (int)hs__random_below(&m->random, m->routers);
        *b = m->wan + m->man + (int)hs__random_below(&m->random, m->routers - m->wan - m->man);
    }
}

/* Adds `more` links between routers; when chance finds no free pair in a while, the lowest one. */
static hs_status add_redundancy(maker *m, int64_t more)
{
    hs_status status = HS_OK;
    int low = 0, high = 1;
    for (; more > 0 && status == HS_OK; more--) {
        int a = 0, b = 0;
        for (int tries = 0; tries < 100 && (a == b || are_joined(m, a, b)); tries++)
            draw_pair(m, &a, &b);
        if (a == b || are_joined(m, a, b)) {
            while (are_joined(m, low, high))
                if (++high == m->routers) {
                    low++;
                    high = low + 1;
                }
            a = low;
            b = high;
        }
        status = join_routers(m, a, b);
    }
    return status;
}

static hs_status make_hosts(maker *m)
{
    hs_status status = HS_OK;
    for (int h = 0; h < m->hosts && status == HS_OK; h++) {
        char id[32];
        snprintf(id, sizeof id, "h%d", h);
        double speed = speeds[hs__random_below(&m->random, (int64_t)(sizeof speeds / sizeof *speeds))];
        status = hs_platform_add_host(m->platform, id, speed, 1, NULL, m->error);
    }
    return status;
}

/* A LAN for every three hosts, but not more than half of the routers; a quarter of the others make the WAN. */
static void split_routers(maker *m)
{
    if (m->routers < 3)
        return;
    int lans = m->hosts / 3 < 1 ? 1 : m->hosts / 3 > m->routers / 2 ? m->routers / 2 : m->hosts / 3;
    m->wan = m->routers - lans < 4 ? 1 : (m->routers - lans) / 4;
    m->man = m->routers - lans - m->wan;
}

hs_status hs_platform_generate(int hosts, int routers, int links, uint64_t seed, hs_platform **platform,
                               hs_error *error)
{
    HS__RETURN_ERROR_IF_NULL(platform, error);
    if (hosts < 1 || routers < 1)
        return hs_error_set(error, HS_ERR_ARG, 0, "%d host%s and %d router%s: at least one of each is needed", hosts,
                            hs__plural(hosts), routers, hs__plural(routers));
    int64_t tree = (int64_t)hosts + routers - 1, most = hosts + (int64_t)routers * (routers - 1) / 2;
    if (links < tree || links > most)
        return hs_error_set(error, HS_ERR_ARG, 0, "%d link%s: %d host%s and %d router%s take %lld to %lld", links,
                            hs__plural(links), hosts, hs__plural(hosts), routers, hs__plural(routers), (long long)tree,
                            (long long)most);
    maker m = {.error = error, .random = {seed}, .hosts = hosts, .routers = routers};
    split_routers(&m);
    m.places = hs__array_new((size_t)routers, sizeof *m.places);
    hs_status status = m.places ? hs_platform_create(HS_ROUTING_GRAPH, &m.platform) : HS_ERR_NOMEM;
    if (status != HS_OK)
        hs__error_status(error, status);
    if (status == HS_OK)
        status = make_hosts(&m);
    if (status == HS_OK)
        status = make_wan(&m);
    if (status == HS_OK)
        status = make_mans(&m);
    if (status == HS_OK)
        status = make_lans(&m);
    if (status == HS_OK)
        status = place_hosts(&m);
    if (status == HS_OK)
        status = add_redundancy(&m, links - tree);
    HS_ASSERT(status != HS_OK ||
              (hs_platform_links(m.platform) == links && hs_platform_routers(m.platform) == routers));
    if (status == HS_OK && hs__checking())
        status = hs_platform_check(m.platform, error);
    free(m.places);
    if (status == HS_OK)
        *platform = m.platform;
    else
        hs_platform_free(m.platform);
    return status;
}
