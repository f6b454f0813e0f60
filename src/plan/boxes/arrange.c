/* SPDX-License-Identifier: BSD-3-Clause */
/* Who stands where. Only speeds count here: sizes and halos come afterwards. */
#include "plan/boxes/boxes.h"

#include <heteroslice/hs_grid.h>
#include <math.h>
#include <string.h>

enum { MAX_SEARCHED = 12 }; /* hosts of a grid of which the best arrangement is looked for */

void hs__boxes_arrange_rows(hs_boxes *plan)
{
    plan->slab[1] = 1;
    plan->first[1] = plan->hosts;
    for (int i = 0; i < plan->hosts; i++)
        plan->host[i] = i;
}

hs_status hs__boxes_add_columns(const hs__areas *areas, int i, int j, double height, hs_boxes *plan)
{
    hs__column_sets sets = {0};
    hs__column_scratch scratch = {0};
    hs_status status = hs__column_sets_create(j - i, &sets);
    if (status == HS_OK)
        status = hs__column_scratch_create(j - i, &scratch);
    if (status == HS_OK) {
        int column = plan->slab[plan->slabs + 1] > 0 ? plan->slab[plan->slabs + 1] : plan->slab[plan->slabs];
        int place = plan->first[column];
        hs__columns_sum(areas, i, j, height, 0, &scratch);
        hs__column_sets_from(&scratch, j - i, &sets);
        for (int c = 0; c <= sets.columns; c++)
            plan->first[column + c] = place + sets.first[c];
        for (int k = 0; k < j - i; k++)
            plan->host[place + k] = areas->host[i + sets.rank[k]];
        plan->slab[plan->slabs + 1] = column + sets.columns;
    }
    hs__column_scratch_free(&scratch);
    hs__column_sets_free(&sets);
    return status;
}

/* The rank with which the next slab begins: where the sum of areas comes nearest to its share, one host a slab at least. */
static int slab_end(const hs__areas *areas, int slab, int slabs, int first)
{
    int end = first + 1, last = areas->n - (slabs - slab - 1);
    double left = areas->tail[first], share = left / (slabs - slab);
    while (end < last && (slab + 1 == slabs || hs__areas_sum(areas, first, end) + areas->area[end] / 2 <= share))
        end++;
    return end;
}

/* Areas of all hosts add up to 1; a slab is as thick as its share of them, and seen from above the rectangle with the shape of
 * the domain has just that area. */
hs_status hs__boxes_arrange_columns(const hs__boxes_task *task, int slabs, int across, hs_boxes *plan)
{
    const hs__areas *areas = &task->areas;
    const int64_t *extent = task->domain.extent;
    const int axis[HS__DIMS] = {across == 0 ? 1 : 0, across == 2 ? 1 : 2, across};
    double shape = (double)extent[axis[0]] / (double)extent[axis[1]];
    hs_status status = HS_OK;
    memcpy(plan->axis, axis, sizeof axis);
    plan->slabs = 0;
    for (int first = 0, end; plan->slabs < slabs && status == HS_OK; plan->slabs++, first = end) {
        end = slab_end(areas, plan->slabs, slabs, first);
        status = hs__boxes_add_columns(areas, first, end, sqrt(shape * hs__areas_sum(areas, first, end)), plan);
    }
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

/* The search for the best arrangement takes seconds for large grids, and knows two dimensions. Elsewhere hosts of like speed
 * share a plane and in it a column, the fastest at the top of the first: sorted along planes, rows and columns, as the best
 * one is. */
hs_status hs__boxes_arrange_grid(const hs__boxes_task *task, const int *shape, hs_boxes *plan)
{
    int rows = shape[0], columns = shape[1], planes = shape[2];
    plan->slabs = planes;
    for (int b = 0; b < planes; b++)
        plan->slab[b + 1] = (b + 1) * columns;
    for (int j = 0; j < planes * columns; j++)
        plan->first[j + 1] = (j + 1) * rows;
    if (planes == 1 && rows * columns <= MAX_SEARCHED)
        return place_best(task, rows, columns, plan->host);
    memcpy(plan->host, task->areas.host, (size_t)hs__boxes_places(plan) * sizeof *plan->host);
    return HS_OK;
}

void hs__boxes_arrange_as(const hs_boxes *held, hs_boxes *plan)
{
    plan->slabs = held->slabs;
    memcpy(plan->axis, held->axis, sizeof held->axis);
    memcpy(plan->slab, held->slab, ((size_t)held->slabs + 1) * sizeof *held->slab);
    memcpy(plan->first, held->first, ((size_t)hs__boxes_columns(held) + 1) * sizeof *held->first);
    memcpy(plan->host, held->host, (size_t)hs__boxes_places(held) * sizeof *held->host);
}
