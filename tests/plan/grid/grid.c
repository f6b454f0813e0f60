/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/grid/grid.h"
#include "tests/unit.h"
#include "util/random.h"

enum { MAX_HOSTS = 1200 };

static hs_grid *plan(const double *speed, int rows, int columns, int64_t blocks)
{
    hs_grid *g = NULL;
    assert_int_equal(hs_grid_create(speed, rows, columns, blocks, &g), HS_OK);
    assert_int_equal(hs_grid_rows(g), rows);
    assert_int_equal(hs_grid_columns(g), columns);
    return g;
}

static void check(const hs_grid *g, const double *speed, int64_t blocks)
{
    hs_error error = {0};
    if (hs_grid_check(g, speed, blocks, &error) != HS_OK)
        fail_msg("%s", error.text);
}

/* ---- Oracle: every arrangement, every spanning tree of tight constraints. ---- */

/* The value of the tree when it satisfies all constraints; 0 when the cells form no tree or it does not. */
static double tree_value(const double *speed, int rows, int columns, unsigned cells)
{
    double r[8] = {1}, c[8] = {0}, sum_r = 0, sum_c = 0;
    for (int pass = 0; pass < rows + columns; pass++)
        for (int cell = 0; cell < rows * columns; cell++) {
            int i = cell / columns, j = cell % columns;
            if (!(cells >> cell & 1))
                continue;
            if (r[i] > 0 && c[j] == 0)
                c[j] = speed[cell] / r[i];
            else if (c[j] > 0 && r[i] == 0)
                r[i] = speed[cell] / c[j];
        }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            if (r[i] == 0 || c[j] == 0 || r[i] * c[j] > speed[i * columns + j] * (1 + 1e-12))
                return 0;
    for (int i = 0; i < rows; i++)
        sum_r += r[i];
    for (int j = 0; j < columns; j++)
        sum_c += c[j];
    return sum_r * sum_c;
}

static double all_trees(const double *speed, int rows, int columns)
{
    double best = 0;
    for (unsigned cells = 0; cells < 1u << (rows * columns); cells++)
        if (__builtin_popcount(cells) == rows + columns - 1)
            best = fmax(best, tree_value(speed, rows, columns, cells));
    return best;
}

static double all_arrangements(double *speed, int rows, int columns, int placed)
{
    int cells = rows * columns;
    double best = placed == cells ? all_trees(speed, rows, columns) : 0;
    for (int k = placed; k < cells; k++) {
        double first = speed[placed];
        speed[placed] = speed[k];
        speed[k] = first;
        best = fmax(best, all_arrangements(speed, rows, columns, placed + 1));
        speed[k] = speed[placed];
        speed[placed] = first;
    }
    return best;
}

static void draw(hs__random *random, int kind, double *speed, int hosts)
{
    for (int i = 0; i < hosts; i++) {
        double u = hs__random_unit(random);
        const double kinds[] = {0.1 + u, 1 + floor(3 * u), exp(6 * u)};
        speed[i] = kinds[kind];
    }
}

static void equals_all_arrangements(void **state)
{
    const int shapes[][2] = {{2, 2}, {2, 3}, {3, 2}};
    hs__random random = {53};
    double speed[6];
    for (int trial = 0; trial < 90; trial++) {
        const int *shape = shapes[trial < 75 ? 0 : 1 + trial % 2];
        int hosts = shape[0] * shape[1];
        draw(&random, trial % 3, speed, hosts);
        hs_grid *g = plan(speed, shape[0], shape[1], 0);
        check(g, speed, 0);
        CHECK_CLOSE(hs_grid_value(g) / all_arrangements(speed, shape[0], shape[1], 0), 1, 1e-9);
        assert_true(hs_grid_is_optimal(g));
        hs_grid_free(g);
    }
}

/* All vertices of an arrangement are found, and climbing never beats them. */
static void enumeration_equals_all_trees(void **state)
{
    const int shapes[][2] = {{3, 3}, {2, 5}, {3, 4}, {4, 2}};
    hs__random random = {59};
    for (int trial = 0; trial < 120; trial++) {
        int rows = shapes[trial % 4][0], columns = shapes[trial % 4][1];
        hs__grid g;
        hs__grid_scratch scratch;
        assert_int_equal(hs__grid_create(rows, columns, &g), HS_OK);
        assert_int_equal(hs__grid_scratch_create(rows, columns, &scratch), HS_OK);
        draw(&random, trial / 4 % 3, g.speed, rows * columns);
        for (int cell = 0; cell < rows * columns; cell++)
            g.rank[cell] = cell;
        assert_int_equal(hs__grid_enumerate(&g, &scratch), HS_OK);
        double best = g.value;
        CHECK_CLOSE(best / all_trees(g.speed, rows, columns), 1, 1e-9);
        hs__grid_climb(&g, &scratch);
        assert_true(g.value <= best * (1 + 1e-9));
        assert_true(g.value >= 0.5 * best);
        hs__grid_scratch_free(&scratch);
        hs__grid_free(&g);
    }
}

static int descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* The heuristic for large grids, on grids small enough to know the optimum. */
static void search_is_near_the_optimum(void **state)
{
    const int shapes[][2] = {{3, 3}, {2, 5}, {3, 4}};
    hs__random random = {61};
    double speed[12];
    for (int trial = 0; trial < 6; trial++) {
        int rows = shapes[trial % 3][0], columns = shapes[trial % 3][1];
        hs__grid exact, found;
        hs__grid_scratch scratch;
        hs__grid_create(rows, columns, &exact);
        hs__grid_create(rows, columns, &found);
        hs__grid_scratch_create(rows, columns, &scratch);
        draw(&random, trial % 3, speed, rows * columns);
        qsort(speed, (size_t)(rows * columns), sizeof *speed, descending);
        assert_int_equal(hs__grid_exact(speed, &exact, &scratch), HS_OK);
        assert_int_equal(hs__grid_search(speed, &found, &scratch, 12000000), HS_OK);
        assert_true(found.value <= exact.value * (1 + 1e-9));
        assert_true(found.value >= exact.value * 0.99);
        hs__grid_scratch_free(&scratch);
        hs__grid_free(&found);
        hs__grid_free(&exact);
    }
}

static double searched(const double *speed, int rows, int columns, int64_t effort)
{
    hs__grid found;
    hs__grid_scratch scratch;
    assert_int_equal(hs__grid_create(rows, columns, &found), HS_OK);
    assert_int_equal(hs__grid_scratch_create(rows, columns, &scratch), HS_OK);
    assert_int_equal(hs__grid_search(speed, &found, &scratch, effort), HS_OK);
    double value = found.value;
    hs__grid_scratch_free(&scratch);
    hs__grid_free(&found);
    return value;
}

/* Exchanges that would go on gain something on these speeds. */
static void exchanges_end_with_the_effort(void **state)
{
    hs__random random = {71};
    double speed[100];
    draw(&random, 0, speed, 100);
    qsort(speed, 100, sizeof *speed, descending);
    assert_true(searched(speed, 10, 10, 0) < searched(speed, 10, 10, 12000000));
}

static void counts_of_trees_and_tableaux(void **state)
{
    CHECK_CLOSE(hs__grid_vertices(3, 3), 6, 0);
    CHECK_CLOSE(hs__grid_vertices(4, 4), 20, 0);
    CHECK_CLOSE(hs__grid_vertices(1, 9), 1, 0);
    CHECK_CLOSE(hs__grid_tableaux(2, 2), 2, 1e-14);
    CHECK_CLOSE(hs__grid_tableaux(3, 3), 42, 1e-14);
    CHECK_CLOSE(hs__grid_tableaux(4, 4), 24024, 1e-14);
    CHECK_CLOSE(hs__grid_tableaux(3, 5), 6006, 1e-14);
}

/* Fig. 3: [[1, 2], [3, 5]] cannot be balanced perfectly on a grid, [[1, 2], [3, 6]] is rank 1 and can. */
static void paper_figure_3(void **state)
{
    const double unbalanced[] = {1, 2, 3, 5}, balanced[] = {1, 2, 3, 6};
    hs_grid *g = plan(unbalanced, 2, 2, 0);
    assert_true(hs_grid_value(g) < 11 - 0.1);
    hs_grid_free(g);
    g = plan(balanced, 2, 2, 0);
    CHECK_CLOSE(hs_grid_value(g), 12, 1e-12);
    hs_grid_free(g);
}

static void large_grids(void **state)
{
    const int shapes[][2] = {{10, 10}, {1, 1000}, {1000, 1}, {25, 40}, {5, 5}, {2, 50}, {30, 40}};
    hs__random random = {67};
    double speed[MAX_HOSTS];
    for (int k = 0; k < 7; k++) {
        int hosts = shapes[k][0] * shapes[k][1];
        double sum = 0;
        draw(&random, k == 3 || k == 6 ? 0 : 2, speed, hosts);
        for (int i = 0; i < hosts; i++)
            sum += speed[i];
        hs_grid *g = plan(speed, shapes[k][0], shapes[k][1], 0);
        check(g, speed, 0);
        assert_true(hs_grid_value(g) <= sum * (1 + 1e-12) && hs_grid_value(g) >= 0.9 * sum);
        hs_grid_free(g);
        g = plan(speed, shapes[k][0], shapes[k][1], 500);
        check(g, speed, 500);
        hs_grid_free(g);
    }
}

/* ---- Blocks. ---- */

/* The largest N^2 / load over all integer sizes, for a given arrangement. */
static double all_sizes(const double *speed, int rows, int columns, int blocks, int *size, int k, int left)
{
    int n = rows + columns;
    double best = 0;
    if (k == rows - 1 || k == n - 1) {
        size[k] = left;
        if (k < n - 1)
            return all_sizes(speed, rows, columns, blocks, size, k + 1, blocks);
        double load = 0;
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++)
                load = fmax(load, size[i] * size[rows + j] / speed[i * columns + j]);
        return blocks * blocks / load;
    }
    for (int s = 0; s <= left; s++) {
        size[k] = s;
        best = fmax(best, all_sizes(speed, rows, columns, blocks, size, k + 1, left - s));
    }
    return best;
}

static void blocks_are_near_all_sizes(void **state)
{
    hs__random random = {71};
    double speed[9], cell[9];
    int size[6], optimal = 0;
    for (int trial = 0; trial < 200; trial++) {
        int rows = 2 + trial % 2, columns = 2 + trial / 2 % 2, blocks = 2 + trial % 9;
        draw(&random, trial % 3, speed, rows * columns);
        hs_grid *g = plan(speed, rows, columns, blocks);
        check(g, speed, blocks);
        for (int k = 0; k < rows * columns; k++)
            cell[k] = speed[hs_grid_host(g, k / columns, k % columns)];
        double best = all_sizes(cell, rows, columns, blocks, size, 0, blocks);
        assert_true(hs_grid_value(g) <= best * (1 + 1e-12));
        assert_true(hs_grid_value(g) >= 0.8 * best);
        optimal += hs_grid_value(g) >= best * (1 - 1e-9);
        hs_grid_free(g);
    }
    assert_true(optimal >= 190);
}

static void degenerate_cases(void **state)
{
    const double one[] = {4}, with_zero[] = {3, 0, 2, 0}, equal[] = {1, 1, 1, 1, 1, 1};
    hs_grid *g = plan(one, 1, 1, 0);
    CHECK_CLOSE(hs_grid_value(g), 4, 1e-15);
    hs_grid_free(g);
    g = plan(with_zero, 2, 2, 0);
    check(g, with_zero, 0);
    CHECK_CLOSE(hs_grid_value(g), 5, 1e-12);
    hs_grid_free(g);
    g = plan(with_zero, 2, 2, 10);
    check(g, with_zero, 10);
    CHECK_CLOSE(hs_grid_value(g), 5, 1e-12);
    hs_grid_free(g);
    g = plan(equal, 2, 3, 1);
    check(g, equal, 1);
    CHECK_CLOSE(hs_grid_value(g), 1, 0);
    hs_grid_free(g);
    g = plan(equal, 2, 3, 6);
    CHECK_CLOSE(hs_grid_value(g), 6, 1e-12);
    assert_int_equal(hs_grid_host(g, 0, 0), 0);
    hs_grid_free(g);
    const double tiny[] = {1e-305, 2e-305, 2e-305, 4e-305};
    g = plan(tiny, 2, 2, 6);
    CHECK_CLOSE(hs_grid_value(g), 9e-305, 1e-9);
    check(g, tiny, 6);
    hs_grid_free(g);
}

static void bad_input_is_refused(void **state)
{
    const double speed[] = {1, 2, 3, 4}, zero[] = {0, 0}, bad[][2] = {{1, -1}, {NAN, 1}, {1, INFINITY}};
    hs_grid *g = NULL;
    for (int i = 0; i < 3; i++)
        assert_int_equal(hs_grid_create(bad[i], 1, 2, 0, &g), HS_ERR_ARG);
    assert_int_equal(hs_grid_create(zero, 2, 1, 0, &g), HS_ERR_INFEASIBLE);
    assert_int_equal(hs_grid_create(speed, 0, 2, 0, &g), HS_ERR_ARG);
    assert_int_equal(hs_grid_create(speed, 2, -1, 0, &g), HS_ERR_ARG);
    assert_int_equal(hs_grid_create(speed, 1 << 20, 1 << 20, 0, &g), HS_ERR_ARG);
    assert_int_equal(hs_grid_create(speed, 2, 2, -1, &g), HS_ERR_ARG);
    assert_int_equal(hs_grid_create(speed, 2, 2, INT64_MAX, &g), HS_ERR_ARG);
    assert_int_equal(hs_grid_create(NULL, 2, 2, 0, &g), HS_ERR_ARG);
    assert_int_equal(hs_grid_create(speed, 2, 2, 0, NULL), HS_ERR_ARG);
    assert_null(g);
    hs_grid_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_all_arrangements),
        cmocka_unit_test(enumeration_equals_all_trees),
        cmocka_unit_test(search_is_near_the_optimum),
        cmocka_unit_test(exchanges_end_with_the_effort),
        cmocka_unit_test(counts_of_trees_and_tableaux),
        cmocka_unit_test(paper_figure_3),
        cmocka_unit_test(large_grids),
        cmocka_unit_test(blocks_are_near_all_sizes),
        cmocka_unit_test(degenerate_cases),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
