/* SPDX-License-Identifier: BSD-3-Clause */
/* The examples of the paper, every operation's effect, and what must hold for any layout. */
#include "tests/plan/rebalance/check.h"
#include <float.h>

static const hs_rebalance_method methods[] = {HS_REBALANCE_EXACT, HS_REBALANCE_GREEDY, HS_REBALANCE_SLIDES};

static hs_rebalance *plan(const sheet *s, hs_rebalance_method method, hs_rebalance_model model, double row_cost)
{
    hs_rebalance_params params = {.method = method, .model = model, .row_cost = row_cost};
    hs_column_layout layout = layout_of(s);
    hs_rebalance *p = NULL;
    assert_int_equal(hs_rebalance_create(&layout, s->delta, &params, &p, NULL), HS_OK);
    check_plan(s, p, model == HS_REBALANCE_OWNERS ? NAN : row_cost);
    return p;
}

static double cost(const sheet *s, hs_rebalance_method method, hs_rebalance_model model, double row_cost)
{
    hs_rebalance *p = plan(s, method, model, row_cost);
    double blocks = hs_rebalance_cost(p);
    hs_rebalance_free(p);
    return blocks;
}

static int rows_migrated(const hs_rebalance *p)
{
    int64_t rows = 0;
    for (int k = 0; k < hs_rebalance_operations(p); k++) {
        const hs_rebalance_operation *op = hs_rebalance_operation_at(p, k);
        rows += op->kind == HS_REBALANCE_ROW ? op->count : 0;
    }
    return (int)rows;
}

/* A column of `rows` rectangles, each `height` high, with ones and minus ones at the places listed (1-based, negative:
 * give). */
static void add_marked(sheet *s, int64_t width, int rows, int64_t height, const int *marks)
{
    int64_t heights[MOST_PLACES], delta[MOST_PLACES] = {0};
    for (int j = 0; j < rows; j++)
        heights[j] = height;
    for (; *marks; marks++)
        delta[abs(*marks) - 1] += *marks > 0 ? 1 : -1;
    add_column(s, width, rows, heights, delta);
}

/* Fig. 7 after its column migration: 2n rectangles of one row a column, widths 2n/3. Slides only cost (2n/3)(6n - 4),
 * the best is one row from the last place to the first and one slide in the middle of the second column. */
static void paper_figure_7(void **state)
{
    for (int n = 3; n <= 30; n += 3) {
        sheet s = {0};
        int width = 2 * n / 3;
        add_marked(&s, width, 2 * n, 1, (const int[]){1, -2 * n, 0});
        add_marked(&s, width, 2 * n, 1, (const int[]){1, -n, n + 1, -2 * n, 0});
        add_marked(&s, width, 2 * n, 1, (const int[]){1, -2 * n, 0});
        hs_rebalance *p = plan(&s, HS_REBALANCE_EXACT, HS_REBALANCE_CONSTANT, 2 * n);
        CHECK_CLOSE(hs_rebalance_cost_slides_only(p), width * (6 * n - 4), 0);
        CHECK_CLOSE(hs_rebalance_cost(p), 2 * n + width, 0);
        assert_int_equal(rows_migrated(p), 1);
        hs_rebalance_free(p);
        CHECK_CLOSE(cost(&s, HS_REBALANCE_GREEDY, HS_REBALANCE_CONSTANT, 2 * n), 2 * n + width, 0);
        CHECK_CLOSE(cost(&s, HS_REBALANCE_SLIDES, HS_REBALANCE_CONSTANT, 2 * n), width * (6 * n - 4), 0);
    }
}

/* Fig. 8, drawn with n places: slides (2n/3)(2n + 2), best two migrations 4n + (2n/3) 2 (n - 5). */
static void paper_figure_8(void **state)
{
    for (int n = 9; n <= 60; n += 3) {
        sheet s = {0};
        int width = 2 * n / 3;
        add_marked(&s, width, n, 2, (const int[]){1, -3, n - 2, -n, 0});
        add_marked(&s, width, n, 2, (const int[]){1, 3, -(n - 2), -n, 0});
        add_marked(&s, width, n, 2, (const int[]){1, -3, n - 2, -n, 0});
        hs_rebalance *p = plan(&s, HS_REBALANCE_EXACT, HS_REBALANCE_CONSTANT, 2 * n);
        double slides = width * (2 * n + 2), one = 2 * n + width * 3 * (n - 5), two = 4 * n + width * 2 * (n - 5);
        CHECK_CLOSE(hs_rebalance_cost_slides_only(p), slides, 0);
        CHECK_CLOSE(hs_rebalance_cost(p), fmin(slides, fmin(one, two)), 0);
        assert_int_equal(rows_migrated(p), two < slides ? 2 : 0);
        hs_rebalance_free(p);
        CHECK_CLOSE(cost(&s, HS_REBALANCE_GREEDY, HS_REBALANCE_CONSTANT, 2 * n), fmin(slides, two), 0);
    }
}

/* Fig. 9: two tall rectangles in C1 and C2, 2n places in C3. At the owners' price the best is two migrations inside the
 * tall rectangles, 2 (2n/3); a constant price makes 4n of it. */
static void paper_figure_9(void **state)
{
    for (int n = 12; n <= 60; n += 3) {
        sheet s = {0};
        int width = 2 * n / 3;
        for (int c = 0; c < 2; c++)
            add_column(&s, width, 2, (const int64_t[]){2 * n, 2 * n}, NULL);
        add_marked(&s, width, 2 * n, 2, (const int[]){1, -(n - 2), n + 2, -2 * n, 0});
        CHECK_CLOSE(cost(&s, HS_REBALANCE_EXACT, HS_REBALANCE_OWNERS, 0), 2 * width, 0);
        CHECK_CLOSE(cost(&s, HS_REBALANCE_EXACT, HS_REBALANCE_CONSTANT, 2 * n), 4 * n, 0);
        CHECK_CLOSE(cost(&s, HS_REBALANCE_GREEDY, HS_REBALANCE_CONSTANT, 2 * n), 4 * n, 0);
        hs_rebalance *p = plan(&s, HS_REBALANCE_GREEDY, HS_REBALANCE_CONSTANT, 2 * n);
        assert_int_equal(rows_migrated(p), 2);
        hs_rebalance_free(p);
    }
}

/* Section 4.2: borders (-1, 1) can become (-1 + k, 1 + k), never (0, 0): two slides, no migration. */
static void paper_two_by_two(void **state)
{
    sheet s = {0};
    add_column(&s, 3, 2, (const int64_t[]){5, 5}, (const int64_t[]){-1, 1});
    add_column(&s, 3, 2, (const int64_t[]){5, 5}, (const int64_t[]){1, -1});
    for (int m = 0; m < 3; m++) {
        hs_rebalance *p = plan(&s, methods[m], HS_REBALANCE_CONSTANT, 6);
        CHECK_CLOSE(hs_rebalance_cost(p), 6, 0);
        assert_int_equal(hs_rebalance_operations(p), 2);
        assert_int_equal(rows_migrated(p), 0);
        hs_rebalance_free(p);
    }
}

/* One border moves: the smallest plan, spelt out. */
static void one_slide(void **state)
{
    sheet s = {0};
    add_column(&s, 4, 3, (const int64_t[]){5, 5, 2}, (const int64_t[]){0, -2, 2});
    hs_rebalance *p = plan(&s, HS_REBALANCE_EXACT, HS_REBALANCE_CONSTANT, 4);
    assert_int_equal(hs_rebalance_operations(p), 1);
    const hs_rebalance_operation *op = hs_rebalance_operation_at(p, 0);
    assert_true(op->kind == HS_REBALANCE_SLIDE && op->from == 0 && op->border == 1 && op->count == -2);
    assert_int_equal(hs_rebalance_blocks_moved(p), 8);
    hs_rebalance_free(p);
}

/* Rows from the last rectangle of every column to the first: one migration of many rows. */
static void many_rows_at_once(void **state)
{
    sheet s = {0};
    int64_t height[] = {2000, 3000, 5000}, delta[] = {700, 0, -700};
    for (int c = 0; c < 4; c++)
        add_column(&s, 10, 3, height, delta);
    for (int m = 0; m < 2; m++)
        for (int model = 0; model < 2; model++) {
            hs_rebalance *p = plan(&s, methods[m], (hs_rebalance_model)model, 40);
            assert_int_equal(hs_rebalance_operations(p), 1);
            const hs_rebalance_operation *op = hs_rebalance_operation_at(p, 0);
            assert_true(op->kind == HS_REBALANCE_ROW && op->from == 5000 && op->to == 1999 && op->count == 700);
            CHECK_CLOSE(hs_rebalance_cost(p), 28000, 0);
            assert_int_equal(hs_rebalance_blocks_moved(p), 28000);
            hs_rebalance_free(p);
        }
}

/* Every operation lands where the plan says, for all methods and models; the exact method is never beaten, and no
 * method costs more than slides. check_plan() does the work. */
static void plans_do_what_they_say(void **state)
{
    hs__random random = {73};
    sheet s;
    for (int trial = 0; trial < 400; trial++) {
        int columns = 1 + (int)hs__random_below(&random, 6);
        int64_t rows = 1 + hs__random_below(&random, trial % 4 ? 40 : 2000);
        random_sheet(&random, &s, columns, 7, rows, trial % 3 ? 2 : 1 + rows / 4);
        double row_cost = (double)hs__random_below(&random, 40);
        for (int model = 0; model < 2; model++) {
            double value[3];
            for (int m = 0; m < 3; m++) {
                hs_rebalance *p = plan(&s, methods[m], (hs_rebalance_model)model, row_cost);
                value[m] = hs_rebalance_cost(p);
                if (model == HS_REBALANCE_OWNERS)
                    assert_true((double)hs_rebalance_blocks_moved(p) <= value[m] * (1 + 1e-12));
                hs_rebalance_free(p);
            }
            assert_true(value[0] <= value[1] + 1e-6 && value[1] <= value[2] + 1e-6);
        }
    }
}

static void nothing_to_do(void **state)
{
    sheet s;
    hs__random random = {79};
    random_sheet(&random, &s, 5, 6, 100, 0);
    hs_rebalance *p = plan(&s, HS_REBALANCE_EXACT, HS_REBALANCE_OWNERS, 0);
    assert_int_equal(hs_rebalance_operations(p), 0);
    assert_true(hs_rebalance_cost(p) == 0 && hs_rebalance_blocks_moved(p) == 0);
    hs_rebalance_free(p);
    /* One host, and hosts that stand in one row. */
    sheet one = {0};
    add_column(&one, 3, 1, (const int64_t[]){9}, NULL);
    add_column(&one, 2, 1, (const int64_t[]){9}, NULL);
    for (int m = 0; m < 3; m++)
        CHECK_CLOSE(cost(&one, methods[m], HS_REBALANCE_CONSTANT, 5), 0, 0);
}

static hs_status refuse(sheet s, hs_rebalance_params params, const char *word)
{
    hs_rebalance *p = (hs_rebalance *)&params;
    hs_error error = {0, ""};
    hs_column_layout layout = layout_of(&s);
    hs_status status = hs_rebalance_create(&layout, s.delta, &params, &p, &error);
    assert_true(p == (hs_rebalance *)&params);
    CHECK_ERROR_SAYS(&error, 0, word);
    return status;
}

static void speeds_whose_sum_overflows(void **state)
{
    const double speed[] = {DBL_MAX, DBL_MAX, DBL_MAX, DBL_MAX};
    static const int first[] = {0, 2, 4}, host[] = {0, 1, 2, 3};
    static const int64_t width[] = {1, 5}, height[] = {2, 4, 3, 3};
    const hs_column_layout before = {2, first, width, host, height};
    hs_column_layout after;
    hs_rebalance *plan = NULL;
    assert_int_equal(hs_rebalance_create_speeds(&before, speed, 4, NULL, &plan, NULL), HS_OK);
    hs_rebalance_layout(plan, &after);
    assert_true(after.width[0] == 3 && after.height[0] == 3 && after.height[3] == 3);
    hs_rebalance_free(plan);
}

static void bad_input_is_refused(void **state)
{
    sheet good = {0}, s;
    hs_rebalance_params fine, p;
    hs_rebalance_params_init(&fine);
    add_column(&good, 2, 2, (const int64_t[]){3, 4}, (const int64_t[]){1, -1});
    add_column(&good, 1, 1, (const int64_t[]){7}, NULL);
    s = good, s.columns = 0;
    assert_int_equal(refuse(s, fine, "no columns"), HS_ERR_ARG);
    s = good, s.first[1] = 0;
    assert_int_equal(refuse(s, fine, "column 0 has no rectangles"), HS_ERR_ARG);
    s = good, s.width[1] = -1;
    assert_int_equal(refuse(s, fine, "column 1: width -1"), HS_ERR_ARG);
    s = good, s.width[1] = INT64_MAX;
    assert_int_equal(refuse(s, fine, "out of range"), HS_ERR_ARG);
    s = good, s.height[2] = 8;
    assert_int_equal(refuse(s, fine, "column 1 is 8 rows high, column 0 7"), HS_ERR_ARG);
    s = good, s.height[0] = -3;
    assert_int_equal(refuse(s, fine, "column 0, rectangle 0: height -3"), HS_ERR_ARG);
    s = good, s.height[2] = -8;
    assert_int_equal(refuse(s, fine, "column 1, rectangle 0: height -8"), HS_ERR_ARG);
    s = good, s.host[2] = s.host[0];
    assert_int_equal(refuse(s, fine, "has two rectangles"), HS_ERR_ARG);
    s = good, s.delta[0] = 2;
    assert_int_equal(refuse(s, fine, "add up to 1"), HS_ERR_ARG);
    s = good, s.delta[0] = -4, s.delta[1] = 4;
    assert_int_equal(refuse(s, fine, "cannot receive -4 of 3 rows"), HS_ERR_ARG);
    s = good, s.height[0] = s.height[1] = s.height[2] = s.delta[0] = s.delta[1] = 0;
    assert_int_equal(refuse(s, fine, "no blocks"), HS_ERR_ARG);
    p = fine, p.row_cost = NAN;
    assert_int_equal(refuse(good, p, "parameter"), HS_ERR_ARG);
    p = fine, p.method = (hs_rebalance_method)9;
    assert_int_equal(refuse(good, p, "parameter"), HS_ERR_ARG);
    p = fine, p.model = (hs_rebalance_model)9;
    assert_int_equal(refuse(good, p, "parameter"), HS_ERR_ARG);
    p = fine, p.tolerance = -1;
    assert_int_equal(refuse(good, p, "parameter"), HS_ERR_ARG);
    hs_rebalance_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paper_figure_7),
        cmocka_unit_test(paper_figure_8),
        cmocka_unit_test(paper_figure_9),
        cmocka_unit_test(paper_two_by_two),
        cmocka_unit_test(one_slide),
        cmocka_unit_test(many_rows_at_once),
        cmocka_unit_test(plans_do_what_they_say),
        cmocka_unit_test(nothing_to_do),
        cmocka_unit_test(speeds_whose_sum_overflows),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
