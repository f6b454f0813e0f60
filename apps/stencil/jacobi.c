/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "jacobi.h"
#include "util/plural.h"
#include <stdio.h>
#include <stdlib.h>

/* Flop per point: three additions and a multiplication, and an addition and a multiplication per further relaxation. */
#define FLOP_FIRST 4
#define FLOP_FURTHER 2

int64_t jacobi_width(const jacobi_options *o)
{
    return o->cols + 2;
}

double jacobi_work(const jacobi_options *o)
{
    return (double)o->rows * (double)o->cols * (double)(FLOP_FIRST + FLOP_FURTHER * (o->run.intensity - 1));
}

jacobi_slice jacobi_equal_slice(const jacobi_options *o, MPI_Comm comm)
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    if (o->layout != JACOBI_ROWS || o->rows < size) {
        if (rank == 0)
            fprintf(
                stderr,
                "hs-stencil-plain: takes --layout rows and a row for each of %d ranks, not %lld row%s, --layout %s\n",
                size, (long long)o->rows, hs__plural(o->rows), jacobi_layouts[o->layout]);
        MPI_Finalize();
        exit(1);
    }
    int64_t first = o->rows * rank / size;
    return (jacobi_slice){first, o->rows * (rank + 1) / size - first, rank > 0 ? rank - 1 : MPI_PROC_NULL,
                          rank < size - 1 ? rank + 1 : MPI_PROC_NULL};
}

double *jacobi_allocate(int64_t count, int64_t row_bytes)
{
    char *rows = app_allocate(count + 2, (size_t)row_bytes);
    return (double *)(rows + row_bytes);
}

void jacobi_release(double *grid, int64_t row_bytes)
{
    free((char *)grid - row_bytes);
}

double jacobi_start(MPI_Comm comm)
{
    MPI_Barrier(comm);
    return MPI_Wtime();
}

jacobi_area jacobi_area_of_rows(const jacobi_options *o, int64_t first, int64_t count)
{
    return (jacobi_area){first, 0, count, o->cols, jacobi_width(o)};
}

void jacobi_relax_points(const jacobi_options *o, const double *from, double *to, int64_t rows, int64_t cols,
                         int64_t stride, jacobi_tally *tally)
{
    if (rows < 1 || cols < 1)
        return;
    double begun = MPI_Wtime();
    for (int64_t i = 0; i < rows; i++) {
        const double *above = from + (i - 1) * stride, *here = from + i * stride, *below = from + (i + 1) * stride;
        double *out = to + i * stride;
        for (int64_t j = 0; j < cols; j++)
            out[j] = app_settle(0.25 * ((above[j] + below[j]) + (here[j - 1] + here[j + 1])), o->run.intensity);
    }
    tally->compute_s += MPI_Wtime() - begun;
    tally->points += rows * cols;
}

void jacobi_relax(const jacobi_options *o, const double *from, double *to, int64_t count, jacobi_tally *tally)
{
    jacobi_relax_points(o, from + 1, to + 1, count, o->cols, jacobi_width(o), tally);
}
