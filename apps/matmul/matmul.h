/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_APPS_MATMUL_MATMUL_H
#define HS_APPS_MATMUL_MATMUL_H

#include "apps/arguments.h"
#include "matrices.h"
#include <heteroslice/hs_blocks.h>

enum { MATMUL_MAX_BLOCK = 1024 };

typedef struct matmul_options {
    int64_t blocks, size; /* N blocks of B x B a side */
    int64_t rows;         /* of the matrices; the rest of the last blocks is 0 */
    int equal;            /* begin with equal rectangles regardless of speeds */
    int threads;          /* threads of BLAS in every rank */
    run_options run;      /* a step is one of the N; params: mode and W */
    event_list cuts;      /* speeds, separated by commas, for a new partition after a step */
} matmul_options;

/* Totals of a run on each rank. */
typedef struct matmul_tally {
    double compute_s; /* in dgemm and beside it */
    int64_t updates;  /* updated blocks */
    hs_blocks_stats stats;
} matmul_tally;

/** Parse the command line. Returns the exit status to end with, or -1 to go on. Rank 0 prints errors. */
int matmul_parse(int argc, char **argv, matmul_options *options);

/** Updates of blocks a second of this rank alone, measured now when it never had a block. */
double matmul_speed(const matmul_options *options, const matmul_tally *tally);

/** Move to a new partition when speeds are given for the end of this step. Collective; returns as
 * hs_blocks_rebalance(). */
hs_status matmul_cut(const matmul_options *options, hs_blocks *layout, int ranks, int64_t step);

/** The elements of the matrices that this rank owns, for the caller to free. */
matrix_part matmul_part(const matmul_options *options, const hs_blocks *layout);
void matmul_part_free(matrix_part *part);

/** Stop the clock, prove the product, print the result on rank 0 and return the exit status. Collective. */
int matmul_report(const matmul_options *options, MPI_Comm comm, const hs_blocks *layout, const double *c, double begun,
                  const matmul_tally *tally);

#endif
