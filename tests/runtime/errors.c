/* SPDX-License-Identifier: BSD-3-Clause */
/* An error on one rank gives an error on all ranks that names the rank, and no rank hangs. */
#include "runtime/session/context.h"
#include "tests/mpi.h"
#include <heteroslice/hs_blocks.h>
#include <heteroslice/hs_box_layout.h>
#include <heteroslice/hs_scatter.h>

/* The place of array 0 is that of no other array, whatever the layout. */
static void place_is_taken(hs_context *context, void **place)
{
    const hs_boxes_domain domain = {1, {10}, {0}, 0, HS_BOXES_FACES};
    const int64_t lengths[20] = {0};
    const char *taken = "that of array 0 already, in another layout";
    hs_layout *slices;
    hs_box_layout *boxes;
    hs_blocks *blocks;
    void *held = *place;
    REQUIRE(hs_layout_create(context, 20, 0, HS_FIXED, &slices) == HS_OK);
    REQUIRE(hs_layout_add_array(slices, 8, 0, place) == HS_ERR_ARG && text_has(context, taken));
    REQUIRE(hs_layout_add_offsets(slices, lengths, (int64_t **)place) == HS_ERR_ARG && text_has(context, taken));
    REQUIRE(hs_box_create(context, &domain, NULL, &boxes) == HS_OK);
    REQUIRE(hs_box_add_array(boxes, 8, place) == HS_ERR_ARG && text_has(context, taken));
    REQUIRE(hs_blocks_create(context, 12, NULL, &blocks) == HS_OK);
    REQUIRE(hs_blocks_add_matrix(blocks, 1, 1, 8, place) == HS_ERR_ARG && text_has(context, taken));
    REQUIRE(*place == held);
    void *other = NULL;
    int64_t *offset;
    REQUIRE(hs_layout_add_offsets(slices, lengths, &offset) == HS_OK);
    REQUIRE(hs_layout_add_array(slices, 8, 0, (void **)&offset) == HS_ERR_ARG &&
            text_has(context, "offsets 0 already"));
    REQUIRE(hs_blocks_add_matrix(blocks, 1, 1, 8, &other) == HS_OK);
    REQUIRE(hs_box_add_array(boxes, 8, &other) == HS_ERR_ARG && text_has(context, "matrix 0 already"));
    hs_blocks_free(blocks);
    REQUIRE(hs_box_add_array(boxes, 8, &other) == HS_OK);
    hs_box_free(boxes);
    hs_layout_free(slices);
}

static void bad_arguments(hs_context *context)
{
    static const struct {
        int64_t units, halo;
        int edges;
        const char *named;
    } rows[] = {{0, 0, HS_FIXED, "units is 0"},
                {-3, 0, HS_FIXED, "units is -3"},
                {5, 6, HS_FIXED, "halo is 6"},
                {5, -1, HS_FIXED, "halo is -1"},
                {5, 1, 7, "edges is 7"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hs_layout *layout = NULL;
        REQUIRE(hs_layout_create(context, rows[i].units, rows[i].halo, (hs_edges)rows[i].edges, &layout) == HS_ERR_ARG);
        REQUIRE(layout == NULL && text_has(context, rows[i].named));
    }
    hs_layout *layout;
    void *data = (void *)&data, *once;
    REQUIRE(hs_layout_create(context, 100, 2, HS_FIXED, &layout) == HS_OK);
    REQUIRE(hs_layout_add_array(layout, 0, 1, &data) == HS_ERR_ARG && text_has(context, "unit_bytes is 0"));
    REQUIRE(hs_layout_add_array(layout, 8, 3, &data) == HS_ERR_ARG && text_has(context, "halo is 3"));
    REQUIRE(hs_layout_add_array(layout, INT64_MAX / 2, 1, &data) == HS_ERR_NOMEM);
    REQUIRE(data == (void *)&data);
    REQUIRE(hs_layout_add_array(layout, 8, 1, &once) == HS_OK);
    REQUIRE(hs_layout_add_array(layout, 8, 2, &once) == HS_ERR_ARG);
    REQUIRE(text_has(context, "hs_layout_add_array: data is that of array 0 already"));
    place_is_taken(context, &once);
    hs_layout_free(layout);
    const int64_t many = INT64_MAX / 3 * 2 + 100; /* thrice as many are 2^64 and a little more */
    REQUIRE(hs_layout_create(context, many, many, HS_FIXED, &layout) == HS_OK);
    REQUIRE(hs_layout_add_array(layout, 1, many, &data) == HS_ERR_NOMEM && data == (void *)&data);
    hs_layout_free(layout);
}

static void odd_values_are_named(hs_context *context)
{
    int rank = world_rank(), size = world_size(), odd = size - 1;
    char named[64];
    hs_layout *layout = NULL;
    void *data = NULL;
    if (size < 3)
        return;
    snprintf(named, sizeof named, "rank %d passed units 11", odd);
    REQUIRE(hs_layout_create(context, rank == odd ? 11 : 10, 1, HS_FIXED, &layout) == HS_ERR_MISMATCH);
    REQUIRE(layout == NULL && text_has(context, named));
    REQUIRE(hs_layout_create(context, 100, 1, HS_FIXED, &layout) == HS_OK);
    snprintf(named, sizeof named, "rank %d passed unit_bytes 16 where the others passed 8", odd);
    REQUIRE(hs_layout_add_array(layout, rank == odd ? 16 : 8, 1, &data) == HS_ERR_MISMATCH);
    REQUIRE(data == NULL && text_has(context, named));
    snprintf(named, sizeof named, "rank %d", odd);
    REQUIRE(hs_layout_add_array(layout, rank == odd ? -1 : 8, 1, &data) == HS_ERR_ARG);
    REQUIRE(rank == odd ? text_has(context, "unit_bytes is -1") : text_has(context, named));
    REQUIRE(hs_layout_add_array(layout, 8, 1, &data) == HS_OK);
    hs_layout_free(layout);
}

static void more_ranks_than_units(hs_context *context)
{
    hs_layout *layout;
    double *data;
    REQUIRE(hs_layout_create(context, 1, 1, HS_FIXED, &layout) == HS_OK);
    REQUIRE(hs_layout_add_array(layout, sizeof *data, 1, (void **)&data) == HS_OK && data != NULL);
    int64_t sum = 0;
    for (int r = 0; r < world_size(); r++)
        sum += hs_layout_counts(layout)[r];
    REQUIRE(sum == 1);
    hs_layout_free(layout);
}

/* The others see it in the very call that does not match. */
static void different_calls_are_named(void)
{
    hs_context *context = start_unbalanced(PATIENCE);
    hs_layout *layout;
    int odd = world_size() - 1;
    char named[96];
    if (world_size() < 3) {
        REQUIRE(hs_finalize(&context) == HS_OK);
        return;
    }
    snprintf(named, sizeof named, "rank %d called hs_finalize where the others called hs_layout_create", odd);
    if (world_rank() == odd) {
        REQUIRE(hs_finalize(&context) == HS_ERR_MISMATCH);
        return;
    }
    REQUIRE(hs_layout_create(context, 10, 1, HS_FIXED, &layout) == HS_ERR_MISMATCH);
    REQUIRE(text_has(context, named));
    REQUIRE(hs_layout_create(context, 10, 1, HS_FIXED, &layout) == HS_ERR_STATE);
    hs_finalize(&context);
}

/* One rank leaves the loop a turn early: the others learn it from the exchange that ends their phase. */
static void one_call_too_few_is_named(void)
{
    int odd = world_size() - 1;
    char named[96];
    hs_context *context;
    hs_layout *layout;
    double *data;
    if (world_size() < 3)
        return;
    context = start_balanced();
    REQUIRE(hs_layout_create(context, 100, 1, HS_FIXED, &layout) == HS_OK);
    REQUIRE(hs_layout_add_array(layout, sizeof *data, 1, (void **)&data) == HS_OK);
    int rank;
    MPI_Comm_rank(hs_comm(context), &rank);
    snprintf(named, sizeof named, "rank %d called hs_finalize where the others called hs_balance", odd);
    if (rank == odd) {
        REQUIRE(hs_finalize(&context) == HS_ERR_MISMATCH);
        return;
    }
    hs_status status = HS_UNCHANGED;
    for (int k = 0; k < 3 && status >= 0; k++)
        status = hs_balance(layout);
    REQUIRE(status == HS_ERR_MISMATCH && text_has(context, named));
    REQUIRE(hs_balance(layout) == HS_ERR_STATE);
    hs_finalize(&context);
}

static void missing_ranks_are_named(void)
{
    int size = world_size(), odd = size - 1;
    char named[64];
    hs_context *context = start_unbalanced(PATIENCE);
    hs_layout *layout;
    context->peers.timeout = 2;
    MPI_Barrier(MPI_COMM_WORLD);
    if (size > 1 && world_rank() != odd) {
        snprintf(named, sizeof named, "rank %d did not arrive within 2 s", odd);
        REQUIRE(hs_layout_create(context, 10, 1, HS_FIXED, &layout) == HS_ERR_TIMEOUT);
        REQUIRE(text_has(context, named));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    /* Too late: the straggler finds everybody's record where MPI delivers it unasked, and nobody listens any more. */
    hs_status late = HS_ERR_TIMEOUT;
    if (size > 1 && world_rank() == odd)
        late = hs_layout_create(context, 10, 1, HS_FIXED, &layout);
    REQUIRE(late == HS_OK || late == HS_ERR_TIMEOUT);
    hs_status last = hs_finalize(&context);
    REQUIRE(size == 1 ? last == HS_OK : last == (late == HS_OK ? HS_ERR_TIMEOUT : HS_ERR_STATE));
}

static void bad_parameters(void)
{
    static const struct {
        hs_params params;
        const char *named;
    } rows[] = {{{.mode = (hs_balance_mode)9}, "mode is 9"},
                {{.work = -1}, "work is -1"},
                {{.model = (hs_step_model)7}, "model is 7"},
                {{.work = NAN}, "work is"},
                {{.work = INFINITY}, "work is inf"},
                {{.halo = INFINITY}, "halo is inf"},
                {{.halo = -1}, "halo is -1"},
                {{.timeout = -1}, "timeout is -1"},
                {{.timeout = INFINITY}, "timeout is inf"},
                {{.probe_budget = -2}, "probe_budget is -2"},
                {{.probe_budget = INFINITY}, "probe_budget is inf"},
                {{.move_memory = 1.5}, "move_memory is 1.5"},
                {{.move_memory = -0.1}, "move_memory is -0.1"},
                {{.move_memory = NAN}, "move_memory is"},
                {{.data = -1}, "data is -1"},
                {{.data = INFINITY}, "data is inf"},
                {{.steps = -1}, "steps is -1"},
                {{.reserved = {[4] = 5}}, "reserved[4] is 5"},
                {{.platform = "/nonexistent.xml"}, "/nonexistent.xml"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hs_context *context = NULL;
        hs_error error = {0};
        REQUIRE(hs_init(MPI_COMM_WORLD, &rows[i].params, &context, &error) < 0);
        REQUIRE(context == NULL && strstr(error.text, rows[i].named));
    }
}

/* What a program forgets to end before MPI_Finalize(). */
static struct {
    hs_context *context;
    hs_box_layout *boxes;
    hs_farm *farm;
    void *rows, *cells[2], *matrix;
} left;

static void leave(void)
{
    const hs_boxes_domain domain = {1, {10}, {1}, 1, HS_BOXES_FACES};
    const double ones[] = {1, 1, 1, 1, 1, 1, 1};
    const hs_farm_params times = {.cycle_time = ones, .comm_time = ones};
    hs_layout *slices;
    hs_box_layout *others;
    hs_blocks *blocks;
    left.context = start_unbalanced(PATIENCE);
    REQUIRE(hs_layout_create(left.context, 20, 0, HS_FIXED, &slices) == HS_OK);
    REQUIRE(hs_layout_add_array(slices, 8, 0, &left.rows) == HS_OK);
    REQUIRE(hs_box_create(left.context, &domain, NULL, &left.boxes) == HS_OK);
    REQUIRE(hs_box_add_array(left.boxes, 8, &left.cells[0]) == HS_OK);
    REQUIRE(hs_box_create(left.context, &domain, NULL, &others) == HS_OK);
    REQUIRE(hs_box_add_array(others, 8, &left.cells[1]) == HS_OK);
    REQUIRE(hs_blocks_create(left.context, 12, NULL, &blocks) == HS_OK);
    REQUIRE(hs_blocks_add_matrix(blocks, 1, 1, 8, &left.matrix) == HS_OK);
    REQUIRE(hs_farm_create(MPI_COMM_WORLD, &times, &left.farm, NULL) == HS_OK);
}

static void end_after_mpi(void)
{
    hs_farm_free(left.farm);
    hs_box_free(left.boxes);
    REQUIRE(!left.cells[0]);
    REQUIRE(hs_finalize(&left.context) == HS_ERR_STATE && !left.context);
    REQUIRE(!left.rows && !left.cells[1] && !left.matrix);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    hs_context *context = start_unbalanced(PATIENCE);
    REQUIRE(strcmp(hs_error_text(context), "") == 0);
    bad_arguments(context);
    odd_values_are_named(context);
    more_ranks_than_units(context);
    REQUIRE(hs_finalize(&context) == HS_OK);
    leave();
    bad_parameters();
    different_calls_are_named();
    one_call_too_few_is_named();
    missing_ranks_are_named();
    MPI_Finalize();
    end_after_mpi();
    return 0;
}
