/* SPDX-License-Identifier: BSD-3-Clause */
/* Optimality: exhaustive search over sets of row migrations, the methods against each other, and the new sizes against
 * all sizes. */
#include "plan/columns/blocks.h"
#include "plan/rebalance/rebalance.h"
#include "tests/plan/rebalance/check.h"

/* ---- Every set of up to `left` migrations of single rows. ---- */

typedef struct exhaustive {
    const hs__borders *borders;
    const hs__row_price *price;
    int64_t z[64], length[64];
    double best;
} exhaustive;

/* Migrations commute, so pairs of segments are taken in ascending order only. */
static void all_migrations(exhaustive *e, int first_pair, int left, double spent)
{
    int segments = e->borders->cuts + 1;
    char seen[MOST_COLUMNS];
    e->best = fmin(e->best, spent + hs__slides_cost(e->borders, e->z));
    for (int pair = first_pair; left > 0 && pair < segments * segments; pair++) {
        int from = pair / segments, to = pair % segments;
        if (from == to || e->length[from] == 0)
            continue;
        double cost = hs__row_price_between(e->borders, e->price, from, to, seen);
        if (spent + cost >= e->best)
            continue;
        for (int cut = from; cut < to; cut++)
            e->z[cut]++;
        for (int cut = to; cut < from; cut++)
            e->z[cut]--;
        e->length[from]--;
        all_migrations(e, pair, left - 1, spent + cost);
        e->length[from]++;
        for (int cut = from; cut < to; cut++)
            e->z[cut]--;
        for (int cut = to; cut < from; cut++)
            e->z[cut]++;
    }
}

static double exhaustive_cost(const hs__borders *borders, const hs__row_price *price, int most)
{
    exhaustive e = {.borders = borders, .price = price, .best = INFINITY};
    for (int k = 0; k <= borders->cuts; k++)
        e.length[k] = borders->length[k];
    all_migrations(&e, 0, most, 0);
    return e.best;
}

static double cost_of(const hs__borders *borders, const hs__row_price *price, const hs__row_moves *moves, int64_t *rows)
{
    char seen[MOST_COLUMNS];
    int64_t z[MOST_PLACES];
    double cost = 0;
    *rows = 0;
    for (size_t k = 0; k < moves->n; k++) {
        const hs__row_move *m = &moves->move[k];
        cost += (double)m->count * hs__row_price_between(borders, price, m->from, m->to, seen);
        *rows += m->count;
    }
    hs__row_moves_crossings(borders, moves, z);
    return cost + hs__slides_cost(borders, z);
}

typedef hs_status planner(const hs__borders *borders, const hs__row_price *price, hs__row_moves *moves);

static hs_status levels(const hs__borders *borders, const hs__row_price *price, hs__row_moves *moves)
{
    return hs__rebalance_levels(borders, price->constant, moves);
}

/* -1 when the planner says that rows run out. */
static double planned(planner *plan, const hs__borders *borders, const hs__row_price *price, int64_t *rows)
{
    hs__row_moves moves = {NULL, 0, 0};
    hs_status status = plan(borders, price, &moves);
    assert_true(status == HS_OK || status == HS_UNCHANGED);
    double cost = status == HS_OK ? cost_of(borders, price, &moves, rows) : -1;
    hs__row_moves_free(&moves);
    return cost;
}

static void borders_of(const sheet *s, hs__borders *borders)
{
    hs_column_layout layout = layout_of(s);
    assert_int_equal(hs__borders_create(&layout, s->delta, borders), HS_OK);
}

/* The flow against exhaustive search, in both models, where rows run out too. */
static void flow_equals_exhaustive_search(void **state)
{
    enum { MOST_MOVES = 5 };
    hs__random random = {83};
    sheet s;
    int compared = 0;
    for (int trial = 0; trial < 500; trial++) {
        int64_t rows = 2 + hs__random_below(&random, 9), used;
        random_sheet(&random, &s, 1 + (int)hs__random_below(&random, 3), 3, rows, 2);
        hs__row_price price = {trial % 2 ? HS_REBALANCE_OWNERS : HS_REBALANCE_CONSTANT,
                               (double)hs__random_below(&random, 14)};
        hs__borders borders;
        borders_of(&s, &borders);
        if (borders.cuts > 4 || borders.cuts == 0) {
            hs__borders_free(&borders);
            continue;
        }
        double flow = planned(hs__rebalance_flow, &borders, &price, &used);
        double best = exhaustive_cost(&borders, &price, MOST_MOVES);
        assert_true(flow <= best + 1e-6);
        if (used <= MOST_MOVES) {
            CHECK_CLOSE(flow, best, 1e-9);
            compared++;
        }
        hs__borders_free(&borders);
    }
    assert_true(compared >= 300);
}

/* Enough rows in every segment: the paper's own setting. */
static void plenty_of_rows(hs__borders *borders)
{
    for (int k = 0; k <= borders->cuts; k++)
        borders->length[k] += 1000000;
}

/* Theorem 4 with the best migration at each step; the errata's 1,500 random cases and more. */
static void greedy_equals_levels_equals_flow(void **state)
{
    hs__random random = {89};
    sheet s;
    for (int trial = 0; trial < 3000; trial++) {
        int columns = 1 + (int)hs__random_below(&random, 6);
        int64_t rows = 20 + hs__random_below(&random, 80), used;
        random_sheet(&random, &s, columns, 9, rows, 1 + trial % 4);
        hs__row_price price = {HS_REBALANCE_CONSTANT, 0};
        for (int c = 0; c < columns; c++)
            price.constant += (double)s.width[c];
        if (trial % 3 == 0)
            price.constant = (double)hs__random_below(&random, 20);
        hs__borders borders;
        borders_of(&s, &borders);
        plenty_of_rows(&borders);
        double exact = planned(levels, &borders, &price, &used);
        CHECK_CLOSE(planned(hs__rebalance_greedy, &borders, &price, &used), exact, 1e-12);
        if (trial % 10 == 0)
            CHECK_CLOSE(planned(hs__rebalance_flow, &borders, &price, &used), exact, 1e-9);
        hs__borders_free(&borders);
    }
}

/* The definition of the constant model, by trying all z. */
static double all_crossings(const hs__borders *borders, double row_cost, int64_t *z, int k, double variation)
{
    if (k == borders->cuts)
        return row_cost / 2 * (variation + fabs((double)z[k - 1])) + hs__slides_cost(borders, z);
    double best = INFINITY;
    for (z[k] = -3; z[k] <= 3; z[k]++)
        best = fmin(best,
                    all_crossings(borders, row_cost, z, k + 1, variation + fabs((double)(z[k] - (k ? z[k - 1] : 0)))));
    return best;
}

static void levels_equal_all_crossings(void **state)
{
    hs__random random = {97};
    sheet s;
    int compared = 0;
    for (int trial = 0; trial < 300; trial++) {
        int64_t z[64], used;
        random_sheet(&random, &s, 1 + (int)hs__random_below(&random, 3), 3, 30, 1);
        hs__borders borders;
        borders_of(&s, &borders);
        int64_t most = 0;
        for (int t = 0; t < borders.count; t++)
            most = llabs(borders.border[t].b) > most ? llabs(borders.border[t].b) : most;
        hs__row_price price = {HS_REBALANCE_CONSTANT, (double)hs__random_below(&random, 14)};
        if (borders.cuts >= 1 && borders.cuts <= 5 && most <= 3) {
            plenty_of_rows(&borders);
            CHECK_CLOSE(planned(levels, &borders, &price, &used), all_crossings(&borders, price.constant, z, 0, 0),
                        1e-12);
            compared++;
        }
        hs__borders_free(&borders);
    }
    assert_true(compared >= 200);
}

/* ---- New sizes. ---- */

/* The least largest area/speed over all widths and heights of these columns. */
typedef struct sizes {
    const sheet *s;
    const double *speed;
    int64_t rows;
    double best;
} sizes;

static double least_column(const sizes *z, int k, int end, int64_t width, int64_t left)
{
    double best = INFINITY;
    for (int64_t h = k + 1 == end ? left : 0; h <= left; h++) {
        double load = width * h == 0 ? 0 : (double)(width * h) / z->speed[k];
        double rest = k + 1 == end ? 0 : least_column(z, k + 1, end, width, left - h);
        best = fmin(best, fmax(load, rest));
    }
    return best;
}

static double least_sizes(const sizes *z, int c, int64_t left)
{
    double best = INFINITY;
    for (int64_t w = c + 1 == z->s->columns ? left : 0; w <= left; w++) {
        double load = w == 0 ? 0 : least_column(z, z->s->first[c], z->s->first[c + 1], w, z->rows);
        double rest = c + 1 == z->s->columns ? 0 : least_sizes(z, c + 1, left - w);
        best = fmin(best, fmax(load, rest));
    }
    return best;
}

static double load_of(const sheet *s, const double *speed, const hs_column_layout *l)
{
    double load = 0;
    for (int c = 0; c < s->columns; c++)
        for (int k = s->first[c]; k < s->first[c + 1]; k++)
            if (l->width[c] * l->height[k] > 0)
                load = fmax(load, (double)(l->width[c] * l->height[k]) / speed[k]);
    return load;
}

static void new_sizes_are_the_best(void **state)
{
    hs__random random = {101};
    for (int trial = 0; trial < 150; trial++) {
        sheet s;
        int64_t wide = 0, rows = 3 + hs__random_below(&random, 5);
        double speed[MOST_PLACES], tolerance = trial % 3 ? 0 : 0.2;
        random_sheet(&random, &s, 1 + (int)hs__random_below(&random, 3), 3, rows, 0);
        for (int c = 0; c < s.columns; c++)
            wide += s.width[c] = 1 + hs__random_below(&random, 3);
        for (int k = 0; k < s.first[s.columns]; k++)
            speed[k] = trial % 2 ? 1 + (double)hs__random_below(&random, 4) : 0.2 + hs__random_unit(&random);
        if (trial % 5 == 0 && s.first[s.columns] > 1)
            speed[0] = 0;
        hs_column_layout before = layout_of(&s), after;
        hs_rebalance_params params = {.model = HS_REBALANCE_OWNERS, .tolerance = tolerance};
        hs_rebalance *p;
        assert_int_equal(hs_rebalance_create_speeds(&before, speed, s.first[s.columns], &params, &p, NULL), HS_OK);
        check_plan(&s, p, NAN);
        hs_rebalance_layout(p, &after);
        sizes all = {&s, speed, rows, 0};
        double best = least_sizes(&all, 0, wide), load = load_of(&s, speed, &after);
        assert_true(load >= best && load <= best * (1 + tolerance) * (1 + 1e-12));
        hs_rebalance_free(p);
    }
}

/* The heights of one column slide its borders by as few rows as any that keep the load. */
static int64_t fewest_slides(const sheet *s, const double *speed, double load, int k, int64_t b)
{
    int64_t best = INT64_MAX / 2;
    if (k == s->first[1])
        return b == 0 ? 0 : best;
    int64_t most = hs__column_blocks_cap(speed[k], s->width[0], rows_of(s), load);
    for (int64_t h = most > 0; h <= most; h++) {
        int64_t next = b + h - s->height[k], rest = fewest_slides(s, speed, load, k + 1, next);
        best = llabs(next) + rest < best ? llabs(next) + rest : best;
    }
    return best;
}

static void heights_change_little(void **state)
{
    hs__random random = {103};
    for (int trial = 0; trial < 300; trial++) {
        sheet s;
        double speed[MOST_PLACES], tolerance = hs__random_unit(&random);
        int64_t width, height[MOST_PLACES], b = 0, slides = 0;
        random_sheet(&random, &s, 1, 5, 8 + hs__random_below(&random, 6), 0);
        for (int k = 0; k < s.first[1]; k++)
            speed[k] = 0.3 + hs__random_unit(&random);
        hs_column_layout layout = layout_of(&s);
        assert_int_equal(hs__rebalance_targets(&layout, speed, tolerance, &width, height), HS_OK);
        hs__column_blocks blocks = {1, s.first, speed, s.width[0], rows_of(&s)};
        double load = hs__column_blocks_least_load(&blocks, INFINITY) * (1 + tolerance);
        for (int k = 0; k < s.first[1]; k++)
            slides += llabs(b += height[k] - s.height[k]);
        assert_int_equal(width, s.width[0]);
        assert_int_equal(slides, fewest_slides(&s, speed, load, 0, 0));
    }
}

/* Same speeds, same layout: nothing moves. One slower host: its column alone changes when its width may stay. */
static void steady_speeds_move_nothing(void **state)
{
    hs__random random = {107};
    for (int trial = 0; trial < 60; trial++) {
        double speed[40];
        int hosts = 2 + (int)hs__random_below(&random, 38);
        for (int i = 0; i < hosts; i++)
            speed[i] = 0.1 + hs__random_unit(&random);
        hs_columns_params params;
        hs_columns *columns;
        hs_column_layout layout;
        hs_rebalance *p;
        hs_columns_params_init(&params);
        params.blocks = 10 + hs__random_below(&random, 400);
        assert_int_equal(hs_columns_create(speed, hosts, &params, &columns), HS_OK);
        assert_int_equal(hs_columns_layout(columns, &layout), HS_OK);
        if (hs_columns_count(columns) == hosts) {
            assert_int_equal(hs_rebalance_create_speeds(&layout, speed, hosts, NULL, &p, NULL), HS_OK);
            assert_int_equal(hs_rebalance_operations(p), 0);
            hs_rebalance_free(p);
        }
        hs_columns_free(columns);
    }
}

static void a_hundred_hosts_and_ten_thousand_rows(void **state)
{
    hs__random random = {109};
    sheet s = {0};
    double speed[100];
    for (int c = 0; c < 10; c++) {
        int64_t height[10];
        for (int j = 0; j < 10; j++)
            height[j] = 1000;
        add_column(&s, 1000, 10, height, NULL);
    }
    for (int i = 0; i < 100; i++)
        speed[i] = exp(hs__random_unit(&random));
    hs_column_layout layout = layout_of(&s);
    for (int model = 0; model < 2; model++) {
        hs_rebalance_params params = {.model = (hs_rebalance_model)model, .row_cost = -1};
        hs_rebalance *p;
        assert_int_equal(hs_rebalance_create_speeds(&layout, speed, 100, &params, &p, NULL), HS_OK);
        check_plan(&s, p, model == HS_REBALANCE_OWNERS ? NAN : 10000);
        assert_true(hs_rebalance_cost(p) <= hs_rebalance_cost_slides_only(p));
        hs_rebalance_free(p);
    }
}

static void bad_speeds_are_refused(void **state)
{
    sheet s = {0};
    add_column(&s, 2, 2, (const int64_t[]){3, 4}, NULL);
    hs_column_layout layout = layout_of(&s);
    const double good[] = {1, 2}, negative[] = {1, -2}, wrong[] = {NAN, 2}, none[] = {0, 0};
    hs_rebalance *p = NULL;
    hs_error error;
    assert_int_equal(hs_rebalance_create_speeds(&layout, negative, 2, NULL, &p, &error), HS_ERR_ARG);
    CHECK_ERROR_SAYS(&error, 0, "host 1");
    assert_int_equal(hs_rebalance_create_speeds(&layout, wrong, 2, NULL, &p, NULL), HS_ERR_ARG);
    assert_int_equal(hs_rebalance_create_speeds(&layout, none, 2, NULL, &p, NULL), HS_ERR_INFEASIBLE);
    assert_int_equal(hs_rebalance_create_speeds(&layout, good, 1, NULL, &p, &error), HS_ERR_ARG);
    CHECK_ERROR_SAYS(&error, 0, "host 1 of the layout");
    assert_int_equal(hs_rebalance_create_speeds(&layout, NULL, 2, NULL, &p, NULL), HS_ERR_ARG);
    assert_int_equal(hs_rebalance_create_speeds(NULL, good, 2, NULL, &p, NULL), HS_ERR_ARG);
    assert_null(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flow_equals_exhaustive_search),
        cmocka_unit_test(greedy_equals_levels_equals_flow),
        cmocka_unit_test(levels_equal_all_crossings),
        cmocka_unit_test(new_sizes_are_the_best),
        cmocka_unit_test(heights_change_little),
        cmocka_unit_test(steady_speeds_move_nothing),
        cmocka_unit_test(a_hundred_hosts_and_ten_thousand_rows),
        cmocka_unit_test(bad_speeds_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
