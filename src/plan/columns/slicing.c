/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/columns/slicing.h"

#include "util/array.h"
#include "util/assert.h"
#include <math.h>
#include <stdlib.h>

hs_status hs__slicing_create(int leaves, hs__slicing *tree)
{
    *tree = (hs__slicing){0, hs__array_new(2 * (size_t)leaves - 1, sizeof *tree->node)};
    return tree->node ? HS_OK : HS_ERR_NOMEM;
}

void hs__slicing_free(hs__slicing *tree)
{
    free(tree->node);
    *tree = (hs__slicing){0};
}

void hs__slicing_leaf(hs__slicing *tree, int rank)
{
    tree->node[tree->n++] = (hs__slice){HS__SLICING_LEAF, .rank = rank};
}

int hs__slicing_inner(hs__slicing *tree, hs__slicing_cut cut)
{
    tree->node[tree->n] = (hs__slice){.cut = cut};
    return tree->n++;
}

void hs__slicing_second(hs__slicing *tree, int node)
{
    tree->node[node].second = tree->n;
}

/* Ranks begin .. end-1, halved so that the tree stays shallow. */
static void append_ranks(hs__slicing *tree, int begin, int end, hs__slicing_cut cut)
{
    if (end - begin == 1) {
        hs__slicing_leaf(tree, begin);
        return;
    }
    int node = hs__slicing_inner(tree, cut), middle = begin + (end - begin) / 2;
    append_ranks(tree, begin, middle, cut);
    hs__slicing_second(tree, node);
    append_ranks(tree, middle, end, cut);
}

static void append_columns(hs__slicing *tree, int i, const int *first, int c, int d, hs__slicing_cut cut)
{
    if (d - c == 1) {
        append_ranks(tree, i + first[c], i + first[d],
                     cut == HS__SLICING_BESIDE ? HS__SLICING_BELOW : HS__SLICING_BESIDE);
        return;
    }
    int node = hs__slicing_inner(tree, cut), middle = c + (d - c) / 2;
    append_columns(tree, i, first, c, middle, cut);
    hs__slicing_second(tree, node);
    append_columns(tree, i, first, middle, d, cut);
}

void hs__slicing_columns(hs__slicing *tree, int i, int n, const int *from, hs__slicing_cut cut, int *first)
{
    append_columns(tree, i, first, 0, hs__columns_first(from, n, first), cut);
}

void hs__slicing_sum(const hs__slicing *tree, const hs__areas *areas, double *sum)
{
    for (int k = tree->n - 1; k >= 0; k--) {
        const hs__slice *s = &tree->node[k];
        sum[k] = s->cut == HS__SLICING_LEAF ? areas->area[s->rank] : sum[k + 1] + sum[s->second];
    }
    HS_ASSERT(fabs(sum[0] - 1) <= 1e-9); /* every rank is a leaf once */
}

void hs__slicing_place(const hs__slicing *tree, const double *sum, hs__box *box)
{
    box[0] = (hs__box){0, 0, 1, 1};
    for (int k = 0; k < tree->n; k++) {
        const hs__slice *s = &tree->node[k];
        if (s->cut != HS__SLICING_LEAF)
            hs__box_share(&box[k], s->cut, sum[k + 1], sum[s->second], sum[k], &box[k + 1], &box[s->second]);
    }
}
