/* SPDX-License-Identifier: BSD-3-Clause */
/* Tilings by recursive cuts, better than columns. Up to HS_COLUMNS_RECURSIVE_EXACT ranks all guillotine tilings are
 * searched. Beyond, each rectangle is cut where a look ahead says: for each of a list of cuts (consecutive ranks on
 * either side, both directions) the two parts are priced by the best of three policies - columns, rows, the dissection
 * - and the cheapest cut is made; when the finished cuts cost more than a policy would have, the policy replaces them.
 * So the result is at most the cost of each policy on the whole square: never worse than columns, and within the
 * dissection's factors.
 *
 * All places are tried in small parts; in large ones they grow in steps, and above 2,000 ranks fewer are tried and
 * parts within 0.05 % of their lower bound are left alone, so that 100,000 ranks take well under a second. */
#include "plan/columns/slicing.h"

#include "util/array.h"
#include "util/assert.h"
#include <math.h>
#include <stdlib.h>

enum { SMALL = 5, FEW = 24 };

typedef enum policy { COLUMNS, ROWS, DISSECTION } policy;

typedef struct task {
    const hs__areas *areas;
    hs_columns_objective objective;
    hs__column_scratch *scratch;
    hs__slicing *tree;
    int dense;     /* the first places, all tried */
    double step;   /* behind them, the growth of a place to the next */
    double enough; /* a part within this factor of its lower bound is not cut further */
} task;

/* A part of the square: ranks begin .. end-1 in a rectangle. */
typedef struct part {
    int begin, end;
    hs__box box;
} part;

static double price_columns(const task *t, const part *p, double height)
{
    return t->objective == HS_COLUMNS_SUM
               ? hs__columns_sum(t->areas, p->begin, p->end, height, 0, t->scratch)
               : hs__columns_max_consecutive(t->areas, p->begin, p->end, height, 1e-6, t->scratch);
}

static double price_policy(const task *t, const part *p, policy which)
{
    if (which == DISSECTION)
        return hs__dissect(t->areas, p->begin, p->end, &p->box, t->objective, NULL);
    return price_columns(t, p, which == COLUMNS ? p->box.height : p->box.width);
}

/* The cost of a part under its best policy; exact when it is small. */
static double price(const task *t, const part *p, policy *best)
{
    *best = DISSECTION;
    if (p->end - p->begin == 1)
        return p->box.width + p->box.height;
    if (p->end - p->begin <= SMALL)
        return hs__guillotine(t->areas, p->begin, p->end, &p->box, t->objective, NULL);
    double least = price_policy(t, p, DISSECTION);
    for (policy which = COLUMNS; which <= ROWS; which++) {
        double cost = price_policy(t, p, which);
        if (cost < least) {
            least = cost;
            *best = which;
        }
    }
    return least;
}

static void divide(const task *t, const part *whole, int middle, hs__slicing_cut cut, part *a, part *b)
{
    a->begin = whole->begin;
    a->end = b->begin = middle;
    b->end = whole->end;
    hs__box_divide(&whole->box, cut, t->areas, whole->begin, middle, whole->end, &a->box, &b->box);
}

static int next_place(const task *t, const part *p, int place)
{
    if (p->end - p->begin <= FEW || place - p->begin < t->dense)
        return place + 1;
    int grown = p->begin + (int)((double)(place - p->begin) * (1 + t->step));
    return grown > place ? grown : place + 1;
}

/* The cheapest place and direction of a cut by looking one cut ahead. */
static double best_cut(const task *t, const part *whole, int *place, hs__slicing_cut *direction)
{
    double least = INFINITY;
    for (int middle = whole->begin + 1; middle < whole->end; middle = next_place(t, whole, middle))
        for (hs__slicing_cut cut = HS__SLICING_BESIDE; cut <= HS__SLICING_BELOW; cut++) {
            part a, b;
            policy ignored;
            divide(t, whole, middle, cut, &a, &b);
            double cost = price(t, &a, &ignored);
            if (t->objective == HS_COLUMNS_SUM ? cost >= least - b.box.width - b.box.height : cost >= least)
                continue;
            cost = hs__objective_join(t->objective, cost, price(t, &b, &ignored));
            if (cost < least) {
                least = cost;
                *place = middle;
                *direction = cut;
            }
        }
    return least;
}

static void append_policy(const task *t, const part *p, policy which)
{
    if (which == DISSECTION) {
        hs__dissect(t->areas, p->begin, p->end, &p->box, t->objective, t->tree);
        return;
    }
    price_policy(t, p, which);
    hs__slicing_columns(t->tree, p->begin, p->end - p->begin, t->scratch->from,
                        which == COLUMNS ? HS__SLICING_BESIDE : HS__SLICING_BELOW, t->scratch->queue);
}

/* What the ranks cost at least, whatever their rectangle; for the largest half perimeter what the whole square does, as
 * nothing below that is gained. */
static double lower_bound(const task *t, const part *p)
{
    double bound = 0;
    if (t->objective == HS_COLUMNS_MAX)
        return 2 * sqrt(t->areas->area[0]);
    for (int k = p->begin; k < p->end; k++)
        bound += 2 * sqrt(t->areas->area[k]);
    return bound;
}

/* Appends a tree for the part and returns its cost. */
static double build(const task *t, const part *p)
{
    int ranks = p->end - p->begin, node = t->tree->n;
    if (ranks <= SMALL)
        return hs__guillotine(t->areas, p->begin, p->end, &p->box, t->objective, t->tree);
    policy best;
    double least = price(t, p, &best);
    if (least <= t->enough * lower_bound(t, p)) {
        append_policy(t, p, best);
        return least;
    }
    int place = 0;
    hs__slicing_cut cut = HS__SLICING_BESIDE;
    double ahead = best_cut(t, p, &place, &cut);
    if (ahead < least || ranks <= FEW) {
        part a, b;
        divide(t, p, place, cut, &a, &b);
        hs__slicing_inner(t->tree, cut);
        double cost = build(t, &a);
        hs__slicing_second(t->tree, node);
        cost = hs__objective_join(t->objective, cost, build(t, &b));
        if (cost < least)
            return cost;
        t->tree->n = node;
    }
    append_policy(t, p, best);
    return least;
}

/* The columns of `sets` as a tree; only columns of consecutive ranks come from the scratch. */
static void append_sets(hs__slicing *tree, const hs__column_sets *sets)
{
    for (int c = 0; c < sets->columns; c++) {
        int node = c + 1 < sets->columns ? hs__slicing_inner(tree, HS__SLICING_BESIDE) : -1, end = sets->first[c + 1];
        for (int k = sets->first[c]; k < end; k++) {
            int cell = k + 1 < end ? hs__slicing_inner(tree, HS__SLICING_BELOW) : -1;
            hs__slicing_leaf(tree, sets->rank[k]);
            if (cell >= 0)
                hs__slicing_second(tree, cell);
        }
        if (node >= 0)
            hs__slicing_second(tree, node);
    }
}

void hs__columns_recursive(const hs__areas *areas, hs_columns_objective objective, hs__column_scratch *scratch,
                           const hs__column_sets *sets, hs__slicing *tree)
{
    task t = {areas, objective, scratch, tree, 8, 0.25, 1};
    if (areas->n > 2000) {
        t.dense = areas->n > 20000 ? 1 : 3;
        t.step = areas->n > 20000 ? 15 : 1;
        t.enough = 1 + 5e-4;
    }
    part square = {0, areas->n, {0, 0, 1, 1}};
    double columns = hs__column_sets_cost(areas, sets, objective), cost = INFINITY;
    if (areas->n <= HS_COLUMNS_RECURSIVE_EXACT)
        cost = hs__guillotine(areas, 0, areas->n, &square.box, objective, tree);
    else if (columns > t.enough * lower_bound(&t, &square))
        cost = build(&t, &square);
    if (columns < cost) {
        tree->n = 0;
        append_sets(tree, sets);
    }
    HS_ASSERT(tree->n == 2 * areas->n - 1);
}
