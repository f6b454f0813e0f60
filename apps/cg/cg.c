/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/common.h"
#include "cg.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Conjugate gradients with balancing: the library divides the rows into slices by their weights and the hosts' speeds,
 * and moves the matrix (CSR) and the vectors. Hestenes and Stiefel 1952. */

/* From here on the residual is rounding errors, and what the iteration does with it means nothing. */
#define CONVERGED 1e-28

/* Tells the library how much work the rows are, and how many elements they have. */
static void register_rows(const cg_options *o, const cg_matrix *matrix, hs_layout *layout, cg_state *s)
{
    hs_slice slice = hs_layout_slice(layout);
    double *weight = app_allocate(slice.count, sizeof *weight);
    for (int64_t i = 0; i < slice.count; i++)
        weight[i] = cg_weight(o, cg_matrix_length(matrix, slice.first + i));
    if (o->weights == WEIGHTS_DECLARED)
        app_require(hs_layout_weights(layout, weight)); /* cuts the rows anew */
    free(weight);

    slice = hs_layout_slice(layout);
    int64_t *length = app_allocate(slice.count, sizeof *length);
    for (int64_t i = 0; i < slice.count; i++)
        length[i] = cg_matrix_length(matrix, slice.first + i);
    app_require(hs_layout_add_offsets(layout, length, &s->row));
    app_require(hs_layout_add_ragged(layout, sizeof *s->column, &s->row, (void **)&s->column));
    app_require(hs_layout_add_ragged(layout, sizeof *s->value, &s->row, (void **)&s->value));
    double **vectors[] = {&s->x, &s->r, &s->p, &s->q};
    for (int v = 0; v < 4; v++)
        app_require(hs_layout_add_array(layout, sizeof(double), 0, (void **)vectors[v]));
    for (int64_t i = 0; i < slice.count; i++)
        cg_matrix_row(matrix, slice.first + i, s->column + s->row[i], s->value + s->row[i]);
    free(length);
}

/* The right side is A times ones, the first guess is 0: r = p = b. */
static void start(const cg_options *o, const cg_matrix *matrix, hs_layout *layout, cg_state *s)
{
    int64_t rows = hs_layout_slice(layout).count;
    for (int64_t i = 0; i < matrix->rows; i++)
        s->all[i] = 1;
    cg_multiply(o, s, rows, s->all, s->r);
    for (int64_t i = 0; i < rows; i++)
        s->p[i] = s->r[i];
}

/* One iteration. @return the square of the new residual */
static double iterate(const cg_options *o, MPI_Comm comm, const hs_layout *layout, cg_state *s, double square,
                      double least, cg_tally *tally)
{
    const int64_t *count = hs_layout_counts(layout);
    int64_t rows = hs_layout_slice(layout).count;
    cg_gather(comm, count, s->p, s->all);
    double begun = MPI_Wtime();
    cg_multiply(o, s, rows, s->all, s->q);
    tally->compute_s += MPI_Wtime() - begun;
    double curvature = cg_dot(comm, count, s->p, s->q);
    double alpha = square > least && curvature > 0 ? square / curvature : 0;
    begun = MPI_Wtime();
    for (int64_t i = 0; i < rows; i++) {
        s->x[i] += alpha * s->p[i];
        s->r[i] -= alpha * s->q[i];
    }
    tally->compute_s += MPI_Wtime() - begun;
    double next = cg_dot(comm, count, s->r, s->r), beta = alpha > 0 ? next / square : 0;
    begun = MPI_Wtime();
    for (int64_t i = 0; i < rows; i++)
        s->p[i] = s->r[i] + beta * s->p[i];
    tally->compute_s += MPI_Wtime() - begun;
    tally->work += cg_weight(o, 0) * (double)rows + (double)(o->run.intensity * s->row[rows]);
    return next;
}

static int solve(const cg_options *o, const cg_matrix *matrix)
{
    cg_state s = {.all = app_allocate(matrix->rows, sizeof *s.all)};
    cg_tally tally = {0};
    hs_context *context;
    hs_layout *layout;
    app_require(hs_init(MPI_COMM_WORLD, &o->run.params, &context, NULL));
    app_require(hs_layout_create(context, matrix->rows, 0, HS_FIXED, &layout));
    MPI_Comm comm = hs_comm(context);
    register_rows(o, matrix, layout, &s);
    start(o, matrix, layout, &s);
    double square = cg_dot(comm, hs_layout_counts(layout), s.r, s.r), least = CONVERGED * square;
    s.layout = o->weights == WEIGHTS_LEARNED ? layout : NULL;
    MPI_Barrier(comm);
    double begun = MPI_Wtime();
    for (int64_t k = 0; k < o->run.iterations; k++) {
        events_run(&o->run.commands, comm, k);
        square = iterate(o, comm, layout, &s, square, least, &tally);
        app_require(hs_balance(layout));
    }
    s.layout = NULL;
    tally.residual = sqrt(square);
    hs_layout_get_stats(layout, &tally.stats);
    int code = cg_report(o, matrix, comm, layout, &s, begun, &tally);
    free(s.all);
    app_require(hs_finalize(&context));
    return code;
}

/* Every rank reads the file, and one of them may not have it: the first one that fails says why. Collective.
 * @return 0, or -1 on all ranks */
static int read_everywhere(const char *path, cg_matrix *matrix)
{
    char error[400];
    int rank, size, first;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    *matrix = (cg_matrix){0};
    int failed = cg_matrix_read(path, matrix, error, sizeof error) != 0 ? rank : size;
    MPI_Allreduce(&failed, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == size)
        return 0;
    if (first == rank)
        fprintf(stderr, "hs-cg: %s\n", error);
    cg_matrix_free(matrix);
    return -1;
}

int main(int argc, char **argv)
{
    cg_options options;
    cg_matrix matrix;
    MPI_Init(&argc, &argv);
    int code = cg_parse(argc, argv, &options);
    if (code < 0 && options.file && read_everywhere(options.file, &matrix) != 0) {
        code = 1;
    } else if (code < 0) {
        if (!options.file)
            matrix = cg_matrix_make(options.rows, options.width);
        code = solve(&options, &matrix);
        cg_matrix_free(&matrix);
    }
    return app_end(code);
}
