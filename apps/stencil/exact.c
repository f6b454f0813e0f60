/* SPDX-License-Identifier: BSD-3-Clause */
/* The exact state: a sum of eigenmodes, each of which shrinks by a factor of its own in a sweep. */
#include "config.h"

#include "jacobi.h"
#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846264338327950288L

enum { MODES = 3 };
static const int64_t mode_rows[MODES] = {1, 2, 3}, mode_cols[MODES] = {1, 3, 2};

/* The rounding of so many sweeps; the state itself is at most MODES high. */
double jacobi_tolerance(int64_t sweeps)
{
    return 1e-12 * MODES * (double)(sweeps + 1);
}

/* sin(pi m (i + 1) / (n + 1)) for i = 0 .. n - 1 of mode m, in long double so that large m (i + 1) lose nothing. */
static double wave(int64_t mode, int64_t i, int64_t n)
{
    return (double)sinl(PI * (long double)(mode * (i + 1) % (2 * (n + 1))) / (n + 1));
}

/* The factor by which mode m shrinks in `sweeps` sweeps. */
static double shrink(const jacobi_options *o, int m, int64_t sweeps)
{
    long double factor = (cosl(PI * mode_rows[m] / (o->rows + 1)) + cosl(PI * mode_cols[m] / (o->cols + 1))) / 2;
    return (double)powl(factor, sweeps);
}

void jacobi_exact_points(const jacobi_options *o, const jacobi_area *area, int64_t row, int64_t sweeps, double *out)
{
    memset(out, 0, (size_t)area->cols * sizeof *out);
    for (int m = 0; m < MODES; m++) {
        double height = shrink(o, m, sweeps) * wave(mode_rows[m], row, o->rows);
        for (int64_t j = 0; j < area->cols; j++)
            out[j] += height * wave(mode_cols[m], area->first_col + j, o->cols);
    }
}

void jacobi_fill_area(const jacobi_options *o, double *grid, const jacobi_area *area)
{
    for (int64_t i = 0; i < area->rows; i++)
        jacobi_exact_points(o, area, area->first_row + i, 0, grid + i * area->stride);
}

void jacobi_fill(const jacobi_options *o, double *grid, int64_t first, int64_t count)
{
    int64_t begin = first < 0 ? 0 : first, end = first + count < o->rows ? first + count : o->rows;
    const jacobi_area area = jacobi_area_of_rows(o, begin, end - begin);
    jacobi_fill_area(o, grid + (begin - first) * area.stride + 1, &area);
}
