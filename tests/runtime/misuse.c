/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of the public functions that their headers do not allow: each gives a status and one line, and none crashes. */
#include "runtime/session/context.h"
#include "tests/mpi.h"
#include "tests/said.h"
#include <heteroslice/hs_blocks.h>
#include <heteroslice/hs_box_layout.h>
#include <heteroslice/hs_probe.h>
#include <heteroslice/hs_scatter.h>
#include <heteroslice/hs_storage.h>

static const hs_boxes_domain domain = {1, {10}, {0}, 0, HS_BOXES_FACES};

static void said_is(const char *told, const char *line, int at)
{
    const char *end = strchr(told, '\n');
    if (strstr(told, line) && end && end[1] == '\0')
        return;
    fprintf(stderr, "%s:%d: '%s' is not all of '%s'\n", __FILE__, at, line, told);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* The call returns the status, and all it says is a line that has the text. */
#define SAYS(status, text, call)                \
    do {                                        \
        char told[1024];                        \
        said listener = said_begin();           \
        hs_status returned = call;              \
        said_end(&listener, told, sizeof told); \
        REQUIRE(returned == (status));          \
        said_is(told, text, __LINE__);          \
    } while (0)

#define NO_LAYOUT(function, ...) SAYS(HS_ERR_ARG, #function ": layout is NULL, expected", function(NULL, ##__VA_ARGS__))
#define NO_CONTEXT(function, ...) \
    SAYS(HS_ERR_ARG, #function ": context is NULL, expected", function(NULL, ##__VA_ARGS__))
#define NO_FARM(function, ...) SAYS(HS_ERR_ARG, #function ": farm is NULL, expected", function(NULL, ##__VA_ARGS__))

static void handles_are_null(void)
{
    hs_layout *slices = NULL;
    hs_box_layout *boxes = NULL;
    hs_blocks *blocks = NULL;
    void *data = NULL;
    int64_t *offset = NULL;
    int ranks[2];
    NO_CONTEXT(hs_finalize);
    NO_CONTEXT(hs_layout_create, 20, 0, HS_FIXED, &slices);
    NO_LAYOUT(hs_layout_add_array, 8, 0, &data);
    NO_LAYOUT(hs_layout_add_offsets, NULL, &offset);
    NO_LAYOUT(hs_layout_add_ragged, 8, &offset, &data);
    NO_LAYOUT(hs_layout_add_storage, NULL);
    NO_LAYOUT(hs_layout_weights, NULL);
    NO_LAYOUT(hs_balance);
    NO_LAYOUT(hs_unit_begin, 0, 1);
    NO_LAYOUT(hs_unit_end);
    NO_CONTEXT(hs_box_create, &domain, NULL, &boxes);
    NO_LAYOUT(hs_box_add_array, 8, &data);
    NO_LAYOUT(hs_box_shift, 0, &ranks[0], &ranks[1]);
    NO_LAYOUT(hs_box_exchange_start, data);
    NO_LAYOUT(hs_box_exchange_wait, data);
    NO_LAYOUT(hs_box_balance);
    NO_LAYOUT(hs_box_rebalance, NULL);
    NO_CONTEXT(hs_blocks_create, 12, NULL, &blocks);
    NO_LAYOUT(hs_blocks_add_matrix, 1, 1, 8, &data);
    NO_LAYOUT(hs_blocks_balance);
    NO_LAYOUT(hs_blocks_rebalance, NULL);
    NO_LAYOUT(hs_blocks_move, NULL);
    NO_FARM(hs_farm_plan, 5, NULL);
    NO_FARM(hs_scatter, NULL, MPI_DOUBLE, NULL, MPI_DOUBLE);
    NO_FARM(hs_gather, NULL, MPI_DOUBLE, NULL, MPI_DOUBLE);
    NO_FARM(hs_farm_sample, NULL, 1, 1);
    NO_FARM(hs_farm_run, NULL, NULL);
    REQUIRE(!slices && !boxes && !blocks && !data && !offset);
    REQUIRE(strstr(hs_error_text(NULL), "context is NULL") && hs_comm(NULL) == MPI_COMM_NULL);
    REQUIRE(strstr(hs_farm_error_text(NULL), "farm is NULL") != NULL);
    hs_layout_free(NULL);
    hs_box_free(NULL);
    hs_blocks_free(NULL);
    hs_farm_free(NULL);
}

/* Of all ranks, so that they get the same status at once. */
static void places_are_null(hs_context *context)
{
    hs_error error;
    hs_layout *slices;
    hs_box_layout *boxes;
    hs_blocks *blocks;
    int rank;
    REQUIRE(hs_init(MPI_COMM_WORLD, NULL, NULL, &error) == HS_ERR_ARG && strstr(error.text, "context is NULL"));
    REQUIRE(hs_farm_create(MPI_COMM_WORLD, NULL, NULL, &error) == HS_ERR_ARG && strstr(error.text, "farm is NULL"));
    REQUIRE(hs_layout_create(context, 20, 0, HS_FIXED, NULL) == HS_ERR_ARG && text_has(context, "layout is NULL"));
    REQUIRE(hs_box_create(context, &domain, NULL, NULL) == HS_ERR_ARG && text_has(context, "layout is NULL"));
    REQUIRE(hs_box_create(context, NULL, NULL, &boxes) == HS_ERR_ARG && text_has(context, "domain is NULL"));
    REQUIRE(hs_blocks_create(context, 12, NULL, NULL) == HS_ERR_ARG && text_has(context, "layout is NULL"));
    REQUIRE(hs_layout_create(context, 20, 0, HS_FIXED, &slices) == HS_OK);
    REQUIRE(hs_layout_add_array(slices, 8, 0, NULL) == HS_ERR_ARG && text_has(context, "data is NULL"));
    REQUIRE(hs_layout_add_offsets(slices, NULL, NULL) == HS_ERR_ARG && text_has(context, "offset is NULL"));
    REQUIRE(hs_layout_add_storage(slices, NULL) == HS_ERR_ARG && text_has(context, "storage is NULL"));
    REQUIRE(hs_box_create(context, &domain, NULL, &boxes) == HS_OK);
    REQUIRE(hs_box_add_array(boxes, 8, NULL) == HS_ERR_ARG && text_has(context, "data is NULL"));
    REQUIRE(hs_box_shift(boxes, 0, NULL, &rank) == HS_ERR_ARG && text_has(context, "before is NULL"));
    REQUIRE(hs_box_shift(boxes, 0, &rank, NULL) == HS_ERR_ARG && text_has(context, "behind is NULL"));
    REQUIRE(hs_box_rebalance(boxes, NULL) == HS_ERR_ARG && text_has(context, "speed is NULL"));
    REQUIRE(hs_blocks_create(context, 12, NULL, &blocks) == HS_OK);
    REQUIRE(hs_blocks_add_matrix(blocks, 1, 1, 8, NULL) == HS_ERR_ARG && text_has(context, "data is NULL"));
    REQUIRE(hs_blocks_rebalance(blocks, NULL) == HS_ERR_ARG && text_has(context, "speed is NULL"));
    REQUIRE(hs_blocks_move(blocks, NULL) == HS_ERR_ARG && text_has(context, "columns is NULL"));
}

static void jobs_are_null(void)
{
    hs_farm *farm;
    double cycle[64], comm[64];
    hs_farm_params params = {.cycle_time = cycle, .comm_time = comm, .timeout = PATIENCE};
    equal_costs(cycle, 1e-3, comm, 1e-4);
    REQUIRE(hs_farm_create(MPI_COMM_WORLD, &params, &farm, NULL) == HS_OK);
    REQUIRE(hs_farm_run(farm, NULL, NULL) == HS_ERR_ARG && strstr(hs_farm_error_text(farm), "job is NULL"));
    REQUIRE(hs_farm_sample(farm, NULL, 1, 1) == HS_ERR_ARG && strstr(hs_farm_error_text(farm), "job is NULL"));
    hs_farm_free(farm);
}

static hs_farm *computing;

static void call_for_the_farm(void *job, int64_t first, int64_t count, const void *items, void *results)
{
    (void)first;
    const char *text = hs_farm_error_text(computing);
    REQUIRE(hs_farm_plan(computing, 5, NULL) == HS_ERR_STATE);
    REQUIRE(strstr(text, "hs_farm_plan: a call by a callback, expected after it has returned") != NULL);
    REQUIRE(hs_farm_run(computing, job, NULL) == HS_ERR_STATE && strstr(text, "hs_farm_run: ") != NULL);
    REQUIRE(hs_farm_sample(computing, job, 1, 1) == HS_ERR_STATE);
    REQUIRE(hs_scatter(computing, items, MPI_DOUBLE, results, MPI_DOUBLE) == HS_ERR_STATE);
    REQUIRE(hs_gather(computing, items, MPI_DOUBLE, results, MPI_DOUBLE) == HS_ERR_STATE);
    memcpy(results, items, (size_t)count * sizeof(double));
}

static void computing_calls_for_its_farm(void)
{
    enum { N = 20 };
    double cycle[64], comm[64], items[N], results[N] = {0};
    hs_farm_params params = {.cycle_time = cycle, .comm_time = comm, .timeout = PATIENCE};
    hs_farm_job job = {N, items, MPI_DOUBLE, results, MPI_DOUBLE, call_for_the_farm, NULL, &job};
    equal_costs(cycle, 1e-3, comm, 1e-4);
    for (int i = 0; i < N; i++)
        items[i] = i;
    REQUIRE(hs_farm_create(MPI_COMM_WORLD, &params, &computing, NULL) == HS_OK);
    REQUIRE(hs_farm_sample(computing, &job, 4, 0.01) == HS_OK);
    REQUIRE(hs_farm_run(computing, &job, NULL) == HS_OK && !hs_farm_error_text(computing)[0]);
    for (int i = 0; i < N && world_rank() == 0; i++)
        REQUIRE(results[i] == items[i]);
    REQUIRE(hs_farm_plan(computing, 5, NULL) == HS_OK);
    hs_farm_free(computing);
}

/* Only the others ask each other: those wait for it until their time-out, and go on by the call that it makes next. */
static void one_handle_is_null(void)
{
    hs_context *context = start_unbalanced(PATIENCE);
    hs_layout *layout;
    int odd = world_size() - 1;
    context->peers.timeout = 2;
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() == odd)
        NO_CONTEXT(hs_layout_create, 20, 0, HS_FIXED, &layout);
    else {
        REQUIRE(hs_layout_create(context, 20, 0, HS_FIXED, &layout) == HS_ERR_TIMEOUT);
        REQUIRE(hs_layout_create(context, 20, 0, HS_FIXED, &layout) == HS_ERR_STATE);
        REQUIRE(text_has(context, "hs_layout_create: an earlier collective call has failed"));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    hs_finalize(&context);
}

#define NO_MPI(function, ...)                                                          \
    SAYS(HS_ERR_STATE, #function ": MPI_Init must come first, and MPI_Finalize later", \
         function(MPI_COMM_WORLD, __VA_ARGS__))

/* Of what needs no object. */
static void mpi_is_not_there(void)
{
    hs_context *context = NULL;
    hs_farm *farm = NULL;
    hs_probe_result *result = NULL;
    int64_t many[1];
    float part[1];
    int few[2];
    NO_MPI(hs_init, NULL, &context, NULL);
    NO_MPI(hs_counts, 1, many);
    NO_MPI(hs_weights, part);
    NO_MPI(hs_farm_create, NULL, &farm, NULL);
    NO_MPI(hs_farm_attach, NULL, NULL);
    NO_MPI(hs_scatter_counts, 1, few, few + 1, NULL);
    REQUIRE(hs_probe_run(MPI_COMM_WORLD, NULL, &result, NULL) == HS_ERR_STATE);
    REQUIRE(!context && !farm && !result);
}

/* What a program goes on to call when it has ended MPI. */
static struct {
    int size;
    hs_context *context;
    hs_layout *slices;
    hs_box_layout *boxes;
    hs_blocks *blocks;
    hs_farm *farm;
    hs_farm_job job;
    double item, cycle[64], comm[64];
    void *rows, *cells, *matrix;
} kept;

static void compute(void *context, int64_t first, int64_t count, const void *items, void *results)
{
    (void)context, (void)first, (void)count, (void)items, (void)results;
}

/* Records, halos and a plan are under way. */
static void keep(void)
{
    const hs_boxes_domain ring = {1, {100}, {1}, 1, HS_BOXES_FACES};
    const hs_farm_params params = {.cycle_time = kept.cycle, .comm_time = kept.comm, .timeout = PATIENCE};
    kept.size = world_size();
    kept.context = start_balanced();
    REQUIRE(hs_layout_create(kept.context, 20, 0, HS_FIXED, &kept.slices) == HS_OK);
    REQUIRE(hs_layout_add_array(kept.slices, 8, 0, &kept.rows) == HS_OK);
    REQUIRE(hs_box_create(kept.context, &ring, NULL, &kept.boxes) == HS_OK);
    REQUIRE(hs_box_add_array(kept.boxes, 8, &kept.cells) == HS_OK);
    REQUIRE(hs_blocks_create(kept.context, 12, NULL, &kept.blocks) == HS_OK);
    REQUIRE(hs_blocks_add_matrix(kept.blocks, 1, 1, 8, &kept.matrix) == HS_OK);
    equal_costs(kept.cycle, 1e-3, kept.comm, 1e-4);
    REQUIRE(hs_farm_create(MPI_COMM_WORLD, &params, &kept.farm, NULL) == HS_OK);
    REQUIRE(hs_farm_plan(kept.farm, 0, NULL) == HS_OK);
    kept.job = (hs_farm_job){1, &kept.item, MPI_DOUBLE, &kept.item, MPI_DOUBLE, compute, NULL, NULL};
    REQUIRE(hs_balance(kept.slices) == HS_UNCHANGED);
    REQUIRE(hs_box_exchange_start(kept.boxes, kept.cells) == HS_OK);
    MPI_Barrier(MPI_COMM_WORLD); /* else MPI_Finalize() of some library waits for the records of others */
}

static void mpi_has_ended(void)
{
    const double ones[64] = {1};
#define ENDED ": a call after MPI_Finalize, expected before it"
    const hs_status alone = kept.size == 1 ? HS_UNCHANGED : HS_ERR_STATE; /* which asks nobody */
    SAYS(HS_ERR_STATE, "hs_layout_weights" ENDED, hs_layout_weights(kept.slices, ones));
    REQUIRE(text_has(kept.context, "hs_layout_weights" ENDED));
    REQUIRE(hs_balance(kept.slices) == alone && hs_balance(kept.slices) == alone);
    REQUIRE(alone == HS_UNCHANGED || text_has(kept.context, "hs_balance" ENDED));
    REQUIRE(hs_layout_create(kept.context, 20, 0, HS_FIXED, &kept.slices) == HS_ERR_STATE);
    REQUIRE(text_has(kept.context, "hs_layout_create" ENDED));
    REQUIRE(hs_box_exchange_start(kept.boxes, kept.cells) == HS_ERR_STATE);
    REQUIRE(text_has(kept.context, "hs_box_exchange_start" ENDED));
    REQUIRE(hs_box_exchange_wait(kept.boxes, kept.cells) == HS_ERR_STATE);
    REQUIRE(hs_box_balance(kept.boxes) < 0 || kept.size == 1);
    REQUIRE(hs_blocks_balance(kept.blocks) == alone);
    REQUIRE(hs_blocks_rebalance(kept.blocks, ones) == HS_ERR_STATE);
    REQUIRE(text_has(kept.context, "hs_blocks_rebalance" ENDED));
    SAYS(HS_ERR_STATE, "hs_farm_run" ENDED, hs_farm_run(kept.farm, &kept.job, NULL));
    REQUIRE(strstr(hs_farm_error_text(kept.farm), "hs_farm_run" ENDED) != NULL);
    REQUIRE(hs_farm_sample(kept.farm, &kept.job, 1, 0.1) == HS_ERR_STATE);
    REQUIRE(hs_farm_plan(kept.farm, 1, NULL) == HS_ERR_STATE);
    REQUIRE(hs_scatter(kept.farm, NULL, MPI_DOUBLE, NULL, MPI_DOUBLE) == HS_ERR_STATE);
    REQUIRE(hs_gather(kept.farm, NULL, MPI_DOUBLE, NULL, MPI_DOUBLE) == HS_ERR_STATE);
    hs_farm_free(kept.farm);
    REQUIRE(hs_finalize(&kept.context) == HS_ERR_STATE && !kept.rows && !kept.cells && !kept.matrix);
}

int main(int argc, char **argv)
{
    handles_are_null();
    mpi_is_not_there();
    MPI_Init(&argc, &argv);
    hs_context *context = start_unbalanced(PATIENCE);
    handles_are_null();
    places_are_null(context);
    jobs_are_null();
    computing_calls_for_its_farm();
    one_handle_is_null();
    REQUIRE(hs_finalize(&context) == HS_OK);
    keep();
    MPI_Finalize();
    mpi_is_not_there();
    mpi_has_ended();
    return 0;
}
