/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that traps exceptions of floating-point arithmetic, where the C library can, as after gfortran's -ffpe-trap: the
 * library's are not trapped, and none of them is left to the program. Hosts are measured. */
#define _GNU_SOURCE
#include "tests/mpi.h"
#include <fenv.h>
#include <heteroslice/hs_blocks.h>
#include <heteroslice/hs_box_layout.h>
#include <heteroslice/hs_scatter.h>

enum { ROWS = 1000, ROW_BYTES = 8, ITERATIONS = 60, ITEMS = 200, TRAPPED = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW };

static void compute(void)
{
    double until = MPI_Wtime() + 2e-3 * (world_rank() % 2);
    while (MPI_Wtime() < until)
        continue;
}

static void slices(hs_context *context)
{
    hs_layout *layout;
    double *rows;
    REQUIRE(hs_layout_create(context, ROWS, 1, HS_FIXED, &layout) == HS_OK);
    REQUIRE(hs_layout_add_array(layout, ROW_BYTES, 1, (void **)&rows) == HS_OK);
    for (int k = 0; k < ITERATIONS; k++) {
        hs_compute_begin(layout);
        compute();
        hs_compute_end(layout);
        REQUIRE(hs_balance(layout) >= HS_OK);
    }
    double weight[ROWS];
    for (int i = 0; i < ROWS; i++)
        weight[i] = i < ROWS / 2;
    REQUIRE(hs_layout_weights(layout, weight) >= HS_OK);
    hs_layout_free(layout);
}

static void boxes_and_blocks(hs_context *context)
{
    const hs_boxes_domain domain = {.dims = 2, .extent = {120, 100}, .halo = 1};
    hs_box_layout *boxes;
    hs_blocks *blocks;
    double *cells, *matrix, speed[64];
    for (int r = 0; r < 64; r++)
        speed[r] = r < world_size() - 1 ? r + 1 : 0;
    speed[0] = 1;
    REQUIRE(hs_box_create(context, &domain, NULL, &boxes) == HS_OK);
    REQUIRE(hs_box_add_array(boxes, 8, (void **)&cells) == HS_OK);
    REQUIRE(hs_blocks_create(context, 40, NULL, &blocks) == HS_OK);
    REQUIRE(hs_blocks_add_matrix(blocks, 1, 1, 8, (void **)&matrix) == HS_OK);
    for (int k = 0; k < ITERATIONS; k++) {
        hs_box_compute_begin(boxes);
        hs_blocks_compute_begin(blocks);
        compute();
        hs_box_compute_end(boxes);
        hs_blocks_compute_end(blocks);
        REQUIRE(hs_box_balance(boxes) >= HS_OK && hs_blocks_balance(blocks) >= HS_OK);
    }
    REQUIRE(hs_box_rebalance(boxes, speed) >= HS_OK && hs_blocks_rebalance(blocks, speed) >= HS_OK);
    hs_box_free(boxes);
    hs_blocks_free(blocks);
}

static void halve(void *job, int64_t first, int64_t count, const void *items, void *results)
{
    (void)job, (void)first;
    for (int64_t i = 0; i < count; i++)
        ((double *)results)[i] = ((const double *)items)[i] / 2;
}

static void farm(void)
{
    double items[ITEMS] = {0}, results[ITEMS];
    const hs_farm_params params = {.item_bytes = sizeof *items, .result_bytes = sizeof *results};
    const hs_farm_job job = {.n = ITEMS,
                             .items = items,
                             .results = results,
                             .item_type = MPI_DOUBLE,
                             .result_type = MPI_DOUBLE,
                             .compute = halve};
    hs_farm *made;
    int64_t all[64];
    REQUIRE(hs_farm_create(MPI_COMM_WORLD, &params, &made, NULL) == HS_OK);
    REQUIRE(hs_farm_sample(made, &job, 4, 0.01) == HS_OK);
    REQUIRE(hs_farm_plan(made, ITEMS, NULL) == HS_OK);
    REQUIRE(hs_farm_run(made, &job, NULL) == HS_OK);
    hs_farm_free(made);
    REQUIRE(hs_counts(MPI_COMM_WORLD, ITEMS, all) == HS_OK);
}

int main(int argc, char **argv)
{
    hs_context *context;
    MPI_Init(&argc, &argv);
#ifdef __GLIBC__
    feenableexcept(TRAPPED);
#endif
    feclearexcept(FE_ALL_EXCEPT);
    REQUIRE(hs_init(MPI_COMM_WORLD, NULL, &context, NULL) == HS_OK);
    slices(context);
    boxes_and_blocks(context);
    REQUIRE(hs_finalize(&context) == HS_OK);
    farm();
    REQUIRE(fetestexcept(TRAPPED) == 0);
#ifdef __GLIBC__
    REQUIRE(fegetexcept() == 0 || fegetexcept() == TRAPPED); /* 0: the processor traps none */
#endif
    MPI_Finalize();
    return 0;
}
