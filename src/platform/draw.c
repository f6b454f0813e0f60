/* SPDX-License-Identifier: BSD-3-Clause */
/* What a drawing shows: hosts, routers, and cables between them. A route a - l1 - l2 - b says that a touches l1, l1
 * touches l2, l2 touches b. A link that touches two things is a cable between them; one that touches more, such as a
 * cluster's backbone, is a station itself. */
#include "platform/draw.h"
#include "platform/labels.h"
#include "platform/platform.h"
#include "util/array.h"
#include "util/plural.h"
#include <heteroslice/hs_units.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Things that touch: nodes by index, then links, then the middles of clusters without router or backbone. */
typedef struct touching {
    const hs_platform *platform;
    int things;
    int (*pairs)[2]; /* lower thing first; owned */
    size_t count, room;
    int failed; /* memory ran out */
} touching;

static int thing_of_link(const touching *t, int link)
{
    int twin = t->platform->links[link].twin;
    return (int)t->platform->node_count + (twin >= 0 && twin < link ? twin : link);
}

static void touch(touching *t, int a, int b)
{
    if (a == b || t->failed)
        return;
    if (hs__array_reserve(&t->pairs, &t->room, t->count + 1, sizeof *t->pairs) != 0) {
        t->failed = 1;
        return;
    }
    t->pairs[t->count][0] = a < b ? a : b;
    t->pairs[t->count++][1] = a < b ? b : a;
}

static void touch_edge(touching *t, const hs__edge *edge)
{
    const hs_platform *p = t->platform;
    int inner = edge->gw_from >= 0;
    int at = inner ? edge->gw_from : p->zones[edge->zone].vertices[edge->from];
    for (int i = 0; i < edge->count; i++) {
        int link = thing_of_link(t, p->crossed[edge->first + (size_t)i]);
        touch(t, at, link);
        at = link;
    }
    touch(t, at, inner ? edge->gw_to : p->zones[edge->zone].vertices[edge->to]);
}

/* The middle of a cluster: its backbone, else its first router, else a thing of its own. */
static int middle_of(const touching *t, int z)
{
    const hs_platform *p = t->platform;
    const hs__zone *zone = &p->zones[z];
    if (zone->backbone >= 0)
        return thing_of_link(t, zone->backbone);
    for (size_t i = 0; i < zone->count; i++)
        if (!p->nodes[zone->vertices[i]].cores)
            return zone->vertices[i];
    return (int)(p->node_count + p->link_count) + z;
}

static void touch_star(touching *t, int z)
{
    const hs__zone *zone = &t->platform->zones[z];
    int middle = middle_of(t, z);
    for (size_t i = 0; i < zone->count; i++) {
        const hs__spoke *spoke = &zone->spokes[i];
        int at = zone->vertices[i];
        if (spoke->up < 0) {
            touch(t, at, middle);
            continue;
        }
        if (spoke->limiter >= 0) {
            touch(t, at, thing_of_link(t, spoke->limiter));
            at = thing_of_link(t, spoke->limiter);
        }
        touch(t, at, thing_of_link(t, spoke->up));
        touch(t, thing_of_link(t, spoke->up), middle);
        touch(t, at, thing_of_link(t, spoke->down));
        touch(t, thing_of_link(t, spoke->down), middle);
    }
}

static int by_things(const void *left, const void *right)
{
    const int *a = left, *b = right;
    if (a[0] != b[0])
        return a[0] < b[0] ? -1 : 1;
    return a[1] < b[1] ? -1 : a[1] > b[1];
}

/* All pairs that touch, sorted, each once. */
static hs_status find_touching(touching *t)
{
    const hs_platform *p = t->platform;
    t->things = (int)(p->node_count + p->link_count + p->zone_count);
    for (size_t e = 0; e < p->edge_count; e++)
        if (!p->edges[e].mirror)
            touch_edge(t, &p->edges[e]);
    for (size_t z = 0; z < p->zone_count; z++)
        if (p->zones[z].spokes)
            touch_star(t, (int)z);
    if (t->failed)
        return HS_ERR_NOMEM;
    if (t->count)
        qsort(t->pairs, t->count, sizeof *t->pairs, by_things);
    size_t kept = 0;
    for (size_t i = 0; i < t->count; i++)
        if (i == 0 || by_things(t->pairs[i], t->pairs[kept - 1]) != 0)
            memcpy(t->pairs[kept++], t->pairs[i], sizeof *t->pairs);
    t->count = kept;
    return HS_OK;
}

/* What a link touches: its first two neighbours and how many there are. */
typedef struct neighbours {
    int count, first[2];
} neighbours;

static void count_neighbours(const touching *t, neighbours *of)
{
    for (size_t i = 0; i < t->count; i++)
        for (int side = 0; side < 2; side++) {
            neighbours *n = &of[t->pairs[i][side]];
            if (n->count < 2)
                n->first[n->count] = t->pairs[i][1 - side];
            n->count++;
        }
}

static void add_cable(hs__drawing *d, int a, int b, int link)
{
    d->cables[d->cable_count++] = (hs__cable){a < b ? a : b, a < b ? b : a, link, 0};
}

/* Links that touch two things become cables, unless the other thing is such a cable itself; everything else that
 * touches anything becomes a station. station[thing] is -1 for cables and things not drawn. */
static void sort_things(hs__drawing *d, const touching *t, const neighbours *of, int *station)
{
    int nodes = (int)d->platform->node_count, links = (int)d->platform->link_count;
    enum { NOT_DRAWN = -1, CABLE = -2 };
    for (int v = 0; v < nodes; v++) {
        station[v] = v;
        d->station_link[v] = -1;
    }
    d->stations = nodes;
    for (int i = nodes; i < t->things; i++) {
        int is_link = i < nodes + links;
        station[i] = NOT_DRAWN;
        if (is_link && of[i].count == 2 && station[of[i].first[0]] != CABLE && station[of[i].first[1]] != CABLE)
            station[i] = CABLE;
        else if (of[i].count > 0) {
            d->station_link[d->stations] = is_link ? i - nodes : -1;
            station[i] = d->stations++;
        }
    }
    for (int i = nodes; i < nodes + links; i++)
        if (station[i] == CABLE)
            add_cable(d, station[of[i].first[0]], station[of[i].first[1]], i - nodes);
    for (size_t i = 0; i < t->count; i++)
        if (station[t->pairs[i][0]] >= 0 && station[t->pairs[i][1]] >= 0)
            add_cable(d, station[t->pairs[i][0]], station[t->pairs[i][1]], -1);
}

static int by_ends(const void *left, const void *right)
{
    const hs__cable *a = left, *b = right;
    if (a->a != b->a)
        return a->a < b->a ? -1 : 1;
    if (a->b != b->b)
        return a->b < b->b ? -1 : 1;
    return a->link < b->link ? -1 : a->link > b->link;
}

static hs_status find_stations(hs__drawing *d)
{
    touching t = {.platform = d->platform};
    neighbours *of = NULL;
    int *station = NULL;
    hs_status status = find_touching(&t);
    if (status != HS_OK)
        goto out;
    of = hs__array_new((size_t)t.things, sizeof *of);
    station = hs__array_new((size_t)t.things, sizeof *station);
    d->station_link = hs__pool_new(&d->pool, (size_t)t.things, sizeof *d->station_link);
    d->cables = hs__pool_new(&d->pool, t.count + d->platform->link_count, sizeof *d->cables);
    d->x = hs__pool_new(&d->pool, (size_t)t.things, sizeof *d->x);
    d->y = hs__pool_new(&d->pool, (size_t)t.things, sizeof *d->y);
    if (!of || !station || hs__pool_status(&d->pool) != HS_OK) {
        status = HS_ERR_NOMEM;
        goto out;
    }
    count_neighbours(&t, of);
    sort_things(d, &t, of, station);
    qsort(d->cables, d->cable_count, sizeof *d->cables, by_ends);
    for (size_t i = 1; i < d->cable_count; i++)
        if (d->cables[i].a == d->cables[i - 1].a && d->cables[i].b == d->cables[i - 1].b)
            d->cables[i].bend = d->cables[i - 1].bend + 1;
out:
    free(station);
    free(of);
    free(t.pairs);
    return status;
}

/* Areas grow with the speed of all cores; the fastest host has a radius of 15 pixels and none less than 5. */
static void set_areas(hs__drawing *d)
{
    const hs_platform *p = d->platform;
    char least[32], most[32];
    double fastest = 0, slowest = INFINITY;
    for (int h = 0; h < p->hosts; h++) {
        fastest = fmax(fastest, p->nodes[h].speed * p->nodes[h].cores);
        slowest = fmin(slowest, p->nodes[h].speed * p->nodes[h].cores);
    }
    for (int h = 0; h < p->hosts; h++) {
        double share = fastest > 0 ? p->nodes[h].speed * p->nodes[h].cores / fastest : 0;
        d->area[h] = M_PI * fmax(25, 225 * share);
    }
    snprintf(d->area_caption, sizeof d->area_caption, "circle area: speed, %s to %s",
             hs_quantity_format(slowest, HS_UNIT_SPEED, least, sizeof least),
             hs_quantity_format(fastest, HS_UNIT_SPEED, most, sizeof most));
}

/* Widths grow with the logarithm of the bandwidth, from 1 to 6 pixels. */
static void set_widths(hs__drawing *d)
{
    const hs_platform *p = d->platform;
    char least[32], most[32];
    double fastest = 0, slowest = INFINITY;
    for (size_t l = 0; l < p->link_count; l++) {
        fastest = fmax(fastest, p->links[l].bandwidth);
        slowest = fmin(slowest, p->links[l].bandwidth);
    }
    for (size_t l = 0; l < p->link_count; l++)
        d->width[l] = fastest > slowest ? 1 + 5 * log(p->links[l].bandwidth / slowest) / log(fastest / slowest) : 2;
    if (p->link_count)
        snprintf(d->width_caption, sizeof d->width_caption, "line width: bandwidth, %s to %s",
                 hs__label_bandwidth(p, slowest, least, sizeof least),
                 hs__label_bandwidth(p, fastest, most, sizeof most));
}

static void set_title(hs__drawing *d)
{
    int hosts = d->platform->hosts;
    size_t links = d->platform->link_count;
    for (size_t l = 0; l < d->platform->link_count; l++)
        links -= d->platform->links[l].twin > (int)l; /* both ways are one link */
    snprintf(d->title, sizeof d->title, "%d host%s, %zu link%s", hosts, hs__plural(hosts), links, hs__plural(links));
}

hs_status hs__drawing_create(const hs_platform *platform, hs__drawing **drawing)
{
    hs__drawing *d = hs__array_new(1, sizeof *d);
    if (!d)
        return HS_ERR_NOMEM;
    d->platform = platform;
    d->area = hs__pool_new(&d->pool, (size_t)platform->hosts, sizeof *d->area);
    d->width = hs__pool_new(&d->pool, platform->link_count, sizeof *d->width);
    hs_status status = find_stations(d);
    if (status == HS_OK) {
        set_areas(d);
        set_widths(d);
        set_title(d);
        status = hs__drawing_layout(d);
    }
    if (status == HS_OK)
        *drawing = d;
    else
        hs__drawing_free(d);
    return status;
}

void hs__drawing_free(hs__drawing *drawing)
{
    if (!drawing)
        return;
    hs__pool_free(&drawing->pool);
    free(drawing);
}

void hs__drawing_bend(const hs__drawing *drawing, const hs__cable *cable, double *x, double *y)
{
    const double *xs = drawing->x, *ys = drawing->y;
    double dx = xs[cable->b] - xs[cable->a], dy = ys[cable->b] - ys[cable->a], length = hypot(dx, dy);
    int rank = (cable->bend + 1) / 2; /* 1 and 2 bend by the same, to both sides */
    double side = 18 * rank * (cable->bend % 2 ? 1 : -1);
    *x = (xs[cable->a] + xs[cable->b]) / 2 - (length > 0 ? side * dy / length : 0);
    *y = (ys[cable->a] + ys[cable->b]) / 2 + (length > 0 ? side * dx / length : 0);
}

double hs__drawing_radius(const hs__drawing *drawing, int station)
{
    if (station < drawing->platform->hosts)
        return sqrt(drawing->area[station] / M_PI);
    return station < (int)drawing->platform->node_count ? 5 : 4;
}
