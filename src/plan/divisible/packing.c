/* SPDX-License-Identifier: BSD-3-Clause */
/* The primal simplex method on a dense tableau. The right-hand sides are 1, so x = 0 is a vertex to start from. Columns
 * are scaled to a largest element of 1. The steepest column enters; after many pivots without an end the first one does
 * (Bland), which cannot cycle. Ties go to the lowest index. */
#include "plan/divisible/packing.h"
#include "util/assert.h"
#include <math.h>
#include <string.h>

static const double COST_TOLERANCE = 1e-11, PIVOT_TOLERANCE = 1e-11, ZERO = 1e-12;

hs_status hs__packing_init(hs__packing *p, int max_rows, int max_columns)
{
    size_t rows = (size_t)max_rows, columns = (size_t)max_columns;
    *p = (hs__packing){.max_rows = max_rows, .max_columns = max_columns};
    p->cell = hs__pool_new(&p->pool, (rows + 1) * (columns + 1), sizeof *p->cell);
    p->scale = hs__pool_new(&p->pool, columns, sizeof *p->scale);
    p->basic = hs__pool_new(&p->pool, rows, sizeof *p->basic);
    p->nonbasic = hs__pool_new(&p->pool, columns, sizeof *p->nonbasic);
    p->x = hs__pool_new(&p->pool, columns, sizeof *p->x);
    p->y = hs__pool_new(&p->pool, rows, sizeof *p->y);
    p->slack = hs__pool_new(&p->pool, rows, sizeof *p->slack);
    return hs__pool_complete(&p->pool);
}

void hs__packing_free(hs__packing *p)
{
    hs__pool_free(&p->pool);
}

void hs__packing_begin(hs__packing *p, int rows, int columns)
{
    HS_ASSERT(rows <= p->max_rows && columns <= p->max_columns);
    p->rows = rows;
    p->columns = columns;
}

void hs__packing_add(hs__packing *p, int row, double value)
{
    double *cell = hs__packing_row(p, row);
    for (int j = 0; j < p->columns; j++)
        cell[j] += value;
}

/* Scales the columns and sets up the slack basis: variable j < columns is x_j, columns + i the slack of row i. */
static void start(hs__packing *p)
{
    for (int j = 0; j < p->columns; j++) {
        p->scale[j] = 0.0;
        p->nonbasic[j] = j;
    }
    for (int i = 0; i < p->rows; i++) {
        const double *row = hs__packing_row(p, i);
        for (int j = 0; j < p->columns; j++)
            p->scale[j] = fmax(p->scale[j], row[j]);
    }
    for (int i = 0; i < p->rows; i++) {
        double *row = hs__packing_row(p, i);
        for (int j = 0; j < p->columns; j++)
            row[j] /= p->scale[j];
        row[p->columns] = 1.0;
        p->basic[i] = p->columns + i;
    }
    double *objective = hs__packing_row(p, p->rows);
    double largest = 0.0;
    for (int j = 0; j < p->columns; j++)
        largest = fmax(largest, 1.0 / p->scale[j]);
    for (int j = 0; j < p->columns; j++)
        objective[j] = -1.0 / p->scale[j] / largest;
    objective[p->columns] = 0.0;
}

static int entering(const hs__packing *p, int first)
{
    const double *objective = p->cell + (ptrdiff_t)p->rows * (p->columns + 1);
    double least = -COST_TOLERANCE;
    int chosen = -1;
    for (int j = 0; j < p->columns; j++) {
        if (objective[j] >= least)
            continue;
        if (first && chosen >= 0 && p->nonbasic[j] > p->nonbasic[chosen])
            continue;
        chosen = j;
        if (!first)
            least = objective[j];
    }
    return chosen;
}

static int leaving(const hs__packing *p, int column)
{
    double least = INFINITY;
    int chosen = -1;
    for (int i = 0; i < p->rows; i++) {
        const double *row = p->cell + (ptrdiff_t)i * (p->columns + 1);
        if (row[column] <= PIVOT_TOLERANCE)
            continue;
        double ratio = fmax(row[p->columns], 0.0) / row[column];
        if (ratio < least || (ratio == least && p->basic[i] < p->basic[chosen])) {
            least = ratio;
            chosen = i;
        }
    }
    return chosen;
}

static void pivot(hs__packing *p, int row, int column)
{
    int width = p->columns + 1;
    double *pivot_row = hs__packing_row(p, row), inverse = 1.0 / pivot_row[column];
    for (int j = 0; j < width; j++)
        pivot_row[j] *= inverse;
    pivot_row[column] = inverse;
    for (int i = 0; i <= p->rows; i++) {
        double *target = hs__packing_row(p, i), factor = target[column];
        if (i == row || factor == 0.0)
            continue;
        for (int j = 0; j < width; j++)
            target[j] -= factor * pivot_row[j];
        target[column] = -factor * inverse;
    }
    int variable = p->basic[row];
    p->basic[row] = p->nonbasic[column];
    p->nonbasic[column] = variable;
}

static double read_solution(hs__packing *p)
{
    double sum = 0.0, largest = 0.0;
    memset(p->x, 0, (size_t)p->columns * sizeof *p->x);
    memset(p->y, 0, (size_t)p->rows * sizeof *p->y);
    memset(p->slack, 0, (size_t)p->rows * sizeof *p->slack);
    for (int j = 0; j < p->columns; j++)
        largest = fmax(largest, 1.0 / p->scale[j]);
    for (int i = 0; i < p->rows; i++) {
        double value = hs__packing_row(p, i)[p->columns];
        if (p->basic[i] >= p->columns)
            p->slack[p->basic[i] - p->columns] = value;
        else if (value > ZERO)
            p->x[p->basic[i]] = value / p->scale[p->basic[i]];
    }
    for (int j = 0; j < p->columns; j++) {
        sum += p->x[j];
        if (p->nonbasic[j] >= p->columns)
            p->y[p->nonbasic[j] - p->columns] = hs__packing_row(p, p->rows)[j] * largest;
    }
    return sum;
}

/* Whether the prices of the rows, which bound every solution, say what this one is worth. */
static int is_proved(const hs__packing *p, double sum)
{
    double bound = 0.0;
    for (int i = 0; i < p->rows; i++)
        bound += p->y[i];
    return fabs(bound - sum) <= 1e-6 * sum;
}

/* Whether every variable is either basic or not, and no row is overfull. */
static int is_feasible(const hs__packing *p)
{
    int64_t sum = 0, variables = p->rows + p->columns;
    for (int i = 0; i < p->rows; i++) {
        sum += p->basic[i];
        if (p->slack[i] < -1e-6)
            return 0;
    }
    for (int j = 0; j < p->columns; j++)
        sum += p->nonbasic[j];
    return sum == variables * (variables - 1) / 2;
}

double hs__packing_solve(hs__packing *p)
{
    start(p);
    int64_t max_steepest = 20 * ((int64_t)p->rows + p->columns);
    int ended = 0;
    for (int64_t pivots = 0; pivots < 4 * max_steepest; pivots++) {
        int column = entering(p, pivots >= max_steepest);
        int row = column < 0 ? -1 : leaving(p, column);
        ended = row < 0;
        if (ended)
            break;
        pivot(p, row, column);
    }
    double sum = read_solution(p);
    HS_ASSERT(!ended || (is_feasible(p) && is_proved(p, sum)));
    return ended ? sum : INFINITY;
}
