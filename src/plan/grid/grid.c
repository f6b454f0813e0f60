/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/grid/grid.h"

#include "plan/columns/columns.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/sort.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TREES = 600000, MAX_SEARCH_EFFORT = 48000000, MAX_BLOCK_VISITS = 100000000 };

struct hs_grid {
    hs__grid grid;
    int *host; /* of each rank */
    int optimal;
};

/* One row or column: every host's speed is used in full. */
static void fill_line(const double *speed, hs__grid *g)
{
    int cells = g->rows * g->columns;
    double sum = 0;
    for (int k = cells - 1; k >= 0; k--)
        sum += speed[k];
    for (int k = 0; k < cells; k++) {
        g->rank[k] = k;
        g->speed[k] = speed[k];
        (g->rows == 1 ? g->c : g->r)[k] = speed[k] / sqrt(sum);
    }
    *(g->rows == 1 ? g->r : g->c) = sqrt(sum);
    g->value = sum;
}

static hs_status solve(const double *speed, hs_grid *p)
{
    int rows = p->grid.rows, columns = p->grid.columns;
    double trees = hs__grid_tableaux(rows, columns) * hs__grid_vertices(rows, columns);
    hs__grid_scratch scratch;
    hs_status status = hs__grid_scratch_create(rows, columns, &scratch);
    if (status != HS_OK)
        return status;
    p->optimal = rows * columns <= 64 && trees <= MAX_TREES;
    status = p->optimal ? hs__grid_exact(speed, &p->grid, &scratch)
                        : hs__grid_search(speed, &p->grid, &scratch, MAX_SEARCH_EFFORT);
    hs__grid_scratch_free(&scratch);
    return status;
}

/* Sizes so small that only a host of speed 0 explains them become 0. */
static void round_away(double *size, int n, double scale)
{
    double largest = 0;
    for (int k = 0; k < n; k++)
        largest = fmax(largest, size[k]);
    for (int k = 0; k < n; k++)
        size[k] = size[k] > 1e-60 * largest ? size[k] * scale : 0;
}

/* Real sizes in the speeds' own unit, or integer ones. */
static hs_status finish(hs_grid *p, const double *speed, double fastest, int64_t blocks)
{
    hs__grid *g = &p->grid;
    round_away(g->r, g->rows, sqrt(fastest));
    round_away(g->c, g->columns, sqrt(fastest));
    g->value *= fastest;
    if (blocks == 0)
        return HS_OK;
    p->optimal = 0;
    int exponent; /* areas over speeds neither overflow nor are rounded when speeds are scaled by it */
    frexp(fastest, &exponent);
    for (int cell = 0; cell < g->rows * g->columns; cell++)
        g->speed[cell] = ldexp(speed[p->host[g->rank[cell]]], -exponent);
    hs_status status = hs__grid_blocks(g, blocks, blocks, MAX_BLOCK_VISITS);
    g->value = ldexp(g->value, exponent);
    return status;
}

static hs_status make(const double *speed, hs_grid *p, hs__ranked *list, int64_t blocks)
{
    int hosts = p->grid.rows * p->grid.columns;
    hs_status status = hs__rank_hosts(speed, hosts, list);
    if (status != HS_OK)
        return status;
    double *by_rank = hs__array_new((size_t)hosts, sizeof *by_rank);
    if (!by_rank)
        return HS_ERR_NOMEM;
    for (int k = 0; k < hosts; k++) {
        p->host[k] = list[k].index;
        by_rank[k] = fmax(list[k].value, hs__grid_nothing);
    }
    p->optimal = 1;
    if (p->grid.rows == 1 || p->grid.columns == 1)
        fill_line(by_rank, &p->grid);
    else
        status = solve(by_rank, p);
    free(by_rank);
    return status == HS_OK ? finish(p, speed, speed[list[0].index], blocks) : status;
}

hs_status hs_grid_create(const double *speed, int rows, int columns, int64_t blocks, hs_grid **grid)
{
    if (!speed || !grid || rows < 1 || columns < 1 || columns > HS_GRID_MAX_HOSTS / rows || blocks < 0 ||
        blocks > HS_GRID_MAX_BLOCKS)
        return HS_ERR_ARG;
    size_t hosts = (size_t)rows * (size_t)columns;
    hs_grid *p = hs__array_new(1, sizeof *p);
    hs__ranked *list = hs__array_new(hosts, sizeof *list);
    hs_status status = HS_ERR_NOMEM;
    if (!p || !list || !(p->host = hs__array_new(hosts, sizeof *p->host)) ||
        hs__grid_create(rows, columns, &p->grid) != HS_OK)
        goto out;
    status = make(speed, p, list, blocks);
    if (status == HS_OK && hs__checking())
        status = hs_grid_check(p, speed, blocks, NULL);
    if (status == HS_OK) {
        *grid = p;
        p = NULL;
    }
out:
    free(list);
    hs_grid_free(p);
    return status;
}

void hs_grid_free(hs_grid *grid)
{
    if (!grid)
        return;
    hs__grid_free(&grid->grid);
    free(grid->host);
    free(grid);
}

int hs_grid_rows(const hs_grid *grid)
{
    return grid->grid.rows;
}

int hs_grid_columns(const hs_grid *grid)
{
    return grid->grid.columns;
}

int hs_grid_host(const hs_grid *grid, int i, int j)
{
    return grid->host[grid->grid.rank[i * grid->grid.columns + j]];
}

double hs_grid_row(const hs_grid *grid, int i)
{
    return grid->grid.r[i];
}

double hs_grid_column(const hs_grid *grid, int j)
{
    return grid->grid.c[j];
}

double hs_grid_value(const hs_grid *grid)
{
    return grid->grid.value;
}

int hs_grid_is_optimal(const hs_grid *grid)
{
    return grid->optimal;
}
