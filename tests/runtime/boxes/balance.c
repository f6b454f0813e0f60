/* SPDX-License-Identifier: BSD-3-Clause */
/* hs_box_balance() in a loop on hosts with the speeds of a table. Computing puts the clock forward, so any machine can
 * emulate any number of hosts. */
#include "plan/boxes/boxes.h"
#include "runtime/watch/monitor.h"
#include "tests/clock.h"
#include "tests/mpi.h"
#include <heteroslice/hs_box_layout.h>

enum { ROWS = 48, COLUMNS = 40, STEP_S = 1000 };

/* How often the library has made a plan, and seconds that each takes beside what it takes here. */
static int plans_made;
static double plan_s;

hs_status __real_hs__boxes_create(const hs_boxes_domain *domain, const hs__boxes_costs *costs,
                                  const hs_boxes_params *params, hs_boxes **plan, hs_error *error);
hs_status __wrap_hs__boxes_create(const hs_boxes_domain *domain, const hs__boxes_costs *costs,
                                  const hs_boxes_params *params, hs_boxes **plan, hs_error *error);

hs_status __wrap_hs__boxes_create(const hs_boxes_domain *domain, const hs__boxes_costs *costs,
                                  const hs_boxes_params *params, hs_boxes **plan, hs_error *error)
{
    REQUIRE(hs__monitor_self.inside != 0); /* no time of the program's */
    plans_made++;
    clock_pass(plan_s);
    return __real_hs__boxes_create(domain, costs, params, plan, error);
}

static int64_t cells(const hs_box_layout *layout)
{
    hs_box mine = hs_box_mine(layout);
    return mine.count[0] * mine.count[1];
}

/* Every cell holds the place where it is. */
static void visit(const hs_box_layout *layout, int64_t *data, int check)
{
    hs_box mine = hs_box_mine(layout);
    for (int64_t i = 0; i < mine.count[0]; i++)
        for (int64_t j = 0; j < mine.count[1]; j++) {
            int64_t *cell = &data[i * hs_box_stride(layout, 0) + j];
            int64_t value = (mine.first[0] + i) * COLUMNS + mine.first[1] + j;
            REQUIRE(!check || *cell == value);
            *cell = value;
        }
}

/* Runs steps that neighbours end together; returns the number of moves. */
static int64_t run(hs_box_layout *layout, int64_t **data, int steps, double cell_s)
{
    hs_box_stats before, after;
    hs_box_get_stats(layout, &before);
    for (int k = 0; k < steps; k++) {
        REQUIRE(hs_box_exchange_start(layout, *data) == HS_OK);
        hs_box_compute_begin(layout);
        clock_pass(cell_s * (double)cells(layout));
        hs_box_compute_end(layout);
        REQUIRE(hs_box_exchange_wait(layout, *data) == HS_OK);
        clock_meet();
        REQUIRE(hs_box_balance(layout) >= 0);
        visit(layout, *data, 1);
    }
    hs_box_get_stats(layout, &after);
    REQUIRE(after.moved_bytes == after.moved_cells * (int64_t)sizeof **data);
    return after.moves - before.moves;
}

/* The model tells what a step takes: the time of the rank that computes longest, as it was shown. */
static void tells_step_time(hs_box_layout *layout, double own_cell_s)
{
    double mine = own_cell_s * (double)cells(layout), longest;
    MPI_Allreduce(&mine, &longest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    double told = hs_box_step_time(layout);
    REQUIRE(told > 0.9 * longest && told < 1.1 * longest);
}

/* Rank 0 becomes four times as slow, then as fast as before. */
static void drift_is_followed(hs_context *context, hs_boxes_method method, int rank, int size)
{
    const hs_boxes_domain domain = {2, {ROWS, COLUMNS}, {0, 1}, 1, HS_BOXES_CORNERS};
    hs_box_layout *layout;
    hs_box_stats stats;
    int64_t *data;
    REQUIRE(hs_box_create(context, &domain, &(hs_box_params){.method = method}, &layout) == HS_OK);
    REQUIRE(hs_box_add_array(layout, sizeof *data, (void **)&data) == HS_OK);
    visit(layout, data, 0);
    double cell_s = (double)STEP_S * size / (ROWS * COLUMNS);
    run(layout, &data, 40, cell_s);
    int64_t first = cells(layout);
    int64_t moves = run(layout, &data, 150, rank == 0 ? 4 * cell_s : cell_s);
    if (size > 1) {
        REQUIRE(moves >= 1);
        REQUIRE(rank > 0 || 3 * cells(layout) < 2 * first);
    }
    if (size > 1)
        tells_step_time(layout, rank == 0 ? 4 * cell_s : cell_s);
    moves = run(layout, &data, 150, cell_s);
    REQUIRE(size == 1 || (moves >= 1 && (rank > 0 || 3 * cells(layout) > 2 * first)));
    hs_box_get_stats(layout, &stats);
    REQUIRE(stats.steps == 340 && stats.slides <= stats.moves);
    REQUIRE(size == 1 ? stats.phases == 0 : stats.phases > 0);
    hs_box_free(layout);
}

/* A grid does not use unequal hosts in full, whatever its sizes. Looking for better ones that takes as long as ten steps is
 * done once, and not in each phase; then the steps are as long as before. */
static void slow_plans_are_rare(hs_context *context, int rank, int size)
{
    const hs_boxes_domain domain = {2, {ROWS, COLUMNS}, {0, 0}, 1, HS_BOXES_FACES};
    hs_box_layout *layout;
    int64_t *data;
    double cell_s = (double)STEP_S * size / (ROWS * COLUMNS) * (1 + rank % 3);
    plan_s = 10 * STEP_S;
    REQUIRE(hs_box_create(context, &domain, &(hs_box_params){.method = HS_BOXES_GRID}, &layout) == HS_OK);
    REQUIRE(hs_box_add_array(layout, sizeof *data, (void **)&data) == HS_OK);
    visit(layout, data, 0);
    run(layout, &data, 100, cell_s);
    int before = plans_made;
    double begun = clock_ahead, mine = cell_s * (double)cells(layout), longest;
    MPI_Allreduce(&mine, &longest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    run(layout, &data, 200, cell_s);
    REQUIRE(plans_made <= before + 2); /* of borders that slide, and anew */
    REQUIRE(clock_ahead - begun <= 200 * longest + 2 * plan_s + STEP_S);
    hs_box_free(layout);
    plan_s = 0;
}

/* One rank waits for its exchange too late, while hosts are unequal: it is told in each step, the others when boxes were to
 * move. No rank waits for it, and it can go on. */
static void late_exchange_is_refused(hs_context *context, int rank, int size)
{
    const hs_boxes_domain domain = {2, {ROWS, COLUMNS}, {0, 0}, 1, HS_BOXES_FACES};
    hs_box_layout *layout;
    hs_box_stats stats;
    int64_t *data;
    int late = rank == size - 1, refused = 0;
    double cell_s = (double)STEP_S * size / (ROWS * COLUMNS) * (1 + rank % 3);
    REQUIRE(hs_box_create(context, &domain, NULL, &layout) == HS_OK);
    REQUIRE(hs_box_add_array(layout, sizeof *data, (void **)&data) == HS_OK);
    visit(layout, data, 0);
    for (int k = 0; k < 100; k++) {
        REQUIRE(hs_box_exchange_start(layout, data) == HS_OK);
        hs_box_compute_begin(layout);
        clock_pass(cell_s * (double)cells(layout));
        hs_box_compute_end(layout);
        REQUIRE(late || hs_box_exchange_wait(layout, data) == HS_OK);
        clock_meet();
        hs_status status = hs_box_balance(layout);
        REQUIRE(status == HS_ERR_STATE || (status == HS_UNCHANGED && !late));
        refused += status == HS_ERR_STATE;
        REQUIRE(!late || hs_box_exchange_wait(layout, data) == HS_OK);
    }
    hs_box_get_stats(layout, &stats);
    REQUIRE(stats.steps == 100 && stats.moves == 0 && (size == 1 || refused > 0));
    REQUIRE((run(layout, &data, 100, cell_s) > 0) == (size > 1));
    hs_box_free(layout);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    hs_context *context = start_balanced();
    MPI_Comm_rank(hs_comm(context), &rank);
    MPI_Comm_size(hs_comm(context), &size);
    for (int method = HS_BOXES_BEST; method <= HS_BOXES_COLUMNS; method++)
        drift_is_followed(context, (hs_boxes_method)method, rank, size);
    slow_plans_are_rare(context, rank, size);
    start_again(&context);
    late_exchange_is_refused(context, rank, size);
    REQUIRE(hs_finalize(&context) == HS_OK);
    MPI_Finalize();
    return 0;
}
