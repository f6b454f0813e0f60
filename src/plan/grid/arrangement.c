/* SPDX-License-Identifier: BSD-3-Clause */
/* An arrangement of hosts with its sizes, and the scratch memory of the searches for sizes. */
#include "plan/grid/grid.h"

#include "util/array.h"
#include <stdlib.h>
#include <string.h>

hs_status hs__grid_create(int rows, int columns, hs__grid *grid)
{
    size_t cells = (size_t)rows * (size_t)columns;
    *grid = (hs__grid){rows,
                       columns,
                       hs__array_new(cells, sizeof *grid->speed),
                       hs__array_new(cells, sizeof *grid->rank),
                       hs__array_new((size_t)rows, sizeof *grid->r),
                       hs__array_new((size_t)columns, sizeof *grid->c),
                       0};
    if (grid->speed && grid->rank && grid->r && grid->c)
        return HS_OK;
    hs__grid_free(grid);
    return HS_ERR_NOMEM;
}

void hs__grid_free(hs__grid *grid)
{
    free(grid->c);
    free(grid->r);
    free(grid->rank);
    free(grid->speed);
    *grid = (hs__grid){0};
}

void hs__grid_copy(const hs__grid *from, hs__grid *to)
{
    size_t rows = (size_t)from->rows, columns = (size_t)from->columns;
    memcpy(to->speed, from->speed, rows * columns * sizeof *to->speed);
    memcpy(to->rank, from->rank, rows * columns * sizeof *to->rank);
    memcpy(to->r, from->r, rows * sizeof *to->r);
    memcpy(to->c, from->c, columns * sizeof *to->c);
    to->value = from->value;
}

hs_status hs__grid_scratch_create(int rows, int columns, hs__grid_scratch *s)
{
    size_t cells = (size_t)rows * (size_t)columns, nodes = (size_t)rows + (size_t)columns;
    *s = (hs__grid_scratch){hs__array_new(cells, sizeof *s->slack),
                            hs__array_new(cells, sizeof *s->log_speed),
                            hs__array_new((size_t)rows, sizeof *s->x),
                            hs__array_new((size_t)columns, sizeof *s->y),
                            hs__array_new(cells, sizeof *s->tight),
                            hs__array_new(nodes, sizeof *s->side),
                            hs__array_new(nodes, sizeof *s->stack),
                            NULL,
                            0};
    if (s->slack && s->log_speed && s->x && s->y && s->tight && s->side && s->stack)
        return HS_OK;
    hs__grid_scratch_free(s);
    return HS_ERR_NOMEM;
}

void hs__grid_scratch_free(hs__grid_scratch *s)
{
    free(s->visited);
    free(s->stack);
    free(s->side);
    free(s->tight);
    free(s->y);
    free(s->x);
    free(s->log_speed);
    free(s->slack);
    *s = (hs__grid_scratch){0};
}
