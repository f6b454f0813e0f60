/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_DECISION_MOVE_COST_H
#define HS_PLAN_DECISION_MOVE_COST_H

/* What a move costs, learned from those that were made. */

typedef struct hs__move_cost {
    double fixed; /* seconds any move costs, > 0 */
    double unit;  /* seconds more for each unit that the busiest rank sends and receives, >= 0 */
} hs__move_cost;

/** Correct the cost by a move that took so many seconds, >= 0, with so many units of the busiest rank. The fixed part and that
 * of the units each answer for a wrong forecast by their share of it: the few units of a small move are not to blame
 * for its delays, nor the fixed part for the time that many units take. */
void hs__move_cost_learn(hs__move_cost *cost, double units, double seconds);

#endif
