/* SPDX-License-Identifier: BSD-3-Clause */
#include "cg.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The residual that the iteration has is that of x up to rounding. */
#define TOLERANCE 1e-10

/* Seconds and elements by which a rank that never had a row measures its speed at the end. */
#define TRIAL_S 0.02
enum { TRIAL = 1000 };

/* How many of this rank's rows are not those of the matrix any more, bit for bit. */
static int64_t damaged_rows(const cg_matrix *matrix, const cg_state *s, int64_t first, int64_t rows)
{
    int64_t damaged = 0;
    for (int64_t i = 0; i < rows; i++) {
        int64_t n = s->row[i + 1] - s->row[i], length = cg_matrix_length(matrix, first + i);
        int64_t *column = app_allocate(length, sizeof *column);
        double *value = app_allocate(length, sizeof *value);
        cg_matrix_row(matrix, first + i, column, value);
        damaged += n != length || memcmp(column, s->column + s->row[i], (size_t)n * sizeof *column) != 0 ||
                   memcmp(value, s->value + s->row[i], (size_t)n * sizeof *value) != 0;
        free(column);
        free(value);
    }
    return damaged;
}

/* What the answer is held against: norms of b, of b - A x, and of x - 1 as A weighs it, now and at the start. */
typedef struct norms {
    double right, residual, error, first_error;
} norms;

/* A times ones is the right side, so b - A x = A (1 - x), and the error is |1 - x|_A. */
static norms norms_of(const cg_options *o, const cg_matrix *matrix, MPI_Comm comm, const int64_t *count, int64_t rows,
                      cg_state *s)
{
    norms n;
    double *off = app_allocate(rows, sizeof *off);
    for (int64_t i = 0; i < matrix->rows; i++)
        s->all[i] = 1;
    cg_multiply(o, s, rows, s->all, s->q);
    n.right = sqrt(cg_dot(comm, count, s->q, s->q));
    n.first_error = sqrt(cg_dot(comm, count, s->all, s->q));
    for (int64_t i = 0; i < rows; i++)
        off[i] = 1 - s->x[i];
    cg_gather(comm, count, off, s->all);
    cg_multiply(o, s, rows, s->all, s->q);
    n.residual = sqrt(cg_dot(comm, count, s->q, s->q));
    n.error = sqrt(fabs(cg_dot(comm, count, off, s->q)));
    free(off);
    return n;
}

/* Conjugate gradients shrink the error by (sqrt(k) - 1) / (sqrt(k) + 1) an iteration, but for a factor of 2, where the
 * condition k is known, and never let it grow. */
static int verify(const cg_options *o, const cg_matrix *matrix, const norms *n, const cg_tally *tally)
{
    double root = sqrt(cg_matrix_condition(matrix));
    double bound = root > 0 ? fmin(1, 2 * pow((root - 1) / (root + 1), (double)o->run.iterations)) : 1;
    return fabs(n->residual - tally->residual) <= TOLERANCE * n->right &&
           n->error <= (bound + TOLERANCE) * n->first_error;
}

/* Weight per second of this rank alone. A rank that never had a row multiplies one of zeros to measure it. */
static double own_speed(const cg_options *o, const cg_tally *tally)
{
    double work = tally->work, seconds = tally->compute_s;
    int64_t row[2] = {0, TRIAL};
    cg_state trial = {.row = row};
    double q, *all = app_allocate(TRIAL, sizeof *all);
    trial.column = app_allocate(TRIAL, sizeof *trial.column);
    trial.value = app_allocate(TRIAL, sizeof *trial.value);
    while (tally->work == 0 && seconds < TRIAL_S) {
        double begun = MPI_Wtime();
        cg_multiply(o, &trial, 1, all, &q);
        seconds += MPI_Wtime() - begun;
        work += cg_weight(o, TRIAL);
    }
    free(trial.column);
    free(trial.value);
    free(all);
    return seconds > 0 ? work / seconds : 0;
}

/* A sum of hashes of all bits of x that no order of addition changes. */
static uint64_t checksum(const double *x, int64_t first, int64_t rows)
{
    uint64_t sum = 0, bits;
    for (int64_t i = 0; i < rows; i++) {
        memcpy(&bits, &x[i], sizeof bits);
        sum += app_hash(bits, (uint64_t)(first + i));
    }
    return sum;
}

/* Relative to b where that is not 0, as it is where the rows of A add up to 0: a Laplacian's do. */
static void print_residual(const norms *n, int json)
{
    double residual = n->right > 0 ? n->residual / n->right : n->residual;
    if (json && !isfinite(residual))
        printf(",\"residual\":null");
    else
        printf(json ? ",\"residual\":%.6g" : ", residual %.3g", residual);
}

int cg_report(const cg_options *o, const cg_matrix *matrix, MPI_Comm comm, const hs_layout *layout, cg_state *s,
              double begun, const cg_tally *tally)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    MPI_Barrier(comm);
    double seconds = MPI_Wtime() - begun;
    hs_slice slice = hs_layout_slice(layout);
    const int64_t *count = hs_layout_counts(layout);
    norms n = norms_of(o, matrix, comm, count, slice.count, s);
    int64_t damaged = damaged_rows(matrix, s, slice.first, slice.count);
    uint64_t sum = checksum(s->x, slice.first, slice.count);
    MPI_Allreduce(MPI_IN_PLACE, &damaged, 1, MPI_INT64_T, MPI_SUM, comm);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, comm);
    const app_result result = {.seconds = seconds,
                               .iterations = o->run.iterations,
                               .verified = damaged == 0 && verify(o, matrix, &n, tally),
                               .checksum = sum,
                               .moves = tally->stats.moves,
                               .moved_bytes = tally->stats.moved_bytes,
                               .efficiency = app_efficiency(comm, own_speed(o, tally), tally->work, seconds)};
    app_print_result(comm, &result, o->run.json);
    if (rank == 0)
        print_residual(&n, o->run.json);
    app_print_counts(comm, "rows", slice.count, o->run.json);
    app_print_end(comm, o->run.json);
    return result.verified ? 0 : 1;
}
