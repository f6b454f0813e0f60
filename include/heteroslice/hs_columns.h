/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HETEROSLICE_HS_COLUMNS_H
#define HETEROSLICE_HS_COLUMNS_H

/* Rectangles for the matrix product on hosts of unequal speed: the square is tiled by one rectangle a host, its area
 * proportional to the host's speed, so that the half perimeters, which are what the host receives in each step, are
 * small (matmul-redistribution-2000, section 2.3). */

#include <heteroslice/hs_status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A tiling; freed with hs_columns_free(). */
typedef struct hs_columns hs_columns;

typedef enum hs_columns_objective {
    HS_COLUMNS_SUM, /* PERI-SUM: the sum of the half perimeters, for a network that carries one message at a time */
    HS_COLUMNS_MAX  /* PERI-MAX: the largest half perimeter, for a network that carries all at once */
} hs_columns_objective;

typedef enum hs_columns_method {
    HS_COLUMNS_COLUMNS,  /* rectangles stand in columns that cross the square: what hs_rebalance can follow */
    HS_COLUMNS_RECURSIVE /* any tiling made by cutting rectangles in two; never worse than columns */
} hs_columns_method;

/** What to plan. Start from hs_columns_params_init(). The size of the struct never changes: later versions take new
 * fields from `reserved`, where 0 is the default. */
typedef struct hs_columns_params {
    hs_columns_objective objective;
    hs_columns_method method;
    int64_t blocks;   /* N > 0: tile N x N blocks, N <= HS_COLUMNS_MAX_BLOCKS; 0: tile the unit square */
    double tolerance; /* blocks only: accept a largest area/speed up to (1 + tolerance) times the least found when that
                         shortens the perimeters; >= 0 */
    int64_t reserved[8]; /* all 0 */
} hs_columns_params;

enum { HS_COLUMNS_MAX_BLOCKS = 1 << 26, HS_COLUMNS_MAX_HOSTS = 1 << 24 };

/** Defaults: sum, columns, 0 blocks, tolerance 0. */
HS_API void hs_columns_params_init(hs_columns_params *params);

/** A host's rectangle; the origin is the upper left corner. In blocks all four numbers are integers. */
typedef struct hs_rectangle {
    int host;
    double x, y, width, height;
} hs_rectangle;

/** A column layout in blocks. Column c holds the rectangles first[c] .. first[c+1]-1 from top to bottom; all columns
 * have the same height. The arrays are borrowed from the caller who fills the struct. */
typedef struct hs_column_layout {
    int columns;
    const int *first;      /* columns + 1 entries, first[0] == 0 */
    const int64_t *width;  /* columns entries, >= 0 */
    const int *host;       /* first[columns] entries, distinct */
    const int64_t *height; /* first[columns] entries, >= 0 */
} hs_column_layout;

/** Tile a square by rectangles whose areas follow the speeds.
 *
 * Model:      host i with speed s_i gets area s_i / sum s of the unit square; hosts of speed 0, or whose part is lost in
 *             double precision, get none. With blocks, the areas are integers that minimise, in this order, the largest
 *             area/speed, the number of hosts with a speed but no area, and the objective.
 * Source:     matmul-redistribution-2000, section 2.3, definitions 3 and 4; doc/algorithms/columns.md has the proofs.
 * Guarantee:  columns, sum: optimal among all column tilings. columns, max: optimal up to HS_COLUMNS_MAX_EXACT hosts,
 *             heuristic beyond (the problem is NP-complete). recursive: never worse than columns; optimal among all
 *             tilings by guillotine cuts up to HS_COLUMNS_RECURSIVE_EXACT hosts; at most 1.25 (sum) or 2/sqrt(3) (max)
 *             times hs_columns_lower_bound() always. blocks: see doc/algorithms/columns.md; the rectangles tile the
 *             square exactly. Ties: the lowest host index. Deterministic.
 * Cost:       columns: O(p log p) for the sum, p = 100,000 in well under a second for all.
 *
 * @param[in]  speed   work units/s, array of length hosts, each >= 0 and finite, one above 0; borrowed
 * @param[in]  hosts   p, 1 <= p <= HS_COLUMNS_MAX_HOSTS
 * @param[in]  params  NULL: the defaults
 * @param[out] plan    on HS_OK a new plan; it refers to no argument
 * @return HS_OK; HS_ERR_ARG (a bound above broken); HS_ERR_INFEASIBLE (all speeds are 0); HS_ERR_NOMEM */
HS_API hs_status hs_columns_create(const double *speed, int hosts, const hs_columns_params *params, hs_columns **plan);

/** Free a plan; NULL is fine. */
HS_API void hs_columns_free(hs_columns *plan);

enum { HS_COLUMNS_MAX_EXACT = 16, HS_COLUMNS_RECURSIVE_EXACT = 8 };

/* ---- Accessors ---- */

/** The rectangles that have an area: k = 0 .. count-1, column by column from left to right, each from top to bottom;
 * the recursive method lists them by host. Borrowed until the plan is freed. */
HS_API int hs_columns_count(const hs_columns *plan);
HS_API const hs_rectangle *hs_columns_rectangle(const hs_columns *plan, int k);

/** Columns of the tiling, 0 for the recursive method; column c holds rectangles first(c) .. first(c+1)-1. */
HS_API int hs_columns_columns(const hs_columns *plan);
HS_API int hs_columns_first(const hs_columns *plan, int c);

/** Lend the layout in blocks, as hs_rebalance_create() takes it.
 * @return HS_OK; HS_ERR_STATE when the plan has no columns or no blocks: *layout is then untouched */
HS_API hs_status hs_columns_layout(const hs_columns *plan, hs_column_layout *layout);

/** The sum of the rectangles' half perimeters, and the largest one: sides are in fractions of the square's, or in
 * blocks. */
HS_API double hs_columns_half_perimeter_sum(const hs_columns *plan);
HS_API double hs_columns_half_perimeter_max(const hs_columns *plan);

/** No tiling of the square by rectangles of these areas, columns or not, has a smaller objective. */
HS_API double hs_columns_lower_bound(const hs_columns *plan);

/** The largest area/speed over the hosts: the time of a step in units of block updates per speed unit; without blocks
 * the area is a fraction of the square, and this is 1 / sum of the speeds. */
HS_API double hs_columns_largest_load(const hs_columns *plan);

/** 1 when the objective is known to be optimal in the method's class (guarantee above), else 0; 0 with blocks. */
HS_API int hs_columns_is_optimal(const hs_columns *plan);

/** Check a plan: the rectangles tile the square, exactly in blocks and within rounding else, every host has one at most,
 * and the measures are theirs.
 * @return HS_OK; HS_ERR_INTERNAL with *error saying what is wrong; HS_ERR_NOMEM */
HS_API hs_status hs_columns_check(const hs_columns *plan, hs_error *error);

#ifdef __cplusplus
}
#endif
#endif
