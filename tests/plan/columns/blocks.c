/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/columns/blocks.h"
#include "tests/unit.h"
#include "util/random.h"
#include <heteroslice/hs_columns.h>

enum { MAX_HOSTS = 400 };

static hs_columns *plan(const double *speed, int hosts, int64_t blocks, hs_columns_objective objective,
                        hs_columns_method method, double tolerance)
{
    hs_columns_params params = {.objective = objective, .method = method, .blocks = blocks, .tolerance = tolerance};
    hs_columns *p = NULL;
    assert_int_equal(hs_columns_create(speed, hosts, &params, &p), HS_OK);
    assert_int_equal(hs_columns_check(p, NULL), HS_OK);
    return p;
}

static double objective_of(const hs_columns *p, hs_columns_objective objective)
{
    return objective == HS_COLUMNS_SUM ? hs_columns_half_perimeter_sum(p) : hs_columns_half_perimeter_max(p);
}

/* ---- Oracle: all partitions into columns, all widths, all heights. ---- */

typedef struct oracle {
    const double *speed;
    int hosts, columns, blocks;
    hs_columns_objective objective;
    int column[6], width[6], height[6];
    hs__column_blocks_value best;
} oracle;

static void judge(oracle *o)
{
    hs__column_blocks_value v = {0, 0, 0};
    for (int i = 0; i < o->hosts; i++) {
        int width = o->width[o->column[i]], area = width * o->height[i];
        if (area == 0) {
            v.idle++;
            continue;
        }
        v.load = fmax(v.load, area / o->speed[i]);
        double half = width + o->height[i];
        v.objective = o->objective == HS_COLUMNS_SUM ? v.objective + half : fmax(v.objective, half);
    }
    const hs__column_blocks_value *b = &o->best;
    if (v.load < b->load ||
        (v.load == b->load && (v.idle < b->idle || (v.idle == b->idle && v.objective < b->objective))))
        o->best = v;
}

/* Heights of the hosts from i on, each column filled exactly. */
static void all_heights(oracle *o, int i, int *left)
{
    if (i == o->hosts) {
        for (int c = 0; c < o->columns; c++)
            if (left[c] != 0 && o->width[c] > 0)
                return;
        judge(o);
        return;
    }
    int c = o->column[i], room = left[c];
    for (int h = 0; h <= room; h++) {
        if (o->width[c] * h / o->speed[i] > o->best.load)
            break;
        o->height[i] = h;
        left[c] = room - h;
        all_heights(o, i + 1, left);
    }
    left[c] = room;
}

static void all_widths(oracle *o, int c, int left)
{
    int rows[6];
    if (c == o->columns - 1) {
        o->width[c] = left;
        for (int k = 0; k < o->columns; k++)
            rows[k] = o->blocks;
        all_heights(o, 0, rows);
        return;
    }
    for (int w = 0; w <= left; w++) {
        o->width[c] = w;
        all_widths(o, c + 1, left - w);
    }
}

static void all_columns(oracle *o, int i)
{
    if (i == o->hosts) {
        all_widths(o, 0, o->blocks);
        return;
    }
    int columns = o->columns;
    for (int c = 0; c <= columns; c++) {
        o->column[i] = c;
        o->columns = columns + (c == columns);
        all_columns(o, i + 1);
    }
    o->columns = columns;
}

static void equals_all_layouts(void **state)
{
    hs__random random = {43};
    for (int trial = 0; trial < 260; trial++) {
        int hosts = 1 + (int)hs__random_below(&random, trial % 13 ? 4 : 5);
        int blocks = 1 + (int)hs__random_below(&random, hosts == 5 ? 4 : 7);
        double speed[6];
        for (int i = 0; i < hosts; i++)
            speed[i] = trial % 3 == 0   ? 1 + (double)hs__random_below(&random, 4)
                       : trial % 3 == 1 ? 0.2 + hs__random_unit(&random)
                                        : exp(5 * hs__random_unit(&random));
        oracle o = {.speed = speed, .hosts = hosts, .blocks = blocks, .best = {INFINITY, 0, 0}};
        o.objective = trial % 4 ? HS_COLUMNS_SUM : HS_COLUMNS_MAX;
        all_columns(&o, 0);
        hs_columns *p = plan(speed, hosts, blocks, o.objective, HS_COLUMNS_COLUMNS, 0);
        assert_true(hs_columns_largest_load(p) == o.best.load);
        assert_int_equal(hosts - hs_columns_count(p), o.best.idle);
        if (o.objective == HS_COLUMNS_SUM)
            assert_true(objective_of(p, o.objective) == o.best.objective);
        assert_true(objective_of(p, o.objective) >= o.best.objective);
        assert_true(objective_of(p, o.objective) >= hs_columns_lower_bound(p));
        hs_columns_free(p);
    }
}

/* ---- Swaps and moves. ---- */

typedef struct swapping {
    hs__areas areas;
    const double *speed;
    hs_columns_params params;
    int column[9]; /* of each rank */
    double max_objective;
} swapping;

static void write_sets(const swapping *s, int columns, hs__column_sets *sets)
{
    int placed = 0;
    sets->columns = columns;
    for (int c = 0; c < columns; c++) {
        for (int k = 0; k < s->areas.n; k++)
            if (s->column[k] == c)
                sets->rank[placed++] = k;
        sets->first[c + 1] = placed;
    }
    assert_int_equal(placed, s->areas.n);
}

static void read_sets(const hs__column_sets *sets, swapping *s)
{
    for (int c = 0; c < sets->columns; c++)
        for (int k = sets->first[c]; k < sets->first[c + 1]; k++)
            s->column[sets->rank[k]] = c;
}

/* The least load of these columns, when it is below `limit` and their objective is allowed; else INFINITY. */
static double load_of(const swapping *s, int columns, double limit)
{
    double placed[9], load = INFINITY;
    hs__column_sets sets;
    assert_int_equal(hs__column_sets_create(s->areas.n, &sets), HS_OK);
    write_sets(s, columns, &sets);
    hs__column_blocks b = hs__column_blocks_of(&sets, &s->areas, s->speed, s->params.blocks, placed);
    if (hs__column_sets_cost(&s->areas, &sets, s->params.objective) <= s->max_objective)
        load = hs__column_blocks_least_load(&b, limit);
    hs__column_sets_free(&sets);
    return load;
}

static int is_alone(const swapping *s, int rank)
{
    int company = 0;
    for (int k = 0; k < s->areas.n; k++)
        company += s->column[k] == s->column[rank];
    return company == 1;
}

static void is_stuck(swapping *s, int columns, double load)
{
    for (int k = 0; k < s->areas.n; k++) {
        int own = s->column[k];
        for (int c = 0; c < columns && !is_alone(s, k); c++) {
            s->column[k] = c;
            assert_true(load_of(s, columns, load) == INFINITY);
            s->column[k] = own;
        }
        for (int l = 0; l < k; l++) {
            int other = s->column[l];
            s->column[k] = other;
            s->column[l] = own;
            assert_true(load_of(s, columns, load) == INFINITY);
            s->column[k] = own;
            s->column[l] = other;
        }
    }
}

/* From any columns on the search ends no worse, and where nothing of what it tries lowers the load. */
static void no_swap_or_move_lowers_the_load(void **state)
{
    hs__random random = {59};
    int better = 0;
    for (int trial = 0; trial < 200; trial++) {
        double speed[9];
        int n = 2 + (int)hs__random_below(&random, 8), columns = 1 + (int)hs__random_below(&random, n);
        for (int i = 0; i < n; i++)
            speed[i] = trial % 2 ? 1 + (double)hs__random_below(&random, 6) : 0.2 + hs__random_unit(&random);
        swapping s = {.speed = speed, .max_objective = INFINITY};
        s.params = (hs_columns_params){.objective = trial % 3 ? HS_COLUMNS_SUM : HS_COLUMNS_MAX,
                                       .blocks = n + hs__random_below(&random, 30)};
        hs__column_sets sets;
        assert_int_equal(hs__areas_create(speed, n, &s.areas), HS_OK);
        assert_int_equal(hs__column_sets_create(n, &sets), HS_OK);
        for (int k = 0; k < n; k++) /* none is empty */
            s.column[k] = k < columns ? k : (int)hs__random_below(&random, columns);
        write_sets(&s, columns, &sets);
        if (trial % 4 == 0)
            s.max_objective = 1.02 * hs__column_sets_cost(&s.areas, &sets, s.params.objective);
        double before = load_of(&s, columns, INFINITY);
        assert_int_equal(hs__columns_swap(&s.areas, speed, &s.params, s.max_objective, &sets), HS_OK);
        assert_int_equal(sets.columns, columns);
        read_sets(&sets, &s);
        double after = load_of(&s, columns, INFINITY);
        assert_true(after <= before);
        better += after < before;
        is_stuck(&s, columns, after);
        hs__column_sets_free(&sets);
        hs__areas_free(&s.areas);
    }
    assert_true(better > 50);
}

/* A host holds h rows within the load that h rows are, and one less within any smaller load. */
static void rows_within_a_load(void **state)
{
    hs__random random = {53};
    for (int trial = 0; trial < 1000; trial++) {
        double speed = 0.1 + hs__random_unit(&random);
        int64_t width = 1 + hs__random_below(&random, 1000), rows = 1 + hs__random_below(&random, 1000);
        double load = (double)(width * rows) / speed;
        assert_int_equal(hs__column_blocks_cap(speed, width, 2000, load), rows);
        assert_int_equal(hs__column_blocks_cap(speed, width, 2000, nextafter(load, 0)), rows - 1);
    }
}

/* What must hold for any number of hosts and blocks: exact tiling (checked by plan()), no load below what integer areas
 * allow at all, and few hosts idle only where blocks are too few. */
static int enough(const double *speed, int hosts, int64_t blocks, double load)
{
    double area = 0;
    for (int i = 0; i < hosts; i++)
        area += floor(load * speed[i] * (1 + 1e-12));
    return area >= (double)blocks * (double)blocks;
}

static double least_possible_load(const double *speed, int hosts, int64_t blocks)
{
    double low = 0, high = 1e-9;
    while (!enough(speed, hosts, blocks, high))
        high *= 2;
    for (int step = 0; step < 100; step++) {
        double middle = (low + high) / 2;
        *(enough(speed, hosts, blocks, middle) ? &high : &low) = middle;
    }
    return low;
}

static void invariants_hold(void **state)
{
    const int64_t sizes[] = {1, 2, 7, 13, 64, 101, 1000, 65537};
    hs__random random = {47};
    double speed[MAX_HOSTS];
    for (int trial = 0; trial < 60; trial++) {
        int hosts = 1 + (int)hs__random_below(&random, trial % 10 ? 40 : MAX_HOSTS);
        int64_t blocks = sizes[hs__random_below(&random, hosts > 40 ? 7 : 8)];
        hs_columns_objective objective = trial % 5 ? HS_COLUMNS_SUM : HS_COLUMNS_MAX;
        for (int i = 0; i < hosts; i++)
            speed[i] = trial % 2 ? 0.1 + hs__random_unit(&random) : exp(8 * hs__random_unit(&random));
        hs_columns *columns = plan(speed, hosts, blocks, objective, HS_COLUMNS_COLUMNS, 0);
        hs_columns *tree = plan(speed, hosts, blocks, objective, HS_COLUMNS_RECURSIVE, 0);
        double least = least_possible_load(speed, hosts, blocks);
        assert_true(hs_columns_largest_load(columns) >= least * (1 - 1e-9));
        assert_true(hs_columns_largest_load(tree) >= least * (1 - 1e-9));
        assert_true(objective_of(columns, objective) >= hs_columns_lower_bound(columns));
        assert_true(objective_of(tree, objective) >= hs_columns_lower_bound(tree));
        for (int k = 1; k < hs_columns_count(tree); k++) /* also where its columns are better than the tree */
            assert_true(hs_columns_rectangle(tree, k - 1)->host < hs_columns_rectangle(tree, k)->host);
        if (blocks >= 1000) {
            assert_true(hs_columns_largest_load(columns) <= 1.2 * least);
            assert_true(objective_of(tree, objective) <= 1.05 * objective_of(columns, objective));
        }
        hs_columns_free(columns);
        hs_columns_free(tree);
    }
}

static void fine_blocks_come_near_the_unit_square(void **state)
{
    const double speed[] = {8, 6, 4, 4, 3, 2};
    hs_columns *unit = plan(speed, 6, 0, HS_COLUMNS_SUM, HS_COLUMNS_COLUMNS, 0);
    hs_columns *p = plan(speed, 6, 2700, HS_COLUMNS_SUM, HS_COLUMNS_COLUMNS, 0);
    assert_true(objective_of(p, HS_COLUMNS_SUM) <= 1.05 * 2700 * objective_of(unit, HS_COLUMNS_SUM));
    assert_true(hs_columns_largest_load(p) <= 1.001 * 2700 * 2700 / 27);
    hs_columns_free(p);
    hs_columns_free(unit);
}

static void tolerance_buys_shorter_perimeters(void **state)
{
    const double speed[] = {1, 1.9, 3.2, 0.7, 2.4, 1.3, 0.9};
    hs_columns *strict = plan(speed, 7, 16, HS_COLUMNS_SUM, HS_COLUMNS_COLUMNS, 0);
    hs_columns *loose = plan(speed, 7, 16, HS_COLUMNS_SUM, HS_COLUMNS_COLUMNS, 0.1);
    assert_true(hs_columns_largest_load(loose) <= 1.1 * hs_columns_largest_load(strict));
    assert_true(objective_of(loose, HS_COLUMNS_SUM) < objective_of(strict, HS_COLUMNS_SUM));
    hs_columns_free(strict);
    hs_columns_free(loose);
}

typedef struct degenerate {
    int hosts;
    double speed[6];
    int64_t blocks;
    int rectangles;
    double load;
} degenerate;

static const degenerate cases[] = {
    {1, {3}, 5, 1, 25.0 / 3},           /* one host */
    {3, {0, 2, 0}, 4, 1, 8},            /* speed 0 gets nothing */
    {6, {1, 1, 1, 1, 1, 1}, 1, 1, 1},   /* one block: one host */
    {6, {1, 1, 1, 1, 1, 1}, 2, 4, 1},   /* four blocks: four hosts */
    {2, {1e9, 1}, 10, 1, 100 / 1e9},    /* a block on the slow host would cost more */
    {2, {1e9, 1}, 10000, 1, 1e8 / 1e9}, /* likewise, in a matrix too large to try all widths */
    {3, {1e9, 1, 1e9}, 10000, 2, 5e7 / 1e9},
    {2, {1, 1}, 3, 2, 6},           /* N not divisible */
    {5, {1, 1, 1, 1, 0}, 8, 4, 16}, /* N divisible: squares */
};

static void degenerate_cases(void **state)
{
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int m = 0; m < 2; m++) {
            const degenerate *x = &cases[k];
            hs_columns *p = plan(x->speed, x->hosts, x->blocks, HS_COLUMNS_SUM, (hs_columns_method)m, 0);
            assert_int_equal(hs_columns_count(p), x->rectangles);
            assert_true(hs_columns_largest_load(p) == x->load);
            assert_false(hs_columns_is_optimal(p));
            hs_columns_free(p);
        }
}

static void layout_is_lent(void **state)
{
    const double speed[] = {5, 3, 2, 2, 1};
    hs_columns *p = plan(speed, 5, 20, HS_COLUMNS_SUM, HS_COLUMNS_COLUMNS, 0);
    hs_column_layout layout;
    assert_int_equal(hs_columns_layout(p, &layout), HS_OK);
    int64_t wide = 0;
    for (int c = 0; c < layout.columns; c++) {
        int64_t high = 0;
        wide += layout.width[c];
        for (int k = layout.first[c]; k < layout.first[c + 1]; k++) {
            assert_int_equal(layout.host[k], hs_columns_rectangle(p, k)->host);
            high += layout.height[k];
        }
        assert_int_equal(high, 20);
    }
    assert_int_equal(wide, 20);
    hs_columns_free(p);
    p = plan(speed, 5, 20, HS_COLUMNS_SUM, HS_COLUMNS_RECURSIVE, 0);
    assert_int_equal(hs_columns_layout(p, &layout), HS_ERR_STATE);
    hs_columns_free(p);
}

/* The largest square: 2^52 blocks. */
static void largest_square(void **state)
{
    const double speed[] = {1, 2, 3, 5.5, 1e-3, 4, 4, 8, 1, 6};
    double sum = 0;
    for (int i = 0; i < 10; i++)
        sum += speed[i];
    hs_columns *p = plan(speed, 10, HS_COLUMNS_MAX_BLOCKS, HS_COLUMNS_SUM, HS_COLUMNS_COLUMNS, 0);
    double fair = (double)HS_COLUMNS_MAX_BLOCKS * (double)HS_COLUMNS_MAX_BLOCKS / sum;
    assert_true(hs_columns_largest_load(p) >= fair && hs_columns_largest_load(p) <= fair * (1 + 1e-4));
    hs_columns_free(p);
    p = plan(speed, 10, HS_COLUMNS_MAX_BLOCKS, HS_COLUMNS_SUM, HS_COLUMNS_RECURSIVE, 0);
    hs_columns_free(p);
}

/* The least load, if it is below the limit: no columns can hold the matrix within less. */
static void the_least_load_is_below_its_limit(void **state)
{
    const int first[] = {0, 2, 3, 5};
    hs__random random = {11};
    for (int trial = 0; trial < 300; trial++) {
        double speed[5];
        for (int k = 0; k < 5; k++)
            speed[k] = 0.5 + hs__random_unit(&random);
        const hs__column_blocks b = {3, first, speed, 3 + (int64_t)hs__random_below(&random, 30),
                                     1 + (int64_t)hs__random_below(&random, 30)};
        double least = hs__column_blocks_least_load(&b, INFINITY);
        assert_true(hs__column_blocks_fit(&b, least) && !hs__column_blocks_fit(&b, nextafter(least, 0)));
        assert_true(hs__column_blocks_least_load(&b, 3 * least) == least);
        assert_true(hs__column_blocks_least_load(&b, nextafter(least, INFINITY)) == least);
        assert_true(hs__column_blocks_least_load(&b, least) == INFINITY);
        assert_true(hs__column_blocks_least_load(&b, least / 2) == INFINITY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_least_load_is_below_its_limit),
        cmocka_unit_test(equals_all_layouts),
        cmocka_unit_test(no_swap_or_move_lowers_the_load),
        cmocka_unit_test(rows_within_a_load),
        cmocka_unit_test(invariants_hold),
        cmocka_unit_test(fine_blocks_come_near_the_unit_square),
        cmocka_unit_test(tolerance_buys_shorter_perimeters),
        cmocka_unit_test(degenerate_cases),
        cmocka_unit_test(layout_is_lent),
        cmocka_unit_test(largest_square),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
