/* SPDX-License-Identifier: BSD-3-Clause */
/* Recursive halving: the chain of hosts is cut where its narrowest route is, and the vertices into two parts that fill
 * the two sides exactly. A grid is cut across its longest side; a graph's part grows from a vertex at its rim, always
 * by the vertex that has most in common with the part; it is the smaller one. */
#include "plan/mapping/mapping.h"
#include "util/assert.h"
#include "util/pool.h"
#include "util/sort.h"
#include <stdint.h>
#include <stdlib.h>

typedef struct halving {
    const hs__mapping *m;
    const int *chain;
    int *host;   /* the result */
    int *vertex; /* permuted so that every part is a stretch */
    int64_t *key;
    int *part;      /* stretch under work that a vertex belongs to */
    double *common; /* bytes with the growing part less bytes with the rest */
    int parts;
} halving;

/* Where to cut hosts chain[from .. to): before the place returned. */
static int weakest_joint(const halving *x, int from, int to)
{
    int best = from + 1;
    double slowest = -1;
    for (int k = from + 1; k < to; k++) {
        double joint = x->m->slowest[x->chain[k - 1] * x->m->hosts + x->chain[k]];
        int is_nearer_middle = abs(2 * k - from - to) < abs(2 * best - from - to);
        if (joint > slowest * (1 + 1e-9) || (joint >= slowest * (1 - 1e-9) && is_nearer_middle)) {
            slowest = joint;
            best = k;
        }
    }
    HS_ASSERT(best > from && best < to);
    return best;
}

static int coordinate(const hs__mapping *m, int vertex, int dimension)
{
    for (int d = m->dimensions - 1; d > dimension; d--)
        vertex /= m->extent[d];
    return vertex % m->extent[dimension];
}

static int longest_side(const halving *x, int from, int to)
{
    int best = 0, longest = -1;
    for (int d = 0; d < x->m->dimensions; d++) {
        int low = x->m->extent[d], high = -1;
        for (int i = from; i < to; i++) {
            int c = coordinate(x->m, x->vertex[i], d);
            low = c < low ? c : low;
            high = c > high ? c : high;
        }
        if (high - low > longest) {
            longest = high - low;
            best = d;
        }
    }
    return best;
}

/* The isolated vertices behind the grid's come last. */
static void sort_by_coordinate(const halving *x, int from, int to, int across)
{
    const hs__mapping *m = x->m;
    int64_t cells = 1, n = m->vertices;
    for (int d = 0; d < m->dimensions; d++)
        cells *= m->extent[d];
    int side = across >= 0 ? across : longest_side(x, from, to);
    for (int i = from; i < to; i++) {
        int64_t v = x->vertex[i], c = v < cells ? coordinate(m, (int)v, side) : n;
        x->key[i] = c * n + v;
    }
    hs__sort_int64s(x->key + from, (size_t)(to - from));
    for (int i = from; i < to; i++)
        x->vertex[i] = (int)(x->key[i] % n);
}

static double weight(const hs__partner *p)
{
    return p->out + p->in;
}

/* The vertex of the stretch that the fewest bytes tie to it. */
static int at_the_rim(const halving *x, int from, int to)
{
    int best = from;
    double least = -1;
    for (int i = from; i < to; i++) {
        int v = x->vertex[i];
        double tied = 0;
        for (int k = x->m->first[v]; k < x->m->first[v + 1]; k++)
            if (x->part[x->m->partner[k].vertex] == x->part[v])
                tied += weight(&x->m->partner[k]);
        x->common[v] = -tied;
        if (least < 0 || tied < least || (tied <= least && v < x->vertex[best])) {
            least = tied;
            best = i;
        }
    }
    return best;
}

/* Moves `count` vertices of the stretch to its front, each the one with most in common with those before. */
static void grow_part(const halving *x, int from, int to, int count)
{
    const hs__mapping *m = x->m;
    int next = at_the_rim(x, from, to);
    for (int done = from; done < from + count; done++) {
        int v = x->vertex[next];
        x->vertex[next] = x->vertex[done];
        x->vertex[done] = v;
        for (int k = m->first[v]; k < m->first[v + 1]; k++)
            x->common[m->partner[k].vertex] += 2 * weight(&m->partner[k]);
        next = done + 1;
        for (int i = done + 2; i < to; i++) {
            double here = x->common[x->vertex[i]], there = x->common[x->vertex[next]];
            if (here > there || (here >= there && x->vertex[i] < x->vertex[next]))
                next = i;
        }
    }
}

static void halve(halving *x, int from, int to, int first_host, int last_host, int across)
{
    const hs__mapping *m = x->m;
    if (last_host - first_host == 1) {
        for (int i = from; i < to; i++)
            x->host[x->vertex[i]] = x->chain[first_host];
        return;
    }
    int cut = weakest_joint(x, first_host, last_host), count = 0, part = ++x->parts;
    for (int k = first_host; k < cut; k++)
        count += m->room[x->chain[k]];
    HS_ASSERT(count > 0 && count < to - from);
    for (int i = from; i < to; i++)
        x->part[x->vertex[i]] = part;
    if (m->dimensions > 0) {
        sort_by_coordinate(x, from, to, across);
    } else if (2 * count > to - from) {
        /* The part of the last hosts is the smaller one: growing takes time by the vertices moved. */
        grow_part(x, from, to, to - from - count);
        halve(x, from, to - count, cut, last_host, -1);
        halve(x, to - count, to, first_host, cut, -1);
        return;
    } else {
        grow_part(x, from, to, count);
    }
    halve(x, from, from + count, first_host, cut, -1);
    halve(x, from + count, to, cut, last_host, -1);
}

hs_status hs__mapping_halve(const hs__mapping *m, const int *chain, int across, int *host)
{
    hs__pool pool = {0};
    size_t n = (size_t)m->vertices;
    halving x = {.m = m,
                 .chain = chain,
                 .host = host,
                 .vertex = hs__pool_new(&pool, n, sizeof(int)),
                 .key = hs__pool_new(&pool, n, sizeof(int64_t)),
                 .part = hs__pool_new(&pool, n, sizeof(int)),
                 .common = hs__pool_new(&pool, n, sizeof(double))};
    hs_status status = hs__pool_status(&pool);
    for (int v = 0; v < m->vertices && status == HS_OK; v++)
        x.vertex[v] = v;
    if (status == HS_OK)
        halve(&x, 0, m->vertices, 0, m->hosts, across);
    hs__pool_free(&pool);
    return status;
}
