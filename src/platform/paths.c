/* SPDX-License-Identifier: BSD-3-Clause */
/* Shortest paths inside a zone, in number of links, with the ties that SimGrid 3.32 would take, but without its O(n^3)
 * table: a row of last edges is made when first asked for and kept; hosts of one cable share the row of their switch.
 *
 * Floyd. SimGrid tries the intermediate vertices c = 0, 1, ... and takes c only when it shortens a path, so the last
 * edge from a to b is fixed when the distance first becomes final: at c*(a, b), the lowest, over all shortest paths, of
 * the highest intermediate vertex. It is then the last edge from c*(a, b) to b. One search backward from b gives c* and
 * so the last edges from every a. Dijkstra. Vertices are settled by (distance, order of first mention in the routes)
 * and a vertex keeps the edge that first gave its distance: the one from the earliest settled tight neighbour. */
#include "platform/platform.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/pool.h"
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

struct hs__tables {
    int vertices, widest; /* the most links on one edge */
    int *out_first, *out; /* edges from vertex v: out[out_first[v] .. out_first[v + 1]) in file order */
    int *in_first, *in;   /* edges to vertex v, likewise */
    int *rank;            /* Dijkstra: place of each vertex in the order of first mention */
    _Atomic(int *) *rows; /* Floyd: rows[to][from], Dijkstra: rows[from][to]: last edge, -1 for none; each owned */
    hs__pool pool;
};

void hs__tables_free(hs__tables *tables)
{
    if (!tables)
        return;
    if (tables->rows)
        for (int v = 0; v < tables->vertices; v++)
            free(atomic_load(&tables->rows[v]));
    hs__pool_free(&tables->pool);
    free(tables);
}

/* Counts the edges that leave and reach each vertex, and ranks the vertices by first mention. Counts land two places
 * further on, so that filling turns each place into the vertex's beginning. */
static void count_edges(const hs_platform *platform, const hs__zone *zone, hs__tables *t)
{
    int ranked = 0;
    for (int v = 0; v < t->vertices; v++)
        t->rank[v] = -1;
    for (int e = zone->first_edge; e >= 0; e = platform->edges[e].next) {
        const hs__edge *edge = &platform->edges[e];
        t->out_first[edge->from + 2]++;
        t->in_first[edge->to + 2]++;
        t->widest = edge->count > t->widest ? edge->count : t->widest;
        if (t->rank[edge->from] < 0)
            t->rank[edge->from] = ranked++;
        if (t->rank[edge->to] < 0)
            t->rank[edge->to] = ranked++;
    }
    for (int v = 0; v < t->vertices; v++) {
        t->out_first[v + 2] += t->out_first[v + 1];
        t->in_first[v + 2] += t->in_first[v + 1];
    }
}

static hs__tables *tables_make(const hs_platform *platform, const hs__zone *zone)
{
    size_t edges = 0;
    for (int e = zone->first_edge; e >= 0; e = platform->edges[e].next)
        edges++;
    hs__tables *t = hs__array_new(1, sizeof *t);
    if (!t)
        return NULL;
    t->vertices = (int)zone->count;
    t->out_first = hs__pool_new(&t->pool, zone->count + 2, sizeof *t->out_first);
    t->in_first = hs__pool_new(&t->pool, zone->count + 2, sizeof *t->in_first);
    t->out = hs__pool_new(&t->pool, edges, sizeof *t->out);
    t->in = hs__pool_new(&t->pool, edges, sizeof *t->in);
    t->rank = hs__pool_new(&t->pool, zone->count, sizeof *t->rank);
    t->rows = hs__pool_new(&t->pool, zone->count, sizeof *t->rows);
    if (hs__pool_status(&t->pool) != HS_OK) {
        hs__tables_free(t);
        return NULL;
    }
    count_edges(platform, zone, t);
    for (int e = zone->first_edge; e >= 0; e = platform->edges[e].next) {
        t->out[t->out_first[platform->edges[e].from + 1]++] = e;
        t->in[t->in_first[platform->edges[e].to + 1]++] = e;
    }
    HS_ASSERT((size_t)t->out_first[zone->count] == edges && (size_t)t->in_first[zone->count] == edges);
    return t;
}

/* The zone's tables, made on first use; NULL without memory. */
static hs__tables *tables_of(const hs_platform *platform, int z)
{
    hs__zone *zone = &platform->zones[z];
    hs__tables *known = atomic_load(&zone->tables);
    if (known)
        return known;
    hs__tables *made = tables_make(platform, zone);
    if (made && !atomic_compare_exchange_strong(&zone->tables, &known, made)) {
        hs__tables_free(made);
        made = known;
    }
    return made;
}

/* Distances from or to one vertex, and the vertices in order of distance. */
typedef struct search {
    int64_t *distance; /* -1: not reached */
    int *order;        /* vertices by distance, the source first */
    int reached;
    int *bucket, *next, *vertex; /* lists of the vertices to settle at each distance, modulo the widest edge */
    int *crest;                  /* see fill_floyd() */
    hs__pool pool;
} search;

static hs_status search_init(const hs__tables *t, search *s)
{
    size_t n = (size_t)t->vertices, entries = (size_t)t->out_first[n] + 1;
    *s = (search){0};
    s->distance = hs__pool_new(&s->pool, n, sizeof *s->distance);
    s->order = hs__pool_new(&s->pool, n, sizeof *s->order);
    s->bucket = hs__pool_new(&s->pool, (size_t)t->widest + 1, sizeof *s->bucket);
    s->next = hs__pool_new(&s->pool, entries, sizeof *s->next);
    s->vertex = hs__pool_new(&s->pool, entries, sizeof *s->vertex);
    s->crest = hs__pool_new(&s->pool, n, sizeof *s->crest);
    return hs__pool_complete(&s->pool);
}

/* Dial's algorithm: buckets by distance instead of a heap. Forward searches follow the edges, backward ones go against
 * them. */
static void search_run(const hs_platform *platform, const hs__tables *t, int source, int backward, search *s)
{
    const int *first = backward ? t->in_first : t->out_first, *list = backward ? t->in : t->out;
    int entries = 0, waiting = 1, lists = t->widest + 1;
    for (int v = 0; v < t->vertices; v++)
        s->distance[v] = -1;
    for (int b = 0; b < lists; b++)
        s->bucket[b] = -1;
    s->distance[source] = 0;
    s->vertex[entries] = source;
    s->next[entries] = -1;
    s->bucket[0] = entries++;
    for (int64_t d = 0; waiting > 0; d++) {
        int entry = s->bucket[d % lists];
        s->bucket[d % lists] = -1;
        for (; entry >= 0; entry = s->next[entry], waiting--) {
            int v = s->vertex[entry];
            if (s->distance[v] != d) /* reached over a shorter way meanwhile, and settled there */
                continue;
            HS_ASSERT(s->reached == 0 || s->distance[s->order[s->reached - 1]] <= d);
            s->order[s->reached++] = v;
            for (int i = first[v]; i < first[v + 1]; i++) {
                const hs__edge *edge = &platform->edges[list[i]];
                int u = backward ? edge->from : edge->to;
                if (s->distance[u] >= 0 && s->distance[u] <= d + edge->count)
                    continue;
                s->distance[u] = d + edge->count;
                s->vertex[entries] = u;
                s->next[entries] = s->bucket[s->distance[u] % lists];
                s->bucket[s->distance[u] % lists] = entries++;
                waiting++;
            }
        }
    }
}

/* After a search backward from `to`: row[a] is the last edge of Floyd's path from a. crest[a] is c*(a, to), -1 for the
 * edge straight to it. */
static void fill_floyd(const hs_platform *platform, const hs__tables *t, const search *s, int to, int *row)
{
    int *crest = s->crest;
    for (int i = 1; i < s->reached; i++) {
        int a = s->order[i], best = INT_MAX;
        for (int j = t->out_first[a]; j < t->out_first[a + 1]; j++) {
            const hs__edge *edge = &platform->edges[t->out[j]];
            int b = edge->to;
            if (s->distance[b] < 0 || s->distance[b] + edge->count != s->distance[a])
                continue;
            int highest = b == to ? -1 : crest[b] > b ? crest[b] : b;
            if (highest < best) {
                best = highest;
                row[a] = t->out[j];
            }
        }
        crest[a] = best;
        if (best >= 0)
            row[a] = row[best];
    }
}

/* After a search forward: row[b] is the last edge of Dijkstra's path to b. */
static void fill_dijkstra(const hs_platform *platform, const hs__tables *t, const search *s, int *row)
{
    for (int i = 1; i < s->reached; i++) {
        int b = s->order[i], best = -1;
        for (int j = t->in_first[b]; j < t->in_first[b + 1]; j++) {
            const hs__edge *edge = &platform->edges[t->in[j]];
            int a = edge->from;
            if (s->distance[a] < 0 || s->distance[a] + edge->count != s->distance[b])
                continue;
            if (best < 0 || s->distance[a] < s->distance[best] ||
                (s->distance[a] == s->distance[best] && t->rank[a] < t->rank[best])) {
                best = a;
                row[b] = t->in[j];
            }
        }
    }
}

static int *row_make(const hs_platform *platform, const hs__tables *t, int vertex, int is_floyd)
{
    search s;
    int *row = hs__array_new((size_t)t->vertices, sizeof *row);
    if (!row || search_init(t, &s) != HS_OK) {
        free(row);
        return NULL;
    }
    for (int v = 0; v < t->vertices; v++)
        row[v] = -1;
    search_run(platform, t, vertex, is_floyd, &s);
    if (is_floyd)
        fill_floyd(platform, t, &s, vertex, row);
    else
        fill_dijkstra(platform, t, &s, row);
    hs__pool_free(&s.pool);
    return row;
}

static const int *row_of(const hs_platform *platform, hs__tables *t, int vertex, int is_floyd)
{
    int *known = atomic_load(&t->rows[vertex]);
    if (known)
        return known;
    int *made = row_make(platform, t, vertex, is_floyd);
    if (made && !atomic_compare_exchange_strong(&t->rows[vertex], &known, made)) {
        free(made);
        made = known;
    }
    return made;
}

static hs_status edge_in_row(const hs_platform *platform, hs__tables *t, int row_vertex, int at, int is_floyd,
                             int *edge)
{
    const int *row = row_of(platform, t, row_vertex, is_floyd);
    if (!row)
        return HS_ERR_NOMEM;
    *edge = row[at];
    return *edge >= 0 ? HS_OK : HS_ERR_UNREACHABLE;
}

/* The only edge to (or from) a vertex; -1 when there are several, or none. */
static int only_edge(const int *first, const int *list, int vertex)
{
    return first[vertex + 1] - first[vertex] == 1 ? list[first[vertex]] : -1;
}

/* The last edge of Floyd's path: a vertex with only one edge to it, such as a host, needs no row when the one before it has a
 * row, which then says whether there is a path. */
static hs_status floyd_edge(const hs_platform *platform, hs__tables *t, int from, int at, int *edge)
{
    int only = only_edge(t->in_first, t->in, at), before = only >= 0 ? platform->edges[only].from : -1;
    HS_ASSERT(only < 0 || platform->edges[only].to == at);
    if (only < 0 || (before != from && only_edge(t->in_first, t->in, before) >= 0))
        return edge_in_row(platform, t, at, from, 1, edge);
    *edge = only;
    return HS_OK;
}

/* The last edge of Dijkstra's path: from a vertex with only one edge, paths go on as those of the next vertex. */
static hs_status dijkstra_edge(const hs_platform *platform, hs__tables *t, int from, int at, int *edge)
{
    int only = only_edge(t->out_first, t->out, from), next = only >= 0 ? platform->edges[only].to : from;
    HS_ASSERT(only < 0 || platform->edges[only].from == from);
    if (next != from && at == next) {
        *edge = only;
        return HS_OK;
    }
    return edge_in_row(platform, t, next, at, 0, edge);
}

static int push(int edge, int **edges, size_t *count, size_t *room)
{
    if (hs__array_reserve(edges, room, *count + 1, sizeof **edges) != 0)
        return -1;
    (*edges)[(*count)++] = edge;
    return 0;
}

hs_status hs__zone_path(const hs_platform *platform, int zone, int from, int to, int **edges, size_t *count,
                        size_t *room)
{
    hs__routing routing = platform->zones[zone].routing;
    if (routing == HS__ROUTING_FULL) {
        int edge = hs__platform_find_edge(platform, zone, from, to);
        if (edge < 0)
            return HS_ERR_UNREACHABLE;
        return push(edge, edges, count, room) == 0 ? HS_OK : HS_ERR_NOMEM;
    }
    hs__tables *t = tables_of(platform, zone);
    if (!t)
        return HS_ERR_NOMEM;
    int is_floyd = routing == HS__ROUTING_FLOYD;
    for (int at = to, edge; at != from; at = platform->edges[edge].from) {
        hs_status status =
            is_floyd ? floyd_edge(platform, t, from, at, &edge) : dijkstra_edge(platform, t, from, at, &edge);
        if (status != HS_OK)
            return status;
        if (push(edge, edges, count, room) != 0)
            return HS_ERR_NOMEM;
        HS_ASSERT(platform->edges[edge].to == at);
    }
    return HS_OK;
}
