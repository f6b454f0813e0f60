/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_RING_TURN_H
#define HS_PLAN_RING_TURN_H

/* A closed ring of q members may begin at any of them and go either way round: 2 q orders of equal step time. They differ in
 * the units that have to move when slices are held already. */

#include <heteroslice/hs_ring.h>

typedef struct hs__turn {
    int first, reversed; /* the position in the ring that comes first; whether positions descend from there */
    int64_t stays;       /* units that stay where they are */
} hs__turn;

/** The units that a member holds. Where count is 0 it holds none, and first does not count. */
typedef struct hs__ring_held {
    int64_t first, count;
} hs__ring_held;

/** Find the order in which the most units stay.
 *
 * Guarantee:  the best of all 2 q: equal to trying them (tests/plan/ring/turn.c). Ties: not reversed, then the lowest position.
 * Cost:       O(q log q) time, O(q) memory.
 * @param[in]  count  units of each member in ring order, >= 0
 * @param[in]  held   of each member, within 0 .. the sum of count; no unit is held twice
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__ring_nearest_turn(int members, const int64_t *count, const hs__ring_held *held, hs__turn *turn);

/** Put the members and paths of a plan in that order. @return HS_OK; HS_ERR_NOMEM: the plan is what it was */
hs_status hs__ring_apply_turn(hs_ring *ring, const hs__turn *turn);

#endif
