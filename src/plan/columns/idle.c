/* SPDX-License-Identifier: BSD-3-Clause */
/* Integer widths of columns when some host must stay without an area: a dynamic program over the columns and the total
 * width so far. In order: few idle places, a small objective, widths near their fair part. O(C N^2) time for C columns
 * of an N wide matrix. */
#include "plan/columns/blocks.h"

#include "util/assert.h"
#include "util/pool.h"

enum { IMPOSSIBLE = 1 << 30 };

typedef struct price {
    int idle;
    double perimeters, uneven; /* uneven: squared distance of the widths from their fair part */
} price;

typedef struct task {
    const hs__column_blocks *blocks;
    double load;
    hs_columns_objective objective;
    size_t row;      /* entries of a row of the tables below: total widths 0 .. wide */
    price *best;     /* best[c * row + total]: the cheapest widths of the first c columns that add up to total */
    int64_t *chosen; /* the width of column c - 1 there */
} task;

static int cheaper(const price *a, const price *b)
{
    if (a->idle != b->idle)
        return a->idle < b->idle;
    if (a->perimeters != b->perimeters)
        return a->perimeters < b->perimeters;
    return a->uneven < b->uneven;
}

static double fair_width(const hs__column_blocks *b, int c)
{
    double speed = 0, all = 0;
    for (int k = 0; k < b->first[b->columns]; k++)
        all += b->speed[k];
    for (int k = b->first[c]; k < b->first[c + 1]; k++)
        speed += b->speed[k];
    return (double)b->wide * speed / all;
}

/* What column c costs when it is this wide. */
static price column_price(const task *t, int c, int64_t width, double fair)
{
    const hs__column_blocks *b = t->blocks;
    int able = 0, idle = hs__column_blocks_idle(b, c, width, t->load);
    for (int k = b->first[c]; k < b->first[c + 1]; k++)
        able += b->speed[k] > 0;
    double perimeters = width ? (double)width * (able - idle) + (double)b->high : 0;
    double distance = (double)width - fair;
    return (price){idle, t->objective == HS_COLUMNS_SUM ? perimeters : 0, distance * distance};
}

static void add_column(const task *t, int c, int64_t max_width)
{
    const price *before = t->best + t->row * (size_t)c;
    price *after = t->best + t->row * ((size_t)c + 1);
    int64_t *chosen = t->chosen + t->row * ((size_t)c + 1), wide = t->blocks->wide;
    double fair = fair_width(t->blocks, c);
    for (size_t total = 0; total < t->row; total++)
        after[total].idle = IMPOSSIBLE;
    for (int64_t width = 0; width <= max_width; width++) {
        price add = column_price(t, c, width, fair);
        for (int64_t total = width; total <= wide; total++) {
            const price *from = &before[total - width];
            price sum = {from->idle + add.idle, from->perimeters + add.perimeters, from->uneven + add.uneven};
            if (from->idle < IMPOSSIBLE && cheaper(&sum, &after[total])) {
                after[total] = sum;
                chosen[total] = width;
            }
        }
    }
}

hs_status hs__column_blocks_program(const hs__column_blocks *b, double load, hs_columns_objective objective,
                                    const int64_t *max_width, int64_t *width)
{
    hs__pool pool = {0};
    size_t row = (size_t)b->wide + 1, size = row * ((size_t)b->columns + 1);
    task t = {b,
              load,
              objective,
              row,
              hs__pool_new(&pool, size, sizeof *t.best),
              hs__pool_new(&pool, size, sizeof *t.chosen)};
    hs_status status = hs__pool_status(&pool);
    if (status != HS_OK)
        goto out;
    for (size_t total = 1; total < row; total++)
        t.best[total].idle = IMPOSSIBLE;
    for (int c = 0; c < b->columns; c++)
        add_column(&t, c, max_width[c]);
    int64_t total = b->wide;
    for (int c = b->columns - 1; c >= 0; c--)
        total -= width[c] = t.chosen[row * ((size_t)c + 1) + (size_t)total];
    HS_ASSERT(total == 0);
out:
    hs__pool_free(&pool);
    return status;
}
