/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/hierarchy/hierarchy.h"
#include "util/assert.h"
#include "util/pool.h"
#include <math.h>

/* Parts in Prim's order, in which neighbours make the clusters. */
typedef struct order {
    int *part;    /* [parts] */
    int *gap;     /* [parts]: from this place to the nearest one before it; 0: the same host */
    double *upto; /* [parts + 1]: weight of the places before */
    int *domain;  /* [parts] by part */
} order;

static int distance_between(const hs__domain_parts *of, int p, int q)
{
    return of->host[p] == of->host[q] ? 0 : of->distance[of->host[p] * of->hosts + of->host[q]];
}

/* gap_of: [parts] scratch, by part: from the parts that have a place; -1: it has one itself. */
static void set_order(const hs__domain_parts *of, order *o, int *gap_of)
{
    for (int p = 0; p < of->parts; p++)
        gap_of[p] = HS__DISTANCE_MAX;
    for (int k = 0; k < of->parts; k++) {
        int next = -1;
        for (int p = 0; p < of->parts; p++)
            if (gap_of[p] >= 0 && (next < 0 || gap_of[p] < gap_of[next]))
                next = p;
        HS_ASSERT(next >= 0);
        o->part[k] = next;
        o->gap[k] = gap_of[next];
        o->upto[k + 1] = o->upto[k] + of->weight[next];
        gap_of[next] = -1;
        for (int p = 0; p < of->parts; p++)
            if (gap_of[p] > distance_between(of, next, p))
                gap_of[p] = distance_between(of, next, p);
    }
}

/* Where to cut places begin ... end - 1 so that neither side needs more than so many levels. */
static int find_cut(const order *o, int begin, int end, int levels)
{
    int best = -1, most = 1 << levels;
    double least = INFINITY;
    for (int k = begin + 1; k < end; k++) {
        double difference = fabs(2 * o->upto[k] - o->upto[begin] - o->upto[end]);
        if (k - begin > most || end - k > most)
            continue;
        if (best < 0 || o->gap[k] > o->gap[best] || (o->gap[k] == o->gap[best] && difference < least)) {
            best = k;
            least = difference;
        }
    }
    HS_ASSERT(best > begin);
    return best;
}

static void divide(const order *o, int begin, int end, int levels, int domain)
{
    if (end - begin == 1) {
        o->domain[o->part[begin]] = domain;
        return;
    }
    int cut = find_cut(o, begin, end, levels - 1);
    divide(o, begin, cut, levels - 1, 2 * domain);
    divide(o, cut, end, levels - 1, 2 * domain + 1);
}

static int levels_for(int parts)
{
    int levels = HS__DOMAIN_LEVELS_ADDED;
    while (parts > 1 << (levels - HS__DOMAIN_LEVELS_ADDED))
        levels++;
    return levels < HS__DOMAIN_LEVELS_MAX ? levels : HS__DOMAIN_LEVELS_MAX;
}

hs_status hs__domains_find(const hs__domain_parts *of, int *domain)
{
    hs__pool pool = {0};
    if (of->parts > 1 << HS__DOMAIN_LEVELS_MAX)
        return HS_ERR_UNSUPPORTED;
    size_t parts = (size_t)of->parts;
    order o = {hs__pool_new(&pool, parts, sizeof *o.part), hs__pool_new(&pool, parts, sizeof *o.gap),
               hs__pool_new(&pool, parts + 1, sizeof *o.upto), domain};
    int *gap_of = hs__pool_new(&pool, parts, sizeof *gap_of);
    hs_status status = hs__pool_status(&pool);
    if (status == HS_OK) {
        set_order(of, &o, gap_of);
        divide(&o, 0, of->parts, levels_for(of->parts), 1);
    }
    hs__pool_free(&pool);
    return status;
}
