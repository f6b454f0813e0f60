/* SPDX-License-Identifier: BSD-3-Clause */
/* After every call of the library the program computes again: nothing that it does then is accounted to the library.
 * What the library does in long calls is no computing of the program's: here each allocation takes a second. */
#include "runtime/watch/monitor.h"
#include "tests/clock.h"
#include "tests/runtime/moves.h"
#include "util/array.h"
#include <heteroslice/hs_probe.h>
#include <heteroslice/hs_scatter.h>

enum { STEPS = 12, ITEMS = 40, MOST_RANKS = 16 };

/* A second of computing after a call that is expected to succeed. */
#define CALL(condition) (REQUIRE(condition), compute_for_a_second())

static void compute_for_a_second(void)
{
    hs__monitor_times before, after;
    hs__monitor_read(&before);
    clock_pass(1);
    hs__monitor_read(&after);
    REQUIRE(after.compute_ns - before.compute_ns >= 999999000);
    REQUIRE(after.library_ns == before.library_ns);
}

/* The same after a call in which the program computes only where it is called back. */
#define LONG_CALL(condition) (call_begins(), REQUIRE(condition), call_ends(), compute_for_a_second())

static const double ITEM_S = 1.0 / 1024;
static double items_s; /* of items computed in this call */
static int64_t computed_before;

static int take_a_second(void)
{
    clock_pass(1);
    return 0;
}

static void call_begins(void)
{
    hs__monitor_times times;
    items_s = 0;
    hs__monitor_read(&times);
    computed_before = times.compute_ns;
    hs__array_fails = take_a_second;
}

static void call_ends(void)
{
    hs__monitor_times times;
    hs__array_fails = NULL;
    hs__monitor_read(&times);
    REQUIRE(fabs((double)(times.compute_ns - computed_before) * 1e-9 - items_s) < 1e-6);
}

static void call_for_slices(hs_context *context)
{
    double weight[UNITS];
    static rows r;
    create_rows(context, &r);
    compute_for_a_second();
    for (int k = 0; k < STEPS; k++)
        LONG_CALL(hs_balance(r.layout) >= 0);
    for (int i = 0; i < UNITS; i++)
        weight[i] = 1 + i % 3;
    LONG_CALL(hs_layout_weights(r.layout, weight) >= 0);
}

static void call_for_blocks(hs_context *context)
{
    static square s;
    create_square(context, &s);
    compute_for_a_second();
    LONG_CALL(move_square(&s) == HS_OK);
    CALL(hs_blocks_balance(s.layout) >= 0);
}

static void call_for_boxes(hs_context *context)
{
    const hs_boxes_domain domain = {2, {BLOCKS, BLOCKS}, {0, 0}, 1, HS_BOXES_FACES};
    static plane p;
    hs_box_layout *layout;
    LONG_CALL(hs_box_create(context, &domain, NULL, &layout) == HS_OK);
    hs_box_free(layout);
    create_plane(context, &p);
    compute_for_a_second();
    LONG_CALL(hs_box_exchange_start(p.layout, p.data[0]) == HS_OK);
    LONG_CALL(hs_box_exchange_wait(p.layout, p.data[0]) == HS_OK);
    LONG_CALL(move_plane(&p) == HS_OK);
    CALL(hs_box_balance(p.layout) >= 0);
}

static void compute_sample(void *context, int64_t first, int64_t count, const void *items, void *results)
{
    (void)context, (void)first, (void)items;
    clock_pass(ITEM_S * (double)count);
    memset(results, 0, (size_t)count * sizeof(double));
}

static void compute(void *context, int64_t first, int64_t count, const void *items, void *results)
{
    compute_sample(context, first, count, items, results);
    items_s += ITEM_S * (double)count;
}

static void call_for_a_farm(void)
{
    double cycle[MOST_RANKS], comm[MOST_RANKS], items[ITEMS] = {0}, here[ITEMS], results[ITEMS];
    hs_farm_params params = {.cycle_time = cycle, .comm_time = comm, .timeout = PATIENCE};
    hs_farm_job job = {ITEMS, items, MPI_DOUBLE, results, MPI_DOUBLE, compute, NULL, NULL};
    hs_farm *farm;
    equal_costs(cycle, 1e-3, comm, 1e-6);
    LONG_CALL(hs_farm_create(MPI_COMM_WORLD, &params, &farm, NULL) == HS_OK);
    CALL(hs_farm_plan(farm, ITEMS, NULL) == HS_OK);
    LONG_CALL(hs_scatter(farm, items, MPI_DOUBLE, here, MPI_DOUBLE) == HS_OK);
    LONG_CALL(hs_gather(farm, here, MPI_DOUBLE, results, MPI_DOUBLE) == HS_OK);
    job.compute = compute_sample; /* which is the library's measurement */
    LONG_CALL(hs_farm_sample(farm, &job, 1, ITEM_S) == HS_OK);
    job.compute = compute;
    LONG_CALL(hs_farm_run(farm, &job, NULL) == HS_OK);
    hs_farm_free(farm);
}

static void call_for_measurements(void)
{
    int64_t counts[MOST_RANKS];
    hs_probe_params params;
    hs_probe_result *result = NULL;
    hs_probe_params_init(&params);
    params.budget = 0.05;
    clock_stopped = (struct timespec){0}; /* a measurement ends when its time is up */
    CALL(hs_probe_run(MPI_COMM_WORLD, &params, &result, NULL) == HS_OK);
    hs_probe_result_free(result);
    CALL(hs_counts(MPI_COMM_WORLD, ITEMS, counts) == HS_OK);
}

int main(int argc, char **argv)
{
    setenv("HS_PROBE_BUDGET", "0.05", 1);
    setenv("HS_LOG", "error", 1); /* not all that computes here is seen */
    MPI_Init(&argc, &argv);
    REQUIRE(world_size() <= MOST_RANKS);
    hs__ticks_start();
    hs__ticks_self.is_counter = 0; /* the monitor reads the clock that is put forward */
    clock_stop();
    hs_context *context = start_balanced();
    compute_for_a_second();
    call_for_slices(context);
    call_for_blocks(context);
    call_for_boxes(context);
    LONG_CALL(hs_finalize(&context) == HS_OK);
    call_for_a_farm();
    call_for_measurements();
    MPI_Finalize();
    return 0;
}
