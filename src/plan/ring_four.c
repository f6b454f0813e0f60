/* SPDX-License-Identifier: BSD-3-Clause */
/* The four new paths of an insertion (shared-ring-2003, 4.2): minimise sum K_f / x_f over what the other messages
 * leave.
 *
 * Only the set of messages that cross a link matters, so at most 15 limits remain: sum of x over a set <= the least
 * residual among its links. Alone, a set of total c is shared as x_f = c sqrt(K_f) / sum sqrt(K). When the sets are
 * nested or disjoint, which they are on trees and mostly elsewhere, the optimum is found by cutting: a largest set that
 * the shares of its superset overfill is full in the optimum, so it gets its total, and the rest is shared anew. Where
 * sets overlap, the nested ones among them are kept and the result is scaled to fit the others. */
#include "plan/ring_share.h"
#include <math.h>
#include <string.h>

enum { SETS = 16, TWICE = 16 };

static int subset(unsigned a, unsigned b)
{
    return (a & b) == a;
}

/* limit[set] becomes the least residual of the links that exactly this set of messages crosses. A link that one message
 * crosses twice counts half, which is on the safe side when others cross it too. */
static void collect_limits(const double *residual, unsigned char *mask, const hs__path *const *path, int n,
                           double limit[SETS])
{
    for (unsigned set = 0; set < SETS; set++)
        limit[set] = INFINITY;
    for (int f = 0; f < n; f++) {
        limit[1u << f] = path[f]->cap;
        for (int m = 0; m < path[f]->count; m++) {
            unsigned char *crossed = &mask[path[f]->links[m]];
            *crossed |= (unsigned char)(*crossed >> f & 1 ? TWICE : 1u << f);
        }
    }
    for (int f = 0; f < n; f++)
        for (int m = 0; m < path[f]->count; m++) {
            int e = path[f]->links[m];
            unsigned set = mask[e] & (SETS - 1);
            limit[set] = fmin(limit[set], mask[e] & TWICE ? residual[e] / 2 : residual[e]);
        }
    for (int f = 0; f < n; f++)
        for (int m = 0; m < path[f]->count; m++)
            mask[path[f]->links[m]] = 0;
}

/* Shares `total` among the messages of `set` under the limits of its proper subsets, which are nested or disjoint. */
static void share_nested(unsigned set, double total, const double limit[SETS], const double *root, double *rate)
{
    double roots = 0.0, inner[SETS];
    total = fmin(total, limit[set]);
    for (int f = 0; f < 4; f++)
        roots += set >> f & 1 ? root[f] : 0.0;
    for (int f = 0; f < 4; f++)
        if (set >> f & 1)
            rate[f] = isinf(total) ? INFINITY : total * (root[f] / roots);
    unsigned full = 0;
    for (unsigned part = 1; part < set; part++) {
        double sum = 0.0;
        if (!subset(part, set) || isinf(limit[part]))
            continue;
        for (int f = 0; f < 4; f++)
            sum += part >> f & 1 ? rate[f] : 0.0;
        if (sum > limit[part] && (!full || __builtin_popcount(part) > __builtin_popcount(full)))
            full = part;
    }
    if (!full)
        return;
    unsigned rest = set & ~full;
    for (unsigned part = 1; part < SETS; part++)
        inner[part] = limit[part];
    for (unsigned part = 1; part < SETS; part++)
        if (subset(part, set) && subset(full, part) && part != full)
            inner[part & ~full] = fmin(inner[part & ~full], fmax(0.0, limit[part] - limit[full]));
    share_nested(full, limit[full], limit, root, rate);
    share_nested(rest, fmax(0.0, total - limit[full]), inner, root, rate);
}

/* Drops limits that cannot bind or that a stricter superset implies, then the larger of two that overlap, which goes to
 * `overlapping`. */
static void keep_nested(double limit[SETS], int n, double overlapping[SETS])
{
    for (unsigned set = 1; set < SETS; set++) {
        double alone = 0.0;
        for (int f = 0; f < n; f++)
            alone += set >> f & 1 ? limit[1u << f] : 0.0;
        overlapping[set] = INFINITY;
        for (unsigned over = set + 1; over < SETS; over++)
            if (subset(set, over) && limit[over] <= limit[set])
                limit[set] = INFINITY;
        if (__builtin_popcount(set) > 1 && alone <= limit[set])
            limit[set] = INFINITY;
    }
    for (unsigned a = 1; a < SETS; a++)
        for (unsigned b = 1; b < SETS; b++)
            if (!isinf(limit[a]) && !isinf(limit[b]) && (a & b) && !subset(a, b) && !subset(b, a)) {
                unsigned looser = limit[a] > limit[b] ? a : b;
                overlapping[looser] = limit[looser];
                limit[looser] = INFINITY;
            }
}

static void scale_to_fit(const double overlapping[SETS], int n, double *rate)
{
    for (unsigned set = 1; set < SETS; set++) {
        double sum = 0.0;
        if (isinf(overlapping[set]))
            continue;
        for (int f = 0; f < n; f++)
            sum += set >> f & 1 ? rate[f] : 0.0;
        for (int f = 0; f < n; f++)
            if (set >> f & 1 && sum > overlapping[set])
                rate[f] *= overlapping[set] / sum;
    }
}

void hs__share_four(const double *residual, unsigned char *mask, const hs__path *const *path, const double *weight,
                    int n, double *rate)
{
    double limit[SETS], overlapping[SETS], root[4] = {0};
    unsigned done = 0;
    collect_limits(residual, mask, path, n, limit);
    keep_nested(limit, n, overlapping);
    for (int f = 0; f < n; f++)
        root[f] = sqrt(weight[f]);
    for (unsigned set = (1u << n) - 1; set > 0; set--) {
        int single = __builtin_popcount(set) == 1;
        if ((set & done) == 0 && (single || !isinf(limit[set]))) {
            share_nested(set, limit[set], limit, root, rate);
            done |= set;
        }
    }
    scale_to_fit(overlapping, n, rate);
}
