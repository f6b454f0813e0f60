/* SPDX-License-Identifier: BSD-3-Clause */
/* The best of what is tried: rows, grids and columns of several shapes, with sizes; in a network groups of near hosts, too. */
#include "plan/boxes/boxes.h"

#include <math.h>

enum {
    SHAPES = 4,     /* of grids tried, to both sides of the squarest */
    SHAPES_3D = 1,  /* likewise rows, and planes or slabs; */
    LEVELS = 3,     /* of nested groups of hosts near each other: up to 8 groups */
    SHAPED_ALL = 12 /* hosts of which all shapes in three dimensions are tried */
};

/* A way to say who stands where. */
typedef struct choice {
    hs_boxes_method method;
    int shape[HS__DIMS]; /* of a grid: rows, columns, planes */
    int slabs, across;   /* of columns */
    const int *axis;     /* of groups; NULL: no groups */
    int level;
    const hs_boxes *held; /* as there, and of its method; comes before the others */
} choice;

static hs_status arrange(const hs__boxes_task *task, const choice *way, hs_boxes *plan)
{
    if (way->held) {
        hs__boxes_arrange_as(way->held, plan);
        return HS_OK;
    }
    if (way->axis)
        return hs__boxes_arrange_groups(task, way->axis, way->level, plan);
    switch (way->method) {
    case HS_BOXES_GRID:
    case HS_BOXES_GRID_3D:
        return hs__boxes_arrange_grid(task, way->shape, plan);
    case HS_BOXES_COLUMNS:
    case HS_BOXES_SLABS:
        return hs__boxes_arrange_columns(task, way->slabs, way->across, plan);
    default:
        hs__boxes_arrange_rows(plan);
        return HS_OK;
    }
}

hs_status hs__boxes_offer(hs_status status, hs_boxes *plan, hs_boxes **best)
{
    if (status == HS_OK && hs__boxes_better(plan, *best)) {
        hs_boxes *worse = *best;
        *best = plan;
        plan = worse;
    }
    hs_boxes_free(plan);
    return status;
}

/* Gives an arrangement its sizes. */
static hs_status try(const hs__boxes_task *task, choice way, hs_boxes **best)
{
    hs_boxes *plan = NULL;
    hs_status status = hs__boxes_new(task, way.method, &plan);
    if (status == HS_OK)
        status = arrange(task, &way, plan);
    if (status == HS_OK)
        status = hs__boxes_size(task, plan);
    return hs__boxes_offer(status, plan, best);
}

/* Cells over the summed speed of the fastest hosts: no plan with these alone takes less. */
static double least_step(const hs__boxes_task *task, int hosts)
{
    double speed = 0;
    for (int k = hosts - 1; k >= 0; k--)
        speed += task->speed[task->areas.host[k]];
    return (double)task->domain.extent[0] * (double)task->domain.extent[1] * (double)task->domain.extent[2] / speed;
}

/* So many of the lines of hosts along a dimension, to both sides of the number that makes equal boxes cubes (or squares). */
typedef struct range {
    int first, last;
} range;

static range around(double lines, int reach, int most)
{
    int middle = lines < 1 ? 1 : lines > most ? most : (int)(lines + 0.5);
    return (range){middle > reach ? middle - reach : 1, middle < most - reach ? middle + reach : most};
}

/* Grids with so many planes, and as many columns as there are hosts for. */
static hs_status try_grids_of(const hs__boxes_task *task, hs_boxes_method method, int planes, int reach,
                              hs_boxes **best)
{
    int hosts = task->areas.n / planes;
    double square = sqrt((double)hosts * (double)task->domain.extent[0] / (double)task->domain.extent[1]);
    range rows = around(square, reach, hosts);
    hs_status status = HS_OK;
    for (int r = rows.first; r <= rows.last && status == HS_OK; r++) {
        choice way = {.method = method, .shape = {r, hosts / r, planes}};
        if (!*best || least_step(task, planes * r * way.shape[1]) <= (*best)->step_time)
            status = try(task, way, best);
    }
    return status;
}

/* The side of boxes that are cubes, as far as the domain is wide enough for them. */
static double cube_side(const hs__boxes_task *task)
{
    int wide[HS__DIMS] = {1, 1, 1}, dims = 0;
    double side = INFINITY;
    for (int thin = 1; thin;) {
        double area = 1 / (double)task->areas.n;
        thin = dims = 0;
        for (int d = 0; d < HS__DIMS; d++) {
            dims += wide[d];
            area *= wide[d] ? (double)task->domain.extent[d] : 1;
        }
        side = dims > 0 ? pow(area, 1. / dims) : 1;
        for (int d = 0; d < HS__DIMS; d++)
            if (wide[d] && (double)task->domain.extent[d] < side)
                wide[d] = !(thin = 1);
    }
    return side;
}

/* How many slabs of boxes there are along a dimension when these are about cubes. */
static range slabs_along(const hs__boxes_task *task, int d)
{
    int64_t extent = task->domain.extent[d];
    int hosts = task->areas.n, most = extent < hosts ? (int)extent : hosts;
    return around((double)extent / cube_side(task), hosts > SHAPED_ALL ? SHAPES_3D : hosts, most);
}

static hs_status try_grids_3d(const hs__boxes_task *task, hs_boxes **best)
{
    range planes = slabs_along(task, 2);
    hs_status status = HS_OK;
    for (int p = planes.first; p <= planes.last && status == HS_OK; p++)
        status = try_grids_of(task, HS_BOXES_GRID_3D, p, task->areas.n > SHAPED_ALL ? SHAPES_3D : task->areas.n, best);
    return status;
}

/* Slabs along each of the dimensions. One slab is columns, and all there is for one host. */
static hs_status try_slabs(const hs__boxes_task *task, hs_boxes **best)
{
    hs_status status = HS_OK;
    for (int d = HS__DIMS - 1; d >= 0; d--) {
        range slabs = slabs_along(task, d);
        for (int b = slabs.first > 2 ? slabs.first : 2; b <= slabs.last && status == HS_OK; b++)
            status = try(task, (choice){.method = HS_BOXES_SLABS, .slabs = b, .across = d}, best);
    }
    if (status == HS_OK && !*best)
        status = try(task, (choice){.method = HS_BOXES_SLABS, .slabs = 1, .across = 2}, best);
    return status;
}

/* Groups of hosts near each other in strips, on columns from top to bottom or from left to right, and in slabs. */
static hs_status try_groups(const hs__boxes_task *task, hs_boxes_method method, hs_boxes **best)
{
    static const int axes[][HS__DIMS] = {{0, 1, 2}, {1, 0, 2}, {0, 1, 2}, {0, 2, 1}, {1, 2, 0}};
    hs_status status = HS_OK;
    for (int level = 1, groups = 1; level <= LEVELS; level++) {
        int now = hs__boxes_groups(task, level);
        for (int k = 0; k < 5 && now > groups && status == HS_OK; k++) {
            choice way = {.method = k < 2 ? HS_BOXES_COLUMNS : HS_BOXES_SLABS, .axis = axes[k], .level = level};
            if (method == way.method)
                status = try(task, way, best);
        }
        groups = now;
    }
    return status;
}

static hs_status try_method(const hs__boxes_task *task, hs_boxes_method method, hs_boxes **best)
{
    switch (method) {
    case HS_BOXES_COLUMNS:
        return try(task, (choice){.method = HS_BOXES_COLUMNS, .slabs = 1, .across = 2}, best);
    case HS_BOXES_GRID:
        return try_grids_of(task, HS_BOXES_GRID, 1, SHAPES, best);
    case HS_BOXES_SLABS:
        return try_slabs(task, best);
    case HS_BOXES_GRID_3D:
        return try_grids_3d(task, best);
    default:
        return try(task, (choice){.method = HS_BOXES_ROWS}, best);
    }
}

/* Exchanges start from the best plan of each method: they may gain more than the other methods are ahead. Rows stay in the
 * order of the hosts. */
static hs_status best_of(const hs__boxes_task *task, hs_boxes_method method, hs_boxes **best)
{
    hs_boxes *plan = NULL;
    hs_status status = try_method(task, method, &plan);
    if (status == HS_OK && task->costs->network && method != HS_BOXES_ROWS) {
        status = try_groups(task, method, &plan);
        if (status == HS_OK)
            status = hs__boxes_lay(task, &plan);
    }
    return hs__boxes_offer(status, plan, best);
}

hs_status hs__boxes_best(const hs__boxes_task *task, hs_boxes_method method, const hs_boxes *held, hs_boxes **best)
{
    static const hs_boxes_method all[] = {HS_BOXES_ROWS, HS_BOXES_COLUMNS, HS_BOXES_GRID, HS_BOXES_SLABS,
                                          HS_BOXES_GRID_3D};
    static const int methods[] = {0, 1, 3, 5}; /* by dimensions */
    hs_status status = HS_OK;
    if (held)
        return try(task, (choice){.method = held->method, .held = held}, best);
    if (method != HS_BOXES_BEST)
        return best_of(task, method, best);
    for (int k = 0; k < methods[task->domain.dims] && status == HS_OK; k++)
        status = best_of(task, all[k], best);
    return status;
}
