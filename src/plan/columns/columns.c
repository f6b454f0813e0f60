/* SPDX-License-Identifier: BSD-3-Clause */
/* hs_columns_create(): asks the planner of the objective and the method. */
#include "plan/columns/plan.h"

#include "util/array.h"
#include "util/assert.h"
#include "util/reserved.h"
#include <math.h>
#include <stdlib.h>

void hs_columns_params_init(hs_columns_params *params)
{
    *params = (hs_columns_params){.objective = HS_COLUMNS_SUM, .method = HS_COLUMNS_COLUMNS};
}

static int valid(const double *speed, int hosts, const hs_columns_params *p)
{
    return speed && hosts >= 1 && hosts <= HS_COLUMNS_MAX_HOSTS &&
           (p->objective == HS_COLUMNS_SUM || p->objective == HS_COLUMNS_MAX) &&
           (p->method == HS_COLUMNS_COLUMNS || p->method == HS_COLUMNS_RECURSIVE) && p->blocks >= 0 &&
           p->blocks <= HS_COLUMNS_MAX_BLOCKS && p->tolerance >= 0 && p->tolerance < INFINITY &&
           hs__reserved_check(p->reserved, HS__RESERVED, NULL) == HS_OK;
}

static void task_free(hs__columns_task *t)
{
    hs__pool_free(&t->pool);
    hs__slicing_free(&t->tree);
    hs__column_sets_free(&t->sets);
    hs__column_scratch_free(&t->scratch);
    hs__areas_free(&t->areas);
}

static hs_status task_create(hs__columns_task *t)
{
    hs_status status = hs__areas_create(t->speed, t->hosts, &t->areas);
    if (status != HS_OK)
        return status;
    size_t n = (size_t)t->areas.n;
    t->box = hs__pool_new(&t->pool, 2 * n, sizeof *t->box);
    t->width = hs__pool_new(&t->pool, n, sizeof *t->width);
    t->height = hs__pool_new(&t->pool, n, sizeof *t->height);
    if (hs__pool_status(&t->pool) != HS_OK || hs__column_scratch_create(t->areas.n, &t->scratch) != HS_OK ||
        hs__column_sets_create(t->areas.n, &t->sets) != HS_OK || hs__slicing_create(t->areas.n, &t->tree) != HS_OK)
        return HS_ERR_NOMEM;
    return HS_OK;
}

/* Ranks in columns, by the objective on the unit square. */
static hs_status find_columns(hs__columns_task *t)
{
    if (t->params.objective == HS_COLUMNS_MAX)
        return hs__columns_max(&t->areas, &t->scratch, &t->sets);
    hs__columns_sum(&t->areas, 0, t->areas.n, 1, 0, &t->scratch);
    hs__column_sets_from(&t->scratch, t->areas.n, &t->sets);
    HS_ASSERT(fabs(hs__column_sets_cost(&t->areas, &t->sets, HS_COLUMNS_SUM) - t->scratch.cost[t->areas.n]) <=
              1e-9 * t->scratch.cost[t->areas.n]);
    return HS_OK;
}

static hs_status plan_columns(hs__columns_task *t, hs_columns **plan)
{
    if (t->params.blocks == 0)
        return hs__columns_lay_unit(t, plan);
    hs_status status = hs__columns_blocks(&t->areas, t->speed, &t->params, &t->scratch, &t->sets, t->width, t->height);
    return status == HS_OK ? hs__columns_lay_blocks(t, plan) : status;
}

static hs_status plan_tree(hs__columns_task *t, hs_columns **plan)
{
    hs__columns_recursive(&t->areas, t->params.objective, &t->scratch, &t->sets, &t->tree);
    if (t->params.blocks > 0) {
        hs_status status = hs__slicing_blocks(&t->tree, &t->areas, t->speed, t->params.blocks, t->box);
        return status == HS_OK ? hs__columns_lay_tree(t, plan) : status;
    }
    double *sum = hs__array_new((size_t)t->tree.n, sizeof *sum);
    if (!sum)
        return HS_ERR_NOMEM;
    hs__slicing_sum(&t->tree, &t->areas, sum);
    hs__slicing_place(&t->tree, sum, t->box);
    free(sum);
    return hs__columns_lay_tree(t, plan);
}

static double objective_of(const hs_columns *plan, hs_columns_objective objective)
{
    return objective == HS_COLUMNS_SUM ? plan->half_perimeter_sum : plan->half_perimeter_max;
}

/* By the rule of search.c: where blocks are fine a clearly smaller objective, else the load, then idle hosts,
 * then the objective. */
static int is_better(const hs__columns_task *t, const hs_columns *tree, const hs_columns *columns)
{
    double a = objective_of(tree, t->params.objective), b = objective_of(columns, t->params.objective);
    if (hs__column_blocks_are_fine(t->areas.n, t->params.blocks) && fmax(a, b) > HS__NEAR_BEST * fmin(a, b))
        return a < b;
    if (tree->largest_load != columns->largest_load)
        return tree->largest_load < columns->largest_load;
    if (tree->count != columns->count)
        return tree->count > columns->count;
    return a < b;
}

/* In blocks the tree competes with columns; a tree too large for its search in blocks is left out. */
static hs_status plan_recursive(hs__columns_task *t, hs_columns **plan)
{
    hs_columns *tree = NULL, *columns = NULL;
    hs_status status = plan_tree(t, &tree);
    if (status == HS_OK && t->params.blocks == 0) {
        *plan = tree;
        return HS_OK;
    }
    if (status == HS_OK || status == HS_ERR_UNSUPPORTED)
        status = plan_columns(t, &columns);
    if (status == HS_OK && tree && is_better(t, tree, columns)) {
        *plan = tree;
        tree = NULL;
    } else if (status == HS_OK) {
        hs__columns_forget(columns);
        *plan = columns;
        columns = NULL;
    }
    hs_columns_free(columns);
    hs_columns_free(tree);
    return status;
}

static int is_optimal(const hs__columns_task *t)
{
    if (t->params.blocks > 0)
        return 0;
    if (t->params.method == HS_COLUMNS_RECURSIVE)
        return t->areas.n <= HS_COLUMNS_RECURSIVE_EXACT;
    return t->params.objective == HS_COLUMNS_SUM || t->areas.n <= HS_COLUMNS_MAX_EXACT;
}

hs_status hs_columns_create(const double *speed, int hosts, const hs_columns_params *params, hs_columns **plan)
{
    hs__columns_task t = {.speed = speed, .hosts = hosts};
    hs_columns *made = NULL;
    hs_columns_params_init(&t.params);
    if (params)
        t.params = *params;
    if (!plan || !valid(speed, hosts, &t.params))
        return HS_ERR_ARG;
    hs_status status = task_create(&t);
    if (status == HS_OK)
        status = find_columns(&t);
    if (status == HS_OK)
        status = t.params.method == HS_COLUMNS_COLUMNS ? plan_columns(&t, &made) : plan_recursive(&t, &made);
    if (status == HS_OK && hs__checking())
        status = hs_columns_check(made, NULL);
    if (status == HS_OK) {
        made->optimal = is_optimal(&t);
        *plan = made;
    } else
        hs_columns_free(made);
    task_free(&t);
    return status;
}
