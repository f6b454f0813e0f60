/* SPDX-License-Identifier: BSD-3-Clause */
/* Integer widths and heights for given columns of hosts.
 *
 * Within a load T a host of speed s holds at most floor(T s / w) rows of a column w wide, so the column holds all rows
 * when these add up to the matrix's height; narrower columns hold more, so each column has a widest width W_c(T), and T
 * is feasible exactly when sum_c W_c(T) reaches the matrix's width. Feasibility is monotone in T and depends on
 * comparisons of doubles only, so bisection over the doubles ends at the exact optimum of these columns.
 *
 * Within T the widths then follow the objective: k rectangles in a column of width w contribute k w, so columns of few
 * rectangles are made as wide as T allows. */
#include "plan/columns/blocks.h"

#include "util/array.h"
#include "util/assert.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

hs__column_blocks hs__column_blocks_of(const hs__column_sets *sets, const hs__areas *areas, const double *speed,
                                       int64_t blocks, double *placed)
{
    for (int k = 0; k < sets->first[sets->columns]; k++)
        placed[k] = speed[areas->host[sets->rank[k]]];
    return (hs__column_blocks){sets->columns, sets->first, placed, blocks, blocks};
}

static double load_of(double speed, int64_t area)
{
    return area == 0 ? 0 : (double)area / speed;
}

int64_t hs__column_blocks_cap(double speed, int64_t width, int64_t high, double load)
{
    if (width == 0)
        return high;
    double guess = load * speed / (double)width;
    int64_t h = guess < (double)high ? (int64_t)guess : high;
    while (h > 0 && load_of(speed, width * h) > load)
        h--;
    while (h < high && load_of(speed, width * (h + 1)) <= load)
        h++;
    return h;
}

static int column_fits(const hs__column_blocks *b, int c, int64_t width, double load)
{
    int64_t left = b->high;
    for (int k = b->first[c]; k < b->first[c + 1] && left > 0; k++)
        left -= hs__column_blocks_cap(b->speed[k], width, b->high, load);
    return width == 0 || left <= 0;
}

/* The width at which all hosts of the column have just enough is an upper bound, and rounding makes it little too wide. */
int64_t hs__column_blocks_widest(const hs__column_blocks *b, int c, double load)
{
    int64_t low = 0, high = b->wide + 1;
    double speed = 0;
    for (int k = b->first[c]; k < b->first[c + 1]; k++)
        speed += b->speed[k];
    double widest = load * speed / (double)b->high * (1 + 1e-12) + 1;
    high = widest < (double)high ? (int64_t)widest + 1 : high;
    for (int64_t stride = 1; low == 0 && high > 1; stride *= 2) {
        int64_t width = high > stride ? high - stride : 1;
        *(column_fits(b, c, width, load) ? &low : &high) = width;
    }
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        *(column_fits(b, c, middle, load) ? &low : &high) = middle;
    }
    return low;
}

int hs__column_blocks_fit(const hs__column_blocks *b, double load)
{
    int64_t left = b->wide;
    for (int c = 0; c < b->columns && left > 0; c++)
        left -= hs__column_blocks_widest(b, c, load);
    return left <= 0;
}

double hs__column_blocks_least_load(const hs__column_blocks *b, double limit)
{
    double speed = 0;
    for (int k = 0; k < b->first[b->columns]; k++)
        speed += b->speed[k];
    double low = (double)b->wide * (double)b->high / speed * (1 - 1e-9), high = nextafter(limit, 0);
    if (limit == INFINITY)
        for (high = fmax(low, DBL_MIN) * 2; high < DBL_MAX / 2 && !hs__column_blocks_fit(b, high);)
            high *= 2;
    if (low >= high || !hs__column_blocks_fit(b, high))
        return INFINITY;
    for (double middle; middle = low + (high - low) / 2, middle > low && middle < high;)
        *(hs__column_blocks_fit(b, middle) ? &high : &low) = middle;
    HS_ASSERT(hs__column_blocks_fit(b, high) && !hs__column_blocks_fit(b, nextafter(high, 0)));
    return high;
}

/* ---- Rows of a column. ---- */

typedef struct column {
    const hs__column_blocks *blocks;
    int c;
    int64_t width;
    double load;
    int64_t max_places; /* places that may have a row */
} column;

/* Rows of place k when loads are levelled at `level`, which is at most the load: at least one where there is room. */
static int64_t rows_at(const column *t, int k, double level, int64_t *left)
{
    double speed = t->blocks->speed[k];
    int64_t rows = hs__column_blocks_cap(speed, t->width, t->blocks->high, level);
    if (rows == 0)
        rows = hs__column_blocks_cap(speed, t->width, 1, t->load);
    return rows > 0 && --*left < 0 ? 0 : rows;
}

static int64_t all_rows(const column *t, double level)
{
    int64_t sum = 0, left = t->max_places;
    for (int k = t->blocks->first[t->c]; k < t->blocks->first[t->c + 1]; k++)
        sum += rows_at(t, k, level, &left);
    return sum;
}

void hs__column_blocks_rows(const hs__column_blocks *b, int c, int64_t width, double load, int64_t *height)
{
    column t = {b, c, width, load, b->high};
    int begin = b->first[c], end = b->first[c + 1];
    if (width == 0) {
        for (int k = begin; k < end; k++)
            height[k] = 0;
        return;
    }
    double low = 0, high = load;
    for (double middle; middle = low + (high - low) / 2, middle > low && middle < high;)
        *(all_rows(&t, middle) >= b->high ? &high : &low) = middle;
    int64_t rest = b->high, left = t.max_places;
    for (int k = begin; k < end; k++)
        rest -= height[k] = rows_at(&t, k, low, &left);
    left = t.max_places;
    for (int k = begin; k < end && rest > 0; k++) {
        int64_t more = rows_at(&t, k, high, &left) - height[k];
        more = more < rest ? more : rest;
        height[k] += more;
        rest -= more;
    }
    HS_ASSERT(rest == 0);
}
