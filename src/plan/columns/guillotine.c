/* SPDX-License-Identifier: BSD-3-Clause */
/* The best tiling of a rectangle by guillotine cuts, for few areas: every way to part the set in two and both
 * directions of the cut, by branch and bound. A part costs at least the sum (or the largest) of 2 sqrt(s), and two or
 * more areas in a rectangle at least one cut across its shorter side. */
#include "plan/columns/slicing.h"
#include "util/assert.h"

#include <math.h>

enum { SETS = 1 << HS_COLUMNS_RECURSIVE_EXACT };

typedef struct task {
    hs_columns_objective objective;
    int offset;
    double area[SETS], bound[SETS]; /* by set: sum of areas, sum or largest of 2 sqrt(s) */
} task;

typedef struct part {
    unsigned set;
    hs__box box;
} part;

static double lower_bound(const task *t, const part *p)
{
    double bound = t->bound[p->set];
    if (t->objective == HS_COLUMNS_SUM && (p->set & (p->set - 1)))
        bound = fmax(bound, p->box.width + p->box.height + fmin(p->box.width, p->box.height));
    return bound;
}

static void divide(const task *t, const part *whole, unsigned set, hs__slicing_cut cut, part *a, part *b)
{
    a->set = set;
    b->set = whole->set ^ set;
    hs__box_share(&whole->box, cut, t->area[a->set], t->area[b->set], t->area[whole->set], &a->box, &b->box);
}

/* The least cost below `limit`, with its first cut; INFINITY when there is none. */
static double solve(const task *t, const part *whole, double limit, unsigned *chosen, hs__slicing_cut *direction)
{
    unsigned set = whole->set, least = set & -set, ignored;
    hs__slicing_cut ignored_cut;
    if (set == least)
        return whole->box.width + whole->box.height < limit ? whole->box.width + whole->box.height : INFINITY;
    double best = INFINITY;
    for (unsigned s = (set - 1) & set; s; s = (s - 1) & set) {
        if (!(s & least))
            continue;
        for (hs__slicing_cut cut = HS__SLICING_BESIDE; cut <= HS__SLICING_BELOW; cut++) {
            part a, b;
            divide(t, whole, s, cut, &a, &b);
            double other = lower_bound(t, &b);
            if (hs__objective_join(t->objective, lower_bound(t, &a), other) >= limit)
                continue;
            int sum = t->objective == HS_COLUMNS_SUM;
            double cost = solve(t, &a, sum ? limit - other : limit, &ignored, &ignored_cut);
            if (hs__objective_join(t->objective, cost, other) >= limit)
                continue;
            cost = hs__objective_join(t->objective, cost,
                                      solve(t, &b, sum ? limit - cost : limit, &ignored, &ignored_cut));
            if (cost < limit) {
                best = limit = cost;
                *chosen = s;
                *direction = cut;
            }
        }
    }
    return best;
}

/* Appends the best tree of a part and returns its cost. */
static double append(const task *t, const part *whole, hs__slicing *tree)
{
    unsigned set = whole->set, chosen = set & -set;
    if (set == chosen) {
        hs__slicing_leaf(tree, t->offset + __builtin_ctz(set));
        return whole->box.width + whole->box.height;
    }
    hs__slicing_cut cut = HS__SLICING_BESIDE;
    part a, b;
    double promised = solve(t, whole, INFINITY, &chosen, &cut);
    divide(t, whole, chosen, cut, &a, &b);
    int node = hs__slicing_inner(tree, cut);
    double cost = append(t, &a, tree);
    hs__slicing_second(tree, node);
    cost = hs__objective_join(t->objective, cost, append(t, &b, tree));
    HS_ASSERT(fabs(cost - promised) <= 1e-9 * promised);
    return cost;
}

double hs__guillotine(const hs__areas *areas, int i, int j, const hs__box *box, hs_columns_objective objective,
                      hs__slicing *tree)
{
    task t = {.objective = objective, .offset = i};
    part whole = {(1u << (j - i)) - 1, *box};
    unsigned chosen;
    hs__slicing_cut cut;
    for (unsigned set = 1; set <= whole.set; set++) {
        double area = areas->area[i + __builtin_ctz(set)];
        t.area[set] = t.area[set & (set - 1)] + area;
        t.bound[set] = hs__objective_join(objective, t.bound[set & (set - 1)], 2 * sqrt(area));
    }
    if (tree)
        return append(&t, &whole, tree);
    return solve(&t, &whole, INFINITY, &chosen, &cut);
}
