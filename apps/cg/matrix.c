/* SPDX-License-Identifier: BSD-3-Clause */
#include "matrix.h"
#include <math.h>
#include <stdlib.h>

/* How much shorter the short rows of a made matrix are, and where the long ones begin. */
enum { SHORTER = 8, LONG_QUARTER = 3 };

cg_matrix cg_matrix_make(int64_t rows, int64_t width)
{
    return (cg_matrix){.rows = rows, .width = width};
}

void cg_matrix_free(cg_matrix *m)
{
    free(m->row);
    free(m->column);
    free(m->value);
    *m = (cg_matrix){0};
}

/* How far a row reaches to each side. */
static int64_t reach(const cg_matrix *m, int64_t row)
{
    return 4 * row >= LONG_QUARTER * m->rows ? m->width : m->width / SHORTER;
}

/* Whether a made matrix has an element there: both rows reach so far. */
static int has(const cg_matrix *m, int64_t i, int64_t j)
{
    int64_t apart = i < j ? j - i : i - j;
    return apart <= reach(m, i) && apart <= reach(m, j);
}

static int64_t first_column(const cg_matrix *m, int64_t row)
{
    return row > reach(m, row) ? row - reach(m, row) : 0;
}

static int64_t last_column(const cg_matrix *m, int64_t row)
{
    return row + reach(m, row) < m->rows ? row + reach(m, row) : m->rows - 1;
}

int64_t cg_matrix_length(const cg_matrix *m, int64_t row)
{
    int64_t length = 0;
    if (m->row)
        return m->row[row + 1] - m->row[row];
    for (int64_t j = first_column(m, row); j <= last_column(m, row); j++)
        length += has(m, row, j);
    return length;
}

/* Elements off the diagonal are negative and fall off with the distance; the diagonal is 1 more than their sum. */
static void make_row(const cg_matrix *m, int64_t row, int64_t *column, double *value)
{
    double sum = 1;
    int64_t n = 0, diagonal = 0;
    for (int64_t j = first_column(m, row); j <= last_column(m, row); j++) {
        if (!has(m, row, j))
            continue;
        diagonal = j == row ? n : diagonal;
        column[n] = j;
        value[n] = -1 / (1 + fabs((double)(row - j)));
        sum -= j == row ? 0 : value[n];
        n++;
    }
    value[diagonal] = sum;
}

void cg_matrix_row(const cg_matrix *m, int64_t row, int64_t *column, double *value)
{
    if (!m->row) {
        make_row(m, row, column, value);
        return;
    }
    for (int64_t k = m->row[row]; k < m->row[row + 1]; k++) {
        column[k - m->row[row]] = m->column[k];
        value[k - m->row[row]] = m->value[k];
    }
}

/* Gershgorin: eigenvalues lie between 1 and 1 plus twice the sum of the elements off the diagonal. */
double cg_matrix_condition(const cg_matrix *m)
{
    double sum = 0;
    for (int64_t k = 1; k <= m->width; k++)
        sum += 2 / (1 + (double)k);
    return m->row ? 0 : 1 + 2 * sum;
}
