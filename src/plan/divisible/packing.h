/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_DIVISIBLE_PACKING_H
#define HS_PLAN_DIVISIBLE_PACKING_H

#include "util/pool.h"
#include <heteroslice/hs_status.h>
#include <stddef.h>
#include <stdint.h>

/** The linear program  max sum_j x_j  subject to  A x <= 1, x >= 0,  with A >= 0 and no zero column: how much of
 * everything fits into one second. Dense, for some hundred columns. */
typedef struct hs__packing {
    int max_rows, max_columns;
    int rows, columns; /* of the present program */
    double *cell;      /* tableau, stride columns + 1 */
    double *scale;     /* [columns] */
    int *basic, *nonbasic;
    double *x;     /* [columns] result: the solution, exact zeros where it is 0 */
    double *y;     /* [rows] result: the prices of the rows */
    double *slack; /* [rows] result: 1 - A x */
    hs__pool pool;
} hs__packing;

hs_status hs__packing_init(hs__packing *packing, int max_rows, int max_columns);
void hs__packing_free(hs__packing *packing);

/** Begin a program; then fill every row. */
void hs__packing_begin(hs__packing *packing, int rows, int columns);
static inline double *hs__packing_row(hs__packing *packing, int row)
{
    return packing->cell + (ptrdiff_t)row * (packing->columns + 1);
}

/** Add to every coefficient of a row, such as a constant time by the load. */
void hs__packing_add(hs__packing *packing, int row, double value);

/** Solve it. x is feasible in any case (up to rounding).
 * @return the largest sum, INFINITY when rounding kept the search from ending */
double hs__packing_solve(hs__packing *packing);

#endif
