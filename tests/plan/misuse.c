/* SPDX-License-Identifier: BSD-3-Clause */
/* Objects that are NULL are refused by name wherever a status can say so. */
#include "tests/plan/one_switch.h"
#include "tests/unit.h"
#include <heteroslice/hs_boxes.h>
#include <heteroslice/hs_collective.h>
#include <heteroslice/hs_columns.h>
#include <heteroslice/hs_divisible.h>
#include <heteroslice/hs_grid.h>
#include <heteroslice/hs_rebalance.h>
#include <heteroslice/hs_ring.h>
#include <heteroslice/hs_slices.h>

static hs_error error;

/* The call is refused, and its text begins with its name and says which argument is NULL. */
#define REFUSED(argument, function, ...)                                                       \
    do {                                                                                       \
        assert_int_equal(function(__VA_ARGS__), HS_ERR_ARG);                                   \
        CHECK_ERROR(&error, 0, #function ": " #argument " is NULL, expected one that exists"); \
    } while (0)

static void platforms(void **state)
{
    hs_platform *platform = one_switch((const double[]){1, 2}, 2, 100, 0), *none = NULL;
    hs_route route = {0};
    const hs_arc *arcs;
    size_t count;
    int n;
    double rate;
    REFUSED(path, hs_platform_read, NULL, &none, &error);
    REFUSED(platform, hs_platform_read, "none.xml", NULL, &error);
    REFUSED(platform, hs_platform_write, NULL, "none.xml", &error);
    REFUSED(path, hs_platform_write, platform, NULL, &error);
    REFUSED(platform, hs_platform_check, NULL, &error);
    REFUSED(platform, hs_platform_add_host, NULL, "h", 1, 1, &n, &error);
    REFUSED(platform, hs_platform_add_router, NULL, "r", &n, &error);
    REFUSED(platform, hs_platform_add_link, NULL, "l", 1, 0, HS_SHARED, &n, &error);
    REFUSED(platform, hs_platform_add_duplex, NULL, "l", 1, 0, &n, &error);
    REFUSED(platform, hs_platform_set_host_speed_function, NULL, 0, NULL, &error);
    REFUSED(platform, hs_platform_add_edge, NULL, 0, 1, 0, &error);
    REFUSED(platform, hs_platform_add_route, NULL, 0, 1, &n, 1, 1, &error);
    REFUSED(platform, hs_platform_generate, 3, 1, 3, 1, NULL, &error);
    assert_int_equal(hs_platform_create(HS_ROUTING_FULL, NULL), HS_ERR_ARG);
    assert_int_equal(hs_platform_route(NULL, 0, 1, &route), HS_ERR_ARG);
    assert_int_equal(hs_platform_route(platform, 0, 1, NULL), HS_ERR_ARG);
    assert_int_equal(hs_platform_route_listed(NULL, 0, 1, &route), HS_ERR_ARG);
    assert_int_equal(hs_platform_arcs(NULL, &arcs, &count), HS_ERR_ARG);
    assert_int_equal(hs_platform_maxmin(NULL, NULL, NULL, 1, &rate), HS_ERR_ARG);
    hs_platform_free(platform);
    (void)state;
}

static void checks(void **state)
{
    const double one[] = {1};
    hs_ring_params ring;
    hs_collective_params collective;
    hs_divisible_params divisible;
    hs_platform *platform = one_switch(one, 1, 100, 0);
    hs_ring_params_init(&ring);
    hs_collective_params_init(&collective);
    hs_divisible_params_init(&divisible);
    REFUSED(platform, hs_ring_check, NULL, &ring, NULL, &error);
    REFUSED(ring, hs_ring_check, platform, &ring, NULL, &error);
    REFUSED(plan, hs_collective_check, &collective, NULL, &error);
    REFUSED(plan, hs_divisible_check, &divisible, NULL, &error);
    REFUSED(plan, hs_boxes_check, NULL, one, NULL, HS_STEP_SERIAL, &error);
    REFUSED(plan, hs_columns_check, NULL, &error);
    REFUSED(grid, hs_grid_check, NULL, one, 1, &error);
    REFUSED(plan, hs_rebalance_check, NULL, NULL, NULL, &error);
    REFUSED(count, hs_slices_check, NULL, 1, 1, 1, &error);
    hs_platform_free(platform);
    (void)state;
}

static void others(void **state)
{
    hs_column_layout layout;
    hs_box_piece *piece;
    int shape[HS_BOXES_MAX_DIMS], count;
    assert_int_equal(hs_columns_layout(NULL, &layout), HS_ERR_ARG);
    assert_int_equal(hs_boxes_shape(NULL, shape), HS_ERR_ARG);
    assert_int_equal(hs_boxes_halo(NULL, 0, &piece, &count), HS_ERR_ARG);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(platforms), cmocka_unit_test(checks), cmocka_unit_test(others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
