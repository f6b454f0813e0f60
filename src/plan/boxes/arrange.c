/* SPDX-License-Identifier: BSD-3-Clause */
/* Who stands where. Only speeds count here: sizes and halos come afterwards. */
#include "plan/boxes/boxes.h"

#include <heteroslice/hs_grid.h>
#include <math.h>
#include <string.h>

enum { MAX_SEARCHED = 12 }; /* hosts of a grid of which the best arrangement is looked for */

hs_status hs__boxes_arrange_rows(const hs__boxes_task *task, hs_boxes **plan)
{
    hs_status status = hs__boxes_new(task, HS_BOXES_ROWS, plan);
    if (status != HS_OK)
        return status;
    (*plan)->columns = 1;
    (*plan)->first[1] = task->hosts;
    for (int i = 0; i < task->hosts; i++)
        (*plan)->host[i] = i;
    return HS_OK;
}

/* Areas add up to 1, so the rectangle with the shape of the domain is sqrt(rows / columns) high. */
hs_status hs__boxes_arrange_columns(const hs__boxes_task *task, hs_boxes **plan)
{
    const hs__areas *areas = &task->areas;
    hs__column_sets sets = {0};
    hs__column_scratch scratch = {0};
    double height = sqrt((double)task->domain.extent[0] / (double)task->domain.extent[1]);
    hs_status status = hs__column_sets_create(areas->n, &sets);
    if (status == HS_OK)
        status = hs__column_scratch_create(areas->n, &scratch);
    if (status == HS_OK)
        status = hs__boxes_new(task, HS_BOXES_COLUMNS, plan);
    if (status == HS_OK) {
        hs__columns_sum(areas, 0, areas->n, height, 0, &scratch);
        hs__column_sets_from(&scratch, areas->n, &sets);
        (*plan)->columns = sets.columns;
        memcpy((*plan)->first, sets.first, ((size_t)sets.columns + 1) * sizeof *sets.first);
        for (int k = 0; k < areas->n; k++)
            (*plan)->host[k] = areas->host[sets.rank[k]];
    }
    hs__column_scratch_free(&scratch);
    hs__column_sets_free(&sets);
    return status;
}

/* The hosts of a grid in the order of places, as MAX-GRID has them. */
static hs_status place_best(const hs__boxes_task *task, int rows, int columns, int *host)
{
    int cells = rows * columns;
    double speed[MAX_SEARCHED];
    hs_grid *grid;
    for (int k = 0; k < cells; k++)
        speed[k] = task->speed[task->areas.host[k]];
    hs_status status = hs_grid_create(speed, rows, columns, 0, &grid);
    if (status != HS_OK)
        return status;
    for (int k = 0; k < cells; k++)
        host[k] = task->areas.host[hs_grid_host(grid, k % rows, k / rows)];
    hs_grid_free(grid);
    return HS_OK;
}

/* The search for the best arrangement takes seconds for large grids. There hosts of like speed share a column, the
 * fastest at the top of the first: sorted along rows and columns, as the best one is. */
hs_status hs__boxes_arrange_grid(const hs__boxes_task *task, int rows, int columns, hs_boxes **out)
{
    hs_boxes *plan;
    hs_status status = hs__boxes_new(task, HS_BOXES_GRID, &plan);
    if (status != HS_OK)
        return status;
    plan->columns = columns;
    for (int j = 0; j < columns; j++)
        plan->first[j + 1] = (j + 1) * rows;
    if (rows * columns <= MAX_SEARCHED)
        status = place_best(task, rows, columns, plan->host);
    else
        memcpy(plan->host, task->areas.host, (size_t)rows * (size_t)columns * sizeof *plan->host);
    if (status == HS_OK)
        *out = plan;
    else
        hs_boxes_free(plan);
    return status;
}

hs_status hs__boxes_arrange_as(const hs__boxes_task *task, const hs_boxes *held, hs_boxes **plan)
{
    hs_status status = hs__boxes_new(task, held->method, plan);
    if (status != HS_OK)
        return status;
    (*plan)->columns = held->columns;
    memcpy((*plan)->first, held->first, ((size_t)held->columns + 1) * sizeof *held->first);
    memcpy((*plan)->host, held->host, (size_t)held->first[held->columns] * sizeof *held->host);
    return HS_OK;
}
