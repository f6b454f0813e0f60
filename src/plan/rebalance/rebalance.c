/* SPDX-License-Identifier: BSD-3-Clause */
/* hs_rebalance_create() and hs_rebalance_create_speeds(): check, choose sizes, plan, list the operations. */
#include "plan/rebalance/plan.h"

#include "util/array.h"
#include "util/assert.h"
#include "util/pool.h"
#include "util/reserved.h"
#include "util/sort.h"
#include "util/status.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void hs_rebalance_params_init(hs_rebalance_params *params)
{
    *params = (hs_rebalance_params){.method = HS_REBALANCE_EXACT, .model = HS_REBALANCE_CONSTANT, .row_cost = -1};
}

static int valid_params(const hs_rebalance_params *p)
{
    return (p->method == HS_REBALANCE_EXACT || p->method == HS_REBALANCE_GREEDY || p->method == HS_REBALANCE_SLIDES) &&
           (p->model == HS_REBALANCE_CONSTANT || p->model == HS_REBALANCE_OWNERS) && p->row_cost <= DBL_MAX &&
           p->row_cost >= -DBL_MAX && p->tolerance >= 0 && p->tolerance <= DBL_MAX &&
           hs__reserved_check(p->reserved, HS__RESERVED, NULL) == HS_OK;
}

enum { MAX_BLOCKS_A_SIDE = 1 << 30 };

hs_status hs__column_layout_check(const hs_column_layout *l, hs_error *error)
{
    int64_t rows = -1, wide = 0;
    if (!l || !l->first || !l->width || !l->host || !l->height || l->columns < 1 || l->first[0] != 0)
        return hs_error_set(error, HS_ERR_ARG, 0, "the layout has no columns");
    for (int c = 0; c < l->columns; c++) {
        int64_t sum = 0;
        if (l->first[c + 1] <= l->first[c])
            return hs_error_set(error, HS_ERR_ARG, 0, "column %d has no rectangles", c);
        if (l->width[c] < 0 || l->width[c] > MAX_BLOCKS_A_SIDE || (wide += l->width[c]) > MAX_BLOCKS_A_SIDE)
            return hs_error_set(error, HS_ERR_ARG, 0, "column %d: width %lld is out of range", c,
                                (long long)l->width[c]);
        for (int k = l->first[c]; k < l->first[c + 1]; k++) {
            if (l->height[k] < 0 || l->height[k] > MAX_BLOCKS_A_SIDE || (sum += l->height[k]) > MAX_BLOCKS_A_SIDE)
                return hs_error_set(error, HS_ERR_ARG, 0, "column %d, rectangle %d: height %lld is out of range", c,
                                    k - l->first[c], (long long)l->height[k]);
        }
        if (rows >= 0 && sum != rows)
            return hs_error_set(error, HS_ERR_ARG, 0, "column %d is %lld rows high, column 0 %lld", c, (long long)sum,
                                (long long)rows);
        rows = sum;
    }
    if (rows == 0 || wide == 0)
        return hs_error_set(error, HS_ERR_ARG, 0, "the layout has no blocks");
    return HS_OK;
}

/* A layout whose hosts are distinct: what a host has to do is told of each rectangle by itself. */
static hs_status check_layout(const hs_column_layout *l, hs_error *error)
{
    hs_status status = hs__column_layout_check(l, error);
    if (status != HS_OK)
        return status;
    size_t places = (size_t)l->first[l->columns];
    int *host = hs__array_new(places, sizeof *host);
    if (!host)
        return hs__error_status(error, HS_ERR_NOMEM);
    memcpy(host, l->host, places * sizeof *host);
    size_t twice = hs__sort_ints(host, places);
    if (twice > 0)
        status = hs_error_set(error, HS_ERR_ARG, 0, "host %d has two rectangles", host[twice]);
    free(host);
    return status;
}

static hs_status check_delta(const hs_column_layout *l, const int64_t *delta, hs_error *error)
{
    for (int c = 0; c < l->columns; c++) {
        int64_t sum = 0;
        for (int k = l->first[c]; k < l->first[c + 1]; k++) {
            if (delta[k] < -l->height[k] || delta[k] > MAX_BLOCKS_A_SIDE)
                return hs_error_set(error, HS_ERR_ARG, 0, "column %d, rectangle %d: cannot receive %lld of %lld rows",
                                    c, k - l->first[c], (long long)delta[k], (long long)l->height[k]);
            sum += delta[k];
        }
        if (sum != 0)
            return hs_error_set(error, HS_ERR_ARG, 0, "column %d: the rows to receive add up to %lld, not 0", c,
                                (long long)sum);
    }
    return HS_OK;
}

static hs_status plan_new(const hs_column_layout *l, hs_rebalance **plan)
{
    size_t columns = (size_t)l->columns, places = (size_t)l->first[l->columns];
    hs_rebalance *p = hs__array_new(1, sizeof *p);
    if (!p)
        return HS_ERR_NOMEM;
    p->columns = l->columns;
    p->first = hs__pool_new(&p->pool, columns + 1, sizeof *p->first);
    p->host = hs__pool_new(&p->pool, places, sizeof *p->host);
    p->width = hs__pool_new(&p->pool, columns, sizeof *p->width);
    p->height = hs__pool_new(&p->pool, places, sizeof *p->height);
    if (hs__pool_status(&p->pool) != HS_OK) {
        hs_rebalance_free(p);
        return HS_ERR_NOMEM;
    }
    memcpy(p->first, l->first, (columns + 1) * sizeof *p->first);
    memcpy(p->host, l->host, places * sizeof *p->host);
    memcpy(p->width, l->width, columns * sizeof *p->width);
    memcpy(p->height, l->height, places * sizeof *p->height);
    *plan = p;
    return HS_OK;
}

/* ---- Rows and borders. ---- */

static hs_status find_moves(const hs__borders *borders, const hs_rebalance_params *params, const hs__row_price *price,
                            hs__row_moves *moves)
{
    if (params->method == HS_REBALANCE_SLIDES)
        return HS_OK;
    if (params->method == HS_REBALANCE_GREEDY)
        return hs__rebalance_greedy(borders, price, moves);
    if (price->model == HS_REBALANCE_CONSTANT) {
        hs_status status = hs__rebalance_levels(borders, price->constant, moves);
        if (status != HS_UNCHANGED)
            return status;
    }
    return hs__rebalance_flow(borders, price, moves);
}

static double moves_cost(const hs__borders *borders, const hs__row_price *price, const hs__row_moves *moves, char *seen)
{
    double cost = 0;
    for (size_t k = 0; k < moves->n; k++)
        cost += (double)moves->move[k].count *
                hs__row_price_between(borders, price, moves->move[k].from, moves->move[k].to, seen);
    return cost;
}

/* Plans how the heights of `now` (whose widths are final) become plan->height. */
static hs_status plan_rows(hs_rebalance *plan, const hs_column_layout *now, const int64_t *delta,
                           const hs_rebalance_params *params)
{
    hs__pool pool = {0};
    hs__borders borders = {0};
    hs__row_moves moves = {NULL, 0, 0};
    hs__row_price price = {params->model, params->row_cost};
    hs_status status = hs__borders_create(now, delta, &borders);
    if (status != HS_OK)
        return status;
    int64_t *z = hs__pool_new(&pool, (size_t)borders.cuts, sizeof *z);
    char *seen = hs__pool_new(&pool, (size_t)now->columns, sizeof *seen);
    status = hs__pool_status(&pool);
    for (int c = 0; c < now->columns && params->row_cost < 0; c++)
        price.constant = (c ? price.constant : 0) + (double)now->width[c];
    if (status == HS_OK)
        status = find_moves(&borders, params, &price, &moves);
    if (status == HS_OK)
        status = hs__rebalance_append_rows(plan, &borders, &moves);
    if (status == HS_OK) {
        hs__row_moves_crossings(&borders, &moves, z);
        status = hs__rebalance_append_slides(plan, &borders, z);
    }
    if (status == HS_OK) {
        plan->cost += moves_cost(&borders, &price, &moves, seen) + hs__slides_cost(&borders, z);
        plan->cost_slides_only += hs__slides_cost(&borders, NULL);
    }
    hs__pool_free(&pool);
    hs__row_moves_free(&moves);
    hs__borders_free(&borders);
    return status;
}

static hs_status finish(hs_rebalance *p, hs_status status, const hs_column_layout *before,
                        const hs_rebalance_params *params, hs_rebalance **plan, hs_error *error)
{
    if (status == HS_OK)
        status = hs__rebalance_count_moved(p, before, &p->blocks_moved);
    if (status == HS_OK && hs__checking())
        status = hs_rebalance_check(before, params, p, error);
    if (status == HS_OK)
        *plan = p;
    else
        hs_rebalance_free(p);
    return status;
}

hs_status hs_rebalance_create(const hs_column_layout *layout, const int64_t *delta, const hs_rebalance_params *params,
                              hs_rebalance **plan, hs_error *error)
{
    hs_rebalance_params with;
    hs_rebalance_params_init(&with);
    if (params)
        with = *params;
    if (!delta || !plan || !valid_params(&with))
        return hs_error_set(error, HS_ERR_ARG, 0, "a parameter is out of its range");
    hs_status status = check_layout(layout, error);
    if (status == HS_OK)
        status = check_delta(layout, delta, error);
    if (status != HS_OK)
        return status;
    hs_rebalance *p = NULL;
    status = plan_new(layout, &p);
    if (status != HS_OK)
        return hs__error_status(error, status);
    for (int k = 0; k < layout->first[layout->columns]; k++)
        p->height[k] += delta[k];
    return finish(p, plan_rows(p, layout, delta, &with), layout, &with, plan, error);
}

/* ---- New speeds. ---- */

/* Fills placed with the speed of each place's host. */
static hs_status check_speeds(const hs_column_layout *l, const double *speed, int hosts, double *placed,
                              hs_error *error)
{
    double fastest = 0;
    for (int i = 0; i < hosts; i++)
        if (!(speed[i] >= 0) || speed[i] > DBL_MAX)
            return hs_error_set(error, HS_ERR_ARG, 0, "host %d: a speed must be a finite number of at least 0", i);
    for (int k = 0; k < l->first[l->columns]; k++) {
        if (l->host[k] < 0 || l->host[k] >= hosts)
            return hs_error_set(error, HS_ERR_ARG, 0, "host %d of the layout is none of the %d that have a speed",
                                l->host[k], hosts);
        placed[k] = speed[l->host[k]];
        fastest = fmax(fastest, placed[k]);
    }
    if (fastest <= 0)
        return hs_error_set(error, HS_ERR_INFEASIBLE, 0, "no host of the layout has a speed above 0");
    return HS_OK;
}

/* Columns first, then rows and borders in columns of the new widths. */
static hs_status plan_speeds(hs_rebalance *p, const hs_column_layout *before, const double *placed, int64_t *delta,
                             const hs_rebalance_params *params)
{
    int64_t moved, rows = 0;
    hs_status status = hs__rebalance_targets(before, placed, params->tolerance, p->width, p->height);
    if (status == HS_OK)
        status = hs__rebalance_append_columns(p, before->width, &moved);
    if (status != HS_OK)
        return status;
    for (int k = 0; k < before->first[1]; k++)
        rows += before->height[k];
    p->cost = p->cost_slides_only = (double)moved * (double)rows;
    for (int k = 0; k < before->first[before->columns]; k++)
        delta[k] = p->height[k] - before->height[k];
    hs_column_layout now = *before;
    now.width = p->width;
    return plan_rows(p, &now, delta, params);
}

hs_status hs_rebalance_create_speeds(const hs_column_layout *layout, const double *speed, int hosts,
                                     const hs_rebalance_params *params, hs_rebalance **plan, hs_error *error)
{
    hs__pool pool = {0};
    hs_rebalance_params with;
    hs_rebalance_params_init(&with);
    if (params)
        with = *params;
    if (!speed || hosts < 1 || !plan || !valid_params(&with))
        return hs_error_set(error, HS_ERR_ARG, 0, "a parameter is out of its range");
    hs_status status = check_layout(layout, error);
    if (status != HS_OK)
        return status;
    size_t places = (size_t)layout->first[layout->columns];
    double *placed = hs__pool_new(&pool, places, sizeof *placed);
    int64_t *delta = hs__pool_new(&pool, places, sizeof *delta);
    hs_rebalance *p = NULL;
    status = hs__pool_status(&pool);
    if (status == HS_OK)
        status = check_speeds(layout, speed, hosts, placed, error);
    if (status == HS_OK)
        status = plan_new(layout, &p);
    if (status == HS_OK)
        status = finish(p, plan_speeds(p, layout, placed, delta, &with), layout, &with, plan, error);
    if (status == HS_ERR_NOMEM)
        hs__error_status(error, status);
    hs__pool_free(&pool);
    return status;
}

/* ---- Accessors ---- */

void hs_rebalance_free(hs_rebalance *plan)
{
    if (!plan)
        return;
    hs__pool_free(&plan->pool);
    free(plan->operation);
    free(plan);
}

int hs_rebalance_operations(const hs_rebalance *plan)
{
    return (int)plan->operations;
}

const hs_rebalance_operation *hs_rebalance_operation_at(const hs_rebalance *plan, int k)
{
    return &plan->operation[k];
}

double hs_rebalance_cost(const hs_rebalance *plan)
{
    return plan->cost;
}

double hs_rebalance_cost_slides_only(const hs_rebalance *plan)
{
    return plan->cost_slides_only;
}

int64_t hs_rebalance_blocks_moved(const hs_rebalance *plan)
{
    return plan->blocks_moved;
}

void hs_rebalance_layout(const hs_rebalance *plan, hs_column_layout *layout)
{
    *layout = (hs_column_layout){plan->columns, plan->first, plan->width, plan->host, plan->height};
}
