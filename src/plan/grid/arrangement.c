/* SPDX-License-Identifier: BSD-3-Clause */
/* An arrangement of hosts with its sizes, and the scratch memory of the searches for sizes. */
#include "plan/grid/grid.h"

#include <stdlib.h>
#include <string.h>

hs_status hs__grid_create(int rows, int columns, hs__grid *grid)
{
    size_t cells = (size_t)rows * (size_t)columns;
    *grid = (hs__grid){.rows = rows, .columns = columns};
    grid->speed = hs__pool_new(&grid->pool, cells, sizeof *grid->speed);
    grid->rank = hs__pool_new(&grid->pool, cells, sizeof *grid->rank);
    grid->r = hs__pool_new(&grid->pool, (size_t)rows, sizeof *grid->r);
    grid->c = hs__pool_new(&grid->pool, (size_t)columns, sizeof *grid->c);
    return hs__pool_complete(&grid->pool);
}

void hs__grid_free(hs__grid *grid)
{
    hs__pool_free(&grid->pool);
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
    *s = (hs__grid_scratch){0};
    s->slack = hs__pool_new(&s->pool, cells, sizeof *s->slack);
    s->log_speed = hs__pool_new(&s->pool, cells, sizeof *s->log_speed);
    s->x = hs__pool_new(&s->pool, (size_t)rows, sizeof *s->x);
    s->y = hs__pool_new(&s->pool, (size_t)columns, sizeof *s->y);
    s->tight = hs__pool_new(&s->pool, cells, sizeof *s->tight);
    s->side = hs__pool_new(&s->pool, nodes, sizeof *s->side);
    s->stack = hs__pool_new(&s->pool, nodes, sizeof *s->stack);
    return hs__pool_complete(&s->pool);
}

void hs__grid_scratch_free(hs__grid_scratch *s)
{
    free(s->visited);
    hs__pool_free(&s->pool);
}
