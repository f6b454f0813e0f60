/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_APPS_MATMUL_MATRICES_H
#define HS_APPS_MATMUL_MATRICES_H

/* The input matrices, whose elements every rank can compute, and the proof of a product distributed over ranks in any
 * way. */

#include <mpi.h>
#include <stdint.h>

enum { MATRIX_MAX_ROWS = 1 << 24 }; /* rows: two dimensional data of any size, vectors an int counts */

typedef enum matrix_name { MATRIX_A, MATRIX_B } matrix_name;

/* A rank's part of n x n matrices: element (i, j) of the part is the matrix's (row[i], column[j]) and lies at
 * i + j * ld. */
typedef struct matrix_part {
    int64_t n, rows, columns, ld;
    const int64_t *row, *column;
    int64_t padding; /* number of zero rows and columns at the end of A and B */
} matrix_part;

/** Write the part of A or B: numbers in [-1, 1) that look random. */
void matrix_fill(const matrix_part *part, matrix_name name, double *data);

typedef struct matrix_proof {
    double error, tolerance; /* the largest component of C x - A (B x) for random x, and what rounding explains */
    uint64_t checksum;       /* a sum of hashes of all bits of C, independent of the partition */
} matrix_proof;

/** Prove C = A B by Freivalds' method: one wrong element of C passes with probability 2^-VECTORS at most. A and
 * B are generated again, so that a damaged copy of them is found too. Collective, n <= MATRIX_MAX_ROWS; returns 0, or -1
 * without memory. */
int matrix_prove(MPI_Comm comm, const matrix_part *part, const double *c, matrix_proof *proof);

#endif
