/* SPDX-License-Identifier: BSD-3-Clause */
/* The routes from one host, sorted as sequences of links, are a depth-first walk of the tree they form: hosts whose
 * routes share a long beginning stand together. Blocks are the maximal ranges with a common beginning (the intervals of
 * the array of longest common prefixes), and their complements: no long route leads to the hosts of the root's own
 * switch. */
#include "plan/ring/blocks.h"
#include "util/array.h"
#include "util/assert.h"
#include <stdlib.h>
#include <string.h>

typedef struct leaf {
    int host;
    const hs__path *path;
} leaf;

static int by_links(const void *a, const void *b)
{
    const leaf *x = a, *y = b;
    for (int m = 0; m < x->path->count && m < y->path->count; m++)
        if (x->path->links[m] != y->path->links[m])
            return x->path->links[m] < y->path->links[m] ? -1 : 1;
    if (x->path->count != y->path->count)
        return x->path->count < y->path->count ? -1 : 1;
    return x->host - y->host;
}

static int common_links(const hs__path *a, const hs__path *b)
{
    int m = 0;
    while (m < a->count && m < b->count && a->links[m] == b->links[m])
        m++;
    return m;
}

static int by_size(const void *a, const void *b)
{
    const hs__block *x = a, *y = b;
    return x->count != y->count ? y->count - x->count : x->first - y->first;
}

/* The reachable hosts with their routes, sorted. */
static hs_status list_leaves(hs__table *table, leaf *leaves, int *count)
{
    static const hs__path at_home = {NULL, 0, 0.0, 0.0};
    const hs__network *network = table->network;
    const int root = 0;
    *count = 0;
    for (int i = 0; i < network->hosts; i++) {
        const hs__path *path = &at_home;
        if (!(network->speed[i] > 0))
            continue;
        hs_status status = i == root ? HS_OK : hs__table_path(table, root, i, &path);
        if (status != HS_OK)
            return status;
        if (path)
            leaves[(*count)++] = (leaf){i, path};
    }
    qsort(leaves, (size_t)*count, sizeof *leaves, by_links);
    return HS_OK;
}

static void add_block(hs__ring_blocks *b, int first, int count)
{
    if (count < b->hosts)
        b->block[b->count++] = (hs__block){first, count};
}

/* Adds the range and its complement. */
static void add_range(hs__ring_blocks *b, int first, int count)
{
    if (count < 2)
        return;
    add_block(b, first, count);
    if (b->hosts - count > 1)
        add_block(b, (first + count) % b->hosts, b->hosts - count);
}

/* Walks over the common prefix lengths with a stack of the ranges that are still open. */
static void find_ranges(hs__ring_blocks *b, const leaf *leaves, int *open_first, int *open_length)
{
    int depth = 0;
    for (int i = 1; i <= b->hosts; i++) {
        int length = i < b->hosts ? common_links(leaves[i - 1].path, leaves[i].path) : -1, first = i - 1;
        while (depth > 0 && open_length[depth - 1] > length) {
            first = open_first[--depth];
            add_range(b, first, i - first);
        }
        if (length >= 0 && (depth == 0 || open_length[depth - 1] < length)) {
            open_first[depth] = first;
            open_length[depth++] = length;
        }
    }
    HS_ASSERT(depth == 0);
}

static hs_status fill(hs__ring_blocks *b, const leaf *leaves, int singles)
{
    size_t n = (size_t)b->hosts;
    int *first = hs__array_new(n + 1, sizeof *first), *length = hs__array_new(n + 1, sizeof *length);
    b->block = hs__array_new(3 * n, sizeof *b->block);
    hs_status status = HS_ERR_NOMEM;
    if (!first || !length || !b->block)
        goto out;
    find_ranges(b, leaves, first, length);
    for (int i = 0; singles && i < b->hosts; i++)
        b->block[b->count++] = (hs__block){i, 1};
    HS_ASSERT(b->count <= 3 * b->hosts); /* the room there is */
    qsort(b->block, (size_t)b->count, sizeof *b->block, by_size);
    status = HS_OK;
out:
    free(length);
    free(first);
    return status;
}

hs_status hs__ring_blocks_init(hs__ring_blocks *blocks, hs__table *table, int singles)
{
    size_t hosts = (size_t)table->network->hosts;
    hs__ring_blocks made = {.order = hs__array_new(hosts, sizeof(int)), .place = hs__array_new(hosts, sizeof(int))};
    leaf *leaves = hs__array_new(hosts, sizeof *leaves);
    hs_status status = HS_ERR_NOMEM;
    if (!made.order || !made.place || !leaves)
        goto out;
    status = list_leaves(table, leaves, &made.hosts);
    if (status != HS_OK)
        goto out;
    for (size_t i = 0; i < hosts; i++)
        made.place[i] = -1;
    for (int i = 0; i < made.hosts; i++) {
        made.order[i] = leaves[i].host;
        made.place[leaves[i].host] = i;
    }
    status = fill(&made, leaves, singles);
out:
    free(leaves);
    if (status == HS_OK)
        *blocks = made;
    else
        hs__ring_blocks_free(&made);
    return status;
}

void hs__ring_blocks_free(hs__ring_blocks *blocks)
{
    free(blocks->block);
    free(blocks->place);
    free(blocks->order);
}
