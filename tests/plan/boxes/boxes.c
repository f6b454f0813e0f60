/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/plan/boxes/checked.h"

enum { MAX_HOSTS = 24, SMALL = 4 };

static hs_boxes_domain rectangle(int64_t rows, int64_t columns)
{
    return (hs_boxes_domain){.dims = 2, .extent = {rows, columns}, .halo = 1};
}

/* ---- Oracle: every order of the hosts, every number of columns, all sizes. ---- */

typedef struct oracle {
    const hs_boxes_domain *domain;
    const double *cycle, *halo;
    hs_step_model model;
    int hosts, order[SMALL], column[SMALL]; /* host and column of each place; columns rise */
    hs_box box[SMALL];                      /* by host */
    double best;
} oracle;

/* Places k on: rows from y on, columns from x on, in a column so wide. */
static void all_sizes(oracle *o, int k, int64_t y, int64_t x, int64_t width)
{
    const int64_t *extent = o->domain->extent;
    if (k == o->hosts) {
        if (y == extent[0] && x + width == extent[1])
            o->best = fmin(o->best, hs__boxes_step(o->domain, o->box, o->cycle, o->halo, o->hosts, o->model));
        return;
    }
    if (k == 0 || o->column[k] != o->column[k - 1]) { /* a column begins */
        if (k > 0 && y != extent[0])
            return;
        x += width;
        for (int64_t w = 0; w <= extent[1] - x; w++)
            for (int64_t h = 0; h <= extent[0]; h++) {
                o->box[o->order[k]] = h && w ? (hs_box){{0, x, 0}, {h, w, 1}} : (hs_box){{0}, {0}};
                all_sizes(o, k + 1, h, x, w);
            }
        return;
    }
    for (int64_t h = 0; h <= extent[0] - y; h++) {
        o->box[o->order[k]] = h && width ? (hs_box){{y, x, 0}, {h, width, 1}} : (hs_box){{0}, {0}};
        all_sizes(o, k + 1, y + h, x, width);
    }
}

static void all_orders(oracle *o, int placed)
{
    for (unsigned borders = 0; placed == o->hosts && borders < 1u << (o->hosts - 1); borders++) {
        o->column[0] = 0;
        for (int k = 1; k < o->hosts; k++)
            o->column[k] = o->column[k - 1] + (int)(borders >> (k - 1) & 1);
        all_sizes(o, 0, 0, 0, 0);
    }
    for (int k = placed; k < o->hosts; k++) {
        int first = o->order[placed];
        o->order[placed] = o->order[k];
        o->order[k] = first;
        all_orders(o, placed + 1);
        o->order[k] = o->order[placed];
        o->order[placed] = first;
    }
}

static double least_step(const hs_boxes_domain *d, const double *cycle, const double *halo, int hosts,
                         hs_step_model model)
{
    oracle o = {.domain = d, .cycle = cycle, .halo = halo, .model = model, .hosts = hosts, .best = INFINITY};
    for (int i = 0; i < hosts; i++)
        o.order[i] = i;
    all_orders(&o, 0);
    return o.best;
}

/* Rows and grids are among the oracle's layouts. Small domains are the hard ones: a cell is much of a step there. */
static void near_the_optimum(void **state)
{
    enum { TRIALS = 120 };
    hs__random random = {17};
    double cycle[SMALL], halo[SMALL], sum = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        int hosts = 1 + trial % 3 + (trial % 12 == 0);
        hs_boxes_domain d = rectangle(2 + hs__random_below(&random, 4), 2 + hs__random_below(&random, 4));
        hs_boxes_params params = {.model = (hs_step_model)(trial / 3 % 2)};
        d.stencil = (hs_boxes_stencil)(trial / 6 % 2);
        d.periodic[trial % 2] = trial / 2 % 2;
        draw(&random, cycle, halo, hosts, trial % 5 * 0.05);
        hs_boxes *plan = plan_as(&d, cycle, halo, hosts, &params);
        double best = least_step(&plan->domain, cycle, halo, hosts, params.model), found = hs_boxes_step_time(plan);
        assert_true(found >= best * (1 - 1e-12) && found <= best * 1.2);
        sum += found / best;
        hs_boxes_free(plan);
    }
    assert_true(sum / TRIALS < 1.01);
}

/* A row of 4 cells takes 4 s on both hosts; the 12 cells of two faces, those of the boundary beside the row too, take
 * the second one 24 s, so it gets 6 rows less. */
static void rows_by_hand(void **state)
{
    const double cycle[] = {1, 1}, halo[] = {0, 2};
    hs_boxes_domain d = rectangle(10, 4);
    hs_boxes *plan = plan_as(&d, cycle, halo, 2, &(hs_boxes_params){.method = HS_BOXES_ROWS});
    assert_int_equal(hs_boxes_all(plan)[0].count[0], 8);
    assert_int_equal(hs_boxes_all(plan)[1].count[0], 2);
    hs_boxes_free(plan);
}

/* A halo costs more than the other hosts bring: the fastest takes all cells, however they are cut, also where others hold some. */
static void slow_links_leave_one_host(void **state)
{
    const double cycle[] = {2, 1, 2}, halo[] = {100, 100, 100};
    hs_boxes_domain d = rectangle(30, 20);
    for (hs_boxes_method method = HS_BOXES_BEST; method <= HS_BOXES_COLUMNS; method++) {
        hs_boxes *all = plan_as(&d, cycle, NULL, 3, &(hs_boxes_params){.method = method});
        assert_true(hs__box_cells(&hs_boxes_all(all)[0]) > 0 && hs_boxes_step_time(all) < 400);
        for (int is_held = 0; is_held < 2; is_held++) {
            const hs_boxes_params params = {.method = method, .held = is_held ? all : NULL};
            hs_boxes *plan = plan_as(&d, cycle, halo, 3, &params);
            assert_int_equal(hs__box_cells(&hs_boxes_all(plan)[1]), 600);
            assert_true(hs_boxes_step_time(plan) == 600);
            hs_boxes_free(plan);
        }
        hs_boxes_free(all);
    }
}

/* Where the fastest host has no place in what is held, the others keep theirs. */
static void the_fastest_host_has_no_place(void **state)
{
    const double before[] = {1, 1, INFINITY}, cycle[] = {1, 1, 0.5}, halo[] = {100, 100, 100};
    hs_boxes_domain d = rectangle(30, 20);
    hs_boxes *held = plan_as(&d, before, NULL, 3, &(hs_boxes_params){.method = HS_BOXES_GRID});
    hs_boxes *plan = plan_as(&d, cycle, halo, 3, &(hs_boxes_params){.held = held});
    assert_int_equal(hs__box_cells(&hs_boxes_all(plan)[2]), 0);
    hs_boxes_free(plan);
    hs_boxes_free(held);
}

/* The best of the three is as good as each; sliding borders of what is held is never better than a free choice by
 * much, and keeps who stands where. */
static void best_is_least(void **state)
{
    hs__random random = {19};
    double cycle[MAX_HOSTS], halo[MAX_HOSTS];
    for (int trial = 0; trial < 24; trial++) {
        int hosts = 1 + (int)hs__random_below(&random, MAX_HOSTS);
        hs_boxes_domain d = rectangle(40 + hs__random_below(&random, 400), 40 + hs__random_below(&random, 400));
        draw(&random, cycle, halo, hosts, trial % 3);
        if (hosts > 1)
            cycle[trial % hosts] = INFINITY;
        hs_boxes *best = plan_as(&d, cycle, halo, hosts, NULL);
        for (hs_boxes_method method = HS_BOXES_ROWS; method <= HS_BOXES_COLUMNS; method++) {
            hs_boxes *one = plan_as(&d, cycle, halo, hosts, &(hs_boxes_params){.method = method});
            assert_int_equal(hs_boxes_method_of(one), method);
            assert_true(hs_boxes_step_time(best) <= hs_boxes_step_time(one));
            hs_boxes *same = plan_as(&d, cycle, halo, hosts, &(hs_boxes_params){.held = one});
            assert_int_equal(hs_boxes_method_of(same), method);
            assert_memory_equal(hs_boxes_all(same), hs_boxes_all(one), (size_t)hosts * sizeof(hs_box));
            hs_boxes_free(same);
            hs_boxes_free(one);
        }
        hs_boxes_free(best);
    }
}

/* Equal hosts, few bytes: a square of 12 hosts is cut into 3 x 4, with about half the halo of rows. */
static void halos_make_grids(void **state)
{
    hs_boxes_domain d = rectangle(1200, 1200);
    double cycle[12], halo[12];
    int shape[3];
    for (int i = 0; i < 12; i++) {
        cycle[i] = 1;
        halo[i] = 10;
    }
    hs_boxes *plan = plan_as(&d, cycle, halo, 12, &(hs_boxes_params){.method = HS_BOXES_GRID});
    assert_int_equal(hs_boxes_shape(plan, shape), HS_OK);
    int rows = shape[0], columns = shape[1];
    assert_int_equal(shape[2], 1);
    assert_int_equal(rows * columns, 12);
    assert_true(rows == 3 || rows == 4);
    assert_int_equal(hs_boxes_host(plan, (int[]){rows, 0, 0}), -1);
    assert_int_equal(hs_boxes_host(plan, (int[]){0, -1, 0}), -1);
    assert_true(hs_boxes_step_time(plan) < 1200 * 1200 / 12. + 10 * (2 * 300 + 2 * 400) + 10000);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            const hs_box *box = &hs_boxes_all(plan)[hs_boxes_host(plan, (int[]){i, j, 0})];
            const hs_box *corner = &hs_boxes_all(plan)[hs_boxes_host(plan, (int[]){0, 0, 0})];
            assert_true(i > 0 || box->count[0] == corner->count[0]);
            assert_true(j > 0 || box->count[1] == corner->count[1]);
        }
    hs_boxes_free(plan);
}

/* Columns and slabs have no lines of hosts. */
static void columns_have_no_shape(void **state)
{
    const double cycle[] = {1, 2, 3, 4, 5}, halo[] = {1, 1, 1, 1, 1};
    const hs_boxes_domain flat = rectangle(100, 80), deep = {.dims = 3, .extent = {20, 20, 20}, .halo = 1};
    for (int slabs = 0; slabs < 2; slabs++) {
        int shape[3] = {7, 7, 7};
        hs_boxes_params params = {.method = slabs ? HS_BOXES_SLABS : HS_BOXES_COLUMNS};
        hs_boxes *plan = plan_as(slabs ? &deep : &flat, cycle, halo, 5, &params);
        assert_int_equal(hs_boxes_method_of(plan), params.method);
        assert_int_equal(hs_boxes_shape(plan, shape), HS_ERR_STATE);
        assert_true(shape[0] == 7 && shape[1] == 7 && shape[2] == 7);
        assert_int_equal(hs_boxes_host(plan, (int[]){0, 0, 0}), -1);
        hs_boxes_free(plan);
    }
}

/* A host behind a slow link computes less, or nothing. */
static void slow_links_count(void **state)
{
    hs_boxes_domain d = rectangle(100, 100);
    const double cycle[] = {1, 1, 1, 1}, halo[] = {0, 0, 0, 5}, dear[] = {0, 0, 0, 1e6};
    for (hs_boxes_method method = HS_BOXES_BEST; method <= HS_BOXES_COLUMNS; method++) {
        hs_boxes_params params = {.method = method};
        hs_boxes *plan = plan_as(&d, cycle, halo, 4, &params);
        int64_t slow = hs__box_cells(&hs_boxes_all(plan)[3]), fast = hs__box_cells(&hs_boxes_all(plan)[0]);
        assert_true(method == HS_BOXES_GRID ? slow <= fast : slow < fast);
        hs_boxes_free(plan);
        plan = plan_as(&d, cycle, dear, 4, &params);
        assert_true(method == HS_BOXES_GRID || hs__box_cells(&hs_boxes_all(plan)[3]) == 0);
        hs_boxes_free(plan);
    }
}

static void layers_are_not_cut(void **state)
{
    hs_boxes_domain d = {3, {30, 20, 7}, {0, 1, 1}, 1, HS_BOXES_FACES}, line = {1, {50}, {1}, 2, HS_BOXES_FACES};
    const double cycle[] = {1, 2, 3, 4};
    for (hs_boxes_method method = HS_BOXES_ROWS; method <= HS_BOXES_COLUMNS; method++) {
        hs_boxes *three = plan_as(&d, cycle, NULL, 4, &(hs_boxes_params){.method = method});
        for (int i = 0; i < 4; i++)
            assert_int_equal(hs_boxes_all(three)[i].count[2], 7);
        hs_boxes_free(three);
    }
    hs_boxes *plan = plan_as(&line, cycle, NULL, 4, NULL);
    assert_int_equal(hs_boxes_method_of(plan), HS_BOXES_ROWS);
    assert_int_equal(hs_boxes_halo_cells(plan, 0), 4);
    hs_boxes_free(plan);
}

static void refuse(const hs_boxes_domain *d, const double *cycle, const double *halo, int hosts,
                   const hs_boxes_params *params, hs_status expected, const char *words)
{
    hs_boxes *plan = NULL;
    hs_error error = {.line = 7};
    assert_int_equal(hs_boxes_create(d, cycle, halo, hosts, params, &plan, &error), expected);
    assert_null(plan);
    if (*words)
        CHECK_ERROR_SAYS(&error, 0, words);
}

static void bad_input(void **state)
{
    const hs_boxes_domain good = {2, {8, 9}, {0, 1}, 1, HS_BOXES_FACES};
    const double cycle[] = {1, 2}, nan[] = {1, NAN}, none[] = {INFINITY, INFINITY}, minus[] = {1, -1};
    const double endless[] = {INFINITY, 0};
    hs_boxes_domain d = good, line = {.dims = 1, .extent = {8}};
    refuse(&good, cycle, NULL, 0, NULL, HS_ERR_ARG, "hosts");
    refuse(&good, nan, NULL, 2, NULL, HS_ERR_ARG, "cycle_time[1]");
    refuse(&good, minus, NULL, 2, NULL, HS_ERR_ARG, "cycle_time[1]");
    refuse(&good, none, NULL, 2, NULL, HS_ERR_INFEASIBLE, "no host takes cells");
    refuse(&good, cycle, minus, 2, NULL, HS_ERR_ARG, "halo_time[1]");
    refuse(&good, cycle, endless, 2, NULL, HS_ERR_ARG, "halo_time[0]");
    refuse(&good, cycle, NULL, 2, &(hs_boxes_params){.method = 9}, HS_ERR_ARG, "method");
    refuse(&good, cycle, NULL, 2, &(hs_boxes_params){.model = 9}, HS_ERR_ARG, "model");
    refuse(&good, cycle, NULL, 2, &(hs_boxes_params){.reserved = {1}}, HS_ERR_ARG, "reserved");
    refuse(&line, cycle, NULL, 2, &(hs_boxes_params){.method = HS_BOXES_GRID}, HS_ERR_ARG,
           "method is 2, expected 0 to 1 in 1 dimensions");
    refuse(&good, cycle, NULL, 2, &(hs_boxes_params){.method = HS_BOXES_SLABS}, HS_ERR_ARG,
           "method is 5, expected 0 to 3 in 2 dimensions");
#define WRONG(member, value, words) \
    d = good;                       \
    d.member = value;               \
    refuse(&d, cycle, NULL, 2, NULL, HS_ERR_ARG, words)
    WRONG(dims, 0, "dims");
    WRONG(dims, 4, "dims");
    WRONG(extent[1], 0, "extent[1]");
    WRONG(extent[0], INT64_MAX, "extent[0]");
    WRONG(halo, -1, "halo");
    WRONG(halo, 9, "halo");
    WRONG(periodic[0], 2, "periodic[0]");
    WRONG(stencil, 7, "stencil");
    d = (hs_boxes_domain){3, {1 << 25, 1 << 25, 1 << 25}, {0}, 0, HS_BOXES_FACES};
    refuse(&d, cycle, NULL, 2, NULL, HS_ERR_ARG, "too many cells");
    hs_boxes *held = plan_as(&good, cycle, NULL, 2, NULL);
    d = good;
    d.extent[0] = 9;
    refuse(&d, cycle, NULL, 2, &(hs_boxes_params){.held = held}, HS_ERR_ARG, "another domain");
    refuse(&good, cycle, NULL, 1, &(hs_boxes_params){.held = held}, HS_ERR_ARG, "2 hosts");
    hs_boxes_free(held);
    hs_boxes_free(NULL);
}

/* ---- Memory that runs out at each allocation. ---- */

static void out_of_memory(void **state)
{
    hs_boxes_domain d = rectangle(20, 30);
    assert_true(tries_until_made(&d) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_the_optimum),
        cmocka_unit_test(best_is_least),
        cmocka_unit_test(halos_make_grids),
        cmocka_unit_test(columns_have_no_shape),
        cmocka_unit_test(slow_links_count),
        cmocka_unit_test(layers_are_not_cut),
        cmocka_unit_test(bad_input),
        cmocka_unit_test(out_of_memory),
        cmocka_unit_test(rows_by_hand),
        cmocka_unit_test(slow_links_leave_one_host),
        cmocka_unit_test(the_fastest_host_has_no_place),
    };
    return cmocka_run_group_tests_name("boxes", tests, NULL, NULL);
}
