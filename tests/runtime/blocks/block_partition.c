/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/blocks/block_partition.h"
#include "tests/unit.h"
#include "util/random.h"

enum { RANKS_MOST = 13, BLOCKS_MOST = 40 };

/* 4 x 4 blocks: ranks 0 over 1 in a column 2 wide, 2 (one row) over 3 in the other. */
static hs__block_partition *small_cut(void)
{
    static const int first[] = {0, 2, 4}, host[] = {0, 1, 2, 3};
    static const int64_t width[] = {2, 2}, height[] = {2, 2, 1, 3};
    hs__block_partition *cut;
    hs_error error;
    hs_column_layout layout = {2, first, width, host, height};
    assert_int_equal(hs__block_partition_create(4, 4, &layout, &cut, &error), HS_OK);
    assert_true(hs__block_partition_check(cut));
    return cut;
}

static void check_rectangle(const hs__block_partition *cut, int rank, int64_t row, int64_t column, int64_t rows,
                            int64_t columns)
{
    const hs_blocks_rectangle *r = &cut->rectangle[rank];
    assert_int_equal(r->first_row, row);
    assert_int_equal(r->first_column, column);
    assert_int_equal(r->rows, rows);
    assert_int_equal(r->columns, columns);
}

static void check_order(const hs__block_partition *cut, hs_blocks_axis axis, const int64_t *index)
{
    assert_true(hs__block_partition_check(cut));
    for (int i = 0; i < 4; i++)
        assert_int_equal(cut->index[axis][i], index[i]);
}

static void a_row_takes_its_place_in_the_segment_it_goes_to(void **state)
{
    (void)state;
    hs__block_partition *cut = small_cut();
    hs__block_partition_apply(cut, &(hs_rebalance_operation){.kind = HS_REBALANCE_ROW, .from = 0, .to = 3, .count = 1});
    check_order(cut, HS_BLOCKS_ROWS, (int64_t[]){1, 2, 3, 0});
    check_rectangle(cut, 0, 0, 0, 1, 2);
    check_rectangle(cut, 1, 1, 0, 3, 2);
    check_rectangle(cut, 2, 0, 2, 0, 2);
    check_rectangle(cut, 3, 0, 2, 4, 2);
    hs__block_partition_apply(cut, &(hs_rebalance_operation){.kind = HS_REBALANCE_ROW, .from = 2, .to = 0, .count = 2});
    check_order(cut, HS_BLOCKS_ROWS, (int64_t[]){3, 0, 1, 2});
    check_rectangle(cut, 0, 0, 0, 3, 2);
    check_rectangle(cut, 1, 3, 0, 1, 2);
    check_rectangle(cut, 3, 0, 2, 4, 2);
    hs__block_partition_free(cut);
}

static void columns_go_to_the_right_end_of_the_other(void **state)
{
    (void)state;
    hs__block_partition *cut = small_cut();
    hs__block_partition_apply(cut,
                              &(hs_rebalance_operation){.kind = HS_REBALANCE_COLUMN, .from = 0, .to = 1, .count = 1});
    check_order(cut, HS_BLOCKS_COLUMNS, (int64_t[]){0, 2, 3, 1});
    check_rectangle(cut, 1, 2, 0, 2, 1);
    check_rectangle(cut, 3, 1, 1, 3, 3);
    hs__block_partition_apply(cut,
                              &(hs_rebalance_operation){.kind = HS_REBALANCE_COLUMN, .from = 1, .to = 0, .count = 3});
    check_order(cut, HS_BLOCKS_COLUMNS, (int64_t[]){0, 2, 3, 1});
    check_rectangle(cut, 0, 0, 0, 2, 4);
    check_rectangle(cut, 2, 0, 4, 1, 0);
    hs__block_partition_free(cut);
}

static void a_border_slides_in_one_column(void **state)
{
    (void)state;
    hs__block_partition *cut = small_cut();
    hs__block_partition_apply(
        cut, &(hs_rebalance_operation){.kind = HS_REBALANCE_SLIDE, .from = 1, .border = 0, .count = 2});
    check_order(cut, HS_BLOCKS_ROWS, (int64_t[]){0, 1, 2, 3});
    check_rectangle(cut, 0, 0, 0, 2, 2);
    check_rectangle(cut, 2, 0, 2, 3, 2);
    check_rectangle(cut, 3, 3, 2, 1, 2);
    hs__block_partition_apply(
        cut, &(hs_rebalance_operation){.kind = HS_REBALANCE_SLIDE, .from = 0, .border = 0, .count = -2});
    assert_true(hs__block_partition_check(cut));
    check_rectangle(cut, 0, 0, 0, 0, 2);
    check_rectangle(cut, 1, 0, 0, 4, 2);
    hs__block_partition_free(cut);
}

static void ranks_left_out_stand_at_the_bottom_without_rows(void **state)
{
    (void)state;
    static const int first[] = {0, 2, 3}, host[] = {4, 1, 2};
    static const int64_t width[] = {3, 2}, height[] = {2, 3, 5};
    hs__block_partition *cut;
    hs_error error;
    hs_column_layout layout = {2, first, width, host, height};
    assert_int_equal(hs__block_partition_create(5, 5, &layout, &cut, &error), HS_OK);
    assert_true(hs__block_partition_check(cut));
    check_rectangle(cut, 4, 0, 0, 2, 3);
    check_rectangle(cut, 0, 5, 0, 0, 3);
    check_rectangle(cut, 3, 5, 3, 0, 2);
    hs__block_partition *copy = hs__block_partition_copy(cut);
    assert_true(hs__block_partition_check(copy));
    assert_int_equal(hs__block_partition_hash(copy), hs__block_partition_hash(cut));
    hs__block_partition_apply(
        copy, &(hs_rebalance_operation){.kind = HS_REBALANCE_SLIDE, .from = 1, .border = 0, .count = -1});
    assert_true(hs__block_partition_hash(copy) != hs__block_partition_hash(cut));
    hs__block_partition_free(copy);
    hs__block_partition_free(cut);
}

static void a_damaged_cut_is_found(void **state)
{
    (void)state;
    hs__block_partition *cut = small_cut();
    cut->index[HS_BLOCKS_ROWS][0] = 1;
    assert_false(hs__block_partition_check(cut));
    cut->index[HS_BLOCKS_ROWS][0] = 0;
    cut->height[0]++;
    assert_false(hs__block_partition_check(cut));
    hs__block_partition_free(cut);
}

/* Who owns the block of row i and column j of the matrix, by looking at all rectangles. */
static int owner(const hs__block_partition *cut, int64_t i, int64_t j)
{
    int64_t y = cut->place[HS_BLOCKS_ROWS][i], x = cut->place[HS_BLOCKS_COLUMNS][j];
    for (int r = 0; r < cut->ranks; r++) {
        const hs_blocks_rectangle *b = &cut->rectangle[r];
        if (y >= b->first_row && y < b->first_row + b->rows && x >= b->first_column && x < b->first_column + b->columns)
            return r;
    }
    return -1;
}

static int64_t changed(const hs__block_partition *old, const hs__block_partition *now)
{
    int64_t blocks = 0;
    for (int64_t i = 0; i < old->blocks; i++)
        for (int64_t j = 0; j < old->blocks; j++)
            blocks += owner(old, i, j) != owner(now, i, j);
    return blocks;
}

/* What runs say two ranks share is what the owners of all blocks say, and the runs name the same rows in both. */
static void check_common(const hs__block_partition *old, const hs__block_partition *now)
{
    hs__run run[BLOCKS_MOST];
    int runs;
    int64_t shared = 0;
    for (int a = 0; a < old->ranks; a++)
        for (int b = 0; b < old->ranks; b++) {
            int64_t size[2];
            for (hs_blocks_axis axis = HS_BLOCKS_ROWS; axis <= HS_BLOCKS_COLUMNS; axis++) {
                int rows = axis == HS_BLOCKS_ROWS;
                int64_t from = rows ? old->rectangle[a].first_row : old->rectangle[a].first_column;
                int64_t to = rows ? now->rectangle[b].first_row : now->rectangle[b].first_column, sum = 0;
                size[axis] = hs__block_partition_common(old, a, now, b, axis, run, &runs);
                for (int k = 0; k < runs; sum += run[k++].count)
                    for (int64_t n = 0; n < run[k].count; n++)
                        assert_int_equal(old->index[axis][from + run[k].at[HS__OLD] + n],
                                         now->index[axis][to + run[k].at[HS__NEW] + n]);
                assert_int_equal(sum, size[axis]);
            }
            shared += a == b ? size[0] * size[1] : 0;
        }
    assert_int_equal(shared, old->blocks * old->blocks - changed(old, now));
}

static void random_speeds(hs__random *random, int ranks, double *speed)
{
    for (int r = 0; r < ranks; r++)
        speed[r] = hs__random_below(random, 8) == 0 ? 0 : 1 + 9 * hs__random_unit(random);
    speed[hs__random_below(random, ranks)] = 5;
}

/* Plans for new speeds, carried out one operation at a time. */
static void drift(hs__random *random, int ranks, int64_t blocks)
{
    double speed[RANKS_MOST];
    hs_columns_params columns;
    hs_rebalance_params params;
    hs_error error;
    hs__block_partition *cut;
    hs_columns_params_init(&columns);
    hs_rebalance_params_init(&params);
    params.model = HS_REBALANCE_OWNERS;
    random_speeds(random, ranks, speed);
    assert_int_equal(hs__block_partition_for_speeds(ranks, blocks, speed, &columns, &cut, &error), HS_OK);
    for (int turn = 0; turn < 3; turn++) {
        hs_rebalance *plan;
        hs__block_partition *before = hs__block_partition_copy(cut);
        hs_column_layout now = hs__block_partition_layout(cut);
        random_speeds(random, ranks, speed);
        assert_int_equal(hs_rebalance_create_speeds(&now, speed, ranks, &params, &plan, &error), HS_OK);
        for (int k = 0; k < hs_rebalance_operations(plan); k++) {
            hs__block_partition_apply(cut, hs_rebalance_operation_at(plan, k));
            assert_true(hs__block_partition_check(cut));
        }
        assert_int_equal(changed(before, cut), hs_rebalance_blocks_moved(plan));
        check_common(before, cut);
        hs_rebalance_free(plan);
        hs__block_partition_free(before);
    }
    hs__block_partition_free(cut);
}

static void plans_tile_after_each_operation_and_move_what_they_say(void **state)
{
    (void)state;
    hs__random random = {4};
    for (int k = 0; k < 60; k++) {
        int ranks = 1 + (int)hs__random_below(&random, RANKS_MOST);
        drift(&random, ranks, 1 + hs__random_below(&random, BLOCKS_MOST));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_takes_its_place_in_the_segment_it_goes_to),
        cmocka_unit_test(columns_go_to_the_right_end_of_the_other),
        cmocka_unit_test(a_border_slides_in_one_column),
        cmocka_unit_test(ranks_left_out_stand_at_the_bottom_without_rows),
        cmocka_unit_test(a_damaged_cut_is_found),
        cmocka_unit_test(plans_tile_after_each_operation_and_move_what_they_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
