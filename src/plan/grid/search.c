/* SPDX-License-Identifier: BSD-3-Clause */
/* MAX-GRID beyond the exact sizes. From several starts, from sizes that fall geometrically along rows only to along
 * columns only, two steps alternate while the value grows: hosts go to cells in the order of r_i c_j (the arrangement
 * that keeps these sizes with most to spare), and the sizes climb for that arrangement; in grids of more than
 * CLIMBED_CELLS hosts columns, then rows, are made as large as the others allow, and no more. In grids of up to
 * EXCHANGE_CELLS hosts the best start is then improved by exchanging hosts of neighbouring ranks, and alternating
 * again, until none helps; then from the best with a few random exchanges (seeded, so always the same); all as long as
 * effort is left. */
#include "plan/grid/grid.h"

#include "util/array.h"
#include "util/random.h"
#include "util/sort.h"
#include <math.h>
#include <stdlib.h>

enum { CLIMBED_CELLS = 1024, EXCHANGE_CELLS = 256, REACH = 3, ENUMERATED_VERTICES = 130 };

typedef struct task {
    const double *speed; /* by rank */
    hs__grid_scratch *scratch;
    hs__ranked *order; /* cells by their sizes' product */
    int64_t left;      /* effort: cells times lines of every sizing */
} task;

/* Arranges the hosts by the products of the sizes. */
static void arrange(const task *t, hs__grid *g)
{
    int cells = g->rows * g->columns;
    for (int cell = 0; cell < cells; cell++)
        t->order[cell] = (hs__ranked){g->r[cell / g->columns] * g->c[cell % g->columns], cell};
    hs__rank_largest_first(t->order, (size_t)cells);
    for (int rank = 0; rank < cells; rank++) {
        g->rank[t->order[rank].index] = rank;
        g->speed[t->order[rank].index] = t->speed[rank];
    }
}

/* The sizes of an arrangement: exact when its vertices are few. */
static hs_status size_up(task *t, hs__grid *g)
{
    int cells = g->rows * g->columns;
    if (cells > CLIMBED_CELLS) {
        hs__grid_close(g);
        return HS_OK;
    }
    double vertices = hs__grid_vertices(g->rows, g->columns);
    int few = cells <= 64 && vertices <= ENUMERATED_VERTICES;
    t->left -= (int64_t)cells * (g->rows + g->columns) * (few ? 4 + (int)vertices : 12);
    if (few)
        return hs__grid_enumerate(g, t->scratch);
    hs__grid_climb(g, t->scratch);
    return HS_OK;
}

/* Alternates from the present arrangement while the value grows; trial holds the best at the end. */
static hs_status alternate(task *t, hs__grid *trial, hs__grid *next)
{
    hs_status status = size_up(t, trial);
    while (status == HS_OK) {
        hs__grid_copy(trial, next);
        arrange(t, next);
        status = size_up(t, next);
        if (status != HS_OK || !(next->value > trial->value * (1 + 1e-12)))
            break;
        hs__grid_copy(next, trial);
    }
    return status;
}

/* Sizes that spread the range of speeds over rows (tilt 1) or columns (tilt 0). */
static void tilt_sizes(const task *t, hs__grid *g, double tilt)
{
    int cells = g->rows * g->columns;
    double range = log(t->speed[0] / t->speed[cells - 1]) + 1e-3;
    for (int i = 0; i < g->rows; i++)
        g->r[i] = exp(-range * tilt * i / (g->rows > 1 ? g->rows - 1 : 1));
    for (int j = 0; j < g->columns; j++)
        g->c[j] = exp(-range * (1 - tilt) * j / (g->columns > 1 ? g->columns - 1 : 1));
}

static void exchange(hs__grid *g, int a, int b)
{
    double speed = g->speed[a];
    int rank = g->rank[a];
    g->speed[a] = g->speed[b];
    g->rank[a] = g->rank[b];
    g->speed[b] = speed;
    g->rank[b] = rank;
}

static int cell_of(const hs__grid *g, int rank)
{
    int cell = 0;
    while (g->rank[cell] != rank)
        cell++;
    return cell;
}

/* Exchanges of hosts whose ranks differ by up to REACH, while effort is left; each that helps is kept. */
static hs_status improve(task *t, hs__grid *best, hs__grid *trial, hs__grid *next)
{
    int cells = best->rows * best->columns;
    for (int rank = 0, idle = 0; idle < cells && t->left > 0; rank = (rank + 1) % cells) {
        idle++;
        for (int other = rank + 1; other <= rank + REACH && other < cells; other++) {
            hs__grid_copy(best, trial);
            exchange(trial, cell_of(trial, rank), cell_of(trial, other));
            hs_status status = alternate(t, trial, next);
            if (status != HS_OK)
                return status;
            if (trial->value > best->value * (1 + 1e-12)) {
                hs__grid_copy(trial, best);
                idle = 0;
            }
        }
    }
    return HS_OK;
}

/* The best, perturbed and improved again while effort is left. */
static hs_status perturb(task *t, hs__grid *best, hs__grid *local, hs__grid *trial, hs__grid *next)
{
    hs__random random = {1};
    int cells = best->rows * best->columns;
    hs_status status = HS_OK;
    while (t->left > 0 && status == HS_OK) {
        hs__grid_copy(best, local);
        for (int k = 0; k < 2 + cells / 16; k++)
            exchange(local, (int)hs__random_below(&random, cells), (int)hs__random_below(&random, cells));
        status = alternate(t, local, next);
        if (status == HS_OK)
            status = improve(t, local, trial, next);
        if (status == HS_OK && local->value > best->value * (1 + 1e-12))
            hs__grid_copy(local, best);
    }
    return status;
}

/* Climbing takes long where hosts are many, closing where they are very many. */
static int starts(int cells)
{
    return cells > 16384 ? 2 : cells > 512 && cells <= CLIMBED_CELLS ? 5 : 9;
}

static hs_status search(task *t, hs__grid *best, hs__grid *local, hs__grid *trial, hs__grid *next)
{
    int cells = best->rows * best->columns, tilts = starts(cells);
    hs_status status = HS_OK;
    best->value = 0;
    for (int k = 0; k < tilts; k++) {
        tilt_sizes(t, trial, (double)k / (tilts - 1));
        arrange(t, trial);
        status = alternate(t, trial, next);
        if (status != HS_OK)
            return status;
        if (trial->value > best->value * (1 + 1e-12))
            hs__grid_copy(trial, best);
    }
    if (cells > EXCHANGE_CELLS)
        return HS_OK;
    status = improve(t, best, trial, next);
    return status == HS_OK ? perturb(t, best, local, trial, next) : status;
}

hs_status hs__grid_search(const double *speed, hs__grid *grid, hs__grid_scratch *scratch, int64_t effort)
{
    hs__grid other[3] = {{0}};
    task t = {speed, scratch, hs__array_new((size_t)grid->rows * (size_t)grid->columns, sizeof *t.order), effort};
    hs_status status = t.order ? HS_OK : HS_ERR_NOMEM;
    for (int k = 0; k < 3 && status == HS_OK; k++)
        status = hs__grid_create(grid->rows, grid->columns, &other[k]);
    if (status == HS_OK)
        status = search(&t, grid, &other[0], &other[1], &other[2]);
    for (int k = 0; k < 3; k++)
        hs__grid_free(&other[k]);
    free(t.order);
    return status;
}
