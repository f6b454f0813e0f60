/* SPDX-License-Identifier: BSD-3-Clause */
/* Bad input for block matrices gives an error on all ranks that names the rank, and no rank hangs; degenerate cases work.
 */
#include "runtime/session/context.h"
#include "tests/mpi.h"
#include <heteroslice/hs_blocks.h>

static double *equal_speeds(double value)
{
    double *speed = malloc((size_t)world_size() * sizeof *speed);
    for (int r = 0; r < world_size(); r++)
        speed[r] = value;
    return speed;
}

static void bad_sizes_and_params(hs_context *context)
{
    static const struct {
        int64_t blocks;
        hs_blocks_params params;
        const char *named;
    } rows[] = {{0, {0}, "blocks is 0"},
                {-4, {0}, "blocks is -4"},
                {(int64_t)1 << 40, {0}, "blocks is 1099511627776"},
                {8, {.tolerance = -1}, "tolerance is -1"},
                {8, {.tolerance = NAN}, "tolerance is"},
                {8, {.reserved = {[7] = 1}}, "reserved[] is not all 0"},
                {8, {.objective = (hs_columns_objective)5}, "objective is 5"},
                {8, {.steps = -7}, "steps is -7"}};
    hs_blocks *layout = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        REQUIRE(hs_blocks_create(context, rows[i].blocks, &rows[i].params, &layout) == HS_ERR_ARG);
        REQUIRE(layout == NULL && text_has(context, rows[i].named));
    }
}

static void bad_speeds(hs_context *context)
{
    static const double bad[] = {-1, NAN, INFINITY};
    hs_blocks *layout = NULL;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double *speed = equal_speeds(1);
        speed[world_size() - 1] = bad[i];
        REQUIRE(hs_blocks_create(context, 8, &(hs_blocks_params){.speed = speed}, &layout) == HS_ERR_ARG);
        REQUIRE(layout == NULL && text_has(context, "speeds"));
        free(speed);
    }
    double *none = equal_speeds(0);
    REQUIRE(hs_blocks_create(context, 8, &(hs_blocks_params){.speed = none}, &layout) == HS_ERR_INFEASIBLE);
    REQUIRE(hs_blocks_create(context, 8, NULL, &layout) == HS_OK);
    REQUIRE(hs_blocks_rebalance(layout, none) == HS_ERR_INFEASIBLE &&
            text_has(context, "hs_blocks_rebalance: no host of the layout has a speed"));
    none[0] = NAN;
    REQUIRE(hs_blocks_rebalance(layout, none) == HS_ERR_ARG);
    REQUIRE(hs_blocks_rebalance(layout, NULL) == HS_ERR_ARG &&
            text_has(context, "hs_blocks_rebalance: speed is NULL, expected one a rank"));
    free(none);
    hs_blocks_free(layout);
}

static void bad_layouts(hs_context *context)
{
    static const int first[] = {0, 2}, host[] = {0, 0}, far[] = {0, 999}, one[] = {0, 1};
    static const int64_t width[] = {8}, height[] = {5, 3}, short_one[] = {5, 2}, whole[] = {8};
    const struct {
        hs_column_layout columns;
        const char *named;
    } rows[] = {{{1, first, width, host, height}, "names rank 0 twice"},
                {{1, first, width, far, height}, "names rank 999"},
                {{1, first, width, host, short_one}, "7 x 8 blocks, not 8 x 8"},
                {{0, first, width, host, height}, "no columns"}};
    hs_blocks *layout = NULL, *fine;
    REQUIRE(hs_blocks_create(context, 8, &(hs_blocks_params){.layout = &(hs_column_layout){1, one, width, host, whole}},
                             &fine) == HS_OK);
    for (int r = 0; r < world_size(); r++)
        REQUIRE((hs_blocks_rectangles(fine)[r].rows > 0) == (r == 0));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        REQUIRE(hs_blocks_create(context, 8, &(hs_blocks_params){.layout = &rows[i].columns}, &layout) == HS_ERR_ARG);
        REQUIRE(layout == NULL && text_has(context, rows[i].named));
        REQUIRE(hs_blocks_move(fine, &rows[i].columns) == HS_ERR_ARG && text_has(context, rows[i].named));
        REQUIRE(text_has(context, "hs_blocks_move: "));
    }
    hs_blocks_free(fine);
}

static void bad_matrices(hs_context *context)
{
    hs_blocks *layout;
    void *data = (void *)&data;
    REQUIRE(hs_blocks_create(context, 8, NULL, &layout) == HS_OK);
    REQUIRE(hs_blocks_add_matrix(layout, 0, 1, 8, &data) == HS_ERR_ARG && text_has(context, "block_rows is 0"));
    REQUIRE(hs_blocks_add_matrix(layout, 1, -2, 8, &data) == HS_ERR_ARG && text_has(context, "block_columns is -2"));
    REQUIRE(hs_blocks_add_matrix(layout, 1, (int64_t)1 << 31, 8, &data) == HS_ERR_ARG &&
            text_has(context, "block_columns is 2147483648"));
    REQUIRE(hs_blocks_add_matrix(layout, 1, 1, 0, &data) == HS_ERR_ARG && text_has(context, "element_bytes is 0"));
    REQUIRE(hs_blocks_add_matrix(layout, INT32_MAX, INT32_MAX, INT32_MAX, &data) == HS_ERR_NOMEM);
    REQUIRE(data == (void *)&data);
    REQUIRE(hs_blocks_add_matrix(layout, 1, 1, 8, &data) == HS_OK);
    REQUIRE(hs_blocks_add_matrix(layout, 2, 1, 8, &data) == HS_ERR_ARG);
    REQUIRE(text_has(context, "hs_blocks_add_matrix: data is that of matrix 0 already"));
    hs_blocks_free(layout);
}

static void odd_values_are_named(hs_context *context)
{
    int rank = world_rank(), size = world_size(), odd = size - 1;
    char named[96];
    hs_blocks *layout = NULL;
    double *speed = equal_speeds(1);
    if (size >= 3) {
        snprintf(named, sizeof named, "rank %d passed blocks 11", odd);
        REQUIRE(hs_blocks_create(context, rank == odd ? 11 : 10, NULL, &layout) == HS_ERR_MISMATCH);
        REQUIRE(layout == NULL && text_has(context, named));
        hs_blocks_params with = {.steps = rank == odd ? 6 : 5};
        snprintf(named, sizeof named, "rank %d passed steps 6", odd);
        REQUIRE(hs_blocks_create(context, 30, &with, &layout) == HS_ERR_MISMATCH);
        REQUIRE(layout == NULL && text_has(context, named));
        /* what the first cut does not show */
        snprintf(named, sizeof named, "rank %d passed another set of params", odd);
        with = (hs_blocks_params){.tolerance = rank == odd ? 0.2 : 0.1};
        REQUIRE(hs_blocks_create(context, 30, &with, &layout) == HS_ERR_MISMATCH && text_has(context, named));
        speed[0] = rank == odd ? 1.0001 : 1;
        with = (hs_blocks_params){.speed = speed};
        REQUIRE(hs_blocks_create(context, 30, &with, &layout) == HS_ERR_MISMATCH && text_has(context, named));
        REQUIRE(hs_blocks_create(context, 30, NULL, &layout) == HS_OK);
        speed[0] = rank == odd ? 9 : 2;
        snprintf(named, sizeof named, "hs_blocks_rebalance: rank %d passed another list of speeds", odd);
        REQUIRE(hs_blocks_rebalance(layout, speed) == HS_ERR_MISMATCH && text_has(context, named));
        speed[0] = 2;
        REQUIRE(hs_blocks_rebalance(layout, speed) == HS_OK);
        REQUIRE(hs_blocks_rebalance(layout, speed) == HS_UNCHANGED);
        hs_blocks_free(layout);
    }
    free(speed);
}

static void fewer_blocks_than_ranks(hs_context *context)
{
    hs_blocks *layout;
    double *data, *speed = equal_speeds(1);
    int64_t area = 0;
    REQUIRE(hs_blocks_create(context, 1, NULL, &layout) == HS_OK);
    REQUIRE(hs_blocks_add_matrix(layout, 2, 2, sizeof *data, (void **)&data) == HS_OK);
    for (int r = 0; r < world_size(); r++)
        area += hs_blocks_rectangles(layout)[r].rows * hs_blocks_rectangles(layout)[r].columns;
    REQUIRE(area == 1);
    hs_status status = hs_blocks_rebalance(layout, speed);
    REQUIRE(status == HS_OK || status == HS_UNCHANGED);
    free(speed);
    hs_blocks_free(layout);
}

/* One rank does not come: the others say so after the time-out. */
static void missing_ranks_are_named(void)
{
    int size = world_size(), odd = size - 1;
    char named[64];
    hs_context *context = start_unbalanced(PATIENCE);
    hs_blocks *layout;
    double *speed = equal_speeds(1);
    REQUIRE(hs_blocks_create(context, 9, NULL, &layout) == HS_OK);
    context->peers.timeout = 2;
    MPI_Barrier(MPI_COMM_WORLD);
    if (size > 1 && world_rank() != odd) {
        snprintf(named, sizeof named, "rank %d did not arrive within 2 s", odd);
        REQUIRE(hs_blocks_rebalance(layout, speed) == HS_ERR_TIMEOUT && text_has(context, named));
        REQUIRE(hs_blocks_rebalance(layout, speed) == HS_ERR_STATE);
    }
    free(speed);
    MPI_Barrier(MPI_COMM_WORLD);
    hs_status last = hs_finalize(&context);
    REQUIRE(size > 1 || last == HS_OK);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    hs_context *context = start_unbalanced(PATIENCE);
    bad_sizes_and_params(context);
    bad_speeds(context);
    bad_layouts(context);
    bad_matrices(context);
    odd_values_are_named(context);
    fewer_blocks_than_ranks(context);
    REQUIRE(hs_finalize(&context) == HS_OK);
    missing_ranks_are_named();
    MPI_Finalize();
    return 0;
}
