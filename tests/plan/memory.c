/* SPDX-License-Identifier: BSD-3-Clause */
/* Whichever allocation of a planner fails, it says so, and leaves its outputs as they were and nothing behind. */
#include "plan/discover/discover.h"
#include "tests/plan/one_switch.h"
#include "tests/short_of_memory.h"
#include "util/assert.h"
#include <heteroslice/hs_columns.h>
#include <heteroslice/hs_divisible.h>
#include <heteroslice/hs_grid.h>
#include <heteroslice/hs_mapping.h>
#include <heteroslice/hs_rebalance.h>
#include <heteroslice/hs_reduction.h>
#include <heteroslice/hs_ring.h>

enum { HOSTS = 5 };
static const double speed[] = {1, 2, 3, 4, 5};

/* The hosts on one switch. */
static hs_platform *platform;

static hs_status make_ring(const void *params)
{
    hs_ring *ring = NULL;
    hs_status status = hs_ring_create(platform, params, &ring, NULL);
    assert_int_equal(ring != NULL, status == HS_OK);
    hs_ring_free(ring);
    return status;
}

static void rings(void **state)
{
    hs_ring_params params;
    hs_ring_params_init(&params);
    params.work = 100;
    params.halo = 1;
    for (int routes = 0; routes < 2; routes++) {
        params.routes = (hs_ring_routes)routes;
        assert_true(fail_each_allocation(make_ring, &params) > 20);
        params.data = 1e9;
        assert_true(fail_each_allocation(make_ring, &params) > 20);
        params.data = 0;
    }
}

static hs_status make_columns(const void *params)
{
    hs_columns *plan = NULL;
    hs_status status = hs_columns_create(speed, HOSTS, params, &plan);
    assert_int_equal(plan != NULL, status == HS_OK);
    hs_columns_free(plan);
    return status;
}

static void columns(void **state)
{
    static const int64_t blocks[] = {0, 3, 40};
    for (int k = 0; k < 12; k++) {
        hs_columns_params params = {.objective = k % 2 ? HS_COLUMNS_MAX : HS_COLUMNS_SUM,
                                    .method = k / 2 % 2 ? HS_COLUMNS_RECURSIVE : HS_COLUMNS_COLUMNS,
                                    .blocks = blocks[k / 4],
                                    .tolerance = 0.1};
        assert_true(fail_each_allocation(make_columns, &params) > 5);
    }
}

static hs_status make_grid(const void *blocks)
{
    hs_grid *grid = NULL;
    hs_status status = hs_grid_create((const double[]){6, 5, 4, 3, 2, 1}, 2, 3, *(const int64_t *)blocks, &grid);
    assert_int_equal(grid != NULL, status == HS_OK);
    hs_grid_free(grid);
    return status;
}

static void grids(void **state)
{
    const int64_t none = 0, some = 60;
    assert_true(fail_each_allocation(make_grid, &none) > 5);
    assert_true(fail_each_allocation(make_grid, &some) > 5);
}

static const int first[] = {0, 2, 5}, host[] = {0, 1, 2, 3, 4};
static const int64_t width[] = {10, 20}, height[] = {10, 20, 12, 10, 8}, delta[] = {2, -2, -3, 1, 2};
static const hs_column_layout layout = {2, first, width, host, height};

static hs_status make_rebalance(const void *params)
{
    hs_rebalance *plan = NULL;
    hs_status status = hs_rebalance_create(&layout, delta, params, &plan, NULL);
    assert_int_equal(plan != NULL, status == HS_OK);
    hs_rebalance_free(plan);
    return status;
}

static hs_status make_rebalance_by_speeds(const void *params)
{
    hs_rebalance *plan = NULL;
    hs_status status = hs_rebalance_create_speeds(&layout, (const double[]){1, 2, 3, 4, 9}, HOSTS, params, &plan, NULL);
    assert_int_equal(plan != NULL, status == HS_OK);
    hs_rebalance_free(plan);
    return status;
}

static void rebalances(void **state)
{
    static const hs_rebalance_method methods[] = {HS_REBALANCE_EXACT, HS_REBALANCE_GREEDY, HS_REBALANCE_SLIDES};
    for (int k = 0; k < 6; k++) {
        hs_rebalance_params params = {.method = methods[k % 3],
                                      .model = k / 3 ? HS_REBALANCE_OWNERS : HS_REBALANCE_CONSTANT};
        assert_true(fail_each_allocation(make_rebalance, &params) > 5);
        assert_true(fail_each_allocation(make_rebalance_by_speeds, &params) > 5);
    }
}

static hs_status make_divisible(const void *params)
{
    hs_divisible *plan = NULL;
    hs_status status = hs_divisible_create(params, &plan, NULL);
    assert_int_equal(plan != NULL, status == HS_OK);
    hs_divisible_free(plan);
    return status;
}

static void divisibles(void **state)
{
    const double comm[] = {0, .1, .2, .3, .4}, latency[] = {0, 1, 1, 2, 2};
    hs_divisible_params params;
    hs_divisible_params_init(&params);
    params.hosts = HOSTS;
    params.cycle_time = speed;
    params.comm_time = comm;
    params.load = 100;
    for (int k = 0; k < 8; k++) {
        params.latency = k % 2 ? latency : NULL;
        params.results = k / 2 % 2 ? .5 : 0;
        params.items = k / 4 ? HS_DIVISIBLE_INTEGER : HS_DIVISIBLE_REAL;
        assert_true(fail_each_allocation(make_divisible, &params) > 5);
    }
}

static hs_status make_reduction(const void *method)
{
    hs_reduction *plan = NULL;
    hs_error error = {0, ""};
    hs_status status = hs_reduction_create(speed, HOSTS, *(const hs_reduction_method *)method, 0, &plan, &error);
    assert_int_equal(plan != NULL, status == HS_OK);
    CHECK_ERROR(&error, 0, status < HS_OK ? "out of memory" : "");
    hs_reduction_free(plan);
    return status;
}

static void reductions(void **state)
{
    static const hs_reduction_method methods[] = {HS_REDUCTION_SNF, HS_REDUCTION_PAPER, HS_REDUCTION_OPTIMAL};
    for (int k = 0; k < 3; k++)
        assert_true(fail_each_allocation(make_reduction, &methods[k]) > 1);
}

static hs_status make_given_reduction(const void *order)
{
    hs_reduction *plan = NULL;
    hs_error error = {0, ""};
    hs_status status = hs_reduction_create_given(speed, HOSTS, order, &plan, &error);
    assert_int_equal(plan != NULL, status == HS_OK);
    CHECK_ERROR(&error, 0, status < HS_OK ? "out of memory" : "");
    hs_reduction_free(plan);
    return status;
}

static void given_reductions(void **state)
{
    assert_true(fail_each_allocation(make_given_reduction, (const int[]){3, 2, 1, 0}) > 1);
}

static hs_status make_mapping(const void *extent)
{
    const int on[] = {0, 1, 2, 0, 1, 2}, periodic[] = {0, 1};
    const hs_mapping_params params = {.ranks = 6, .host = on};
    int rank[6] = {-7, -7, -7, -7, -7, -7};
    hs_mapping_cost cost = {-7, -7}, before = {-7, -7};
    hs_error error = {0, ""};
    hs_status status =
        hs_mapping_grid_ranks(platform, &params, 2, extent, periodic, NULL, rank, &cost, &before, &error);
    for (int v = 0; v < 6; v++)
        assert_int_equal(rank[v] == -7, status < HS_OK);
    assert_int_equal(cost.total < 0, status < HS_OK);
    assert_int_equal(before.total < 0, status < HS_OK);
    CHECK_ERROR(&error, 0, status < HS_OK ? "out of memory" : "");
    return status;
}

static void mappings(void **state)
{
    assert_true(fail_each_allocation(make_mapping, (const int[]){3, 2}) > 5);
}

/* As hs_status.h has it: with HS_CHECK=1 a plan is checked before it is returned. These checks take memory of their own, so
 * that without HS_CHECK fewer allocations are made. */
static void plans_are_checked(void **state)
{
    const double comm[] = {0, .1, .2, .3, .4};
    const hs_reduction_method method = HS_REDUCTION_OPTIMAL;
    const hs_rebalance_params by_column = {.method = HS_REBALANCE_EXACT};
    const hs_columns_params halves = {.method = HS_COLUMNS_RECURSIVE};
    const int64_t blocks = 60;
    hs_ring_params ring;
    hs_divisible_params divisible;
    hs_ring_params_init(&ring);
    ring.work = 100;
    hs_divisible_params_init(&divisible);
    divisible.hosts = HOSTS;
    divisible.cycle_time = speed;
    divisible.comm_time = comm;
    divisible.load = 100;
    const struct {
        hs_status (*make)(const void *argument);
        const void *argument;
    } plan[] = {
        {make_ring, &ring},
        {make_columns, &halves},
        {make_grid, &blocks},
        {make_rebalance, &by_column},
        {make_rebalance_by_speeds, &by_column},
        {make_divisible, &divisible},
        {make_reduction, &method},
        {make_given_reduction, (const int[]){3, 2, 1, 0}},
        {make_mapping, (const int[]){3, 2}},
    };
    int before = atomic_load(&hs__checking_flag);
    for (size_t k = 0; k < sizeof plan / sizeof *plan; k++) {
        atomic_store(&hs__checking_flag, 0);
        int plain = fail_each_allocation(plan[k].make, plan[k].argument);
        atomic_store(&hs__checking_flag, 1);
        int checked = fail_each_allocation(plan[k].make, plan[k].argument);
        assert_true(checked > plain);
    }
    atomic_store(&hs__checking_flag, before);
}

static hs_status make_discovery(const void *rates)
{
    hs__discovery *d = NULL;
    hs__probe_flow flow[HOSTS];
    hs__fit fit;
    hs_status status = hs__discovery_create(HOSTS, &d);
    for (int round = 0, n; round < 4 && status == HS_OK; round++) {
        status = hs__discovery_next(d, 4 - round, flow, &n);
        for (int i = 0; status == HS_OK && i < n; i++)
            flow[i].rate = ((const double *)rates)[flow[i].from];
        if (status == HS_OK)
            status = hs__discovery_add(d, flow, n);
    }
    if (status == HS_OK)
        status = hs__discovery_conclude(d);
    if (status == HS_OK)
        status = hs__discovery_fit(d, &fit);
    hs__discovery_free(d);
    return status;
}

static void discoveries(void **state)
{
    assert_true(fail_each_allocation(make_discovery, speed) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rings),
        cmocka_unit_test(columns),
        cmocka_unit_test(grids),
        cmocka_unit_test(rebalances),
        cmocka_unit_test(divisibles),
        cmocka_unit_test(reductions),
        cmocka_unit_test(mappings),
        cmocka_unit_test(discoveries),
        cmocka_unit_test(given_reductions),
        cmocka_unit_test(plans_are_checked),
    };
    platform = one_switch(speed, HOSTS, 100, 0);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    hs_platform_free(platform);
    return failed;
}
