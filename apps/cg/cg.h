/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_APPS_CG_CG_H
#define HS_APPS_CG_CG_H

/* The numerics and the options of hs-cg: conjugate gradients on a sparse matrix of unequal rows. */

#include "apps/arguments.h"
#include "apps/common.h"
#include "matrix.h"
#include <heteroslice/hs_runtime.h>
#include <mpi.h>
#include <stdint.h>

/** What rows weigh: nothing known, what their elements say, or what the library learns. */
typedef enum cg_weights { WEIGHTS_OFF, WEIGHTS_DECLARED, WEIGHTS_LEARNED } cg_weights;

typedef struct cg_options {
    int64_t rows;
    int64_t width;    /* of the long rows of a made matrix, to each side */
    const char *file; /* Matrix Market; NULL: the matrix is made */
    int weights;      /* cg_weights */
    run_options run;  /* intensity: multiplications of each element */
} cg_options;

/* A rank's rows, and its part of the vectors. */
typedef struct cg_state {
    int64_t *row, *column; /* CSR: row[i] to row[i + 1] - 1 are the elements of its row i */
    double *value;
    double *x, *r, *p, *q;
    double *all;       /* [rows] p of all ranks */
    hs_layout *layout; /* that learns what its rows weigh; NULL: none does */
} cg_state;

/* Totals of a run on each rank. */
typedef struct cg_tally {
    double compute_s; /* seconds of computing */
    double work;      /* weight of the rows it computed */
    double residual;  /* |r|, as the iteration has it */
    hs_layout_stats stats;
} cg_tally;

/** Parse the command line. Returns the exit status to end with, or -1 to go on. Rank 0 prints errors. */
int cg_parse(int argc, char **argv, cg_options *options);

/** Multiplications that a row with so many elements takes, its part of the vectors included. */
double cg_weight(const cg_options *options, int64_t elements);

/** q = A all, for this rank's rows. */
void cg_multiply(const cg_options *options, const cg_state *s, int64_t rows, const double *all, double *q);

/** The sum of a[i] b[i] over all rows of all ranks, with the same bits for every partition. Collective.
 * @param[in] count  rows of every rank */
double cg_dot(MPI_Comm comm, const int64_t *count, const double *a, const double *b);

/** Copy this rank's part of a vector and those of the others to all. Collective. */
void cg_gather(MPI_Comm comm, const int64_t *count, const double *part, double *all);

/** Stop the clock, check the answer, print the result on rank 0 and return the exit status. Collective. */
int cg_report(const cg_options *options, const cg_matrix *matrix, MPI_Comm comm, const hs_layout *layout, cg_state *s,
              double begun, const cg_tally *tally);

#endif
