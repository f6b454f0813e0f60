/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_REBALANCE_PLAN_H
#define HS_PLAN_REBALANCE_PLAN_H

#include "plan/rebalance/rebalance.h"
#include "util/pool.h"

struct hs_rebalance {
    hs_rebalance_operation *operation;
    size_t operations, capacity;
    double cost, cost_slides_only;
    int64_t blocks_moved;
    int columns, *first, *host; /* the layout afterwards */
    int64_t *width, *height;
    hs__pool pool; /* of the layout */
};

/** Append column operations that turn the widths `from` into plan->width, largest surplus to largest deficit.
 * @return HS_OK; HS_ERR_NOMEM; *moved: matrix columns with another owner */
hs_status hs__rebalance_append_columns(hs_rebalance *plan, const int64_t *from, int64_t *moved);

/** Append the row migrations, numbered as the rows lie at that time. */
hs_status hs__rebalance_append_rows(hs_rebalance *plan, const hs__borders *borders, const hs__row_moves *moves);

/** Append the slides left after z rows crossed each cut, in an order in which no height falls below 0. */
hs_status hs__rebalance_append_slides(hs_rebalance *plan, const hs__borders *borders, const int64_t *z);

/** Blocks with another owner once all of plan's operations are done to `before`. */
hs_status hs__rebalance_count_moved(const hs_rebalance *plan, const hs_column_layout *before, int64_t *blocks);

#endif
