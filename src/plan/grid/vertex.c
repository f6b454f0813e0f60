/* SPDX-License-Identifier: BSD-3-Clause */
/* MAX-GRID for a fixed arrangement (matmul-redistribution-2000, section 2.2; errata).
 *
 * In x_i = log r_i, y_j = log c_j the constraints r_i c_j <= s_ij are x_i + y_j <= log s_ij, and the logarithm of the
 * value is convex, so a maximum lies at a vertex of that polyhedron (up to the shift x + t, y - t): R + C - 1 tight
 * constraints that form a spanning tree of rows and columns. Letting go of one tree edge parts the tree in two;
 * shifting one part against the other keeps all other tree edges tight until a new constraint becomes tight: the
 * neighbouring vertex. Climbing goes to the best neighbour while that improves. Enumeration visits all vertices: for
 * speeds in general position there are binomial(R + C - 2, R - 1) of them, one for each cell of a triangulation of a
 * product of simplices. Equal speeds are separated by a jitter of 1e-10 while walking; sizes are then taken from the
 * tree without it. */
#include "plan/grid/grid.h"

#include "util/array.h"
#include "util/assert.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CELLS_VISITED = 300000000 };

typedef struct walk {
    hs__grid *grid;
    hs__grid_scratch *s;
    int rows, columns;
} walk;

/* A deterministic number in [0, 1) for each rank. */
static double jitter(int cell)
{
    uint64_t z = ((uint64_t)cell + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    return (double)(z >> 11) * 0x1p-53;
}

static void refresh_slack(const walk *w)
{
    for (int i = 0; i < w->rows; i++)
        for (int j = 0; j < w->columns; j++) {
            int cell = i * w->columns + j;
            w->s->slack[cell] = w->s->tight[cell] ? 0 : w->s->log_speed[cell] - w->s->x[i] - w->s->y[j];
        }
}

/* Marks all rows and columns that tight constraints connect to a row (node < rows) or column, and no others. With
 * logarithms of speeds these become tight: the sizes of what is marked follow from the node's. */
static void mark(const walk *w, int node, const double *log_speed)
{
    hs__grid_scratch *s = w->s;
    int n = 0;
    memset(s->side, 0, ((size_t)w->rows + (size_t)w->columns) * sizeof *s->side);
    s->side[node] = 1;
    s->stack[n++] = node;
    while (n > 0) {
        int from = s->stack[--n], row = from < w->rows, others = row ? w->columns : w->rows;
        int cell = row ? from * w->columns : from - w->rows;
        for (int k = 0, to = row ? w->rows : 0; k < others; k++, to++, cell += row ? 1 : w->columns) {
            if (!s->tight[cell] || s->side[to])
                continue;
            if (log_speed && row)
                s->y[k] = log_speed[cell] - s->x[from];
            else if (log_speed)
                s->x[k] = log_speed[cell] - s->y[from - w->rows];
            s->side[to] = 1;
            s->stack[n++] = to;
        }
    }
}

/* The least slack between rows of one part and columns of the other; -1 when there is no such cell. */
static int nearest(const walk *w, int rows_part, int columns_part)
{
    int best = -1;
    for (int i = 0; i < w->rows; i++)
        for (int j = 0; j < w->columns; j++) {
            int cell = i * w->columns + j;
            if ((w->s->side[i] == 1) == rows_part && (w->s->side[w->rows + j] == 1) == columns_part &&
                (best < 0 || w->s->slack[cell] < w->s->slack[best]))
                best = cell;
        }
    return best;
}

/* Raises the rows of part 1 by t and lowers its columns by t. */
static void shift(const walk *w, double t)
{
    for (int i = 0; i < w->rows; i++)
        if (w->s->side[i] == 1)
            w->s->x[i] += t;
    for (int j = 0; j < w->columns; j++)
        if (w->s->side[w->rows + j] == 1)
            w->s->y[j] -= t;
}

/* The value after a shift by t, as a logarithm. */
static double value_after(const walk *w, double t)
{
    double r = 0, c = 0;
    for (int i = 0; i < w->rows; i++)
        r += exp(w->s->x[i] + (w->s->side[i] == 1 ? t : 0));
    for (int j = 0; j < w->columns; j++)
        c += exp(w->s->y[j] - (w->s->side[w->rows + j] == 1 ? t : 0));
    return log(r) + log(c);
}

/* Sizes that satisfy all constraints, each tight somewhere. */
static void start(const walk *w)
{
    hs__grid_scratch *s = w->s;
    for (int cell = 0; cell < w->rows * w->columns; cell++)
        s->log_speed[cell] = log(w->grid->speed[cell]) + 1e-10 * jitter(w->grid->rank[cell]);
    for (int j = 0; j < w->columns; j++) {
        s->y[j] = INFINITY;
        for (int i = 0; i < w->rows; i++)
            s->y[j] = fmin(s->y[j], s->log_speed[i * w->columns + j]);
    }
    for (int i = 0; i < w->rows; i++) {
        s->x[i] = INFINITY;
        for (int j = 0; j < w->columns; j++)
            s->x[i] = fmin(s->x[i], s->log_speed[i * w->columns + j] - s->y[j]);
    }
    memset(s->tight, 0, (size_t)w->rows * (size_t)w->columns);
}

/* Whether as many constraints are tight as a spanning tree has edges, and none is broken. */
static int is_vertex(const walk *w)
{
    int tight = 0;
    for (int cell = 0; cell < w->rows * w->columns; cell++) {
        tight += w->s->tight[cell];
        if (w->s->slack[cell] < -1e-7)
            return 0;
    }
    return tight == w->rows + w->columns - 1;
}

/* Grows a spanning tree of tight constraints from row 0: the part that holds it is shifted against the rest, in the
 * direction that raises the value more, until one more constraint joins another row or column to it. */
static void grow_tree(const walk *w)
{
    for (int joined = 1; joined < w->rows + w->columns; joined++) {
        mark(w, 0, NULL);
        refresh_slack(w);
        int up = nearest(w, 1, 0), down = nearest(w, 0, 1);
        int chosen = up >= 0 ? up : down;
        if (up >= 0 && down >= 0 && value_after(w, -w->s->slack[down]) > value_after(w, w->s->slack[up]))
            chosen = down;
        shift(w, chosen == up ? w->s->slack[up] : -w->s->slack[down]);
        w->s->tight[chosen] = 1;
    }
    refresh_slack(w);
    HS_ASSERT(is_vertex(w));
}

/* Parts the tree at one of its edges: part 1 holds the edge's row. Returns the cell that becomes tight when part 1
 * gives way, -1 when none does. */
static int part_at(const walk *w, int edge)
{
    w->s->tight[edge] = 0;
    mark(w, edge / w->columns, NULL);
    w->s->tight[edge] = 1;
    return nearest(w, 0, 1);
}

/* Goes to the neighbour over this edge and cell. */
static void pivot(const walk *w, int edge, int cell)
{
    part_at(w, edge);
    shift(w, -w->s->slack[cell]);
    w->s->tight[edge] = 0;
    w->s->tight[cell] = 1;
    refresh_slack(w);
    HS_ASSERT(is_vertex(w));
}

/* Goes to the best neighbour, in large grids to the first better one, until none is better. */
static void climb(const walk *w)
{
    int cells = w->rows * w->columns, first_better = cells > 512, begin = 0;
    int64_t left = MAX_CELLS_VISITED;
    for (int best_edge = 0, best_cell; best_edge >= 0 && left > 0;) {
        double best = value_after(w, 0) + 1e-14;
        best_edge = best_cell = -1;
        for (int k = 0; k < cells && left > 0 && (best_edge < 0 || !first_better); k++) {
            int edge = (begin + k) % cells, cell = w->s->tight[edge] ? part_at(w, edge) : -1;
            left -= w->s->tight[edge] ? 2 * cells : 1;
            double value = cell >= 0 ? value_after(w, -w->s->slack[cell]) : -INFINITY;
            if (value > best) {
                best = value;
                best_edge = edge;
                best_cell = cell;
            }
        }
        if (best_edge >= 0)
            pivot(w, best_edge, best_cell);
        begin = first_better ? best_edge + 1 : 0;
    }
}

/* Whether no host gets more area than its speed. */
static int is_within(const hs__grid *g)
{
    for (int cell = 0; cell < g->rows * g->columns; cell++)
        if (!(g->r[cell / g->columns] * g->c[cell % g->columns] <= g->speed[cell] * (1 + 1e-9)))
            return 0;
    return 1;
}

void hs__grid_close(hs__grid *g)
{
    double sum_r = 0, sum_c = 0;
    for (int j = 0; j < g->columns; j++) {
        g->c[j] = INFINITY;
        for (int i = 0; i < g->rows; i++)
            g->c[j] = fmin(g->c[j], g->speed[i * g->columns + j] / g->r[i]);
        sum_c += g->c[j];
    }
    for (int i = 0; i < g->rows; i++) {
        g->r[i] = INFINITY;
        for (int j = 0; j < g->columns; j++)
            g->r[i] = fmin(g->r[i], g->speed[i * g->columns + j] / g->c[j]);
        sum_r += g->r[i];
    }
    g->value = sum_r * sum_c;
    double root = sqrt(g->value);
    for (int i = 0; i < g->rows; i++)
        g->r[i] *= root / sum_r;
    for (int j = 0; j < g->columns; j++)
        g->c[j] *= root / sum_c;
    HS_ASSERT(is_within(g));
}

/* Sizes without the jitter, made to satisfy every constraint. */
static void settle(const walk *w)
{
    hs__grid *g = w->grid;
    double *log_speed = w->s->slack;
    for (int cell = 0; cell < w->rows * w->columns; cell++)
        log_speed[cell] = log(g->speed[cell]);
    mark(w, 0, log_speed);
    for (int i = 0; i < w->rows; i++)
        g->r[i] = exp(w->s->x[i] - w->s->x[0]);
    hs__grid_close(g);
}

void hs__grid_climb(hs__grid *grid, hs__grid_scratch *scratch)
{
    walk w = {grid, scratch, grid->rows, grid->columns};
    start(&w);
    grow_tree(&w);
    climb(&w);
    settle(&w);
}

/* ---- All vertices. ---- */

static uint64_t tree_mask(const walk *w)
{
    uint64_t mask = 0;
    for (int cell = 0; cell < w->rows * w->columns; cell++)
        mask |= (uint64_t)w->s->tight[cell] << cell;
    return mask;
}

static void load_tree(const walk *w, uint64_t mask)
{
    for (int cell = 0; cell < w->rows * w->columns; cell++)
        w->s->tight[cell] = mask >> cell & 1;
    mark(w, 0, w->s->log_speed);
    refresh_slack(w);
    HS_ASSERT(is_vertex(w));
}

/* Appends a tree not met before. */
static hs_status visit(const walk *w, uint64_t mask, size_t *n)
{
    for (size_t k = 0; k < *n; k++)
        if (w->s->visited[k] == mask)
            return HS_OK;
    if (hs__array_reserve(&w->s->visited, &w->s->visited_capacity, *n + 1, sizeof mask) != 0)
        return HS_ERR_NOMEM;
    w->s->visited[(*n)++] = mask;
    return HS_OK;
}

static hs_status visit_neighbours(const walk *w, uint64_t mask, size_t *n)
{
    hs_status status = HS_OK;
    for (int edge = 0; edge < w->rows * w->columns && status == HS_OK; edge++) {
        int cell = mask >> edge & 1 ? part_at(w, edge) : -1;
        if (cell >= 0)
            status = visit(w, (mask ^ (uint64_t)1 << edge) | (uint64_t)1 << cell, n);
    }
    return status;
}

hs_status hs__grid_enumerate(hs__grid *grid, hs__grid_scratch *scratch)
{
    walk w = {grid, scratch, grid->rows, grid->columns};
    size_t n = 0;
    start(&w);
    grow_tree(&w);
    uint64_t best = tree_mask(&w);
    double most = -INFINITY;
    hs_status status = visit(&w, best, &n);
    for (size_t k = 0; k < n && status == HS_OK; k++) {
        uint64_t mask = scratch->visited[k];
        load_tree(&w, mask);
        double value = value_after(&w, 0);
        if (value > most) {
            most = value;
            best = mask;
        }
        status = visit_neighbours(&w, mask, &n);
    }
    if (status != HS_OK)
        return status;
    load_tree(&w, best);
    settle(&w);
    return HS_OK;
}
