/* SPDX-License-Identifier: BSD-3-Clause */
/* The four new paths of an insertion (shared-ring-2003, 4.2): minimise sum K_f / x_f over what the other messages
 * leave.
 *
 * Only the set of messages that cross a link matters, so at most 15 limits remain: sum of x over a set <= the least
 * residual among its links. Alone, a set of total c is shared as x_f = c sqrt(K_f) / sum sqrt(K). When the sets are
 * nested or disjoint, which they are on trees and mostly elsewhere, the optimum is found by cutting: a largest set that
 * the shares of its superset overfill is full in the optimum, so it gets its total, and the rest is shared anew. Where
 * sets overlap, prices of the sets are found by coordinate ascent on the dual. */
#include "plan/ring/share.h"
#include "util/assert.h"
#include <math.h>
#include <string.h>

enum { PATHS = 4, SETS = 1 << PATHS, TWICE = SETS };

static int subset(unsigned a, unsigned b)
{
    return (a & b) == a;
}

/* Of the messages in a set. */
static double sum_of(unsigned set, const double *value)
{
    double sum = 0.0;
    for (int f = 0; f < PATHS; f++)
        sum += set >> f & 1 ? value[f] : 0.0;
    return sum;
}

/* limit[set] becomes the least residual of the links that exactly this set of messages crosses. A link that one message
 * crosses twice counts half, which is on the safe side when others cross it too. */
static void collect_limits(const double *residual, unsigned char *mask, const hs__path *const *path, double limit[SETS])
{
    for (unsigned set = 0; set < SETS; set++)
        limit[set] = INFINITY;
    for (int f = 0; f < PATHS; f++) {
        limit[1u << f] = path[f]->cap;
        for (int m = 0; m < path[f]->count; m++) {
            unsigned char *crossed = &mask[path[f]->links[m]];
            *crossed |= (unsigned char)(*crossed >> f & 1 ? TWICE : 1u << f);
        }
    }
    for (int f = 0; f < PATHS; f++)
        for (int m = 0; m < path[f]->count; m++) {
            int e = path[f]->links[m];
            unsigned set = mask[e] & (SETS - 1);
            limit[set] = hs__smaller(limit[set], mask[e] & TWICE ? residual[e] / 2 : residual[e]);
        }
    for (int f = 0; f < PATHS; f++)
        for (int m = 0; m < path[f]->count; m++)
            mask[path[f]->links[m]] = 0;
}

/* Shares `total` among the messages of `set` under the limits of its proper subsets, which are nested or disjoint. */
static void share_nested(unsigned set, double total, const double limit[SETS], const double *root, double *rate)
{
    double roots = sum_of(set, root), inner[SETS];
    total = fmin(total, limit[set]);
    for (int f = 0; f < PATHS; f++)
        if (set >> f & 1)
            rate[f] = isinf(total) ? INFINITY : total * (root[f] / roots);
    unsigned full = 0;
    for (unsigned part = 1; part < set; part++) {
        if (!subset(part, set) || isinf(limit[part]))
            continue;
        if (sum_of(part, rate) > limit[part] && (!full || __builtin_popcount(part) > __builtin_popcount(full)))
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

/* Drops limits that cannot bind, or that a stricter superset implies.
 * @return whether the rest are nested or disjoint */
static int keep_binding(double limit[SETS])
{
    unsigned finite[SETS];
    int count = 0, kept = 0;
    for (unsigned set = 1; set < SETS; set++)
        if (limit[set] < INFINITY)
            finite[count++] = set;
    for (int i = 0; i < count; i++) {
        unsigned set = finite[i];
        double alone = 0.0;
        for (int f = 0; f < PATHS; f++)
            alone += set >> f & 1 ? limit[1u << f] : 0.0;
        int single = (set & (set - 1)) == 0, slack = !single && alone <= limit[set];
        for (int j = i + 1; j < count && !slack; j++)
            slack = subset(set, finite[j]) && limit[finite[j]] <= limit[set];
        if (slack)
            limit[set] = INFINITY;
        else
            finite[kept++] = set;
    }
    for (int i = 0; i < kept; i++)
        for (int j = 0; j < i; j++)
            if ((finite[i] & finite[j]) && !subset(finite[j], finite[i]))
                return 0;
    return 1;
}

/* The price of one set that makes it just full, the prices of the others being given: the root of the convex, falling
 * sum of sqrt(weight_f / (other_f + price)) - limit, by Newton's method from below; 0 when it is not full without. */
static double clearing_price(unsigned set, double limit, const double *weight, const double other[PATHS])
{
    double price = 0.0;
    for (int f = 0; f < PATHS; f++)
        if (set >> f & 1)
            price = fmax(price, weight[f] / (limit * limit) - other[f]);
    for (int step = 0; step < 60; step++) {
        double excess = -limit, slope = 0.0;
        for (int f = 0; f < PATHS; f++)
            if (set >> f & 1) {
                double rate = sqrt(weight[f] / (other[f] + price));
                excess += rate;
                slope -= 0.5 * rate / (other[f] + price);
            }
        if (!(excess > 1e-15 * limit))
            break;
        price -= excess / slope;
    }
    return price;
}

/* Cuts every rate down by the most overfull set it is in. */
static void cut_to_fit(const double limit[SETS], double *rate)
{
    double fullest[PATHS] = {1, 1, 1, 1};
    for (unsigned set = 1; set < SETS; set++) {
        double sum = sum_of(set, rate);
        for (int f = 0; f < PATHS; f++)
            if (set >> f & 1)
                fullest[f] = fmax(fullest[f], sum / limit[set]);
    }
    for (int f = 0; f < PATHS; f++)
        rate[f] /= fullest[f];
}

/* Overlapping sets: coordinate ascent on the prices of the sets, x_f = sqrt(weight_f / price_f). */
static void share_overlapping(const double limit[SETS], const double *weight, double *rate)
{
    double price[SETS] = {0}, total[PATHS] = {0}, change = 1.0;
    for (int round = 0; round < 500 && change > 1e-13; round++) {
        change = 0.0;
        for (unsigned set = 1; set < SETS; set++) {
            if (isinf(limit[set]))
                continue;
            double other[PATHS];
            for (int f = 0; f < PATHS; f++)
                other[f] = fmax(0.0, total[f] - price[set]);
            double cleared = clearing_price(set, limit[set], weight, other);
            change = fmax(change, fabs(cleared - price[set]) / fmax(cleared, 1e-300));
            price[set] = cleared;
            for (int f = 0; f < PATHS; f++)
                total[f] = set >> f & 1 ? other[f] + cleared : total[f];
        }
    }
    for (int f = 0; f < PATHS; f++)
        rate[f] = total[f] > 0 ? sqrt(weight[f] / total[f]) : INFINITY;
    cut_to_fit(limit, rate);
}

/* Nested sets: every largest set is shared by itself. */
static void share_forest(const double limit[SETS], const double *weight, double *rate)
{
    double root[PATHS] = {0};
    unsigned done = 0;
    for (int f = 0; f < PATHS; f++)
        root[f] = sqrt(weight[f]);
    for (unsigned set = SETS - 1; set > 0; set--) {
        int single = __builtin_popcount(set) == 1;
        if ((set & done) == 0 && (single || !isinf(limit[set]))) {
            share_nested(set, limit[set], limit, root, rate);
            done |= set;
        }
    }
}

/* Whether no set of messages has more than its limit. */
static int are_within(const double limit[SETS], const double *rate)
{
    for (unsigned set = 1; set < SETS; set++)
        if (limit[set] < INFINITY && !(sum_of(set, rate) <= limit[set] * (1 + 1e-9)))
            return 0;
    return 1;
}

void hs__share_closed_form(const double *residual, unsigned char *mask, const hs__path *const *path,
                           const double *weight, double *rate)
{
    double limit[SETS];
    int blocked = 0;
    collect_limits(residual, mask, path, limit);
    for (unsigned set = 1; set < SETS; set++)
        blocked |= limit[set] <= 0;
    if (blocked)
        memset(rate, 0, PATHS * sizeof *rate);
    else if (keep_binding(limit))
        share_forest(limit, weight, rate);
    else
        share_overlapping(limit, weight, rate);
    HS_ASSERT(blocked || are_within(limit, rate));
}
