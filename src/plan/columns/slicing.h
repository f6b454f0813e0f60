/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_COLUMNS_SLICING_H
#define HS_PLAN_COLUMNS_SLICING_H

/* Slicing trees: a rectangle is a leaf, or cut in two by a line from side to side. The first child is the node after its
 * parent, the second follows what is below the first, so a forward pass goes from the root down and a backward pass from
 * the leaves up. */

#include "plan/columns/columns.h"

typedef enum hs__slicing_cut {
    HS__SLICING_LEAF,   /* one rank */
    HS__SLICING_BESIDE, /* first child left, second right */
    HS__SLICING_BELOW   /* first child above, second below */
} hs__slicing_cut;

typedef struct hs__slice {
    hs__slicing_cut cut;
    int rank;   /* of a leaf */
    int second; /* node of the second child, of an inner node */
} hs__slice;

typedef struct hs__slicing {
    int n;           /* nodes */
    hs__slice *node; /* the root is node 0 */
} hs__slicing;

/** A place in the square, in its units. */
typedef struct hs__box {
    double x, y, width, height;
} hs__box;

hs_status hs__slicing_create(int leaves, hs__slicing *tree);
void hs__slicing_free(hs__slicing *tree);

/** Append a leaf. A tree of n leaves never needs more room than it was created with. */
void hs__slicing_leaf(hs__slicing *tree, int rank);

/** Append an inner node and return its number. The caller appends the first child, then hs__slicing_second() and the
 * second child. */
int hs__slicing_inner(hs__slicing *tree, hs__slicing_cut cut);
void hs__slicing_second(hs__slicing *tree, int node);

/** Append columns (beside each other) or rows (below each other) of consecutive ranks from i on: from[1 .. n] holds the
 * beginning of the column that ends at q, relative to i. `first` is scratch of n + 1 entries. */
void hs__slicing_columns(hs__slicing *tree, int i, int n, const int *from, hs__slicing_cut cut, int *first);

/** The areas of all nodes; sum is an array of tree->n entries. */
void hs__slicing_sum(const hs__slicing *tree, const hs__areas *areas, double *sum);

/** The boxes of all nodes in the unit square, each leaf with its area; box and sum are arrays of tree->n entries. */
void hs__slicing_place(const hs__slicing *tree, const double *sum, hs__box *box);

/** The better of cutting ranks i .. j-1 in all ways by guillotine cuts, at most HS_COLUMNS_RECURSIVE_EXACT of them: the
 * least objective in this box; appended to tree unless NULL. */
double hs__guillotine(const hs__areas *areas, int i, int j, const hs__box *box, hs_columns_objective objective,
                      hs__slicing *tree);

/** The dissection of a box with proven factors; appended to tree unless NULL.
 * @return its objective */
double hs__dissect(const hs__areas *areas, int i, int j, const hs__box *box, hs_columns_objective objective,
                   hs__slicing *tree);

/** The best tree found for the unit square: at most the dissection, at most the columns of `sets`, exact for few ranks.
 * tree is empty on entry. */
void hs__columns_recursive(const hs__areas *areas, hs_columns_objective objective, hs__column_scratch *scratch,
                           const hs__column_sets *sets, hs__slicing *tree);

/** The length of a box across which a cut like this goes. */
static inline double hs__box_length(const hs__box *box, hs__slicing_cut cut)
{
    return cut == HS__SLICING_BESIDE ? box->width : box->height;
}

/** Cut a box into parts of these lengths. */
static inline void hs__box_cut(const hs__box *whole, hs__slicing_cut cut, double first, double second, hs__box *a,
                               hs__box *b)
{
    *a = *b = *whole;
    if (cut == HS__SLICING_BESIDE) {
        a->width = first;
        b->width = second;
        b->x += first;
    } else {
        a->height = first;
        b->height = second;
        b->y += first;
    }
}

/** Cut a box into parts that have these areas together. */
static inline void hs__box_share(const hs__box *whole, hs__slicing_cut cut, double first, double second, double sum,
                                 hs__box *a, hs__box *b)
{
    double length = hs__box_length(whole, cut);
    hs__box_cut(whole, cut, length * (first / sum), length * (second / sum), a, b);
}

/** Cut a box between ranks i .. middle-1 and middle .. j-1. */
static inline void hs__box_divide(const hs__box *whole, hs__slicing_cut cut, const hs__areas *areas, int i, int middle,
                                  int j, hs__box *a, hs__box *b)
{
    hs__box_share(whole, cut, hs__areas_sum(areas, i, middle), hs__areas_sum(areas, middle, j),
                  hs__areas_sum(areas, i, j), a, b);
}

static inline double hs__objective_join(hs_columns_objective objective, double a, double b)
{
    return objective == HS_COLUMNS_SUM ? a + b : (a > b ? a : b);
}

#endif
