/* SPDX-License-Identifier: BSD-3-Clause */
/* MAX-GRID exactly, for few hosts: some optimum has speeds that fall along rows and columns (exchanging two hosts that
 * do not breaks no constraint once sizes fall too), so the standard tableaux of an R x C rectangle are all arrangements
 * that matter, and hs__grid_enumerate() sizes each. */
#include "plan/grid/grid.h"
#include "util/assert.h"

#include <math.h>

double hs__grid_vertices(int rows, int columns)
{
    double count = 1;
    for (int k = 1; k < rows; k++)
        count = count * (columns - 1 + k) / k;
    return count;
}

/* The hook length formula: (R C)! over the product of i + j - 1. */
double hs__grid_tableaux(int rows, int columns)
{
    double count = 1;
    int k = 1;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            count = count * k++ / (i + j + 1);
    return count;
}

typedef struct task {
    const double *speed; /* by rank */
    hs__grid *grid, *best;
    hs__grid_scratch *scratch;
    int *length;     /* of each row so far */
    int64_t visited; /* arrangements */
} task;

static hs_status place(task *t, int rank)
{
    hs__grid *g = t->grid;
    hs_status status = HS_OK;
    if (rank == g->rows * g->columns) {
        t->visited++;
        status = hs__grid_enumerate(g, t->scratch);
        if (status == HS_OK && g->value > t->best->value * (1 + 1e-13))
            hs__grid_copy(g, t->best);
        return status;
    }
    for (int i = 0; i < g->rows && status == HS_OK; i++) {
        if (t->length[i] == g->columns || (i > 0 && t->length[i - 1] == t->length[i]))
            continue;
        /* A square's arrangement and its transpose are worth the same. */
        if (g->rows == g->columns && rank == 1 && i == 1)
            continue;
        int cell = i * g->columns + t->length[i]++;
        g->rank[cell] = rank;
        g->speed[cell] = t->speed[rank];
        status = place(t, rank + 1);
        t->length[i]--;
    }
    return status;
}

hs_status hs__grid_exact(const double *speed, hs__grid *grid, hs__grid_scratch *scratch)
{
    hs__grid trial;
    int length[64] = {0};
    hs_status status = hs__grid_create(grid->rows, grid->columns, &trial);
    if (status != HS_OK)
        return status;
    task t = {speed, &trial, grid, scratch, length, 0};
    grid->value = 0;
    status = place(&t, 0);
    HS_ASSERT(status != HS_OK || fabs((double)t.visited * (grid->rows == grid->columns ? 2 : 1) -
                                      hs__grid_tableaux(grid->rows, grid->columns)) < 0.5);
    hs__grid_free(&trial);
    return status;
}
