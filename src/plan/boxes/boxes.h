/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_BOXES_BOXES_H
#define HS_PLAN_BOXES_BOXES_H

#include "plan/boxes/geometry.h"
#include "plan/columns/columns.h"
#include "util/pool.h"

/** A plan: who stands where (method, slabs to host), and the sizes. */
struct hs_boxes {
    hs_boxes_domain domain; /* complete */
    int hosts;
    hs_boxes_method method; /* never HS_BOXES_BEST */
    int axis[HS__DIMS]; /* the dimensions along which boxes follow each other: in a column, columns in a slab, slabs */
    int slabs;          /* 1 where two dimensions are cut */
    int *slab;          /* [slabs + 1] slab b has columns slab[b] to slab[b + 1] - 1 */
    int *first;  /* [slab[slabs] + 1] column c has places first[c] to first[c + 1] - 1, from top to bottom; in a grid
                    all have as many, and all slabs as many columns */
    int *host;   /* [hosts] of each place, distinct; hosts without a place are in none */
    hs_box *box; /* [hosts] */
    double step_time;
    hs__pool pool; /* of slab, first, host and box */
};

/** What a plan is made for, and scratch for making it. */
typedef struct hs__boxes_task {
    hs_boxes_domain domain; /* complete */
    const double *cycle, *halo;
    int hosts;
    hs_step_model model;
    double *speed;   /* [hosts] cells a second; 0: takes none; owned */
    hs__areas areas; /* of the hosts that take cells; owned */
} hs__boxes_task;

/** A plan without anybody or any cells in it. @return HS_OK; HS_ERR_NOMEM */
hs_status hs__boxes_new(const hs__boxes_task *task, hs_boxes_method method, hs_boxes **plan);

/** How many columns and places all slabs have. */
int hs__boxes_columns(const hs_boxes *plan);
int hs__boxes_places(const hs_boxes *plan);

/** Whether a plan is better: a shorter step, then fewer halo cells in all. b may be NULL. */
int hs__boxes_better(const hs_boxes *a, const hs_boxes *b);

/** Whether the same hosts stand at the same places: sizes are all that differs. */
int hs__boxes_same_places(const hs_boxes *a, const hs_boxes *b);

/* ---- Who stands where. ---- */

/** All hosts in their order. */
hs_status hs__boxes_arrange_rows(const hs__boxes_task *task, hs_boxes **plan);

/** Slabs of hosts of about equal summed speed that follow each other along dimension `across`; in each the columns of the
 * least sum of half perimeters, were sizes real (COL-PERI-SUM on a rectangle).
 * @param[in] slabs  1 to the hosts that take cells; 1: columns through all layers */
hs_status hs__boxes_arrange_columns(const hs__boxes_task *task, hs_boxes_method method, int slabs, int across,
                                    hs_boxes **plan);

/** The fastest shape[0] x shape[1] x shape[2] hosts on a grid of that shape (MAX-GRID). */
hs_status hs__boxes_arrange_grid(const hs__boxes_task *task, hs_boxes_method method, const int *shape, hs_boxes **plan);

/** As in another plan of the same domain and hosts. */
hs_status hs__boxes_arrange_as(const hs__boxes_task *task, const hs_boxes *held, hs_boxes **plan);

/* ---- Sizes. ---- */

/** Set the boxes and the step time for the places of a plan.
 * @return HS_OK; HS_ERR_INFEASIBLE; HS_ERR_NOMEM */
hs_status hs__boxes_size(const hs__boxes_task *task, hs_boxes *plan);

#endif
