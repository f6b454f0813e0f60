/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/columns/plan.h"

#include "util/array.h"
#include "util/assert.h"
#include "util/status.h"
#include <math.h>
#include <stdlib.h>

static hs_status plan_create(int rectangles, int columns, int64_t blocks, hs_columns **plan)
{
    hs_columns *p = hs__array_new(1, sizeof *p);
    if (!p)
        return HS_ERR_NOMEM;
    p->blocks = blocks;
    p->count = rectangles;
    p->columns = columns;
    p->rectangle = hs__pool_new(&p->pool, (size_t)rectangles, sizeof *p->rectangle);
    p->host = hs__pool_new(&p->pool, (size_t)rectangles, sizeof *p->host);
    p->height = hs__pool_new(&p->pool, (size_t)rectangles, sizeof *p->height);
    p->first = hs__pool_new(&p->pool, (size_t)columns + 1, sizeof *p->first);
    p->width = hs__pool_new(&p->pool, (size_t)columns, sizeof *p->width);
    if (hs__pool_status(&p->pool) != HS_OK) {
        hs_columns_free(p);
        return HS_ERR_NOMEM;
    }
    *plan = p;
    return HS_OK;
}

void hs_columns_free(hs_columns *plan)
{
    if (!plan)
        return;
    hs__pool_free(&plan->pool);
    free(plan);
}

/* ---- From ranks to rectangles. ---- */

static hs_status lay_unit(const hs__columns_task *t, hs_columns **plan)
{
    const hs__column_sets *sets = &t->sets;
    hs_status status = plan_create(t->areas.n, sets->columns, 0, plan);
    if (status != HS_OK)
        return status;
    double x = 0;
    for (int c = 0; c < sets->columns; c++) {
        double width = 0, y = 0;
        for (int k = sets->first[c + 1] - 1; k >= sets->first[c]; k--)
            width += t->areas.area[sets->rank[k]];
        for (int k = sets->first[c]; k < sets->first[c + 1]; k++) {
            double height = t->areas.area[sets->rank[k]] / width;
            (*plan)->host[k] = t->areas.host[sets->rank[k]];
            (*plan)->rectangle[k] = (hs_rectangle){(*plan)->host[k], x, y, width, height};
            y += height;
        }
        x += width;
        (*plan)->first[c + 1] = sets->first[c + 1];
    }
    return HS_OK;
}

/* Leaves out hosts without an area and columns without a width. */
static hs_status lay_blocks(const hs__columns_task *t, hs_columns **plan)
{
    const hs__column_sets *sets = &t->sets;
    int rectangles = 0, columns = 0, placed = 0;
    for (int c = 0; c < sets->columns; c++) {
        columns += t->width[c] > 0;
        for (int k = sets->first[c]; k < sets->first[c + 1]; k++)
            rectangles += t->width[c] > 0 && t->height[k] > 0;
    }
    hs_status status = plan_create(rectangles, columns, t->params.blocks, plan);
    if (status != HS_OK)
        return status;
    hs_columns *p = *plan;
    int64_t x = 0;
    columns = 0;
    for (int c = 0; c < sets->columns; c++) {
        int64_t y = 0;
        if (t->width[c] == 0)
            continue;
        for (int k = sets->first[c]; k < sets->first[c + 1]; k++) {
            if (t->height[k] == 0)
                continue;
            p->host[placed] = t->areas.host[sets->rank[k]];
            p->height[placed] = t->height[k];
            p->rectangle[placed] =
                (hs_rectangle){p->host[placed], (double)x, (double)y, (double)t->width[c], (double)t->height[k]};
            placed++;
            y += t->height[k];
        }
        p->width[columns++] = t->width[c];
        p->first[columns] = placed;
        x += t->width[c];
    }
    HS_ASSERT(placed == rectangles && x == t->params.blocks);
    return HS_OK;
}

static int by_host(const void *a, const void *b)
{
    const hs_rectangle *x = a, *y = b;
    return (x->host > y->host) - (x->host < y->host);
}

static hs_status lay_tree(const hs__columns_task *t, hs_columns **plan)
{
    int rectangles = 0, placed = 0;
    for (int v = 0; v < t->tree.n; v++)
        rectangles += t->tree.node[v].cut == HS__SLICING_LEAF && t->box[v].width > 0 && t->box[v].height > 0;
    hs_status status = plan_create(rectangles, 0, t->params.blocks, plan);
    if (status != HS_OK)
        return status;
    for (int v = 0; v < t->tree.n; v++) {
        const hs__box *b = &t->box[v];
        if (t->tree.node[v].cut == HS__SLICING_LEAF && b->width > 0 && b->height > 0)
            (*plan)->rectangle[placed++] =
                (hs_rectangle){t->areas.host[t->tree.node[v].rank], b->x, b->y, b->width, b->height};
    }
    qsort((*plan)->rectangle, (size_t)rectangles, sizeof *(*plan)->rectangle, by_host);
    return HS_OK;
}

/* ---- Measures. ---- */

/* The lower bound for the areas of the plan, which with blocks are not quite the speeds': half perimeters are then
 * integers. */
static hs_status find_bound(const hs__columns_task *t, hs_columns *p)
{
    int sum = t->params.objective == HS_COLUMNS_SUM;
    if (p->blocks == 0) {
        p->lower_bound = sum ? hs__bound_sum(&t->areas) : hs__bound_max(&t->areas);
        return HS_OK;
    }
    hs__areas areas;
    double rounded = 0, *area = hs__array_new((size_t)p->count, sizeof *area);
    if (!area)
        return HS_ERR_NOMEM;
    for (int k = 0; k < p->count; k++) {
        area[k] = p->rectangle[k].width * p->rectangle[k].height;
        double half_perimeter = ceil(2 * sqrt(area[k]));
        rounded = hs__objective_join(t->params.objective, rounded, half_perimeter);
    }
    hs_status status = hs__areas_create(area, p->count, &areas);
    if (status == HS_OK) {
        double real = (double)p->blocks * (sum ? hs__bound_sum(&areas) : hs__bound_max(&areas));
        p->lower_bound = fmax(rounded, ceil(real * (1 - 1e-12)));
        hs__areas_free(&areas);
    }
    free(area);
    return status;
}

static hs_status measure(const hs__columns_task *t, hs_status status, hs_columns **plan)
{
    hs_columns *p = *plan;
    if (status != HS_OK)
        return status;
    for (int k = 0; k < p->count; k++) {
        const hs_rectangle *r = &p->rectangle[k];
        p->half_perimeter_sum += r->width + r->height;
        p->half_perimeter_max = fmax(p->half_perimeter_max, r->width + r->height);
        if (p->blocks > 0)
            p->largest_load = fmax(p->largest_load, r->width * r->height / t->speed[r->host]);
    }
    if (p->blocks == 0)
        p->largest_load = t->areas.area[0] / t->speed[t->areas.host[0]];
    status = find_bound(t, p);
    HS_ASSERT(status != HS_OK ||
              p->lower_bound <=
                  (1 + 1e-9) * (t->params.objective == HS_COLUMNS_SUM ? p->half_perimeter_sum : p->half_perimeter_max));
    if (status != HS_OK) {
        hs_columns_free(p);
        *plan = NULL;
    }
    return status;
}

hs_status hs__columns_lay_unit(const hs__columns_task *task, hs_columns **plan)
{
    return measure(task, lay_unit(task, plan), plan);
}

hs_status hs__columns_lay_blocks(const hs__columns_task *task, hs_columns **plan)
{
    return measure(task, lay_blocks(task, plan), plan);
}

hs_status hs__columns_lay_tree(const hs__columns_task *task, hs_columns **plan)
{
    return measure(task, lay_tree(task, plan), plan);
}

void hs__columns_forget(hs_columns *plan)
{
    plan->columns = 0;
    qsort(plan->rectangle, (size_t)plan->count, sizeof *plan->rectangle, by_host);
}

/* ---- Accessors ---- */

int hs_columns_count(const hs_columns *plan)
{
    return plan->count;
}

const hs_rectangle *hs_columns_rectangle(const hs_columns *plan, int k)
{
    return &plan->rectangle[k];
}

int hs_columns_columns(const hs_columns *plan)
{
    return plan->columns;
}

int hs_columns_first(const hs_columns *plan, int c)
{
    return plan->first[c];
}

hs_status hs_columns_layout(const hs_columns *plan, hs_column_layout *layout)
{
    HS__RETURN_ERROR_IF_NULL(plan, NULL);
    if (plan->blocks == 0 || plan->columns == 0)
        return HS_ERR_STATE;
    *layout = (hs_column_layout){plan->columns, plan->first, plan->width, plan->host, plan->height};
    return HS_OK;
}

double hs_columns_half_perimeter_sum(const hs_columns *plan)
{
    return plan->half_perimeter_sum;
}

double hs_columns_half_perimeter_max(const hs_columns *plan)
{
    return plan->half_perimeter_max;
}

double hs_columns_lower_bound(const hs_columns *plan)
{
    return plan->lower_bound;
}

double hs_columns_largest_load(const hs_columns *plan)
{
    return plan->largest_load;
}

int hs_columns_is_optimal(const hs_columns *plan)
{
    return plan->optimal;
}
