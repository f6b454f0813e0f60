/* SPDX-License-Identifier: BSD-3-Clause */
/* hs-matmul: C = A B on unequal hosts. Each of N steps adds the product of a column of blocks of A and a row of blocks
 * of B to C. The library gives every rank a rectangle of all three in proportion to its speed, and moves blocks when
 * speeds drift. */
#include "config.h"

#include "apps/common.h"
#include "matmul.h"
#include "matrices.h"
#include "pivots.h"
#include <cblas.h>
#include <stdlib.h>

/* Flop between two calls that let messages make progress. */
#define FLOP_BETWEEN 4e6

/* Rectangles may exceed their share by this fraction when that makes them squarer, so that less is sent. */
#define TOLERANCE 0.02

/* Seconds for which a rank that never had a block multiplies at the end, to measure its speed. */
#define TRIAL_S 0.02

/* Each block of C is updated by a dgemm of its own, always of the same shape: the order of BLAS's additions may depend
 * on the shape, and C must not depend on the rectangles. */
static void update_block(int64_t size, const double *a, const double *b, double *c, int64_t ld)
{
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, (int)size, (int)size, (int)size, 1, a, (int)size, b,
                (int)size, 1, c, (int)ld);
}

static void update(const matmul_options *o, pivots *p, const pivot *v, double *c, matmul_tally *tally)
{
    hs_blocks_rectangle mine = hs_blocks_mine(p->layout);
    int64_t size = o->size, ld = mine.rows * size;
    double flop = 0, begun = MPI_Wtime();
    for (int64_t j = 0; j < mine.columns; j++)
        for (int64_t i = 0; i < mine.rows; i++) {
            update_block(size, v->column + i * size * size, v->row + j * size * size, c + i * size + j * size * ld, ld);
            flop += 2.0 * (double)size * (double)size * (double)size;
            if (flop < FLOP_BETWEEN)
                continue;
            flop = 0;
            pivots_progress(p);
        }
    tally->compute_s += MPI_Wtime() - begun;
    tally->updates += mine.rows * mine.columns;
}

double matmul_speed(const matmul_options *o, const matmul_tally *tally)
{
    matmul_tally own = *tally;
    size_t elements = (size_t)(o->size * o->size);
    double *block = app_allocate(3 * (int64_t)elements, sizeof *block);
    for (double begun = MPI_Wtime(); tally->updates == 0 && own.compute_s < TRIAL_S; own.updates++) {
        update_block(o->size, block, block + elements, block + 2 * elements, o->size);
        own.compute_s = MPI_Wtime() - begun;
    }
    free(block);
    return (double)own.updates / own.compute_s;
}

static hs_blocks *make_layout(const matmul_options *o, hs_context *context, int ranks)
{
    hs_blocks *layout;
    hs_blocks_params params = {.tolerance = TOLERANCE, .steps = o->blocks};
    double *ones = app_allocate(ranks, sizeof *ones);
    for (int r = 0; r < ranks; r++)
        ones[r] = 1;
    params.speed = o->equal ? ones : NULL;
    app_require(hs_blocks_create(context, o->blocks, &params, &layout));
    free(ones);
    return layout;
}

static void fill(const matmul_options *o, const hs_blocks *layout, double *a, double *b)
{
    matrix_part part = matmul_part(o, layout);
    matrix_fill(&part, MATRIX_A, a);
    matrix_fill(&part, MATRIX_B, b);
    matmul_part_free(&part);
}

static int multiply(const matmul_options *o)
{
    double *a = NULL, *b = NULL, *c = NULL;
    int64_t bytes = sizeof(double);
    matmul_tally tally = {0};
    hs_context *context;
    pivots p;
    int ranks;

    app_require(hs_init(MPI_COMM_WORLD, &o->run.params, &context, NULL));
    MPI_Comm_size(hs_comm(context), &ranks);
    hs_blocks *layout = make_layout(o, context, ranks);
    app_require(hs_blocks_add_matrix(layout, o->size, o->size, bytes, (void **)&a));
    app_require(hs_blocks_add_matrix(layout, o->size, o->size, bytes, (void **)&b));
    app_require(hs_blocks_add_matrix(layout, o->size, o->size, bytes, (void **)&c));
    fill(o, layout, a, b);
    pivots_create(&p, layout, hs_comm(context), o->blocks, o->size, &a, &b);

    MPI_Barrier(hs_comm(context));
    double begun = MPI_Wtime();
    for (int64_t step = 0; step < o->blocks; step++) {
        events_run(&o->run.commands, hs_comm(context), step);
        pivots_ahead(&p, step);
        update(o, &p, pivots_wait(&p, step), c, &tally);
        int moved = app_require(hs_blocks_balance(layout)) == HS_OK;
        moved |= app_require(matmul_cut(o, layout, ranks, step)) == HS_OK;
        if (moved)
            pivots_again(&p, step);
    }
    hs_blocks_get_stats(layout, &tally.stats);
    pivots_free(&p);
    int code = matmul_report(o, hs_comm(context), layout, c, begun, &tally);
    hs_finalize(&context);
    return code;
}

int main(int argc, char **argv)
{
    matmul_options options;
    MPI_Init(&argc, &argv);
    int code = matmul_parse(argc, argv, &options);
    openblas_set_num_threads(options.threads);
    if (code < 0)
        code = multiply(&options);
    return app_end(code);
}
