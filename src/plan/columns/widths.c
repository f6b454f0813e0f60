/* SPDX-License-Identifier: BSD-3-Clause */
/* Integer widths of columns within a load, then the rows of each (blocks.c). In order: few places without an
 * area, a small objective, levelled loads. When every place can have an area the widths are exact: columns of few
 * rectangles are filled to the widest they may be. When not, and the matrix is small, a dynamic program over columns
 * and total width (idle.c) weighs idle places against each other; in a large matrix the columns that idle
 * fewest places for the blocks they take give way. */
#include "plan/columns/blocks.h"

#include "util/assert.h"
#include "util/pool.h"
#include <math.h>

enum { MAX_PROGRAM_STEPS = 2000000 };

typedef struct task {
    const hs__column_blocks *blocks;
    double load;
    int64_t *limit; /* the widest each column may be */
    int64_t *width;
    int *order;
} task;

int hs__column_blocks_idle(const hs__column_blocks *b, int c, int64_t width, double load)
{
    int able = 0;
    int64_t room = 0;
    for (int k = b->first[c]; k < b->first[c + 1]; k++) {
        able += b->speed[k] > 0;
        room += width > 0 && hs__column_blocks_cap(b->speed[k], width, b->high, load) > 0;
    }
    return able - (int)(room < b->high ? room : b->high);
}

static int rectangles(const hs__column_blocks *b, int c)
{
    return b->first[c + 1] - b->first[c];
}

/* The widest at which no place of column c idles; 0 when one always does. */
static int64_t widest_busy(const task *t, int c)
{
    int64_t low = 0, high = t->limit[c] + 1;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        *(hs__column_blocks_idle(t->blocks, c, middle, t->load) == 0 ? &low : &high) = middle;
    }
    return low;
}

/* Orders columns by their number of rectangles, the first column first among equals. */
static void order_columns(const task *t)
{
    int columns = t->blocks->columns;
    for (int c = 0; c < columns; c++) {
        int k = c;
        for (; k > 0 && rectangles(t->blocks, t->order[k - 1]) > rectangles(t->blocks, c); k--)
            t->order[k] = t->order[k - 1];
        t->order[k] = c;
    }
}

/* Widths of the columns order[begin .. end-1] levelled at a load, at least 1 where the limit is. */
static int64_t level_width(const task *t, int c, double level)
{
    int64_t width = hs__column_blocks_widest(t->blocks, c, level), most = t->limit[c];
    return most < 1 ? 0 : (width < 1 ? 1 : (width < most ? width : most));
}

static int64_t all_widths(const task *t, int begin, int end, double level)
{
    int64_t sum = 0;
    for (int k = begin; k < end; k++)
        sum += level_width(t, t->order[k], level);
    return sum;
}

/* Shares `wide` blocks among columns of equally many rectangles, loads levelled. */
static void level_group(const task *t, int begin, int end, int64_t wide)
{
    double low = 0, high = t->load;
    for (double middle; middle = low + (high - low) / 2, middle > low && middle < high && high - low > 1e-9 * high;)
        *(all_widths(t, begin, end, middle) >= wide ? &high : &low) = middle;
    for (int k = begin; k < end; k++)
        wide -= t->width[t->order[k]] = level_width(t, t->order[k], low);
    for (int k = begin; k < end && wide > 0; k++) {
        int c = t->order[k];
        int64_t more = t->limit[c] - t->width[c];
        more = more < wide ? more : wide;
        t->width[c] += more;
        wide -= more;
    }
    for (int k = end - 1; k >= begin && wide < 0; k--) {
        int c = t->order[k];
        int64_t less = t->width[c] < -wide ? t->width[c] : -wide;
        t->width[c] -= less;
        wide += less;
    }
    HS_ASSERT(wide == 0);
}

/* Widths within the limits, whose sum reaches the matrix, that minimise sum of rectangles x width (SUM) or are levelled
 * (MAX). */
static void fill(const task *t, hs_columns_objective objective)
{
    const hs__column_blocks *b = t->blocks;
    int64_t wide = b->wide, least = 0;
    order_columns(t);
    for (int c = 0; c < b->columns; c++)
        least += t->limit[c] > 0;
    for (int begin = 0, end; begin < b->columns; begin = end) {
        int64_t group = 0, ones = 0;
        for (end = begin; end < b->columns; end++) {
            if (objective == HS_COLUMNS_SUM && rectangles(b, t->order[end]) != rectangles(b, t->order[begin]))
                break;
            group += t->limit[t->order[end]];
            ones += t->limit[t->order[end]] > 0;
        }
        least -= ones;
        int64_t most = wide > least ? wide - least : 0, take = group < most ? group : most;
        level_group(t, begin, end, take);
        wide -= take;
    }
}

/* Limits that idle no place, then as few as found: columns are raised to their widest, those first that idle the fewest
 * places for a block of width, until the matrix fits. `most` holds the widest of each column, limit the widest busy. */
static void raise_limits(const task *t, const int64_t *most)
{
    const hs__column_blocks *b = t->blocks;
    for (int64_t sum = 0;; sum = 0) {
        int chosen = 0;
        double least = INFINITY; /* no column is left to raise */
        for (int c = 0; c < b->columns; c++) {
            sum += t->limit[c];
            if (t->limit[c] == most[c])
                continue;
            int idle =
                hs__column_blocks_idle(b, c, most[c], t->load) - hs__column_blocks_idle(b, c, t->limit[c], t->load);
            double dear = (double)idle / (double)(most[c] - t->limit[c]);
            if (dear < least) {
                least = dear;
                chosen = c;
            }
        }
        if (sum >= b->wide && least >= 0)
            return;
        HS_ASSERT(least < INFINITY);
        t->limit[chosen] = most[chosen];
    }
}

/* Sets t->width. */
static hs_status choose_widths(task *t, hs_columns_objective objective, int64_t *most)
{
    const hs__column_blocks *b = t->blocks;
    int64_t busy = 0, largest = 0;
    int all_busy = 1;
    for (int c = 0; c < b->columns; c++) {
        t->limit[c] = hs__column_blocks_widest(b, c, t->load);
        most[c] = t->limit[c];
        largest = most[c] > largest ? most[c] : largest;
        t->limit[c] = widest_busy(t, c);
        busy += t->limit[c];
        all_busy &= t->limit[c] > 0 || hs__column_blocks_idle(b, c, 0, t->load) == 0;
    }
    if (!all_busy || busy < b->wide) {
        if ((double)b->columns * (double)b->wide * (double)largest <= MAX_PROGRAM_STEPS)
            return hs__column_blocks_program(b, t->load, objective, most, t->width);
        raise_limits(t, most);
    }
    fill(t, objective);
    return HS_OK;
}

hs_status hs__column_blocks_assign(const hs__column_blocks *b, double load, hs_columns_objective objective,
                                   int64_t *width, int64_t *height)
{
    hs__pool pool = {0};
    size_t columns = (size_t)b->columns;
    task t = {b, load, hs__pool_new(&pool, columns, sizeof *t.limit), width,
              hs__pool_new(&pool, columns, sizeof *t.order)};
    int64_t *most = hs__pool_new(&pool, columns, sizeof *most);
    hs_status status = hs__pool_status(&pool);
    if (status != HS_OK)
        goto out;
    if ((status = choose_widths(&t, objective, most)) != HS_OK)
        goto out;
    for (int c = 0; c < b->columns; c++)
        hs__column_blocks_rows(b, c, width[c], load, height);
out:
    hs__pool_free(&pool);
    return status;
}

hs__column_blocks_value hs__column_blocks_value_of(const hs__column_blocks *b, const int64_t *width,
                                                   const int64_t *height, hs_columns_objective objective)
{
    hs__column_blocks_value value = {0, 0, 0};
    for (int c = 0; c < b->columns; c++)
        for (int k = b->first[c]; k < b->first[c + 1]; k++) {
            int64_t area = width[c] * height[k];
            value.idle += area == 0 && b->speed[k] > 0;
            if (area == 0)
                continue;
            value.load = fmax(value.load, (double)area / b->speed[k]);
            value.objective = hs__objective_join(objective, value.objective, (double)(width[c] + height[k]));
        }
    return value;
}
