/* SPDX-License-Identifier: BSD-3-Clause */
/* The baseline of hs-matmul: the same product by ScaLAPACK's pdgemm, block cyclic on a grid of R x C ranks.
 *
 * usage: mpirun ... pdgemm SIZE BLOCK R C      R x C is the number of ranks
 * Prints one CSV row: size,block,grid,time_s,gflops,verified */
#include "config.h"

#include "apps/matmul/matrices.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void Cblacs_get(int context, int what, int *value);
void Cblacs_gridinit(int *context, const char *order, int rows, int columns);
void Cblacs_gridinfo(int context, int *rows, int *columns, int *row, int *column);
void Cblacs_gridexit(int context);
int numroc_(const int *n, const int *block, const int *me, const int *first, const int *count);
void descinit_(int *desc, const int *m, const int *n, const int *mb, const int *nb, const int *row, const int *column,
               const int *context, const int *ld, int *info);
void pdgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k, const double *alpha,
             const double *a, const int *ia, const int *ja, const int *desca, const double *b, const int *ib,
             const int *jb, const int *descb, const double *beta, double *c, const int *ic, const int *jc,
             const int *descc);

/* The matrix's rows (columns) that a block cyclic distribution over `ranks` gives to rank `me`. */
static int64_t *cyclic(int64_t n, int block, int me, int ranks, int64_t *count)
{
    int64_t *index = malloc((size_t)n * sizeof *index);
    *count = 0;
    if (!index)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int64_t i = 0; i < n; i++)
        if (i / block % ranks == me)
            index[(*count)++] = i;
    return index;
}

static matrix_part make_part(int n, int block, int context)
{
    int rows, columns, row, column;
    matrix_part part = {.n = n};
    Cblacs_gridinfo(context, &rows, &columns, &row, &column);
    part.row = cyclic(n, block, row, rows, &part.rows);
    part.column = cyclic(n, block, column, columns, &part.columns);
    part.ld = part.rows > 0 ? part.rows : 1;
    return part;
}

static double *make_matrix(const matrix_part *part)
{
    double *data = calloc((size_t)part->ld * (size_t)(part->columns + 1), sizeof *data);
    if (!data)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return data;
}

static void multiply(int n, int block, int rows, int columns)
{
    const int zero = 0, one = 1;
    const double unit = 1, none = 0;
    int context, desc[9], info, rank;
    matrix_proof proof = {.error = 1};
    Cblacs_get(-1, 0, &context);
    Cblacs_gridinit(&context, "Row", rows, columns);
    matrix_part part = make_part(n, block, context);
    int ld = (int)part.ld;
    double *a = make_matrix(&part), *b = make_matrix(&part), *c = make_matrix(&part);
    matrix_fill(&part, MATRIX_A, a);
    matrix_fill(&part, MATRIX_B, b);
    descinit_(desc, &n, &n, &block, &block, &zero, &zero, &context, &ld, &info);
    MPI_Barrier(MPI_COMM_WORLD);
    double begun = MPI_Wtime();
    pdgemm_("N", "N", &n, &n, &n, &unit, a, &one, &one, desc, b, &one, &one, desc, &none, c, &one, &one, desc);
    MPI_Barrier(MPI_COMM_WORLD);
    double seconds = MPI_Wtime() - begun;
    if (matrix_prove(MPI_COMM_WORLD, &part, c, &proof) != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        printf("%d,%d,%dx%d,%.6f,%.4f,%s\n", n, block, rows, columns, seconds,
               2.0 * (double)n * (double)n * (double)n / seconds / 1e9,
               proof.error <= proof.tolerance ? "true" : "false");
    free(a);
    free(b);
    free(c);
    free((void *)part.row);
    free((void *)part.column);
    Cblacs_gridexit(context);
}

int main(int argc, char **argv)
{
    int value[4] = {0}, ranks, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 4 && i + 1 < argc; i++)
        value[i] = atoi(argv[i + 1]);
    if (argc != 5 || value[0] < 1 || value[1] < 1 || value[2] < 1 || value[2] * value[3] != ranks) {
        if (rank == 0)
            fprintf(stderr, "usage: mpirun ... pdgemm SIZE BLOCK R C      R x C is the number of ranks\n");
        MPI_Finalize();
        return 2;
    }
    multiply(value[0], value[1], value[2], value[3]);
    MPI_Finalize();
    return 0;
}
