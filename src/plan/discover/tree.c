/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/discover/tree.h"
#include "util/array.h"
#include "util/assert.h"
#include <stdlib.h>
#include <string.h>

static int size_of(const hs__discovery *d, const unsigned char *side)
{
    int n = 0;
    for (int h = 0; h < d->hosts; h++)
        n += side[h];
    return n;
}

/* Whether cut b's side holds all of cut a's. */
static int inside(const hs__discovery *d, const hs__cut *a, const hs__cut *b)
{
    for (int h = 0; h < d->hosts; h++)
        if (a->side[h] && !b->side[h])
            return 0;
    return 1;
}

void hs__tree_link(hs__discovery *d)
{
    for (int c = 0; c < d->cuts; c++) {
        int least = d->hosts + 1;
        d->cut[c].parent = -1;
        for (int p = d->hosts; p < d->cuts; p++) {
            int size = size_of(d, d->cut[p].side);
            if (p != c && size < least && inside(d, &d->cut[c], &d->cut[p])) {
                d->cut[c].parent = p;
                least = size;
            }
        }
        HS_ASSERT(d->cut[c].parent < 0 || size_of(d, d->cut[c].side) < least); /* so there is no cycle */
    }
}

int hs__tree_branches(const hs__discovery *d, int node, int *branch)
{
    int n = 0, last;
    for (int h = 0; h < d->hosts; h++)
        branch[h] = -1;
    for (int c = 0; c < d->cuts; c++) {
        if (d->cut[c].parent != node)
            continue;
        for (int h = 0; h < d->hosts; h++)
            if (d->cut[c].side[h])
                branch[h] = n;
        n++;
    }
    for (int h = 0; h < d->hosts; h++)
        if (branch[h] < 0)
            branch[h] = n;
    if (node >= 0)
        return n + 1;
    last = branch[0];
    for (int h = 0; h < d->hosts; h++)
        branch[h] = branch[h] == last ? n - 1 : branch[h] == n - 1 ? last : branch[h];
    return n;
}

hs_status hs__tree_add(hs__discovery *d, const hs__cut *cut)
{
    unsigned char *side = hs__array_new((size_t)d->hosts, 1);
    if (!side || hs__array_reserve(&d->cut, &d->cut_room, (size_t)d->cuts + 1, sizeof *d->cut) != 0) {
        free(side);
        return HS_ERR_NOMEM;
    }
    memcpy(side, cut->side, (size_t)d->hosts);
    d->cut[d->cuts] = *cut;
    d->cut[d->cuts++].side = side;
    hs__tree_link(d);
    return HS_OK;
}

void hs__tree_remove(hs__discovery *d, int cut)
{
    free(d->cut[cut].side);
    memmove(&d->cut[cut], &d->cut[cut + 1], (size_t)(d->cuts - cut - 1) * sizeof *d->cut);
    d->cuts--;
    hs__tree_link(d);
}
