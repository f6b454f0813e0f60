/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HETEROSLICE_HS_GRID_H
#define HETEROSLICE_HS_GRID_H

/* Hosts of unequal speed on an R x C grid, as ScaLAPACK's kernels want them: every host of a row has the row's height,
 * every host of a column the column's width (matmul-redistribution-2000, sections 2.1 and 2.2). */

#include <heteroslice/hs_status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A grid plan; freed with hs_grid_free(). */
typedef struct hs_grid hs_grid;

enum { HS_GRID_MAX_HOSTS = 1 << 17, HS_GRID_MAX_BLOCKS = 1 << 26 };

/** Arrange R C hosts on a grid and size its rows and columns (MAX-GRID).
 *
 * Model:      host f(i,j) of speed s_f(i,j) works on r_i c_j units of area in one unit of time, r_i c_j <= s_f(i,j);
 *             the value (sum r)(sum c) is the area done in one unit of time, at most the sum of the speeds.
 * Source:     matmul-redistribution-2000, section 2.2, definition 1 (generalised from p x p to R x C).
 * Guarantee:  optimal when R or C is 1, and when the number of arrangements sorted along rows and columns is small (up
 *             to 4 x 4, 3 x 5, 2 x 10): hs_grid_is_optimal(). Beyond, a heuristic (NP-complete): several starts, then
 *             in turn the best sizes for the arrangement and the best arrangement for the sizes, then exchanges. Ties:
 *             the lowest host index. Deterministic. With blocks the sizes are integers that add up to N; for the
 *             arrangement found the largest area/speed is made small by alternating exact steps and exchanges.
 *
 * @param[in]  speed    work units/s, array of length rows * columns, each >= 0 and finite, one above 0; borrowed
 * @param[in]  rows     R >= 1
 * @param[in]  columns  C >= 1, R C <= HS_GRID_MAX_HOSTS
 * @param[in]  blocks   N > 0: integer sizes on N x N blocks, N <= HS_GRID_MAX_BLOCKS; 0: real sizes
 * @param[out] grid     on HS_OK a new plan
 * @return HS_OK; HS_ERR_ARG; HS_ERR_INFEASIBLE (all speeds are 0); HS_ERR_NOMEM */
HS_API hs_status hs_grid_create(const double *speed, int rows, int columns, int64_t blocks, hs_grid **grid);

/** Free a plan; NULL is fine. */
HS_API void hs_grid_free(hs_grid *grid);

/** Check a plan against the speeds and blocks it was made with: every host is in it once, no real size asks too much of
 * a host, integer sizes add up to N, and the value is what the sizes give.
 * @return HS_OK; HS_ERR_INTERNAL with *error saying what is wrong; HS_ERR_NOMEM */
HS_API hs_status hs_grid_check(const hs_grid *grid, const double *speed, int64_t blocks, hs_error *error);

/** The rows and the columns that hs_grid_create() was asked for. */
HS_API int hs_grid_rows(const hs_grid *grid);
HS_API int hs_grid_columns(const hs_grid *grid);

/** The host at row i, column j; speeds fall along rows and columns. */
HS_API int hs_grid_host(const hs_grid *grid, int i, int j);

/** r_i and c_j: real sizes are scaled so that sum r = sum c = sqrt(value); integer ones add up to N each. */
HS_API double hs_grid_row(const hs_grid *grid, int i);
HS_API double hs_grid_column(const hs_grid *grid, int j);

/** Area done in one unit of time: (sum r)(sum c), or N^2 / max r_i c_j / s_ij in blocks. */
HS_API double hs_grid_value(const hs_grid *grid);

/** 1 when no arrangement and no real sizes do better; always 0 with blocks. */
HS_API int hs_grid_is_optimal(const hs_grid *grid);

#ifdef __cplusplus
}
#endif
#endif
