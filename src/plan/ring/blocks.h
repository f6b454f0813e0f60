/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_RING_BLOCKS_H
#define HS_PLAN_RING_BLOCKS_H

/* The hierarchy of a network as its routes show it: hosts in an order that keeps those behind the same switch together,
 * and the blocks (cores of a host, hosts of a switch, switches of a site ...) as ranges of that order. */

#include "plan/ring/table.h"

typedef struct hs__block {
    int first, count; /* of the order, which is taken as a circle */
} hs__block;

typedef struct hs__ring_blocks {
    int hosts;  /* that can compute and be reached */
    int *order; /* [hosts] */
    int *place; /* [host] its place in the order, -1: not there */
    int count;
    hs__block *block; /* large ones first, then by first */
} hs__ring_blocks;

/** Build it from the routes of the fastest host. On a tree network, a ring in this order crosses every link at most
 * twice in each direction.
 *
 * A block is what lies behind a link of those routes, or everything else; with singles != 0 also every host alone.
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__ring_blocks_init(hs__ring_blocks *blocks, hs__table *table, int singles);
void hs__ring_blocks_free(hs__ring_blocks *blocks);

/** The host at place first + i of a block's order. */
static inline int hs__ring_blocks_host(const hs__ring_blocks *blocks, const hs__block *block, int i)
{
    int place = block->first + i;
    return blocks->order[place < blocks->hosts ? place : place - blocks->hosts];
}

#endif
