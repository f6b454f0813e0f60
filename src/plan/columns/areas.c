/* SPDX-License-Identifier: BSD-3-Clause */
/* Speeds as areas, and lower bounds on the half perimeters of any tiling of the unit square by rectangles of these
 * areas. doc/algorithms/columns.md proves the bounds. */
#include "plan/columns/columns.h"

#include "util/array.h"
#include "util/assert.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

hs_status hs__rank_hosts(const double *speed, int hosts, hs__ranked *list)
{
    double fastest = 0;
    for (int i = 0; i < hosts; i++) {
        if (!(speed[i] >= 0) || speed[i] > DBL_MAX)
            return HS_ERR_ARG;
        fastest = fmax(fastest, speed[i]);
    }
    if (fastest <= 0)
        return HS_ERR_INFEASIBLE;
    for (int i = 0; i < hosts; i++)
        list[i] = (hs__ranked){speed[i] / fastest, i};
    hs__rank_largest_first(list, (size_t)hosts);
    return HS_OK;
}

hs_status hs__areas_create(const double *speed, int hosts, hs__areas *areas)
{
    hs__areas a = {0};
    hs_status status = HS_ERR_NOMEM;
    hs__ranked *list = hs__array_new((size_t)hosts, sizeof *list);
    if (!list || (status = hs__rank_hosts(speed, hosts, list)) != HS_OK)
        goto out;
    while (a.n < hosts && list[a.n].value > DBL_MIN * hosts) /* areas below DBL_MIN lose their digits */
        a.n++;
    a.host = hs__pool_new(&a.pool, (size_t)a.n, sizeof *a.host);
    a.area = hs__pool_new(&a.pool, (size_t)a.n, sizeof *a.area);
    a.tail = hs__pool_new(&a.pool, (size_t)a.n + 1, sizeof *a.tail);
    status = hs__pool_complete(&a.pool);
    if (status != HS_OK)
        goto out;
    long double total = 0, tail = 0;
    for (int k = a.n - 1; k >= 0; k--)
        total += list[k].value;
    for (int k = a.n - 1; k >= 0; k--) {
        a.host[k] = list[k].index;
        a.area[k] = (double)(list[k].value / total);
        a.tail[k] = (double)(tail += list[k].value / total);
    }
    HS_ASSERT(fabs(a.tail[0] - 1) <= 1e-9);
    *areas = a;
out:
    free(list);
    return status;
}

void hs__areas_free(hs__areas *areas)
{
    hs__pool_free(&areas->pool);
}

/* The least half perimeter of a rectangle of this area one of whose sides is at most `side`. */
static double least_half_perimeter(double area, double side)
{
    return sqrt(area) <= side ? 2 * sqrt(area) : side + area / side;
}

/* Rectangle i lies beside, above or below rectangle j, whose sides are at least s_j, so one of its sides is at most
 * 1 - s_j; the largest j says most. */
static double alone(const hs__areas *a, int k)
{
    if (a->n == 1)
        return 2;
    return least_half_perimeter(a->area[k], k ? a->tail[1] : 1 - a->area[1]);
}

double hs__bound_sum(const hs__areas *a)
{
    double rest = 0;
    for (int k = a->n - 1; k > 0; k--)
        rest += alone(a, k);
    if (a->n == 1)
        return 2;
    /* Either the largest rectangle crosses the square, or the others cover both of its axes. */
    double crossing = 1 + a->area[0] + rest, inside = 2 * sqrt(a->area[0]) + fmax(2, rest);
    return fmax(alone(a, 0) + rest, fmin(crossing, inside));
}

double hs__bound_max(const hs__areas *a)
{
    double bound = hs__bound_sum(a) / a->n;
    for (int k = 0; k < a->n; k++)
        bound = fmax(bound, alone(a, k));
    /* Of two or three rectangles one covers two corners, so it crosses the square. */
    if (a->n == 2 || a->n == 3)
        bound = fmax(bound, 1 + a->area[a->n - 1]);
    return bound;
}

hs_status hs__column_sets_create(int n, hs__column_sets *sets)
{
    *sets = (hs__column_sets){0};
    sets->first = hs__pool_new(&sets->pool, (size_t)n + 1, sizeof *sets->first);
    sets->rank = hs__pool_new(&sets->pool, (size_t)n, sizeof *sets->rank);
    return hs__pool_complete(&sets->pool);
}

void hs__column_sets_free(hs__column_sets *sets)
{
    hs__pool_free(&sets->pool);
}

void hs__column_sets_copy(const hs__column_sets *from, hs__column_sets *to)
{
    to->columns = from->columns;
    memcpy(to->first, from->first, ((size_t)from->columns + 1) * sizeof *to->first);
    memcpy(to->rank, from->rank, (size_t)from->first[from->columns] * sizeof *to->rank);
}

double hs__column_sets_cost(const hs__areas *areas, const hs__column_sets *sets, hs_columns_objective objective)
{
    double cost = 0;
    for (int c = 0; c < sets->columns; c++) {
        double width = 0, largest = 0;
        for (int k = sets->first[c]; k < sets->first[c + 1]; k++) {
            width += areas->area[sets->rank[k]];
            largest = fmax(largest, areas->area[sets->rank[k]]);
        }
        int size = sets->first[c + 1] - sets->first[c];
        cost = objective == HS_COLUMNS_SUM ? cost + 1 + size * width : fmax(cost, width + largest / width);
    }
    return cost;
}
