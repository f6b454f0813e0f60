/* SPDX-License-Identifier: BSD-3-Clause */
/* Integer sizes for hosts whose places are known. Rows: exact, halos included. Columns and grids: the least largest
 * cells/speed; where halos add to a host's time, speeds are then lowered by the share of the step that its halo takes and
 * sizes made again, and the best of a few rounds counts. */
#include "plan/boxes/boxes.h"

#include "plan/columns/blocks.h"
#include "plan/grid/grid.h"
#include "plan/slices/slices.h"
#include "util/assert.h"
#include <math.h>
#include <string.h>

enum { ROUNDS = 8, GRID_VISITS = 200000 };

/* Beside the fastest host of a grid, one of speed 0: grid.c takes logarithms. */
static const double nothing = 1e-200;

/* Scratch of one plan's sizes. */
typedef struct sizing {
    const hs__boxes_task *task;
    hs_boxes *plan;
    double *speed;           /* [places] */
    int64_t *width, *height; /* [columns], [places] */
    hs_box *kept;            /* [hosts] the best boxes so far */
    hs__pool pool;
} sizing;

/* ---- Rows. ---- */

/* Halo cells of a slice between two others. */
static int64_t inner_halo(const hs_boxes_domain *domain)
{
    hs_boxes_domain endless = *domain;
    hs_box slice = {.count = {1, domain->extent[1], domain->extent[2]}};
    endless.extent[0] = 2;
    endless.periodic[0] = 1;
    return hs__box_halo_cells(&endless, &slice);
}

static hs_status size_rows(const hs__boxes_task *task, hs_boxes *plan)
{
    const hs_boxes_domain *domain = &task->domain;
    hs__pool pool = {0};
    size_t hosts = (size_t)task->hosts;
    double *cycle = hs__pool_new(&pool, hosts, sizeof *cycle), *comm = hs__pool_new(&pool, hosts, sizeof *comm);
    int64_t *count = hs__pool_new(&pool, hosts, sizeof *count),
            *scratch = hs__pool_new(&pool, 2 * hosts, sizeof *scratch);
    hs_status status = hs__pool_status(&pool);
    int64_t minimum = domain->halo > 0 ? domain->halo : 1, halo = inner_halo(domain), first = 0;
    double row = (double)domain->extent[1] * (double)domain->extent[2];
    for (int i = 0; status == HS_OK && i < task->hosts; i++) {
        cycle[i] = row * task->cycle[i];
        comm[i] = task->halo ? (double)halo * task->halo[i] : 0;
    }
    if (status == HS_OK)
        status =
            hs__slices_compute(cycle, comm, task->hosts, domain->extent[0], minimum, task->model, count, NULL, scratch);
    for (int i = 0; status == HS_OK && i < task->hosts; first += count[i++])
        if (count[i] > 0)
            plan->box[i] = (hs_box){{first, 0, 0}, {count[i], domain->extent[1], domain->extent[2]}};
    hs__pool_free(&pool);
    return status;
}

/* ---- Columns and grids. ---- */

static hs_status size_columns(sizing *s)
{
    const hs_boxes *plan = s->plan;
    hs__column_blocks blocks = {plan->columns, plan->first, s->speed, plan->domain.extent[1], plan->domain.extent[0]};
    double load = hs__column_blocks_least_load(&blocks, INFINITY);
    return hs__column_blocks_assign(&blocks, load, HS_COLUMNS_SUM, s->width, s->height);
}

static void read_grid(sizing *s, const hs__grid *grid)
{
    for (int j = 0; j < grid->columns; j++) {
        s->width[j] = (int64_t)grid->c[j];
        for (int i = 0; i < grid->rows; i++)
            s->height[j * grid->rows + i] = (int64_t)grid->r[i];
    }
}

static hs_status size_grid(sizing *s)
{
    const hs_boxes *plan = s->plan;
    int rows = plan->first[1], columns = plan->columns;
    double fastest = 0;
    hs__grid grid;
    hs__grid_scratch scratch;
    hs_status status = hs__grid_create(rows, columns, &grid);
    if (status != HS_OK)
        return status;
    status = hs__grid_scratch_create(rows, columns, &scratch);
    if (status == HS_OK) {
        for (int k = 0; k < rows * columns; k++)
            fastest = fmax(fastest, s->speed[k]);
        for (int k = 0; k < rows * columns; k++)
            grid.speed[k % rows * columns + k / rows] = fmax(s->speed[k] / fastest, nothing);
        hs__grid_climb(&grid, &scratch);
        status = hs__grid_blocks(&grid, plan->domain.extent[0], plan->domain.extent[1], GRID_VISITS);
        hs__grid_scratch_free(&scratch);
    }
    if (status == HS_OK)
        read_grid(s, &grid);
    hs__grid_free(&grid);
    return status;
}

static void lay_boxes(const sizing *s)
{
    hs_boxes *plan = s->plan;
    int64_t layers = plan->domain.extent[2], x = 0;
    memset(plan->box, 0, (size_t)plan->hosts * sizeof *plan->box);
    for (int c = 0; c < plan->columns; x += s->width[c++]) {
        int64_t y = 0;
        for (int k = plan->first[c]; k < plan->first[c + 1]; y += s->height[k++])
            if (s->width[c] > 0 && s->height[k] > 0)
                plan->box[plan->host[k]] = (hs_box){{y, x, 0}, {s->height[k], s->width[c], layers}};
    }
}

static double step_of(const hs__boxes_task *task, const hs_boxes *plan)
{
    return hs__boxes_step(&task->domain, plan->box, task->cycle, task->halo, task->hosts, task->model);
}

/* The speed at which a host would be as late by computing alone as it is with its halo. */
static void lower_speeds(sizing *s, double step_time)
{
    const hs__boxes_task *task = s->task;
    const hs_boxes *plan = s->plan;
    for (int k = 0; k < plan->first[plan->columns]; k++) {
        int host = plan->host[k];
        double halo = (double)hs__box_halo_cells(&task->domain, &plan->box[host]) * task->halo[host];
        s->speed[k] = task->speed[host] * fmax(1 - halo / step_time, 0);
    }
}

static int is_any(const sizing *s)
{
    for (int k = 0; k < s->plan->first[s->plan->columns]; k++)
        if (s->speed[k] > 0)
            return 1;
    return 0;
}

static hs_status refine(sizing *s)
{
    const hs__boxes_task *task = s->task;
    hs_boxes *plan = s->plan;
    size_t bytes = (size_t)plan->hosts * sizeof *plan->box;
    int rounds = task->halo && task->model == HS_STEP_SERIAL ? ROUNDS : 1;
    plan->step_time = INFINITY;
    for (int round = 0; round < rounds && is_any(s); round++) {
        hs_status status = plan->method == HS_BOXES_GRID ? size_grid(s) : size_columns(s);
        if (status != HS_OK)
            return status;
        lay_boxes(s);
        double step_time = step_of(task, plan);
        if (step_time < plan->step_time) {
            plan->step_time = step_time;
            memcpy(s->kept, plan->box, bytes);
        }
        if (round + 1 < rounds)
            lower_speeds(s, step_time);
    }
    memcpy(plan->box, s->kept, bytes);
    return plan->step_time < INFINITY ? HS_OK : HS_ERR_INFEASIBLE;
}

static hs_status size_places(const hs__boxes_task *task, hs_boxes *plan)
{
    sizing s = {.task = task, .plan = plan};
    size_t places = (size_t)plan->first[plan->columns];
    s.speed = hs__pool_new(&s.pool, places, sizeof *s.speed);
    s.width = hs__pool_new(&s.pool, (size_t)plan->columns, sizeof *s.width);
    s.height = hs__pool_new(&s.pool, places, sizeof *s.height);
    s.kept = hs__pool_new(&s.pool, (size_t)plan->hosts, sizeof *s.kept);
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
    hs_status status = plan->method == HS_BOXES_ROWS ? size_rows(task, plan) : size_places(task, plan);
    if (status != HS_OK)
        return status;
    plan->step_time = step_of(task, plan);
    HS_ASSERT(hs__boxes_tile(&plan->domain, plan->box, plan->hosts, NULL) == HS_OK);
    return HS_OK;
}
