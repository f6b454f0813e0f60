/* SPDX-License-Identifier: BSD-3-Clause */
/* Integer rows and columns of a grid on blocks, so that the largest r_i c_j / s_ij is small. For given rows the
 * best columns are exact: within a load T column j may be min over i of floor(T s_ij / r_i) wide, and T is feasible
 * when these add up to the width. Rows and columns are made best for each other in turn, then one block at a time is moved
 * between two rows or two columns, until nothing lowers the load. */
#include "plan/columns/blocks.h"
#include "plan/grid/grid.h"

#include "util/assert.h"
#include "util/pool.h"
#include <math.h>

/* The rows or the columns. */
typedef struct axis {
    int n, stride;  /* lines, and how far apart they begin in the speeds */
    int64_t blocks; /* of all lines together */
    int64_t *size;
} axis;

typedef struct task {
    const double *speed;
    int64_t left; /* cells that may still be visited */
    axis rows, columns;
    double load; /* the largest area/speed */
} task;

/* How large line k of an axis may be beside the given sizes of the other within the load. */
static int64_t largest_size(const task *t, const axis *wanted, const axis *given, int k, double load)
{
    int64_t size = wanted->blocks;
    for (int g = 0; g < given->n && size > 0; g++)
        if (given->size[g] > 0)
            size = hs__column_blocks_cap(t->speed[k * wanted->stride + g * given->stride], given->size[g], size, load);
    return size;
}

static int fits(task *t, const axis *wanted, const axis *given, double load)
{
    int64_t left = wanted->blocks;
    for (int k = 0; k < wanted->n && left > 0; k++)
        left -= largest_size(t, wanted, given, k, load);
    t->left -= wanted->n * (int64_t)given->n;
    return left <= 0;
}

/* The least load beside the given sizes, when below the limit; else INFINITY. */
static double least_load(task *t, const axis *wanted, const axis *given, double limit)
{
    double low = 0, high = nextafter(limit, 0);
    if (limit == INFINITY)
        for (high = 1e-300; high < 1e300 && !fits(t, wanted, given, high);)
            high *= 16;
    if (!fits(t, wanted, given, high))
        return INFINITY;
    for (double middle; middle = low + (high - low) / 2, middle > low && middle < high && high - low > 1e-14 * high;)
        *(fits(t, wanted, given, middle) ? &high : &low) = middle;
    return high;
}

/* Sizes within a load that fits: those of the highest level that falls short of all blocks, the rest to the first lines. */
static void choose_sizes(task *t, axis *wanted, const axis *given, double load)
{
    double low = 0, high = load;
    for (double middle; middle = low + (high - low) / 2, middle > low && middle < high && high - low > 1e-14 * high;)
        *(fits(t, wanted, given, middle) ? &high : &low) = middle;
    int64_t rest = wanted->blocks;
    for (int k = 0; k < wanted->n; k++)
        rest -= wanted->size[k] = largest_size(t, wanted, given, k, low);
    for (int k = 0; k < wanted->n && rest > 0; k++) {
        int64_t more = largest_size(t, wanted, given, k, load) - wanted->size[k];
        more = more < rest ? more : rest;
        wanted->size[k] += more;
        rest -= more;
    }
    HS_ASSERT(rest == 0);
}

/* Real sizes rounded so that they add up to the blocks: each end of a line goes to the nearest block. */
static void round_sizes(const double *real, axis *a)
{
    double sum = 0, end = 0;
    int64_t before = 0;
    for (int k = 0; k < a->n; k++)
        sum += real[k];
    for (int k = 0; k < a->n; k++) {
        end += real[k];
        int64_t place = k + 1 < a->n ? (int64_t)floor((double)a->blocks * (end / sum) + 0.5) : a->blocks;
        a->size[k] = place - before;
        HS_ASSERT(a->size[k] >= 0);
        before = place;
    }
}

/* Makes each axis best for the other while the load falls: once, and again while cells may be visited. */
static void alternate(task *t, axis *wanted, axis *given)
{
    int stuck = 0;
    do {
        double load = least_load(t, wanted, given, t->load);
        if (load < t->load) {
            t->load = load;
            choose_sizes(t, wanted, given, load);
            stuck = 0;
        } else {
            stuck++;
        }
        axis *next = given;
        given = wanted;
        wanted = next;
    } while (stuck < 2 && t->left > 0);
}

/* Moves single blocks between lines of `given` when the other axis can then lower the load; 1 when one did. */
static int move_blocks(task *t, axis *wanted, axis *given)
{
    for (int a = 0; a < given->n; a++)
        for (int b = 0; b < given->n && t->left > 0; b++) {
            if (a == b || given->size[a] == 0)
                continue;
            given->size[a]--;
            given->size[b]++;
            if (least_load(t, wanted, given, t->load) < t->load) {
                alternate(t, wanted, given);
                return 1;
            }
            given->size[a]++;
            given->size[b]--;
        }
    return 0;
}

static double measure(const task *t)
{
    double load = 0;
    for (int i = 0; i < t->rows.n; i++)
        for (int j = 0; j < t->columns.n; j++) {
            int64_t area = t->rows.size[i] * t->columns.size[j];
            if (area > 0)
                load = fmax(load, (double)area / t->speed[i * t->rows.stride + j]);
        }
    return load;
}

static void search(task *t, const hs__grid *grid)
{
    t->load = INFINITY;
    round_sizes(grid->r, &t->rows);
    alternate(t, &t->columns, &t->rows);
    while (t->left > 0 && (move_blocks(t, &t->columns, &t->rows) || move_blocks(t, &t->rows, &t->columns)))
        ;
}

hs_status hs__grid_blocks(hs__grid *grid, int64_t high, int64_t wide, int64_t visits)
{
    hs__pool pool = {0};
    size_t rows = (size_t)grid->rows, columns = (size_t)grid->columns;
    task t = {.speed = grid->speed, .left = visits};
    t.rows = (axis){grid->rows, grid->columns, high, hs__pool_new(&pool, rows, sizeof *t.rows.size)};
    t.columns = (axis){grid->columns, 1, wide, hs__pool_new(&pool, columns, sizeof *t.columns.size)};
    hs_status status = hs__pool_status(&pool);
    if (status != HS_OK)
        goto out;
    search(&t, grid);
    HS_ASSERT(measure(&t) <= t.load * (1 + 1e-9));
    grid->value = (double)high * (double)wide / measure(&t);
    for (int i = 0; i < grid->rows; i++)
        grid->r[i] = (double)t.rows.size[i];
    for (int j = 0; j < grid->columns; j++)
        grid->c[j] = (double)t.columns.size[j];
out:
    hs__pool_free(&pool);
    return status;
}
