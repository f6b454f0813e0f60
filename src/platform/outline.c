/* SPDX-License-Identifier: BSD-3-Clause */
/* Hosts on a circle around everything else, in the order of the ring, so that the ring is a line round the outside;
 * routers where the stations that they are joined to pull them (Tutte, "How to draw a graph", 1963), then pushed apart.
 * Without a ring, and for hosts outside of it, switches come in the order of the layout made before, as seen from its middle, and
 * their hosts in that of the file. */
#include "config.h"

#include "platform/outline.h"
#include "platform/platform.h"
#include "util/array.h"
#include "util/pool.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Pixels: between neighbours on the circle, between routers, between a router and a host, for the text along their line, and the
 * least radius of the circle; with each further router it grows. */
enum {
    AIR = 24,
    ROUTER_GAP = 24,
    HOST_GAP = 76,
    LEAST_RADIUS = 90,
    FEW_RADIUS = 120,
    ROUTER_ROOM = 30,
    MOST_ROOM = 120
};
enum { PULL_ROUNDS = 600, PUSH_ROUNDS = 100 };

typedef struct outline {
    hs__drawing *d;
    int hosts;
    int *order;    /* the hosts, around */
    int *parent;   /* of each station: the only one that it is joined to, or -1 */
    double *angle; /* of each host: what the order goes by */
    double *sum_x, *sum_y;
    int *near; /* of each station: how many the sums are of */
    hs__pool pool;
} outline;

static hs_status outline_init(outline *o, hs__drawing *d)
{
    size_t hosts = (size_t)d->platform->hosts, stations = (size_t)d->stations;
    *o = (outline){.d = d, .hosts = d->platform->hosts};
    o->order = hs__pool_new(&o->pool, hosts, sizeof *o->order);
    o->angle = hs__pool_new(&o->pool, hosts, sizeof *o->angle);
    o->parent = hs__pool_new(&o->pool, stations, sizeof *o->parent);
    o->sum_x = hs__pool_new(&o->pool, stations, sizeof *o->sum_x);
    o->sum_y = hs__pool_new(&o->pool, stations, sizeof *o->sum_y);
    o->near = hs__pool_new(&o->pool, stations, sizeof *o->near);
    return hs__pool_complete(&o->pool);
}

static int by_angle(const void *left, const void *right, void *context)
{
    int a = *(const int *)left, b = *(const int *)right;
    const outline *o = context;
    if (o->angle[a] != o->angle[b])
        return o->angle[a] < o->angle[b] ? -1 : 1;
    return o->parent[a] != o->parent[b] ? o->parent[a] - o->parent[b] : a - b;
}

/* The station that hangs a host on the rest: at the end of its cables, if all end there; -1 else. */
static void find_parents(outline *o)
{
    const hs__drawing *d = o->d;
    const int none = -1, unknown = -2;
    for (int v = 0; v < d->stations; v++)
        o->parent[v] = unknown;
    for (size_t i = 0; i < d->cable_count; i++)
        for (int side = 0; side < 2; side++) {
            int v = side ? d->cables[i].b : d->cables[i].a, u = side ? d->cables[i].a : d->cables[i].b;
            o->parent[v] = o->parent[v] == unknown || o->parent[v] == u ? u : none;
        }
}

/* Around the middle of all hosts: the hosts of a switch side by side, where their own middle is, in the order of the platform's
 * file. */
static void sort_hosts(outline *o)
{
    const hs__drawing *d = o->d;
    double x = 0, y = 0;
    find_parents(o);
    for (int h = 0; h < o->hosts; h++) {
        x += d->x[h] / o->hosts;
        y += d->y[h] / o->hosts;
        if (o->parent[h] >= 0) {
            o->sum_x[o->parent[h]] += d->x[h];
            o->sum_y[o->parent[h]] += d->y[h];
            o->near[o->parent[h]]++;
        }
    }
    for (int h = 0; h < o->hosts; h++) {
        int s = o->parent[h];
        double to_x = s >= 0 ? o->sum_x[s] / o->near[s] : d->x[h], to_y = s >= 0 ? o->sum_y[s] / o->near[s] : d->y[h];
        o->order[h] = h;
        o->angle[h] = atan2(to_y - y, to_x - x);
    }
    qsort_r(o->order, (size_t)o->hosts, sizeof *o->order, by_angle, o);
}

/* The ring's hosts in its order, each followed by those outside of the ring that come after it by angle. */
static hs_status follow_loop(outline *o)
{
    const hs__loop *loop = &o->d->loop;
    int *place = hs__array_new((size_t)o->hosts, sizeof *place);
    if (!place)
        return HS_ERR_NOMEM;
    for (size_t i = 0; i < loop->count; i++)
        place[loop->stations[i]] = (int)i + 1;
    int last = 0; /* of the first ones: they follow the last of the ring's */
    for (int i = 0; i < o->hosts; i++)
        last = place[o->order[i]] > 0 ? place[o->order[i]] : last;
    for (int i = 0; i < o->hosts; i++) {
        int h = o->order[i];
        last = place[h] > 0 ? place[h] : last;
        o->angle[h] = place[h] > 0 ? last : last + (i + 1.0) / (o->hosts + 2);
    }
    qsort_r(o->order, (size_t)o->hosts, sizeof *o->order, by_angle, o);
    free(place);
    return HS_OK;
}

/* Each host has an arc as long as it is wide. */
static void place_hosts(outline *o)
{
    hs__drawing *d = o->d;
    double around = 0, at = 0;
    for (int h = 0; h < o->hosts; h++)
        around += 2 * hs__drawing_radius(d, h) + AIR;
    double radius = fmax(d->stations <= HS__DRAWING_FEW ? FEW_RADIUS : LEAST_RADIUS, around / (2 * M_PI));
    radius += fmax(0, fmin(MOST_ROOM, ROUTER_ROOM * (d->stations - o->hosts - 1)));
    for (int i = 0; i < o->hosts; i++) {
        int h = o->order[i];
        double half = hs__drawing_radius(d, h) + AIR / 2.0, angle = 2 * M_PI * (at + half) / around;
        d->x[h] = radius * cos(angle);
        d->y[h] = radius * sin(angle);
        at += 2 * half;
    }
}

static void pull_routers(outline *o)
{
    hs__drawing *d = o->d;
    for (int v = o->hosts; v < d->stations; v++)
        d->x[v] = d->y[v] = 0;
    for (int round = 0; round < PULL_ROUNDS; round++) {
        memset(o->sum_x, 0, (size_t)d->stations * sizeof *o->sum_x);
        memset(o->sum_y, 0, (size_t)d->stations * sizeof *o->sum_y);
        memset(o->near, 0, (size_t)d->stations * sizeof *o->near);
        for (size_t i = 0; i < d->cable_count; i++)
            for (int side = 0; side < 2; side++) {
                int v = side ? d->cables[i].b : d->cables[i].a, u = side ? d->cables[i].a : d->cables[i].b;
                o->sum_x[v] += d->x[u];
                o->sum_y[v] += d->y[u];
                o->near[v]++;
            }
        for (int v = o->hosts; v < d->stations; v++)
            if (o->near[v] > 0) {
                d->x[v] = o->sum_x[v] / o->near[v];
                d->y[v] = o->sum_y[v] / o->near[v];
            }
    }
}

/* Moves router v away from a station that is too close; of two routers both give way. Returns whether it did. */
static int push(hs__drawing *d, int v, int u, double gap)
{
    double dx = d->x[v] - d->x[u], dy = d->y[v] - d->y[u], distance = hypot(dx, dy);
    double least = hs__drawing_radius(d, v) + hs__drawing_radius(d, u) + gap;
    if (distance >= least)
        return 0;
    if (distance < 1e-9) { /* on one spot: any direction, but always the same */
        dx = cos(v);
        dy = sin(v);
        distance = 1;
    }
    int both = u >= d->platform->hosts;
    double step = (least - distance) / distance / (1 + both) * 1.01;
    d->x[v] += step * dx;
    d->y[v] += step * dy;
    d->x[u] -= both * step * dx;
    d->y[u] -= both * step * dy;
    return 1;
}

static void push_routers(outline *o)
{
    hs__drawing *d = o->d;
    int moved = 1;
    for (int round = 0; round < PUSH_ROUNDS && moved; round++) {
        moved = 0;
        for (int v = o->hosts; v < d->stations; v++)
            for (int u = 0; u < v; u++)
                moved |= push(d, v, u, u < o->hosts ? HOST_GAP : ROUTER_GAP);
    }
}

/* Turns everything so that the routers lie along a level line. */
static void turn_level(outline *o)
{
    hs__drawing *d = o->d;
    double xx = 0, yy = 0, xy = 0;
    for (int v = o->hosts; v < d->stations; v++) {
        xx += d->x[v] * d->x[v];
        yy += d->y[v] * d->y[v];
        xy += d->x[v] * d->y[v];
    }
    double angle = atan2(2 * xy, xx - yy) / 2, c = cos(angle), s = sin(angle);
    for (int v = 0; v < d->stations; v++) {
        double x = d->x[v], y = d->y[v];
        d->x[v] = c * x + s * y;
        d->y[v] = c * y - s * x;
    }
}

int hs__outline_suits(const hs__drawing *drawing)
{
    int hosts = drawing->platform->hosts;
    return hosts > 2 && drawing->stations <= HS__DRAWING_NAMED &&
           (drawing->loop.count > 0 || drawing->stations - hosts <= hosts);
}

hs_status hs__outline_layout(hs__drawing *drawing)
{
    outline o;
    hs_status status = outline_init(&o, drawing);
    if (status == HS_OK)
        sort_hosts(&o);
    if (status == HS_OK && drawing->loop.count > 0)
        status = follow_loop(&o);
    if (status == HS_OK) {
        place_hosts(&o);
        pull_routers(&o);
        push_routers(&o);
        turn_level(&o);
    }
    hs__pool_free(&o.pool);
    return status;
}
