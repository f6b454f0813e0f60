/* SPDX-License-Identifier: BSD-3-Clause */
/* New integer sizes for new speeds, hosts staying in their columns (matmul-redistribution-2000, section 4): the least
 * largest area/speed T that these columns allow is exact (columns/blocks.c); then, within T (times 1 + tolerance),
 * widths and heights change as little as they can.
 *
 * Widths: a column wider than T allows shrinks to that; what it gives goes to the columns that would still be least
 * loaded with it. Heights: each host may hold from 1 (0 when it has no room) to as many rows as T allows, and the
 * borders of a column should slide by as few rows in all as possible. With b_j the slide of border j that is
 *
 *     minimise sum |b_j|,   low_j <= h_j + b_j - b_{j-1} <= high_j,   b_0 = b_n = 0,
 *
 * a dynamic program over j whose value is convex and piecewise linear in b_j. It is kept as its breakpoints left and
 * right of the minimum; the choice of b_{j-1} shifts the left ones by low_j - h_j and the right ones by high_j - h_j.
 */
#include "plan/columns/blocks.h"
#include "plan/rebalance/rebalance.h"

#include "util/assert.h"
#include "util/pool.h"
#include <math.h>
#include <string.h>

/* ---- Widths. ---- */

static int64_t at_level(const hs__column_blocks *b, int c, double level, int64_t present, int64_t most)
{
    int64_t width = hs__column_blocks_widest(b, c, level);
    width = width > present ? width : present;
    return width < most ? width : most;
}

/* Widths within `load`: present ones cut to what it allows, then raised to the lowest level that reaches the matrix. */
static void choose_widths(const hs__column_blocks *b, double load, const int64_t *present, int64_t *width)
{
    double low = 0, high = load;
    int64_t sum = 0;
    for (int c = 0; c < b->columns; c++)
        sum += width[c] = at_level(b, c, 0, present[c], hs__column_blocks_widest(b, c, load));
    if (sum == b->wide)
        return;
    for (double middle; middle = low + (high - low) / 2, middle > low && middle < high && high - low > 1e-12 * high;) {
        sum = 0;
        for (int c = 0; c < b->columns; c++)
            sum += at_level(b, c, middle, present[c], hs__column_blocks_widest(b, c, load));
        *(sum >= b->wide ? &high : &low) = middle;
    }
    sum = b->wide;
    for (int c = 0; c < b->columns; c++)
        sum -= width[c] = at_level(b, c, low, present[c], hs__column_blocks_widest(b, c, load));
    for (int c = 0; c < b->columns && sum > 0; c++) {
        int64_t more = at_level(b, c, high, present[c], hs__column_blocks_widest(b, c, load)) - width[c];
        more = more < sum ? more : sum;
        width[c] += more;
        sum -= more;
    }
    HS_ASSERT(sum == 0);
}

/* ---- Heights of a column. ---- */

typedef struct range {
    int64_t low, high;
} range;

/* Breakpoints of the value function, ascending left of its minimum and descending right of it, so that both lists end
 * beside the minimum; each is stored less what its side has been shifted by since. */
typedef struct side {
    int64_t *at, shift;
    int n, sign; /* sign 1: ascending, -1: descending */
} side;

static void insert(side *s, int64_t place)
{
    int k = s->n++;
    for (place -= s->shift; k > 0 && (s->at[k - 1] - place) * s->sign > 0; k--)
        s->at[k] = s->at[k - 1];
    s->at[k] = place;
}

static int64_t take_last(side *s)
{
    return s->at[--s->n] + s->shift;
}

static int64_t last(const side *s)
{
    return s->at[s->n - 1] + s->shift;
}

/* Adds |b| = max(b, 0) + max(-b, 0): each half enters on its own side, whose last breakpoint goes over to the other. */
static void add_distance_from_zero(side *left, side *right)
{
    insert(left, 0);
    insert(right, take_last(left));
    insert(right, 0);
    insert(left, take_last(right));
}

static int64_t clamp(int64_t x, int64_t low, int64_t high)
{
    return x < low ? low : (x > high ? high : x);
}

/* Slides b[1 .. n-1] of the borders of a column of n rectangles, each of which may change by change[1 .. n]. least:
 * scratch of n entries; at: scratch of 6 n + 4. */
static void choose_slides(int n, const range *change, range *least, int64_t *at, int64_t *b)
{
    side left = {at, 0, 0, 1}, right = {at + 3 * n + 2, 0, 0, -1};
    for (int k = 0; k < n; k++) { /* b_0 = 0: steeper on both sides than all that follows */
        insert(&left, 0);
        insert(&right, 0);
    }
    for (int j = 1; j < n; j++) {
        left.shift += change[j].low;
        right.shift += change[j].high;
        add_distance_from_zero(&left, &right);
        least[j] = (range){last(&left), last(&right)};
        HS_ASSERT(left.n <= 3 * n + 2 && right.n <= 3 * n + 2);
    }
    b[n] = 0;
    for (int j = n - 1; j >= 1; j--) {
        int64_t low = b[j + 1] - change[j + 1].high, high = b[j + 1] - change[j + 1].low;
        b[j] = clamp(clamp(0, least[j].low, least[j].high), low, high);
    }
}

/* Rows each place of column c may hold: at least one when it has room and there are rows enough for all that do. */
static void row_ranges(const hs__column_blocks *b, int c, int64_t width, double load, const int64_t *present,
                       range *change)
{
    int64_t able = 0;
    for (int k = b->first[c]; k < b->first[c + 1]; k++)
        able += hs__column_blocks_cap(b->speed[k], width, b->high, load) > 0;
    for (int k = b->first[c], j = 1; k < b->first[c + 1]; k++, j++) {
        int64_t most = hs__column_blocks_cap(b->speed[k], width, b->high, load), least = most > 0 && able <= b->high;
        change[j] = (range){least - present[k], most - present[k]};
    }
}

typedef struct scratch {
    range *change, *least;
    int64_t *at, *slide;
} scratch;

static void choose_heights(const hs__column_blocks *b, int c, int64_t width, double load, const int64_t *present,
                           const scratch *s, int64_t *height)
{
    int n = b->first[c + 1] - b->first[c];
    if (width == 0) {
        for (int k = b->first[c]; k < b->first[c + 1]; k++)
            height[k] = present[k];
        return;
    }
    row_ranges(b, c, width, load, present, s->change);
    choose_slides(n, s->change, s->least, s->at, s->slide);
    s->slide[0] = 0;
    for (int j = 1, k = b->first[c]; j <= n; j++, k++) {
        height[k] = present[k] + s->slide[j] - s->slide[j - 1];
        HS_ASSERT(height[k] >= present[k] + s->change[j].low && height[k] <= present[k] + s->change[j].high);
    }
}

hs_status hs__rebalance_targets(const hs_column_layout *layout, const double *speed, double tolerance, int64_t *width,
                                int64_t *height)
{
    hs__pool pool = {0};
    size_t places = (size_t)layout->first[layout->columns];
    hs__column_blocks b = {layout->columns, layout->first, speed, 0, 0};
    scratch s = {hs__pool_new(&pool, places + 2, sizeof *s.change), hs__pool_new(&pool, places + 2, sizeof *s.least),
                 hs__pool_new(&pool, 6 * places + 4, sizeof *s.at), hs__pool_new(&pool, places + 2, sizeof *s.slide)};
    hs_status status = hs__pool_status(&pool);
    if (status != HS_OK)
        goto out;
    for (int c = 0; c < layout->columns; c++)
        b.wide += layout->width[c];
    for (int k = 0; k < layout->first[1]; k++)
        b.high += layout->height[k];
    double load = hs__column_blocks_least_load(&b, INFINITY) * (1 + tolerance);
    choose_widths(&b, load, layout->width, width);
    for (int c = 0; c < layout->columns; c++)
        choose_heights(&b, c, width[c], load, layout->height, &s, height);
out:
    hs__pool_free(&pool);
    return status;
}
