/* SPDX-License-Identifier: BSD-3-Clause */
/* hs_blocks_balance() in a loop on hosts with the speeds of a table. Computing puts the clock forward, so any machine
 * can emulate any number of hosts. */
#include "tests/clock.h"
#include "tests/mpi.h"
#include <heteroslice/hs_blocks.h>

enum { BLOCKS = 40, STEP_S = 1000 };

static int64_t area(const hs_blocks *layout)
{
    hs_blocks_rectangle mine = hs_blocks_mine(layout);
    return mine.rows * mine.columns;
}

static void compute(hs_blocks *layout, double block_s)
{
    hs_blocks_compute_begin(layout);
    clock_pass(block_s * (double)area(layout));
    hs_blocks_compute_end(layout);
}

/* Every block holds the row and column it is. */
static void visit(const hs_blocks *layout, int64_t *data, int check)
{
    hs_blocks_rectangle mine = hs_blocks_mine(layout);
    for (int64_t j = 0; j < mine.columns; j++)
        for (int64_t i = 0; i < mine.rows; i++) {
            int64_t value = hs_blocks_index(layout, HS_BLOCKS_ROWS)[mine.first_row + i] * BLOCKS +
                            hs_blocks_index(layout, HS_BLOCKS_COLUMNS)[mine.first_column + j];
            if (check)
                REQUIRE(data[i + j * mine.rows] == value);
            else
                data[i + j * mine.rows] = value;
        }
}

/* Runs steps that all ranks end together, as the next pivots make them; returns the number of moves. */
static int64_t run(hs_blocks *layout, int64_t **data, int steps, double block_s)
{
    hs_blocks_stats before, after;
    hs_blocks_get_stats(layout, &before);
    for (int k = 0; k < steps; k++) {
        compute(layout, block_s);
        clock_meet();
        int may = hs_blocks_may_move(layout);
        hs_status status = hs_blocks_balance(layout);
        REQUIRE(status == HS_UNCHANGED || (status == HS_OK && may));
        visit(layout, *data, 1);
    }
    hs_blocks_get_stats(layout, &after);
    REQUIRE(after.moved_blocks == after.planned_blocks && after.operations >= after.moves);
    REQUIRE(after.moved_bytes == after.moved_blocks * (int64_t)sizeof **data);
    return after.moves - before.moves;
}

/* With or without saying how many steps there will be. */
static void drift_is_followed(hs_context *context, int rank, int size, int64_t steps)
{
    hs_blocks *layout;
    hs_blocks_stats stats;
    int64_t *data;
    REQUIRE(hs_blocks_create(context, BLOCKS, &(hs_blocks_params){.steps = steps}, &layout) == HS_OK);
    REQUIRE(hs_blocks_add_matrix(layout, 1, 1, sizeof *data, (void **)&data) == HS_OK);
    visit(layout, data, 0);
    int64_t first = area(layout);
    double block_s = (double)STEP_S * size / (BLOCKS * BLOCKS);
    run(layout, &data, 40, block_s);
    int64_t moves = run(layout, &data, 150, rank == 0 ? 4 * block_s : block_s);
    if (size > 1) {
        REQUIRE(moves >= 1);
        if (rank == 0) /* a quarter of the speed */
            REQUIRE(3 * area(layout) < 2 * first);
        else
            REQUIRE(area(layout) > 0);
    }
    hs_blocks_get_stats(layout, &stats);
    REQUIRE(stats.steps == 190 && stats.moves >= moves);
    REQUIRE(size == 1 ? stats.phases == 0 : stats.phases > 0);
    hs_blocks_free(layout);
}

/* A rank that has no blocks measures itself, and gets some when it is as fast as the others after all. */
static void idle_ranks_measure_themselves(hs_context *context, int rank, int size)
{
    hs_blocks *layout;
    int64_t *data;
    double *speed = malloc((size_t)size * sizeof *speed);
    for (int r = 0; r < size; r++)
        speed[r] = r == size - 1 ? 1e-9 : 1;
    REQUIRE(hs_blocks_create(context, BLOCKS, &(hs_blocks_params){.speed = speed}, &layout) == HS_OK);
    free(speed);
    REQUIRE(hs_blocks_add_matrix(layout, 1, 1, sizeof *data, (void **)&data) == HS_OK);
    visit(layout, data, 0);
    if (size > 1)
        REQUIRE((area(layout) == 0) == (rank == size - 1) && (data == NULL) == (rank == size - 1));
    run(layout, &data, 60, 1);
    hs_blocks_free(layout);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    hs_context *context = start_balanced();
    MPI_Comm_rank(hs_comm(context), &rank);
    MPI_Comm_size(hs_comm(context), &size);
    drift_is_followed(context, rank, size, 0);
    start_again(&context);
    drift_is_followed(context, rank, size, 190);
    idle_ranks_measure_themselves(context, rank, size);
    REQUIRE(hs_finalize(&context) == HS_OK);
    MPI_Finalize();
    return 0;
}
