/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether rectangles tile the square: they lie inside, their areas add up to it, and no two overlap. Overlaps are found
 * by a sweep from left to right over the rectangles' vertical sides; the rectangles crossed by the sweep line stay
 * sorted in an array, and a new one may touch but not enter its neighbours. Without blocks, what rounding can hide is
 * let pass. */
#include "plan/columns/plan.h"

#include "util/array.h"
#include "util/pool.h"
#include "util/sort.h"
#include "util/status.h"
#include <math.h>
#include <stdlib.h>

typedef struct side {
    double x;
    int rectangle, enters;
} side;

typedef struct sweep {
    const hs_rectangle *rectangle;
    int *open; /* rectangles crossed by the line, from top to bottom */
    int n;
    double slack; /* how far rectangles may enter each other */
} sweep;

/* Leaving comes before entering. */
static int by_x(const void *a, const void *b)
{
    const side *p = a, *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    if (p->enters != q->enters)
        return p->enters - q->enters;
    return (p->rectangle > q->rectangle) - (p->rectangle < q->rectangle);
}

/* The first open rectangle that begins at or below y. */
static int position(const sweep *s, double y)
{
    int low = -1, high = s->n;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        *(s->rectangle[s->open[middle]].y >= y ? &high : &low) = middle;
    }
    return high;
}

static int enter(sweep *s, int k)
{
    const hs_rectangle *r = &s->rectangle[k];
    int at = position(s, r->y);
    const hs_rectangle *above = at > 0 ? &s->rectangle[s->open[at - 1]] : NULL;
    const hs_rectangle *below = at < s->n ? &s->rectangle[s->open[at]] : NULL;
    if ((above && above->y + above->height > r->y + s->slack) || (below && r->y + r->height > below->y + s->slack))
        return 0;
    for (int i = s->n++; i > at; i--)
        s->open[i] = s->open[i - 1];
    s->open[at] = k;
    return 1;
}

static void leave(sweep *s, int k)
{
    int at = position(s, s->rectangle[k].y);
    while (s->open[at] != k)
        at++;
    s->n--;
    for (; at < s->n; at++)
        s->open[at] = s->open[at + 1];
}

/* sides is scratch for two entries a rectangle. Slivers no thicker than the slack cannot be distinguished from rounding. */
static int disjoint(sweep *s, side *sides, int count)
{
    size_t n = 0;
    for (int k = 0; k < count; k++) {
        const hs_rectangle *r = &s->rectangle[k];
        if (r->width <= 2 * s->slack || r->height <= 2 * s->slack)
            continue;
        sides[n++] = (side){r->x + s->slack, k, 1};
        sides[n++] = (side){r->x + r->width, k, 0};
    }
    qsort(sides, n, sizeof *sides, by_x);
    for (size_t i = 0; i < n; i++) {
        if (!sides[i].enters)
            leave(s, sides[i].rectangle);
        else if (!enter(s, sides[i].rectangle))
            return 0;
    }
    return 1;
}

static int fills(const hs_columns *plan, double side_length, double slack)
{
    double area = 0, blocks = 0;
    for (int k = 0; k < plan->count; k++) {
        const hs_rectangle *r = &plan->rectangle[k];
        if (!(r->x >= -slack && r->y >= -slack && r->width > 0 && r->height > 0) ||
            r->x + r->width > side_length + slack || r->y + r->height > side_length + slack)
            return 0;
        area += r->width * r->height;
        blocks +=
            r->x == floor(r->x) && r->y == floor(r->y) && r->width == floor(r->width) && r->height == floor(r->height);
    }
    if (plan->blocks > 0)
        return blocks == plan->count && area == side_length * side_length;
    return fabs(area - 1) <= slack;
}

/* The half perimeters are those of the rectangles, and no objective is below its bound. */
static hs_status check_measures(const hs_columns *plan, hs_error *error)
{
    double sum = 0, largest = 0;
    for (int k = 0; k < plan->count; k++) {
        double half = plan->rectangle[k].width + plan->rectangle[k].height;
        sum += half;
        largest = fmax(largest, half);
    }
    if (fabs(sum - plan->half_perimeter_sum) > 1e-9 * sum || fabs(largest - plan->half_perimeter_max) > 1e-9 * largest)
        return hs_error_set(error, HS_ERR_INTERNAL, 0,
                            "the half perimeters add up to %g, the largest is %g, not %g and %g", sum, largest,
                            plan->half_perimeter_sum, plan->half_perimeter_max);
    return HS_OK;
}

/* Every host has one rectangle at most; column c holds rectangles first[c] .. first[c+1]-1, one below the other. */
static hs_status check_columns(const hs_columns *plan, hs_error *error)
{
    for (int c = 0; c < plan->columns; c++) {
        if (plan->first[c + 1] <= plan->first[c])
            return hs_error_set(error, HS_ERR_INTERNAL, 0, "column %d has no rectangles", c);
        for (int k = plan->first[c] + 1; k < plan->first[c + 1]; k++)
            if (plan->rectangle[k].x != plan->rectangle[k - 1].x ||
                plan->rectangle[k].width != plan->rectangle[k - 1].width)
                return hs_error_set(error, HS_ERR_INTERNAL, 0, "column %d: rectangle %d does not stand in it", c, k);
    }
    if (plan->columns > 0 && (plan->first[0] != 0 || plan->first[plan->columns] != plan->count))
        return hs_error_set(error, HS_ERR_INTERNAL, 0, "the columns hold %d of %d rectangles",
                            plan->first[plan->columns] - plan->first[0], plan->count);
    return HS_OK;
}

static hs_status check_hosts(const hs_columns *plan, hs_error *error)
{
    hs_status status = HS_OK;
    int *host = hs__array_new((size_t)plan->count, sizeof *host);
    if (!host)
        return HS_ERR_NOMEM;
    for (int k = 0; k < plan->count; k++)
        host[k] = plan->rectangle[k].host;
    size_t twice = hs__sort_ints(host, (size_t)plan->count);
    if (twice > 0)
        status = hs_error_set(error, HS_ERR_INTERNAL, 0, "host %d has two rectangles", host[twice]);
    free(host);
    return status;
}

static hs_status check_tiling(const hs_columns *plan, hs_error *error)
{
    hs__pool pool = {0};
    double slack = plan->blocks > 0 ? 0 : 1e-9, side_length = plan->blocks > 0 ? (double)plan->blocks : 1;
    if (!fills(plan, side_length, slack))
        return hs_error_set(error, HS_ERR_INTERNAL, 0, "the rectangles do not have the area of the square");
    sweep s = {plan->rectangle, hs__pool_new(&pool, (size_t)plan->count, sizeof *s.open), 0, slack};
    side *sides = hs__pool_new(&pool, 2 * (size_t)plan->count, sizeof *sides);
    hs_status status = hs__pool_status(&pool);
    if (status == HS_OK && !disjoint(&s, sides, plan->count))
        status = hs_error_set(error, HS_ERR_INTERNAL, 0, "two rectangles overlap");
    hs__pool_free(&pool);
    return status;
}

hs_status hs_columns_check(const hs_columns *plan, hs_error *error)
{
    HS__RETURN_ERROR_IF_NULL(plan, error);
    hs_status status = check_columns(plan, error);
    if (status == HS_OK)
        status = check_hosts(plan, error);
    if (status == HS_OK)
        status = check_measures(plan, error);
    return status == HS_OK ? check_tiling(plan, error) : status;
}
