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

int hs__slicing_leaf(hs__slicing *tree, int rank)
{
    tree->node[tree->n] = (hs__slice){HS__SLICING_LEAF, rank, -1};
    return tree->n++;
}

int hs__slicing_inner(hs__slicing *tree, hs__slicing_cut cut)
{
    tree->node[tree->n] = (hs__slice){cut, -1, -1};
    return tree->n++;
}

/* Ranks begin .. end-1, halved so that the tree stays shallow. */
static int append_ranks(hs__slicing *tree, int begin, int end, hs__slicing_cut cut)
{
    if (end - begin == 1)
        return hs__slicing_leaf(tree, begin);
    int node = hs__slicing_inner(tree, cut), middle = begin + (end - begin) / 2;
    int first = append_ranks(tree, begin, middle, cut), second = append_ranks(tree, middle, end, cut);
    tree->node[node].first = first;
    tree->node[node].second = second;
    return node;
}

static int append_columns(hs__slicing *tree, int i, const int *first, int c, int d, hs__slicing_cut cut)
{
    if (d - c == 1)
        return append_ranks(tree, i + first[c], i + first[d],
                            cut == HS__SLICING_BESIDE ? HS__SLICING_BELOW : HS__SLICING_BESIDE);
    int node = hs__slicing_inner(tree, cut), middle = c + (d - c) / 2;
    int left = append_columns(tree, i, first, c, middle, cut), right = append_columns(tree, i, first, middle, d, cut);
    tree->node[node].first = left;
    tree->node[node].second = right;
    return node;
}

int hs__slicing_columns(hs__slicing *tree, int i, int n, const int *from, hs__slicing_cut cut, int *first)
{
    int columns = 0, c;
    for (int end = n; end > 0; end = from[end])
        columns++;
    first[c = columns] = n;
    for (int end = n; end > 0; end = from[end])
        first[--c] = from[end];
    return append_columns(tree, i, first, 0, columns, cut);
}

void hs__slicing_place(const hs__slicing *tree, const hs__areas *areas, double width, double height, hs__box *box,
                       double *sum)
{
    for (int k = tree->n - 1; k >= 0; k--) {
        const hs__slice *s = &tree->node[k];
        sum[k] = s->cut == HS__SLICING_LEAF ? areas->area[s->first] : sum[s->first] + sum[s->second];
    }
    HS_ASSERT(fabs(sum[0] - 1) <= 1e-9); /* every rank is a leaf once */
    box[0] = (hs__box){0, 0, width, height};
    for (int k = 0; k < tree->n; k++) {
        const hs__slice *s = &tree->node[k];
        if (s->cut == HS__SLICING_LEAF)
            continue;
        hs__box *a = &box[s->first], *b = &box[s->second];
        double part = sum[s->first] / sum[k], other = sum[s->second] / sum[k];
        *a = *b = box[k];
        if (s->cut == HS__SLICING_BESIDE) {
            a->width *= part;
            b->width *= other;
            b->x += a->width;
        } else {
            a->height *= part;
            b->height *= other;
            b->y += a->height;
        }
    }
}
