/* SPDX-License-Identifier: BSD-3-Clause */
/* Integer sizes for hosts whose places are known; those of rows are made in rows.c. Columns and grids: the least largest
 * cells/speed. In slabs the least largest area/speed of each is what a layer of it costs, so that layers are dealt out as
 * rows are; in grids of three dimensions rows and columns are made for the slowest of the hosts above each other, then
 * planes for rows and columns, in turns. Where halos add to a host's time, speeds are then lowered by the share of the
 * step that its halo takes and sizes made again, and the best of a few rounds counts. */
#include "plan/boxes/boxes.h"

#include "plan/columns/blocks.h"
#include "plan/grid/grid.h"
#include "plan/slices/slices.h"
#include "util/assert.h"
#include <math.h>
#include <string.h>

enum { TURNS = 4, GRID_VISITS = 200000 };

/* Scratch of one plan's sizes. */
typedef struct sizing {
    const hs__boxes_task *task;
    hs_boxes *plan;
    double *speed;           /* [places] */
    int64_t *width, *height; /* [columns], [places] */
    int64_t *layers;         /* [slabs] */
    double *layer_s, *none;  /* [slabs] seconds of a layer; zeros */
    int *first;              /* [columns + 1] scratch of a slab */
    int64_t *scratch;        /* [2 * slabs] */
    double *slowest;         /* [places] of a grid, over all planes */
    hs_boxes kept;
    hs__pool pool;
} sizing;

/* Cells along the dimension of a plan's axis. */
static int64_t length(const hs_boxes *plan, int axis)
{
    return plan->domain.extent[plan->axis[axis]];
}

/* Layers of slabs by the seconds that each takes for one of its own. */
static hs_status deal_layers(sizing *s, double *load)
{
    const hs_boxes *plan = s->plan;
    const hs__slices_task layers = {
        .cycle_time = s->layer_s, .comm_time = s->none, .hosts = plan->slabs, .units = length(plan, 2), .minimum = 1};
    return hs__slices_compute(&layers, HS_STEP_SERIAL, s->layers, load, s->scratch);
}

/* ---- Columns and grids. ---- */

/* A slab none of which can compute gets no layers. */
static hs_status size_slab(sizing *s, int b)
{
    const hs_boxes *plan = s->plan;
    int column = plan->slab[b], columns = plan->slab[b + 1] - column, place = plan->first[column];
    double fastest = 0;
    for (int c = 0; c <= columns; c++)
        s->first[c] = plan->first[column + c] - place;
    for (int k = 0; k < s->first[columns]; k++)
        fastest = fmax(fastest, s->speed[place + k]);
    s->layer_s[b] = INFINITY;
    if (fastest == 0)
        return HS_OK;
    hs__column_blocks blocks = {columns, s->first, &s->speed[place], length(plan, 1), length(plan, 0)};
    s->layer_s[b] = hs__column_blocks_least_load(&blocks, INFINITY);
    return hs__column_blocks_assign(&blocks, s->layer_s[b], HS_COLUMNS_SUM, &s->width[column], &s->height[place]);
}

static hs_status size_columns(sizing *s)
{
    hs_status status = HS_OK;
    for (int b = 0; b < s->plan->slabs && status == HS_OK; b++)
        status = size_slab(s, b);
    return status == HS_OK ? deal_layers(s, NULL) : status;
}

/* ---- Grids. Place (b * columns + j) * rows + i is at row i, column j of plane b. ---- */

static void read_grid(sizing *s, const hs__grid *grid)
{
    for (int b = 0, c = 0; b < s->plan->slabs; b++)
        for (int j = 0; j < grid->columns; j++, c++) {
            s->width[c] = (int64_t)grid->c[j];
            for (int i = 0; i < grid->rows; i++)
                s->height[c * grid->rows + i] = (int64_t)grid->r[i];
        }
}

/* Rows and columns for one speed at each place of a plane. */
static hs_status size_plane(sizing *s, const double *speed)
{
    const hs_boxes *plan = s->plan;
    int rows = plan->first[1], columns = plan->slab[1];
    double fastest = 0;
    hs__grid grid;
    hs__grid_scratch scratch;
    hs_status status = hs__grid_create(rows, columns, &grid);
    if (status != HS_OK)
        return status;
    status = hs__grid_scratch_create(rows, columns, &scratch);
    if (status == HS_OK) {
        for (int k = 0; k < rows * columns; k++)
            fastest = fmax(fastest, speed[k]);
        for (int k = 0; k < rows * columns; k++)
            grid.speed[k % rows * columns + k / rows] = fmax(speed[k] / fastest, hs__grid_nothing);
        hs__grid_climb(&grid, &scratch);
        status = hs__grid_blocks(&grid, length(plan, 0), length(plan, 1), GRID_VISITS);
        hs__grid_scratch_free(&scratch);
    }
    if (status == HS_OK)
        read_grid(s, &grid);
    hs__grid_free(&grid);
    return status;
}

/* What a layer of each plane takes when rows and columns are given. */
static void time_layers(sizing *s)
{
    const hs_boxes *plan = s->plan;
    int rows = plan->first[1];
    for (int b = 0; b < plan->slabs; b++) {
        s->layer_s[b] = hs__grid_nothing; /* above 0, as slices want it */
        for (int k = plan->first[plan->slab[b]]; k < plan->first[plan->slab[b + 1]]; k++) {
            double area = (double)s->height[k] * (double)s->width[k / rows];
            s->layer_s[b] = fmax(s->layer_s[b], area > 0 ? area / s->speed[k] : 0);
        }
    }
}

/* Cells a second and layer of the slowest host at each row and column, when planes have so many layers. @return the fastest */
static double find_slowest(sizing *s)
{
    const hs_boxes *plan = s->plan;
    int plane = plan->first[plan->slab[1]];
    double fastest = 0;
    for (int k = 0; k < plane; k++) {
        s->slowest[k] = INFINITY;
        for (int b = 0; b < plan->slabs; b++)
            if (s->layers[b] > 0)
                s->slowest[k] = fmin(s->slowest[k], s->speed[b * plane + k] / (double)s->layers[b]);
        fastest = fmax(fastest, s->slowest[k]);
    }
    return fastest;
}

/* To begin with planes are as thick as their hosts are fast together. */
static hs_status first_layers(sizing *s)
{
    const hs_boxes *plan = s->plan;
    for (int b = 0; b < plan->slabs; b++) {
        double speed = 0;
        for (int k = plan->first[plan->slab[b]]; k < plan->first[plan->slab[b + 1]]; k++)
            speed += s->speed[k];
        s->layer_s[b] = 1 / speed;
    }
    return deal_layers(s, NULL);
}

static hs_status size_grid(sizing *s)
{
    double load = INFINITY, before;
    if (s->plan->slabs == 1) {
        s->layers[0] = length(s->plan, 2);
        return size_plane(s, s->speed);
    }
    hs_status status = first_layers(s);
    for (int turn = 0; status == HS_OK && turn < TURNS; turn++) {
        before = load;
        if (find_slowest(s) == 0)
            return HS_ERR_INFEASIBLE;
        status = size_plane(s, s->slowest);
        time_layers(s);
        if (status == HS_OK)
            status = deal_layers(s, &load);
        if (load >= before)
            break;
    }
    return status;
}

/* ---- Boxes of sizes. ---- */

static hs_box box_at(const hs_boxes *plan, const int64_t *first, const int64_t *count)
{
    hs_box box = {{0}, {0}};
    for (int a = 0; a < HS__DIMS && count[0] > 0 && count[1] > 0 && count[2] > 0; a++) {
        box.first[plan->axis[a]] = first[a];
        box.count[plan->axis[a]] = count[a];
    }
    return box;
}

static void lay_boxes(const sizing *s)
{
    hs_boxes *plan = s->plan;
    int64_t first[HS__DIMS] = {0, 0, 0};
    memset(plan->box, 0, (size_t)plan->hosts * sizeof *plan->box);
    for (int b = 0; b < plan->slabs; first[2] += s->layers[b++]) {
        first[1] = 0;
        for (int c = plan->slab[b]; c < plan->slab[b + 1]; first[1] += s->width[c++]) {
            first[0] = 0;
            for (int k = plan->first[c]; k < plan->first[c + 1]; first[0] += s->height[k++])
                plan->box[plan->host[k]] =
                    box_at(plan, first, (const int64_t[]){s->height[k], s->width[c], s->layers[b]});
        }
    }
}

/* The speed at which a host would be as late by computing alone as it is with its halo. */
static void lower_speeds(sizing *s)
{
    const hs__boxes_task *task = s->task;
    const hs_boxes *plan = s->plan;
    for (int k = 0; k < hs__boxes_places(plan); k++) {
        int host = plan->host[k];
        double halo = plan->halo_s
                          ? plan->halo_s[host]
                          : (double)hs__box_halo_cells(&task->domain, &plan->box[host]) * task->costs->halo[host];
        s->speed[k] = task->speed[host] * fmax(1 - halo / plan->step_time, 0);
    }
}

static int is_any(const sizing *s)
{
    for (int k = 0; k < hs__boxes_places(s->plan); k++)
        if (s->speed[k] > 0)
            return 1;
    return 0;
}

static hs_status refine(sizing *s)
{
    const hs__boxes_task *task = s->task;
    hs_boxes *plan = s->plan;
    int is_grid = plan->method == HS_BOXES_GRID || plan->method == HS_BOXES_GRID_3D;
    int rounds =
        (task->costs->halo || task->costs->network) && task->costs->model == HS_STEP_SERIAL ? HS__BOXES_ROUNDS : 1;
    for (int round = 0; round < rounds && is_any(s); round++) {
        hs_status status = is_grid ? size_grid(s) : size_columns(s);
        if (status == HS_OK) {
            lay_boxes(s);
            status = hs__boxes_step_keep(task, plan, &s->kept);
        }
        if (status == HS_ERR_INFEASIBLE || status == HS_UNCHANGED)
            break;
        if (status != HS_OK)
            return status;
        if (round + 1 < rounds)
            lower_speeds(s);
    }
    return hs__boxes_take_kept(&s->kept, plan);
}

static hs_status size_places(const hs__boxes_task *task, hs_boxes *plan)
{
    sizing s = {.task = task, .plan = plan};
    size_t places = (size_t)hs__boxes_places(plan), columns = (size_t)hs__boxes_columns(plan);
    size_t slabs = (size_t)plan->slabs;
    s.speed = hs__pool_new(&s.pool, places, sizeof *s.speed);
    s.slowest = hs__pool_new(&s.pool, places, sizeof *s.slowest);
    s.width = hs__pool_new(&s.pool, columns, sizeof *s.width);
    s.first = hs__pool_new(&s.pool, columns + 1, sizeof *s.first);
    s.layers = hs__pool_new(&s.pool, slabs, sizeof *s.layers);
    s.layer_s = hs__pool_new(&s.pool, slabs, sizeof *s.layer_s);
    s.none = hs__pool_new(&s.pool, slabs, sizeof *s.none);
    s.scratch = hs__pool_new(&s.pool, 2 * slabs, sizeof *s.scratch);
    s.height = hs__pool_new(&s.pool, places, sizeof *s.height);
    hs__boxes_kept_new(plan, &s.pool, &s.kept);
    hs_status status = hs__pool_status(&s.pool);
    if (status == HS_OK) {
        for (size_t k = 0; k < places; k++)
            s.speed[k] = task->speed[plan->host[k]];
        status = refine(&s);
    }
    hs__pool_free(&s.pool);
    return status;
}

hs_status hs__boxes_size(const hs__boxes_task *task, hs_boxes *plan)
{
    hs_status status = plan->method == HS_BOXES_ROWS ? hs__boxes_size_rows(task, plan) : size_places(task, plan);
    HS_ASSERT(status != HS_OK || hs__boxes_tile(&plan->domain, plan->box, plan->hosts, NULL) == HS_OK);
    return status;
}
