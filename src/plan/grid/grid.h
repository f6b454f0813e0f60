/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_GRID_H
#define HS_PLAN_GRID_H

#include "util/pool.h"
#include <heteroslice/hs_grid.h>
#include <stddef.h>

/* The speed, relative to the fastest host's, that a host of speed 0 is given: logarithms are taken of speeds, and what a
 * grid gains from one so small cannot be seen. */
static const double hs__grid_nothing = 1e-200;

/** An arrangement and its sizes. Cell (i, j) is entry i * columns + j. */
typedef struct hs__grid {
    int rows, columns;
    double *speed; /* of each cell, > 0 */
    int *rank;     /* of each cell: which of the hosts, fastest first */
    double *r, *c; /* sizes */
    double value;  /* (sum r)(sum c) */
    hs__pool pool;
} hs__grid;

hs_status hs__grid_create(int rows, int columns, hs__grid *grid);
void hs__grid_free(hs__grid *grid);

/** Copy an arrangement and its sizes between grids of one shape. */
void hs__grid_copy(const hs__grid *from, hs__grid *to);

/** Scratch of the search for sizes. */
typedef struct hs__grid_scratch {
    double *slack;        /* of each cell: log s_ij - x_i - y_j */
    double *log_speed;    /* of each cell, jittered apart */
    double *x, *y;        /* logarithms of the sizes */
    unsigned char *tight; /* of each cell: 1 in the spanning tree */
    int *side;            /* of each row, then each column: the part it lies in */
    int *stack;           /* of rows + columns entries */
    uint64_t *visited;    /* trees of an enumeration, a bit for each cell */
    size_t visited_capacity;
    hs__pool pool; /* of the arrays but visited */
} hs__grid_scratch;

hs_status hs__grid_scratch_create(int rows, int columns, hs__grid_scratch *scratch);
void hs__grid_scratch_free(hs__grid_scratch *scratch);

/** Set c to the most that r allows and r to the most that this c allows, scaled to equal sums, and the value. */
void hs__grid_close(hs__grid *grid);

/** Set r, c and the value for the arrangement by climbing from spanning tree to spanning tree. */
void hs__grid_climb(hs__grid *grid, hs__grid_scratch *scratch);

/** Set r, c and the value to the optimum of the arrangement: all spanning trees of tight constraints that satisfy the
 * others. rows * columns <= 64.
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__grid_enumerate(hs__grid *grid, hs__grid_scratch *scratch);

/** Vertices that an enumeration visits: binomial(R + C - 2, R - 1); arrangements sorted along rows and columns: the
 * standard tableaux of the shape. As doubles, since both explode. */
double hs__grid_vertices(int rows, int columns);
double hs__grid_tableaux(int rows, int columns);

/** The optimum over all sorted arrangements; speed holds the hosts' speeds, fastest first. */
hs_status hs__grid_exact(const double *speed, hs__grid *grid, hs__grid_scratch *scratch);

/** A good arrangement found by alternation and exchanges. The exchanges end soon after so much effort: cells times lines
 * of every sizing. */
hs_status hs__grid_search(const double *speed, hs__grid *grid, hs__grid_scratch *scratch, int64_t effort);

/** Integer sizes of the arrangement, rows that add up to high and columns that add up to wide; r and c are what to start
 * from. The search for better ones ends soon after so many visits of a cell.
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__grid_blocks(hs__grid *grid, int64_t high, int64_t wide, int64_t visits);

#endif
