/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "matmul.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* The elements in `count` places from the first on. */
static int64_t *elements(const int64_t *index, int64_t first, int64_t count, int64_t size)
{
    int64_t *element = malloc((size_t)(count * size + 1) * sizeof *element);
    for (int64_t i = 0; element && i < count * size; i++)
        element[i] = index[first + i / size] * size + i % size;
    return element;
}

int matmul_part(const matmul_options *o, const hs_blocks *layout, matrix_part *part)
{
    hs_blocks_rectangle mine = hs_blocks_mine(layout);
    int64_t rows = mine.rows * o->size, columns = mine.columns * o->size;
    *part = (matrix_part){
        o->blocks * o->size,
        rows,
        columns,
        rows,
        elements(hs_blocks_index(layout, HS_BLOCKS_ROWS), mine.first_row, mine.rows, o->size),
        elements(hs_blocks_index(layout, HS_BLOCKS_COLUMNS), mine.first_column, mine.columns, o->size),
        o->blocks * o->size - o->rows,
    };
    if (part->row && part->column)
        return 0;
    matmul_part_free(part);
    return -1;
}

void matmul_part_free(matrix_part *part)
{
    free((void *)part->row);
    free((void *)part->column);
    part->row = part->column = NULL;
}

/* Efficiency: the time that the sum of all ranks' speeds would need for the work, over the real time. */
static double efficiency(const matmul_options *o, MPI_Comm comm, const matmul_tally *tally, double seconds)
{
    double mine[2] = {matmul_speed(o, tally), (double)tally->updates}, all[2];
    MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_SUM, comm);
    return all[0] > 0 && seconds > 0 ? all[1] / all[0] / seconds : 0;
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

static void print(const matmul_options *o, const hs_blocks *layout, MPI_Comm comm, double seconds, double efficient,
                  const matrix_proof *proof, const hs_blocks_stats *s)
{
    double flop = 2 * (double)o->rows * (double)o->rows * (double)o->rows;
    const char *verified = proof->error <= proof->tolerance ? "true" : "false";
    printf(o->json ? "{\"time\":%.6f,\"iterations\":%" PRId64 ",\"verified\":%s,\"checksum\":\"%016" PRIx64
                     "\",\"rebalances\":%" PRId64 ",\"moved_bytes\":%" PRId64
                     ",\"efficiency\":%.4f,\"gflops\":%.4f,\"planned_blocks\":%" PRId64 ",\"moved_blocks\":%" PRId64
                     ",\"rectangles\":["
                   : "time %.3f s, %" PRId64 " steps, verified %s, checksum %016" PRIx64 ", %" PRId64
                     " rebalances, %" PRId64 " bytes moved, efficiency %.3f, %.2f Gflop/s, %" PRId64
                     " blocks planned to move, %" PRId64 " moved, rectangles ",
           seconds, o->blocks, verified, proof->checksum, s->moves, s->moved_bytes, efficient, flop / seconds / 1e9,
           s->planned_blocks, s->moved_blocks);
    print_rectangles(layout, comm, o->json);
    puts(o->json ? "]}" : "");
}

int matmul_report(const matmul_options *o, MPI_Comm comm, const hs_blocks *layout, const double *c, double begun,
                  const matmul_tally *tally)
{
    int rank;
    matrix_part part;
    matrix_proof proof;
    MPI_Barrier(comm);
    double seconds = MPI_Wtime() - begun;
    MPI_Comm_rank(comm, &rank);
    if (matmul_part(o, layout, &part) != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (matrix_prove(comm, &part, c, &proof) != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    matmul_part_free(&part);
    double efficient = efficiency(o, comm, tally, seconds);
    if (rank == 0)
        print(o, layout, comm, seconds, efficient, &proof, &tally->stats);
    return proof.error <= proof.tolerance ? 0 : 1;
}
