/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_APPS_CG_MATRIX_H
#define HS_APPS_CG_MATRIX_H

/* A symmetric, positive definite matrix, row by row: made, or read from a Matrix Market file. */

#include <stddef.h>
#include <stdint.h>

typedef struct cg_matrix {
    int64_t rows;
    int64_t width;         /* of the long rows when it is made */
    int64_t *row, *column; /* as read, [rows + 1] and [row[rows]]; NULL when it is made; owned */
    double *value;         /* likewise */
} cg_matrix;

/** A matrix whose last quarter of rows reaches `width` columns to each side, and the others an eighth of that. */
cg_matrix cg_matrix_make(int64_t rows, int64_t width);

/** Read a coordinate file, real, integer or pattern, symmetric or general.
 * @param[out] error  [size] on failure "FILE:LINE: what is wrong"
 * @return 0, or -1 */
int cg_matrix_read(const char *path, cg_matrix *matrix, char *error, size_t size);
void cg_matrix_free(cg_matrix *matrix);

/** Elements of a row. */
int64_t cg_matrix_length(const cg_matrix *matrix, int64_t row);

/** Write the elements of a row by ascending column. */
void cg_matrix_row(const cg_matrix *matrix, int64_t row, int64_t *column, double *value);

/** The largest eigenvalue over the smallest is at most this; 0: not known. */
double cg_matrix_condition(const cg_matrix *matrix);

#endif
