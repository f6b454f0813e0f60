/* SPDX-License-Identifier: BSD-3-Clause */
/* Computing and waiting of a farm's program: what it waits for others costs no item, and what hs_farm_run() calls back is the
 * program's computing, not the library's. What is sampled gives the times of all ranks. */
#include "runtime/watch/monitor.h"
#include "tests/clock.h"
#include "tests/mpi.h"
#include <heteroslice/hs_scatter.h>

enum { ITEMS = 420, ROUNDS = 3 };

static double item_s; /* of this rank: the last one takes three times as long as the others */

static void compute(void *context, int64_t first, int64_t count, const void *items, void *results)
{
    clock_pass(item_s * (double)count);
    *(int64_t *)context += count;
    (void)first, (void)items, (void)results;
}

/* A barrier of the program, as the wrapper of MPI_Barrier() accounts it. */
static void barrier(void)
{
    if (hs__monitor_enter_call(1, hs__monitor_frame()))
        hs__monitor_charge(hs__ticks(), HS__COMPUTE);
    clock_meet();
    if (hs__monitor_leave_call(hs__monitor_frame()))
        hs__monitor_charge(hs__ticks(), HS__WAIT);
}

/* All ranks leave the barrier together, and the plan still follows what an item takes on each. */
static void waits_cost_no_item(const hs_farm_params *params)
{
    char items[ITEMS] = {0}, mine[ITEMS];
    int64_t count = 0, computed = 0;
    hs_farm *farm;
    REQUIRE(hs_farm_create(MPI_COMM_WORLD, params, &farm, NULL) == HS_OK);
    for (int k = 0; k < ROUNDS; k++) {
        REQUIRE(hs_farm_plan(farm, ITEMS, &count) == HS_OK);
        REQUIRE(hs_scatter(farm, items, MPI_BYTE, mine, MPI_BYTE) == HS_OK);
        compute(&computed, 0, count, mine, mine);
        barrier();
        REQUIRE(hs_gather(farm, mine, MPI_BYTE, items, MPI_BYTE) == HS_OK);
    }
    REQUIRE(fabs(hs_farm_cycle_times(farm)[world_rank()] / item_s - 1) < 0.01);
    hs_farm_free(farm);
}

/* Which items a rank has computed, in this order. */
typedef struct tally {
    int count;
    int64_t item[64];
} tally;

/* An item says what it is, and how long it takes. */
static void compute_as_said(void *context, int64_t first, int64_t count, const void *items, void *results)
{
    tally *c = context;
    REQUIRE(count == 1 && *(const double *)items == (double)first);
    clock_pass(item_s * *(const double *)items);
    c->item[c->count++] = first;
    *(double *)results = -1;
}

/* Of items spread over all, one each while there is time; then all of them, until it is over. All are the root's. */
static void samples_are_spread(const hs_farm_params *params, double seconds, int count)
{
    enum { SAMPLES = 5, SPACE = 20, FIRST = SPACE / 2 };
    double items[SAMPLES * SPACE], results[SAMPLES * SPACE] = {0}, sum = 0;
    tally c = {0};
    hs_farm_job job = {SAMPLES * SPACE, items, MPI_DOUBLE, results, MPI_DOUBLE, compute_as_said, NULL, &c};
    hs_farm *farm;
    for (int i = 0; i < SAMPLES * SPACE; i++)
        items[i] = world_rank() == 0 ? i : -1;
    REQUIRE(hs_farm_create(MPI_COMM_WORLD, params, &farm, NULL) == HS_OK);
    REQUIRE(hs_farm_sample(farm, &job, SAMPLES, seconds * item_s) == HS_OK);
    REQUIRE(c.count == count);
    for (int k = 0; k < count; k++) {
        REQUIRE(c.item[k] == FIRST + k % SAMPLES * SPACE);
        sum += (double)c.item[k];
    }
    for (int r = 0; r < world_size(); r++)
        REQUIRE(fabs(hs_farm_cycle_times(farm)[r] / (sum / count * (r == world_size() - 1 ? 3 : 1)) - 1) < 1e-6);
    for (int i = 0; i < SAMPLES * SPACE; i++)
        REQUIRE(results[i] == 0);
    hs_farm_free(farm);
}

static void callbacks_compute(const hs_farm_params *params)
{
    char items[ITEMS] = {0}, results[ITEMS];
    int64_t computed = 0;
    hs_farm_job job = {ITEMS, items, MPI_BYTE, results, MPI_BYTE, compute, NULL, &computed};
    hs__monitor_times before, after;
    hs_farm *farm;
    REQUIRE(hs_farm_create(MPI_COMM_WORLD, params, &farm, NULL) == HS_OK);
    REQUIRE(hs_farm_sample(farm, &job, 1, item_s) == HS_OK);
    computed = 0;
    hs__monitor_read(&before);
    REQUIRE(hs_farm_run(farm, &job, NULL) == HS_OK);
    hs__monitor_read(&after);
    double computed_s = (double)computed * item_s;
    REQUIRE(fabs((double)(after.compute_ns - before.compute_ns) * 1e-9 - computed_s) < 0.01 * item_s);
    REQUIRE((double)(after.library_ns - before.library_ns) * 1e-9 < 0.5 * item_s);
    hs_farm_free(farm);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    hs__ticks_start();
    hs__ticks_self.is_counter = 0; /* the monitor reads the clock that is put forward */
    clock_stop();
    double *cycle = malloc((size_t)world_size() * sizeof *cycle), *comm = malloc((size_t)world_size() * sizeof *comm);
    equal_costs(cycle, 1, comm, 1e-6);
    item_s = world_rank() == world_size() - 1 ? 3 : 1;
    hs_farm_params params = {.cycle_time = cycle, .comm_time = comm, .timeout = PATIENCE};
    waits_cost_no_item(&params);
    callbacks_compute(&params);
    samples_are_spread(&params, 1, 1);
    samples_are_spread(&params, 41, 3);
    samples_are_spread(&params, 300, 10);
    free(cycle);
    free(comm);
    MPI_Finalize();
    return 0;
}
