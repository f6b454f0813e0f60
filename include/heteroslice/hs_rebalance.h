/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HETEROSLICE_HS_REBALANCE_H
#define HETEROSLICE_HS_REBALANCE_H

/* New sizes for the rectangles of a column layout when speeds have drifted, moving as few blocks as possible: whole
 * columns of the matrix change their column of hosts, whole rows change their place, borders between two hosts of a
 * column slide. None of these changes which hosts are neighbours (matmul-redistribution-2000, section 4). */

#include <heteroslice/hs_columns.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A plan; freed with hs_rebalance_free(). */
typedef struct hs_rebalance hs_rebalance;

typedef enum hs_rebalance_method {
    HS_REBALANCE_EXACT,  /* the cheapest row migrations and slides */
    HS_REBALANCE_GREEDY, /* the paper's algorithm 1: the best improving row migration, as long as there is one */
    HS_REBALANCE_SLIDES  /* no row migrations */
} hs_rebalance_method;

typedef enum hs_rebalance_model {
    HS_REBALANCE_CONSTANT, /* section 4.3: a row migration costs row_cost, whatever the row */
    HS_REBALANCE_OWNERS    /* section 4.6: it costs the width of the columns in which the row's owner changes */
} hs_rebalance_model;

/** How to plan. Start from hs_rebalance_params_init(). The size of the struct never changes: later versions take new
 * fields from `reserved`, where 0 is the default. */
typedef struct hs_rebalance_params {
    hs_rebalance_method method;
    hs_rebalance_model model;
    double row_cost;     /* R, blocks a row, >= 0 and finite, for the constant model; negative: the matrix's width */
    double tolerance;    /* new speeds only: accept a largest area/speed up to (1 + tolerance) times the least these
                         columns allow when that keeps rectangles as they are; >= 0 */
    int64_t reserved[8]; /* all 0 */
} hs_rebalance_params;

/** Defaults: exact, constant, the width, tolerance 0. */
HS_API void hs_rebalance_params_init(hs_rebalance_params *params);

typedef enum hs_rebalance_kind { HS_REBALANCE_COLUMN, HS_REBALANCE_ROW, HS_REBALANCE_SLIDE } hs_rebalance_kind;

/** One operation. Operations are done in their order; rows are numbered from 0 as they lie when it begins.
 *   column: `count` columns of the matrix go from column of hosts `from` to column `to`; each host of `to` takes the
 *           rows it already holds in its other columns.
 *   row:    rows from .. from + count - 1, which lie in one rectangle of every column, go to the owners of row `to`:
 *           they are put below it when `to` lies below, above it when above, so the far end of the block ends in the
 *           place of row `to`, and the rows between close up.
 *   slide:  the border between rectangles `border` and `border` + 1 of column `from` moves down by `count`
 *           rows, up when count is negative. */
typedef struct hs_rebalance_operation {
    hs_rebalance_kind kind;
    int64_t from, to;
    int border;
    int64_t count;
} hs_rebalance_operation;

/** Plan how each rectangle receives (delta > 0) or gives (delta < 0) the rows it should.
 *
 * Model:      cost in blocks moved: a row migration as params->model says, a slide width x rows.
 * Source:     matmul-redistribution-2000, sections 4 and 5; doc/algorithms/rebalance.md tells what differs.
 * Guarantee:  exact: no sequence of row migrations and slides costs less, in either model (ties: fewer migrations).
 *             greedy: equal to that in the constant model while no rectangle runs out of rows. Deterministic.
 * Cost:       constant: O(p^2) time unless rows run out; owners: a minimum cost flow on the segments between borders;
 *             100 hosts and 10,000 rows take a few milliseconds.
 *
 * @param[in]  layout  every column's heights add up to the same number of rows; borrowed
 * @param[in]  delta   rows to receive, one for each rectangle, adding up to 0 in each column; no height falls below 0
 * @param[in]  params  NULL: the defaults
 * @param[out] plan    on HS_OK a new plan; it refers to no argument
 * @param[out] error   on HS_ERR_ARG one line that names the column or rectangle; may be NULL
 * @return HS_OK; HS_ERR_ARG; HS_ERR_NOMEM */
HS_API hs_status hs_rebalance_create(const hs_column_layout *layout, const int64_t *delta,
                                     const hs_rebalance_params *params, hs_rebalance **plan, hs_error *error);

/** Plan for new speeds: first columns of the matrix change hands, then rows and borders, so that the largest area/speed
 * is the least that these columns of hosts allow (within the tolerance); among such sizes, rectangles change little.
 *
 * @param[in] speed  work units/s by host index, array of length hosts, each >= 0 and finite; every host of the layout
 *                   has an index below `hosts`; borrowed
 * @return HS_OK; HS_ERR_ARG; HS_ERR_INFEASIBLE (no host of the layout has a speed); HS_ERR_NOMEM */
HS_API hs_status hs_rebalance_create_speeds(const hs_column_layout *layout, const double *speed, int hosts,
                                            const hs_rebalance_params *params, hs_rebalance **plan, hs_error *error);

/** Free a plan; NULL is fine. */
HS_API void hs_rebalance_free(hs_rebalance *plan);

/** Check a plan against the layout and the parameters it was made with: its operations, done one by one, are possible,
 * turn that layout into the plan's, cost what it says, no more than slides alone, and move as many blocks as it says.
 * Cost:       O(operations * rows that are cut apart * columns).
 *
 * @param[in]  params  NULL: the defaults
 * @return HS_OK; HS_ERR_INTERNAL with *error saying what is wrong; HS_ERR_NOMEM */
HS_API hs_status hs_rebalance_check(const hs_column_layout *before, const hs_rebalance_params *params,
                                    const hs_rebalance *plan, hs_error *error);

/* ---- Accessors ---- */

/** The operations in the order of carrying them out, 0 <= k < hs_rebalance_operations(). Borrowed until the plan is
 * freed. */
HS_API int hs_rebalance_operations(const hs_rebalance *plan);
HS_API const hs_rebalance_operation *hs_rebalance_operation_at(const hs_rebalance *plan, int k);

/** What the plan costs. */
HS_API double hs_rebalance_cost(const hs_rebalance *plan);             /* blocks, by the model */
HS_API double hs_rebalance_cost_slides_only(const hs_rebalance *plan); /* the same without row migrations */

/** Blocks whose owner is another one after the plan, each moved straight there once. */
HS_API int64_t hs_rebalance_blocks_moved(const hs_rebalance *plan);

/** The layout afterwards; lent until the plan is freed. */
HS_API void hs_rebalance_layout(const hs_rebalance *plan, hs_column_layout *layout);

#ifdef __cplusplus
}
#endif
#endif
