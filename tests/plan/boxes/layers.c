/* SPDX-License-Identifier: BSD-3-Clause */
/* Domains whose three dimensions are cut. */
#include "tests/plan/boxes/checked.h"

enum { MAX_HOSTS = 40 };

/* ---- Oracle: all cuts from border to border, again and again, and all hosts for what is left. ---- */

typedef struct oracle {
    hs_boxes_domain domain;
    const double *cycle, *halo;
    hs_step_model model;
} oracle;

/* The least time of a box on a set of hosts, of which some may stay idle. Those of a box cut in two share nothing but
 * the time: a host's halo is that of its own box. */
static double least_step(const oracle *o, hs_box box, unsigned hosts)
{
    double best = INFINITY;
    for (int i = 0; hosts >> i; i++)
        if (hosts >> i & 1)
            best = fmin(best, hs__boxes_step(&o->domain, &box, &o->cycle[i], &o->halo[i], 1, o->model));
    for (unsigned part = (hosts - 1) & hosts; part; part = (part - 1) & hosts)
        for (int d = 0; d < HS__DIMS; d++)
            for (int64_t cut = 1; cut < box.count[d]; cut++) {
                hs_box low = box, high = box;
                low.count[d] = cut;
                high.first[d] += cut;
                high.count[d] -= cut;
                double first = least_step(o, low, part);
                if (first < best)
                    best = fmin(best, fmax(first, least_step(o, high, hosts & ~part)));
            }
    return best;
}

static hs_boxes_domain draw_domain(hs__random *random, int64_t least, int64_t range)
{
    hs_boxes_domain d = {.dims = 3, .halo = 1};
    for (int k = 0; k < 3; k++) {
        d.extent[k] = least + hs__random_below(random, range);
        d.periodic[k] = (int)hs__random_below(random, 2);
    }
    d.stencil = (hs_boxes_stencil)hs__random_below(random, 2);
    return d;
}

/* Every method is among the oracle's cuts. Small domains are the hard ones: a layer is much of a step there. */
static void near_the_optimum(void **state)
{
    enum { TRIALS = 90 };
    hs__random random = {23};
    double cycle[4], halo[4], sum = 0;
    int optimal = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        int hosts = 2 + trial % 3;
        hs_boxes_domain d = draw_domain(&random, 2, hosts == 4 ? 3 : 4);
        hs_boxes_params params = {.model = (hs_step_model)(trial / 3 % 2)};
        draw(&random, cycle, halo, hosts, trial % 5 * 0.2);
        oracle o = {d, cycle, halo, params.model};
        double best = least_step(&o, (hs_box){{0}, {d.extent[0], d.extent[1], d.extent[2]}}, (1u << hosts) - 1);
        for (params.method = HS_BOXES_SLABS; params.method >= HS_BOXES_BEST; params.method--) {
            hs_boxes *plan = plan_as(&d, cycle, halo, hosts, &params);
            double found = hs_boxes_step_time(plan);
            assert_true(found >= best * (1 - 1e-12));
            if (params.method == HS_BOXES_BEST) {
                assert_true(found <= best * 1.8);
                sum += found / best;
                optimal += found <= best * (1 + 1e-12);
            }
            hs_boxes_free(plan);
            if (params.method == HS_BOXES_BEST)
                break;
        }
    }
    assert_true(sum / TRIALS < 1.04 && optimal >= 2 * TRIALS / 3);
}

/* Unequal hosts in three dimensions: the best of all methods is as good as each, and one that is held stays. */
static void best_is_least(void **state)
{
    hs__random random = {29};
    double cycle[MAX_HOSTS], halo[MAX_HOSTS];
    for (int trial = 0; trial < 16; trial++) {
        int hosts = 1 + (int)hs__random_below(&random, MAX_HOSTS);
        hs_boxes_domain d = draw_domain(&random, 10, 60);
        draw(&random, cycle, halo, hosts, trial % 3 * 2);
        if (hosts > 1)
            cycle[trial % hosts] = INFINITY;
        hs_boxes *best = plan_as(&d, cycle, halo, hosts, NULL);
        for (hs_boxes_method method = HS_BOXES_ROWS; method <= HS_BOXES_SLABS; method++) {
            hs_boxes *one = plan_as(&d, cycle, halo, hosts, &(hs_boxes_params){.method = method});
            assert_int_equal(hs_boxes_method_of(one), method);
            assert_true(hs_boxes_step_time(best) <= hs_boxes_step_time(one));
            hs_boxes *same = plan_as(&d, cycle, halo, hosts, &(hs_boxes_params){.held = one});
            assert_true(hs__boxes_same_places(one, same));
            assert_memory_equal(hs_boxes_all(same), hs_boxes_all(one), (size_t)hosts * sizeof(hs_box));
            hs_boxes_free(same);
            hs_boxes_free(one);
        }
        hs_boxes_free(best);
    }
}

/* Eight equal hosts on a cube: 2 x 2 x 2 boxes have three faces of 30 x 30 cells each; pencils have two of 30 x 60. */
static void cubes_have_the_least_halo(void **state)
{
    const hs_boxes_domain d = {3, {60, 60, 60}, {0, 0, 0}, 1, HS_BOXES_FACES};
    const double cycle[] = {1, 1, 1, 1, 1, 1, 1, 1}, halo[] = {3, 3, 3, 3, 3, 3, 3, 3};
    hs_boxes *plan = plan_as(&d, cycle, halo, 8, NULL);
    assert_true(hs_boxes_method_of(plan) >= HS_BOXES_GRID_3D);
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            assert_int_equal(hs_boxes_all(plan)[i].count[k], 30);
    hs_boxes_free(plan);
}

/* A grid has one height a row, one width a column, one thickness a plane. */
static void grids_have_lines(void **state)
{
    const hs_boxes_domain d = {3, {40, 50, 60}, {0, 1, 0}, 1, HS_BOXES_CORNERS};
    double cycle[18], halo[18];
    int shape[3], at[3];
    hs__random random = {31};
    draw(&random, cycle, halo, 18, 1);
    hs_boxes *plan = plan_as(&d, cycle, halo, 18, &(hs_boxes_params){.method = HS_BOXES_GRID_3D});
    assert_int_equal(hs_boxes_shape(plan, shape), HS_OK);
    assert_true(shape[0] > 1 && shape[1] > 1 && shape[2] > 1);
    for (at[0] = 0; at[0] < shape[0]; at[0]++)
        for (at[1] = 0; at[1] < shape[1]; at[1]++)
            for (at[2] = 0; at[2] < shape[2]; at[2]++) {
                const hs_box *box = &hs_boxes_all(plan)[hs_boxes_host(plan, at)];
                for (int k = 0; k < 3; k++) {
                    int line[3] = {0, 0, 0};
                    line[k] = at[k];
                    const hs_box *first = &hs_boxes_all(plan)[hs_boxes_host(plan, line)];
                    assert_true(box->first[k] == first->first[k] && box->count[k] == first->count[k]);
                }
            }
    assert_int_equal(hs_boxes_host(plan, (int[]){0, 0, shape[2]}), -1);
    hs_boxes_free(plan);
}

/* A domain that is thin in one dimension is not cut there, whichever it is; boxes at a fixed boundary, with less halo, are
 * somewhat larger than the others. */
static void thin_ones_stay_whole(void **state)
{
    double cycle[16], halo[16];
    for (int i = 0; i < 16; i++) {
        cycle[i] = 1;
        halo[i] = 2;
    }
    for (int thin = 0; thin < 3; thin++) {
        hs_boxes_domain d = {3, {64, 64, 64}, {0, 0, 0}, 1, HS_BOXES_FACES};
        d.extent[thin] = 2;
        hs_boxes *plan = plan_as(&d, cycle, halo, 16, NULL);
        for (int i = 0; i < 16; i++)
            for (int k = 0; k < 3; k++)
                assert_in_range(hs_boxes_all(plan)[i].count[k], k == thin ? 2 : 14, k == thin ? 2 : 18);
        hs_boxes_free(plan);
    }
}

static void out_of_memory(void **state)
{
    hs_boxes_domain d = {3, {20, 30, 10}, {0, 1, 0}, 1, HS_BOXES_FACES};
    assert_true(tries_until_made(&d) > 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_the_optimum),          cmocka_unit_test(best_is_least),
        cmocka_unit_test(cubes_have_the_least_halo), cmocka_unit_test(grids_have_lines),
        cmocka_unit_test(thin_ones_stay_whole),      cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests_name("boxes: three dimensions", tests, NULL, NULL);
}
