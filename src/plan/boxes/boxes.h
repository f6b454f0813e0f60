/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_BOXES_BOXES_H
#define HS_PLAN_BOXES_BOXES_H

#include "plan/boxes/geometry.h"
#include "plan/columns/columns.h"
#include "util/pool.h"

/** A plan: who stands where (method, columns, first, host), and the sizes. */
struct hs_boxes {
    hs_boxes_domain domain; /* complete */
    int hosts;
    hs_boxes_method method; /* never HS_BOXES_BEST */
    int columns;
    int *first;  /* [columns + 1] column c has places first[c] to first[c + 1] - 1, from top to bottom; in a grid all
                    have as many */
    int *host;   /* [hosts] of each place, distinct; hosts without a place are in none */
    hs_box *box; /* [hosts] */
    double step_time;
    hs__pool pool; /* of first, host, box and the plan's scratch */
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

/** Whether a plan is better: a shorter step, then fewer halo cells in all. b may be NULL. */
int hs__boxes_better(const hs_boxes *a, const hs_boxes *b);

/** Whether the same hosts stand at the same places: sizes are all that differs. */
int hs__boxes_same_places(const hs_boxes *a, const hs_boxes *b);

/* ---- Who stands where. ---- */

/** All hosts in their order. */
hs_status hs__boxes_arrange_rows(const hs__boxes_task *task, hs_boxes **plan);

/** The columns of the least sum of half perimeters, were sizes real (COL-PERI-SUM on a rectangle). */
hs_status hs__boxes_arrange_columns(const hs__boxes_task *task, hs_boxes **plan);

/** The fastest rows x columns hosts on a grid (MAX-GRID). */
hs_status hs__boxes_arrange_grid(const hs__boxes_task *task, int rows, int columns, hs_boxes **plan);

/** As in another plan of the same domain and hosts. */
hs_status hs__boxes_arrange_as(const hs__boxes_task *task, const hs_boxes *held, hs_boxes **plan);

/* ---- Sizes. ---- */

/** Set the boxes and the step time for the places of a plan.
 * @return HS_OK; HS_ERR_INFEASIBLE; HS_ERR_NOMEM */
hs_status hs__boxes_size(const hs__boxes_task *task, hs_boxes *plan);

#endif
