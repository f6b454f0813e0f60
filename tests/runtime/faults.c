/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocations of a call fail in turn, on the first rank and on the last: all ranks get the same status, nothing has
 * changed, and the next call goes well. Every one of the first THOROUGH fails; of the thousands that planners make after
 * them, samples do, ever farther apart. */
#include "runtime/blocks/blocks.h"
#include "runtime/report/report.h"
#include "runtime/slices/move.h"
#include "tests/mpi.h"
#include "util/array.h"
#include <heteroslice/hs_scatter.h>

enum { UNITS = 60, BLOCKS = 12, THOROUGH = 30 };

/* Allocations of this rank until one fails; < 0: none does. */
static int countdown = -1;

static int fails(void)
{
    return countdown >= 0 && countdown-- == 0;
}

/* Calls again and again, with a later allocation each time, until none is left to fail. @return how many calls failed */
static int fail_in_turn(const char *name, hs_status (*call)(void *), void *argument)
{
    int failures = 0, size = world_size();
    for (int victim = 0; victim<size; victim += size> 1 ? size - 1 : 1)
        for (int n = 0, fired = 1; fired; n += 1 + n / THOROUGH) {
            countdown = world_rank() == victim ? n : -1;
            hs__array_fails = fails;
            hs_status status = call(argument);
            hs__array_fails = NULL;
            fired = countdown < 0;
            MPI_Bcast(&fired, 1, MPI_INT, victim, MPI_COMM_WORLD);
            int own = status, lowest, highest;
            MPI_Allreduce(&own, &lowest, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
            MPI_Allreduce(&own, &highest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
            if (lowest != highest)
                fprintf(stderr, "%s, allocation %d of rank %d: rank %d got %d\n", name, n, victim, world_rank(), own);
            REQUIRE(lowest == highest);
            REQUIRE(status == HS_OK || (fired && status == HS_ERR_NOMEM));
            failures += status != HS_OK;
        }
    return failures;
}

static hs_status init(void *params)
{
    hs_context *context = NULL;
    hs_error error;
    hs_status status = hs_init(MPI_COMM_WORLD, params, &context, &error);
    REQUIRE((status == HS_OK) == (context != NULL));
    return status == HS_OK ? hs_finalize(&context) : status;
}

static hs_status counts(void *params)
{
    int64_t count[64];
    return hs_counts(MPI_COMM_WORLD, 100, count);
}

/* ---- Slices ---- */

static hs_status create(void *context)
{
    hs_layout *layout = NULL;
    double *data = NULL;
    hs_status status = hs_layout_create(context, UNITS, 1, HS_FIXED, &layout);
    if (status == HS_OK)
        status = hs_layout_add_array(layout, sizeof *data, 1, (void **)&data);
    REQUIRE((status == HS_OK) == (data != NULL));
    hs_layout_free(layout);
    return status;
}

typedef struct rows {
    hs_layout *layout;
    int64_t *data[2];
} rows;

static void check_rows(const rows *r)
{
    hs_slice slice = hs_layout_slice(r->layout);
    for (int a = 0; a < 2; a++)
        for (int64_t i = 0; i < slice.count; i++)
            REQUIRE(r->data[a][i] == 1000 * a + slice.first + i);
}

/* From equal slices to uneven ones and back. */
static hs_status move_rows(void *argument)
{
    rows *r = argument;
    int size = r->layout->context->size;
    int64_t count[64] = {0}, before[64] = {0};
    for (int k = 0; k < size; k++)
        before[k] = r->layout->count[k];
    for (int k = 0; k < size; k++)
        count[k] = before[size - 1 - k];
    if (size > 1 && count[0] == before[0]) {
        count[0] += 3;
        count[size - 1] -= 3;
    }
    hs_status status = hs__move(r->layout, count);
    for (int k = 0; k < size; k++)
        REQUIRE(r->layout->count[k] == (status == HS_OK ? count : before)[k]);
    check_rows(r);
    return status;
}

/* What hs_balance() decides when rank r needs 1 + r seconds a unit: it needs no memory. */
static hs_status decide_rows(void *argument)
{
    rows *r = argument;
    double cycle[64], now, best;
    for (int k = 0; k < world_size(); k++)
        cycle[k] = 1 + k;
    const hs__decide_phase phase = {.iterations = 1, .cycle = cycle, .units = r->layout->count, .step = 1};
    hs_status status = hs__layout_kind.decide.plan(r->layout, &phase, cycle, &now, &best);
    return status == HS_OK && best <= now ? HS_OK : HS_ERR_INTERNAL;
}

static void slices(hs_context *context)
{
    rows r;
    REQUIRE(fail_in_turn("hs_layout_create", create, context) > 0);
    REQUIRE(hs_layout_create(context, UNITS, 1, HS_FIXED, &r.layout) == HS_OK);
    for (int a = 0; a < 2; a++)
        REQUIRE(hs_layout_add_array(r.layout, sizeof **r.data, 1, (void **)&r.data[a]) == HS_OK);
    hs_slice slice = hs_layout_slice(r.layout);
    for (int a = 0; a < 2; a++)
        for (int64_t i = 0; i < slice.count; i++)
            r.data[a][i] = 1000 * a + slice.first + i;
    REQUIRE(fail_in_turn("a move of slices", move_rows, &r) > 0);
    REQUIRE(fail_in_turn("a decision on slices", decide_rows, &r) == 0);
}

/* ---- Blocks ---- */

typedef struct square {
    hs_blocks *layout;
    int64_t *data;
    int turn;
} square;

static int64_t truth(const hs_blocks *layout, int64_t i, int64_t j)
{
    hs_blocks_rectangle mine = hs_blocks_mine(layout);
    return 1000 * hs_blocks_index(layout, HS_BLOCKS_ROWS)[mine.first_row + i] +
           hs_blocks_index(layout, HS_BLOCKS_COLUMNS)[mine.first_column + j];
}

static void visit(const square *s, int fill)
{
    hs_blocks_rectangle mine = hs_blocks_mine(s->layout);
    for (int64_t j = 0; j < mine.columns; j++)
        for (int64_t i = 0; i < mine.rows; i++) {
            if (fill)
                s->data[i + j * mine.rows] = truth(s->layout, i, j);
            REQUIRE(s->data[i + j * mine.rows] == truth(s->layout, i, j));
        }
}

static hs_status create_blocks(void *context)
{
    hs_blocks *layout = NULL;
    void *data = NULL;
    hs_status status = hs_blocks_create(context, BLOCKS, NULL, &layout);
    if (status == HS_OK)
        status = hs_blocks_add_matrix(layout, 1, 1, 8, &data);
    hs_blocks_free(layout);
    return status;
}

static hs_status move_blocks(void *argument)
{
    square *s = argument;
    double speed[64];
    for (int r = 0; r < world_size(); r++)
        speed[r] = s->turn % 2 ? 1 : 1 + r;
    hs_status status = hs_blocks_rebalance(s->layout, speed);
    s->turn += status >= 0;
    visit(s, 0);
    return status == HS_UNCHANGED ? HS_OK : status;
}

/* What hs_blocks_balance() decides when rank r needs 1 + r seconds a block. */
static hs_status decide_blocks(void *argument)
{
    square *s = argument;
    double cycle[64], now, best;
    for (int k = 0; k < world_size(); k++)
        cycle[k] = 1 + k;
    const hs__decide_phase phase = {.iterations = 1, .cycle = cycle, .units = s->layout->area, .step = 1};
    hs_status status = hs__blocks_kind.decide.plan(s->layout, &phase, cycle, &now, &best);
    if (status == HS_OK)
        REQUIRE((s->layout->candidate.cut != NULL) == (hs__blocks_kind.decide.traffic(s->layout) > 0));
    return status;
}

static void blocks(hs_context *context)
{
    square s = {0};
    REQUIRE(fail_in_turn("hs_blocks_create", create_blocks, context) > 0);
    REQUIRE(hs_blocks_create(context, BLOCKS, NULL, &s.layout) == HS_OK);
    REQUIRE(hs_blocks_add_matrix(s.layout, 1, 1, sizeof *s.data, (void **)&s.data) == HS_OK);
    visit(&s, 1);
    REQUIRE(fail_in_turn("hs_blocks_rebalance", move_blocks, &s) > 0);
    REQUIRE(fail_in_turn("a decision on blocks", decide_blocks, &s) > 0 || world_size() == 1);
}

/* ---- Farms ---- */

static hs_status create_farm(void *params)
{
    hs_farm *farm = NULL;
    hs_error error;
    hs_status status = hs_farm_create(MPI_COMM_WORLD, params, &farm, &error);
    hs_farm_free(farm);
    return status;
}

static hs_status plan_farm(void *farm)
{
    return hs_farm_plan(farm, 1000, NULL);
}

static void multiply(void *context, int64_t first, int64_t count, const void *items, void *results)
{
    const double *item = items;
    for (int64_t i = 0; i < count; i++)
        ((double *)results)[i] = item[i] * item[i];
}

/* A farm of its own each time: after a run that failed nothing collective works any more. */
static hs_status run_farm(void *params)
{
    enum { N = 20000 };
    static double items[N], results[N]; /* MPI may use them after a failure */
    const hs_farm_job job = {N, items, MPI_DOUBLE, results, MPI_DOUBLE, multiply, NULL, NULL};
    hs_farm *farm = NULL;
    hs_status status = hs_farm_create(MPI_COMM_WORLD, params, &farm, NULL);
    for (int i = 0; i < N; i++)
        items[i] = i;
    if (status == HS_OK)
        status = hs_farm_sample(farm, &job, 5, 1e-4);
    if (status == HS_OK)
        status = hs_farm_run(farm, &job, NULL);
    for (int i = 0; i < N && status == HS_OK && world_rank() == 0; i++)
        REQUIRE(results[i] == items[i] * items[i]);
    hs_farm_free(farm);
    return status;
}

static void farms(void)
{
    double cycle[64], comm[64];
    hs_farm *farm;
    for (int r = 0; r < world_size(); r++) {
        cycle[r] = 1e-3;
        comm[r] = 1e-5;
    }
    hs_farm_params params = {
        .item_bytes = 8, .result_bytes = 8, .cycle_time = cycle, .comm_time = comm, .timeout = PATIENCE};
    REQUIRE(fail_in_turn("hs_farm_create", create_farm, &params) > 0);
    REQUIRE(hs_farm_create(MPI_COMM_WORLD, &params, &farm, NULL) == HS_OK);
    REQUIRE(fail_in_turn("hs_farm_plan", plan_farm, farm) > 0);
    hs_farm_free(farm);
    REQUIRE(fail_in_turn("hs_farm_run", run_farm, &params) > 0);
}

/* ---- The report ---- */

/* Without memory it is not written, or without what is missing; nobody waits for it. */
static hs_status tell(void *path)
{
    hs__report_tell(MPI_COMM_WORLD, NULL, path, "", "host");
    return HS_OK;
}

int main(int argc, char **argv)
{
    hs_context *context;
    setenv("HS_PROBE_BUDGET", "0.01", 1);
    MPI_Init(&argc, &argv);
    hs_params params = fake_hosts(HS_BALANCE_ON);
    REQUIRE(fail_in_turn("hs_init", init, &params) > 0);
    REQUIRE(hs_init(MPI_COMM_WORLD, &params, &context, NULL) == HS_OK);
    setenv("HS_BALANCE", "off", 1);
    REQUIRE(fail_in_turn("hs_counts", counts, NULL) > 0);
    slices(context);
    blocks(context);
    REQUIRE(hs_finalize(&context) == HS_OK);
    farms();
    hs__monitor_stop();
    fail_in_turn("the report", tell, "faults-report.json");
    if (world_rank() == 0)
        unlink("faults-report.json");
    forget_hosts(&params);
    MPI_Finalize();
    return 0;
}
