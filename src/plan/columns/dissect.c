/* SPDX-License-Identifier: BSD-3-Clause */
/* A dissection of the square with proven factors, in the manner of Nagamochi and Abe ("An approximation algorithm for
 * dissecting a rectangle into rectangles with specified areas", Discrete Applied Mathematics 155, 2007): always cut
 * across the longer side, the ranks before the cut on one side and those behind it on the other. The first part is
 *   - the largest area alone, when it is at least a third of the whole;
 *   - else the fewest first areas that make a third of the whole and of which the largest is at most two thirds.
 * The second clause is ours: it keeps a part from being one large area with tiny ones beside it, and with it
 * doc/algorithms/columns.md proves the factors 1.25 (sum) and 2/sqrt(3) (max) to the lower bounds of areas.c.
 */
#include "plan/columns/slicing.h"

#include <math.h>

/* The end of the first part of ranks i .. j-1, j - i >= 2. */
static int first_part(const hs__areas *areas, int i, int j)
{
    double whole = hs__areas_sum(areas, i, j), part = areas->area[i];
    int end = i + 1;
    while (end < j - 1 && (part < whole / 3 || (end > i + 1 && part < 1.5 * areas->area[i])))
        part += areas->area[end++];
    return end;
}

double hs__dissect(const hs__areas *areas, int i, int j, const hs__box *box, hs_columns_objective objective,
                   hs__slicing *tree)
{
    if (j - i == 1) {
        if (tree)
            hs__slicing_leaf(tree, i);
        return box->width + box->height;
    }
    hs__box a, b;
    int middle = first_part(areas, i, j), node = 0;
    hs__slicing_cut cut = box->width >= box->height ? HS__SLICING_BESIDE : HS__SLICING_BELOW;
    hs__box_divide(box, cut, areas, i, middle, j, &a, &b);
    if (tree)
        node = hs__slicing_inner(tree, cut);
    double cost = hs__dissect(areas, i, middle, &a, objective, tree);
    if (tree)
        hs__slicing_second(tree, node);
    return hs__objective_join(objective, cost, hs__dissect(areas, middle, j, &b, objective, tree));
}
