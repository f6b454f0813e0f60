/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a grid plan is right, by the public functions alone. */
#include <heteroslice/hs_grid.h>

#include "util/array.h"
#include "util/status.h"
#include <math.h>
#include <stdlib.h>

static const double rounding = 1e-12; /* relative, for each size that is added up */

static int is_close(double a, double b, double slack)
{
    return a == b || fabs(a - b) <= slack * fmax(fabs(a), fabs(b));
}

/* Every host once, and r_i c_j <= s_ij without blocks. *load: the largest r_i c_j / s_ij. */
static hs_status check_cells(const hs_grid *grid, const double *speed, int64_t blocks, char *seen, double *load,
                             hs_error *error)
{
    int rows = hs_grid_rows(grid), columns = hs_grid_columns(grid);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            int host = hs_grid_host(grid, i, j);
            double area = hs_grid_row(grid, i) * hs_grid_column(grid, j);
            if (host < 0 || host >= rows * columns || seen[host])
                return hs_error_set(error, HS_ERR_INTERNAL, 0,
                                    "row %d, column %d: host %d is out of range or twice there", i, j, host);
            if (!(area >= 0) || (blocks == 0 && area > speed[host] * (1 + rounding)))
                return hs_error_set(error, HS_ERR_INTERNAL, 0, "row %d, column %d: an area of %g for a speed of %g", i,
                                    j, area, speed[host]);
            seen[host] = 1;
            *load = area > 0 ? fmax(*load, area / speed[host]) : *load;
        }
    return HS_OK;
}

hs_status hs_grid_check(const hs_grid *grid, const double *speed, int64_t blocks, hs_error *error)
{
    HS__RETURN_ERROR_IF_NULL(grid, error);
    int rows = hs_grid_rows(grid), columns = hs_grid_columns(grid);
    double r = 0, c = 0, load = 0, side = (double)blocks, slack = rounding * (rows + columns);
    char *seen = hs__array_new((size_t)rows * (size_t)columns, 1);
    if (!seen)
        return HS_ERR_NOMEM;
    hs_status status = check_cells(grid, speed, blocks, seen, &load, error);
    free(seen);
    if (status != HS_OK)
        return status;
    for (int i = 0; i < rows; i++)
        r += hs_grid_row(grid, i);
    for (int j = 0; j < columns; j++)
        c += hs_grid_column(grid, j);
    if (blocks > 0 ? r != side || c != side : !is_close(r, c, slack))
        return hs_error_set(error, HS_ERR_INTERNAL, 0, "the rows are %g high together, the columns %g wide", r, c);
    double value = blocks > 0 ? side * side / load : r * c;
    if (!is_close(hs_grid_value(grid), value, slack))
        return hs_error_set(error, HS_ERR_INTERNAL, 0, "the value is %.17g, not %.17g", value, hs_grid_value(grid));
    return HS_OK;
}
