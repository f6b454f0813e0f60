/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_TESTS_REBALANCE_CHECK_H
#define HS_TESTS_REBALANCE_CHECK_H

/* Layouts that store every row, and operations applied to them one by one as the header describes them. */

#include "tests/unit.h"
#include "util/random.h"
#include <heteroslice/hs_rebalance.h>

enum { MOST_COLUMNS = 24, MOST_PLACES = 420, MOST_ROWS = 20000 };

/** Arrays of a layout, owned. */
typedef struct sheet {
    int columns, first[MOST_COLUMNS + 1], host[MOST_PLACES];
    int64_t width[MOST_COLUMNS], height[MOST_PLACES], delta[MOST_PLACES];
} sheet;

static inline hs_column_layout layout_of(const sheet *s)
{
    return (hs_column_layout){s->columns, s->first, s->width, s->host, s->height};
}

static inline int64_t rows_of(const sheet *s)
{
    int64_t rows = 0;
    for (int k = 0; k < s->first[1]; k++)
        rows += s->height[k];
    return rows;
}

/** A column of n rectangles; heights and deltas are given from top to bottom. */
static inline void add_column(sheet *s, int64_t width, int n, const int64_t *height, const int64_t *delta)
{
    int c = s->columns++, at = s->first[c];
    s->width[c] = width;
    s->first[c + 1] = at + n;
    for (int j = 0; j < n; j++) {
        s->host[at + j] = at + j;
        s->height[at + j] = height[j];
        s->delta[at + j] = delta ? delta[j] : 0;
    }
}

/** A random layout with random deltas of up to `most` rows a border; heights stay >= 0. */
static inline void random_sheet(hs__random *random, sheet *s, int columns, int most_places, int64_t rows, int64_t most)
{
    *s = (sheet){0};
    for (int c = 0; c < columns; c++) {
        int n = 1 + (int)hs__random_below(random, most_places);
        int64_t height[MOST_PLACES] = {0}, delta[MOST_PLACES] = {0};
        for (int64_t r = 0, left = rows; r < n; r++) {
            height[r] = r == n - 1 ? left : hs__random_below(random, 2 * left / (n - r) + 1);
            height[r] = height[r] < left ? height[r] : left;
            left -= height[r];
        }
        for (int j = 0; j + 1 < n; j++) {
            int64_t move = hs__random_below(random, 2 * most + 1) - most;
            if (height[j] + delta[j] + move < 0)
                move = -(height[j] + delta[j]);
            if (height[j + 1] + delta[j + 1] - move < 0)
                move = height[j + 1] + delta[j + 1];
            delta[j] += move;
            delta[j + 1] -= move;
        }
        add_column(s, 1 + hs__random_below(random, 9), n, height, delta);
    }
}

/** Rows as they lie: which row it was, and its rectangle in every column. */
typedef struct stack {
    int64_t rows, was[MOST_ROWS];
    short place[MOST_COLUMNS][MOST_ROWS];
} stack;

static inline void fill_stack(const sheet *s, stack *t)
{
    t->rows = rows_of(s);
    for (int64_t r = 0; r < t->rows; r++)
        t->was[r] = r;
    for (int c = 0; c < s->columns; c++) {
        int64_t r = 0;
        for (int k = s->first[c]; k < s->first[c + 1]; k++)
            for (int64_t i = 0; i < s->height[k]; i++)
                t->place[c][r++] = (short)k;
    }
}

/** Moves a stretch of rows as the row operation says. */
static inline void move_rows(const sheet *s, stack *t, const hs_rebalance_operation *op)
{
    static stack old;
    int64_t end = op->from + op->count;
    old = *t;
    for (int c = 0; c < s->columns; c++)
        for (int64_t r = op->from; r < end; r++)
            assert_int_equal(old.place[c][r], old.place[c][op->from]); /* one rectangle of every column */
    assert_true(op->to < op->from || op->to >= end);
    int64_t landing = op->to > op->from ? op->to - op->count + 1 : op->to;
    for (int64_t r = 0, source = 0; r < t->rows; r++) {
        int moved = r >= landing && r < landing + op->count;
        if (!moved && source == op->from)
            source = end;
        int64_t from = moved ? op->from + r - landing : source++;
        t->was[r] = old.was[from];
        for (int c = 0; c < s->columns; c++)
            t->place[c][r] = moved ? old.place[c][op->to] : old.place[c][from];
    }
}

static inline void slide_border(const sheet *s, stack *t, const hs_rebalance_operation *op)
{
    int c = (int)op->from, above = s->first[c] + op->border;
    int64_t border = 0, count = op->count < 0 ? -op->count : op->count;
    assert_true(above + 1 < s->first[c + 1]);
    while (border < t->rows && t->place[c][border] <= above)
        border++;
    for (int64_t i = 0; i < count; i++) {
        int64_t row = op->count > 0 ? border + i : border - 1 - i;
        assert_true(row >= 0 && row < t->rows);
        assert_int_equal(t->place[c][row], op->count > 0 ? above + 1 : above); /* no border is run over */
        t->place[c][row] = (short)(op->count > 0 ? above : above + 1);
    }
}

/** Does all operations, adds up what they cost (a row R, or the owners' price when R is NAN), and compares the layout
 * and the blocks moved with what the plan says. */
static inline double check_plan(const sheet *s, const hs_rebalance *plan, double row_cost)
{
    static stack t, before;
    hs_column_layout after;
    int64_t width[MOST_COLUMNS], moved = 0;
    double cost = 0;
    fill_stack(s, &t);
    before = t;
    memcpy(width, s->width, sizeof width);
    hs_rebalance_layout(plan, &after);
    for (int k = 0; k < hs_rebalance_operations(plan); k++) {
        const hs_rebalance_operation *op = hs_rebalance_operation_at(plan, k);
        assert_true(op->count != 0);
        if (op->kind == HS_REBALANCE_COLUMN) {
            assert_true(op->count > 0 && op->from != op->to);
            width[op->from] -= op->count;
            width[op->to] += op->count;
            assert_true(width[op->from] >= 0);
            moved += op->count * t.rows;
            cost += (double)(op->count * t.rows);
        } else if (op->kind == HS_REBALANCE_ROW) {
            double owners = 0;
            assert_true(op->count > 0);
            for (int c = 0; c < s->columns; c++)
                owners += t.place[c][op->from] == t.place[c][op->to] ? 0 : (double)width[c];
            cost += (double)op->count * (isnan(row_cost) ? owners : row_cost);
            move_rows(s, &t, op);
        } else {
            cost += (double)(width[op->from] * (op->count < 0 ? -op->count : op->count));
            slide_border(s, &t, op);
        }
    }
    for (int c = 0; c < s->columns; c++) {
        int64_t row = 0, kept = width[c] < s->width[c] ? width[c] : s->width[c];
        assert_int_equal(after.width[c], width[c]);
        for (int k = s->first[c]; k < s->first[c + 1]; k++) {
            assert_int_equal(after.host[k], s->host[k]);
            for (int64_t i = 0; i < after.height[k]; i++, row++) {
                assert_int_equal(t.place[c][row], k);
                moved += before.place[c][t.was[row]] == k ? 0 : kept;
            }
        }
        assert_int_equal(row, t.rows);
    }
    assert_int_equal(hs_rebalance_blocks_moved(plan), moved);
    CHECK_CLOSE(hs_rebalance_cost(plan), cost, 1e-12);
    return cost;
}

#endif
