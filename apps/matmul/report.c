/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "apps/common.h"
#include "matmul.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* The elements in `count` places from the first on. */
static int64_t *elements(const int64_t *index, int64_t first, int64_t count, int64_t size)
{
    int64_t *element = app_allocate(count * size, sizeof *element);
    for (int64_t i = 0; i < count * size; i++)
        element[i] = index[first + i / size] * size + i % size;
    return element;
}

matrix_part matmul_part(const matmul_options *o, const hs_blocks *layout)
{
    hs_blocks_rectangle mine = hs_blocks_mine(layout);
    int64_t rows = mine.rows * o->size, columns = mine.columns * o->size;
    return (matrix_part){
        o->blocks * o->size,
        rows,
        columns,
        rows,
        elements(hs_blocks_index(layout, HS_BLOCKS_ROWS), mine.first_row, mine.rows, o->size),
        elements(hs_blocks_index(layout, HS_BLOCKS_COLUMNS), mine.first_column, mine.columns, o->size),
        o->blocks * o->size - o->rows,
    };
}

void matmul_part_free(matrix_part *part)
{
    free((void *)part->row);
    free((void *)part->column);
    part->row = part->column = NULL;
}

static void print_rectangles(const hs_blocks *layout, MPI_Comm comm, int json)
{
    const hs_blocks_rectangle *all = hs_blocks_rectangles(layout);
    int ranks;
    MPI_Comm_size(comm, &ranks);
    for (int r = 0; r < ranks; r++)
        printf(json ? "%s[%" PRId64 ",%" PRId64 "]" : "%s%" PRId64 "x%" PRId64, r ? (json ? "," : " ") : "",
               all[r].rows, all[r].columns);
}

/* What only matrix products tell, on rank 0. */
static void print_blocks(const matmul_options *o, const hs_blocks *layout, MPI_Comm comm, double seconds,
                         const hs_blocks_stats *s)
{
    double flop = 2 * (double)o->rows * (double)o->rows * (double)o->rows;
    printf(o->run.json ? ",\"gflops\":%.4f,\"planned_blocks\":%" PRId64 ",\"moved_blocks\":%" PRId64 ",\"rectangles\":["
                       : ", %.2f Gflop/s, %" PRId64 " blocks planned to move, %" PRId64 " moved, rectangles ",
           flop / seconds / 1e9, s->planned_blocks, s->moved_blocks);
    print_rectangles(layout, comm, o->run.json);
    printf(o->run.json ? "]" : "");
}

int matmul_report(const matmul_options *o, MPI_Comm comm, const hs_blocks *layout, const double *c, double begun,
                  const matmul_tally *tally)
{
    int rank;
    matrix_proof proof;
    MPI_Barrier(comm);
    double seconds = MPI_Wtime() - begun;
    MPI_Comm_rank(comm, &rank);
    matrix_part part = matmul_part(o, layout);
    app_require(matrix_prove(comm, &part, c, &proof));
    matmul_part_free(&part);
    const app_result result = {.seconds = seconds,
                               .iterations = o->blocks,
                               .verified = proof.error <= proof.tolerance,
                               .checksum = proof.checksum,
                               .moves = tally->stats.moves,
                               .moved_bytes = tally->stats.moved_bytes,
                               .efficiency =
                                   app_efficiency(comm, matmul_speed(o, tally), (double)tally->updates, seconds)};
    app_print_result(comm, &result, o->run.json);
    if (rank == 0)
        print_blocks(o, layout, comm, seconds, &tally->stats);
    app_print_end(comm, o->run.json);
    return result.verified ? 0 : 1;
}
