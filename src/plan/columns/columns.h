/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_COLUMNS_H
#define HS_PLAN_COLUMNS_H

/* What the column and rectangle planners share. */

#include "util/pool.h"
#include "util/sort.h"
#include <heteroslice/hs_columns.h>

/** Rank all hosts by speed, the fastest first, as parts of the fastest one's, so that no sum overflows.
 * @return HS_OK; HS_ERR_ARG for a speed that is negative or not finite; HS_ERR_INFEASIBLE when all are 0 */
hs_status hs__rank_hosts(const double *speed, int hosts, hs__ranked *list);

/** The hosts that get an area, fastest first (lowest index first among equals). */
typedef struct hs__areas {
    int n;        /* hosts with an area above 0, and not below what doubles can tell */
    int *host;    /* host[k] is the index of the host of rank k */
    double *area; /* area[k] = s_k / sum s, descending */
    double *tail; /* tail[k] = area[k] + ... + area[n - 1], so small areas are not lost beside large ones */
    hs__pool pool;
} hs__areas;

/** @return as hs__rank_hosts(); HS_ERR_NOMEM. On failure *areas holds nothing to free. */
hs_status hs__areas_create(const double *speed, int hosts, hs__areas *areas);
void hs__areas_free(hs__areas *areas);

/** Sum of area[i] .. area[j - 1]. */
static inline double hs__areas_sum(const hs__areas *a, int i, int j)
{
    return j - i == 1 ? a->area[i] : a->tail[i] - a->tail[j];
}

/** Lower bounds for any tiling of the unit square by rectangles of these areas. */
double hs__bound_sum(const hs__areas *areas);
double hs__bound_max(const hs__areas *areas);

/** Ranks in columns: column c holds rank[first[c]] .. rank[first[c + 1] - 1]. Arrays of n and n + 1 entries. */
typedef struct hs__column_sets {
    int columns;
    int *first, *rank;
    hs__pool pool;
} hs__column_sets;

hs_status hs__column_sets_create(int n, hs__column_sets *sets);
void hs__column_sets_free(hs__column_sets *sets);
void hs__column_sets_copy(const hs__column_sets *from, hs__column_sets *to);

/** Scratch of the dynamic programs over consecutive ranks; each array has n + 1 entries. */
typedef struct hs__column_scratch {
    double *cost;
    int *from;  /* where the column that ends here begins */
    int *queue; /* candidates for the beginning of a column */
    int *start; /* the first end for which queue[k] is the best */
    hs__pool pool;
} hs__column_scratch;

hs_status hs__column_scratch_create(int n, hs__column_scratch *scratch);
void hs__column_scratch_free(hs__column_scratch *scratch);

/** COL-PERI-SUM of ranks i .. j-1 in a rectangle of the given height, each column costing `price` more: the optimum,
 * with the columns' beginnings in scratch->from[1 .. j-i] (relative to i). */
double hs__columns_sum(const hs__areas *areas, int i, int j, double height, double price, hs__column_scratch *scratch);

/** COL-PERI-MAX of ranks i .. j-1 over columns of consecutive ranks in a rectangle of the given height, within this
 * relative precision (> 1e-15). Columns as above. */
double hs__columns_max_consecutive(const hs__areas *areas, int i, int j, double height, double precision,
                                   hs__column_scratch *scratch);

/** The beginnings of the columns that from[1 .. n] describes, then n. @return the columns */
int hs__columns_first(const int *from, int n, int *first);

/** Copy the columns that scratch->from describes for ranks 0 .. n-1. */
void hs__column_sets_from(const hs__column_scratch *scratch, int n, hs__column_sets *sets);

/** COL-PERI-MAX of all ranks on the unit square: exact up to HS_COLUMNS_MAX_EXACT, else consecutive columns improved by
 * local search. */
hs_status hs__columns_max(const hs__areas *areas, hs__column_scratch *scratch, hs__column_sets *sets);

/** Improve a column tiling of the unit square by moving and swapping areas of its worst column. */
hs_status hs__columns_max_search(const hs__areas *areas, hs__column_sets *sets);

/** The objective of a column tiling of the unit square. */
double hs__column_sets_cost(const hs__areas *areas, const hs__column_sets *sets, hs_columns_objective objective);

#endif
