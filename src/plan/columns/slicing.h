/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_COLUMNS_SLICING_H
#define HS_PLAN_COLUMNS_SLICING_H

/* Slicing trees: a rectangle is a leaf, or cut in two by a line from side to side. Children stand behind their parent
 * in the array, so a forward pass goes from the root down and a backward pass from the leaves up. */

#include "plan/columns/columns.h"

typedef enum hs__slicing_cut {
    HS__SLICING_LEAF,   /* one rank */
    HS__SLICING_BESIDE, /* first child left, second right */
    HS__SLICING_BELOW   /* first child above, second below */
} hs__slicing_cut;

typedef struct hs__slice {
    hs__slicing_cut cut;
    int first, second; /* nodes; of a leaf: first is the rank */
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
int hs__slicing_leaf(hs__slicing *tree, int rank);

/** Append an inner node whose children the caller sets. */
int hs__slicing_inner(hs__slicing *tree, hs__slicing_cut cut);

/** Append columns (beside each other) or rows (below each other) of consecutive ranks from i on: from[1 .. n] holds the
 * beginning of the column that ends at q, relative to i. `first` is scratch of n + 1 entries. */
int hs__slicing_columns(hs__slicing *tree, int i, int n, const int *from, hs__slicing_cut cut, int *first);

/** The boxes of all nodes when the root has this size and each leaf its area; box is an array of tree->n entries, sum
 * one of scratch. */
void hs__slicing_place(const hs__slicing *tree, const hs__areas *areas, double width, double height, hs__box *box,
                       double *sum);

/** The better of cutting ranks i .. j-1 in all ways by guillotine cuts, at most HS_COLUMNS_RECURSIVE_EXACT of them: the
 * least objective in a rectangle of this size; appended to tree unless NULL. */
double hs__guillotine(const hs__areas *areas, int i, int j, double width, double height, hs_columns_objective objective,
                      hs__slicing *tree);

/** The dissection with proven factors; appended to tree unless NULL.
 * @return its objective */
double hs__dissect(const hs__areas *areas, int i, int j, double width, double height, hs_columns_objective objective,
                   hs__slicing *tree);

/** The best tree found for the unit square: at most the dissection, at most the columns of `sets`, exact for few ranks.
 * tree is empty on entry. */
void hs__columns_recursive(const hs__areas *areas, hs_columns_objective objective, hs__column_scratch *scratch,
                           const hs__column_sets *sets, hs__slicing *tree);

static inline double hs__objective_join(hs_columns_objective objective, double a, double b)
{
    return objective == HS_COLUMNS_SUM ? a + b : (a > b ? a : b);
}

#endif
