/* SPDX-License-Identifier: BSD-3-Clause */
/* Where stations go: first on circles around the middle of each connected part, each branch in a wedge as wide as its
 * leaves need; then, up to HS__LAYOUT_MAX stations, moved until distances on paper match distances in the graph
 * (stress majorization, Gansner, Koren, North, "Graph drawing by stress majorization", GD 2004); then pushed apart
 * where they overlap. Parts go side by side. Lone ends of a station that has many are left out of all that: they stand
 * around it like seeds in a sunflower. No chance is involved. Of a small platform outline.c then takes the hosts'
 * directions from this, or a ring's order, and puts them around the rest. */
#include "platform/draw.h"
#include "platform/outline.h"
#include "platform/platform.h"
#include "util/array.h"
#include <math.h>
#include <stdlib.h>

/* Pixels: the usual length of a cable and of one to a lone end, the least gap between stations, between parts, and the
 * width at which parts begin a new row. */
enum { LENGTH = 50, END_LENGTH = 24, GAP = 18, PART_GAP = 60, ROW = 1000 };
/* Stations with more lone ends than this have them around themselves. */
enum { BUNCH = 10 };
enum { STRESS_ROUNDS = 200, PUSH_ROUNDS = 80 };

typedef struct layout {
    hs__drawing *d;
    int *first, *near;             /* neighbours of v: near[first[v] .. first[v + 1]) */
    int *degree;                   /* neighbours without bunched ones */
    int *bunched;                  /* the station that this lone end stands around, or -1 */
    double *reach;                 /* radius of the station with what stands around it */
    int *depth, *parent;           /* from the root of its part, -1: not reached */
    int *order;                    /* the current part, breadth first */
    double *leaves, *begin, *next; /* of each branch: its leaves, its wedge, what is left of it */
    double *distance;              /* part x part, by place in order; NULL for a large part; owned */
    hs__pool pool;
} layout;

static hs_status layout_init(layout *l, hs__drawing *d)
{
    size_t n = (size_t)d->stations;
    *l = (layout){.d = d};
    l->first = hs__pool_new(&l->pool, n + 2, sizeof *l->first);
    l->near = hs__pool_new(&l->pool, 2 * d->cable_count, sizeof *l->near);
    l->degree = hs__pool_new(&l->pool, n, sizeof *l->degree);
    l->bunched = hs__pool_new(&l->pool, n, sizeof *l->bunched);
    l->reach = hs__pool_new(&l->pool, n, sizeof *l->reach);
    l->depth = hs__pool_new(&l->pool, n, sizeof *l->depth);
    l->parent = hs__pool_new(&l->pool, n, sizeof *l->parent);
    l->order = hs__pool_new(&l->pool, n, sizeof *l->order);
    l->leaves = hs__pool_new(&l->pool, n, sizeof *l->leaves);
    l->begin = hs__pool_new(&l->pool, n, sizeof *l->begin);
    l->next = hs__pool_new(&l->pool, n, sizeof *l->next);
    if (hs__pool_complete(&l->pool) != HS_OK)
        return HS_ERR_NOMEM;
    for (size_t v = 0; v < n; v++)
        l->depth[v] = -1;
    for (size_t i = 0; i < d->cable_count; i++) {
        l->first[d->cables[i].a + 2]++;
        l->first[d->cables[i].b + 2]++;
    }
    for (size_t v = 0; v < n; v++)
        l->first[v + 2] += l->first[v + 1];
    for (size_t i = 0; i < d->cable_count; i++) {
        l->near[l->first[d->cables[i].a + 1]++] = d->cables[i].b;
        l->near[l->first[d->cables[i].b + 1]++] = d->cables[i].a;
    }
    return HS_OK;
}

/* Distance between neighbours of a bunch: hosts, a little air, and room for a name where names are written. */
static double bunch_step(const layout *l, int centre)
{
    double widest = 0;
    for (int k = l->first[centre]; k < l->first[centre + 1]; k++)
        if (l->bunched[l->near[k]] == centre)
            widest = fmax(widest, hs__drawing_radius(l->d, l->near[k]));
    return 2 * widest + (l->d->stations <= HS__DRAWING_NAMED ? GAP : 2);
}

/* Place k of a bunch: the golden angle spreads places evenly over a disc. */
static double bunch_radius(double step, int k)
{
    return step * sqrt(0.32 * (k + 4));
}

static void find_bunches(layout *l)
{
    for (int v = 0; v < l->d->stations; v++) {
        l->degree[v] = l->first[v + 1] - l->first[v];
        l->bunched[v] = -1;
        l->reach[v] = hs__drawing_radius(l->d, v);
    }
    for (int v = 0; v < l->d->stations; v++) {
        int lone = 0;
        for (int k = l->first[v]; k < l->first[v + 1]; k++)
            lone += l->degree[l->near[k]] == 1;
        if (lone <= BUNCH)
            continue;
        for (int k = l->first[v]; k < l->first[v + 1]; k++)
            if (l->degree[l->near[k]] == 1)
                l->bunched[l->near[k]] = v;
        l->reach[v] = bunch_radius(bunch_step(l, v), lone);
    }
    for (int v = 0; v < l->d->stations; v++)
        if (l->bunched[v] >= 0)
            l->degree[l->bunched[v]]--;
}

static void place_bunches(layout *l)
{
    hs__drawing *d = l->d;
    double golden = M_PI * (3 - sqrt(5));
    for (int v = 0; v < d->stations; v++) {
        int placed = 0;
        double step = bunch_step(l, v);
        for (int k = l->first[v]; k < l->first[v + 1]; k++) {
            int end = l->near[k];
            if (l->bunched[end] != v)
                continue;
            double radius = bunch_radius(step, placed), angle = golden * placed++;
            d->x[end] = d->x[v] + radius * cos(angle);
            d->y[end] = d->y[v] + radius * sin(angle);
        }
    }
}

/* Breadth first from a root over stations not yet reached; returns how many. The last one is a farthest one. */
static int search(layout *l, int root)
{
    int reached = 0;
    l->order[reached++] = root;
    l->depth[root] = 0;
    l->parent[root] = -1;
    for (int i = 0; i < reached; i++)
        for (int v = l->order[i], k = l->first[v]; k < l->first[v + 1]; k++)
            if (l->depth[l->near[k]] < 0 && l->bunched[l->near[k]] < 0) {
                l->depth[l->near[k]] = l->depth[v] + 1;
                l->parent[l->near[k]] = v;
                l->order[reached++] = l->near[k];
            }
    return reached;
}

/* Searches the part of a station from the middle of a long path in it: from anywhere to a farthest station, from there
 * to a farthest again, half way back. Returns the size of the part. */
static int search_part(layout *l, int station)
{
    int count = search(l, station);
    for (int pass = 0; pass < 2; pass++) {
        int root = l->order[count - 1];
        for (int back = pass ? l->depth[root] / 2 : 0; back > 0; back--)
            root = l->parent[root];
        for (int i = 0; i < count; i++)
            l->depth[l->order[i]] = -1;
        search(l, root);
    }
    return count;
}

/* Puts the part on circles around (0, 0). */
static void place_on_circles(layout *l, int count)
{
    hs__drawing *d = l->d;
    for (int i = 0; i < count; i++)
        l->leaves[l->order[i]] = 0;
    for (int i = count - 1; i >= 0; i--) {
        int v = l->order[i];
        if (l->leaves[v] == 0)
            l->leaves[v] = 1;
        if (i > 0)
            l->leaves[l->parent[v]] += l->leaves[v];
    }
    double total = l->leaves[l->order[0]], circle = 2 * M_PI;
    int deepest = l->depth[l->order[count - 1]];
    double step = fmax(LENGTH, total * 1.6 * GAP / (circle * fmax(1, deepest)));
    for (int i = 0; i < count; i++) {
        int v = l->order[i], p = l->parent[v];
        double width = circle * l->leaves[v] / total;
        l->begin[v] = i ? l->next[p] : 0;
        l->next[v] = l->begin[v];
        if (i)
            l->next[p] += width;
        d->x[v] = step * l->depth[v] * cos(l->begin[v] + width / 2);
        d->y[v] = step * l->depth[v] * sin(l->begin[v] + width / 2);
    }
}

/* The preferred length of a cable. A switch with many lone ends keeps them farther away, so that they have room; of few stations
 * every cable has room for its bandwidth and latency. */
static double wanted_length(const layout *l, int a, int b)
{
    int few = l->d->stations <= HS__DRAWING_FEW;
    if (few || (l->degree[a] > 1 && l->degree[b] > 1))
        return (few ? 2 : 1) * LENGTH + l->reach[a] + l->reach[b];
    double ends = fmax(l->degree[a], l->degree[b]);
    return fmax(END_LENGTH, ends * 1.6 * GAP / (2 * M_PI)) + l->reach[a] + l->reach[b];
}

/* Distances between the stations of the part, over the fewest cables. */
static hs_status find_distances(layout *l, int count)
{
    double *distance = hs__array_new((size_t)count * (size_t)count, sizeof *distance);
    int *queue = hs__array_new((size_t)count, sizeof *queue), *place = l->parent; /* the parents have served */
    if (!distance || !queue) {
        free(queue);
        free(distance);
        return HS_ERR_NOMEM;
    }
    for (int i = 0; i < count; i++)
        place[l->order[i]] = i;
    for (int i = 0; i < count; i++) {
        double *row = distance + (size_t)i * (size_t)count;
        int reached = 0;
        queue[reached++] = i;
        for (int q = 0; q < reached; q++)
            for (int v = l->order[queue[q]], k = l->first[v]; k < l->first[v + 1]; k++) {
                int j = place[l->near[k]];
                if (l->bunched[l->near[k]] >= 0 || j == i || row[j] > 0)
                    continue;
                row[j] = row[queue[q]] + wanted_length(l, v, l->near[k]);
                queue[reached++] = j;
            }
    }
    free(queue);
    free(l->distance);
    l->distance = distance;
    return HS_OK;
}

/* Moves every station to where its distances to all others, weighted by 1 / distance^2, fit best. */
static void relax_stress(layout *l, int count)
{
    double *x = l->d->x, *y = l->d->y;
    for (int round = 0; round < STRESS_ROUNDS; round++)
        for (int i = 0; i < count; i++) {
            const double *row = l->distance + (size_t)i * (size_t)count;
            double sum = 0, to_x = 0, to_y = 0;
            int v = l->order[i];
            for (int j = 0; j < count; j++) {
                if (j == i)
                    continue;
                int u = l->order[j];
                double gap = hypot(x[v] - x[u], y[v] - y[u]), weight = 1 / (row[j] * row[j]);
                double stretch = gap > 1e-9 ? row[j] / gap : 0;
                to_x += weight * (x[u] + stretch * (x[v] - x[u]));
                to_y += weight * (y[u] + stretch * (y[v] - y[u]));
                sum += weight;
            }
            x[v] = to_x / sum;
            y[v] = to_y / sum;
        }
}

/* Pushes apart stations that come closer than the gap. */
static void push_apart(layout *l, int count)
{
    hs__drawing *d = l->d;
    int moved = 1;
    for (int round = 0; round < PUSH_ROUNDS && moved; round++) {
        moved = 0;
        for (int i = 0; i < count; i++)
            for (int j = 0; j < i; j++) {
                int a = l->order[i], b = l->order[j];
                double dx = d->x[a] - d->x[b], dy = d->y[a] - d->y[b], gap = hypot(dx, dy);
                double least = l->reach[a] + l->reach[b] + GAP;
                if (gap >= least)
                    continue;
                if (gap < 1e-9) { /* on one spot: any direction, but always the same */
                    dx = cos(i);
                    dy = sin(i);
                    gap = 1;
                }
                double push = (least - gap) / 2 / gap;
                d->x[a] += push * dx;
                d->y[a] += push * dy;
                d->x[b] -= push * dx;
                d->y[b] -= push * dy;
                moved = 1;
            }
    }
}

/* Turns the part so that it is wider than high: its main axis, the one of largest variance, becomes horizontal. */
static void lay_flat(layout *l, int count)
{
    double *x = l->d->x, *y = l->d->y, mean_x = 0, mean_y = 0, xx = 0, yy = 0, xy = 0;
    for (int i = 0; i < count; i++) {
        mean_x += x[l->order[i]] / count;
        mean_y += y[l->order[i]] / count;
    }
    for (int i = 0; i < count; i++) {
        double dx = x[l->order[i]] - mean_x, dy = y[l->order[i]] - mean_y;
        xx += dx * dx;
        yy += dy * dy;
        xy += dx * dy;
    }
    double angle = atan2(2 * xy, xx - yy) / 2, c = cos(angle), s = sin(angle);
    for (int i = 0; i < count; i++) {
        double dx = x[l->order[i]], dy = y[l->order[i]];
        x[l->order[i]] = c * dx + s * dy;
        y[l->order[i]] = c * dy - s * dx;
    }
}

/* Where the next part goes. */
typedef struct cursor {
    double x, y, row_height;
} cursor;

static void place_part(layout *l, int count, cursor *at)
{
    hs__drawing *d = l->d;
    double left = INFINITY, right = -INFINITY, top = INFINITY, bottom = -INFINITY;
    for (int i = 0; i < count; i++) {
        int v = l->order[i];
        left = fmin(left, d->x[v] - l->reach[v]);
        right = fmax(right, d->x[v] + l->reach[v]);
        top = fmin(top, d->y[v] - l->reach[v]);
        bottom = fmax(bottom, d->y[v] + l->reach[v]);
    }
    if (at->x > ROW) {
        at->x = 0;
        at->y += at->row_height + PART_GAP;
        at->row_height = 0;
    }
    for (int i = 0; i < count; i++) {
        d->x[l->order[i]] += at->x - left;
        d->y[l->order[i]] += at->y - top;
    }
    at->x += right - left + PART_GAP;
    at->row_height = fmax(at->row_height, bottom - top);
}

hs_status hs__drawing_layout(hs__drawing *drawing)
{
    layout l;
    cursor at = {0, 0, 0};
    hs_status status = layout_init(&l, drawing);
    if (status == HS_OK)
        find_bunches(&l);
    for (int v = 0; v < drawing->stations && status == HS_OK; v++) {
        if (l.depth[v] >= 0 || l.bunched[v] >= 0)
            continue;
        int count = search_part(&l, v);
        place_on_circles(&l, count);
        if (count > 1 && count <= HS__LAYOUT_MAX) {
            status = find_distances(&l, count);
            if (status == HS_OK) {
                relax_stress(&l, count);
                push_apart(&l, count);
            }
        }
        lay_flat(&l, count);
        place_part(&l, count, &at);
    }
    if (status == HS_OK)
        place_bunches(&l);
    free(l.distance);
    hs__pool_free(&l.pool);
    return status == HS_OK && hs__outline_suits(drawing) ? hs__outline_layout(drawing) : status;
}
