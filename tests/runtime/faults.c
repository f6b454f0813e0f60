/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocations of each call fail in turn: all ranks get the same status, nothing has changed, and the next call goes well. */
#include "runtime/report/report.h"
#include "tests/clock.h"
#include "tests/fail_in_turn.h"
#include "tests/runtime/moves.h"
#include <heteroslice/hs_scatter.h>

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

static hs_status weights(void *params)
{
    float weight[64];
    return hs_weights(MPI_COMM_WORLD, weight);
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

static hs_status move_and_check_rows(void *argument)
{
    hs_status status = move_rows(argument);
    visit_rows(argument, 0);
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

/* Iterations in step, with a host that is slow, until slices move. */
static hs_status balance_rows(void *argument)
{
    rows *r = argument;
    hs_status status = HS_UNCHANGED;
    for (int k = 0; k < 60 && status == HS_UNCHANGED; k++) {
        hs_compute_begin(r->layout);
        clock_pass(1000.0 * (double)hs_layout_slice(r->layout).count * (world_rank() == r->slow ? 4 : 1));
        hs_compute_end(r->layout);
        clock_meet();
        status = hs_balance(r->layout);
        visit_rows(r, 0);
    }
    if (status == HS_OK)
        r->slow = (r->slow + 1) % world_size();
    return status == HS_UNCHANGED ? HS_OK : status;
}

static void slices(hs_context *context)
{
    static rows r;
    REQUIRE(fail_in_turn("hs_layout_create", create, context) > 0);
    create_rows(context, &r);
    REQUIRE(fail_in_turn("a move of slices", move_and_check_rows, &r) > 0);
    REQUIRE(fail_in_turn("a decision on slices", decide_rows, &r) == 0);
    REQUIRE(fail_in_turn("hs_balance", balance_rows, &r) > 0 || world_size() == 1);
}

/* ---- Blocks ---- */

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

static hs_status move_and_check_square(void *argument)
{
    hs_status status = move_square(argument);
    visit_square(argument, 0);
    return status;
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
    static square s;
    REQUIRE(fail_in_turn("hs_blocks_create", create_blocks, context) > 0);
    create_square(context, &s);
    REQUIRE(fail_in_turn("hs_blocks_rebalance", move_and_check_square, &s) > 0);
    REQUIRE(fail_in_turn("a decision on blocks", decide_blocks, &s) > 0 || world_size() == 1);
}

/* ---- Boxes ---- */

/* What hs_box_balance() decides when rank r needs 1 + r seconds a cell, or the last one 1 and so on. */
static hs_status decide_boxes(void *argument)
{
    plane *p = argument;
    double cycle[64], now, best;
    for (int k = 0; k < world_size(); k++)
        cycle[k] = p->turn % 2 ? world_size() - k : 1 + k;
    const hs__decide_phase phase = {.iterations = 1, .cycle = cycle, .units = p->layout->cells, .step = 1};
    hs_status status = hs__box_kind.decide.plan(p->layout, &phase, cycle, &now, &best);
    REQUIRE(status == HS_OK || !p->layout->candidate);
    p->turn += status == HS_OK;
    return status;
}

static void boxes(hs_context *context)
{
    static plane p;
    create_plane(context, &p);
    REQUIRE(fail_in_turn("a decision on boxes", decide_boxes, &p) > 0 || world_size() == 1);
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

/* A farm that goes on after each failure. */
static hs_status scatter_and_gather(void *farm)
{
    enum { N = 1000 };
    static double items[N], mine[N], results[N];
    int64_t count = 0;
    for (int i = 0; i < N; i++)
        items[i] = i;
    hs_status status = hs_farm_plan(farm, N, &count);
    if (status == HS_OK)
        status = hs_scatter(farm, items, MPI_DOUBLE, mine, MPI_DOUBLE);
    for (int64_t i = 0; status == HS_OK && i < count; i++)
        mine[i] *= mine[i];
    if (status == HS_OK)
        status = hs_gather(farm, mine, MPI_DOUBLE, results, MPI_DOUBLE);
    for (int i = 0; i < N && status == HS_OK && world_rank() == 0; i++)
        REQUIRE(results[i] == items[i] * items[i]);
    return status;
}

static hs_status scatter_counts(void *ignored)
{
    int count[64], displ[64], order[64];
    (void)ignored;
    return hs_scatter_counts(MPI_COMM_WORLD, 1000, count, displ, order);
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
    equal_costs(cycle, 1e-3, comm, 1e-5);
    hs_farm_params params = {
        .item_bytes = 8, .result_bytes = 8, .cycle_time = cycle, .comm_time = comm, .timeout = PATIENCE};
    REQUIRE(fail_in_turn("hs_farm_create", create_farm, &params) > 0);
    REQUIRE(hs_farm_create(MPI_COMM_WORLD, &params, &farm, NULL) == HS_OK);
    REQUIRE(fail_in_turn("hs_farm_plan", plan_farm, farm) > 0);
    REQUIRE(fail_in_turn("hs_scatter and hs_gather", scatter_and_gather, farm) > 0);
    hs_farm_free(farm);
    REQUIRE(hs_farm_attach(MPI_COMM_WORLD, &params, NULL) == HS_OK);
    fail_in_turn("hs_scatter_counts", scatter_counts, NULL);
    REQUIRE(fail_in_turn("hs_farm_run", run_farm, &params) > 0);
}

/* ---- The report ---- */

static const char *no_name(int number)
{
    return NULL;
}

/* Without memory it is not written, or without what is missing; nobody waits for it. */
static hs_status tell(void *path)
{
    hs__report_begin(path, 0, 0, 0, no_name);
    hs__report_tell(MPI_COMM_WORLD, NULL, "host");
    return HS_OK;
}

int main(int argc, char **argv)
{
    hs_context *context;
    setenv("HS_PROBE_BUDGET", "0.001", 1); /* no rate is judged here */
    MPI_Init(&argc, &argv);
    hs_params params = fake_hosts(HS_BALANCE_ON);
    REQUIRE(fail_in_turn("hs_init", init, &params) > 0);
    REQUIRE(hs_init(MPI_COMM_WORLD, &params, &context, NULL) == HS_OK);
    setenv("HS_BALANCE", "off", 1);
    REQUIRE(fail_in_turn("hs_counts", counts, NULL) > 0);
    REQUIRE(fail_in_turn("hs_weights", weights, NULL) > 0);
    slices(context);
    blocks(context);
    boxes(context);
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
