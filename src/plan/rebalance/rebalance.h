/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_REBALANCE_H
#define HS_PLAN_REBALANCE_H

/* Section 5.1's view of an imbalance. Cuts are the distinct heights at which borders lie, from top to bottom; cut k
 * parts segment k from segment k + 1. All rows of a segment have the same owners. z_k counts the rows that cross cut k
 * downwards by migration; a border with b_t rows to go then slides by b_t + z_k rows. */

#include "util/pool.h"
#include <heteroslice/hs_rebalance.h>
#include <stddef.h>

/** Check a layout: columns in order, sizes not negative, all columns equally high.
 * @return HS_OK; HS_ERR_ARG with the reason in *error */
hs_status hs__column_layout_check(const hs_column_layout *layout, hs_error *error);

/** A border between two rectangles of a column. */
typedef struct hs__border {
    int64_t position; /* rows above it */
    int column, index;
    double width; /* of its column, in blocks */
    int64_t b;    /* rows it has to go down: the deltas above it in its column, added up */
} hs__border;

typedef struct hs__borders {
    int cuts, count;    /* distinct positions inside the matrix, and borders at them */
    int *first;         /* borders of cut k: first[k] .. first[k+1] - 1 */
    int64_t *length;    /* rows of segment k, cuts + 1 entries, each >= 1 */
    hs__border *border; /* by position, then column; behind them those at the very top or bottom, which only slide */
    int all;            /* count and those at the edges */
    int columns;
    hs__pool pool; /* has all arrays */
} hs__borders;

/** The borders of all columns. delta: rows to receive, by rectangle. */
hs_status hs__borders_create(const hs_column_layout *layout, const int64_t *delta, hs__borders *borders);
void hs__borders_free(hs__borders *borders);

/** Rows that migrate from one segment to another. */
typedef struct hs__row_move {
    int from, to;
    int64_t count;
} hs__row_move;

typedef struct hs__row_moves {
    hs__row_move *move;
    size_t n, capacity;
} hs__row_moves;

hs_status hs__row_moves_add(hs__row_moves *moves, int from, int to, int64_t count);
void hs__row_moves_free(hs__row_moves *moves);

/** What a migration costs. */
typedef struct hs__row_price {
    hs_rebalance_model model;
    double constant; /* R */
} hs__row_price;

/** The price of a row that migrates between two segments; seen is scratch of borders->columns entries. */
double hs__row_price_between(const hs__borders *borders, const hs__row_price *price, int from, int to, char *seen);

/** Rows crossing each cut downwards after the moves; z has cuts entries. */
void hs__row_moves_crossings(const hs__borders *borders, const hs__row_moves *moves, int64_t *z);

/** Cost of the slides when z rows cross each cut (NULL: none). */
double hs__slides_cost(const hs__borders *borders, const int64_t *z);

/** Algorithm 1 with the best improving migration at each step. */
hs_status hs__rebalance_greedy(const hs__borders *borders, const hs__row_price *price, hs__row_moves *moves);

/** The exact optimum for a constant price by threshold decomposition, rows of a segment without end.
 * @return HS_OK; HS_UNCHANGED when a segment would have to give more rows than it has (moves is then empty) */
hs_status hs__rebalance_levels(const hs__borders *borders, double row_cost, hs__row_moves *moves);

/** The exact optimum for either price as a minimum cost flow, no segment giving more rows than it has. */
hs_status hs__rebalance_flow(const hs__borders *borders, const hs__row_price *price, hs__row_moves *moves);

/** New widths and heights for new speeds (by place of the layout), near the present ones. */
hs_status hs__rebalance_targets(const hs_column_layout *layout, const double *speed, double tolerance, int64_t *width,
                                int64_t *height);

#endif
